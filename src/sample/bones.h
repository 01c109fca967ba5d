/* Bones, and the vertices that follow them. */
#ifndef LM_SAMPLE_BONES_H
#define LM_SAMPLE_BONES_H

#include "lerpmesh/model.h"

#define LM_ALL_BONES UINT32_MAX
#define LM_BONE_POSE_SIZE 12 /* bytes of a bone in a frame (lm_bones.poses) */

/* Returns whether a model has bones: none if MDS, the only format with bones, is left out. The
 * compiler then drops what follows bones. */
static inline bool lmi_has_bones(const lm_model *model) {
#ifdef LM_NO_MDS
    return model->bones && false;
#else
    return model->bones != NULL;
#endif
}

/* Computes the transforms of all bones, or of one bone and its ancestors, with the legs in one pose
 * and the torso in another. `out` is [num_bones]. */
void lmi_pose_bones(const lm_model *model, const lm_pose *legs, const lm_pose *torso, uint32_t bone,
                    lm_transform *out);
/* Stores the poses of all bones as in a file (lm_bones.poses), rounded: the legs in one pose and
 * the torso in another. Returns the position of the root bones. */
lm_vec3 lmi_mix_bones(const lm_model *model, const lm_pose *legs, const lm_pose *torso,
                      uint8_t *out);
/* Turns the torso by pitch, yaw and roll in degrees. */
void lmi_turn_torso(const lm_bones *bones, const lm_vec3 *angles, lm_transform *out);

/* Computes a vertex whose bones have these transforms; `bones` is [num_bones]. The normal's length
 * is not 0. */
void lmi_follow_bones(const lm_surface *surface, uint32_t vertex, const lm_transform *bones,
                      lm_vec3 *position, lm_vec3 *normal);

/* Returns the axes of angles in turns, in id's convention: yaw turns from x towards y, pitch from x
 * towards -z, roll about x. */
void lmi_axes_of_turns(const double turns[3], lm_vec3 axis[3]);

#endif
