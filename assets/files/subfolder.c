/* A folder of a view, as a view of its own. */
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

typedef struct subfolder {
    lm_files view;
    const lm_files *files; /* the underlying view */
    const char *folder;
} subfolder;

static bool fail_missing(const subfolder *s, const char *path, lm_error *error) {
    return lm_fail_plain(error, LM_CODE_IO, "no file %s in %s", path, s->view.name);
}

static lm_find subfolder_find(void *user, const char *path, char actual[LM_PATH_SIZE]) {
    const subfolder *s = user;
    char found[LM_PATH_SIZE];
    const size_t length = strlen(s->folder), skipped = length + (length > 0);
    lm_find result = lm_find_in(s->files, s->folder, path, found);
    if (result == LM_FIND_FILE && strlen(found) <= skipped)
        result = LM_FIND_NOTHING;
    snprintf(actual, LM_PATH_SIZE, "%s", result == LM_FIND_FILE ? found + skipped : "");
    return result;
}

static bool subfolder_read(void *user, const char *path, size_t max_size, lm_buffer *out,
                           lm_error *error) {
    const subfolder *s = user;
    char full[LM_PATH_SIZE];
    return lm_path_join(s->folder, path, full)
               ? s->files->read(s->files->user, full, max_size, out, error)
               : fail_missing(s, path, error);
}

static bool subfolder_list(void *user, const char *folder, lm_list_each each, void *caller,
                           lm_error *error) {
    const subfolder *s = user;
    char full[LM_PATH_SIZE];
    return lm_path_join(s->folder, folder, full)
               ? s->files->list(s->files->user, full, each, caller, error)
               : fail_missing(s, folder, error);
}

static bool subfolder_peek(void *user, const char *path, size_t size, lm_buffer *out) {
    const subfolder *s = user;
    char full[LM_PATH_SIZE];
    return lm_path_join(s->folder, path, full) && s->files->peek(s->files->user, full, size, out);
}

const lm_files *lm_subfolder_open(const lm_files *files, const char *folder, const char *name,
                                  lm_arena *arena) {
    subfolder *s = lm_arena_alloc(arena, 1, sizeof *s);
    const char *own_name = lm_copy_text(arena, name);
    const char *own_folder = lm_copy_text(arena, folder);
    if (!s || !own_name || !own_folder)
        return NULL;
    *s = (subfolder){.view = {.user = s,
                              .name = own_name,
                              .find = subfolder_find,
                              .read = subfolder_read,
                              .list = files->list ? subfolder_list : NULL,
                              .peek = files->peek ? subfolder_peek : NULL},
                     .files = files,
                     .folder = own_folder};
    return &s->view;
}
