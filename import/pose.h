/* Where all nodes are at a time. */
#ifndef IMPORT_POSE_H
#define IMPORT_POSE_H

#include "gltf.h"

/* Columns, as in the file: x of a point is m[0] * x + m[4] * y + m[8] * z + m[12]. */
typedef struct lm_im_matrix {
    double m[16];
} lm_im_matrix;

typedef struct lm_im_local lm_im_local;
typedef struct lm_im_pose {
    const lm_im_gltf *gltf;
    lm_im_matrix *world; /* of each node */
    lm_im_local *local;
    uint32_t *first_weight; /* of each node, in `weights` */
    uint32_t num_weights;
    float *weights, *rest_weights;
} lm_im_pose;

bool lm_im_pose_init(importing *im, const lm_im_gltf *gltf, lm_im_pose *pose);
/* `animation` NULL: at rest. */
void lm_im_pose_at(lm_im_pose *pose, const lm_im_animation *animation, double time);

/* `out` may be neither of them. */
void lm_im_multiply(const lm_im_matrix *a, const lm_im_matrix *b, lm_im_matrix *out);
/* Of its axes. */
double lm_im_determinant(const double *m);

#endif
