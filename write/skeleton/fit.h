/* Internals of the skeleton fit.
 *
 *     skin.c      weights and rest positions, and the sums over frames and vertices, to which all
 *                 costs that grow with both are limited
 *     grow.c      transforms of bones; splitting and inserting bones
 *     tree.c      joints and their parents
 *     pose.c      rotations and translations of joints in the tree, all joints of a frame at once
 *     steady.c    joints that do not spin between frames
 *     sides.c     joints at both sides that are a pair, and names of joints
 *     build.c     the result, its errors and the verdict
 *     own.c       the bones that a model has itself, instead
 *     evaluate.c  poses of joints and vertices, also between frames
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
#ifndef LM_SKELETON_FIT_H
#define LM_SKELETON_FIT_H

#include "core/arena.h"
#include "lerpmesh/skeleton.h"
#include "math/turn.h"

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

    /* Copies of lmi_rig_save: bones, joints, weights and the rest pose. */
    double *saved_bones, *saved_weights, *saved_rest;
    uint16_t *saved_joints;

    double (*pairs)[4][4];  /* [max_bones][max_bones] */
    double (*products)[4];  /* [LM_LANES][max_bones] of a block */
    double (*shares)[4][4]; /* [max_bones][max_bones] */
    double (*targets)[4];   /* [max_bones][num_rows] */
    double (*left)[4];      /* [num_rows] scratch */
    uint64_t work;          /* steps */
} lm_rig;

/* Solves a symmetric positive system of `n` equations, up to 3. An unknown that no equation
 * determines becomes 0. Returns false if there is one. */
static inline bool lmi_solve(double m[3][4], int n, double out[3]) {
    bool determined = true;
    for (int i = 0; i < n; i++) {
        determined = determined && m[i][i] > 0;
        for (int k = i + 1; k < n; k++) {
            const double share = m[i][i] > 0 ? m[k][i] / m[i][i] : 0;
            for (int c = i; c < 4; c++)
                m[k][c] -= share * m[i][c];
        }
    }
    for (int i = n; i-- > 0;) {
        out[i] = m[i][3];
        for (int c = i + 1; c < n; c++)
            out[i] -= m[i][c] * out[c];
        out[i] = m[i][i] > 0 ? out[i] / m[i][i] : 0;
    }
    return determined;
}

/* skin.c */
/* Allocates a rig. Returns false if memory ran out. */
bool lmi_rig_alloc(lm_rig *rig, lm_arena *arena, uint32_t num_vertices, uint32_t num_frames,
                   uint32_t max_bones);
/* Keep a rig's bones and vertices, and go back to what was kept. */
bool lmi_rig_save_alloc(lm_rig *rig);
void lmi_rig_save(lm_rig *rig);
void lmi_rig_restore(lm_rig *rig);
void lmi_sum_pairs(lm_rig *rig);
void lmi_sum_shares(lm_rig *rig);

static inline double *lmi_rig_x(const lm_rig *rig, uint32_t vertex, uint32_t row) {
    return rig->x + ((size_t)(vertex / LM_LANES) * rig->num_rows + row) * LM_LANES +
           vertex % LM_LANES;
}
static inline double *lmi_rig_bone(const lm_rig *rig, uint32_t bone, uint32_t frame) {
    return rig->bones + ((size_t)bone * rig->num_rows + 3 * (size_t)frame) * 4;
}
static inline double (*lm_rig_pair(const lm_rig *rig, uint32_t a, uint32_t b))[4] {
    return rig->pairs[(size_t)a * rig->max_bones + b];
}
static inline double (*lm_rig_share(const lm_rig *rig, uint32_t a, uint32_t b))[4] {
    return rig->shares[(size_t)a * rig->max_bones + b];
}
/* Finds the weights of up to `most` bones per vertex and, with `rests`, the rest positions. Returns
 * the sum of the squared errors. */
double lmi_weigh(lm_rig *rig, unsigned most, bool rests);

/* grow.c */
/* Moves all bones in turn to where they fit best. Needs shares. */
void lmi_move_bones(lm_rig *rig, unsigned sweeps);
/* Moves each bone to where it fits best alone, as if no vertex followed another bone, too. */
void lmi_place_bones(lm_rig *rig);
/* Computes in rig->left what the bones leave of the targets of one of them: for each row, the sum
 * over vertices of the error times w (r, 1). */
void lmi_find_residual(lm_rig *rig, uint32_t bone);
/* Begins with one bone; rig->rest is set. */
void lmi_begin_bones(lm_rig *rig);
/* Splits bones until there are `wanted`; each vertex follows one. */
void lmi_split_bones(lm_rig *rig, uint32_t wanted);
/* Weighs the vertices, then moves the bones. Returns the error between the two. */
double lmi_improve(lm_rig *rig, unsigned most, bool rests, unsigned sweeps);
/* Adds up to `count` bones where the error is largest. */
void lmi_insert_bones(lm_rig *rig, uint32_t count);
/* Removes bones that fewer than `least` vertices follow; the vertices must then be weighed again.
 * Returns whether there were any. */
bool lmi_drop_bones(lm_rig *rig, uint32_t least);
/* Removes up to an eighth of the bones: those without which the squared error grows least, if by
 * less than `room` each. At least `least` stay. The vertices must then be weighed again. Returns
 * whether there were any. Needs shares. */
bool lmi_merge_bones(lm_rig *rig, double room, uint32_t least);

/* Returns the root mean square error of a coordinate. */
static inline double lmi_rig_rms(const lm_rig *rig, double sum) {
    return rig->num_vertices > 0 ? sqrt(sum / ((double)rig->num_vertices * rig->num_rows)) : 0;
}

/* ---- The tree ------------------------------------------------------------------------------- */

/* Joints are numbered as the rig's bones; parents come first. In frame f, the joint j has the
 * rotation R_j, relative to the mesh, and is at
 *
 *     g_j = g_parent + R_parent (c_j - c_parent) + d_j
 *
 * where c is its position in the rest pose, and d_j is 0 unless it translates. Its bone's matrix is
 * (R_j, g_j - R_j c_j). */
typedef struct lm_solver lm_solver;

/* What a branch leaves of its targets, as the equations of its joint's place, for a branch of one
 * vertex, and as a sum of squares. */
typedef struct lm_pull {
    double bends[3][4], square;
} lm_pull;

typedef struct lm_tree {
    uint32_t parents[LM_MAX_SKELETON_BONES]; /* that of the root is itself */
    double joints[LM_MAX_SKELETON_BONES][3];
    double stiffness[LM_MAX_SKELETON_BONES]; /* of d_j */
    uint32_t mirrors[LM_MAX_SKELETON_BONES]; /* the joint of the other side, or the joint itself */
    lm_pull pulls[LM_MAX_SKELETON_BONES];    /* after the last solution of the poses */
    double *turns;                           /* [max_bones][num_rows][4] scratch */
    lm_solver *solver;                       /* scratch */
} lm_tree;

/* tree.c */
/* Connects the bones of a rig and orders them. Needs shares. */
void lmi_make_tree(lm_rig *rig, lm_tree *tree);

/* pose.c */
/* Improves all rotations and translations, then with `shift` the rest pose's joints. Returns the
 * sum of the squared errors before the shift. */
double lmi_pose_tree(lm_rig *rig, lm_tree *tree, unsigned steps, bool shift);
/* Fits the tree to the frames. Joints translate only if the sum of the squared errors would
 * otherwise exceed `target`; with `constant`, only the root does. Returns the sum. */
double lmi_fit_tree(lm_rig *rig, lm_tree *tree, double target, bool constant);
/* Fixes only those joints that translate little as the bones move now, which is when the rig was
 * saved; none, if the error would then exceed `target`. */
void lmi_fit_loose_tree(lm_rig *rig, lm_tree *tree, double target);
/* Moves joints that are far from the vertices that follow them and their parents: they then
 * translate. The bones stay as they are. Needs joints that translate to be free. */
void lmi_pull_joints(lm_rig *rig, lm_tree *tree);
/* Fixes joints to their parents' places if hardly any vertex follows them or fixed joints below.
 * Otherwise rounding would decide where they are. */
void lmi_fix_idle_joints(lm_rig *rig, lm_tree *tree);

bool lmi_solver_alloc(lm_tree *tree, uint32_t max_bones, lm_arena *arena);

/* sides.c */
/* Finds the joints of the other side. Moves pairs to mirrored places, or if the rest pose is not
 * symmetric, to equal distances from their parents, as far as the error allows. Then improves all
 * poses. `rounding`: the sum of the squared errors of the file's rounding. Needs a rig with copies
 * (lmi_rig_save_alloc). */
void lmi_even_sides(lm_rig *rig, lm_tree *tree, double rounding);

/* steady.c */
/* Turns joints whose rotations the vertices leave open as little as possible from frame to frame.
 * Sets the rig's bones. Replaces its shares and targets. */
void lmi_steady_poses(lm_rig *rig, lm_tree *tree);

/* ---- The call ------------------------------------------------------------------------------- */

/* A vertex of the mesh. */
typedef struct lm_fit_vertex {
    uint32_t surface, vertex;
} lm_fit_vertex;

/* A skeleton, and the work of its fit. */
typedef struct lm_fitted {
    lm_skeleton skeleton;
    uint64_t num_work; /* steps */
} lm_fitted;

typedef struct lm_fit {
    const lm_mesh *mesh;
    lm_skeleton_options options; /* with defaults */
    lm_heap heap;
    lm_arena arena;          /* of the call */
    lm_skeleton *made;       /* of an lm_fitted */
    bool stopped;            /* by the caller */
    uint32_t num_vertices;   /* of all surfaces */
    lm_fit_vertex *vertices; /* [num_vertices] surface after surface */
    uint32_t num_welded;     /* vertices with different trajectories */
    uint32_t *places;        /* [num_vertices] the welded vertex of each */
    uint32_t *sources;       /* [num_welded] the first vertex of each */
    uint32_t rest_frame;
    double (*centres)[3]; /* [num_frames] the mean of the vertices of each frame */
    double size;          /* the diagonal of the box around all frames */
    bool moves;           /* some vertex is not at one place in all frames */
    lm_rig rig;           /* of all frames */
    lm_tree tree;
    double free_error; /* the sum of the squared errors of free bones */
} lm_fit;

/* Returns the work that a skeleton took. */
static inline uint64_t *lmi_fit_work(lm_skeleton *skeleton) {
    return &((lm_fitted *)skeleton)->num_work;
}
/* Returns the position of one of all vertices. */
static inline lm_vec3 lmi_fit_position(const lm_fit *fit, uint32_t vertex, uint32_t frame) {
    const lm_fit_vertex v = fit->vertices[vertex];
    const lm_mesh_surface *s = &fit->mesh->surfaces[v.surface];
    return lmi_vec3_at(s->positions, (size_t)frame * s->num_vertices + v.vertex);
}
/* Returns a frame of the mesh that a rig uses: every `stride`-th, beginning at the rest frame and
 * continuing at the first after the last. */
static inline uint32_t lmi_fit_frame(const lm_fit *fit, uint32_t stride, uint32_t index) {
    return (uint32_t)((fit->rest_frame + (uint64_t)index * stride) % fit->mesh->num_frames);
}

/* own.c */
/* Makes a skeleton of the bones of a model that has them. The options are sound. */
lm_skeleton *lmi_own_skeleton(const lm_model *model, const lm_skeleton_options *options,
                              lm_error *error);

/* build.c */
/* Fills the skeleton with joints, poses and influences. Returns false if memory ran out. */
bool lmi_fit_build(lm_fit *fit);
/* Measures the errors of the skeleton, and judges it. Returns false if memory ran out. */
bool lmi_fit_measure(lm_fit *fit);

/* correct.c */
/* Adds corrective shapes as the options allow, if they make the measured error smaller. Returns
 * false if memory ran out. */
bool lmi_fit_correct(lm_fit *fit);

/* sides.c */
/* Names the joints. Returns false if memory ran out. */
bool lmi_fit_name(lm_fit *fit, lm_joint *joints);

#endif
