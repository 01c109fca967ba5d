/* Keeps joints from spinning between frames.
 *
 * Few vertices near a joint leave its rotation open, or rounding decides it. Each frame then has
 * another rotation, and vertices fly about between two frames. Here, each joint gets a rotation
 * near the one that keeps it as it was relative to its parent. Joints that translate do so
 * relative to the mesh meanwhile, so that the rotation of a parent does not move them. */
#include "skeleton/tree.h"

#define SWEEPS 4
/* Quanta, squared: the error that a joint may cause per frame to stay as it was in the last. */
#define CALM 30.0

/* Computes the rotation in which a joint would be if it did not move relative to its parent since
 * the last frame. */
static void find_calm(const lm_rig *rig, const lm_tree *tree, uint32_t joint, uint32_t frame,
                      double out[3][3]) {
    const uint32_t parent = tree->parents[joint];
    const double *last = lm_tree_turn(rig, tree, joint, frame - 1);
    const double *up = lm_tree_turn(rig, tree, parent, frame);
    const double *before = lm_tree_turn(rig, tree, parent, frame - 1);
    double local[3][3];
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 3; d++)
            local[c][d] =
                before[c] * last[d] + before[4 + c] * last[4 + d] + before[8 + c] * last[8 + d];
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 3; d++)
            out[c][d] = parent == joint ? last[4 * c + d]
                                        : up[4 * c] * local[0][d] + up[4 * c + 1] * local[1][d] +
                                              up[4 * c + 2] * local[2][d];
}

/* Rotates a joint in a frame to where it fits best, near the rotation that keeps it calm. */
static void turn_joint(const lm_rig *rig, const lm_tree *tree, uint32_t joint, uint32_t frame) {
    double(*own)[4] = lm_rig_share(rig, joint, joint), (*left)[4] = rig->left + 3 * (size_t)frame;
    double *m = lm_tree_turn(rig, tree, joint, frame), calm[3][3], h[3][3], r[3][3], p[3][4];
    const bool slides = tree->stiffness[joint] < INFINITY;
    const double weight = CALM * rig->quantum * rig->quantum, total = own[3][3];
    find_calm(rig, tree, joint, frame, calm);
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 4; d++) {
            p[c][d] = left[c][d];
            for (int e = 0; e < 4; e++)
                p[c][d] += m[4 * c + e] * own[e][d];
        }
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 3; d++)
            h[c][d] = p[c][d] - (slides ? p[c][3] * own[3][d] / total : 0) + weight * calm[c][d];
    lm_nearest_turn(h, r);
    for (int c = 0; c < 3; c++) {
        m[4 * c + 3] = slides ? p[c][3] / total : 0;
        for (int d = 0; d < 3; d++) {
            m[4 * c + d] = r[c][d];
            m[4 * c + 3] -= slides ? r[c][d] * own[3][d] / total : 0;
        }
    }
}

void lm_steady_poses(lm_rig *rig, lm_tree *tree) {
    double *bones = rig->bones;
    lm_tree forest = *tree;
    for (uint32_t j = 0; j < rig->num_bones; j++)
        forest.parents[j] = tree->stiffness[j] < INFINITY ? j : tree->parents[j];
    lm_begin_poses(rig, &forest);
    lm_sum_arms(rig, &forest);
    rig->bones = tree->turns;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (uint32_t j = 0; j < rig->num_bones; j++) {
            if (!(lm_rig_share(rig, j, j)[3][3] > 1e-9))
                continue;
            lm_find_residual(rig, j);
            for (uint32_t f = 1; f < rig->num_frames; f++)
                turn_joint(rig, tree, j, f);
        }
    rig->bones = bones;
    lm_place_tree(rig, &forest);
    lm_begin_poses(rig, tree);
}
