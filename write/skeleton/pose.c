#include "skeleton/tree.h"

/* The weight of a joint's present place, relative to the frames. */
#define STAY 1e-3
/* How far rounding may move a joint from the middle of the vertices that follow both bones, in
 * quanta, and the most that this may weigh. A hinge may be anywhere on its axis: this decides. */
#define SLACK 4
#define MOST_DRAW 0.01
/* The farthest that a joint that does not translate may be from the middle of its vertices,
 * relative to their root mean square distance. At the end of a straight limb, it is 1.7. */
#define REACH 2.5
#define INWARD 0.03     /* the weight of the middle of its region for a joint that translates */
#define STRONGEST 20    /* times 4: the most that draws such a joint to its region */
#define LEAST_MASS 1e-3 /* squared weights that decide where a joint is */
#define NEAR 1.2        /* times the error wanted: from there, fewer joints are freed at a time */

/* ---- Places --------------------------------------------------------------------------------- */

/* A sphere in which a joint should be. */
typedef struct joint_region {
    double middle[3], radius;
} joint_region;

/* Returns the middle of the vertices that follow two bones, by the products of their weights. The
 * radius is their root mean square distance from it. */
static joint_region find_middle(const lm_rig *rig, uint32_t a, uint32_t b) {
    double(*share)[4] = lm_rig_share(rig, a, b), spread = 0;
    joint_region found = {.radius = 0};
    for (int d = 0; d < 3; d++) {
        found.middle[d] = share[3][d] / fmax(share[3][3], 1e-9);
        spread += share[d][d] / fmax(share[3][3], 1e-9) - found.middle[d] * found.middle[d];
    }
    found.radius = sqrt(fmax(spread, 0));
    return found;
}

static double distance_from(const joint_region *region, const double at[3]) {
    double sum = 0;
    for (int d = 0; d < 3; d++)
        sum += (at[d] - region->middle[d]) * (at[d] - region->middle[d]);
    return sqrt(sum);
}

/* Returns the region of the joint of a bone and the one above: that of the vertices that follow
 * both, or else that of its own. */
static joint_region find_region(const lm_rig *rig, uint32_t up, uint32_t bone) {
    const joint_region own = find_middle(rig, bone, bone), above = find_middle(rig, up, up);
    joint_region found = find_middle(rig, up, bone);
    if (lm_rig_share(rig, up, bone)[3][3] <= 1e-6)
        return own;
    found.radius = fmax(found.radius, distance_from(&above, own.middle) / 2);
    return found;
}

/* ---- Poses ---------------------------------------------------------------------------------- */

void lm_branch_masses(const lm_rig *rig, const lm_tree *tree, double *masses) {
    memset(masses, 0, rig->num_bones * sizeof *masses);
    for (uint32_t j = 0; j < rig->num_bones; j++)
        for (uint32_t k = 0; k < rig->num_bones; k++) {
            uint32_t a = j, b = k; /* then the joint where their branches meet */
            const double share = lm_rig_share(rig, j, k)[3][3];
            while (a != b && share > 0) {
                const uint32_t lower = a > b ? a : b;
                b = a > b ? b : a;
                a = tree->parents[lower];
            }
            masses[a] += share;
        }
    for (uint32_t j = rig->num_bones; j-- > 1;)
        masses[tree->parents[j]] += masses[j];
}

/* Moves a joint that does not translate. The vertices of its branch move by (R_parent - R) times
 * the shift. All joints move at once, so each takes half of its shift. */
static void shift_joint(const lm_rig *rig, lm_tree *tree, uint32_t joint, double mass) {
    double shift[3], (*m)[4] = tree->pulls[joint].bends;
    const joint_region region = find_region(rig, tree->parents[joint], joint);
    const double slack = SLACK * rig->quantum / region.radius;
    const double draw = fmin(slack * slack, MOST_DRAW) * mass * rig->num_frames;
    for (int d = 0; d < 3; d++) {
        for (int e = 0; e < 3; e++)
            m[d][e] *= mass;
        m[d][d] += draw;
        m[d][3] += draw * (region.middle[d] - tree->joints[joint][d]);
    }
    lm_solve3(m, shift);
    for (int d = 0; d < 3; d++)
        tree->joints[joint][d] += shift[d] / 2;
}

double lm_pose_tree(lm_rig *rig, lm_tree *tree, unsigned steps, bool shift) {
    double masses[LM_MAX_SKELETON_BONES];
    lm_sum_shares(rig);
    const double sum = lm_solve_poses(rig, tree, steps);
    if (!shift)
        return sum;
    lm_branch_masses(rig, tree, masses);
    for (uint32_t j = 1; j < rig->num_bones; j++)
        if (!(tree->stiffness[j] < INFINITY))
            shift_joint(rig, tree, j, masses[j]);
    lm_hang_joints(rig, tree);
    return sum;
}

/* ---- Joints that translate ------------------------------------------------------------------ */

/* Finds what the bones of a joint and its parent do to the joint differently: the sum of the
 * squares. With `m`, adds the equations of the place where they differ least. */
static double find_slide(const lm_rig *rig, const lm_tree *tree, uint32_t joint, double (*m)[4]) {
    const double *c = tree->joints[joint], *own = lm_rig_bone(rig, joint, 0);
    const double *up = lm_rig_bone(rig, tree->parents[joint], 0);
    double sum = 0;
    for (uint32_t row = 0; row < rig->num_rows; row++, own += 4, up += 4) {
        const double bend[3] = {own[0] - up[0], own[1] - up[1], own[2] - up[2]};
        const double gap = bend[0] * c[0] + bend[1] * c[1] + bend[2] * c[2] + own[3] - up[3];
        sum += gap * gap;
        for (int d = 0; d < 3 && m; d++) {
            m[d][3] -= bend[d] * gap;
            for (int e = 0; e < 3; e++)
                m[d][e] += bend[d] * bend[e];
        }
    }
    return sum;
}

/* Moves a joint to where its bone and its parent's move alike. */
static void centre_joint(const lm_rig *rig, lm_tree *tree, uint32_t joint) {
    double m[3][4] = {{0}}, shift[3];
    find_slide(rig, tree, joint, m);
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
    }
    return sum;
}

static void stiffen(lm_rig *rig, lm_tree *tree, double stiffness) {
    for (uint32_t j = 1; j < rig->num_bones; j++)
        tree->stiffness[j] = stiffness;
}

/* Fixes the joints whose translations matter least together. */
static void fix_joints(lm_rig *rig, lm_tree *tree, double room) {
    double harms[LM_MAX_SKELETON_BONES] = {0}, masses[LM_MAX_SKELETON_BONES];
    lm_sum_shares(rig);
    lm_branch_masses(rig, tree, masses);
    for (uint32_t j = 1; j < rig->num_bones; j++) {
        harms[j] = find_slide(rig, tree, j, NULL) * masses[j];
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
    double gains[LM_MAX_SKELETON_BONES] = {0}, masses[LM_MAX_SKELETON_BONES];
    bool any = false;
    lm_pose_tree(rig, tree, 0, false);
    lm_branch_masses(rig, tree, masses);
    for (uint32_t j = 1; j < rig->num_bones; j++)
        if (!(tree->stiffness[j] < INFINITY) && masses[j] > 0)
            gains[j] = tree->pulls[j].square / masses[j];
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

/* Moves a joint to where it slides least in its region. */
static void pull_joint(const lm_rig *rig, lm_tree *tree, uint32_t joint,
                       const joint_region *region) {
    double slides[3][4] = {{0}}, *at = tree->joints[joint];
    memcpy(at, region->middle, sizeof region->middle);
    find_slide(rig, tree, joint, slides);
    double draw = INWARD * rig->num_frames;
    for (int i = 0; i < STRONGEST; i++, draw *= 4) {
        double m[3][4], shift[3];
        memcpy(m, slides, sizeof m);
        for (int d = 0; d < 3; d++)
            m[d][d] += draw;
        lm_solve3(m, shift);
        if (sqrt(shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2]) > region->radius)
            continue;
        for (int d = 0; d < 3; d++)
            at[d] += shift[d];
        return;
    }
}

void lm_pull_joints(lm_rig *rig, lm_tree *tree) {
    lm_sum_shares(rig);
    for (uint32_t j = 1; j < rig->num_bones; j++) {
        const joint_region own = find_middle(rig, j, j);
        const joint_region region = find_region(rig, tree->parents[j], j);
        if (!(tree->stiffness[j] < INFINITY) &&
            distance_from(&own, tree->joints[j]) <= REACH * own.radius)
            continue;
        tree->stiffness[j] = 0;
        pull_joint(rig, tree, j, &region);
    }
}

void lm_fix_idle_joints(lm_rig *rig, lm_tree *tree) {
    double masses[LM_MAX_SKELETON_BONES] = {0};
    lm_sum_shares(rig);
    for (uint32_t j = rig->num_bones; j-- > 1;) {
        const uint32_t up = tree->parents[j];
        masses[j] += lm_rig_share(rig, j, j)[3][3];
        if (masses[j] < LEAST_MASS) {
            tree->stiffness[j] = INFINITY;
            memcpy(tree->joints[j], tree->joints[up], sizeof tree->joints[j]);
        }
        if (!(tree->stiffness[j] < INFINITY))
            masses[up] += masses[j];
    }
}

double lm_fit_tree(lm_rig *rig, lm_tree *tree, double target, bool constant) {
    static const double steps[] = {0.1, 0.3, 1, 1};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        stiffen(rig, tree, steps[i]);
        improve_tree(rig, tree, 2, 1);
    }
    if (constant)
        stiffen(rig, tree, INFINITY);
    else
        fix_joints(rig, tree, target);
    improve_tree(rig, tree, 1, 3);
    double sum = improve_tree(rig, tree, 3, 1);
    for (unsigned n = 0, more; sum > target && !constant; n += more) {
        more = 1 + n / (sum > NEAR * target ? 2 : 8);
        if (!free_joints(rig, tree, more))
            break;
        sum = improve_tree(rig, tree, 2, 1);
    }
    improve_tree(rig, tree, 3, 1);
    return lm_pose_tree(rig, tree, 3, false);
}

void lm_fit_loose_tree(lm_rig *rig, lm_tree *tree, double target) {
    stiffen(rig, tree, 0);
    for (uint32_t j = 1; j < rig->num_bones; j++)
        centre_joint(rig, tree, j);
    const lm_tree before = *tree;
    fix_joints(rig, tree, target / 8);
    if (improve_tree(rig, tree, 4, 1) <= target)
        return;
    lm_rig_restore(rig);
    *tree = before;
}
