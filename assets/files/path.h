/* Paths: what they lead to, and names from files as paths. Programs see this by common/internals.h.
 *
 * Paths are UTF-8 with '/' everywhere (on POSIX, any bytes). Windows takes '\' too, and gives
 * main() something else: see lm_arguments_take. */
#ifndef LM_FILES_PATH_H
#define LM_FILES_PATH_H

#include "files/os.h"
#include "lerpmesh/files.h"

/* ---- In the system ------------------------------------------------------------------------- */

/* Appends where a symbolic link leads, over others too, NUL-terminated; the path as it is if it is
 * no link, or one that leads nowhere. What is written there leaves the link as it is. False if
 * there is no memory. */
bool lm_path_follow(const char *path, lm_buffer *out);

/* Makes a folder, and those above it, where there is none. */
bool lm_folder_make(const char *path, lm_error *error);

/* ---- In a view ----------------------------------------------------------------------------- */

/* Rewrites a name from a file as a path in a view: backslashes become '/', empty and "." parts go.
 * False, with `out` empty, for a name that is unsafe (absolute, with a drive letter or a ".."
 * part), empty, or too long. */
bool lm_path_clean(const char *name, char out[LM_PATH_SIZE]);

/* Whether a path is what lm_path_clean makes of it. */
bool lm_path_is_clean(const char *path);

/* Whether a name begins at a root or with a drive letter. */
bool lm_path_is_absolute(const char *name);

/* Whether a path in an archive fits a pattern: ? is any one character, * any number of them, [a-z]
 * and [!a-z] one of a set, none of these a '/'; ** as a whole part of the path is any number of
 * folders. Letters in either case. A pattern without '/' is for the name alone, in whatever
 * folder. */
bool lm_path_match(const char *pattern, const char *path);
/* Whether a text has anything of a pattern in it. */
bool lm_path_is_pattern(const char *text);

#endif
