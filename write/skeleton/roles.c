/* Names joints by their place: legs and arms at the sides of a chain from the hips to the head. */
#include "skeleton/fit.h"

typedef struct roles {
    const lm_fit *fit;
    lm_joint *joints;
    uint32_t count;
    lm_branches branches;
    bool torso; /* the upper part of a player */
} roles;

static bool give_name(const roles *r, uint32_t joint, const char *format, const char *word,
                      const char *side, unsigned number) {
    r->joints[joint].name = lm_arena_printf(lm_arena_of(r->fit->made), format, word, side, number);
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
            lm_branch_side(&r->branches, j) < lm_branch_side(&r->branches, other) ||
            r->joints[j].name)
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
    const double to_left =
        lm_branch_side(&r->branches, joint) - lm_branch_side(&r->branches, other);
    const bool left = to_left > 0 || (!(to_left < 0) && joint < other);
    const char *side = other == joint ? "" : left ? ".L" : ".R";
    r->joints[joint].name = lm_arena_printf(lm_arena_of(r->fit->made), "bone.%02u%s",
                                            (unsigned)(joint < other ? joint : other), side);
    return r->joints[joint].name != NULL;
}

bool lm_fit_name(lm_fit *fit, lm_joint *joints) {
    roles r = {.fit = fit, .joints = joints, .count = fit->rig.num_bones};
    lm_measure_branches(&fit->rig, &fit->tree, &r.branches);
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
