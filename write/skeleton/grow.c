#include "skeleton/fit.h"

/* ---- Bones -------------------------------------------------------------------------------- */

/* Subtracts from p what a bone gives to the targets of another. */
static void subtract(const lm_rig *rig, uint32_t other, uint32_t bone, double (*p)[4]) {
    const double *m = lmi_rig_bone(rig, other, 0);
    double s[4][4];
    memcpy(s, lm_rig_share(rig, other, bone), sizeof s);
    for (uint32_t row = 0; row < rig->num_rows; row++, m += 4)
        for (int d = 0; d < 4; d++)
            p[row][d] -= m[0] * s[0][d] + m[1] * s[1][d] + m[2] * s[2][d] + m[3] * s[3][d];
}

/* Computes what the other bones leave of the targets of a bone. */
static void find_left(lm_rig *rig, uint32_t bone) {
    double(*p)[4] = rig->left;
    uint32_t count = 0;
    memcpy(p, rig->targets + (size_t)bone * rig->num_rows, rig->num_rows * sizeof *p);
    for (uint32_t k = 0; k < rig->num_bones; k++) {
        if (k == bone || !(lm_rig_share(rig, bone, k)[3][3] > 0))
            continue;
        subtract(rig, k, bone, p);
        count++;
    }
    rig->work += (uint64_t)rig->num_rows * 16 * count;
}

void lmi_find_residual(lm_rig *rig, uint32_t bone) {
    find_left(rig, bone);
    subtract(rig, bone, bone, rig->left);
}

/* Moves a bone in a frame to where it fits best: it moves points of the moments `own` to the
 * targets p. Vertices on a line leave its rotation open; the present one then decides. */
static void move_bone(const lm_rig *rig, double (*own)[4], double (*p)[4], double *m) {
    double h[3][3], r[3][3];
    const double total = own[3][3], stay = rig->quantum * rig->quantum;
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 3; d++)
            h[c][d] = p[c][d] - p[c][3] * own[3][d] / total + stay * m[4 * c + d];
    lmi_nearest_turn(h, r);
    for (int c = 0; c < 3; c++) {
        m[4 * c + 3] = p[c][3] / total;
        for (int d = 0; d < 3; d++) {
            m[4 * c + d] = r[c][d];
            m[4 * c + 3] -= r[c][d] * own[3][d] / total;
        }
    }
}

void lmi_place_bones(lm_rig *rig) {
    for (uint32_t j = 0; j < rig->num_bones; j++) {
        double own[4][4] = {{0}}; /* the weights of a vertex add up to 1 */
        for (uint32_t k = 0; k < rig->num_bones; k++)
            for (int d = 0; d < 4; d++)
                for (int e = 0; e < 4; e++)
                    own[d][e] += lm_rig_share(rig, j, k)[d][e];
        for (uint32_t f = 0; f < rig->num_frames && own[3][3] > 1e-9; f++)
            move_bone(rig, own, rig->targets + (size_t)j * rig->num_rows + 3 * (size_t)f,
                      lmi_rig_bone(rig, j, f));
    }
}

void lmi_move_bones(lm_rig *rig, unsigned sweeps) {
    for (unsigned sweep = 0; sweep < sweeps; sweep++)
        for (uint32_t j = 0; j < rig->num_bones; j++) {
            if (!(lm_rig_share(rig, j, j)[3][3] > 1e-9))
                continue;
            find_left(rig, j);
            for (uint32_t f = 0; f < rig->num_frames; f++)
                move_bone(rig, lm_rig_share(rig, j, j), rig->left + 3 * (size_t)f,
                          lmi_rig_bone(rig, j, f));
            rig->work += (uint64_t)rig->num_frames * 300;
        }
}

/* ---- Growing ------------------------------------------------------------------------------ */

#define MOST_SEEDS 24   /* vertices from which a new bone begins */
#define NEAR_SHARE 0.02 /* how much distance counts against changes of distance */

/* The vertices nearest to one vertex, nearest first. */
typedef struct group {
    unsigned count, room;
    uint32_t vertices[MOST_SEEDS];
    double away[MOST_SEEDS];
} group;

static void add_near(group *g, uint32_t vertex, double away) {
    unsigned at = g->count < g->room ? g->count++ : g->room;
    for (; at > 0 && away < g->away[at - 1]; at--)
        if (at < g->room) {
            g->away[at] = g->away[at - 1];
            g->vertices[at] = g->vertices[at - 1];
        }
    if (at < g->room) {
        g->away[at] = away;
        g->vertices[at] = vertex;
    }
}

/* Returns a measure of how loosely two vertices hang together: how much their distance changes, and
 * how large it is. */
static double looseness(const lm_rig *rig, uint32_t a, uint32_t b) {
    const double *p = lmi_rig_x(rig, a, 0), *q = lmi_rig_x(rig, b, 0);
    double sum = 0, squares = 0;
    for (uint32_t f = 0; f < rig->num_frames; f++, p += 3 * LM_LANES, q += 3 * LM_LANES) {
        const double x = p[0] - q[0], y = p[LM_LANES] - q[LM_LANES],
                     z = p[2 * LM_LANES] - q[2 * LM_LANES], square = x * x + y * y + z * z;
        sum += sqrt(square);
        squares += square;
    }
    return squares - sum * sum / rig->num_frames + NEAR_SHARE * squares;
}

/* Fits a new bone to a group in a frame. If the group leaves its rotation open, the bone `like`
 * decides it. */
static void fit_frame(const lm_rig *rig, const group *g, uint32_t frame, const double *like,
                      double *m) {
    double from[3] = {0}, to[3] = {0}, h[3][3], r[3][3];
    for (int c = 0; c < 3; c++) {
        for (unsigned i = 0; i < g->count; i++) {
            from[c] += rig->rest[3 * (size_t)g->vertices[i] + (size_t)c] / g->count;
            to[c] += *lmi_rig_x(rig, g->vertices[i], 3 * frame + (uint32_t)c) / g->count;
        }
        for (int d = 0; d < 3; d++)
            h[c][d] = rig->quantum * rig->quantum * like[4 * c + d];
    }
    for (unsigned i = 0; i < g->count; i++)
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 3; d++)
                h[c][d] += (*lmi_rig_x(rig, g->vertices[i], 3 * frame + (uint32_t)c) - to[c]) *
                           (rig->rest[3 * (size_t)g->vertices[i] + (size_t)d] - from[d]);
    lmi_nearest_turn(h, r);
    for (int c = 0; c < 3; c++) {
        m[4 * c + 3] = to[c];
        for (int d = 0; d < 3; d++) {
            m[4 * c + d] = r[c][d];
            m[4 * c + 3] -= r[c][d] * from[d];
        }
    }
}

/* Adds a bone that begins at a vertex and looks like the vertex's first bone. */
static void add_bone(lm_rig *rig, uint32_t seed) {
    group g;
    const uint32_t like = rig->joints[(size_t)LM_SKELETON_WEIGHTS * seed], bone = rig->num_bones++;
    const uint32_t share = rig->num_vertices / (3 * rig->num_bones);
    /* List the vertices that hang together with `seed`. */
    g = (group){.room = share < 5 ? 5 : share > MOST_SEEDS ? MOST_SEEDS : share};
    for (uint32_t v = 0; v < rig->num_vertices; v++)
        add_near(&g, v, looseness(rig, seed, v));
    rig->work += (uint64_t)rig->num_vertices * rig->num_rows * 2;
    for (uint32_t f = 0; f < rig->num_frames; f++)
        fit_frame(rig, &g, f, lmi_rig_bone(rig, like, f), lmi_rig_bone(rig, bone, f));
    rig->work += (uint64_t)rig->num_frames * (300 + 12 * (uint64_t)g.count);
}

void lmi_begin_bones(lm_rig *rig) {
    rig->num_bones = 1;
    for (uint32_t f = 0; f < rig->num_frames; f++)
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 4; d++)
                lmi_rig_bone(rig, 0, f)[4 * c + d] = c == d;
    for (uint32_t v = 0; v < rig->num_vertices; v++)
        rig->weights[(size_t)LM_SKELETON_WEIGHTS * v] = 1;
    lmi_sum_shares(rig);
    lmi_move_bones(rig, 1);
}

double lmi_improve(lm_rig *rig, unsigned most, bool rests, unsigned sweeps) {
    const double sum = lmi_weigh(rig, most, rests);
    lmi_sum_shares(rig);
    lmi_move_bones(rig, sweeps);
    return sum;
}

/* Adds a bone at the worst vertex of each bone, the worst bones first. */
static void split_all(lm_rig *rig, uint32_t wanted) {
    double sums[LM_MAX_SKELETON_BONES] = {0}, worst[LM_MAX_SKELETON_BONES] = {0};
    uint32_t seeds[LM_MAX_SKELETON_BONES] = {0};
    const uint32_t count = rig->num_bones;
    for (uint32_t v = 0; v < rig->num_vertices; v++) {
        const uint16_t bone = rig->joints[(size_t)LM_SKELETON_WEIGHTS * v];
        sums[bone] += rig->errors[v];
        if (rig->errors[v] > worst[bone]) {
            worst[bone] = rig->errors[v];
            seeds[bone] = v;
        }
    }
    for (uint32_t i = 0; i < count && rig->num_bones < wanted; i++) {
        uint32_t bone = 0;
        for (uint32_t k = 1; k < count; k++)
            bone = sums[k] > sums[bone] ? k : bone;
        if (!(sums[bone] > 0))
            return;
        sums[bone] = 0;
        add_bone(rig, seeds[bone]);
    }
}

void lmi_split_bones(lm_rig *rig, uint32_t wanted) {
    while (rig->num_bones < wanted) {
        const uint32_t before = rig->num_bones;
        const double error = lmi_rig_rms(rig, lmi_weigh(rig, 1, false));
        if (error <= LM_GOOD_FIT * rig->quantum)
            return;
        split_all(rig, wanted);
        if (rig->num_bones == before)
            return;
        for (int pass = 0; pass < 4; pass++)
            lmi_improve(rig, 1, false, 1);
    }
}

/* ---- Inserting ------------------------------------------------------------------------------ */

#define SEED_CANDIDATES 24
#define AROUND 6 /* vertices that decide whether a residual is that of a part or of one vertex */

/* Returns the vertices nearest to a vertex in the rest pose. */
static group nearest_at_rest(const lm_rig *rig, uint32_t seed, unsigned room) {
    group g = {.room = room};
    const double *at = rig->rest + 3 * (size_t)seed;
    for (uint32_t v = 0; v < rig->num_vertices; v++) {
        const double *p = rig->rest + 3 * (size_t)v;
        const double x = p[0] - at[0], y = p[1] - at[1], z = p[2] - at[2];
        add_near(&g, v, x * x + y * y + z * z);
    }
    return g;
}

void lmi_insert_bones(lm_rig *rig, uint32_t count) {
    group worst = {.room = SEED_CANDIDATES};
    for (uint32_t v = 0; v < rig->num_vertices; v++)
        add_near(&worst, v, -rig->errors[v]);
    for (unsigned i = 0; i < worst.count; i++) {
        const group around = nearest_at_rest(rig, worst.vertices[i], AROUND);
        worst.away[i] = 0; /* the error of the vertices around it */
        for (unsigned k = 0; k < around.count; k++)
            worst.away[i] += rig->errors[around.vertices[k]];
    }
    rig->work += (uint64_t)rig->num_vertices * worst.count * 3;
    for (uint32_t n = 0; n < count && rig->num_bones < rig->max_bones; n++) {
        unsigned best = 0;
        for (unsigned i = 1; i < worst.count; i++)
            best = worst.away[i] > worst.away[best] ? i : best;
        if (!(worst.away[best] > 0))
            return;
        const uint32_t seed = worst.vertices[best];
        const group near = nearest_at_rest(rig, seed, MOST_SEEDS);
        add_bone(rig, seed);
        for (unsigned i = 0; i < worst.count; i++)
            for (unsigned k = 0; k < near.count; k++)
                if (worst.vertices[i] == near.vertices[k])
                    worst.away[i] = 0;
    }
}

/* ---- Removing ------------------------------------------------------------------------------- */

static void keep_bone(lm_rig *rig, uint32_t bone, uint32_t as) {
    if (as != bone)
        memcpy(lmi_rig_bone(rig, as, 0), lmi_rig_bone(rig, bone, 0),
               (size_t)rig->num_rows * 4 * sizeof(double));
}

bool lmi_drop_bones(lm_rig *rig, uint32_t least) {
    uint32_t counts[LM_MAX_SKELETON_BONES] = {0}, kept = 0;
    for (uint32_t v = 0; v < rig->num_vertices; v++)
        for (int i = 0; i < LM_SKELETON_WEIGHTS; i++)
            if (rig->weights[(size_t)LM_SKELETON_WEIGHTS * v + (size_t)i] > 0.1)
                counts[rig->joints[(size_t)LM_SKELETON_WEIGHTS * v + (size_t)i]]++;
    for (uint32_t j = 0; j < rig->num_bones; j++)
        if (counts[j] >= least)
            keep_bone(rig, j, kept++);
    const bool dropped = kept > 0 && kept < rig->num_bones;
    rig->num_bones = kept > 0 ? kept : rig->num_bones;
    return dropped;
}

/* Returns the error if the vertices of bone `a` followed `b` instead. */
static double merging_error(const lm_rig *rig, uint32_t a, uint32_t b) {
    double sum = 0;
    for (int d = 0; d < 4; d++)
        for (int e = 0; e < 4; e++)
            sum += lm_rig_share(rig, a, a)[d][e] *
                   (lm_rig_pair(rig, a, a)[d][e] - lm_rig_pair(rig, a, b)[d][e] -
                    lm_rig_pair(rig, b, a)[d][e] + lm_rig_pair(rig, b, b)[d][e]);
    return sum;
}

bool lmi_merge_bones(lm_rig *rig, double room, uint32_t least) {
    bool gone[LM_MAX_SKELETON_BONES] = {false};
    double errors[LM_MAX_SKELETON_BONES] = {0};
    uint32_t others[LM_MAX_SKELETON_BONES] = {0}, count = 0, kept = 0;
    lmi_sum_pairs(rig);
    for (uint32_t a = 0; a < rig->num_bones; a++) {
        errors[a] = room;
        for (uint32_t b = 0; b < rig->num_bones; b++) {
            const double error = a == b ? INFINITY : merging_error(rig, a, b);
            if (error < errors[a]) {
                errors[a] = error;
                others[a] = b;
            }
        }
    }
    for (; count <= rig->num_bones / 8 && rig->num_bones - count > least; count++) {
        uint32_t best = 0;
        for (uint32_t a = 1; a < rig->num_bones; a++)
            best = errors[a] < errors[best] ? a : best;
        if (!(errors[best] < room))
            break;
        gone[best] = true;
        errors[best] = errors[others[best]] = room; /* the other one must stay */
        for (uint32_t a = 0; a < rig->num_bones; a++)
            errors[a] = others[a] == best ? room : errors[a];
    }
    for (uint32_t j = 0; j < rig->num_bones; j++)
        if (!gone[j])
            keep_bone(rig, j, kept++);
    rig->num_bones = kept;
    return count > 0;
}
