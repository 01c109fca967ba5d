/* Tests the list of available skins: their names, and the selected one. */
#include "image/decoded_image.h"
#include "image_maker.h"
#include "tree.h"
#include "value_checks.h"

static lm_vfs *vfs;

static void put_pcx(const char *name, uint32_t size) {
    const pcx_kind kind = {.version = 5, .bits = 8, .planes = 1, .width = size, .height = size};
    tree_put_buffer(name, make_pcx(&kind));
}

/* Writes an MD2 that lists these skins. */
static void put_md2(const char *name, const char *const *skins, int num_skins) {
    const md2_shape shape = {num_skins, 6, 9, 4, 3, false};
    blob b = make_md2(&shape);
    for (int i = 0; i < num_skins; i++)
        snprintf((char *)b.data + get32(&b, MD2_AT_OFS_SKINS) + 64 * (size_t)i, 64, "%s", skins[i]);
    tree_put_blob(name, b);
}

/* Expects the names with spaces between them, the selected one in brackets. */
static void expect_choices(const char *path, const char *skin, const char *names) {
    char told[512] = "";
    const lm_assets_options options = {.num_skins = skin != NULL, .skins = &skin};
    vfs = lm_vfs_new(NULL, NULL);
    lm_assets *assets = lm_assets_open(vfs, path, &options, NULL);
    lm_skin_choices *choices = lm_assets_list_skins(assets, NULL);
    assert_non_null(choices);
    for (uint32_t i = 0; i < choices->num_choices; i++) {
        size_t length = strlen(told);
        snprintf(told + length, sizeof told - length, i == choices->current ? "%s[%s]" : "%s%s",
                 i > 0 ? " " : "", choices->choices[i].name);
    }
    assert_string_equal(told, names);
    lm_skin_choices_free(choices);
    lm_assets_free(assets);
    lm_vfs_free(vfs);
}

/* ---- .skin files --------------------------------------------------------------------------- */

TEST(choices_of_a_player) {
    static const char *const files[] = {
        "game/models/players/x/lower_red.skin",      "game/models/players/x/lower_blue.skin",
        "game/models/players/x/lower_default.skin",  "game/models/players/x/upper_green.skin",
        "game/models/players/x/lower.md3_port.skin", "game/models/players/x/lower_a=b.skin"};
    tree_folder("game/models/players/x");
    for (size_t i = 0; i < COUNT_OF(files); i++)
        tree_put_text(files[i], "part0,x.png\n");
    tree_put_blob("game/models/players/x/lower.md3", make_md3(&small_md3));
    tree_put_blob("game/models/players/x/lower_1.md3", make_md3(&small_md3));
    char lower[256], far[256];
    snprintf(lower, sizeof lower, "%s", tree_at("game/models/players/x/lower.md3"));
    snprintf(far, sizeof far, "%s", tree_at("game/models/players/x/lower_1.md3"));
    expect_choices(lower, NULL, "[default] blue port red");
    expect_choices(lower, "red", "default blue port [red]");
    expect_choices(lower, "port", "default blue [port] red");
    expect_choices(far, "blue", "default [blue] port red");
    const packed_file packed = {
        .name = "models/players/x/lower_dark.skin", .data = "part0,x.png\n", .size = 12};
    tree_put_blob("game/pak0.pk3", make_pk3(&packed, 1));
    expect_choices(lower, NULL, "[default] blue dark port red");
    tree_drop("game/models/players/x/lower_default.skin");
    expect_choices(lower, NULL, "blue dark port [red]"); /* as in the games */
}

/* A number that the model's list does not have is reported once. */
TEST(choice_of_a_listed_skin) {
    tree_put_blob("few.md2", make_md2(&small_md2));
    OWNED(lm_vfs) *view = lm_vfs_new(NULL, NULL);
    for (uint32_t listed = 1; listed < 100; listed += 98) {
        const lm_assets_options options = {.listed_skin = listed};
        OWNED(lm_assets) *assets = lm_assets_open(view, tree_at("few.md2"), &options, NULL);
        uint32_t reported = 0;
        for (uint32_t i = 0; i < assets->num_diagnostics; i++)
            reported += assets->diagnostics[i].code == LM_CODE_BAD_OPTION;
        assert_non_null(assets->scene);
        assert_int_equal(reported, listed > 1);
    }
}

/* If no .skin file is selected by default, the model's own skins are available. */
TEST(choices_of_a_weapon) {
    tree_folder("thing");
    tree_put_blob("thing/gun.md3", make_md3(&small_md3));
    expect_choices(tree_at("thing/gun.md3"), NULL, "[Default]");
    tree_put_text("thing/gun_gold.skin", "part0,x.png\n");
    expect_choices(tree_at("thing/gun.md3"), NULL, "[Default] gold");
    expect_choices(tree_at("thing/gun.md3"), "gold", "Default [gold]");
}

/* ---- Images -------------------------------------------------------------------------------- */

TEST(skins_that_a_model_lists) {
    static const char *const skins[] = {"players/male/grunt.pcx", "players\\male\\Viper.pcx",
                                        "players/male/grunt.pcx", "other/grunt.tga", "plain"};
    tree_folder("male");
    put_md2("male/tris.md2", skins, COUNT_OF(skins));
    put_pcx("male/grunt.pcx", 16);
    put_pcx("male/grunt_i.pcx", 32);
    put_pcx("male/sniper.pcx", 16);
    put_pcx("male/sniper_i.pcx", 32);
    const char *model = tree_at("male/tris.md2");
    expect_choices(model, NULL, "[grunt] Viper other/grunt.tga plain sniper");
    expect_choices(model, tree_at("male/sniper.pcx"), "grunt Viper other/grunt.tga plain [sniper]");
    expect_choices(model, "sniper", "grunt Viper other/grunt.tga plain [sniper]");
}

/* The image of another model in the folder, such as a player's weapon, is not offered. It is listed
 * if the model uses it nevertheless. */
TEST(images_of_other_models) {
    static const char *const skins[] = {"players/male/grunt.pcx"};
    tree_folder("armed");
    put_md2("armed/tris.md2", skins, 1);
    put_md2("armed/weapon.md2", NULL, 0);
    put_pcx("armed/grunt.pcx", 16);
    put_pcx("armed/viper.pcx", 16);
    put_pcx("armed/weapon.pcx", 16);
    const char *model = tree_at("armed/tris.md2");
    expect_choices(model, NULL, "[grunt] viper");
    expect_choices(model, tree_at("armed/weapon.pcx"), "grunt viper [weapon]");
}

TEST(in_the_same_folder) {
    tree_folder("beside");
    put_md2("beside/tick.md2", NULL, 0);
    const char *model = tree_at("beside/tick.md2");
    expect_choices(model, NULL, "[Default]");
    put_pcx("beside/red.pcx", 16);
    tree_put_buffer("beside/red.png", make_png(16, 16)); /* PCX comes first in the search order */
    expect_choices(model, NULL, "[Default] red");
    put_pcx("beside/Tick.pcx", 16);
    expect_choices(model, NULL, "[Tick] red");
    expect_choices(model, tree_at("beside/red.pcx"), "Tick [red]");
    expect_choices(model, "none", "[Default]"); /* without a search */
}

/* Tests the asset library's options: each member with invalid values. */

/* Expects that a failure is that of the options themselves. */
static bool bad_option(bool done, lm_error *error) {
    if (!done)
        assert_true(error->code == LM_CODE_BAD_ARGUMENT &&
                    strncmp(error->message, "assets options: ", 16) == 0);
    return done;
}

static bool read_options(const void *options, lm_error *error) {
    OWNED(lm_vfs) *view = lm_vfs_new(NULL, NULL);
    return bad_option(lm_assets_read_options(view, options, error), error);
}

static bool open_assets(const void *options, lm_error *error) {
    OWNED(lm_vfs) *view = lm_vfs_new(NULL, NULL);
    OWNED(lm_assets) *assets = lm_assets_open(view, tree_at("small.md2"), options, error);
    return bad_option(assets->scene != NULL, error);
}

static bool read_image(const void *options, lm_error *error) {
    const pcx_kind kind = {.version = 5, .bits = 8, .planes = 1, .width = 2, .height = 2};
    AT_END(lm_buffer_free) lm_buffer file = make_pcx(&kind);
    lm_image *image = lm_image_read(file.data, file.size, options, error);
    lm_image_free(image);
    return image != NULL;
}

static bool image_of_indices(const void *options, lm_error *error) {
    static const uint8_t indices[1], rgb[768];
    lm_image *image = lmi_image_of_indices(1, 1, indices, rgb, options, error);
    lm_image_free(image);
    return image != NULL;
}

TEST(invalid_values_in_arrays) {
    const lm_attachment attachment = {.path = "a", .reserved = {1}};
    const lm_given_file file = {.path = "a", .reserved = {1}};
    lm_error error;
    assert_false(read_options(
        &(lm_assets_options){.num_attachments = 1, .attachments = &attachment}, &error));
    assert_false(read_options(&(lm_assets_options){.num_files = 1, .files = &file}, &error));
}

/* NULL where the options need a value: the message names it. */
TEST(incomplete_arrays) {
    static const char *const nothing[] = {NULL};
    const struct {
        lm_assets_options options;
        const char *message;
    } list[] = {
        {{.num_games = 1}, "games is NULL, but its number is 1"},
        {{.num_games = 1, .games = nothing}, "games[0] is NULL"},
        {{.num_skins = 2}, "skins is NULL, but its number is 2"},
        {{.num_skins = 1, .skins = nothing}, "skins[0] is NULL"},
        {{.num_files = 1}, "files is NULL, but its number is 1"},
        {{.num_files = 1, .files = &(lm_given_file){0}}, "files[0].path is NULL"},
        {{.num_files = 1, .files = &(lm_given_file){.path = "a", .size = 1}}, "files[0].data is"},
        {{.num_attachments = 1}, "attachments is NULL, but its number is 1"},
        {{.num_attachments = 1, .attachments = &(lm_attachment){0}}, "attachments[0].path is NULL"},
    };
    for (size_t i = 0; i < COUNT_OF(list); i++) {
        lm_error error;
        assert_false(open_assets(&list[i].options, &error));
        assert_non_null(strstr(error.message, list[i].message));
        assert_false(read_options(&list[i].options, &error));
        assert_non_null(strstr(error.message, list[i].message));
    }
}

TEST(invalid_option_values) {
    static const option_of_call list[] = {
        {LM_MEMBER(lm_assets_options, alpha, ENUM, LM_ALPHA_USE_BLEND), open_assets},
        {LM_MEMBER(lm_assets_options, images, ENUM, LM_IMAGES_NONE), open_assets},
        {LM_MEMBER(lm_assets_options, engine, ENUM, LM_NUM_ENGINES - 1), open_assets},
        {LM_MEMBER(lm_assets_options, reserved, RESERVED, 0), open_assets},
        {LM_MEMBER(lm_assets_options, reserved, RESERVED, 0), read_options},
        {LM_MEMBER(lm_image_options, memory, MEMORY, 0), read_image},
        {LM_MEMBER(lm_image_options, reserved, RESERVED, 0), read_image},
        {LM_MEMBER(lm_image_options, reserved, RESERVED, 0), image_of_indices}};
    tree_put_blob("small.md2", make_md2(&small_md2));
    assert_true(read_options(NULL, NULL) && open_assets(NULL, NULL));
    assert_true(read_image(NULL, NULL) && image_of_indices(NULL, NULL));
    assert_bad_values_rejected(list, COUNT_OF(list));
}

TEST_GROUP(tree_make, tree_remove)
