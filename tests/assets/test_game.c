/* Tests games: the game inferred from a model's path, and its search order. */
#include "image_maker.h"
#include "tree.h"

#include "describe.h"
#include "settings.h"

#include <unistd.h>

#define BASE "x/baseoa/"
#define MAN BASE "models/players/man/"

static const char script[] = "models/test/part0\n{\n{\nmap textures/man.tga\n}\n}\n"
                             "textures/deep/part0\n{\n{\nmap textures/man.tga\n}\n}\n";

/* Part 0 is in a script, part 1 and the clips in an archive. */
static int make_game(void **state) {
    static const char clips[] = "0 1 1 10\n1 1 1 10\n";
    int failed = tree_make(state);
    AT_END(lm_buffer_free) lm_buffer tga = make_tga(4, 4, 2, 24);
    const packed_file files[] = {
        {.name = "models/test/part1.tga", .data = tga.data, .size = tga.size},
        {.name = "models/players/man/animation.cfg", .data = clips, .size = strlen(clips)}};
    tree_folder(MAN);
    tree_folder(BASE "scripts");
    tree_folder(BASE "textures");
    tree_folder("other");
    tree_put_blob(MAN "lower.md3", make_md3(&small_md3));
    tree_put_text(BASE "scripts/man.shader", script);
    tree_put(BASE "textures/man.tga", tga.data, tga.size);
    tree_put_blob(BASE "pak0.pk3", make_pk3(files, COUNT_OF(files)));
    return failed;
}

/* ---- From the path ------------------------------------------------------------------------- */

static void expect_end(const char *path, const char *end) {
    assert_non_null(path);
    if (strlen(path) < strlen(end) || strcmp(path + strlen(path) - strlen(end), end) != 0)
        fail_msg("%s does not end in %s", path, end);
}

static void expect_all_textures(const char *path, const char *game) {
    AT_END(drop_fresh) lm_assets *assets = open_fresh(path, NULL);
    const lm_asset *asset = &assets->assets[0];
    AT_END(lm_buffer_free) lm_buffer sheet = {0};
    expect_end(assets->game, game);
    assert_int_equal(asset->num_textures, 2);
    assert_int_equal(asset->textures[0].match, LM_MATCH_SCRIPT);
    expect_end(asset->textures[0].shader->path, "scripts/man.shader");
    expect_end(asset->textures[0].path, "textures/man.tga");
    assert_int_equal(asset->textures[1].match, LM_MATCH_NAME);
    expect_end(asset->textures[1].path, "pak0.pk3:models/test/part1.tga");
    expect_end(asset->clips_path, "pak0.pk3:models/players/man/animation.cfg");
    lmi_describe(assets, 0, false, &sheet);
    lm_buffer_append(&sheet, "", 1);
    assert_non_null(strstr((const char *)sheet.data, "from the model's path)\n"));
}

TEST(the_game_is_derived_from_the_path) {
    static const char *const paths[][3] = {
        /* the working directory, the model, the game */
        {"", "x/baseoa/models/players/man/lower.md3", "x/baseoa"},
        {"x/baseoa", "models/players/man/lower.md3", "."},
        {"x/baseoa", "./models/players/man/lower.md3", "."},
        {"x/baseoa/models", "players/man/lower.md3", "x/baseoa"},
        {"x/baseoa/models/players/man", "lower.md3", "x/baseoa"},
    };
    char before[1024];
    assert_non_null(getcwd(before, sizeof before));
    expect_all_textures(tree_at(MAN "lower.md3"), "x/baseoa");
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        assert_int_equal(chdir(tree_at(paths[i][0])), 0);
        expect_all_textures(paths[i][1], paths[i][2]);
        assert_int_equal(chdir(before), 0);
    }
}

TEST(innermost_game_folder_is_inferred) {
    static const char *const cases[][2] = {
        {"/x/baseoa/models/players/sarge/lower.md3", "/x/baseoa"},
        {"/x/baseoa/MODELS/Players/sarge/lower.md3", "/x/baseoa"},
        {"/x/baseoa/models//weapons/a.md3", "/x/baseoa"},
        {"/home/me/models/baseq2/players/male/tris.md2", "/home/me/models/baseq2"},
        {"/x/players/models/a.md2", "/x/players"},
        {"/models/a.md2", "/"},
        {"//models/a.md2", "/"},
        {"players/male/tris.md2", "."},
        {"../models/a.md2", ".."},
        {"a/../b/models/a.md2", "a/../b"},
        {"/x/models/../a.md2", NULL},
        {"/x/players/../../a.md2", NULL},
        {"/x/models", NULL},
        {"/x/mymodels/a.md2", NULL},
        {"/x/models2/a.md2", NULL},
        {"-", NULL},
    };
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    lm_arena *arena = lmi_arena_new(NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *here, *game = lmi_game_of(vfs, cases[i][0], &here, arena);
        assert_null(here);
        if (!game != !cases[i][1] || (game && strcmp(game, cases[i][1]) != 0))
            fail_msg("%s: %s", cases[i][0], game ? game : "none");
    }
    lmi_arena_delete(arena);
}

/* If a game is named, or if the model is in an archive, no game is inferred from the path. */
TEST(explicit_games_override_inference) {
    const char *other = tree_at("other");
    AT_END(blob_free) blob model = make_md3(&small_md3);
    const packed_file file = {.name = "models/a.md3", .data = model.data, .size = model.size};
    char member[300];
    lm_assets *assets =
        open_fresh(tree_at(MAN "lower.md3"), &(lm_assets_options){.num_games = 1, .games = &other});
    assert_null(assets->game);
    assert_null(assets->assets[0].textures[0].path);
    close_fresh(assets);
    tree_put_blob(BASE "models/pak.pk3", make_pk3(&file, 1));
    snprintf(member, sizeof member, "%s:models/a.md3", tree_at(BASE "models/pak.pk3"));
    assets = open_fresh(member, NULL);
    assert_null(assets->game);
    assert_null(assets->assets[0].textures[0].path);
    close_fresh(assets);
    tree_drop(BASE "models/pak.pk3");
}

/* A link may lead out of the game: files in the model's own folder still apply. */
TEST(links_out_of_a_game_use_their_own_files) {
    tree_folder("apart");
    tree_put_blob("apart/lower.md3", make_md3(&small_md3));
    tree_put_text("apart/lower_default.skin", "part0,own/name\n");
    tree_put_buffer("apart/name.png", make_png(2, 2));
    tree_link(tree_at("apart"), BASE "models/players/apart");
    const char *path = tree_at(BASE "models/players/apart/lower.md3");
    AT_END(drop_fresh) lm_assets *assets = open_fresh(path, NULL);
    expect_end(assets->game, "x/baseoa");
    assert_string_equal(assets->assets[0].textures[0].name, "own/name");
    expect_end(assets->assets[0].textures[0].path, "players/apart/name.png");
    expect_end(assets->assets[0].textures[1].path, "pak0.pk3:models/test/part1.tga");
}

/* ---- Order --------------------------------------------------------------------------------- */

static void expect_image(const char *path, const char *game, const char *end) {
    AT_END(drop_fresh)
    lm_assets *assets =
        open_fresh(path, &(lm_assets_options){.num_games = game != NULL, .games = &game});
    expect_end(assets->assets[0].textures[0].path, end);
}

/* In a game, names are resolved as in the engine; otherwise the model's folder comes first. */
TEST(the_game_precedes_the_own_folder) {
    char game[256];
    snprintf(game, sizeof game, "%s", tree_at("q2"));
    tree_folder("q2/players/test");
    tree_folder("q2/players/man");
    tree_folder("mine");
    tree_put_blob("q2/players/man/tris.md2", make_md2(&small_md2));
    tree_put_blob("mine/tris.md2", make_md2(&small_md2));
    tree_put_buffer("q2/players/test/skin0.png", make_png(2, 2));
    tree_put_buffer("q2/players/man/skin0.png", make_png(2, 2));
    tree_put_buffer("mine/skin0.png", make_png(2, 2));
    expect_image(tree_at("q2/players/man/tris.md2"), NULL, "q2/players/test/skin0.png");
    expect_image(tree_at("mine/tris.md2"), game, "mine/skin0.png");
    tree_drop("q2/players/test/skin0.png");
    expect_image(tree_at("q2/players/man/tris.md2"), NULL, "q2/players/man/skin0.png");
}

TEST(later_archives_override_textures) {
    char member[300], game[256];
    snprintf(game, sizeof game, "%s", tree_at("q3"));
    AT_END(blob_free) blob model = make_md3(&small_md3);
    AT_END(lm_buffer_free) lm_buffer tga = make_tga(4, 4, 2, 24);
    const packed_file files[] = {
        {.name = "models/test/part0.tga", .data = tga.data, .size = tga.size},
        {.name = "models/a.md3", .data = model.data, .size = model.size}};
    tree_folder("q3");
    tree_put_blob("q3/pak0.pk3", make_pk3(files, 2));
    tree_put_blob("q3/pak1.pk3", make_pk3(files, 1));
    snprintf(member, sizeof member, "%s:models/a.md3", tree_at("q3/pak0.pk3"));
    expect_image(member, NULL, "pak0.pk3:models/test/part0.tga");
    expect_image(member, game, "pak1.pk3:models/test/part0.tga");
}

/* ---- Names --------------------------------------------------------------------------------- */

static void wears(const char *skin, const char *folder, lm_texture_match match) {
    char path[128], text[128];
    snprintf(path, sizeof path, "%s/lower_default.skin", folder);
    snprintf(text, sizeof text, "part0,%s\n", skin);
    tree_put_text(path, text);
    snprintf(path, sizeof path, "%s/lower.md3", folder);
    AT_END(drop_fresh) lm_assets *assets = open_fresh(tree_at(path), NULL);
    const lm_asset_texture *texture = &assets->assets[0].textures[0];
    const lm_diagnostic *missing = diagnostic(assets, "not found (");
    bool named = missing && strstr(missing->text, skin);
    if (texture->match != match)
        fail_msg("%s in %s: %d, not %d", skin, folder, (int)texture->match, (int)match);
    assert_int_equal(named, match == LM_MATCH_NONE);
    if (match == LM_MATCH_NOT_DRAWN) {
        const lm_scene_part *part = &assets->scene->parts[0];
        assert_true(part->skins[0].materials[0].shader->hidden);
        assert_null(part->skins[0].materials[1].shader);
    }
}

/* The games draw nothing if a .skin file names a missing texture. Only a game's scripts, or the
 * name itself, can show that this is intended. */
TEST(skins_hide_parts) {
    static const struct {
        const char *skin;
        lm_texture_match in_game, alone;
    } cases[] = {
        {"null", LM_MATCH_NOT_DRAWN, LM_MATCH_NONE},
        {"nodraw", LM_MATCH_NOT_DRAWN, LM_MATCH_NOT_DRAWN},
        {"textures/common/NoDraw", LM_MATCH_NOT_DRAWN, LM_MATCH_NOT_DRAWN},
        {"textures\\common\\nodraw.tga", LM_MATCH_NOT_DRAWN, LM_MATCH_NOT_DRAWN},
        {"models/players/man/skin.tga", LM_MATCH_NONE, LM_MATCH_NONE},
        {"models/players/man/donodraw", LM_MATCH_NONE, LM_MATCH_NONE},
        {"skin.tga", LM_MATCH_NONE, LM_MATCH_NONE},
        {"textures/man", LM_MATCH_NAME, LM_MATCH_NONE},
        {"textures/deep/part0.tga", LM_MATCH_SCRIPT, LM_MATCH_NONE},
        {"textures\\deep\\part0", LM_MATCH_SCRIPT, LM_MATCH_NONE},
    };
    tree_folder("alone");
    tree_put_blob("alone/lower.md3", make_md3(&small_md3));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        wears(cases[i].skin, BASE "models/players/man", cases[i].in_game);
        wears(cases[i].skin, "alone", cases[i].alone);
    }
    tree_drop(MAN "lower_default.skin");
}

TEST_GROUP(make_game, tree_remove)
