/* Clips of the legs and the torso of one model as a clip of their own. */
#ifndef LM_SCENE_JOIN_H
#define LM_SCENE_JOIN_H

#include "core/arena.h"
#include "lerpmesh/scene.h"

/* Returns a scene in which names joined with '+' are clips: a part with bones that has two of the
 * joined clips gets frames in which its legs play the first and its torso the second. `arena` owns
 * the new parts. The scene itself: no part has two. NULL: there is no memory. */
const lm_scene *lmi_scene_join(const lm_scene *scene, const char *const *names, uint32_t num_names,
                               lm_arena *arena);

#endif
