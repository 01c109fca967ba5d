/* Internals of the skeleton fit.
 *
 *     sums.c      sums over frames and vertices, to which all costs that grow with both are limited
 *     skin.c      weights and rest positions
 *     grow.c      transforms of bones; splitting and inserting bones
 *     tree.c      joints and their parents
 *     pose.c      rotations and translations of joints in the tree, all joints of a frame at once
 *     sides.c     joints at both sides that are a pair
 *     roles.c     names of joints
 *     measure.c   errors and the verdict
 *     build.c     the result
 *     evaluate.c  rotations; poses of joints and vertices, also between frames
 *     correct.c   corrective shapes
 *     resample.c  meshes at another rate
 *     fit.c       the positions of a mesh, and the call
 *
 * A vertex v with rest position r follows bones j with weights w: in frame f it is at
 * sum of w * M * (r, 1), with a 3 x 4 matrix M per bone and frame. The squared error over all
 * frames is a quadratic form in w and in r. Its coefficients are sums over the frames that depend
 * neither on w nor on r:
 *
 *     pairs[j][k]     = sum over frames of M_j^T M_k     [4 x 4]
 *     products[v][j]  = sum over frames of M_j^T x_v     [4]
 *
 * So weights and rest positions cost nothing per frame once these sums are known. Likewise, the
 * error of a frame is a quadratic form in the matrices M, with coefficients that are sums over
 * vertices:
 *
 *     shares[j][k]    = sum over vertices of w_j w_k (r, 1) (r, 1)^T     [4 x 4]
 *     targets[j][f]   = sum over vertices of w_j x_v (r, 1)^T            [3 x 4]
 */
#ifndef LM_SKELETON_RIG_H
#define LM_SKELETON_RIG_H

#include "core/arena.h"
#include "lerpmesh/skeleton.h"

#include <math.h>
#include <string.h>

/* Quanta: an error that more bones would only improve by explaining the file's rounding. */
#define LM_GOOD_FIT 1.05
#define LM_LANES 4 /* vertices whose sums are computed together */

/* Positions that a skeleton explains, and the bones so far. A row is one coordinate of one frame.
 */
typedef struct lm_rig {
    lm_arena *arena;
    uint32_t num_vertices, num_frames, num_rows, num_blocks;
    double *x;       /* [num_blocks][num_rows][LM_LANES] positions relative to the frame's centre */
    double *squares; /* [num_vertices] sum of the squares of a vertex */
    double *frame_squares; /* [num_frames] sum of the squares of a frame */
    double *rest;          /* [num_vertices][3] */
    double quantum;        /* units */

    uint32_t num_bones, max_bones;
    double *bones;    /* [max_bones][num_rows][4] */
    uint16_t *joints; /* [num_vertices][LM_SKELETON_WEIGHTS] */
    double *weights;  /* [num_vertices][LM_SKELETON_WEIGHTS] unused: 0 */
    double *errors;   /* [num_vertices] sum of squares of the last weighing */

    /* Copies of lm_rig_save: bones, joints, weights and the rest pose. */
    double *saved_bones, *saved_weights, *saved_rest;
    uint16_t *saved_joints;

    double (*pairs)[4][4];  /* [max_bones][max_bones] */
    double (*products)[4];  /* [LM_LANES][max_bones] of a block */
    double (*shares)[4][4]; /* [max_bones][max_bones] */
    double (*targets)[4];   /* [max_bones][num_rows] */
    double (*left)[4];      /* [num_rows] scratch */
    uint64_t work;          /* steps */
} lm_rig;

/* evaluate.c */
/* Finds the rotation r that maximises the sum of r[a][b] * h[a][b]. */
void lm_nearest_turn(double h[3][3], double r[3][3]);
void lm_turn_to_quaternion(double r[3][3], double q[4]);
/* Rotates a matrix's first three columns by a vector: by its length for small lengths. */
void lm_turn_by(double m[3][4], const double w[3]);
/* Solves a symmetric positive system of 3 equations. An unknown that no equation determines becomes
 * 0. */
void lm_solve3(double m[3][4], double out[3]);

/* sums.c */
/* Allocates a rig. Returns false if memory ran out. */
bool lm_rig_alloc(lm_rig *rig, lm_arena *arena, uint32_t num_vertices, uint32_t num_frames,
                  uint32_t max_bones);
/* Keep a rig's bones and vertices, and go back to what was kept. */
bool lm_rig_save_alloc(lm_rig *rig);
void lm_rig_save(lm_rig *rig);
void lm_rig_restore(lm_rig *rig);
/* Sums the products of the vertices of a block. */
void lm_sum_products(lm_rig *rig, uint32_t block);
void lm_sum_pairs(lm_rig *rig);
void lm_sum_shares(lm_rig *rig);

static inline double *lm_rig_x(const lm_rig *rig, uint32_t vertex, uint32_t row) {
    return rig->x + ((size_t)(vertex / LM_LANES) * rig->num_rows + row) * LM_LANES +
           vertex % LM_LANES;
}
static inline double *lm_rig_bone(const lm_rig *rig, uint32_t bone, uint32_t frame) {
    return rig->bones + ((size_t)bone * rig->num_rows + 3 * (size_t)frame) * 4;
}
static inline double (*lm_rig_pair(const lm_rig *rig, uint32_t a, uint32_t b))[4] {
    return rig->pairs[(size_t)a * rig->max_bones + b];
}
static inline double (*lm_rig_share(const lm_rig *rig, uint32_t a, uint32_t b))[4] {
    return rig->shares[(size_t)a * rig->max_bones + b];
}
static inline double *lm_rig_product(const lm_rig *rig, uint32_t vertex, uint32_t bone) {
    return rig->products[(size_t)(vertex % LM_LANES) * rig->max_bones + bone];
}

/* skin.c */
/* Finds the weights of up to `most` bones per vertex and, with `rests`, the rest positions. Returns
 * the sum of the squared errors. */
double lm_weigh(lm_rig *rig, unsigned most, bool rests);

/* grow.c */
/* Moves all bones in turn to where they fit best. Needs shares. */
void lm_move_bones(lm_rig *rig, unsigned sweeps);
/* Moves each bone to where it fits best alone, as if no vertex followed another bone, too. */
void lm_place_bones(lm_rig *rig);
/* Computes in rig->left what the bones leave of the targets of one of them: for each row, the sum
 * over vertices of the error times w (r, 1). */
void lm_find_residual(lm_rig *rig, uint32_t bone);
/* Begins with one bone; rig->rest is set. */
void lm_begin_bones(lm_rig *rig);
/* Splits bones until there are `wanted`; each vertex follows one. */
void lm_split_bones(lm_rig *rig, uint32_t wanted);
/* Weighs the vertices, then moves the bones. Returns the error between the two. */
double lm_improve(lm_rig *rig, unsigned most, bool rests, unsigned sweeps);
/* Adds up to `count` bones where the error is largest. */
void lm_insert_bones(lm_rig *rig, uint32_t count);
/* Removes bones that fewer than `least` vertices follow; the vertices must then be weighed again.
 * Returns whether there were any. */
bool lm_drop_bones(lm_rig *rig, uint32_t least);
/* Removes up to an eighth of the bones: those without which the squared error grows least, if by
 * less than `room` each. At least `least` stay. The vertices must then be weighed again. Returns
 * whether there were any. Needs shares. */
bool lm_merge_bones(lm_rig *rig, double room, uint32_t least);

/* Returns the root mean square error of a coordinate. */
static inline double lm_rig_rms(const lm_rig *rig, double sum) {
    return rig->num_vertices > 0 ? sqrt(sum / ((double)rig->num_vertices * rig->num_rows)) : 0;
}

#endif
