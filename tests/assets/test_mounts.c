/* Tests mounted views of files: models in them open as from a folder, and all memory comes from the
 * file system's allocator. */
#include "image_maker.h"
#include "tree.h"

#include "core/text.h"
#include "vfs_path.h"

/* ---- A view of memory ---------------------------------------------------------------------- */

#define MAX_FILES 16
static packed_file files[MAX_FILES];
static size_t num_files;
static blob model, man, packed;
static lm_buffer red;
static lm_archive *archive; /* of all files */
static unsigned reads;      /* of whole files */

static bool read_counted(void *user, const char *path, size_t max_size, lm_buffer *out,
                         lm_error *error) {
    const lm_files *view = archive->files;
    reads++;
    return view->read(user, path, max_size, out, error);
}

static lm_files memory_view;

static void put(const char *path, const void *data, size_t size) {
    files[num_files++] = (packed_file){.name = path, .data = data, .size = size};
    tree_put(path, data, size); /* the same in the file system */
}

static void put_text(const char *path, const char *text) {
    put(path, text, strlen(text));
}

#define PLAYER "models/players/x/"

static int make_files(void **state) {
    const pcx_kind pcx = {.version = 5, .bits = 8, .planes = 1, .width = 64, .height = 32};
    lm_buffer skin;
    const int failed = tree_make(state);
    model = make_md3(&small_md3);
    memcpy(model.data + get32(&model, MD3_AT_OFS_TAGS), "tag_torso", 10);
    man = make_md2(&small_md2);
    red = make_tga(4, 4, 2, 24);
    skin = make_pcx(&pcx);
    tree_folder("models/players/x");
    tree_folder("scripts");
    tree_folder("loose");
    put("loose/skin0.pcx", skin.data, skin.size);
    put("loose/z.md2", man.data, man.size);
    put_text("loose/z.md2.framegroups", "0 2 10 1 // wait\n");
    put(PLAYER "animation.cfg", "0 2 2 10 // LEGS_IDLE\n", 22);
    put(PLAYER "lower.md3", model.data, model.size);
    put_text(PLAYER "lower_default.skin", "part0," PLAYER "red.tga\npart1,some/shader\n");
    put(PLAYER "red.tga", red.data, red.size);
    put(PLAYER "upper.md3", model.data, model.size);
    put(PLAYER "y.md2", man.data, man.size);
    put(PLAYER "y.pcx", skin.data, skin.size);
    put_text("scripts/a.shader", "some/shader\n{\n { map " PLAYER "red.tga\n }\n}\n");
    packed = make_pk3(files, num_files);
    archive = lm_archive_open("memory", &(lm_reader){.user = packed.data, .size = packed.size},
                              NULL, NULL);
    memory_view = *archive->files;
    memory_view.read = read_counted;
    lm_buffer_free(&skin);
    return failed;
}

static int drop_files(void **state) {
    lm_archive_free(archive);
    blob_free(&packed);
    blob_free(&model);
    blob_free(&man);
    lm_buffer_free(&red);
    return tree_remove(state);
}

static lm_vfs *mounted(const lm_memory *memory, const char *path) {
    lm_error error;
    lm_vfs *vfs = lm_vfs_new(memory, NULL);
    if (vfs && !lm_vfs_mount(vfs, path, &memory_view, &error)) {
        assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
        lm_vfs_free(vfs);
        vfs = NULL;
    }
    return vfs;
}

/* ---- Tests --------------------------------------------------------------------------------- */

/* Compares a path below the mount with one below the tree, without their prefixes. */
static void assert_same_path(const char *a, const char *b) {
    assert_int_equal(!a, !b);
    if (a && strcmp(a + strlen("game"), b + strlen(tree_at("")) - 1) != 0)
        fail_msg("%s, %s", a, b);
}

static void assert_same(const lm_assets *a, const lm_assets *b) {
    assert_int_equal(a->num_diagnostics, b->num_diagnostics);
    for (uint32_t i = 0; i < a->num_diagnostics; i++)
        assert_int_equal(a->diagnostics[i].code, b->diagnostics[i].code);
    assert_int_equal(a->scene->num_parts, b->scene->num_parts);
    assert_int_equal(a->scene->num_textures, b->scene->num_textures);
    for (uint32_t p = 0; p < a->scene->num_parts; p++) {
        const lm_asset *x = &a->assets[p], *y = &b->assets[p];
        assert_same_path(x->path, y->path);
        assert_same_path(x->clips_path, y->clips_path);
        assert_same_path(x->skin_path, y->skin_path);
        assert_int_equal(a->scene->parts[p].num_clips, b->scene->parts[p].num_clips);
        assert_int_equal(a->scene->parts[p].num_skins, b->scene->parts[p].num_skins);
        assert_int_equal(x->num_textures, y->num_textures);
        for (uint32_t i = 0; i < x->num_textures; i++) {
            assert_same_path(x->textures[i].path, y->textures[i].path);
            assert_int_equal(x->textures[i].match, y->textures[i].match);
            assert_int_equal(x->textures[i].image, y->textures[i].image);
            assert_int_equal(x->textures[i].num_tried, y->textures[i].num_tried);
        }
    }
}

TEST(models_open_as_from_a_folder) {
    static const char *const paths[] = {PLAYER "lower.md3", "models/players/x", PLAYER "y.md2",
                                        "loose/z.md2"};
    char whole[128];
    OWNED(lm_vfs) *vfs = mounted(NULL, "game/");
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        snprintf(whole, sizeof whole, "game/%s", paths[i]);
        OWNED(lm_assets) *assets = open_without_errors(vfs, whole, NULL);
        AT_END(drop_fresh) lm_assets *real = open_fresh(tree_at(paths[i]), NULL);
        assert_int_equal(!assets->game, !real->game);
        assert_same(assets, real);
    }
    lm_assets *loose = open_without_errors(vfs, "game/loose/z.md2", NULL);
    assert_string_equal(loose->assets[0].clips_path, "game/loose/z.md2.framegroups");
    assert_string_equal(loose->assets[0].textures[0].path, "game/loose/skin0.pcx");
    lm_assets_free(loose);
    OWNED(lm_assets) *player = open_without_errors(vfs, "game/models/players/x", NULL);
    assert_string_equal(player->game, "game");
    assert_int_equal(player->scene->num_parts, 2);
    assert_string_equal(player->assets[0].textures[0].path, "game/" PLAYER "red.tga");
    assert_int_equal(player->assets[0].textures[1].match, LM_MATCH_SCRIPT);
    assert_string_equal(player->assets[0].textures[1].shader->path, "game/scripts/a.shader");
}

TEST(files_are_read_once) {
    OWNED(lm_vfs) *vfs = mounted(NULL, "game");
    unsigned first = 0;
    for (unsigned i = 0; i < 3; i++) {
        reads = 0;
        lm_assets *assets = open_without_errors(vfs, "game/" PLAYER "lower.md3", NULL);
        lm_assets_free(assets);
        first = i == 0 ? reads : first;
        /* The model, its clips, its .skin file and its image; the script only the first time. */
        assert_int_equal(reads, i == 0 ? 5 : 4);
    }
}

TEST(paths_resolve_into_views) {
    lm_error error;
    lm_buffer file = {0};
    char body[64];
    OWNED(lm_vfs) *vfs = mounted(NULL, "game");
    assert_true(lmi_vfs_is_folder(vfs, "game"));
    assert_true(lmi_vfs_is_folder(vfs, "game/models//players/"));
    assert_false(lmi_vfs_is_folder(vfs, "games"));
    assert_false(lmi_vfs_is_folder(vfs, "game/" PLAYER "red.tga"));
    assert_true(lmi_vfs_is_file(vfs, "game/" PLAYER "red.tga"));
    assert_false(lmi_vfs_is_file(vfs, "game/../game/" PLAYER "red.tga"));
    assert_true(lm_vfs_find_player(vfs, "game/models/players/x", body, sizeof body, &error));
    assert_string_equal(body, "game/" PLAYER "lower.md3");
    assert_true(lm_vfs_read(vfs, "game/" PLAYER "red.tga", 0, &file, &error));
    assert_int_equal(file.size, red.size);
    assert_memory_equal(file.data, red.data, red.size);
    lm_buffer_free(&file);
    assert_false(lm_vfs_read(vfs, "game/nothing", 0, &file, &error));
    assert_non_null(strstr(error.message, "no such file"));
    assert_false(lm_vfs_read(vfs, "game/" PLAYER "red.tga", 3, &file, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    lm_path_list *list = lm_vfs_list(vfs, "game", LM_LIST_MODELS, NULL);
    assert_int_equal(list->num_paths, 4);
    assert_string_equal(list->paths[0].path, "game/loose/z.md2");
    assert_string_equal(list->paths[1].path, "game/" PLAYER "lower.md3");
    assert_string_equal(list->paths[1].player, "game/models/players/x");
    lm_path_list_free(list);
    assert_true(lmi_vfs_is_file(vfs, "game/" PLAYER "red.tga"));
}

TEST(last_view_of_a_path_takes_precedence) {
    lm_error error;
    const packed_file file = {.name = "a.md3", .data = model.data, .size = model.size};
    AT_END(blob_free) blob pk3 = make_pk3(&file, 1);
    OWNED(lm_archive) *other =
        lm_archive_open("a.pk3", &(lm_reader){.user = pk3.data, .size = pk3.size}, NULL, &error);
    lm_files blind = memory_view;
    blind.list = NULL;
    blind.peek = NULL;
    OWNED(lm_vfs) *vfs = mounted(NULL, "game");
    assert_false(lm_vfs_mount(vfs, "", &memory_view, &error));
    assert_false(lm_vfs_mount(vfs, NULL, &memory_view, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_true(lm_vfs_mount(vfs, "game/pack", other->files, &error));
    lm_assets_free(open_without_errors(vfs, "game/pack/a.md3", NULL));
    assert_false(lmi_vfs_is_file(vfs, "game/pack/" PLAYER "lower.md3"));
    assert_true(lm_vfs_mount(vfs, "elsewhere", &blind, &error));
    assert_true(lmi_vfs_is_folder(vfs, "game/models")); /* the view before it is still found */
    assert_true(lm_vfs_mount(vfs, "game", &blind, &error));
    assert_false(lmi_vfs_is_folder(vfs, "game/models"));
    assert_true(lmi_vfs_is_file(vfs, "game/" PLAYER "lower.md3"));
}

/* Returns whether the view has a file of exactly this spelling. */
static bool is_exact(const char *path) {
    for (size_t i = 0; i < num_files; i++)
        if (strcmp(files[i].name, path) == 0)
            return true;
    return false;
}

static bool read_exact(void *user, const char *path, size_t max_size, lm_buffer *out,
                       lm_error *error) {
    return is_exact(path) ? archive->files->read(user, path, max_size, out, error)
                          : lm_fail_plain(error, LM_CODE_IO, "%s is spelled otherwise", path);
}

static bool peek_exact(void *user, const char *path, size_t size, lm_buffer *out) {
    return is_exact(path) && archive->files->peek(user, path, size, out);
}

/* A view is asked only for names that it returned, however the caller spells folders. */
TEST(files_are_read_as_they_are_spelled) {
    static const char *const paths[] = {"game/MODELS/Players/x/LOWER.MD3", "game/LOOSE/z.md2"};
    lm_files exact = memory_view;
    exact.read = read_exact;
    exact.peek = peek_exact;
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    assert_true(lm_vfs_mount(vfs, "game", &exact, NULL));
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        OWNED(lm_assets) *assets = open_without_errors(vfs, paths[i], NULL);
        assert_non_null(assets->assets[0].textures[0].path);
        assert_int_equal(assets->assets[0].textures[0].image, 0);
        assert_non_null(assets->assets[0].clips_path);
        for (uint32_t k = 0; k < assets->num_diagnostics; k++) /* an image that does not exist */
            assert_int_equal(assets->diagnostics[k].severity, LM_SEVERITY_NOTE);
    }
}

static bool collect_nothing(void *caller, const char *name, bool is_folder) {
    (void)caller, (void)name, (void)is_folder;
    return true;
}

/* ---- Views that give no reason ------------------------------------------------------------- */

static const char *silent; /* the end of the names of files that cannot be read */

static bool read_silent(void *user, const char *path, size_t max_size, lm_buffer *out,
                        lm_error *error) {
    if (!lmi_ends_in(path, silent))
        return archive->files->read(user, path, max_size, out, error);
    lm_buffer_append(out, "half", 4);
    return false;
}

static bool list_silent(void *user, const char *folder, lm_list_each each, void *caller,
                        lm_error *error) {
    (void)user, (void)folder, (void)each, (void)caller, (void)error;
    return false;
}

static bool append_only(void *user, const char *path, size_t max_size, lm_buffer *out,
                        lm_error *error) {
    (void)user, (void)path, (void)max_size, (void)error;
    lm_buffer_append(out, "whole", 5);
    return true;
}

#define ASSERT_REASON(error, expected)                                \
    do {                                                              \
        assert_int_equal((error).code, expected);                     \
        assert_true(memchr((error).message, 0, LM_MESSAGE_SIZE));     \
        assert_non_null(strstr((error).message, "cannot read"));      \
        memset(&(error), 0x5a, sizeof(error)); /* for the next one */ \
    } while (0)

/* The library gives the reason that a view lacks, and takes back what it appended. */
TEST(failures_without_a_reason) {
    lm_error error;
    lm_buffer file = {0};
    lm_files view = memory_view;
    view.read = read_silent;
    silent = ".tga";
    memset(&error, 0x5a, sizeof error);
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    assert_true(lm_vfs_mount(vfs, "game", &view, NULL));
    assert_false(lm_vfs_read(vfs, "game/" PLAYER "red.tga", 0, &file, &error));
    ASSERT_REASON(error, LM_CODE_IO);
    assert_null(file.data);
    assert_false(lm_vfs_read(vfs, "game/" PLAYER "red.tga", 0, &file, NULL));
    const lm_files *folder = lm_vfs_folder(vfs, "game/" PLAYER, &error);
    assert_false(folder->read(folder->user, "red.tga", 0, &file, &error));
    ASSERT_REASON(error, LM_CODE_IO);
    const char *path = PLAYER "red.tga";
    assert_false(lm_archive_write(&view, &path, 1, "pk3", &file, &error));
    ASSERT_REASON(error, LM_CODE_IO);
    view.list = list_silent;
    assert_false(folder->list(folder->user, "", collect_nothing, NULL, &error));
    ASSERT_REASON(error, LM_CODE_IO);
    lm_path_list *list = lm_vfs_list(vfs, "game/", LM_LIST_FILES, NULL);
    assert_int_equal(list->paths[0].problem->code, LM_CODE_IO);
    lm_path_list_free(list);
    view.read = append_only;
    file.max_size = 2;
    assert_false(lm_vfs_read(vfs, "game/" PLAYER "red.tga", 0, &file, &error));
    ASSERT_REASON(error, LM_CODE_LIMIT);
}

/* Each file of a model fails in turn. */
TEST(files_that_cannot_be_read) {
    static const char *const ends[] = {".cfg", ".skin", ".tga", ".shader"};
    lm_files view = memory_view;
    lm_error error;
    view.read = read_silent;
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        silent = ends[i];
        OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
        assert_true(lm_vfs_mount(vfs, "game", &view, NULL));
        OWNED(lm_assets) *assets = lm_assets_open(vfs, "game/" PLAYER "lower.md3", NULL, &error);
        bool reported = false;
        for (uint32_t k = 0; k < assets->num_diagnostics; k++)
            reported = reported || (assets->diagnostics[k].code == LM_CODE_IO &&
                                    strstr(assets->diagnostics[k].text, "cannot read"));
        assert_true(reported);
    }
    silent = ".md3";
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    assert_true(lm_vfs_mount(vfs, "game", &view, NULL));
    OWNED(lm_assets) *assets = lm_assets_open(vfs, "game/" PLAYER "lower.md3", NULL, &error);
    assert_null(assets->scene);
    ASSERT_REASON(error, LM_CODE_IO);
}

/* The texture is found without listing, so there is no error. */
TEST(a_view_without_lists_has_textures) {
    lm_error error;
    const char *game = "game";
    const lm_assets_options options = {.num_games = 1, .games = &game};
    lm_files blind = memory_view;
    blind.list = NULL;
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    assert_true(lm_vfs_mount(vfs, "game", &blind, &error));
    OWNED(lm_assets) *assets = open_without_errors(vfs, "game/" PLAYER "lower.md3", &options);
    for (uint32_t i = 0; i < assets->num_diagnostics; i++)
        assert_int_equal(assets->diagnostics[i].severity,
                         LM_SEVERITY_NOTE); /* the scripts are not listed */
    assert_string_equal(assets->assets[0].textures[0].path, "game/" PLAYER "red.tga");
    const lm_files *folder = lm_vfs_folder(vfs, "game/models", &error);
    char actual[LM_PATH_SIZE];
    assert_int_equal(folder->find(folder->user, "players/x/y.pcx", actual), LM_FIND_FILE);
    OWNED(lm_path_list) *list = lm_vfs_list(vfs, "game", LM_LIST_MODELS, &error);
    assert_non_null(strstr(list->paths[0].problem->message, "cannot list"));
    assert_null(lm_vfs_list(vfs, "game", (lm_list_kind)9, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    blind.reserved[3] = 1;
    assert_false(lm_vfs_mount(vfs, "game", &blind, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
}

/* If any allocation fails, the scene is complete or absent, and all memory is freed. */
TEST(all_memory_comes_from_the_allocator) {
    static const char *const paths[] = {"game/models/players/x", "game/" PLAYER "y.md2"};
    counted counts = {0};
    lm_error error;
    const lm_memory memory = {.allocator = counting_allocator(&counts)};
    for (size_t i = 0; i < COUNT_OF(paths); i++)
        for (bool failed = true; failed;) {
            counts.calls = 0;
            counts.fail_at++;
            lm_vfs *vfs = mounted(&memory, "game");
            lm_assets *assets = vfs ? lm_assets_open(vfs, paths[i], NULL, &error) : NULL;
            lm_skin_choices *skins = assets ? lm_assets_list_skins(assets, NULL) : NULL;
            failed = counts.calls >= counts.fail_at;
            assert_true(failed || skins);
            if (assets && !assets->scene)
                assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
            lm_skin_choices_free(skins);
            lm_assets_free(assets);
            lm_vfs_free(vfs);
            assert_all_released(&counts);
            counts.fail_at = failed ? counts.fail_at : 0;
        }
}

TEST_GROUP(make_files, drop_files)
