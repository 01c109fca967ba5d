/* The transforms of all nodes at one time. */
#ifndef IMPORT_POSE_H
#define IMPORT_POSE_H

#include "gltf.h"

/* A matrix by columns, as in the file: x of a transformed point is m[0] * x + m[4] * y + m[8] * z +
 * m[12]. */
typedef struct lm_im_matrix {
    double m[16];
} lm_im_matrix;

typedef struct lm_im_local lm_im_local;
typedef struct lm_im_pose {
    const lm_im_gltf *gltf;
    lm_im_matrix *world; /* [num_nodes] */
    lm_im_local *local;
    uint32_t *first_weight; /* [num_nodes] index into `weights` */
    uint32_t num_weights;
    float *weights, *rest_weights;
} lm_im_pose;

bool lm_im_pose_init(importing *im, const lm_im_gltf *gltf, lm_im_pose *pose);
/* Evaluates an animation at `time` [s]. `animation` NULL: at rest. */
void lm_im_pose_at(lm_im_pose *pose, const lm_im_animation *animation, double time);

/* Computes a node's local transform at the first key of an animation that moves only this node. */
void lm_im_local_at(const lm_im_gltf *gltf, uint32_t node, const lm_im_animation *animation,
                    lm_im_matrix *out);

/* Multiplies a * b. `out` must be neither `a` nor `b`. */
void lm_im_multiply(const lm_im_matrix *a, const lm_im_matrix *b, lm_im_matrix *out);
/* Returns the determinant of a matrix's upper 3 x 3 block. */
double lm_im_determinant(const double *m);

#endif
