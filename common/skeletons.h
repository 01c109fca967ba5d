/* The skeletons of a scene's parts, and their bones to draw. */
#ifndef COMMON_SKELETONS_H
#define COMMON_SKELETONS_H

#include "lerpmesh/gl.h"
#include "lerpmesh/skeleton.h"

/* Finds the skeleton of each part of a scene: found[num_parts], also those that are refused.
 * `options`: those of lm_skeleton_of_model. Fails with `error` filled and nothing to free. */
bool skeletons_find(const lm_scene *scene, const lm_skeleton_options *options, lm_skeleton **found,
                    lm_error *error);
/* Frees them, and sets them to NULL. */
void skeletons_free(lm_skeleton **found, uint32_t num_parts);

/* The bones of a skeleton in all frames. A bone connects a joint to a child; at the end of a limb,
 * to the last vertex that follows the joint. */
typedef struct skeleton_bones {
    uint32_t num_bones, num_frames;
    uint8_t (*colors)[4]; /* [num_bones] one for each side */
    lm_vec3 (*ends)[2];   /* [num_frames][num_bones] head and tail, in the model's space */
} skeleton_bones;

/* Returns NULL if there is no memory. */
skeleton_bones *skeleton_bones_new(const lm_skeleton *skeleton);
void skeleton_bones_free(skeleton_bones *bones);

/* Draws the bones of a posed scene. `parts`: [num_parts]; NULL: no bones. Between two frames, bones
 * move as vertices do. */
bool skeletons_draw(lm_gl *gl, const lm_gl_view *view, const lm_scene *scene, const lm_pose *poses,
                    skeleton_bones *const *parts, lm_error *error);

#endif
