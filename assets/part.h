/* One model as a part of the scene. */
#ifndef LM_ASSETS_PART_H
#define LM_ASSETS_PART_H

#include "settings.h"

/* All models of a scene. */
typedef struct lm_parts {
    lm_scene scene;       /* the parts, which are plain yet */
    lm_scene_part *parts; /* [LM_MAX_PARTS], the scene's, and so the next two */
    lm_asset *files;
    lm_clips **clips; /* those of clips files */
} lm_parts;

/* The parts while they are added. */
typedef struct lm_adding {
    lm_context *context;
    const lm_settings *settings;
    lm_parts *parts;
} lm_adding;

/* Loads a model as one more part, with its clips. NULL: why was noted. */
lm_scene_part *lm_part_add(lm_adding *a, const char *path);
/* Loads it and attaches it to the tag, of the model that was attached last and has it. */
lm_scene_part *lm_part_attach(lm_adding *a, const char *tag, const char *path);
/* Loads it to show the frames that the first part shows. */
lm_scene_part *lm_part_follow(lm_adding *a, const char *path);

/* Chooses the clips of a part: of the file that was named, or of one next to the model. */
bool lm_part_choose_clips(lm_adding *a, uint32_t part, lm_error *error);

#endif
