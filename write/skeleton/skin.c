#include "skeleton/rig.h"

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
        const double *p = lm_rig_product(rig, w->vertex, j);
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

/* Solves a symmetric system of up to 3 equations in place. Returns false if it is singular. */
static bool solve(double m[3][4], unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        if (!(m[i][i] > 0))
            return false;
        for (unsigned k = i + 1; k < n; k++) {
            const double share = m[k][i] / m[i][i];
            for (unsigned c = i; c < n; c++)
                m[k][c] -= share * m[i][c];
            m[k][3] -= share * m[i][3];
        }
    }
    for (unsigned i = n; i-- > 0;) {
        for (unsigned c = i + 1; c < n; c++)
            m[i][3] -= m[i][c] * m[c][3];
        m[i][3] /= m[i][i];
    }
    return true;
}

/* Finds the weights of the chosen bones and one more, if all are positive. Returns the error, or
 * infinity. */
static double try_bone(const weighing *w, uint32_t bone, double weights[LM_SKELETON_WEIGHTS]) {
    const unsigned n = w->count;
    double m[3][4] = {{0}}, g[4][4], sum = 0, error = 0;
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
    if (!solve(m, n))
        return INFINITY;
    for (unsigned i = 0; i < n; i++) {
        weights[i + 1] = m[i][3];
        sum += m[i][3];
        if (!(m[i][3] > 1e-3))
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
        const double *p = lm_rig_product(w->rig, w->vertex, w->bones[a]);
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
    if (!solve(m, 3))
        return false;
    for (int d = 0; d < 3; d++)
        rest[d] = m[d][3];
    return true;
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

double lm_weigh(lm_rig *rig, unsigned most, bool rests) {
    double sum = 0;
    lm_sum_pairs(rig);
    for (uint32_t v = 0; v < rig->num_vertices; v++) {
        if (v % LM_LANES == 0)
            lm_sum_products(rig, v / LM_LANES);
        rig->errors[v] = weigh_vertex(rig, v, most, rests);
        sum += rig->errors[v];
    }
    rig->work += (uint64_t)rig->num_vertices * rig->num_bones * (most > 1 ? 24 * FIRST_BONES : 24);
    return sum;
}
