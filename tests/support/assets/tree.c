#include "tree.h"
#include "files/path.h"

#include <unistd.h>

#define TMP "/tmp/"

static char root[] = TMP "lerpmesh-tree-XXXXXX";

int tree_make(void **state) {
    const int file = mkstemp(root);
    return file >= 0 && close(file) == 0 && unlink(root) == 0 && lmi_folder_make(root, NULL) ? 0
                                                                                             : -1;
}

int tree_remove(void **state) {
    char command[64];
#ifdef _WIN32
    snprintf(command, sizeof command, "rmdir /s /q \\tmp\\%s", root + strlen(TMP));
#else
    snprintf(command, sizeof command, "rm -rf %s", root);
#endif
    return system(command);
}

const char *tree_at(const char *name) {
    static char paths[8][256];
    static unsigned next;
    char *path = paths[next++ % COUNT_OF(paths)];
    assert_true(snprintf(path, sizeof paths[0], "%s/%s", root, name) < (int)sizeof paths[0]);
    return path;
}

void tree_folder(const char *name) {
    lm_error error;
    assert_done(lmi_folder_make(tree_at(name), &error), error);
}

void tree_put(const char *name, const void *data, size_t size) {
    FILE *file = fopen(tree_at(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void tree_put_text(const char *name, const char *text) {
    tree_put(name, text, strlen(text));
}

void tree_put_blob(const char *name, blob b) {
    tree_put(name, b.data, b.size);
    blob_free(&b);
}

void tree_put_buffer(const char *name, lm_buffer b) {
    tree_put(name, b.data, b.size);
    lm_buffer_free(&b);
}

void tree_drop(const char *name) {
    assert_int_equal(unlink(tree_at(name)), 0);
}

void tree_link(const char *target, const char *name) {
#ifdef _WIN32
    skip();
#else
    assert_int_equal(symlink(target, tree_at(name)), 0);
#endif
}

bool tell(void *caller, const char *name, bool is_folder) {
    told_names *t = caller;
    strcat(strcat(t->text, name), is_folder ? "/ " : " ");
    return --t->left > 0;
}

/* ---- Opened assets --------------------------------------------------------------------------- */

static lm_vfs *fresh;

lm_assets *open_without_errors(lm_vfs *vfs, const char *path, const lm_assets_options *options) {
    lm_error error = {0};
    lm_assets *assets = lm_assets_open(vfs, path, options, &error);
    assert_non_null(assets);
    if (!assets->scene)
        fail_msg("%s: %s", path, error.message);
    if (!lm_scene_check(assets->scene, &error))
        fail_msg("%s: %s", path, error.message);
    return assets;
}

lm_assets *open_fresh(const char *path, const lm_assets_options *options) {
    fresh = lm_vfs_new(NULL, NULL);
    return open_without_errors(fresh, path, options);
}

lm_vfs *fresh_vfs(void) {
    return fresh;
}

void close_fresh(lm_assets *assets) {
    lm_assets_free(assets);
    lm_vfs_free(fresh);
}

const lm_diagnostic *diagnostic(const lm_assets *assets, const char *piece) {
    for (uint32_t i = 0; i < assets->num_diagnostics; i++)
        if (strstr(assets->diagnostics[i].text, piece))
            return &assets->diagnostics[i];
    return NULL;
}

void assert_opening_needs_memory(const char *path, const lm_assets_options *options) {
    counted counts = {0};
    const lm_memory memory = {.allocator = counting_allocator(&counts)};
    lm_error error;
    lm_assets *whole = open_fresh(path, options);
    const uint32_t num_textures = whole->scene->num_textures;
    bool failed = true;
    close_fresh(whole);
    for (size_t at = 1; failed; at++) {
        counts.calls = 0;
        counts.fail_at = at;
        lm_vfs *vfs = lm_vfs_new(&memory, NULL);
        lm_assets *assets = vfs ? lm_assets_open(vfs, path, options, &error) : NULL;
        lm_skin_choices *skins = assets ? lm_assets_list_skins(assets, NULL) : NULL;
        failed = counts.calls >= at;
        assert_true(failed || (assets->scene && skins));
        if (assets && assets->scene) { /* stb may work without its memory */
            assert_int_equal(assets->scene->num_textures, num_textures);
        } else if (assets) {
            assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
            assert_int_equal(assets->diagnostics[assets->num_diagnostics - 1].code,
                             LM_CODE_OUT_OF_MEMORY);
        }
        lm_skin_choices_free(skins);
        lm_assets_free(assets);
        lm_vfs_free(vfs);
        assert_all_released(&counts);
        assert_true(failed || at > 20);
    }
}
