/* Paths: creates folders and follows links in the system; cleans and matches paths in a view. */
#include "lerpmesh/files.h"

#include "core/report.h"
#include "core/text.h"
#include "files/os.h"
#include "files/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- In the system --------------------------------------------------------------------------- */

/* Creates a folder, unless it exists. A link is an error if `linked` is false. */
static bool make_folder(const char *path, bool linked) {
    if (lmi_os_make_folder(path))
        return true;
    const int problem = errno;
    const bool rejected = !linked && lmi_os_is_link(path);
    errno = rejected ? ELOOP : problem;
    return !rejected && problem == EEXIST && lmi_os_kind_of(path) == LM_PATH_FOLDER;
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

bool lmi_folder_make(const char *path, lm_error *error) {
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
        return lmi_fail_memory(error);
    return lm_fail_plain(error, LM_CODE_IO, "cannot create folder %s: %s", path,
                         problem == EEXIST || problem == ENOTDIR ? "a file has this name"
                                                                 : strerror(problem));
}

bool lmi_path_follow(const char *path, lm_buffer *out) {
    char *real = lmi_os_is_link(path) ? lmi_os_real_path(path) : NULL;
    const char *found = real ? real : path;
    lm_buffer_append(out, found, strlen(found) + 1);
    free(real);
    return !out->failed;
}

/* ---- Folders to write in --------------------------------------------------------------------- */

/* For systems that cannot open files relative to an open folder: Windows and Node. Their paths are
 * checked for links when they are opened, and used as they are afterwards. */
#if defined _WIN32 || defined __wasm__

/* Creates the folders in `below`, the end of `path`, and fails with errno ELOOP if one is a link.
 * Another program can still replace one by a link later. */
static bool make_below(const char *path, const char *below) {
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

#define CHECKED_FOLDER 0 /* its path had no links */

int lmi_os_open_folder(const char *path, const char *below) {
    return !below ? LM_OS_ANY_FOLDER : make_below(path, below) ? CHECKED_FOLDER : -1;
}

void lmi_os_close_folder(int folder) {
    (void)folder;
}

lm_path_kind lmi_os_kind_in(int folder, const char *path) {
    return folder == CHECKED_FOLDER && lmi_os_is_link(path) ? LM_PATH_NOTHING
                                                            : lmi_os_kind_of(path);
}

int lmi_os_open_created(int folder, const char *path) {
    (void)folder;
    return lmi_os_open(path, false);
}

#endif

/* ---- In a view ------------------------------------------------------------------------------- */

static bool is_separator(char c) {
    return c == '/' || c == '\\';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool lmi_path_is_absolute(const char *name) {
    return is_separator(name[0]) || (is_letter(name[0]) && name[1] == ':');
}

bool lmi_path_clean(const char *name, char out[LM_PATH_SIZE]) {
    size_t used = 0;
    bool sound = !lmi_path_is_absolute(name);
    while (sound && *name) {
        size_t length = 0;
        while (name[length] && !is_separator(name[length]))
            length++;
        const bool empty = length == 0 || (length == 1 && name[0] == '.');
        const bool parent = length == 2 && name[0] == '.' && name[1] == '.';
        sound = parent ? used > 0 : empty || length + 2 <= LM_PATH_SIZE - used;
        if (sound && parent) {
            while (used > 0 && out[--used] != '/')
                ;
        } else if (sound && !empty) {
            if (used)
                out[used++] = '/';
            memcpy(out + used, name, length);
            used += length;
        }
        name += length;
        name += *name != '\0';
    }
    out[sound ? used : 0] = '\0';
    return sound && used > 0;
}

bool lmi_path_is_clean(const char *path) {
    char clean[LM_PATH_SIZE];
    return path && lmi_path_clean(path, clean) && strcmp(clean, path) == 0;
}

void lmi_path_base_name(const char *name, char out[LM_PATH_SIZE]) {
    const char *base = is_letter(name[0]) && name[1] == ':' ? name + 2 : name;
    for (const char *at = base; *at; at++)
        if (is_separator(*at))
            base = at + 1;
    lmi_path_clean(base, out);
}

/* ---- Patterns -------------------------------------------------------------------------------- */

bool lmi_path_is_pattern(const char *text) {
    return strpbrk(text, "*?[") != NULL;
}

/* Returns the end of the set that begins at '['. NULL if it has none; then '[' is an ordinary
 * character. */
static const char *set_end(const char *set) {
    const char *at = set + 1;
    at += *at == '!' || *at == '^';
    at += *at == ']';
    at += strcspn(at, "]");
    return *at ? at : NULL;
}

static bool is_in_set(const char *set, const char *end, char c) {
    const char *at = set + 1;
    bool inverted = *at == '!' || *at == '^', in = false;
    for (at += inverted; at < end; at++) {
        int first = lmi_lower((unsigned char)*at), last = first;
        if (at[1] == '-' && at + 2 < end) {
            last = lmi_lower((unsigned char)at[2]);
            at += 2;
        }
        in = in || (lmi_lower((unsigned char)c) >= first && lmi_lower((unsigned char)c) <= last);
    }
    return in != inverted;
}

/* Matches one character of the path against one item of the pattern, which is no star. Moves
 * `pattern` past the item. */
static bool match_one(const char **pattern, char c) {
    const char *at = *pattern, *end = *at == '[' ? set_end(at) : NULL;
    *pattern = end ? end + 1 : at + 1;
    if (c == '\0')
        return false;
    if (end)
        return c != '/' && is_in_set(at, end, c);
    return *at == '?' ? c != '/' : lmi_lower((unsigned char)*at) == lmi_lower((unsigned char)c);
}

/* A pattern after a star, and the first place in the path that it has not been tried at. NULL:
 * there was no star. */
typedef struct lm_star {
    const char *pattern, *path;
} lm_star;

/* Lets the last star take one more character, or if it cannot, "**" one more folder. What follows a
 * star may match anywhere after it, so the stars before the last one need not take more. */
static bool retry(lm_star *star, lm_star *folders, const char **pattern, const char **path) {
    if (star->pattern && *star->path && *star->path != '/') {
        *pattern = star->pattern;
        *path = ++star->path;
        return true;
    }
    star->pattern = NULL;
    const char *slash = folders->pattern ? strchr(folders->path, '/') : NULL;
    if (!slash)
        return false;
    *pattern = folders->pattern;
    *path = folders->path = slash + 1;
    return true;
}

static bool match(const char *pattern, const char *path) {
    const char *const start = path;
    lm_star star = {NULL, NULL}, folders = {NULL, NULL};
    while (*pattern || *path) {
        const bool begins_part = path == start || path[-1] == '/';
        if (begins_part && !(star.pattern && star.path == path) && strncmp(pattern, "**", 2) == 0 &&
            strchr("/", pattern[2])) {
            if (pattern[2] == '\0')
                return true;
            pattern += 3;
            folders = (lm_star){pattern, path};
            star.pattern = NULL;
        } else if (*pattern == '*') {
            star = (lm_star){++pattern, path};
        } else if (*pattern && match_one(&pattern, *path)) {
            if (*path++ == '/')
                star.pattern = NULL;
        } else if (!retry(&star, &folders, &pattern, &path)) {
            return false;
        }
    }
    return true;
}

bool lmi_path_match(const char *pattern, const char *path) {
    const char *slash = strchr(pattern, '/') ? NULL : strrchr(path, '/');
    return match(pattern, slash ? slash + 1 : path);
}
