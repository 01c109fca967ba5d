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

static bool match_from(const char *pattern, const char *path, bool begins_part);

/* Matches "**" or "**" "/": any number of whole folders, or none. */
// NOLINTNEXTLINE(misc-no-recursion)
static bool match_folders(const char *rest, const char *path) {
    if (*rest == '\0')
        return true;
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += at > path;
        if (match_from(rest + 1, at, true))
            return true;
    }
    return false;
}

// NOLINTNEXTLINE(misc-no-recursion)
static bool match_star(const char *rest, const char *path) {
    for (const char *at = path;; at++) {
        if (match_from(rest, at, false))
            return true;
        if (*at == '\0' || *at == '/')
            return false;
    }
}

/* The user's pattern bounds the recursion: one level per star. */
// NOLINTNEXTLINE(misc-no-recursion)
static bool match_from(const char *pattern, const char *path, bool begins_part) {
    while (*pattern) {
        if (begins_part && strncmp(pattern, "**", 2) == 0 && strchr("/", pattern[2]))
            return match_folders(pattern + 2, path);
        if (*pattern == '*')
            return match_star(pattern + 1, path);
        if (!match_one(&pattern, *path))
            return false;
        begins_part = *path++ == '/';
    }
    return *path == '\0';
}

bool lm_path_match(const char *pattern, const char *path) {
    const char *slash = strchr(pattern, '/') ? NULL : strrchr(path, '/');
    return match_from(pattern, slash ? slash + 1 : path, true);
}
