/* Tests the skins of models: files in the same folder and in the games' folders and archives. */
#include "image_maker.h"
#include "tree.h"

/* ---- A game -------------------------------------------------------------------------------- */

#define MAN "game/models/players/man/"
#define INSIDE "models/players/man/"

static const char skin_text[] = "part0,wears/%s\npart1,wears/%s\n";

static void put_skin(const char *name, const char *wears) {
    char text[128];
    snprintf(text, sizeof text, skin_text, wears, wears);
    tree_put_text(name, text);
}

/* Writes an archive with one skin file and one clips file for the player. */
static void put_archive(const char *path, const char *skin, const char *wears, const char *clips) {
    char text[128];
    snprintf(text, sizeof text, skin_text, wears, wears);
    AT_END(blob_free) blob model = make_md3(&small_md3);
    const packed_file files[] = {
        {.name = skin, .data = text, .size = strlen(text)},
        {.name = INSIDE "animation.cfg", .data = clips, .size = strlen(clips)},
        {.name = INSIDE "lower.md3", .data = model.data, .size = model.size}};
    tree_put_blob(path, make_pk3(files, COUNT_OF(files)));
}

static char game[256], loose[256];

static int make_game(void **state) {
    int failed = tree_make(state);
    snprintf(game, sizeof game, "%s", tree_at("game"));
    snprintf(loose, sizeof loose, "%s", tree_at(MAN "lower.md3"));
    tree_folder(MAN);
    tree_folder("apart");
    tree_put_blob(MAN "head.md3", make_md3(&small_md3));
    tree_put_blob(MAN "head_1.md3", make_md3(&small_md3));
    tree_put_blob(MAN "lower.md3", make_md3(&small_md3));
    tree_put_blob("apart/lower.md3", make_md3(&small_md3));
    tree_folder("game/odd");
    tree_put_blob("game/odd/lower.md3", make_md3(&small_md3));
    put_archive("game/odd.PAK", "odd/lower_default.skin", "odd", "0 1 1 10\n");
    put_archive("game/pak0.pk3", INSIDE "lower_default.skin", "pak0", "0 1 1 10\n1 1 1 10\n");
    put_archive("game/pak1.pk3", INSIDE "LOWER_Default.skin", "pak1", "0 3 1 10\n");
    return failed;
}

static lm_assets *open_with(const char *path, const char *place, const char *skin) {
    return open_fresh(path, &(lm_assets_options){.images = LM_IMAGES_FOUND,
                                                 .num_games = place != NULL,
                                                 .games = &place,
                                                 .num_skins = skin != NULL,
                                                 .skins = &skin});
}

/* Expects the first surface's texture name, and the .skin file that assigns it (NULL: none). */
static void wears(const char *path, const char *place, const char *skin, const char *name,
                  const char *file) {
    AT_END(drop_fresh) lm_assets *assets = open_with(path, place, skin);
    const lm_asset *asset = &assets->assets[0];
    assert_string_equal(asset->textures[0].name, name);
    if (file)
        assert_string_equal(asset->skin_path, file);
    else
        assert_null(asset->skin_path);
}

/* ---- In the model's folder ----------------------------------------------------------------- */

TEST(distant_models_use_the_same_skin) {
    put_skin(MAN "head_default.skin", "near");
    wears(tree_at(MAN "head_1.md3"), NULL, NULL, "wears/near", tree_at(MAN "head_default.skin"));
    put_skin(MAN "head_1_default.skin", "own");
    wears(tree_at(MAN "head_1.md3"), NULL, NULL, "wears/own", tree_at(MAN "head_1_default.skin"));
    put_skin(MAN "head_gold.skin", "gold");
    wears(tree_at(MAN "head_1.md3"), NULL, "gold", "wears/gold", tree_at(MAN "head_gold.skin"));
    tree_drop(MAN "head_1_default.skin");
    tree_drop(MAN "head_default.skin");
    tree_drop(MAN "head_gold.skin");
}

/* Quake III: Team Arena has heads for any player; their skins have the players' names. */
TEST(separate_heads_use_head_skins) {
    static const char *const files[] = {"heads/Ann/ann.md3", "heads/Ann/ann_1.md3"};
    tree_folder("heads/Ann");
    put_skin("heads/Ann/head_default.skin", "ann");
    put_skin("heads/Ann/head_blue.skin", "blue");
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        tree_put_blob(files[i], make_md3(&small_md3));
        wears(tree_at(files[i]), NULL, NULL, "wears/ann", tree_at("heads/Ann/head_default.skin"));
        wears(tree_at(files[i]), NULL, "blue", "wears/blue", tree_at("heads/Ann/head_blue.skin"));
    }
    static const char *const others[] = {"heads/Ann/eve.md3", "heads/ann.md3", "apart/apart.md3"};
    put_skin("heads/head_default.skin", "none");
    put_skin("apart/head_default.skin", "none");
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        tree_put_blob(others[i], make_md3(&small_md3));
        AT_END(drop_fresh) lm_assets *assets = open_with(tree_at(others[i]), NULL, NULL);
        assert_null(assets->assets[0].skin_path);
    }
}

TEST(skin_names_of_ports_are_found) {
    put_skin(MAN "head.md3_0.skin", "port");
    wears(tree_at(MAN "head.md3"), NULL, NULL, "wears/port", tree_at(MAN "head.md3_0.skin"));
    wears(tree_at(MAN "head_1.md3"), NULL, NULL, "wears/port", tree_at(MAN "head.md3_0.skin"));
    put_skin(MAN "head.md3_1.skin", "other");
    wears(tree_at(MAN "head.md3"), NULL, "1", "wears/other", tree_at(MAN "head.md3_1.skin"));
    tree_drop(MAN "head.md3_0.skin");
    tree_drop(MAN "head.md3_1.skin");
}

TEST(team_skins_are_the_last_choice) {
    const lm_assets_options options = {.images = LM_IMAGES_PIXELS};
    put_skin(MAN "head_blue.skin", "blue");
    wears(tree_at(MAN "head.md3"), NULL, NULL, "wears/blue", tree_at(MAN "head_blue.skin"));
    put_skin(MAN "head_red.skin", "red");
    wears(tree_at(MAN "head.md3"), NULL, NULL, "wears/red", tree_at(MAN "head_red.skin"));
    for (int has_default = 0; has_default < 2; has_default++) {
        lm_assets *assets = open_fresh(tree_at(MAN "head.md3"), &options);
        const lm_diagnostic *told = diagnostic(assets, "head_red.skin");
        assert_int_equal(told && told->severity == LM_SEVERITY_NOTE, !has_default);
        close_fresh(assets);
        put_skin(MAN "head_default.skin", "usual");
    }
    wears(tree_at(MAN "head.md3"), NULL, NULL, "wears/usual", tree_at(MAN "head_default.skin"));
    tree_drop(MAN "head_default.skin");
    tree_drop(MAN "head_blue.skin");
    tree_drop(MAN "head_red.skin");
}

/* ---- In the games -------------------------------------------------------------------------- */

static const char *member(const char *archive, const char *name) {
    static char paths[8][256];
    static unsigned next;
    char *path = paths[next++ % COUNT_OF(paths)];
    snprintf(path, sizeof paths[0], "%s:%s", tree_at(archive), name);
    return path;
}

/* Later archives take precedence over earlier ones, and loose files over both. */
TEST(skins_are_found_in_games) {
    const char *later = member("game/pak1.pk3", INSIDE "LOWER_Default.skin");
    wears(loose, NULL, NULL, "wears/pak1", later); /* its path is in a game */
    wears(loose, game, NULL, "wears/pak1", later);
    wears(member("game/pak0.pk3", INSIDE "lower.md3"), game, NULL, "wears/pak1", later);
    wears(member("game/pak0.pk3", INSIDE "lower.md3"), NULL, NULL, "wears/pak0",
          member("game/pak0.pk3", INSIDE "lower_default.skin"));
    put_skin(MAN "lower_default.skin", "loose");
    wears(loose, game, NULL, "wears/loose", tree_at(MAN "lower_default.skin"));
    wears(member("game/pak0.pk3", INSIDE "lower.md3"), game, NULL, "wears/loose",
          tree_at(MAN "lower_default.skin"));
    tree_drop(MAN "lower_default.skin");
    wears(tree_at("game/odd/lower.md3"), game, NULL, "wears/odd",
          member("game/odd.PAK", "odd/lower_default.skin"));
}

/* A model from elsewhere uses its own folder first; its path may still be in a game. */
TEST(models_outside_the_game_search_their_folder_first) {
    wears(tree_at("apart/lower.md3"), game, NULL, "models/test/part0.tga", NULL);
    tree_folder("apart/" INSIDE);
    tree_put_blob("apart/" INSIDE "lower.md3", make_md3(&small_md3));
    wears(tree_at("apart/" INSIDE "lower.md3"), game, NULL, "wears/pak1",
          member("game/pak1.pk3", INSIDE "LOWER_Default.skin"));
    put_skin("apart/" INSIDE "lower_default.skin", "own");
    wears(tree_at("apart/" INSIDE "lower.md3"), game, NULL, "wears/own",
          tree_at("apart/" INSIDE "lower_default.skin"));
}

TEST(clips_are_found_in_games) {
    const char *models[] = {loose, member("game/pak0.pk3", INSIDE "lower.md3")};
    for (size_t i = 0; i < COUNT_OF(models); i++) {
        AT_END(drop_fresh) lm_assets *assets = open_with(models[i], game, NULL);
        assert_non_null(assets->assets[0].clips_path);
        assert_string_equal(assets->assets[0].clips_path,
                            member("game/pak1.pk3", INSIDE "animation.cfg"));
    }
    tree_put_text(MAN "ANIMATION.CFG", "0 1 1 10\n");
    AT_END(drop_fresh) lm_assets *assets = open_with(models[0], game, NULL);
    assert_string_equal(assets->assets[0].clips_path, tree_at(MAN "ANIMATION.CFG"));
}

/* ---- Paths in options ---------------------------------------------------------------------- */

/* For example Quake II's palette, and other contents of an archive. */
TEST(options_accept_archive_members) {
    uint8_t colours[768] = {1, 2, 3};
    static const char clips[] = "0 2 2 10 // packed\n", skin[] = "part0,wears/packed\n";
    const packed_file files[] = {{.name = "pics/colormap.lmp", .data = colours, .size = 768},
                                 {.name = "a.cfg", .data = clips, .size = strlen(clips)},
                                 {.name = "a.skin", .data = skin, .size = strlen(skin)},
                                 {.name = "a.pcx", .data = "x", .size = 1}};
    tree_put_blob("options.pak", make_pak(files, COUNT_OF(files)));
    const char *skins[] = {member("options.pak", "a.skin")};
    lm_assets_options options = {.palette = member("options.pak", "PICS/colormap.lmp"),
                                 .clips = member("options.pak", "a.cfg"),
                                 .num_skins = 1,
                                 .skins = skins,
                                 .images = LM_IMAGES_FOUND};
    lm_error error = {0};
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    if (!lm_assets_read_options(vfs, &options, &error))
        fail_msg("%s", error.message);
    lm_assets *assets = lm_assets_open(vfs, loose, &options, NULL);
    assert_non_null(assets->scene);
    assert_string_equal(assets->scene->parts[0].clips[0].name, "packed");
    assert_string_equal(assets->assets[0].textures[0].name, "wears/packed");
    lm_assets_free(assets);
    skins[0] = member("options.pak", "a.pcx");
    assert_true(lm_assets_read_options(vfs, &options, &error));
    skins[0] = member("options.pak", "b.pcx");
    assert_false(lm_assets_read_options(vfs, &options, &error));
    assert_true(strncmp(error.message, "skin ", strlen("skin ")) == 0);
    assert_non_null(strstr(error.message, "no such file"));
    options.palette = member("options.pak", "a.cfg");
    assert_false(lm_assets_read_options(vfs, &options, &error));
    assert_true(strncmp(error.message, "palette ", strlen("palette ")) == 0);
}

static void expect_requested_skin(const char *skin, const char *piece) {
    AT_END(drop_fresh) lm_assets *assets = open_with(loose, NULL, skin);
    uint32_t count = 0;
    for (uint32_t i = 0; i < assets->num_diagnostics; i++) {
        const lm_diagnostic *diagnostic = &assets->diagnostics[i];
        if (diagnostic->code != LM_CODE_BAD_OPTION && diagnostic->code != LM_CODE_NO_SUCH_SURFACE)
            continue;
        assert_int_equal(diagnostic->severity, LM_SEVERITY_ERROR);
        assert_string_equal(diagnostic->location.section, LM_SUBJECT_TEXTURE);
        assert_non_null(strstr(diagnostic->text, piece));
        count++;
    }
    assert_int_equal(count, *piece != '\0');
}

TEST(unused_skins_are_reported) {
    char text[300];
    tree_put_text("picture.pcx", "x");
    tree_put_text("other.skin", "part7,some/where\n");
    tree_put_text("good.skin", "PART1,some/where\n");
    put_skin(MAN "lower_gold.skin", "gold");
    expect_requested_skin("silver", "no ..._silver.skin");
    expect_requested_skin("gold", "");
    expect_requested_skin(tree_at("picture.pcx"), "SURFACE=FILE");
    expect_requested_skin(tree_at("other.skin"), "lists none of the model's surfaces");
    expect_requested_skin(tree_at("good.skin"), "");
    snprintf(text, sizeof text, "part_1=%s", tree_at("picture.pcx"));
    expect_requested_skin(text, "did you mean \"part1\"?");
    snprintf(text, sizeof text, "PART1=%s", tree_at("picture.pcx"));
    expect_requested_skin(text, "not an image that lerpmesh reads");
    expect_requested_skin("none", "");
    tree_drop(MAN "lower_gold.skin");
}

/* Tests .skin files: supported and ignored lines, and the engine's comparison of names. */

OWNER(lm_skin_file, lm_skin_file_free)

/* Reads from a copy of exactly `size` bytes. */
static lm_skin_file *read_bytes(const char *text, size_t size, const lm_memory *memory,
                                lm_error *error) {
    AT_END(drop_bytes) char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    return lm_skin_file_read(copy, size, memory, error);
}

static lm_skin_file *read_text(const char *text) {
    lm_error error = {0};
    lm_skin_file *skin = read_bytes(text, strlen(text), NULL, &error);
    assert_done(skin, error);
    return skin;
}

static void expect_entry(const lm_skin_file *skin, uint32_t index, const char *surface,
                         const char *path, uint32_t line) {
    assert_true(index < skin->num_entries);
    assert_string_equal(skin->entries[index].surface, surface);
    assert_string_equal(skin->entries[index].path, path);
    assert_int_equal(skin->entries[index].line, line);
}

static const char sample[] = "tag_head,\r\n"
                             "H_Head,models/players/a/Head.tga\r\n"
                             "\r\n"
                             "  u_torso\t, \t models\\b.tga  \n"
                             "// a comment, with a comma\n"
                             "\"l_legs\",\"models/with space, and comma.tga\"\n"
                             "/* over,\n lines */ sleeve,models//c.tga // why\r"
                             "TAG_Weapon\n"
                             "belt,models/my skin.jpg,\n"
                             "nothing\n"
                             "empty,\n"
                             ",path\n"
                             "last,models/d";

TEST(test_valid_lines) {
    OWNED(lm_skin_file) *skin = read_text(sample);
    assert_int_equal(skin->num_entries, 6);
    expect_entry(skin, 0, "h_head", "models/players/a/Head.tga", 2);
    expect_entry(skin, 1, "u_torso", "models\\b.tga", 4);
    expect_entry(skin, 2, "l_legs", "models/with space, and comma.tga", 6);
    expect_entry(skin, 3, "sleeve", "models//c.tga", 8);
    expect_entry(skin, 4, "belt", "models/my skin.jpg", 10);
    expect_entry(skin, 5, "last", "models/d", 14);
    assert_int_equal(skin->num_tags, 2);
    assert_string_equal(skin->tags[0], "tag_head");
    assert_string_equal(skin->tags[1], "tag_weapon");
    assert_int_equal(skin->num_warnings, 1);
    assert_int_equal(skin->warnings[0].code, LM_CODE_SKIN_LINE);
    assert_int_equal(skin->warnings[0].count, 3);
    assert_non_null(strstr(skin->warnings[0].text, "line 11"));
}

TEST(test_lookup) {
    OWNED(lm_skin_file) *skin =
        read_text("H_Head,first\nh_head,second\nx_3,third\n_1,fourth\nl_1,fifth\n");
    assert_null(lm_skin_file_find(skin, NULL));
    assert_null(lm_skin_file_find(NULL, "l_legs"));
    assert_string_equal(lm_skin_file_find(skin, "h_head"), "first");
    assert_string_equal(lm_skin_file_find(skin, "H_HEAD_1"), "first");
    assert_string_equal(lm_skin_file_find(skin, "h_head_2"), "first");
    assert_string_equal(lm_skin_file_find(skin, "h_head_3"), "first");
    assert_null(lm_skin_file_find(skin, "h_hea"));
    assert_null(lm_skin_file_find(skin, "h_heads"));
    assert_null(lm_skin_file_find(skin, ""));
    assert_null(lm_skin_file_find(skin, "x_3"));
    assert_string_equal(lm_skin_file_find(skin, "_1"), "fourth");
    /* The engine removes the suffix from the model's name only. */
    assert_null(lm_skin_file_find(skin, "l_1"));
}

TEST(test_empty) {
    OWNED(lm_skin_file) *skin = lm_skin_file_read(NULL, 0, NULL, NULL);
    assert_non_null(skin);
    assert_int_equal(skin->num_entries + skin->num_tags + skin->num_warnings, 0);
}

TEST(test_prefixes_and_patches) {
    static const char values[] = "\0\n\r,\"/* \xff";
    char text[sizeof sample];
    size_t entries = 0;
    memcpy(text, sample, sizeof sample);
    for (size_t size = 0; size < sizeof sample; size++) {
        lm_skin_file *skin = read_bytes(sample, size, NULL, NULL);
        entries += skin->num_entries;
        lm_skin_file_free(skin);
        for (size_t v = 0; v < sizeof values; v++) {
            text[size] = values[v];
            skin = read_bytes(text, sizeof text, NULL, NULL);
            for (uint32_t i = 0; i < skin->num_entries; i++)
                assert_true(skin->entries[i].surface[0] && skin->entries[i].path[0]);
            lm_skin_file_free(skin);
        }
        text[size] = sample[size];
    }
    assert_true(entries > 100);
}

TEST(test_limits) {
    lm_error error = {0};
    counted memory = {.fail_at = 1};
    lm_memory limits = {.allocator = counting_allocator(&memory)};
    assert_null(lm_skin_file_read(sample, sizeof sample - 1, &limits, &error));
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
    limits.max_bytes = 100;
    assert_null(lm_skin_file_read(sample, sizeof sample - 1, &limits, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    /* Files of the shortest possible lines stay within the stated bound. */
    AT_END(lm_buffer_free) lm_buffer many = {0};
    for (int i = 0; i < 200000; i++)
        lm_buffer_text(&many, i % 2 ? "a,b\n" : "tag_,\n");
    memory = (counted){0};
    limits.max_bytes = 0;
    lm_skin_file *skin = lm_skin_file_read(many.data, many.size, &limits, &error);
    assert_non_null(skin);
    assert_int_equal(skin->num_entries, 100000);
    lm_skin_file_free(skin);
    assert_int_equal(memory.live_bytes, 0);
}

/* Spaces and commas are quoted; the writer rejects a surface that readers would not find. */
TEST(test_written) {
    const lm_skin_entry entries[] = {{.surface = "h_head", .path = "models/a b.tga"},
                                     {.surface = "u,torso", .path = "models/t.tga"}};
    const lm_skin_entry same[] = {{.surface = "head", .path = "a.tga"},
                                  {.surface = "HEAD", .path = "b.tga"}};
    const char *const tags[] = {"tag_weapon"};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error;
    assert_true(lm_skin_file_write(entries, 2, tags, 1, &out, &error));
    lm_buffer_append(&out, "", 1);
    assert_string_equal((const char *)out.data, "h_head,\"models/a b.tga\"\n"
                                                "\"u,torso\",models/t.tga\ntag_weapon,\n");
    const size_t size = out.size;
    assert_false(lm_skin_file_write(same, 2, NULL, 0, &out, &error));
    assert_int_equal(error.code, LM_CODE_NOT_HELD);
    assert_int_equal(out.size, size);
}

TEST_GROUP(make_game, tree_remove)
