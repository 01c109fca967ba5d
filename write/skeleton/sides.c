/* The sides of a skeleton: what the branches of the tree contain, joints at both sides that are a
 * pair, and their places. */
#include "skeleton/fit.h"

/* ---- Branches ------------------------------------------------------------------------------- */

void lm_measure_branches(const lm_rig *rig, const lm_tree *tree, lm_branches *b) {
    b->top = -INFINITY;
    b->bottom = INFINITY;
    for (uint32_t j = 0; j < rig->num_bones; j++) {
        b->masses[j] = b->sides[j] = 0;
        b->lows[j] = INFINITY;
        b->highs[j] = -INFINITY;
    }
    for (uint32_t v = 0; v < rig->num_vertices; v++) {
        const double *p = rig->rest + 3 * (size_t)v;
        const uint16_t joint = rig->joints[(size_t)LM_SKELETON_WEIGHTS * v];
        b->top = fmax(b->top, p[2]);
        b->bottom = fmin(b->bottom, p[2]);
        b->masses[joint]++;
        b->sides[joint] += p[1];
        b->lows[joint] = fmin(b->lows[joint], p[2]);
        b->highs[joint] = fmax(b->highs[joint], p[2]);
    }
    for (uint32_t j = rig->num_bones; j-- > 1;) {
        const uint32_t up = tree->parents[j];
        b->masses[up] += b->masses[j];
        b->sides[up] += b->sides[j];
        b->lows[up] = fmin(b->lows[up], b->lows[j]);
        b->highs[up] = fmax(b->highs[up], b->highs[j]);
    }
    b->middle = lm_branch_side(b, 0);
}

/* ---- Pairs ---------------------------------------------------------------------------------- */

static double distance(const double *a, const double *b) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static double length_of(const lm_tree *tree, uint32_t joint) {
    return distance(tree->joints[joint], tree->joints[tree->parents[joint]]);
}

/* Returns how unlike two branches are, one at each side: 0 to 1 for those that may be a pair. */
static double unlikeness(const lm_tree *tree, const lm_branches *r, uint32_t a, uint32_t b) {
    const double height = r->top - r->bottom, most = fmax(r->masses[a], r->masses[b]);
    const double mass = fabs(r->masses[a] - r->masses[b]) / fmax(most, 1);
    const double low = fabs(r->lows[a] - r->lows[b]) / height;
    const double high = fabs(r->highs[a] - r->highs[b]) / height;
    const double length = fabs(length_of(tree, a) - length_of(tree, b)) / height;
    return most < 3 ? 2 : fmax(fmax(mass / 0.6, length / 0.15), fmax(low, high) / 0.25);
}

/* Pairs the branches below two joints, which are the same joint or a pair. */
static void pair_below(lm_tree *tree, const lm_branches *r, uint32_t count, uint32_t left,
                       uint32_t right) {
    for (;;) {
        double best = 1;
        uint32_t a = 0, b = 0;
        for (uint32_t j = 1; j < count; j++)
            for (uint32_t k = 1; k < count; k++) {
                if (j == k || tree->parents[j] != left || tree->parents[k] != right ||
                    tree->mirrors[j] != j || tree->mirrors[k] != k)
                    continue;
                if (left == right &&
                    !(lm_branch_side(r, j) > r->middle && lm_branch_side(r, k) < r->middle))
                    continue;
                const double unlike = unlikeness(tree, r, j, k);
                if (unlike < best) {
                    best = unlike;
                    a = j;
                    b = k;
                }
            }
        if (a == 0)
            return;
        tree->mirrors[a] = b;
        tree->mirrors[b] = a;
    }
}

/* Parents come first, so the joints above are already paired. */
static void pair_all(lm_tree *tree, const lm_branches *r, uint32_t count) {
    for (uint32_t j = 0; j < count; j++)
        tree->mirrors[j] = j;
    for (uint32_t j = 0; j < count && r->top > r->bottom; j++) {
        const uint32_t parent = tree->parents[j], mirror = tree->mirrors[j];
        if (mirror > j || (mirror == j && (j == 0 || tree->mirrors[parent] == parent)))
            pair_below(tree, r, count, j, mirror);
    }
}

/* ---- Places --------------------------------------------------------------------------------- */

#define MIRRORED 0.05   /* of the height: how far joints of a pair may be from mirrored places */
#define EVEN 0.3        /* of the longer bone: how much shorter the other one may be */
#define EVEN_COST 1.04  /* what equal sides may cost, in squared error */
#define EVEN_ATTEMPTS 3 /* with mirrored places, with lengths, with the nearer half of these */

/* A tie of a pair, or of a joint between two sides and the plane of symmetry. */
typedef struct tie {
    uint32_t a, b;   /* b == a: to the plane */
    bool mirrored;   /* to mirrored places; otherwise to equal distances from their parents */
    double distance; /* how far they are from that */
} tie;

/* Returns whether two joints are about mirrored. */
static bool is_mirrored(const lm_tree *tree, const lm_branches *r, uint32_t j, uint32_t k,
                        double *apart) {
    const double *a = tree->joints[j], *b = tree->joints[k];
    const double other[3] = {b[0], 2 * r->middle - b[1], b[2]};
    *apart = distance(a, other);
    return *apart <= MIRRORED * (r->top - r->bottom);
}

/* Puts the plane of symmetry between the pairs that it about mirrors. */
static void find_plane(const lm_tree *tree, uint32_t count, lm_branches *r) {
    double sum = 0, apart;
    uint32_t pairs = 0;
    for (uint32_t j = 1; j < count; j++)
        if (tree->mirrors[j] > j && is_mirrored(tree, r, j, tree->mirrors[j], &apart)) {
            sum += (tree->joints[j][1] + tree->joints[tree->mirrors[j]][1]) / 2;
            pairs++;
        }
    if (pairs > 0)
        r->middle = sum / pairs;
}

/* Returns whether a joint is between the joints of a mirrored pair. */
static bool is_between(const lm_tree *tree, const lm_branches *r, uint32_t count, uint32_t joint) {
    double apart;
    for (uint32_t j = 1; j < count; j++)
        if (tree->parents[j] == joint && tree->mirrors[j] != j && j != joint &&
            is_mirrored(tree, r, j, tree->mirrors[j], &apart))
            return true;
    return false;
}

/* Finds the ties of a tree, those that move joints least first. `mirrored` false: only those of
 * lengths. */
static uint32_t find_ties(const lm_tree *tree, const lm_branches *r, uint32_t count, bool mirrored,
                          tie *ties) {
    uint32_t found = 0;
    for (uint32_t j = 0; j < count; j++) {
        const uint32_t k = tree->mirrors[j], up = tree->parents[j];
        const double la = length_of(tree, j), lb = length_of(tree, k);
        double apart; /* of the joints above */
        tie t = {.a = j, .b = k};
        t.mirrored = mirrored && is_mirrored(tree, r, j, k, &t.distance) &&
                     is_mirrored(tree, r, up, tree->parents[k], &apart);
        if (!t.mirrored)
            t.distance = fabs(la - lb);
        if (k < j || (k == j && !(t.mirrored && is_between(tree, r, count, j))) ||
            (!t.mirrored && t.distance > EVEN * fmax(la, lb)))
            continue;
        uint32_t at = found++;
        for (; at > 0 && ties[at - 1].distance > t.distance; at--)
            ties[at] = ties[at - 1];
        ties[at] = t;
    }
    return found;
}

/* Moves a joint to a distance from its parent. */
static void set_length(lm_tree *tree, uint32_t joint, double length) {
    const double old = length_of(tree, joint);
    const double *from = tree->joints[tree->parents[joint]];
    for (int d = 0; d < 3 && old > 0; d++)
        tree->joints[joint][d] = from[d] + (tree->joints[joint][d] - from[d]) * length / old;
}

static void move_tied(lm_tree *tree, const tie *t, double middle) {
    double *a = tree->joints[t->a], *b = tree->joints[t->b];
    if (!t->mirrored) {
        const double length = (length_of(tree, t->a) + length_of(tree, t->b)) / 2;
        set_length(tree, t->a, length);
        set_length(tree, t->b, length);
        return;
    }
    for (int d = 0; d < 3; d++) {
        const double from = d == 1 ? 2 * middle - b[d] : b[d], mean = (a[d] + from) / 2;
        a[d] = mean;
        b[d] = d == 1 ? 2 * middle - mean : mean;
    }
}

/* Moves tied joints, parents first. */
static void move_all(lm_tree *tree, const tie *ties, uint32_t count, double middle,
                     uint32_t num_joints) {
    for (uint32_t j = 0; j < num_joints; j++)
        for (uint32_t i = 0; i < count; i++)
            if (j == (ties[i].a > ties[i].b ? ties[i].a : ties[i].b))
                move_tied(tree, &ties[i], middle);
}

/* Improves poses, joints and weights, with ties. Returns the sum of the squared errors. */
static double improve_tied(lm_rig *rig, lm_tree *tree, const tie *ties, uint32_t count,
                           double middle) {
    for (int i = 0; i < 2; i++) {
        move_all(tree, ties, count, middle, rig->num_bones);
        lm_pose_tree(rig, tree, 2, true);
        lm_weigh(rig, LM_SKELETON_WEIGHTS, true);
    }
    move_all(tree, ties, count, middle, rig->num_bones);
    return lm_pose_tree(rig, tree, 3, false);
}

void lm_even_sides(lm_rig *rig, lm_tree *tree, double rounding) {
    lm_branches branches = {0};
    tie ties[LM_MAX_SKELETON_BONES];
    lm_measure_branches(rig, tree, &branches);
    pair_all(tree, &branches, rig->num_bones);
    find_plane(tree, rig->num_bones, &branches);
    uint32_t count = find_ties(tree, &branches, rig->num_bones, true, ties);
    if (count == 0)
        return;
    lm_rig_save(rig);
    const lm_tree before = *tree;
    const double most = EVEN_COST * fmax(improve_tied(rig, tree, NULL, 0, 0), rounding);
    for (int i = 0; i < EVEN_ATTEMPTS && count > 0; i++) {
        lm_rig_restore(rig);
        *tree = before;
        if (improve_tied(rig, tree, ties, count, branches.middle) <= most)
            return;
        count = i == 0 ? find_ties(&before, &branches, rig->num_bones, false, ties) : count / 2;
    }
    lm_rig_restore(rig);
    *tree = before;
}
