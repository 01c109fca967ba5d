/* The tree of joints, and the poses of its joints. */
#ifndef LM_SKELETON_TREE_H
#define LM_SKELETON_TREE_H

#include "skeleton/rig.h"

/* Joints are numbered as the rig's bones; parents come first. In frame f, the joint j has the
 * rotation R_j, relative to the mesh, and is at
 *
 *     g_j = g_parent + R_parent (c_j - c_parent) + d_j
 *
 * where c is its position in the rest pose, and d_j is 0 unless it translates. A vertex is then at
 *
 *     sum over j of R_j s_j + u_j d_j
 *     s_j = w_j (r - c_j) + sum over children k of u_k (c_k - c_j)
 *     u_j = sum of the weights of j and of all joints below it
 *
 * So each frame is a quadratic form in all R_j and d_j, like that of free bones with (s, u) instead
 * of w (r, 1), and the same sweeps solve it. */
typedef struct lm_tree {
    uint32_t parents[LM_MAX_SKELETON_BONES]; /* that of the root is itself */
    double joints[LM_MAX_SKELETON_BONES][3];
    double stiffness[LM_MAX_SKELETON_BONES]; /* of d_j */
    double *turns;                           /* [max_bones][num_rows][4] R and d */
    double *matrix; /* [LM_TREE_UNKNOWNS(max_bones) + 1][LM_TREE_UNKNOWNS(max_bones)] scratch */
} lm_tree;

/* The most unknowns of a frame. */
#define LM_TREE_UNKNOWNS(bones) (6 * (uint64_t)(bones))

static inline double *lm_tree_turn(const lm_rig *rig, const lm_tree *tree, uint32_t joint,
                                   uint32_t frame) {
    return tree->turns + ((size_t)joint * rig->num_rows + 3 * (size_t)frame) * 4;
}

/* tree.c */
/* Connects the bones of a rig and orders them. tree->turns is scratch. Needs shares. */
void lm_make_tree(lm_rig *rig, lm_tree *tree);
/* Gives bone order[i] the number i. `scratch` has the size of the bones. */
void lm_rig_reorder(lm_rig *rig, const uint32_t *order, double *scratch);

/* pose.c */
/* Sets rotations and translations from the rig's bones. */
void lm_begin_poses(lm_rig *rig, lm_tree *tree);
/* Improves all rotations and translations, then with `shift` the rest pose's joints. Sets the rig's
 * bones. */
void lm_pose_tree(lm_rig *rig, lm_tree *tree, unsigned steps, bool shift);
/* Sums shares and targets with (s, u) instead of w (r, 1). */
void lm_sum_arms(lm_rig *rig, const lm_tree *tree);
/* Sets the rig's bones from rotations and translations. */
void lm_place_tree(lm_rig *rig, lm_tree *tree);
/* Returns the sum of the squared errors. */
double lm_tree_error(lm_rig *rig, lm_tree *tree);
/* Fits the tree to the frames. Joints translate only if the sum of the squared errors would
 * otherwise exceed `target`; with `constant`, only the root does. Returns the sum. */
double lm_fit_tree(lm_rig *rig, lm_tree *tree, double target, bool constant);
/* Fixes only those joints that translate little as the bones move now, which is when the rig was
 * saved; none, if the error would then exceed `target`. */
void lm_fit_loose_tree(lm_rig *rig, lm_tree *tree, double target);

/* newton.c */
/* Improves all rotations and translations of each frame at once. Needs shares of the tree. */
void lm_solve_poses(lm_rig *rig, lm_tree *tree, unsigned steps);

/* steady.c */
/* Turns joints whose rotations the vertices leave open as little as possible from frame to frame.
 * Sets the rig's bones. */
void lm_steady_poses(lm_rig *rig, lm_tree *tree);

#endif
