/* Tests lm_assets_open: models from folders and archives, players, attached parts, skins, and error
 * messages. */
#include "core/text.h"
#include "image_maker.h"
#include "run_threads.h"
#include "skipping.h"
#include "tree.h"
#include "value_checks.h"
#include "vfs_path.h"

#include <unistd.h>

static lm_vfs *vfs;
static char root[256]; /* of the tree */

/* ---- A tree -------------------------------------------------------------------------------- */

/* Makes an MD3 whose first tag has another name. */
static blob md3_with_tag(const char *tag) {
    blob b = make_md3(&small_md3);
    size_t tags = get32(&b, MD3_AT_OFS_TAGS);
    for (int32_t f = 0; f < small_md3.num_frames; f++)
        memcpy(b.data + tags + 112 * (size_t)(f * small_md3.num_tags), tag, strlen(tag) + 1);
    return b;
}

static const pcx_kind small_pcx = {.version = 5, .bits = 8, .planes = 1, .width = 4, .height = 2};

static void put_archive(void) {
    AT_END(blob_free) blob model = make_md3(&small_md3), md2 = make_md2(&small_md2);
    AT_END(lm_buffer_free) lm_buffer tga = make_tga(4, 4, 2, 24);
    const packed_file files[] = {
        {.name = "models/b.md3", .data = model.data, .size = model.size, .deflate = true},
        {.name = "models/sub/c.md3", .data = model.data, .size = model.size},
        {.name = "models/man/tris.md2", .data = md2.data, .size = md2.size},
        {.name = "models/man/weapon.md2", .data = md2.data, .size = md2.size},
        {.name = "models/test/part0.tga", .data = tga.data, .size = tga.size, .deflate = true},
        {.name = "models/readme.txt", .data = "x", .size = 1},
    };
    tree_put_blob("game.pk3", make_pk3(files, COUNT_OF(files)));
}

static int make_tree(void **state) {
    static const char *const folders[] = {"things/deep", "player", "empty", "sarge"};
    int failed = tree_make(state);
    snprintf(root, sizeof root, "%s", tree_at(""));
    for (size_t i = 0; i < COUNT_OF(folders); i++)
        tree_folder(folders[i]);
    tree_put_blob("things/a.md2", make_md2(&small_md2));
    tree_put_text("things/a.md2.framegroups", "0 2 10 1 // wait\n2 1 5 0 // go\n");
    tree_put_buffer("things/skin0.pcx", make_pcx(&small_pcx));
    tree_put_buffer("things/skin1.png", make_png(2, 2));
    tree_put_text("things/a_gold.skin", "skin,things/skin1.png\n");
    tree_put_blob("things/deep/b.md3", make_md3(&small_md3));
    tree_put_text("things/deep/b_gold.skin", "part0,things/deep/blue.png\n");
    tree_put_buffer("things/deep/blue.png", make_png(2, 2));
    tree_put_text("things/deep/broken.md3", "IDP3 and no more");
    tree_put_text("things/deep/notes.txt", "nothing");
    tree_put_blob("player/LOWER.md3", md3_with_tag("tag_torso"));
    tree_put_blob("player/lower_1.md3", md3_with_tag("tag_torso"));
    tree_put_blob("player/upper.md3", md3_with_tag("tag_head"));
    tree_put_blob("player/head.md3", make_md3(&small_md3));
    tree_put_blob("player/hat.mdc", make_mdc(&small_mdc));
    tree_put_text("player/animation.cfg", "0 2 2 10 // BOTH_DEATH1\n2 1 1 10 // TORSO_STAND\n"
                                          "3 1 1 10 // LEGS_IDLE\n");
    tree_put_blob("sarge/lower.md3", md3_with_tag("tag_torso"));
    put_archive();
    vfs = lm_vfs_new(NULL, NULL);
    return failed || !vfs;
}

static int remove_tree(void **state) {
    lm_vfs_free(vfs);
    return tree_remove(state);
}

static void renew_vfs(void) {
    lm_vfs_free(vfs);
    vfs = lm_vfs_new(NULL, NULL);
}

/* ---- Opening ------------------------------------------------------------------------------- */

static lm_assets *opened(const char *path, const lm_assets_options *options) {
    return open_without_errors(vfs, path, options);
}

/* Checks the last finding, the reason of the failure, by `code` and a part of its sentence. */
static void refused(const char *path, const lm_assets_options *options, lm_code code,
                    const char *piece) {
    lm_error error = {0};
    OWNED(lm_assets) *assets = lm_assets_open(vfs, path, options, &error);
    assert_non_null(assets);
    assert_null(assets->scene);
    assert_true(assets->num_diagnostics > 0);
    const lm_diagnostic *last = &assets->diagnostics[assets->num_diagnostics - 1];
    assert_int_equal(last->severity, LM_SEVERITY_ERROR);
    assert_int_equal(last->code, code);
    assert_int_equal(error.code, code);
    /* The error may include the file name, which the finding has separately; both end alike. */
    const size_t length = strlen(last->text), end = length > 12 ? length - 12 : 0;
    if (!strstr(last->text, piece) || !strstr(error.message, last->text + end))
        fail_msg("%s: %s, %s", path, last->text, error.message);
}

TEST(a_model_has_its_clips_and_skins) {
    OWNED(lm_assets) *assets = opened(tree_at("things/a.md2"), NULL);
    const lm_scene_part *part = &assets->scene->parts[0];
    const lm_asset *asset = &assets->assets[0];
    assert_int_equal(assets->num_diagnostics, 0);
    assert_string_equal(part->name, "a");
    assert_int_equal(part->num_clips, 2);
    assert_string_equal(part->clips[1].name, "go");
    assert_string_equal(asset->clips_path, tree_at("things/a.md2.framegroups"));
    assert_int_equal(part->num_skins, 2);
    assert_int_equal(assets->scene->num_textures, 2);
    const lm_scene_texture *pcx = &assets->scene->textures[0], *png = &assets->scene->textures[1];
    assert_string_equal(pcx->name, "skin0.pcx");
    assert_null(pcx->mime);
    assert_int_equal(pcx->width, 4);
    assert_non_null(pcx->pixels);
    assert_string_equal(png->mime, "image/png");
    assert_non_null(png->data);
    assert_non_null(png->pixels);
    assert_int_equal(asset->num_textures, 2);
    assert_string_equal(asset->textures[0].name, "players/test/skin0.pcx");
    assert_int_equal(asset->textures[0].source, LM_TEXTURE_OF_MODEL);
    assert_string_equal(asset->textures[0].path, tree_at("things/skin0.pcx"));
    assert_int_equal(asset->textures[0].image, 0);
}

TEST(images_become_portable) {
    lm_error error = {0};
    lm_buffer out = {0};
    const lm_gltf_options glb = {0};
    OWNED(lm_assets) *assets = opened(tree_at("things/a.md2"), NULL);
    assert_false(lm_gltf_write(assets->scene, &glb, &out, NULL, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_true(lm_assets_make_portable(assets, "x", &error));
    assert_string_equal(assets->scene->textures[0].mime, "image/png");
    assert_string_equal(assets->scene->textures[0].uri, "x_skin0.png");
    assert_true(lm_gltf_write(assets->scene, &glb, &out, NULL, NULL, &error));
    lm_buffer_free(&out);
    lm_assets_options options = {.images = LM_IMAGES_PORTABLE};
    OWNED(lm_assets) *direct = opened(tree_at("things/a.md2"), &options);
    const lm_scene_texture *a = &assets->scene->textures[0], *b = &direct->scene->textures[0];
    assert_null(b->pixels);
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

TEST(missing_textures_are_reported) {
    OWNED(lm_assets) *assets = opened(tree_at("things/deep/b.md3"), NULL);
    const lm_diagnostic *missing = diagnostic(assets, "textures \"models/test/part0.tga\"");
    char path[512];
    assert_non_null(missing);
    assert_int_equal(missing->severity, LM_SEVERITY_NOTE);
    assert_string_equal(missing->location.section, LM_SUBJECT_TEXTURE);
    assert_string_equal(missing->subject, tree_at("things/deep/b.md3"));
    assert_int_equal(assets->scene->parts[0].num_skins, 0);
    assert_null(assets->assets[0].textures[0].path);
    assert_true(assets->assets[0].textures[0].num_tried > 4);
    assert_true(lmi_assets_tried(assets, 0, 0, 0, path, sizeof path));
    assert_string_equal(path, tree_at("things/deep/models/test/part0.tga"));
    uint32_t tried = assets->assets[0].textures[0].num_tried;
    assert_false(lmi_assets_tried(assets, 0, 0, tried, path, sizeof path));
    assert_false(lmi_assets_tried(assets, 1, 0, 0, path, sizeof path));
    lm_assets_free(assets);
    const lm_assets_options none = {.images = LM_IMAGES_NONE};
    assets = opened(tree_at("things/deep/b.md3"), &none);
    assert_int_equal(assets->num_diagnostics, 0);
}

TEST(textures_are_found_in_games) {
    char where[300];
    const char *folder[] = {root};
    lm_assets_options options = {.num_games = 1, .games = folder};
    snprintf(where, sizeof where, "%s:models/test/part0.tga", tree_at("game.pk3"));
    OWNED(lm_assets) *assets = opened(tree_at("things/deep/b.md3"), &options);
    assert_string_equal(assets->assets[0].textures[0].path, where);
    assert_int_equal(assets->scene->num_textures, 1);
    lm_assets_free(assets);
    options.images = LM_IMAGES_FOUND;
    assets = opened(tree_at("things/deep/b.md3"), &options);
    assert_string_equal(assets->assets[0].textures[0].path, where);
    assert_int_equal(assets->scene->num_textures, 0);
}

TEST(skins_are_chosen) {
    const char *skins[] = {"gold"};
    lm_assets_options options = {.num_skins = 1, .skins = skins};
    OWNED(lm_assets) *assets = opened(tree_at("things/deep/b.md3"), &options);
    assert_int_equal(assets->assets[0].textures[0].source, LM_TEXTURE_OF_SKIN_FILE);
    assert_int_equal(assets->scene->num_textures, 1);
    lm_assets_free(assets);
    char of_surface[300];
    snprintf(of_surface, sizeof of_surface, "PART1=%s", tree_at("things/skin1.png"));
    skins[0] = of_surface;
    assets = opened(tree_at("things/deep/b.md3"), &options);
    assert_int_equal(assets->scene->parts[0].skins[0].materials[0].texture, LM_NO_TEXTURE);
    assert_int_equal(assets->scene->parts[0].skins[0].materials[1].texture, 0);
    lm_assets_free(assets);
    skins[0] = tree_at("things/skin1.png");
    assets = opened(tree_at("things/a.md2"), &options);
    assert_int_equal(assets->scene->parts[0].num_skins, 1);
    assert_int_equal(assets->assets[0].textures[0].source, LM_TEXTURE_OF_OPTION);
    lm_assets_free(assets);
    skins[0] = tree_at("things/deep/b_gold.skin");
    assets = opened(tree_at("things/deep/b.md3"), &options);
    assert_int_equal(assets->assets[0].textures[0].source, LM_TEXTURE_OF_OPTION);
    lm_assets_free(assets);
    skins[0] = "green";
    assets = opened(tree_at("things/deep/b.md3"), &options);
    assert_non_null(diagnostic(assets, "no ..._green.skin or image green"));
}

/* ---- Players ------------------------------------------------------------------------------- */

static void assert_player(const lm_assets *assets) {
    const lm_scene *scene = assets->scene;
    assert_int_equal(scene->num_parts, 3);
    assert_string_equal(scene->parts[0].name, "LOWER");
    assert_int_equal(scene->parts[1].parent, 0);
    assert_int_equal(scene->parts[2].parent, 1);
    assert_string_equal(scene->parts[0].idle->name, "LEGS_IDLE");
    assert_string_equal(scene->parts[1].idle->name, "TORSO_STAND");
    assert_int_equal(scene->parts[0].num_clips, 2);
    assert_null(lm_scene_find_clip(scene, 0, "TORSO_STAND"));
    assert_null(lm_scene_find_clip(scene, 1, "LEGS_IDLE"));
}

TEST(players_open_with_all_parts) {
    char body[300];
    lm_assets *assets = opened(tree_at("player"), NULL);
    assert_player(assets);
    lm_assets_free(assets);
    const lm_assets_options related = {.related = true};
    assets = opened(tree_at("player/LOWER.md3"), &related);
    assert_player(assets);
    lm_assets_free(assets);
    assets = opened(tree_at("sarge"), NULL);
    assert_non_null(diagnostic(assets, "the player has no upper.md3"));
    assert_non_null(diagnostic(assets, "the player has no head.md3"));
    lm_assets_free(assets);
    /* Legs or torso alone have clips of their own too. */
    assets = opened(tree_at("player/upper.md3"), NULL);
    assert_int_equal(assets->scene->parts[0].num_clips, 2);
    assert_string_equal(assets->scene->parts[0].clips[1].name, "TORSO_STAND");
    lm_assets_free(assets);
    assets = opened(tree_at("player/lower_1.md3"), NULL);
    assert_int_equal(assets->scene->parts[0].num_clips, 2);
    assert_string_equal(assets->scene->parts[0].clips[1].name, "LEGS_IDLE");
    lm_assets_free(assets);
    assert_true(lm_vfs_find_player(vfs, tree_at("player"), body, sizeof body, NULL));
    assert_string_equal(body, tree_at("player/LOWER.md3"));
    assert_false(lm_vfs_find_player(vfs, tree_at("things"), NULL, 0, NULL));
    refused(tree_at("things"), NULL, LM_CODE_BAD_ARGUMENT, "this folder contains no player");
}

/* Without a clips file, frame names make the clips, and each part has only its own. */
static void put_player_part(const char *path, const char *const names[4]) {
    blob b = make_md3(&small_md3);
    for (size_t i = 0; i < 4; i++)
        snprintf((char *)b.data + get32(&b, MD3_AT_OFS_FRAMES) + 56 * i + 40, 16, "%s", names[i]);
    tree_put_blob(path, b);
}

static void assert_part_clips(const char *path, const char *first, const char *second) {
    OWNED(lm_assets) *assets = opened(tree_at(path), NULL);
    const lm_scene_part *part = &assets->scene->parts[0];
    assert_int_equal(part->num_clips, second ? 2 : 1);
    assert_string_equal(part->clips[0].name, first);
    assert_string_equal(part->clips[part->num_clips - 1].name, second ? second : first);
}

TEST(player_parts_have_only_their_own_clips) {
    const char *const both[] = {"BOTH_DEATH1", "TORSO_STAND1", "legs_run1", "legs_run2"};
    const char *const legs[] = {"LEGS_RUN1", "LEGS_RUN2", "LEGS_RUN3", "LEGS_RUN4"};
    tree_folder("halves");
    put_player_part("halves/upper.md3", both);
    put_player_part("halves/lower_1.md3", both);
    put_player_part("halves/upper_2.md3", legs);
    assert_part_clips("halves/upper.md3", "BOTH_DEATH", "TORSO_STAND");
    assert_part_clips("halves/lower_1.md3", "BOTH_DEATH", "legs_run");
    assert_part_clips("halves/upper_2.md3", "LEGS_RUN", NULL);
}

TEST(players_are_opened_from_archives) {
    char folder[300];
    snprintf(folder, sizeof folder, "%s:models/man", tree_at("game.pk3"));
    OWNED(lm_assets) *assets = opened(folder, NULL);
    assert_int_equal(assets->scene->num_parts, 2);
    assert_true(assets->scene->parts[1].follows);
    lm_assets_free(assets);
    const lm_assets_options related = {.related = true};
    snprintf(folder, sizeof folder, "%s:models/man/tris.md2", tree_at("game.pk3"));
    assets = opened(folder, &related);
    assert_int_equal(assets->scene->num_parts, 2);
}

TEST(models_are_attached_to_tags) {
    lm_attachment hung[] = {{.tag = "TAG_head", .path = "head.md3"},
                            {.path = tree_at("things/a.md2")}};
    lm_assets_options options = {.num_attachments = 2, .attachments = hung};
    lm_assets *assets = opened(tree_at("player/upper.md3"), &options);
    assert_int_equal(assets->scene->num_parts, 3);
    assert_int_equal(assets->scene->parts[1].parent, 0);
    assert_string_equal(assets->assets[1].path, tree_at("player/head.md3"));
    assert_true(assets->scene->parts[2].follows);
    lm_assets_free(assets);
    const lm_assets_options related = {.related = true};
    assets = opened(tree_at("player/upper.md3"), &related);
    assert_int_equal(assets->scene->num_parts, 2);
    lm_assets_free(assets);
    hung[0].tag = "tag_haed";
    refused(tree_at("player/upper.md3"), &options, LM_CODE_NO_SUCH_TAG,
            "no tag \"tag_haed\"; did you mean \"tag_head\"?");
    hung[0] = (lm_attachment){.tag = "tag_head", .path = "hat.md3"};
    assets = opened(tree_at("player/upper.md3"), &options);
    assert_string_equal(assets->assets[1].path, tree_at("player/hat.mdc"));
    lm_assets_free(assets);
    hung[0] = (lm_attachment){.tag = "tag_head", .path = "nothing.md3"};
    refused(tree_at("player/upper.md3"), &options, LM_CODE_IO, "cannot open:");
    hung[0] = (lm_attachment){.tag = "tag_head", .path = "head.md3", .clip = "no clip like this"};
    refused(tree_at("player/upper.md3"), &options, LM_CODE_BAD_ARGUMENT, "has no clip");
}

/* A damaged related model does not prevent opening. */
TEST(damaged_related_models_are_ignored) {
    const lm_assets_options related = {.related = true};
    tree_put_blob("empty/body.md3", md3_with_tag("tag_weapon"));
    tree_put_text("empty/weapon.md3", "IDP3 and no more");
    lm_assets *assets = opened(tree_at("empty/body.md3"), &related);
    assert_int_equal(assets->scene->num_parts, 1);
    lm_assets_free(assets);
    tree_drop("empty/weapon.md3");
    tree_drop("empty/body.md3");
}

/* ---- Errors -------------------------------------------------------------------------------- */

TEST(failures_are_diagnostics) {
    refused(tree_at("things/nothing.md2"), NULL, LM_CODE_IO, "cannot open: ");
    refused(tree_at("things/deep/broken.md3"), NULL, LM_CODE_TRUNCATED, "md3: ");
    refused(tree_at("things/deep/notes.txt"), NULL, LM_CODE_UNKNOWN_FORMAT, "");
    lm_error error = {0};
    OWNED(lm_assets) *assets = lm_assets_open(vfs, tree_at("things/deep/broken.md3"), NULL, &error);
    assert_error_valid(&error);
    assert_string_equal(assets->diagnostics[0].subject, tree_at("things/deep/broken.md3"));
    lm_assets_free(assets);
    const lm_assets_options small = {.max_input = 10};
    refused(tree_at("things/a.md2"), &small, LM_CODE_INPUT_LIMIT, "cannot read: it exceeds");
    tree_put_text("things/a.framegroups", "x");
    tree_put_text("things/a.md2.framegroups", "no clips at all");
    assets = opened(tree_at("things/a.md2"), NULL);
    const lm_diagnostic *clips = diagnostic(assets, "cannot use these clips: no line has");
    assert_non_null(clips);
    assert_string_equal(clips->subject, tree_at("things/a.md2.framegroups"));
    assert_string_equal(clips->location.section, LM_SUBJECT_CLIPS);
    assert_int_equal(clips->severity, LM_SEVERITY_WARNING);
    lm_assets_free(assets);
    const lm_assets_options named = {.clips = tree_at("things/a.md2.framegroups")};
    refused(tree_at("things/a.md2"), &named, LM_CODE_UNKNOWN_FORMAT, "");
    const lm_assets_options none = {.clips = "none"};
    assets = opened(tree_at("things/a.md2"), &none);
    assert_null(assets->assets[0].clips);
    assert_int_equal(assets->num_diagnostics, 0);
}

TEST(options_are_read_once) {
    const char *skins[] = {"=x"}, *games[] = {tree_at("nowhere")};
    lm_error error = {0};
    lm_assets_options options = {.num_skins = 1, .skins = skins};
    assert_false(lm_assets_read_options(vfs, &options, &error));
    assert_true(strncmp(error.message, "skin ", strlen("skin ")) == 0);
    assert_error_valid(&error);
    options = (lm_assets_options){.num_games = 1, .games = games};
    assert_false(lm_assets_read_options(vfs, &options, &error));
    assert_true(strncmp(error.message, "game ", strlen("game ")) == 0);
    options = (lm_assets_options){.palette = tree_at("things/a.md2")};
    assert_false(lm_assets_read_options(vfs, &options, &error));
    assert_true(strncmp(error.message, "palette ", strlen("palette ")) == 0);
    tree_put_text("once.cfg", "0 2 2 10 // once\n");
    options = (lm_assets_options){.clips = tree_at("once.cfg")};
    assert_true(lm_assets_read_options(vfs, &options, &error));
    tree_drop("once.cfg");
    lm_assets *assets = opened(tree_at("things/a.md2"), &options);
    assert_string_equal(assets->scene->parts[0].clips[0].name, "once");
    lm_assets_free(assets);
    renew_vfs();
    assert_false(lm_assets_read_options(vfs, &options, &error));
    assert_true(strncmp(error.message, "clips ", strlen("clips ")) == 0);
}

TEST(lack_of_memory_is_reported) {
    const char *skins[] = {"gold"}, *games[] = {root};
    const lm_attachment hung[] = {{.tag = "tag_0", .path = "b.md3"}};
    assert_opening_needs_memory(tree_at("things/deep/b.md3"),
                                &(lm_assets_options){.num_attachments = 1,
                                                     .attachments = hung,
                                                     .num_skins = 1,
                                                     .skins = skins,
                                                     .num_games = 1,
                                                     .games = games});
}

/* ---- Paths --------------------------------------------------------------------------------- */

TEST(paths_have_parts) {
    char member[300];
    size_t length;
    const char *archive = tree_at("game.pk3");
    snprintf(member, sizeof member, "%s:models/b.md3", archive);
    assert_int_equal(lmi_vfs_archive_length(vfs, member), strlen(archive));
    assert_true(lmi_vfs_is_file(vfs, member));
    assert_string_equal(lmi_vfs_base_name(vfs, member), "b.md3");
    assert_string_equal(lmi_vfs_extension(vfs, member), ".md3");
    assert_memory_equal(lmi_vfs_stem(vfs, member, &length), "b", 1);
    assert_int_equal(length, 1);
    assert_string_equal(lmi_vfs_stem(vfs, "a/b.c/", &length), "b.c/");
    assert_int_equal(length, 3);
    assert_string_equal(lmi_vfs_extension(vfs, ".hidden"), "");
    /* A file of one letter may be an archive too. */
    char folder[LM_PATH_SIZE];
    assert_non_null(getcwd(folder, sizeof folder));
    tree_put_text("g", "PACK        ");
    assert_int_equal(chdir(tree_at("")), 0);
    assert_string_equal(lmi_vfs_base_name(vfs, "g:a"), "a");
    assert_int_equal(chdir(folder), 0);
    /* An existing file of that name takes precedence. */
    tree_put_text("game.pk3:x", "x");
    snprintf(member, sizeof member, "%s:x", archive);
    assert_int_equal(lmi_vfs_archive_length(vfs, member), 0);
}

TEST(misspelled_words_are_guessed) {
    lm_guess guess = {.word = "stnd"};
    lmi_guess_try(&guess, "run");
    assert_null(guess.best);
    lmi_guess_try(&guess, "strand");
    lmi_guess_try(&guess, "stand");
    assert_string_equal(guess.best, "stand");
    guess = (lm_guess){.word = "v_gu"}; /* the beginning of both */
    lmi_guess_try(&guess, "v_gun_hand");
    lmi_guess_try(&guess, "v_gun");
    assert_string_equal(guess.best, "v_gun");
}

/* ---- Threads ------------------------------------------------------------------------------- */

static uint64_t sum_of_opening(const void *shared, unsigned which) {
    const char *games[] = {root};
    const lm_assets_options options = {.num_games = 1, .games = games};
    char member[300];
    snprintf(member, sizeof member, "%s/game.pk3:models/b.md3", root);
    OWNED(lm_assets) *assets = lm_assets_open(vfs, member, &options, NULL);
    return assets && assets->scene ? assets->scene->num_textures : which;
}

TEST(threads_share_a_vfs) {
    renew_vfs();
    assert_threads_agree(sum_of_opening, NULL, 1, 20);
}

/* Tests files that the caller has in memory (lm_assets_options.files). */

static lm_assets *open_with(lm_vfs *view, const char *path, const lm_given_file *files,
                            uint32_t num_files) {
    const lm_assets_options options = {.related = true, .num_files = num_files, .files = files};
    lm_assets *assets = lm_assets_open(view, path, &options, NULL);
    assert_non_null(assets);
    assert_non_null(assets->scene);
    return assets;
}

static const char *sample(const char *name, char path[1024]) {
    const char *source = getenv("LERPMESH_SOURCE_DIR");
    assert_non_null(source);
    snprintf(path, 1024, "%s/samples/%s", source, name);
    return path;
}

/* The bytes replace those of any part and of the clips file. */
TEST(test_player) {
    char lower[1024], upper[1024], clips[1024];
    static const char text[] = "0 2 2 7 // TORSO_ONLY\n";
    sample("models/players/tick/lower.md3", lower);
    AT_END(blob_free) blob torso = blob_read(sample("models/players/tick/upper.md3", upper));
    const lm_given_file files[] = {
        {.path = upper, .data = torso.data, .size = torso.size},
        {.path = sample("models/players/tick/animation.cfg", clips),
         .data = text,
         .size = sizeof text - 1},
        {.path = "elsewhere/upper.md3", .data = text, .size = sizeof text - 1}};
    OWNED(lm_vfs) *view = lm_vfs_new(NULL, NULL);
    OWNED(lm_assets) *assets = open_with(view, lower, files, COUNT_OF(files));
    assert_ptr_equal(assets->assets[1].data, torso.data);
    assert_true(assets->assets[0].data != torso.data);
    assert_string_equal(assets->assets[1].clips_path, clips);
    assert_int_equal(assets->scene->parts[1].num_clips, 1);
    assert_string_equal(assets->scene->parts[1].clips[0].name, "TORSO_ONLY");
}

/* A clips file of the model's name applies although it is not on the disk. */
TEST(test_new_clips) {
    char path[1024], clips[1100];
    static const char text[] = "3 4 7 1 // only\n", damaged[] = "?";
    sample("tick.md2", path);
    snprintf(clips, sizeof clips, "%s.framegroups", path);
    lm_given_file file = {.path = clips, .data = text, .size = sizeof text - 1};
    OWNED(lm_vfs) *view = lm_vfs_new(NULL, NULL);
    OWNED(lm_assets) *assets = open_with(view, path, &file, 1);
    assert_int_equal(assets->scene->parts[0].num_clips, 1);
    assert_string_equal(assets->scene->parts[0].clips[0].name, "only");
    assert_string_equal(assets->assets[0].clips_path, clips);
    lm_assets_free(assets);
    file.data = damaged;
    file.size = 1;
    assets = open_with(view, path, &file, 1);
    assert_null(assets->assets[0].clips);
    assert_true(assets->scene->parts[0].num_clips > 1);
    assert_true(assets->num_diagnostics > 0);
}

/* Tests changes in the clips files of OpenArena. */

#define GAME "/usr/share/games/openarena/baseoa"

TEST(test_archives) {
    static const char *const archives[] = {GAME "/pak0.pk3", GAME "/pak2-players.pk3",
                                           GAME "/pak2-players-mature.pk3",
                                           GAME "/pak6-patch088.pk3"};
    size_t files = 0, changed = 0;
    for (size_t i = 0; i < COUNT_OF(archives); i++) {
        OWNED(lm_archive) *archive = lm_archive_open(archives[i], NULL, NULL, NULL);
        for (size_t k = 0; archive && k < archive->num_members; k++) {
            const char *path = archive->members[k]->path;
            const size_t length = strlen(path), name = strlen("animation.cfg");
            AT_END(lm_buffer_free) lm_buffer text = {0};
            if (length < name || strcmp(path + length - name, "animation.cfg") != 0)
                continue;
            assert_true(lm_archive_read(archive, path, 0, &text, NULL));
            files++;
            changed += check_clip_changes(path, text.data, text.size, 400, (uint32_t)k);
        }
    }
    if (files == 0)
        SKIP("OpenArena is not installed");
    assert_true(changed > 10 * files);
}

/* Tests threads that read one archive, load, sample and export its contents at the same time. */

#define NUM_MODELS 4
static const char *const names[NUM_MODELS] = {"a.md2", "b.md3", "c.mdc", "d.mdl"};

static uint64_t add_samples(uint64_t sum, const lm_model *model, uint32_t surface) {
    const size_t count = 6 * (size_t)model->surfaces[surface].num_vertices;
    AT_END(drop_bytes) float *values = calloc(count + 1, sizeof *values);
    const lm_sample_target target = {.positions = values, .normals = values + 3, .stride = 24};
    for (uint32_t half = 0; values && half < 2 * model->num_frames; half++) {
        lm_pose pose;
        lm_model_pose_at(model, half / 2.0, &pose);
        if (lm_sample(model, surface, &pose, 1, &target) == LM_CODE_OK)
            sum = sum_bytes(sum, values, count * sizeof *values);
    }
    return sum;
}

static uint64_t add_exports(uint64_t sum, const lm_model *model) {
    lm_buffer outs[4] = {{0}};
    const lm_gltf_options small = {.quantize = true};
    const bool ok = lm_gltf_write(LM_SCENE_OF(model), NULL, &outs[0], NULL, NULL, NULL) &&
                    lm_gltf_write(LM_SCENE_OF(model), &small, &outs[1], NULL, NULL, NULL) &&
                    lm_obj_write(LM_SCENE_OF(model), NULL, NULL, &outs[2], NULL, NULL) &&
                    lm_uv_write(model, NULL, &outs[3], NULL, NULL);
    for (size_t i = 0; i < COUNT_OF(outs); i++) {
        sum = sum_bytes(sum, outs[i].data, outs[i].size);
        lm_buffer_free(&outs[i]);
    }
    return ok ? sum : 0;
}

static uint64_t sum_of_model(const void *archive, unsigned which) {
    uint64_t sum = SUM_START;
    AT_END(lm_buffer_free) lm_buffer file = {0};
    OWNED(lm_model) *model = lm_archive_read(archive, names[which], 0, &file, NULL)
                                 ? lm_load_memory(file.data, file.size, NULL, NULL)
                                 : NULL;
    for (uint32_t s = 0; model && s < model->num_surfaces; s++)
        sum = add_samples(sum, model, s);
    return model ? add_exports(sum, model) : 0;
}

TEST(test_one_archive) {
    blob models[NUM_MODELS] = {make_md2(&small_md2), make_md3(&small_md3), make_mdc(&small_mdc),
                               make_mdl()};
    packed_file files[NUM_MODELS];
    for (unsigned i = 0; i < NUM_MODELS; i++)
        files[i] = (packed_file){
            .name = names[i], .data = models[i].data, .size = (uint32_t)models[i].size};
    blob pk3 = make_pk3(files, NUM_MODELS);
    lm_archive *archive =
        lm_archive_open("test.pk3", &(lm_reader){.user = pk3.data, .size = pk3.size}, NULL, NULL);
    assert_non_null(archive);
    assert_threads_agree(sum_of_model, archive, NUM_MODELS, 10);
    lm_archive_free(archive);
    blob_free(&pk3);
    for (unsigned i = 0; i < NUM_MODELS; i++)
        blob_free(&models[i]);
}

TEST_GROUP(make_tree, remove_tree)
