/* Checking clips and scenes of a caller's. */
#ifndef LM_SCENE_CHECK_H
#define LM_SCENE_CHECK_H

#include "lerpmesh/scene.h"

/* Returns the parent of a part, LM_NO_PART if it has none. */
uint32_t lm_scene_parent(const lm_scene *scene, uint32_t part);

/* Checks every promise of lm_clip for a model of `num_frames` frames. If one is broken, fills
 * `error` with LM_CODE_BAD_ARGUMENT and a sentence that begins with `of` and `index`. */
bool lm_clip_sound(const lm_clip *clip, uint32_t num_frames, const char *of, uint32_t index,
                   lm_error *error);

#endif
