/* Access to files, and lists of the models to step through. */
#ifndef VIEWER_FOLDER_H
#define VIEWER_FOLDER_H

#include "lerpmesh/assets.h"

#include <glib.h>

/* The sample model, Tick, which is part of the program. It is mounted. */
#define SAMPLE_PATH "lerpmesh-samples/tick.md2" /* no absolute path, so no file's */

/* A reference-counted lm_vfs, which keeps archives open as long as there is a reference. To read
 * changed files, create a new one. References may be taken and dropped in any thread. */
typedef struct shared_vfs {
    lm_vfs *vfs;
} shared_vfs;

shared_vfs *shared_vfs_new(void);
shared_vfs *shared_vfs_ref(shared_vfs *s);
void shared_vfs_unref(shared_vfs *s); /* NULL is allowed */

/* ---- Lists ----------------------------------------------------------------------------------- */

typedef struct folder_model {
    char *path;
    /* The body of a player or the hand of a weapon, which opens with all its parts:
     * lm_listed_path.player. */
    bool player;
    char
        *problem; /* why it could not be read when it was last opened; NULL: it could, or was not */
} folder_model;

/* The models that the arguments name. */
typedef struct folder_listing {
    GArray *models; /* folder_model */
    char *first;    /* the model to open: always the named one, even if it does not exist */
    bool several;   /* the arguments name a list: an archive, folders, several models */
    char *message;  /* why there is no model; NULL: there is one */
} folder_listing;

/* Lists models. Archives and folders name all models in them, players first. A single model names
 * all models of its folder or archive. A player's folder begins with the player. Reads the file
 * system, so do not call it in the main thread. */
folder_listing folder_list(lm_vfs *vfs, const char *const *paths);
void folder_listing_clear(folder_listing *listing);

/* Returns whether the lists have the same models in the same order. Either may be NULL. */
bool folder_equal(const GArray *a, const GArray *b);
/* Returns the index of `path`; -1: not in the list. `list` may be NULL. */
int folder_index(const GArray *list, const char *path);
/* Returns a model of the list; NULL: not in it. */
folder_model *folder_find(GArray *list, const char *path);

/* Facts of a model that lists can show and sort by before it is opened. */
typedef struct model_facts {
    uint64_t size;      /* bytes of its file; of a player, of all its models */
    uint32_t frames;    /* of the first part */
    uint32_t triangles; /* of all parts */
    uint32_t problems;  /* errors and warnings of `lerpmesh check`, of all parts */
    char *damage;       /* why it cannot be opened; NULL: it can */
} model_facts;

/* Reads a model, without its images. `player`: with all parts of the player. May be called from any
 * thread. */
model_facts model_facts_read(lm_vfs *vfs, const char *path, bool player);
void model_facts_clear(model_facts *facts);

#endif
