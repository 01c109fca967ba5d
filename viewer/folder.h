/* Which models there are to look at, one after the other. */
#ifndef VIEWER_FOLDER_H
#define VIEWER_FOLDER_H

#include "lerpmesh/assets.h"

#include <glib.h>

/* What arguments stand for. */
typedef struct folder_listing {
    char **paths;   /* the models, NULL at the end */
    char *first;    /* the one to open: never another than was named, there or not */
    bool several;   /* a list was named: an archive, folders, many models */
    char *sentence; /* why there is no model at all; NULL: there is */
} folder_listing;

/* Archives, and folders in them or not, stand for all models in them, players first; a single model
 * for those in its folder, or its archive. A player's folder begins with his body. Looks at the
 * disk: not for the main thread. */
folder_listing folder_list(lm_disk *disk, const char *const *paths);
void folder_listing_clear(folder_listing *listing);

/* Of each path of a list, whether it is the body of a player whose other parts are in the list:
 * lower with upper and head, tris with weapon. g_free. */
bool *folder_players(char *const *list);

/* Which of them `path` is; -1: none. */
int folder_index(char *const *list, const char *path);

/* The one `step` places further, around the ends; NULL if there is no other. */
const char *folder_neighbour(char *const *list, const char *path, int step);

#endif
