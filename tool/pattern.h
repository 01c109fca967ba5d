/* Patterns for the paths of an archive's members. */
#ifndef TOOL_PATTERN_H
#define TOOL_PATTERN_H

#include <stdbool.h>

/* Whether a text has anything of a pattern in it. */
bool tool_is_pattern(const char *text);

/* ? is any one character, * any number of them, [a-z] and [!a-z] one of a set, none of these a '/';
 * ** as a whole part of the path is any number of folders. Letters in either case. A pattern
 * without '/' is for the name alone, in whatever folder. */
bool tool_pattern_match(const char *pattern, const char *path);

#endif
