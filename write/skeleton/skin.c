#include "skeleton/fit.h"

/* ---- Rigs and sums -------------------------------------------------------------------------- */

bool lmi_rig_alloc(lm_rig *rig, lm_arena *arena, uint32_t num_vertices, uint32_t num_frames,
                   uint32_t max_bones) {
    const uint64_t blocks = ((uint64_t)num_vertices + LM_LANES - 1) / LM_LANES;
    const uint64_t rows = 3 * (uint64_t)num_frames, square = (uint64_t)max_bones * max_bones;
    rig->arena = arena;
    rig->num_vertices = num_vertices;
    rig->num_frames = num_frames;
    rig->num_rows = (uint32_t)rows;
    rig->num_blocks = (uint32_t)blocks;
    rig->max_bones = max_bones;
    rig->x = lmi_arena_zeros(arena, blocks * rows, LM_LANES * sizeof *rig->x);
    rig->squares = lmi_arena_zeros(arena, num_vertices, sizeof *rig->squares);
    rig->frame_squares = lmi_arena_zeros(arena, num_frames, sizeof *rig->frame_squares);
    rig->rest = lmi_arena_zeros(arena, num_vertices, 3 * sizeof *rig->rest);
    rig->bones = lmi_arena_zeros(arena, max_bones * rows, 4 * sizeof *rig->bones);
    rig->joints = lmi_arena_zeros(arena, num_vertices, sizeof(uint16_t[LM_SKELETON_WEIGHTS]));
    rig->weights = lmi_arena_zeros(arena, num_vertices, sizeof(double[LM_SKELETON_WEIGHTS]));
    rig->errors = lmi_arena_zeros(arena, num_vertices, sizeof *rig->errors);
    rig->pairs = lmi_arena_zeros(arena, square, sizeof *rig->pairs);
    rig->shares = lmi_arena_zeros(arena, square, sizeof *rig->shares);
    rig->products = lmi_arena_zeros(arena, (uint64_t)LM_LANES * max_bones, sizeof *rig->products);
    rig->targets = lmi_arena_zeros(arena, max_bones * rows, sizeof *rig->targets);
    rig->left = lmi_arena_alloc(arena, rows, sizeof *rig->left);
    return !lmi_arena_failed(arena);
}

bool lmi_rig_save_alloc(lm_rig *rig) {
    lm_arena *arena = rig->arena;
    const uint64_t count = rig->num_vertices, most = rig->max_bones;
    rig->saved_bones = lmi_arena_alloc(arena, most * rig->num_rows, 4 * sizeof *rig->bones);
    rig->saved_weights = lmi_arena_alloc(arena, count, sizeof(double[LM_SKELETON_WEIGHTS]));
    rig->saved_joints = lmi_arena_alloc(arena, count, sizeof(uint16_t[LM_SKELETON_WEIGHTS]));
    rig->saved_rest = lmi_arena_alloc(arena, count, 3 * sizeof *rig->rest);
    return !lmi_arena_failed(arena);
}

static void copy_rig(const lm_rig *rig, bool back) {
    const size_t weights = (size_t)rig->num_vertices * LM_SKELETON_WEIGHTS;
    void *own[] = {rig->bones, rig->weights, rig->joints, rig->rest};
    void *saved[] = {rig->saved_bones, rig->saved_weights, rig->saved_joints, rig->saved_rest};
    const size_t sizes[] = {(size_t)rig->num_bones * rig->num_rows * 4 * sizeof(double),
                            weights * sizeof(double), weights * sizeof(uint16_t),
                            3 * (size_t)rig->num_vertices * sizeof(double)};
    for (int i = 0; i < 4; i++)
        memcpy(back ? own[i] : saved[i], back ? saved[i] : own[i], sizes[i]);
}

void lmi_rig_save(lm_rig *rig) {
    copy_rig(rig, false);
}

void lmi_rig_restore(lm_rig *rig) {
    copy_rig(rig, true);
}

static double *product_of(const lm_rig *rig, uint32_t vertex, uint32_t bone) {
    return rig->products[(size_t)(vertex % LM_LANES) * rig->max_bones + bone];
}

/* Sums over all rows for the vertices of a block and one bone. */
static void sum_block(const double *x, const double *bone, uint32_t num_rows,
                      double sums[4][LM_LANES]) {
    double s[4][LM_LANES] = {{0}};
    for (uint32_t row = 0; row < num_rows; row++, x += LM_LANES, bone += 4)
        for (int d = 0; d < 4; d++)
            for (int i = 0; i < LM_LANES; i++)
                s[d][i] += bone[d] * x[i];
    memcpy(sums, s, sizeof s);
}

/* Sums the products of the vertices of a block. */
static void sum_products(lm_rig *rig, uint32_t block) {
    double sums[4][LM_LANES];
    for (uint32_t bone = 0; bone < rig->num_bones; bone++) {
        sum_block(rig->x + (size_t)block * rig->num_rows * LM_LANES, lmi_rig_bone(rig, bone, 0),
                  rig->num_rows, sums);
        for (unsigned i = 0; i < LM_LANES; i++)
            for (int d = 0; d < 4; d++)
                product_of(rig, i, bone)[d] = sums[d][i];
    }
    rig->work += (uint64_t)LM_LANES * rig->num_bones * rig->num_rows * 4;
}

void lmi_sum_pairs(lm_rig *rig) {
    for (uint32_t j = 0; j < rig->num_bones; j++)
        for (uint32_t k = 0; k <= j; k++) {
            double(*out)[4] = lm_rig_pair(rig, j, k), (*other)[4] = lm_rig_pair(rig, k, j);
            const double *a = lmi_rig_bone(rig, j, 0);
            const double *b = lmi_rig_bone(rig, k, 0);
            double s[4][4] = {{0}};
            for (uint32_t row = 0; row < rig->num_rows; row++, a += 4, b += 4)
                for (int d = 0; d < 4; d++)
                    for (int e = 0; e < 4; e++)
                        s[d][e] += a[d] * b[e];
            memcpy(out, s, sizeof s);
            for (int d = 0; d < 4; d++)
                for (int e = 0; e < 4 && k != j; e++)
                    other[e][d] = out[d][e];
        }
    rig->work += (uint64_t)rig->num_bones * rig->num_bones * rig->num_rows * 8;
}

/* Sums shares and targets over the vertices. */
void lmi_sum_shares(lm_rig *rig) {
    memset(rig->shares, 0, (size_t)rig->max_bones * rig->max_bones * sizeof *rig->shares);
    memset(rig->targets, 0, (size_t)rig->num_bones * rig->num_rows * sizeof *rig->targets);
    for (uint32_t v = 0; v < rig->num_vertices; v++) {
        const double *p = rig->rest + 3 * (size_t)v, r[4] = {p[0], p[1], p[2], 1};
        const uint16_t *joints = rig->joints + (size_t)LM_SKELETON_WEIGHTS * v;
        const double *weights = rig->weights + (size_t)LM_SKELETON_WEIGHTS * v;
        for (int a = 0; a < LM_SKELETON_WEIGHTS && weights[a] > 0; a++) {
            const double weight = weights[a];
            const double scaled[4] = {weight * r[0], weight * r[1], weight * r[2], weight};
            const double *x = lmi_rig_x(rig, v, 0);
            double(*out)[4] = rig->targets + (size_t)joints[a] * rig->num_rows;
            for (uint32_t row = 0; row < rig->num_rows; row++, x += LM_LANES)
                for (int d = 0; d < 4; d++)
                    out[row][d] += scaled[d] * *x;
            rig->work += (uint64_t)rig->num_rows * 4;
            for (int b = 0; b < LM_SKELETON_WEIGHTS && weights[b] > 0; b++) {
                double(*share)[4] = lm_rig_share(rig, joints[a], joints[b]);
                const double both = weights[a] * weights[b];
                for (int d = 0; d < 4; d++)
                    for (int e = 0; e < 4; e++)
                        share[d][e] += both * r[d] * r[e];
            }
        }
    }
}

/* ---- Weights and rest positions ------------------------------------------------------------- */

/* The first of a vertex's bones is among this many that alone explain it best. */
#define FIRST_BONES 12
/* Another bone must save this share of the error that rounding causes. */
#define BONE_GAIN 0.05

/* The weighing of one vertex. gram[i][k] is the sum over frames of the product of two differences
 * from the vertex: those of the chosen bone i and of bone k. So the error of weights w is
 * sum of w_i w_k gram[i][k]. */
typedef struct weighing {
    const lm_rig *rig;
    uint32_t vertex;
    double r[4], square;
    double own[LM_MAX_SKELETON_BONES];  /* the error of one bone alone */
    double half[LM_MAX_SKELETON_BONES]; /* (r, 1) times the product of a bone */
    unsigned count;
    uint16_t bones[LM_SKELETON_WEIGHTS];
    double weights[LM_SKELETON_WEIGHTS], error;
    double gram[LM_SKELETON_WEIGHTS][LM_MAX_SKELETON_BONES];
} weighing;

static double form(double (*m)[4], const double r[4]) {
    double sum = 0;
    for (int d = 0; d < 4; d++)
        sum += r[d] * (m[d][0] * r[0] + m[d][1] * r[1] + m[d][2] * r[2] + m[d][3]);
    return sum;
}

static double gram_of(const weighing *w, uint32_t a, uint32_t b) {
    return form(lm_rig_pair(w->rig, a, b), w->r) - w->half[a] - w->half[b] + w->square;
}

static void begin(weighing *w) {
    const lm_rig *rig = w->rig;
    const double *rest = rig->rest + 3 * (size_t)w->vertex;
    memcpy(w->r, rest, 3 * sizeof *rest);
    w->r[3] = 1;
    w->square = rig->squares[w->vertex];
    for (uint32_t j = 0; j < rig->num_bones; j++) {
        const double *p = product_of(rig, w->vertex, j);
        w->half[j] = w->r[0] * p[0] + w->r[1] * p[1] + w->r[2] * p[2] + p[3];
        w->own[j] = fmax(gram_of(w, j, j), 0);
    }
}

/* Lists the bones that alone explain the vertex best, in order. Returns their number. */
static unsigned list_firsts(const weighing *w, uint16_t firsts[FIRST_BONES]) {
    unsigned count = 0;
    for (uint32_t j = 0; j < w->rig->num_bones; j++) {
        unsigned at = count < FIRST_BONES ? count++ : FIRST_BONES;
        for (; at > 0 && w->own[j] < w->own[firsts[at - 1]]; at--)
            if (at < FIRST_BONES)
                firsts[at] = firsts[at - 1];
        if (at < FIRST_BONES)
            firsts[at] = (uint16_t)j;
    }
    return count;
}

/* Finds the best two bones, if the second saves `gain`. */
static void choose_pair(weighing *w, double gain) {
    uint16_t firsts[FIRST_BONES] = {0};
    const unsigned count = list_firsts(w, firsts);
    w->count = 1;
    w->bones[0] = firsts[0];
    w->weights[0] = 1;
    w->error = w->own[firsts[0]];
    const double alone = w->error;
    double best = alone - gain;
    for (unsigned i = 0; i < count; i++)
        for (uint32_t k = 0; k < w->rig->num_bones; k++) {
            const uint32_t j = firsts[i];
            const double both = gram_of(w, j, k), bend = w->own[j] + w->own[k] - 2 * both;
            if (j == k || !(bend > 0) || !(both < w->own[j]) || !(both < w->own[k]))
                continue;
            const double share = (w->own[j] - both) / bend;
            const double error = w->own[j] - share * (w->own[j] - both);
            if (error < best) {
                best = w->error = error;
                w->count = 2;
                w->bones[0] = (uint16_t)j;
                w->bones[1] = (uint16_t)k;
                w->weights[0] = 1 - share;
                w->weights[1] = share;
            }
        }
}

/* Finds the weights of the chosen bones and one more, if all are positive. Returns the error, or
 * infinity. */
static double try_bone(const weighing *w, uint32_t bone, double weights[LM_SKELETON_WEIGHTS]) {
    const unsigned n = w->count;
    double m[3][4] = {{0}}, g[4][4], x[3], sum = 0, error = 0;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < n; k++)
            g[i][k] = w->gram[i][w->bones[k]];
        g[i][n] = g[n][i] = w->gram[i][bone];
    }
    g[n][n] = w->own[bone];
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < n; k++)
            m[i][k] = g[i + 1][k + 1] - g[i + 1][0] - g[0][k + 1] + g[0][0];
        m[i][3] = g[0][0] - g[i + 1][0];
    }
    if (!lmi_solve(m, (int)n, x))
        return INFINITY;
    for (unsigned i = 0; i < n; i++) {
        weights[i + 1] = x[i];
        sum += x[i];
        if (!(x[i] > 1e-3))
            return INFINITY;
    }
    weights[0] = 1 - sum;
    if (!(weights[0] > 1e-3))
        return INFINITY;
    for (unsigned i = 0; i <= n; i++)
        for (unsigned k = 0; k <= n; k++)
            error += weights[i] * weights[k] * g[i][k];
    return error;
}

/* Adds the bone that saves most, if it saves `gain`. */
static bool add_bone(weighing *w, double gain) {
    double best = w->error - gain, weights[LM_SKELETON_WEIGHTS], chosen[LM_SKELETON_WEIGHTS];
    uint32_t found = UINT32_MAX;
    for (unsigned i = 0; i < w->count; i++)
        for (uint32_t k = 0; k < w->rig->num_bones; k++)
            w->gram[i][k] = gram_of(w, w->bones[i], k);
    for (uint32_t k = 0; k < w->rig->num_bones; k++) {
        bool has = false;
        for (unsigned i = 0; i < w->count; i++)
            has = has || w->bones[i] == k;
        const double error = has ? INFINITY : try_bone(w, k, weights);
        if (error < best) {
            best = error;
            found = k;
            memcpy(chosen, weights, sizeof chosen);
        }
    }
    if (found == UINT32_MAX)
        return false;
    w->bones[w->count++] = (uint16_t)found;
    memcpy(w->weights, chosen, w->count * sizeof *chosen);
    w->error = best;
    return true;
}

/* Finds the rest position that fits the weights best. Returns false if it is not determined. */
static bool find_rest(const weighing *w, double rest[3]) {
    double m[3][4] = {{0}};
    for (unsigned a = 0; a < w->count; a++) {
        const double *p = product_of(w->rig, w->vertex, w->bones[a]);
        for (int d = 0; d < 3; d++)
            m[d][3] += w->weights[a] * p[d];
        for (unsigned b = 0; b < w->count; b++) {
            double(*pair)[4] = lm_rig_pair(w->rig, w->bones[a], w->bones[b]);
            const double both = w->weights[a] * w->weights[b];
            for (int d = 0; d < 3; d++) {
                for (int e = 0; e < 3; e++)
                    m[d][e] += both * pair[d][e];
                m[d][3] -= both * pair[d][3];
            }
        }
    }
    /* Frames in which the bones cancel each other say nothing: stay near the present position. */
    const double stay = 1e-3 * w->rig->num_frames;
    for (int d = 0; d < 3; d++) {
        m[d][d] += stay;
        m[d][3] += stay * rest[d];
    }
    double x[3];
    const bool determined = lmi_solve(m, 3, x);
    if (determined)
        memcpy(rest, x, sizeof x);
    return determined;
}

static double weigh_vertex(lm_rig *rig, uint32_t vertex, unsigned most, bool rests) {
    weighing w = {.rig = rig, .vertex = vertex};
    const double gain = BONE_GAIN * rig->num_rows * rig->quantum * rig->quantum;
    begin(&w);
    choose_pair(&w, most > 1 ? gain : INFINITY);
    while (w.count > 1 && w.count < most && add_bone(&w, gain))
        continue;
    uint16_t *joints = w.rig->joints + (size_t)LM_SKELETON_WEIGHTS * w.vertex;
    double *weights = w.rig->weights + (size_t)LM_SKELETON_WEIGHTS * w.vertex;
    for (unsigned i = 0; i < LM_SKELETON_WEIGHTS; i++) {
        unsigned at = i;
        const double weight = i < w.count ? w.weights[i] : 0;
        for (; at > 0 && weights[at - 1] < weight; at--) {
            weights[at] = weights[at - 1];
            joints[at] = joints[at - 1];
        }
        weights[at] = weight;
        joints[at] = i < w.count ? w.bones[i] : 0;
    }
    if (!rests || !find_rest(&w, rig->rest + 3 * (size_t)vertex))
        return w.error;
    begin(&w);
    double error = 0;
    for (unsigned a = 0; a < w.count; a++)
        for (unsigned b = 0; b < w.count; b++)
            error += w.weights[a] * w.weights[b] * gram_of(&w, w.bones[a], w.bones[b]);
    return fmax(error, 0);
}

double lmi_weigh(lm_rig *rig, unsigned most, bool rests) {
    double sum = 0;
    lmi_sum_pairs(rig);
    for (uint32_t v = 0; v < rig->num_vertices; v++) {
        if (v % LM_LANES == 0)
            sum_products(rig, v / LM_LANES);
        rig->errors[v] = weigh_vertex(rig, v, most, rests);
        sum += rig->errors[v];
    }
    rig->work += (uint64_t)rig->num_vertices * rig->num_bones * (most > 1 ? 24 * FIRST_BONES : 24);
    return sum;
}
