#include "system.h"

#include "core/report.h"
#include "core/text.h"
#include "files/os.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

lm_path_kind lm_kind_of(const char *path) {
    return lm_os_kind_of(path);
}

bool lm_is_real_folder(const char *path) {
    return lm_os_kind_of(path) == LM_PATH_FOLDER && !lm_os_is_link(path);
}

bool lm_can_open(const char *path, const char *missing, lm_error *error) {
    uint64_t size;
    int file = lm_os_open(path, false), problem = errno;
    bool is_file = file >= 0 && lm_os_about(file, &size) != LM_PATH_FOLDER;
    if (file >= 0)
        lm_os_close(file);
    if (is_file)
        return true;
    bool none = file >= 0 || problem == ENOENT || problem == ENOTDIR || problem == EISDIR;
    return lm_fail_plain(error, LM_CODE_IO, "%s", none ? missing : strerror(problem));
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

typedef struct being_listed {
    lm_pool *pool;
    lm_name_list *names;
} being_listed;

static bool add_name(void *user, const char *name) {
    const being_listed *l = user;
    if (lm_pool_grow(l->pool, (void **)&l->names->names, &l->names->capacity, l->names->count,
                     sizeof *l->names->names))
        l->names->names[l->names->count] = lm_pool_text(l->pool, name, strlen(name));
    l->names->count += !l->pool->failed;
    return !l->pool->failed;
}

bool lm_list_names(const char *folder, lm_pool *pool, lm_name_list *names, lm_error *error) {
    being_listed l = {pool, names};
    *names = (lm_name_list){0};
    const bool listed = lm_os_list(folder, add_name, &l);
    if (!listed && errno == ENOMEM)
        pool->failed = true;
    if (pool->failed)
        return lm_fail_memory(error);
    if (!listed)
        return lm_fail_plain(error, LM_CODE_IO, "cannot read this folder: %s", strerror(errno));
    if (names->count > 0)
        qsort((void *)names->names, names->count, sizeof *names->names, compare_names);
    return true;
}

char *lm_join(lm_pool *pool, const char *folder, const char *name) {
    size_t length = strlen(folder);
    bool ends = length > 0 && folder[length - 1] == '/';
    return lm_pool_printf(pool, "%s%s%s", folder, ends ? "" : "/", name);
}

bool lm_begins_same(const char *a, const char *b, size_t length) {
    return strlen(a) >= length && strlen(b) >= length && lm_same_letters(a, b, length);
}

bool lm_same_text(const char *a, const char *b) {
    return lm_compare_letters(a, b) == 0;
}
