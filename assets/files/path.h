/* Paths of the system, and paths in a view. Programs get this through common/internals.h.
 *
 * Paths are UTF-8 with '/' everywhere (on POSIX, any bytes). Windows accepts '\' too, and passes
 * other text to main(): see lmi_utf8_arguments. */
#ifndef LM_FILES_PATH_H
#define LM_FILES_PATH_H

#include "files/os.h"
#include "lerpmesh/files.h"

/* ---- In the system ------------------------------------------------------------------------- */

/* Appends the target of a symbolic link, with all links resolved, NUL-terminated. If the path is no
 * link or a dangling one, appends the path itself. Writing to the result preserves the link. Fails
 * if there is no memory. */
bool lmi_path_follow(const char *path, lm_buffer *out);

/* Returns whether there already is a regular file, and no link, with this content. If it cannot be
 * read, the error has the reason. */
bool lmi_file_is_there(const char *path, const void *data, size_t size, lm_error *error);

/* Creates a folder and its parents, as far as they do not exist. */
bool lmi_folder_make(const char *path, lm_error *error);

/* ---- In a view ----------------------------------------------------------------------------- */

/* Converts a name from a file to a path in a view: backslashes become '/', empty and "." parts are
 * removed, and ".." parts with the part before them. Returns false, with `out` empty, if the name
 * is unsafe (absolute, with a drive letter, or it leads out of the root), empty or too long. */
bool lmi_path_clean(const char *name, char out[LM_PATH_SIZE]);

/* Copies the part after the last separator or drive letter; "" if it is not a safe name. */
void lmi_path_base_name(const char *name, char out[LM_PATH_SIZE]);

/* Returns whether lmi_path_clean leaves a path unchanged. NULL is no path. */
bool lmi_path_is_clean(const char *path);

/* Returns whether a name begins at a root or with a drive letter. */
bool lmi_path_is_absolute(const char *name);

/* Returns whether a path in an archive matches a pattern, case-insensitive. ? matches any one
 * character, * any number of them, [a-z] and [!a-z] one of a set; none of these matches '/'. As a
 * whole part of the path, ** matches any number of folders. A pattern without '/' is compared with
 * the name alone, in any folder. */
bool lmi_path_match(const char *pattern, const char *path);
/* Returns whether a text has a special character of patterns in it. */
bool lmi_path_is_pattern(const char *text);

#endif
