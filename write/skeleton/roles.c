/* Names joints by their place: legs and arms at the sides of a chain from the hips to the head. */
#include "skeleton/fit.h"

/* The joints of the tree, with what their branches contain. Heights and sides are those of the
 * vertices that follow a joint most. */
typedef struct roles {
    const lm_fit *fit;
    lm_joint *joints;
    uint32_t count;
    double top, bottom, middle;           /* of all vertices: heights, and the plane of symmetry */
    double masses[LM_MAX_SKELETON_BONES]; /* vertices of a joint's branch */
    double lows[LM_MAX_SKELETON_BONES], highs[LM_MAX_SKELETON_BONES]; /* heights of its vertices */
    double sides[LM_MAX_SKELETON_BONES]; /* sum over its vertices of how far they are to the left */
} roles;

static void measure(roles *r) {
    const lm_rig *rig = &r->fit->rig;
    r->top = -INFINITY;
    r->bottom = INFINITY;
    for (uint32_t j = 0; j < r->count; j++) {
        r->masses[j] = r->sides[j] = 0;
        r->lows[j] = INFINITY;
        r->highs[j] = -INFINITY;
    }
    for (uint32_t v = 0; v < rig->num_vertices; v++) {
        const double *p = rig->rest + 3 * (size_t)v;
        const uint16_t joint = rig->joints[(size_t)LM_SKELETON_WEIGHTS * v];
        r->top = fmax(r->top, p[2]);
        r->bottom = fmin(r->bottom, p[2]);
        r->masses[joint]++;
        r->sides[joint] += p[1];
        r->lows[joint] = fmin(r->lows[joint], p[2]);
        r->highs[joint] = fmax(r->highs[joint], p[2]);
    }
    for (uint32_t j = r->count; j-- > 1;) {
        const uint32_t up = r->fit->tree.parents[j];
        r->masses[up] += r->masses[j];
        r->sides[up] += r->sides[j];
        r->lows[up] = fmin(r->lows[up], r->lows[j]);
        r->highs[up] = fmax(r->highs[up], r->highs[j]);
    }
}

static double side_of(const roles *r, uint32_t joint) {
    return r->masses[joint] > 0 ? r->sides[joint] / r->masses[joint] : 0;
}

static double length_of(const roles *r, uint32_t joint) {
    const double *a = r->fit->tree.joints[joint];
    const double *b = r->fit->tree.joints[r->fit->tree.parents[joint]];
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* Returns how unlike two branches are, one at each side: 0 to 1 for those that may be a pair. */
static double unlikeness(const roles *r, uint32_t a, uint32_t b) {
    const double height = r->top - r->bottom, most = fmax(r->masses[a], r->masses[b]);
    const double mass = fabs(r->masses[a] - r->masses[b]) / fmax(most, 1);
    const double low = fabs(r->lows[a] - r->lows[b]) / height;
    const double high = fabs(r->highs[a] - r->highs[b]) / height;
    const double length = fabs(length_of(r, a) - length_of(r, b)) / height;
    return most < 3 ? 2 : fmax(fmax(mass / 0.6, length / 0.15), fmax(low, high) / 0.25);
}

/* Pairs the branches below two joints, which are the same joint or a pair. */
static void pair_below(const roles *r, uint32_t left, uint32_t right) {
    for (;;) {
        double best = 1;
        uint32_t a = 0, b = 0;
        for (uint32_t j = 1; j < r->count; j++)
            for (uint32_t k = 1; k < r->count; k++) {
                const uint32_t *parents = r->fit->tree.parents;
                if (j == k || parents[j] != left || parents[k] != right ||
                    r->joints[j].mirror != j || r->joints[k].mirror != k)
                    continue;
                if (left == right && !(side_of(r, j) > r->middle && side_of(r, k) < r->middle))
                    continue;
                const double unlike = unlikeness(r, j, k);
                if (unlike < best) {
                    best = unlike;
                    a = j;
                    b = k;
                }
            }
        if (a == 0)
            return;
        r->joints[a].mirror = b;
        r->joints[b].mirror = a;
    }
}

/* Parents come first, so the joints above are already paired. */
static void pair_all(const roles *r) {
    for (uint32_t j = 0; j < r->count; j++) {
        const uint32_t parent = r->fit->tree.parents[j], mirror = r->joints[j].mirror;
        if (mirror > j || (mirror == j && (j == 0 || r->joints[parent].mirror == parent)))
            pair_below(r, j, mirror);
    }
}

/* ---- Names ---------------------------------------------------------------------------------- */

static bool give_name(const roles *r, uint32_t joint, const char *format, const char *word,
                      const char *side, unsigned number) {
    r->joints[joint].name = lm_arena_printf(lm_arena_of(r->fit->made), format, word, side, number);
    return r->joints[joint].name != NULL;
}

/* Names a limb and the one at the other side, from the body outwards along the heaviest branch. */
static bool name_limb(const roles *r, uint32_t first, const char *const *words, unsigned count) {
    uint32_t joint = first;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t other = r->joints[joint].mirror;
        uint32_t next = 0;
        if (!give_name(r, joint, "%s%s", words[i], ".L", 0) ||
            !give_name(r, other, "%s%s", words[i], ".R", 0))
            return false;
        for (uint32_t k = joint + 1; k < r->count; k++)
            if (r->fit->tree.parents[k] == joint && r->joints[k].mirror != k &&
                (next == 0 || r->masses[k] > r->masses[next]))
                next = k;
        if (next == 0)
            return true;
        joint = next;
    }
    return true;
}

/* Returns the joint, of a pair at the sides of the same joint, whose branch is best by `value`. */
static uint32_t find_pair(const roles *r, bool legs) {
    const double height = r->top - r->bottom;
    uint32_t found = 0;
    for (uint32_t j = 1; j < r->count; j++) {
        const uint32_t other = r->joints[j].mirror, up = r->fit->tree.parents[j];
        if (other == j || up != r->fit->tree.parents[other] || side_of(r, j) < side_of(r, other) ||
            r->joints[j].name)
            continue;
        const bool is_leg = r->lows[j] < r->bottom + 0.1 * height &&
                            r->lows[other] < r->bottom + 0.1 * height &&
                            r->fit->tree.joints[j][2] > r->bottom + 0.25 * height;
        if (is_leg == legs && (found == 0 || r->masses[j] > r->masses[found]))
            found = j;
    }
    return found;
}

/* Names the joints on the way from the hips to the arms. */
static bool name_spine(const roles *r, uint32_t hips, uint32_t arms) {
    const uint32_t *parents = r->fit->tree.parents;
    bool above[LM_MAX_SKELETON_BONES] = {true}; /* of the arms: their joint and all above it */
    unsigned number = 0;
    for (uint32_t j = arms; j != 0; j = parents[j])
        above[j] = true;
    uint32_t meet = hips; /* where both ways to the root meet */
    while (!above[meet])
        meet = parents[meet];
    if (!r->joints[arms].name && !give_name(r, arms, "%s%s", "chest", "", 0))
        return false;
    for (uint32_t j = 0; j < r->count; j++) {
        bool below = false; /* on the way down from there to the hips or to the arms */
        for (uint32_t k = hips; k != meet; k = parents[k])
            below = below || k == j;
        for (uint32_t k = arms; k != meet; k = parents[k])
            below = below || k == j;
        if ((!below && j != meet) || r->joints[j].name)
            continue;
        number++;
        if (!give_name(r, j, number == 1 ? "%s%s" : "%s%s.%u", "spine", "", number))
            return false;
    }
    return true;
}

/* Names the branch between the arms that reaches the top. */
static bool name_head(const roles *r, uint32_t arms) {
    uint32_t head = 0;
    for (uint32_t k = 1; k < r->count; k++)
        if (!r->joints[k].name && r->joints[k].mirror == k && r->fit->tree.parents[k] == arms &&
            r->highs[k] > r->top - 0.05 * (r->top - r->bottom) &&
            (head == 0 || r->masses[k] > r->masses[head]))
            head = k;
    return head == 0 || give_name(r, head, "%s%s", "head", "", 0);
}

static bool name_roles(const roles *r) {
    static const char *const leg[] = {"hip", "knee", "ankle", "toe"};
    static const char *const arm[] = {"shoulder", "elbow", "wrist", "hand"};
    const uint32_t legs = find_pair(r, true);
    if (legs == 0)
        return true;
    const uint32_t hips = r->fit->tree.parents[legs];
    if (!give_name(r, hips, "%s%s", "hips", "", 0) || !name_limb(r, legs, leg, 4))
        return false;
    const uint32_t arms = find_pair(r, false);
    if (arms == 0)
        return true;
    const uint32_t chest = r->fit->tree.parents[arms];
    return name_limb(r, arms, arm, 4) && name_spine(r, hips, chest) && name_head(r, chest);
}

bool lm_fit_name(lm_fit *fit, lm_joint *joints) {
    roles r = {.fit = fit, .joints = joints, .count = fit->rig.num_bones};
    for (uint32_t j = 0; j < r.count; j++)
        joints[j].mirror = j;
    measure(&r);
    r.middle = side_of(&r, 0);
    if (r.top > r.bottom)
        pair_all(&r);
    if (r.top > r.bottom && !name_roles(&r))
        return false;
    for (uint32_t j = 0; j < r.count; j++)
        if (!joints[j].name && !give_name(&r, j, "%s%s%02u", "bone", ".", j))
            return false;
    return true;
}
