/* Which models there are to look at, one after the other. */
#ifndef VIEWER_FOLDER_H
#define VIEWER_FOLDER_H

#include "lerpmesh/assets.h"

#include <glib.h>

typedef struct folder_model {
    char *path;
    bool player; /* the body of one, who opens as a whole: lm_listed_path.player */
} folder_model;

/* What arguments stand for. */
typedef struct folder_listing {
    GArray *models; /* folder_model */
    char *first;    /* the one to open: never another than was named, there or not */
    bool several;   /* a list was named: an archive, folders, many models */
    char *sentence; /* why there is no model at all; NULL: there is */
} folder_listing;

/* Archives, and folders in them or not, stand for all models in them, players first; a single model
 * for those in its folder, or its archive. A player's folder begins with him. Looks at the disk:
 * not for the main thread. */
folder_listing folder_list(lm_disk *disk, const char *const *paths);
void folder_listing_clear(folder_listing *listing);

/* Which of them `path` is; -1: none. `list` may be NULL. */
int folder_index(const GArray *list, const char *path);

/* The one `step` places further, around the ends; NULL if there is no other. */
const char *folder_neighbour(const GArray *list, const char *path, int step);

#endif
