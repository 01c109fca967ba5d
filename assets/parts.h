/* The second stage of opening: the models that make the scene, with their clips. */
#ifndef LM_ASSETS_PARTS_H
#define LM_ASSETS_PARTS_H

#include "settings.h"

/* All models of a scene. */
typedef struct lm_parts {
    lm_context *context;
    const lm_settings *settings;
    lm_scene scene;       /* the parts, which are plain yet */
    lm_scene_part *parts; /* [LM_MAX_PARTS], the scene's, and so the next two */
    lm_asset *files;
    lm_places *places;
} lm_parts;

/* The stage: opens what the context's path names, with what the settings attach to it and, if that
 * is wanted, with what belongs to it. Close it in any case. */
bool lm_parts_open(lm_context *c, const lm_settings *settings, bool companions, lm_parts *all);
void lm_parts_close(lm_parts *all);

/* The folder of the player that a file belongs to; `path` itself if it belongs to none. NULL: no
 * memory. */
const char *lm_whole_player(lm_disk *disk, const char *path, lm_arena *arena);

/* Chooses the clips of a part: of the file that was named, or of one next to the model. */
bool lm_part_choose_clips(lm_parts *all, uint32_t part, lm_error *error);

#endif
