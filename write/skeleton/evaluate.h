/* Evaluating a skeleton: poses of joints, and vertices that follow them. */
#ifndef LM_SKELETON_EVALUATE_H
#define LM_SKELETON_EVALUATE_H

#include "lerpmesh/skeleton.h"
#include "math/turn.h"

/* The bones of a model, which are the joints of its own skeleton. */
typedef struct lm_own_bones {
    lm_model model;        /* of which only the frames and bones are set */
    const uint32_t *bones; /* [num_joints] of the joints */
    const lm_placed *rest; /* [num_joints] these bones in the rest pose */
} lm_own_bones;

/* Computes the transform of each joint [num_joints] of a model's own skeleton, in a pose as in the
 * game. Joints have the axes of the model in the rest pose. */
void lmi_place_own(const lm_own_bones *own, uint32_t num_joints, const lm_pose *pose,
                   lm_placed *out);
/* Returns the transform of a bone as it moves vertices. */
lm_placed lmi_placed_bone(const lm_transform *bone);

/* Computes the pose of each joint [num_joints] relative to its parent. */
void lmi_joints_between(const lm_skeleton *skeleton, const lm_pose *pose, lm_joint_pose *out);
/* Returns the transform of a pose. */
lm_placed lmi_placed_of(const lm_joint_pose *pose);
/* Computes the transform of each joint [num_joints] in the mesh. */
void lmi_place_joints(const lm_skeleton *skeleton, const lm_pose *pose, lm_placed *out);
/* The same from the rest pose: these transforms apply to rest positions. */
void lmi_move_joints(const lm_skeleton *skeleton, const lm_pose *pose, lm_placed *out);
/* Moves the vertices of a surface by the transforms of the joints. `normals` may be NULL. */
void lmi_move_surface(const lm_skeleton *skeleton, uint32_t surface, const lm_pose *pose,
                      const lm_placed *joints, lm_vec3 *positions, lm_vec3 *normals);
/* Returns the joint that holds a tag of the mesh: the one that the file names, or else the one
 * relative to which it moves least. `poses` [num_frames] are the tag's. */
uint32_t lmi_joint_of_tag(const lm_skeleton *skeleton, uint32_t tag, const lm_transform *poses);
/* Returns the joint that a tag is: the one that has its name, and its place and axes in every
 * frame. num_joints: there is none. */
uint32_t lmi_joint_that_is_tag(const lm_skeleton *skeleton, const char *name,
                               const lm_transform *poses);
/* Fills in the poses [num_frames] of a tag of the skeleton's model. */
void lmi_sample_tag_poses(const lm_skeleton *skeleton, const lm_model *model, uint32_t tag,
                          lm_transform *poses);
/* Places a tag, without the scale and shear of its axes. */
lm_placed lmi_place_tag(const lm_transform *tag);
/* Returns the error over some frames, which have the same vertices. */
lm_skeleton_error lmi_error_over(const lm_skeleton_error *frames, uint32_t count);
/* Return whether a skeleton has the frames, surfaces and vertices of a mesh or a model. */
bool lmi_skeleton_fits_mesh(const lm_skeleton *skeleton, const lm_mesh *mesh);
bool lmi_skeleton_fits(const lm_skeleton *skeleton, const lm_model *model);

/* Returns whether a pose is between two frames. */
static inline bool lmi_is_between(const lm_pose *pose) {
    return pose->frame_a != pose->frame_b && pose->t > 0 && pose->t < 1;
}
/* Computes positions between two frames, at which they are `from` and `to` [num_vertices]: the
 * error of the skeleton is interpolated and subtracted. `scratch` has room for
 * [2 * num_vertices]. */
void lmi_move_between(const lm_skeleton *skeleton, uint32_t surface, const lm_pose *pose,
                      const lm_vec3 *from, const lm_vec3 *to, lm_vec3 *scratch, lm_vec3 *out);

struct lm_frame_plan; /* mesh_make.h */

/* Makes the mesh of a plan. Between frames, the bones of `model`, of which the mesh was made, place
 * its vertices and tags, or else `skeleton` does, or else they are mixed. Each may be NULL. */
lm_mesh *lmi_mesh_resample(const lm_mesh *mesh, const struct lm_frame_plan *plan,
                           const lm_skeleton *skeleton, const lm_model *model,
                           const lm_memory *memory, lm_error *error);

/* Returns the weight of a corrective shape. */
float lmi_corrective_weight(const lm_skeleton *skeleton, uint32_t shape, const lm_pose *pose);

#endif
