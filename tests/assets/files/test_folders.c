/* Measures the cost of opening many models: the number of folder reads. */
#include "files/file.h"
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Replaces the C library's function for everything linked into this program. */
static unsigned reads;

// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
DIR *opendir(const char *path) {
    int file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = file < 0 ? NULL : fdopendir(file);
    reads++;
    if (!stream && file >= 0)
        close(file);
    return stream;
}

#ifdef __GLIBC__
static bool without_memory;
char *canonicalize_file_name(const char *path); /* hidden by _POSIX_C_SOURCE */

/* Fails like the C library's function if there is no memory. */
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name,readability-non-const-parameter)
char *realpath(const char *path, char *resolved) {
    (void)resolved; /* NULL in this library */
    if (without_memory) {
        errno = ENOMEM;
        return NULL;
    }
    return canonicalize_file_name(path);
}
#endif

/* ---- Trees --------------------------------------------------------------------------------- */

/* Makes `count` models in one folder, or each in a folder of its own. */
static void make_models(unsigned count, bool apart, char *path, size_t size) {
    char name[64];
    snprintf(name, sizeof name, "%u-%s", count, apart ? "apart" : "together");
    tree_folder(name);
    snprintf(path, size, "%s", tree_at(name));
    for (unsigned i = 0; i < count; i++) {
        size_t end = strlen(strrchr(path, '/') + 1);
        snprintf(name + end, sizeof name - end, "/%u", i);
        if (apart)
            tree_folder(name);
        strcat(name, apart ? "/a.md3" : ".md3");
        tree_put_blob(name, make_md3(&small_md3));
    }
}

/* Counts the folder reads for opening all models below a folder, which is also the game's. */
static unsigned reads_of(unsigned count, bool apart) {
    char path[128];
    const char *games[] = {path};
    const lm_assets_options options = {.num_games = 1, .games = games};
    make_models(count, apart, path, sizeof path);
    lm_vfs *vfs = lm_vfs_new(NULL, NULL);
    assert_non_null(vfs);
    reads = 0;
    lm_path_list *list = lm_vfs_list(vfs, path, LM_LIST_MODELS, NULL);
    assert_int_equal(list->num_paths, count);
    for (uint32_t i = 0; i < count; i++) {
        OWNED(lm_assets) *assets = lm_assets_open(vfs, list->paths[i].path, &options, NULL);
        assert_non_null(assets);
        assert_non_null(assets->scene);
        assert_true(assets->assets[0].textures[0].num_tried > 1);
    }
    lm_path_list_free(list);
    lm_vfs_free(vfs);
    if (reads == 0)
        skip(); /* this system does not allow counting */
    return reads;
}

/* ---- Tests --------------------------------------------------------------------------------- */

TEST(a_folder_is_read_once_for_all_models_in_it) {
    unsigned n = reads_of(10, false);
    assert_in_range(n, 1, 5);
    assert_int_equal(reads_of(20, false), n);
    assert_int_equal(reads_of(40, false), n);
}

TEST(reads_grow_linearly_with_folders) {
    unsigned n = reads_of(10, true), twice = reads_of(20, true), four = reads_of(40, true);
    assert_in_range(n, 10, 34);
    assert_int_equal(four - twice, 2 * (twice - n));
}

/* A folder that cannot be opened for lack of memory is not reported as missing. */
TEST(missing_memory_is_no_missing_folder) {
#ifdef __GLIBC__
    lm_error error;
    without_memory = true;
    assert_null(lmi_folder_open(tree_at(""), NULL, &error));
    without_memory = false;
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
    lm_folder *folder = lmi_folder_open(tree_at(""), NULL, &error);
    assert_non_null(folder);
    lmi_folder_free(folder);
#else
    skip(); /* realpath cannot be replaced */
#endif
}

TEST_GROUP(tree_make, tree_remove)
