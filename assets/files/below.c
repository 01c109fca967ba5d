/* A view of the files below a folder of another view. */
#include "core/report.h"
#include "files/file.h"

#include <stdio.h>
#include <string.h>

bool lm_path_join(const char *folder, const char *name, char path[LM_PATH_SIZE]) {
    const char *slash = *folder && *name ? "/" : "";
    return snprintf(path, LM_PATH_SIZE, "%s%s%s", folder, slash, name) < LM_PATH_SIZE;
}

lm_find lm_find_in(const lm_files *files, const char *folder, const char *name,
                   char actual[LM_PATH_SIZE]) {
    char path[LM_PATH_SIZE];
    return lm_path_join(folder, name, path) ? files->find(files->user, path, actual)
                                            : LM_FIND_NOTHING;
}

typedef struct below {
    lm_files view;
    const lm_files *files; /* the underlying view */
    const char *folder;
} below;

static bool fail_missing(const below *b, const char *path, lm_error *error) {
    return lm_fail_plain(error, LM_CODE_IO, "there is no %s in %s", path, b->view.name);
}

static lm_find below_find(void *user, const char *path, char actual[LM_PATH_SIZE]) {
    const below *b = user;
    char found[LM_PATH_SIZE];
    const size_t length = strlen(b->folder), skipped = length + (length > 0);
    lm_find met = lm_find_in(b->files, b->folder, path, found);
    if (met == LM_FIND_FILE && strlen(found) <= skipped)
        met = LM_FIND_NOTHING;
    snprintf(actual, LM_PATH_SIZE, "%s", met == LM_FIND_FILE ? found + skipped : "");
    return met;
}

static bool below_read(void *user, const char *path, size_t max_size, lm_buffer *out,
                       lm_error *error) {
    const below *b = user;
    char whole[LM_PATH_SIZE];
    return lm_path_join(b->folder, path, whole)
               ? b->files->read(b->files->user, whole, max_size, out, error)
               : fail_missing(b, path, error);
}

static bool below_list(void *user, const char *folder, lm_list_each each, void *caller,
                       lm_error *error) {
    const below *b = user;
    char whole[LM_PATH_SIZE];
    return lm_path_join(b->folder, folder, whole)
               ? b->files->list(b->files->user, whole, each, caller, error)
               : fail_missing(b, folder, error);
}

static bool below_peek(void *user, const char *path, size_t size, lm_buffer *out) {
    const below *b = user;
    char whole[LM_PATH_SIZE];
    return lm_path_join(b->folder, path, whole) && b->files->peek(b->files->user, whole, size, out);
}

const lm_files *lm_below_open(const lm_files *files, const char *folder, const char *name,
                              lm_arena *arena) {
    below *b = lm_arena_alloc(arena, 1, sizeof *b);
    const char *own_name = lm_copy_text(arena, name);
    const char *own_folder = lm_copy_text(arena, folder);
    if (!b || !own_name || !own_folder)
        return NULL;
    *b = (below){.view = {.user = b,
                          .name = own_name,
                          .find = below_find,
                          .read = below_read,
                          .list = files->list ? below_list : NULL,
                          .peek = files->peek ? below_peek : NULL},
                 .files = files,
                 .folder = own_folder};
    return &b->view;
}
