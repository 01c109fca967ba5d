/* The tree of joints, and the poses of its joints. */
#ifndef LM_SKELETON_TREE_H
#define LM_SKELETON_TREE_H

#include "skeleton/rig.h"

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
void lm_make_tree(lm_rig *rig, lm_tree *tree);

/* pose.c */
/* Improves all rotations and translations, then with `shift` the rest pose's joints. Returns the
 * sum of the squared errors before the shift. */
double lm_pose_tree(lm_rig *rig, lm_tree *tree, unsigned steps, bool shift);
/* Fits the tree to the frames. Joints translate only if the sum of the squared errors would
 * otherwise exceed `target`; with `constant`, only the root does. Returns the sum. */
double lm_fit_tree(lm_rig *rig, lm_tree *tree, double target, bool constant);
/* Fixes only those joints that translate little as the bones move now, which is when the rig was
 * saved; none, if the error would then exceed `target`. */
void lm_fit_loose_tree(lm_rig *rig, lm_tree *tree, double target);
/* Moves joints that are far from the vertices that follow them and their parents: they then
 * translate. The bones stay as they are. Needs joints that translate to be free. */
void lm_pull_joints(lm_rig *rig, lm_tree *tree);
/* Fixes joints to their parents' places if hardly any vertex follows them or fixed joints below.
 * Otherwise rounding would decide where they are. */
void lm_fix_idle_joints(lm_rig *rig, lm_tree *tree);

bool lm_solver_alloc(lm_tree *tree, uint32_t max_bones, lm_arena *arena);

/* sides.c */
/* The contents of the branches below each joint. Heights and sides are those of the vertices that
 * follow a joint most, in the rest pose. */
typedef struct lm_branches {
    double top, bottom, middle;           /* of all vertices: heights, and the plane of symmetry */
    double masses[LM_MAX_SKELETON_BONES]; /* vertices */
    double lows[LM_MAX_SKELETON_BONES], highs[LM_MAX_SKELETON_BONES]; /* their heights */
    double sides[LM_MAX_SKELETON_BONES]; /* the sum of how far they are to the left */
} lm_branches;

void lm_measure_branches(const lm_rig *rig, const lm_tree *tree, lm_branches *branches);
static inline double lm_branch_side(const lm_branches *branches, uint32_t joint) {
    return branches->masses[joint] > 0 ? branches->sides[joint] / branches->masses[joint] : 0;
}
/* Finds the joints of the other side. Moves pairs to mirrored places, or if the rest pose is not
 * symmetric, to equal distances from their parents, as far as the error allows. Then improves all
 * poses. `rounding`: the sum of the squared errors of the file's rounding. Needs a rig with copies
 * (lm_rig_save_alloc). */
void lm_even_sides(lm_rig *rig, lm_tree *tree, double rounding);

/* steady.c */
/* Turns joints whose rotations the vertices leave open as little as possible from frame to frame.
 * Sets the rig's bones. Replaces its shares and targets. */
void lm_steady_poses(lm_rig *rig, lm_tree *tree);

#endif
