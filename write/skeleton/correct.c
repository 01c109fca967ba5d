/* Corrective shapes: the principal components of the error in the rest pose.
 *
 * The error of a vertex in a frame, moved back into the rest pose, is a column of a matrix with a
 * row per coordinate and a column per frame. Its principal components come from subspace iteration:
 * each pass multiplies a few vectors by the matrix and by its transpose, so time is linear in
 * components * vertices * frames. */
#include "skeleton/evaluate.h"
#include "skeleton/fit.h"

#define MORE 4       /* components beyond those wanted, for the iteration to converge */
#define PASSES 8     /* of the iteration */
#define DAMPING 1e-2 /* of a movement that joints nearly cancel */
#define MOST (LM_MAX_SKELETON_CORRECTIVES + MORE)

typedef struct correcting {
    lm_fit *fit;
    uint32_t num_rows, num_frames, count; /* `count` components */
    float *errors;                        /* [num_rows][num_frames] in the rest pose */
    double *left;                         /* [num_rows][count] */
    double *right, *next;                 /* [count][num_frames] */
    double total;                         /* the sum of the squares of `errors` */
    double *turn;                         /* [count][count] its columns are the components */
    double squares[MOST];                 /* of each component */
} correcting;

/* ---- The error in the rest pose ------------------------------------------------------------- */

/* Finds the movement in the rest pose that moves a vertex by `error`. */
static void move_back(const lm_placed *joints, const lm_influence *influence, const double error[3],
                      double out[3]) {
    double blend[3][3] = {{0}}, m[3][4] = {{0}};
    for (int i = 0; i < LM_SKELETON_WEIGHTS && influence->weights[i] > 0; i++)
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 3; d++)
                blend[c][d] += (double)influence->weights[i] * joints[influence->joints[i]].m[c][d];
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 3; d++) {
            m[d][3] += blend[c][d] * error[c];
            for (int e = 0; e < 3; e++)
                m[d][e] += blend[c][d] * blend[c][e];
        }
    for (int d = 0; d < 3; d++)
        m[d][d] += DAMPING;
    lmi_solve(m, 3, out);
}

/* `scratch` has room for all vertices. */
static void find_errors(correcting *c, uint32_t frame, lm_vec3 *scratch) {
    const lm_fit *fit = c->fit;
    const lm_pose pose = {frame, frame, 0, false};
    lm_placed joints[LM_MAX_SKELETON_BONES];
    lm_vec3 *moved = scratch;
    lmi_move_joints(fit->made, &pose, joints);
    for (uint32_t i = 0; i < fit->mesh->num_surfaces;
         moved += fit->mesh->surfaces[i++].num_vertices)
        lmi_move_surface(fit->made, i, &pose, joints, moved, NULL);
    for (uint32_t i = 0; i < fit->num_welded; i++) {
        const lm_fit_vertex v = fit->vertices[fit->sources[i]];
        const lm_vec3 at = lmi_fit_position(fit, fit->sources[i], frame);
        const lm_wide away =
            lmi_wide_sum(lmi_wide_of(at), lmi_wide_of(scratch[fit->sources[i]]), -1);
        const double error[3] = {away.x, away.y, away.z};
        double back[3];
        move_back(joints, &fit->made->surfaces[v.surface].influences[v.vertex], error, back);
        for (size_t d = 0; d < 3; d++) {
            c->errors[(3 * (size_t)i + d) * c->num_frames + frame] = (float)back[d];
            c->total += back[d] * back[d];
        }
    }
}

/* ---- Principal components ------------------------------------------------------------------- */

/* Multiplies the matrix by the vectors of the frames, and its transpose by the result. */
static void multiply(correcting *c, bool both) {
    if (both)
        memset(c->next, 0, (size_t)c->count * c->num_frames * sizeof *c->next);
    for (uint32_t r = 0; r < c->num_rows; r++) {
        const float *row = c->errors + (size_t)r * c->num_frames;
        for (uint32_t k = 0; k < c->count; k++) {
            const double *v = c->right + (size_t)k * c->num_frames;
            double *out = c->next + (size_t)k * c->num_frames, sum = 0;
            for (uint32_t f = 0; f < c->num_frames; f++)
                sum += (double)row[f] * v[f];
            c->left[(size_t)r * c->count + k] = sum;
            for (uint32_t f = 0; f < c->num_frames && both; f++)
                out[f] += sum * (double)row[f];
        }
    }
    *lmi_fit_work(c->fit->made) += (uint64_t)(1 + both) * c->num_rows * c->count * c->num_frames;
}

static double product(const correcting *c, const double *a, const double *b) {
    double sum = 0;
    for (uint32_t f = 0; f < c->num_frames; f++)
        sum += a[f] * b[f];
    return sum;
}

/* Makes the vectors of the frames perpendicular and of length 1 (Gram and Schmidt, twice). Those
 * that depend on others become 0. */
static void make_perpendicular(correcting *c) {
    for (uint32_t k = 0; k < c->count; k++) {
        double *v = c->right + (size_t)k * c->num_frames;
        const double before = product(c, v, v);
        for (uint32_t n = 0; n < 2 * k; n++) {
            const double *u = c->right + (size_t)(n % k) * c->num_frames, share = product(c, u, v);
            for (uint32_t f = 0; f < c->num_frames; f++)
                v[f] -= share * u[f];
        }
        const double square = product(c, v, v);
        const double scale = square > 1e-20 * before ? 1 / sqrt(square) : 0;
        for (uint32_t f = 0; f < c->num_frames; f++)
            v[f] *= scale;
    }
    *lmi_fit_work(c->fit->made) += (uint64_t)2 * c->count * c->count * c->num_frames;
}

/* Rotates rows and columns a and b of a symmetric matrix so that their element becomes 0 (Jacobi).
 * Returns false if it is 0 already. */
static bool separate(double *m, double *turn, uint32_t n, uint32_t a, uint32_t b) {
    const double aa = m[(size_t)a * n + a], bb = m[(size_t)b * n + b], ab = m[(size_t)a * n + b];
    if (!(ab * ab > 1e-24 * aa * bb))
        return false;
    const double half = (bb - aa) / (2 * ab);
    const double tangent = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(1 + half * half));
    const double cosine = 1 / sqrt(1 + tangent * tangent), sine = cosine * tangent;
    for (uint32_t i = 0; i < n; i++) {
        double *row = m + (size_t)i * n, *other = turn + (size_t)i * n;
        const double x = row[a], y = other[a];
        row[a] = cosine * x - sine * row[b];
        row[b] = sine * x + cosine * row[b];
        other[a] = cosine * y - sine * other[b];
        other[b] = sine * y + cosine * other[b];
    }
    for (uint32_t i = 0; i < n; i++) {
        double *from = m + (size_t)a * n + i, *to = m + (size_t)b * n + i, x = *from;
        *from = cosine * x - sine * *to;
        *to = sine * x + cosine * *to;
    }
    return true;
}

/* Finds the components among the vectors: fills `turn` and `squares`. Returns false if memory ran
 * out. */
static bool find_components(correcting *c) {
    const uint32_t n = c->count;
    double *m = lmi_arena_zeros(&c->fit->arena, (uint64_t)n * n, sizeof *m);
    c->turn = lmi_arena_zeros(&c->fit->arena, (uint64_t)n * n, sizeof *c->turn);
    if (!m || !c->turn)
        return false;
    for (uint32_t r = 0; r < c->num_rows; r++) {
        const double *row = c->left + (size_t)r * n;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < n; k++)
                m[(size_t)i * n + k] += row[i] * row[k];
    }
    *lmi_fit_work(c->fit->made) += (uint64_t)c->num_rows * n * n;
    for (uint32_t i = 0; i < n; i++)
        c->turn[(size_t)i * n + i] = 1;
    bool again = true;
    for (int sweep = 0; sweep < 16 && again; sweep++) {
        again = false;
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = a + 1; b < n; b++)
                again |= separate(m, c->turn, n, a, b);
    }
    for (uint32_t k = 0; k < n; k++)
        c->squares[k] = m[(size_t)k * n + k];
    return true;
}

/* Lists the columns of the largest components until the rest is as small as rounding. Returns their
 * number. */
static uint32_t choose(const correcting *c, uint32_t columns[LM_MAX_SKELETON_CORRECTIVES]) {
    const double quantum = LM_GOOD_FIT * c->fit->options.quantum;
    double left = c->total - quantum * quantum * c->num_rows * c->num_frames;
    bool used[MOST] = {false};
    uint32_t count = 0;
    while (count < c->fit->options.max_correctives && count < c->count && left > 0) {
        uint32_t best = 0;
        for (uint32_t k = 1; k < c->count; k++)
            if (used[best] || (!used[k] && c->squares[k] > c->squares[best]))
                best = k;
        if (used[best] || !(c->squares[best] > 1e-12 * c->total))
            break;
        used[best] = true;
        left -= c->squares[best];
        columns[count++] = best;
    }
    return count;
}

/* ---- The result ----------------------------------------------------------------------------- */

/* Multiplies a row of the vectors by a column of the rotation. */
static double turned(const correcting *c, const double *row, size_t step, uint32_t column) {
    double sum = 0;
    for (uint32_t k = 0; k < c->count; k++)
        sum += row[k * step] * c->turn[(size_t)k * c->count + column];
    return sum;
}

/* The share of a component that the rest pose takes, and the factor of its shape. */
typedef struct span {
    double rest, factor;
} span;

/* Fills the weights of a shape, from 0 to 1: Blender ignores negative ones. */
static span fill_weights(const correcting *c, uint32_t column, float *out, uint32_t step) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t f = 0; f < c->num_frames; f++) {
        const double weight = turned(c, c->right + f, c->num_frames, column);
        low = fmin(low, weight);
        high = fmax(high, weight);
    }
    low = high > low ? low : 0; /* a constant weight becomes 1 */
    for (uint32_t f = 0; f < c->num_frames; f++)
        out[(size_t)f * step] =
            (float)((turned(c, c->right + f, c->num_frames, column) - low) / (high - low));
    return (span){low, high - low};
}

static lm_vec3 moved(lm_vec3 from, lm_wide by, double share) {
    const lm_wide to = lmi_wide_sum(lmi_wide_of(from), by, share);
    return (lm_vec3){(float)to.x, (float)to.y, (float)to.z};
}

/* Fills a shape of all surfaces, and moves their rest pose. */
static void fill_shape(const correcting *c, uint32_t column, span s, uint32_t shape) {
    const lm_skeleton *made = c->fit->made;
    const uint32_t *place = c->fit->places;
    for (uint32_t i = 0; i < made->num_surfaces; i++) {
        const lm_skeleton_surface *surface = &made->surfaces[i];
        lm_vec3 *rest = (lm_vec3 *)surface->positions;
        lm_vec3 *out = (lm_vec3 *)surface->correctives + (size_t)shape * surface->num_vertices;
        for (uint32_t v = 0; v < surface->num_vertices; v++, place++) {
            const double *row = c->left + (size_t)3 * *place * c->count;
            const lm_wide by = {turned(c, row, 1, column), turned(c, row + c->count, 1, column),
                                turned(c, row + 2 * (size_t)c->count, 1, column)};
            rest[v] = moved(rest[v], by, s.rest);
            out[v] = moved((lm_vec3){0, 0, 0}, by, s.factor);
        }
    }
}

static bool build(const correcting *c) {
    lm_skeleton *made = c->fit->made;
    lm_arena *arena = lmi_arena_of(made);
    uint32_t columns[LM_MAX_SKELETON_CORRECTIVES];
    const uint32_t count = choose(c, columns);
    float *weights = lmi_arena_alloc(arena, (uint64_t)count * c->num_frames, sizeof *weights);
    for (uint32_t i = 0; i < made->num_surfaces; i++)
        ((lm_skeleton_surface *)made->surfaces)[i].correctives = lmi_arena_alloc(
            arena, (uint64_t)count * made->surfaces[i].num_vertices, sizeof(lm_vec3));
    if (lmi_arena_failed(arena))
        return false;
    for (uint32_t k = 0; k < count; k++)
        fill_shape(c, columns[k], fill_weights(c, columns[k], weights + k, count), k);
    made->num_correctives = count;
    made->corrective_weights = weights;
    return true;
}

/* Copies the rest poses of all surfaces to `rests`, or back. */
static void copy_rests(const lm_skeleton *made, lm_vec3 *rests, bool back) {
    for (uint32_t i = 0; i < made->num_surfaces; i++) {
        lm_vec3 *rest = (lm_vec3 *)made->surfaces[i].positions;
        const uint32_t count = made->surfaces[i].num_vertices;
        memcpy(back ? rest : rests, back ? rests : rest, count * sizeof *rest);
        rests += count;
    }
}

/* Allocates everything, and begins with vectors of small numbers, the same on every machine. */
static bool prepare(correcting *c) {
    lm_arena *arena = &c->fit->arena;
    const uint64_t cells = (uint64_t)c->count * c->num_frames;
    uint32_t state = 1;
    c->errors = lmi_arena_alloc(arena, (uint64_t)c->num_rows * c->num_frames, sizeof *c->errors);
    c->left = lmi_arena_alloc(arena, (uint64_t)c->num_rows * c->count, sizeof *c->left);
    c->right = lmi_arena_alloc(arena, cells, sizeof *c->right);
    c->next = lmi_arena_alloc(arena, cells, sizeof *c->next);
    if (lmi_arena_failed(arena))
        return false;
    for (uint64_t i = 0; i < cells; i++) {
        state = state * 1664525u + 1013904223u;
        c->right[i] = (double)(state >> 8) / (1 << 24) - 0.5;
    }
    return true;
}

bool lmi_fit_correct(lm_fit *fit) {
    lm_skeleton *made = fit->made;
    const uint32_t wanted = fit->options.max_correctives + MORE, frames = fit->mesh->num_frames;
    correcting c = {.fit = fit,
                    .num_rows = 3 * fit->num_welded,
                    .num_frames = frames,
                    .count = wanted < frames ? wanted : frames};
    if (fit->options.max_correctives == 0 || fit->num_welded == 0)
        return true;
    lm_vec3 *rests = lmi_arena_alloc(&fit->arena, fit->num_vertices, sizeof *rests);
    if (!rests || !prepare(&c))
        return false;
    for (uint32_t f = 0; f < frames; f++)
        find_errors(&c, f, rests);
    for (int pass = 0; pass < PASSES; pass++) {
        make_perpendicular(&c);
        multiply(&c, true);
        double *swap = c.right;
        c.right = c.next;
        c.next = swap;
    }
    make_perpendicular(&c);
    multiply(&c, false);
    copy_rests(made, rests, false);
    if (!find_components(&c) || !build(&c) || !lmi_fit_measure(fit))
        return false;
    if (made->all.rms_error <= made->uncorrected.rms_error)
        return true;
    copy_rests(made, rests, true); /* a bad skeleton bends shapes out of place */
    made->num_correctives = 0;
    return lmi_fit_measure(fit);
}
