/* Patterns for paths in archives. */
#include "core/text.h"
#include "files/path.h"
#include "lerpmesh/assets.h"

#include <string.h>

bool lm_path_is_pattern(const char *text) {
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
        int first = lm_lower((unsigned char)*at), last = first;
        if (at[1] == '-' && at + 2 < end) {
            last = lm_lower((unsigned char)at[2]);
            at += 2;
        }
        in = in || (lm_lower((unsigned char)c) >= first && lm_lower((unsigned char)c) <= last);
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
    return *at == '?' ? c != '/' : lm_lower((unsigned char)*at) == lm_lower((unsigned char)c);
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

bool lm_path_match(const char *pattern, const char *path) {
    const char *slash = strchr(pattern, '/') ? NULL : strrchr(path, '/');
    return match(pattern, slash ? slash + 1 : path);
}
