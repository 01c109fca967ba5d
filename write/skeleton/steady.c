/* Keeps joints from spinning between frames.
 *
 * Few vertices near a joint leave its rotation open, or rounding decides it. Each frame then has
 * another rotation, and vertices fly about between two frames. Here, each joint gets a rotation
 * near the one that keeps it as it was relative to its parent. Joints that translate do so
 * relative to the mesh meanwhile, so that the rotation of a parent does not move them. */
#include "skeleton/fit.h"

#define SWEEPS 4
/* Quanta, squared: the error that a joint may cause per frame to stay as it was in the last. */
#define CALM 30.0

/* A joint's rotation relative to the mesh and, in the last column, its translation d_j. */
static double *turn_of(const lm_rig *rig, const lm_tree *tree, uint32_t joint, uint32_t frame) {
    return tree->turns + ((size_t)joint * rig->num_rows + 3 * (size_t)frame) * 4;
}

/* ---- Sums over vertices --------------------------------------------------------------------- */

/* With the rotations and translations as unknowns, a vertex is at the sum over joints of
 * R_j s_j + u_j d_j: u_j is the weight of the joints at or below j, and s_j the weighted arm of the
 * vertex, or of the joints below, from j. */

/* Finds (s, u) of a vertex for all joints. Returns the number of joints above or at its bones. */
static uint32_t arms_of(const lm_rig *rig, const lm_tree *tree, uint32_t vertex, double (*arms)[4],
                        uint32_t *used) {
    const uint16_t *joints = rig->joints + (size_t)LM_SKELETON_WEIGHTS * vertex;
    const double *weights = rig->weights + (size_t)LM_SKELETON_WEIGHTS * vertex;
    const double *rest = rig->rest + 3 * (size_t)vertex;
    uint32_t count = 0;
    memset(arms, 0, rig->num_bones * sizeof *arms);
    for (int i = 0; i < LM_SKELETON_WEIGHTS && weights[i] > 0; i++) {
        for (int d = 0; d < 3; d++)
            arms[joints[i]][d] += weights[i] * (rest[d] - tree->joints[joints[i]][d]);
        arms[joints[i]][3] += weights[i];
    }
    for (uint32_t j = rig->num_bones; j-- > 0;) { /* children come after their parents */
        if (!(arms[j][3] > 0))
            continue;
        used[count++] = j;
        const uint32_t parent = tree->parents[j];
        if (parent == j)
            continue;
        for (int d = 0; d < 3; d++)
            arms[parent][d] += arms[j][3] * (tree->joints[j][d] - tree->joints[parent][d]);
        arms[parent][3] += arms[j][3];
    }
    return count;
}

/* Sums shares and targets with (s, u) instead of w (r, 1). */
static void sum_arms(lm_rig *rig, const lm_tree *tree) {
    double arms[LM_MAX_SKELETON_BONES][4];
    uint32_t used[LM_MAX_SKELETON_BONES];
    memset(rig->shares, 0, (size_t)rig->max_bones * rig->max_bones * sizeof *rig->shares);
    memset(rig->targets, 0, (size_t)rig->num_bones * rig->num_rows * sizeof *rig->targets);
    for (uint32_t v = 0; v < rig->num_vertices; v++) {
        const uint32_t count = arms_of(rig, tree, v, arms, used);
        for (uint32_t i = 0; i < count; i++) {
            const double *x = lmi_rig_x(rig, v, 0), *arm = arms[used[i]];
            double(*out)[4] = rig->targets + (size_t)used[i] * rig->num_rows;
            for (uint32_t row = 0; row < rig->num_rows; row++, x += LM_LANES)
                for (int d = 0; d < 4; d++)
                    out[row][d] += arm[d] * *x;
            for (uint32_t k = 0; k < count; k++) {
                double(*share)[4] = lm_rig_share(rig, used[i], used[k]);
                for (int d = 0; d < 4; d++)
                    for (int e = 0; e < 4; e++)
                        share[d][e] += arm[d] * arms[used[k]][e];
            }
        }
        rig->work += (uint64_t)count * rig->num_rows * 4;
    }
}

/* ---- Poses ---------------------------------------------------------------------------------- */

/* Computes where a bone moves a point. */
static double moved(const double *m, int i, const double p[3]) {
    return m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3];
}

/* Sets the bones of a frame from the joints. */
static void place_bones(const lm_rig *rig, const lm_tree *tree, uint32_t frame) {
    double places[LM_MAX_SKELETON_BONES][3];
    for (uint32_t j = 0; j < rig->num_bones; j++) {
        const double *turn = turn_of(rig, tree, j, frame), *c = tree->joints[j];
        const uint32_t parent = tree->parents[j];
        const double *up = turn_of(rig, tree, parent, frame), *at = tree->joints[parent];
        double *m = lmi_rig_bone(rig, j, frame);
        for (int i = 0; i < 3; i++) {
            places[j][i] = turn[4 * i + 3];
            for (int d = 0; d < 3 && parent != j; d++)
                places[j][i] += up[4 * i + d] * (c[d] - at[d]);
            places[j][i] += parent != j ? places[parent][i] : 0;
            m[4 * i + 3] = places[j][i];
            for (int d = 0; d < 3; d++) {
                m[4 * i + d] = turn[4 * i + d];
                m[4 * i + 3] -= turn[4 * i + d] * c[d];
            }
        }
    }
}

/* ---- Calm ----------------------------------------------------------------------------------- */

/* Computes the rotation in which a joint would be if it did not move relative to its parent since
 * the last frame. */
static void find_calm(const lm_rig *rig, const lm_tree *tree, uint32_t joint, uint32_t frame,
                      double out[3][3]) {
    const uint32_t parent = tree->parents[joint];
    const double *last = turn_of(rig, tree, joint, frame - 1);
    const double *up = turn_of(rig, tree, parent, frame);
    const double *before = turn_of(rig, tree, parent, frame - 1);
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
    double *m = turn_of(rig, tree, joint, frame), calm[3][3], h[3][3], r[3][3], p[3][4];
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
    lmi_nearest_turn(h, r);
    for (int c = 0; c < 3; c++) {
        m[4 * c + 3] = slides ? p[c][3] / total : 0;
        for (int d = 0; d < 3; d++) {
            m[4 * c + d] = r[c][d];
            m[4 * c + 3] -= slides ? r[c][d] * own[3][d] / total : 0;
        }
    }
}

void lmi_steady_poses(lm_rig *rig, lm_tree *tree) {
    double *bones = rig->bones;
    lm_tree forest = *tree;
    for (uint32_t j = 0; j < rig->num_bones; j++)
        forest.parents[j] = tree->stiffness[j] < INFINITY ? j : tree->parents[j];
    /* Set rotations and translations from the rig's bones. */
    for (uint32_t j = 0; j < rig->num_bones; j++)
        for (uint32_t f = 0; f < rig->num_frames; f++) {
            const double *m = lmi_rig_bone(rig, j, f), *c = forest.joints[j];
            const double *up = lmi_rig_bone(rig, forest.parents[j], f);
            double *turn = turn_of(rig, &forest, j, f);
            memcpy(turn, m, 12 * sizeof *m);
            for (int i = 0; i < 3; i++)
                turn[4 * i + 3] = !(forest.stiffness[j] < INFINITY) ? 0
                                  : forest.parents[j] == j          ? moved(m, i, c)
                                                           : moved(m, i, c) - moved(up, i, c);
        }
    sum_arms(rig, &forest);
    rig->bones = tree->turns;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (uint32_t j = 0; j < rig->num_bones; j++) {
            if (!(lm_rig_share(rig, j, j)[3][3] > 1e-9))
                continue;
            lmi_find_residual(rig, j);
            for (uint32_t f = 1; f < rig->num_frames; f++)
                turn_joint(rig, tree, j, f);
        }
    rig->bones = bones;
    for (uint32_t f = 0; f < rig->num_frames; f++)
        place_bones(rig, &forest, f);
}
