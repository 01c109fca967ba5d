#include "skeleton/fit.h"

/* ---- Joints --------------------------------------------------------------------------------- */

/* A joint between two bones: the point that both move alike. */
typedef struct joining {
    double centre[3];
    double cost;
} joining;

/* The weight of the distance to the vertices that both bones move, relative to the squared distance
 * between the points to which the bones move the joint. */
#define DRAW 1e-3

static void centre_of(const lm_rig *rig, uint32_t bone, double out[3]) {
    double(*own)[4] = lm_rig_share(rig, bone, bone);
    for (int d = 0; d < 3; d++)
        out[d] = own[3][3] > 0 ? own[3][d] / own[3][3] : 0;
}

/* Finds the joint of two bones. Its cost is the error of a coordinate, in quanta, squared, if both
 * bones meet there, and more if few vertices follow both. */
static joining join(const lm_rig *rig, uint32_t a, uint32_t b) {
    double q[4][4], m[3][4], near[3], far[3];
    joining made = {.cost = 0};
    double(*both)[4] = lm_rig_share(rig, a, b);
    const double shared = both[3][3];
    centre_of(rig, a, near);
    centre_of(rig, b, far);
    for (int d = 0; d < 3; d++)
        near[d] = shared > 1e-6 ? both[3][d] / shared : (near[d] + far[d]) / 2;
    for (int d = 0; d < 4; d++)
        for (int e = 0; e < 4; e++)
            q[d][e] = lm_rig_pair(rig, a, a)[d][e] - lm_rig_pair(rig, a, b)[d][e] -
                      lm_rig_pair(rig, b, a)[d][e] + lm_rig_pair(rig, b, b)[d][e];
    for (int d = 0; d < 3; d++) {
        for (int e = 0; e < 3; e++)
            m[d][e] = q[d][e] + (d == e ? DRAW * rig->num_frames : 0);
        m[d][3] = DRAW * rig->num_frames * near[d] - q[d][3];
    }
    lmi_solve(m, 3, made.centre);
    const double c[4] = {made.centre[0], made.centre[1], made.centre[2], 1};
    for (int d = 0; d < 4; d++)
        for (int e = 0; e < 4; e++)
            made.cost += c[d] * q[d][e] * c[e];
    made.cost = fmax(made.cost, 0) / rig->num_rows / (rig->quantum * rig->quantum);
    const double least = fmin(lm_rig_share(rig, a, a)[3][3], lm_rig_share(rig, b, b)[3][3]);
    made.cost = (made.cost + 1) * (1 + 0.1 * least / (shared + 1e-3 * least + 1e-9));
    return made;
}

/* ---- The tree ------------------------------------------------------------------------------- */

/* Connects all bones at the least cost (Prim). `links` [num_bones] becomes the bone to which each
 * was connected; that of bone 0 is itself. */
static void connect(const lm_rig *rig, uint32_t *links) {
    double costs[LM_MAX_SKELETON_BONES];
    bool done[LM_MAX_SKELETON_BONES] = {true};
    for (uint32_t j = 1; j < rig->num_bones; j++) {
        costs[j] = join(rig, 0, j).cost;
        links[j] = 0;
    }
    for (uint32_t n = 1; n < rig->num_bones; n++) {
        uint32_t next = 0;
        for (uint32_t j = 1; j < rig->num_bones; j++)
            if (!done[j] && (next == 0 || costs[j] < costs[next]))
                next = j;
        done[next] = true;
        for (uint32_t j = 1; j < rig->num_bones; j++) {
            const double cost = done[j] ? 0 : join(rig, next, j).cost;
            if (!done[j] && cost < costs[j]) {
                costs[j] = cost;
                links[j] = next;
            }
        }
    }
}

/* Returns the bone at which the tree balances: no branch has more than half of the vertices. */
static uint32_t find_balance(const lm_rig *rig, const uint32_t *links) {
    double masses[LM_MAX_SKELETON_BONES], whole = 0, best = INFINITY;
    uint32_t found = 0;
    for (uint32_t j = 0; j < rig->num_bones; j++)
        whole += masses[j] = lm_rig_share(rig, j, j)[3][3];
    for (uint32_t root = 0; root < rig->num_bones; root++) {
        double branches[LM_MAX_SKELETON_BONES] = {0}, most = 0, below = 0;
        /* The branch of each bone: the last bone before `root` on the way to bone 0, or up. */
        for (uint32_t j = 0; j < rig->num_bones; j++) {
            uint32_t at = j, before = j;
            while (at != root && at != 0) {
                before = at;
                at = links[at];
            }
            if (at == root && j != root)
                branches[before] += masses[j];
            if (at == root)
                below += masses[j];
        }
        for (uint32_t j = 0; j < rig->num_bones; j++)
            most = fmax(most, branches[j]);
        most = fmax(most, whole - below);
        if (most < best) {
            best = most;
            found = root;
        }
    }
    return found;
}

static uint32_t meet(const uint32_t *links, uint32_t a, uint32_t b) {
    bool above[LM_MAX_SKELETON_BONES] = {true};
    for (; a != 0; a = links[a])
        above[a] = true;
    while (!above[b])
        b = links[b];
    return b;
}

/* Returns the bone from which the ways lead apart to the lowest bones of both sides and to the
 * highest one: the hips, if there are any. Otherwise returns the balance. */
static uint32_t find_root(const lm_rig *rig, const uint32_t *links) {
    double lows[2] = {INFINITY, INFINITY}, high = -INFINITY, centre[3], middle = 0;
    uint32_t feet[2] = {0, 0}, top = 0;
    for (uint32_t v = 0; v < rig->num_vertices; v++)
        middle += rig->rest[3 * (size_t)v + 1] / rig->num_vertices;
    for (uint32_t j = 0; j < rig->num_bones; j++) {
        centre_of(rig, j, centre);
        const int side = centre[1] > middle;
        if (centre[2] < lows[side]) {
            lows[side] = centre[2];
            feet[side] = j;
        }
        if (centre[2] > high) {
            high = centre[2];
            top = j;
        }
    }
    const uint32_t a = meet(links, feet[0], feet[1]), b = meet(links, feet[0], top),
                   c = meet(links, feet[1], top),
                   hips = a == b   ? c
                          : a == c ? b
                                   : a;
    const double height = high - fmin(lows[0], lows[1]);
    const bool stands = fabs(lows[0] - lows[1]) < 0.25 * height; /* on both feet */
    return stands && hips != feet[0] && hips != feet[1] && hips != top ? hips
                                                                       : find_balance(rig, links);
}

/* Gives bone order[i] the number i. `scratch` has the size of the bones. */
static void rig_reorder(lm_rig *rig, const uint32_t *order, double *scratch) {
    uint16_t places[LM_MAX_SKELETON_BONES] = {0};
    const size_t size = (size_t)rig->num_rows * 4;
    for (uint32_t i = 0; i < rig->num_bones; i++) {
        places[order[i]] = (uint16_t)i;
        memcpy(scratch + i * size, lmi_rig_bone(rig, order[i], 0), size * sizeof *scratch);
    }
    memcpy(rig->bones, scratch, rig->num_bones * size * sizeof *scratch);
    for (size_t i = 0; i < (size_t)rig->num_vertices * LM_SKELETON_WEIGHTS; i++)
        rig->joints[i] = rig->weights[i] > 0 ? places[rig->joints[i]] : 0;
    lmi_sum_shares(rig);
    lmi_sum_pairs(rig);
}

void lmi_make_tree(lm_rig *rig, lm_tree *tree) {
    uint32_t links[LM_MAX_SKELETON_BONES] = {0}, order[LM_MAX_SKELETON_BONES] = {0},
             places[LM_MAX_SKELETON_BONES] = {0};
    lmi_sum_pairs(rig);
    connect(rig, links);
    const uint32_t root = find_root(rig, links);
    /* Turn the links so that they lead to `root`. */
    uint32_t above = root, bone = root;
    for (bool top = false; !top;) {
        const uint32_t next = links[bone];
        top = bone == 0 || next == bone;
        links[bone] = above;
        above = bone;
        bone = next;
    }
    /* List the bones so that parents come first. */
    uint32_t listed = 1;
    order[0] = root;
    for (uint32_t i = 0; i < listed; i++)
        for (uint32_t j = 0; j < rig->num_bones; j++)
            if (j != root && links[j] == order[i])
                order[listed++] = j;
    rig_reorder(rig, order, tree->turns);
    for (uint32_t i = 0; i < rig->num_bones; i++)
        places[order[i]] = i;
    centre_of(rig, 0, tree->joints[0]);
    for (uint32_t i = 0; i < rig->num_bones; i++) {
        tree->parents[i] = i == 0 ? 0 : places[links[order[i]]];
        tree->stiffness[i] = 0;
        if (i > 0)
            memcpy(tree->joints[i], join(rig, tree->parents[i], i).centre, sizeof tree->joints[i]);
    }
}
