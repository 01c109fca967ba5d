/* Which models there are to look at, one after the other. */
#ifndef VIEWER_FOLDER_H
#define VIEWER_FOLDER_H

#include "lerpmesh/assets.h"

#include <glib.h>

/* The models that arguments stand for, NULL at the end; g_strfreev. Archives and folders stand for
 * all that are in them, a single model for those in its folder, or its archive. `start`: the one to
 * begin with; a player's body comes before his head. Where there is nothing but a problem,
 * `sentence` says which, to be freed; else it is NULL. Looks at the disk: not for the main thread.
 */
char **folder_list(lm_disk *disk, const char *const *paths, guint *start, char **sentence);

/* Which of them `path` is; -1: none. */
int folder_index(char *const *list, const char *path);

/* The one `step` places further, around the ends; NULL if there is no other. */
const char *folder_neighbour(char *const *list, const char *path, int step);

#endif
