/* Judges animations: which of them become clips, and how they end. */
#ifndef IMPORT_MOTIONS_H
#define IMPORT_MOTIONS_H

#include "pose.h"

/* Returns [num_nodes] flags of the nodes that are joints of a skin, or NULL if memory ran out. */
bool *lm_im_joints(importing *im, const lm_im_gltf *gltf);

/* Drops the animations that only hold one object where it is at rest, as exporters make them for
 * each object. Reports animations that move one object each. */
bool lm_im_drop_still(importing *im, lm_im_gltf *gltf);

/* How a clip ends. */
typedef enum lm_im_ending {
    IM_AS_IT_BEGAN, /* loops if its last pose equals its first */
    IM_LOOPS,
    IM_PLAYS_ONCE
} lm_im_ending;
lm_im_ending lm_im_ending_of(const lm_import_options *options, const char *clip);
/* Fails if the options name a clip that does not exist. */
bool lm_im_check_endings(importing *im, const lm_mesh *mesh);

#endif
