/* Creating folders, and following links. */
#include "lerpmesh/files.h"

#include "core/report.h"
#include "files/os.h"
#include "files/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Creates a folder, unless it exists. A link is an error if `linked` is false. */
static bool make_folder(const char *path, bool linked) {
    if (lm_os_make_folder(path))
        return true;
    const int problem = errno;
    const bool rejected = !linked && lm_os_is_link(path);
    errno = rejected ? ELOOP : problem;
    return !rejected && problem == EEXIST && lm_os_kind_of(path) == LM_PATH_FOLDER;
}

/* Creates a folder and its parents. Fails with errno set. */
static bool make_folders(char *path) {
    for (char *end = path + (*path != '\0');; end++) {
        if (*end != '/' && *end != '\0')
            continue;
        const char byte = *end;
        *end = '\0';
        const bool made = make_folder(path, true);
        *end = byte;
        if (!made || byte == '\0')
            return made;
    }
}

bool lm_folder_make(const char *path, lm_error *error) {
    if (!path)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "the path of the folder is NULL");
    const size_t size = strlen(path) + 1;
    char *parts = malloc(size);
    errno = ENOMEM;
    const bool made = parts && make_folders(memcpy(parts, path, size));
    const int problem = errno;
    free(parts);
    if (made)
        return true;
    if (problem == ENOMEM)
        return lm_fail_memory(error);
    return lm_fail_plain(error, LM_CODE_IO, "cannot create folder %s: %s", path,
                         problem == EEXIST || problem == ENOTDIR ? "a file has this name"
                                                                 : strerror(problem));
}

bool lm_folders_make_below(const char *path, const char *below) {
    char *parts = malloc(strlen(path) + 1);
    bool made = parts != NULL;
    errno = ENOMEM;
    for (const char *slash; made && (slash = strchr(below, '/')); below = slash + 1) {
        memcpy(parts, path, (size_t)(slash - path));
        parts[slash - path] = '\0';
        made = make_folder(parts, false);
    }
    const int problem = errno;
    free(parts);
    errno = problem;
    return made;
}

bool lm_path_follow(const char *path, lm_buffer *out) {
    char *real = lm_os_is_link(path) ? lm_os_real_path(path) : NULL;
    const char *found = real ? real : path;
    lm_buffer_append(out, found, strlen(found) + 1);
    free(real);
    return !out->failed;
}
