#include "skeleton/tree.h"

/* The weight of a joint's present place, relative to the frames. */
#define STAY 1e-3

/* ---- Sums over vertices --------------------------------------------------------------------- */

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

static void add_arm(const lm_rig *rig, uint32_t vertex, uint32_t joint, const double arm[4]) {
    const double *x = lm_rig_x(rig, vertex, 0);
    double(*out)[4] = rig->targets + (size_t)joint * rig->num_rows;
    for (uint32_t row = 0; row < rig->num_rows; row++, x += LM_LANES)
        for (int d = 0; d < 4; d++)
            out[row][d] += arm[d] * *x;
}

void lm_sum_arms(lm_rig *rig, const lm_tree *tree) {
    double arms[LM_MAX_SKELETON_BONES][4];
    uint32_t used[LM_MAX_SKELETON_BONES];
    memset(rig->shares, 0, (size_t)rig->max_bones * rig->max_bones * sizeof *rig->shares);
    memset(rig->targets, 0, (size_t)rig->num_bones * rig->num_rows * sizeof *rig->targets);
    for (uint32_t v = 0; v < rig->num_vertices; v++) {
        const uint32_t count = arms_of(rig, tree, v, arms, used);
        for (uint32_t i = 0; i < count; i++) {
            add_arm(rig, v, used[i], arms[used[i]]);
            for (uint32_t k = 0; k < count; k++) {
                double(*share)[4] = lm_rig_share(rig, used[i], used[k]);
                for (int d = 0; d < 4; d++)
                    for (int e = 0; e < 4; e++)
                        share[d][e] += arms[used[i]][d] * arms[used[k]][e];
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

void lm_begin_poses(lm_rig *rig, lm_tree *tree) {
    for (uint32_t j = 0; j < rig->num_bones; j++)
        for (uint32_t f = 0; f < rig->num_frames; f++) {
            const double *m = lm_rig_bone(rig, j, f), *c = tree->joints[j];
            const double *up = lm_rig_bone(rig, tree->parents[j], f);
            double *turn = lm_tree_turn(rig, tree, j, f);
            memcpy(turn, m, 12 * sizeof *m);
            for (int i = 0; i < 3; i++)
                turn[4 * i + 3] = !(tree->stiffness[j] < INFINITY) ? 0
                                  : tree->parents[j] == j          ? moved(m, i, c)
                                                          : moved(m, i, c) - moved(up, i, c);
        }
}

/* Sets the bones of a frame from the joints. */
static void place_bones(const lm_rig *rig, const lm_tree *tree, uint32_t frame) {
    double places[LM_MAX_SKELETON_BONES][3];
    for (uint32_t j = 0; j < rig->num_bones; j++) {
        const double *turn = lm_tree_turn(rig, tree, j, frame), *c = tree->joints[j];
        const uint32_t parent = tree->parents[j];
        const double *up = lm_tree_turn(rig, tree, parent, frame), *at = tree->joints[parent];
        double *m = lm_rig_bone(rig, j, frame);
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

void lm_place_tree(lm_rig *rig, lm_tree *tree) {
    for (uint32_t f = 0; f < rig->num_frames; f++)
        place_bones(rig, tree, f);
}

/* Moves a joint that does not translate. The vertices of its subtree move by (R_parent - R) times
 * the shift. All joints move at once, so each takes half of its shift. */
static void shift_joint(lm_rig *rig, lm_tree *tree, uint32_t joint) {
    double m[3][4] = {{0}}, shift[3];
    lm_find_residual(rig, joint);
    const double total = lm_rig_share(rig, joint, joint)[3][3];
    for (uint32_t f = 0; f < rig->num_frames; f++) {
        const double *own = lm_tree_turn(rig, tree, joint, f);
        const double *up = lm_tree_turn(rig, tree, tree->parents[joint], f);
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 3; d++) {
                const double bend = up[4 * c + d] - own[4 * c + d];
                m[d][3] += bend * rig->left[3 * f + (uint32_t)c][3];
                for (int e = 0; e < 3; e++)
                    m[d][e] += total * bend * (up[4 * c + e] - own[4 * c + e]);
            }
    }
    for (int d = 0; d < 3; d++)
        m[d][d] += STAY * total * rig->num_frames;
    lm_solve3(m, shift);
    for (int d = 0; d < 3; d++)
        tree->joints[joint][d] += shift[d] / 2;
}

void lm_pose_tree(lm_rig *rig, lm_tree *tree, unsigned steps, bool shift) {
    double *bones = rig->bones;
    uint32_t fixed = 0;
    for (uint32_t j = 0; j < rig->num_bones; j++)
        fixed += !(tree->stiffness[j] < INFINITY);
    lm_sum_arms(rig, tree);
    /* Sweeps are fast, and good enough if most joints translate. */
    if (4 * fixed > rig->num_bones)
        lm_solve_poses(rig, tree, steps);
    rig->bones = tree->turns;
    rig->stiffness = tree->stiffness;
    if (4 * fixed <= rig->num_bones)
        lm_move_bones(rig, 2 * steps);
    for (uint32_t j = 1; j < rig->num_bones && shift; j++)
        if (!(tree->stiffness[j] < INFINITY))
            shift_joint(rig, tree, j);
    rig->bones = bones;
    rig->stiffness = NULL;
    lm_place_tree(rig, tree);
}

double lm_tree_error(lm_rig *rig, lm_tree *tree) {
    double *bones = rig->bones;
    lm_sum_arms(rig, tree);
    rig->bones = tree->turns;
    const double sum = lm_bones_error(rig);
    rig->bones = bones;
    return sum;
}

/* ---- Joints that translate ------------------------------------------------------------------ */

/* Returns the sum of the squares of a joint's translation. */
static double slide_of(const lm_rig *rig, const lm_tree *tree, uint32_t joint) {
    double sum = 0;
    for (uint32_t f = 0; f < rig->num_frames; f++)
        for (int i = 0; i < 3; i++) {
            const double d = lm_tree_turn(rig, tree, joint, f)[4 * i + 3];
            sum += d * d;
        }
    return sum;
}

/* Returns the error that a joint's translation would save. */
static double gain_of(lm_rig *rig, uint32_t joint) {
    double sum = 0;
    lm_find_residual(rig, joint);
    const double total = lm_rig_share(rig, joint, joint)[3][3];
    for (uint32_t row = 0; row < rig->num_rows; row++)
        sum += rig->left[row][3] * rig->left[row][3];
    return total > 0 ? sum / total : 0;
}

/* Moves a joint to where its bone and its parent's move alike. */
static void centre_joint(const lm_rig *rig, lm_tree *tree, uint32_t joint) {
    double m[3][4] = {{0}}, shift[3];
    for (uint32_t f = 0; f < rig->num_frames; f++) {
        const double *own = lm_rig_bone(rig, joint, f), *c = tree->joints[joint];
        const double *up = lm_rig_bone(rig, tree->parents[joint], f);
        for (int i = 0; i < 3; i++) {
            const double gap = moved(own, i, c) - moved(up, i, c);
            for (int d = 0; d < 3; d++) {
                const double bend = own[4 * i + d] - up[4 * i + d];
                m[d][3] -= bend * gap;
                for (int e = 0; e < 3; e++)
                    m[d][e] += bend * (own[4 * i + e] - up[4 * i + e]);
            }
        }
    }
    for (int d = 0; d < 3; d++)
        m[d][d] += STAY * rig->num_frames;
    lm_solve3(m, shift);
    for (int d = 0; d < 3; d++)
        tree->joints[joint][d] += shift[d];
}

/* Improves poses, joints, weights and the rest pose in turn. Returns the sum of the squared errors.
 */
static double improve_tree(lm_rig *rig, lm_tree *tree, unsigned rounds, unsigned steps) {
    double sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        lm_pose_tree(rig, tree, steps, true);
        sum = lm_weigh(rig, LM_SKELETON_WEIGHTS, true);
        for (uint32_t j = 1; j < rig->num_bones; j++)
            if (tree->stiffness[j] < INFINITY)
                centre_joint(rig, tree, j);
        lm_begin_poses(rig, tree);
    }
    return sum;
}

static void stiffen(lm_rig *rig, lm_tree *tree, double stiffness) {
    for (uint32_t j = 1; j < rig->num_bones; j++)
        tree->stiffness[j] = stiffness;
}

/* Fixes the joints whose translations matter least together. */
static void fix_joints(lm_rig *rig, lm_tree *tree, double room) {
    double harms[LM_MAX_SKELETON_BONES] = {0};
    lm_sum_arms(rig, tree);
    for (uint32_t j = 1; j < rig->num_bones; j++) {
        harms[j] = slide_of(rig, tree, j) * lm_rig_share(rig, j, j)[3][3];
        tree->stiffness[j] = 0;
    }
    for (uint32_t n = 1; n < rig->num_bones; n++) {
        uint32_t least = 0;
        for (uint32_t j = 1; j < rig->num_bones; j++)
            if (tree->stiffness[j] == 0 && (least == 0 || harms[j] < harms[least]))
                least = j;
        room -= harms[least];
        if (room < 0)
            return;
        tree->stiffness[least] = INFINITY;
    }
}

/* Lets those `count` joints translate that save most. Returns false if none saves anything. */
static bool free_joints(lm_rig *rig, lm_tree *tree, unsigned count) {
    double gains[LM_MAX_SKELETON_BONES] = {0}, *bones = rig->bones;
    bool any = false;
    lm_sum_arms(rig, tree);
    rig->bones = tree->turns;
    for (uint32_t j = 1; j < rig->num_bones; j++)
        gains[j] = tree->stiffness[j] < INFINITY ? 0 : gain_of(rig, j);
    rig->bones = bones;
    for (unsigned i = 0; i < count; i++) {
        uint32_t best = 1;
        for (uint32_t j = 2; j < rig->num_bones; j++)
            best = gains[j] > gains[best] ? j : best;
        if (!(gains[best] > 0))
            break;
        gains[best] = 0;
        tree->stiffness[best] = 0;
        any = true;
    }
    return any;
}

double lm_fit_tree(lm_rig *rig, lm_tree *tree, double target, bool constant) {
    static const double steps[] = {0.1, 0.3, 1, 1};
    lm_begin_poses(rig, tree);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        stiffen(rig, tree, steps[i]);
        improve_tree(rig, tree, 2, 2);
    }
    if (constant)
        stiffen(rig, tree, INFINITY);
    else
        fix_joints(rig, tree, target);
    lm_begin_poses(rig, tree);
    improve_tree(rig, tree, 1, 3);
    double sum = improve_tree(rig, tree, 3, 1);
    for (unsigned n = 1; n <= rig->num_bones / 4 && sum > target && !constant; n *= 2) {
        if (!free_joints(rig, tree, n))
            break;
        sum = improve_tree(rig, tree, 2, 1);
    }
    improve_tree(rig, tree, 3, 1);
    lm_pose_tree(rig, tree, 3, false);
    return lm_tree_error(rig, tree);
}

void lm_fit_loose_tree(lm_rig *rig, lm_tree *tree, double target) {
    stiffen(rig, tree, 0);
    for (uint32_t j = 1; j < rig->num_bones; j++)
        centre_joint(rig, tree, j);
    lm_begin_poses(rig, tree);
    const lm_tree before = *tree;
    fix_joints(rig, tree, target / 8);
    lm_begin_poses(rig, tree);
    if (improve_tree(rig, tree, 4, 1) <= target)
        return;
    lm_rig_restore(rig);
    *tree = before;
    lm_begin_poses(rig, tree);
}
