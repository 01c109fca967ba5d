/* The sides of a skeleton: what the branches of the tree contain, joints at both sides that are a
 * pair, their places, and the names of joints: legs and arms at the sides of a chain from the hips
 * to the head. */
#include "skeleton/fit.h"

/* ---- Branches ------------------------------------------------------------------------------- */

/* The contents of the branches below each joint. Heights and sides are those of the vertices that
 * follow a joint most, in the rest pose. */
typedef struct side_branches {
    double top, bottom, middle;           /* of all vertices: heights, and the plane of symmetry */
    double masses[LM_MAX_SKELETON_BONES]; /* vertices */
    double lows[LM_MAX_SKELETON_BONES], highs[LM_MAX_SKELETON_BONES]; /* their heights */
    double sides[LM_MAX_SKELETON_BONES]; /* the sum of how far they are to the left */
} side_branches;

static double branch_side(const side_branches *b, uint32_t joint) {
    return b->masses[joint] > 0 ? b->sides[joint] / b->masses[joint] : 0;
}

static void measure_branches(const lm_rig *rig, const lm_tree *tree, side_branches *b) {
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
    b->middle = branch_side(b, 0);
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
static double unlikeness(const lm_tree *tree, const side_branches *r, uint32_t a, uint32_t b) {
    const double height = r->top - r->bottom, most = fmax(r->masses[a], r->masses[b]);
    const double mass = fabs(r->masses[a] - r->masses[b]) / fmax(most, 1);
    const double low = fabs(r->lows[a] - r->lows[b]) / height;
    const double high = fabs(r->highs[a] - r->highs[b]) / height;
    const double length = fabs(length_of(tree, a) - length_of(tree, b)) / height;
    return most < 3 ? 2 : fmax(fmax(mass / 0.6, length / 0.15), fmax(low, high) / 0.25);
}

/* Pairs the branches below two joints, which are the same joint or a pair. */
static void pair_below(lm_tree *tree, const side_branches *r, uint32_t count, uint32_t left,
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
                    !(branch_side(r, j) > r->middle && branch_side(r, k) < r->middle))
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
static void pair_all(lm_tree *tree, const side_branches *r, uint32_t count) {
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
static bool is_mirrored(const lm_tree *tree, const side_branches *r, uint32_t j, uint32_t k,
                        double *apart) {
    const double *a = tree->joints[j], *b = tree->joints[k];
    const double other[3] = {b[0], 2 * r->middle - b[1], b[2]};
    *apart = distance(a, other);
    return *apart <= MIRRORED * (r->top - r->bottom);
}

/* Puts the plane of symmetry between the pairs that it about mirrors. */
static void find_plane(const lm_tree *tree, uint32_t count, side_branches *r) {
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
static bool is_between(const lm_tree *tree, const side_branches *r, uint32_t count,
                       uint32_t joint) {
    double apart;
    for (uint32_t j = 1; j < count; j++)
        if (tree->parents[j] == joint && tree->mirrors[j] != j && j != joint &&
            is_mirrored(tree, r, j, tree->mirrors[j], &apart))
            return true;
    return false;
}

/* Finds the ties of a tree, those that move joints least first. `mirrored` false: only those of
 * lengths. */
static uint32_t find_ties(const lm_tree *tree, const side_branches *r, uint32_t count,
                          bool mirrored, tie *ties) {
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
        lmi_pose_tree(rig, tree, 2, true);
        lmi_weigh(rig, LM_SKELETON_WEIGHTS, true);
    }
    move_all(tree, ties, count, middle, rig->num_bones);
    return lmi_pose_tree(rig, tree, 3, false);
}

void lmi_even_sides(lm_rig *rig, lm_tree *tree, double rounding) {
    side_branches b = {0};
    tie ties[LM_MAX_SKELETON_BONES];
    measure_branches(rig, tree, &b);
    pair_all(tree, &b, rig->num_bones);
    find_plane(tree, rig->num_bones, &b);
    uint32_t count = find_ties(tree, &b, rig->num_bones, true, ties);
    if (count == 0)
        return;
    lmi_rig_save(rig);
    const lm_tree before = *tree;
    const double most = EVEN_COST * fmax(improve_tied(rig, tree, NULL, 0, 0), rounding);
    for (int i = 0; i < EVEN_ATTEMPTS && count > 0; i++) {
        lmi_rig_restore(rig);
        *tree = before;
        if (improve_tied(rig, tree, ties, count, b.middle) <= most)
            return;
        count = i == 0 ? find_ties(&before, &b, rig->num_bones, false, ties) : count / 2;
    }
    lmi_rig_restore(rig);
    *tree = before;
}

/* ---- Names ---------------------------------------------------------------------------------- */

typedef struct roles {
    const lm_fit *fit;
    lm_joint *joints;
    uint32_t count;
    side_branches branches;
    bool torso; /* the upper part of a player */
} roles;

static bool give_name(const roles *r, uint32_t joint, const char *format, const char *word,
                      const char *side, unsigned number) {
    r->joints[joint].name =
        lmi_arena_printf(lmi_arena_of(r->fit->made), format, word, side, number);
    return r->joints[joint].name != NULL;
}

/* Names a limb and the one at the other side, from the body outwards along the heaviest branch. */
static bool name_limb(const roles *r, uint32_t first, const char *const *words, unsigned count) {
    uint32_t joint = first;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t other = r->fit->tree.mirrors[joint];
        uint32_t next = 0;
        if (!give_name(r, joint, "%s%s", words[i], ".L", 0) ||
            !give_name(r, other, "%s%s", words[i], ".R", 0))
            return false;
        for (uint32_t k = joint + 1; k < r->count; k++)
            if (r->fit->tree.parents[k] == joint && r->fit->tree.mirrors[k] != k &&
                (next == 0 || r->branches.masses[k] > r->branches.masses[next]))
                next = k;
        if (next == 0)
            return true;
        joint = next;
    }
    return true;
}

/* Returns the joint, of a pair at the sides of the same joint, whose branch is best by `value`. */
static uint32_t find_pair(const roles *r, bool legs) {
    const double height = r->branches.top - r->branches.bottom;
    uint32_t found = 0;
    for (uint32_t j = 1; j < r->count; j++) {
        const uint32_t other = r->fit->tree.mirrors[j], up = r->fit->tree.parents[j];
        if (other == j || up != r->fit->tree.parents[other] ||
            branch_side(&r->branches, j) < branch_side(&r->branches, other) || r->joints[j].name)
            continue;
        const bool is_leg = !r->torso && r->branches.lows[j] < r->branches.bottom + 0.1 * height &&
                            r->branches.lows[other] < r->branches.bottom + 0.1 * height &&
                            r->fit->tree.joints[j][2] > r->branches.bottom + 0.25 * height;
        if (is_leg == legs && (found == 0 || r->branches.masses[j] > r->branches.masses[found]))
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
        if (!r->joints[k].name && r->fit->tree.mirrors[k] == k && r->fit->tree.parents[k] == arms &&
            r->branches.highs[k] >
                r->branches.top - 0.05 * (r->branches.top - r->branches.bottom) &&
            (head == 0 || r->branches.masses[k] > r->branches.masses[head]))
            head = k;
    return head == 0 || give_name(r, head, "%s%s", "head", "", 0);
}

/* Returns the height of a tag in the rest frame; `missing` if there is none. */
static double height_of(const lm_fit *fit, const char *tag, double missing) {
    for (uint32_t i = 0; i < fit->mesh->num_tags; i++)
        if (strcmp(fit->mesh->tags[i].name, tag) == 0)
            return (double)fit->mesh->tags[i].poses[fit->rest_frame].origin.z;
    return missing;
}

/* Returns whether the mesh is the upper part of a player of Quake III. It has the tags of the head
 * and the weapon, and its origin, where the legs' tag_torso attaches it, is near its lower end. */
static bool is_torso(const roles *r) {
    const lm_fit *fit = r->fit;
    const double bottom = r->branches.bottom + fit->centres[fit->rest_frame][2];
    const double height = r->branches.top - r->branches.bottom;
    const double legs = height_of(fit, "tag_torso", 0); /* in a torso, at the origin */
    return isfinite(height_of(fit, "tag_head", INFINITY)) &&
           isfinite(height_of(fit, "tag_weapon", INFINITY)) && legs < bottom + 0.35 * height &&
           bottom < -0.02 * height && 0 < bottom + 0.35 * height;
}

static bool name_arms(const roles *r, uint32_t hips) {
    static const char *const arm[] = {"shoulder", "elbow", "wrist", "hand"};
    const uint32_t arms = find_pair(r, false);
    if (arms == 0)
        return true;
    const uint32_t chest = r->fit->tree.parents[arms];
    return name_limb(r, arms, arm, 4) && name_spine(r, hips, chest) && name_head(r, chest);
}

static bool name_roles(const roles *r) {
    static const char *const leg[] = {"hip", "knee", "ankle", "toe"};
    if (r->torso)
        return name_arms(r, 0);
    const uint32_t legs = find_pair(r, true);
    if (legs == 0)
        return true;
    const uint32_t hips = r->fit->tree.parents[legs];
    return give_name(r, hips, "%s%s", "hips", "", 0) && name_limb(r, legs, leg, 4) &&
           name_arms(r, hips);
}

/* Names a joint by its number; a pair by that of the first. */
static bool number_joint(const roles *r, uint32_t joint) {
    const uint32_t other = r->fit->tree.mirrors[joint];
    const double to_left = branch_side(&r->branches, joint) - branch_side(&r->branches, other);
    const bool left = to_left > 0 || (!(to_left < 0) && joint < other);
    const char *side = other == joint ? "" : left ? ".L" : ".R";
    r->joints[joint].name = lmi_arena_printf(lmi_arena_of(r->fit->made), "bone.%02u%s",
                                             (unsigned)(joint < other ? joint : other), side);
    return r->joints[joint].name != NULL;
}

bool lmi_fit_name(lm_fit *fit, lm_joint *joints) {
    roles r = {.fit = fit, .joints = joints, .count = fit->rig.num_bones};
    measure_branches(&fit->rig, &fit->tree, &r.branches);
    r.torso = is_torso(&r);
    for (uint32_t j = 0; j < r.count; j++)
        joints[j].mirror = fit->tree.mirrors[j];
    if (r.branches.top > r.branches.bottom && !name_roles(&r))
        return false;
    for (uint32_t j = 0; j < r.count; j++)
        if (!joints[j].name && !number_joint(&r, j))
            return false;
    return true;
}
