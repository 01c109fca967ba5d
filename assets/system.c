#include "system.h"

#include "core/report.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

lm_path_kind lm_kind_of(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return LM_PATH_NOTHING;
    return S_ISREG(status.st_mode)   ? LM_PATH_FILE
           : S_ISDIR(status.st_mode) ? LM_PATH_FOLDER
                                     : LM_PATH_OTHER;
}

bool lm_is_real_folder(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool lm_list_names(const char *folder, lm_pool *pool, lm_names *names, lm_error *error) {
    *names = (lm_names){0};
    DIR *stream = opendir(folder);
    if (!stream)
        return lm_fail_plain(error, LM_CODE_IO, "%s", strerror(errno));
    for (const struct dirent *entry; !pool->failed && (entry = readdir(stream));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            !lm_pool_grow(pool, (void **)&names->names, &names->capacity, names->count,
                          sizeof *names->names))
            continue;
        names->names[names->count++] = lm_pool_text(pool, entry->d_name, strlen(entry->d_name));
    }
    closedir(stream);
    if (pool->failed)
        return lm_fail_memory(error);
    if (names->count > 0)
        qsort((void *)names->names, names->count, sizeof *names->names, compare_names);
    return true;
}

char *lm_join(lm_pool *pool, const char *folder, const char *name) {
    size_t length = strlen(folder);
    bool ends = length > 0 && folder[length - 1] == '/';
    return lm_pool_printf(pool, "%s%s%s", folder, ends ? "" : "/", name);
}

static int lower(char c) {
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

bool lm_begins_same(const char *a, const char *b, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (lower(a[i]) != lower(b[i]) || a[i] == '\0')
            return false;
    return true;
}

bool lm_same_text(const char *a, const char *b) {
    size_t length = strlen(a);
    return strlen(b) == length && lm_begins_same(a, b, length);
}

bool lm_fail_memory(lm_error *error) {
    return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "there is not enough memory");
}
