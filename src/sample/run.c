/* The available kernels, those that this processor can run, and running the job of a pose. */
#include "sample/kernels.h"

#include <string.h>

#define AVX2 {lmi_sample_avx2, 8}
#define SIMD128 {lmi_sample_simd128, 4}

static const lm_sample_kernels all[] = {
#ifdef LM_SIMD_X86
    {"avx2", true, {AVX2, SIMD128}},
    {"sse2", false, {SIMD128}},
#elif defined(LM_SIMD_NEON) || defined(LM_SIMD_WASM)
    {"simd128", false, {SIMD128}},
#endif
    {"scalar", false, {{0}}}};

const lm_sample_kernels *lmi_sample_choice_of(bool has_avx2, size_t i) {
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if ((has_avx2 || !all[k].needs_avx2) && i-- == 0)
            return &all[k];
    return NULL;
}

const lm_sample_kernels *lmi_sample_choice(size_t i) {
#ifdef LM_SIMD_X86
    return lmi_sample_choice_of(__builtin_cpu_supports("avx2") != 0, i);
#else
    return lmi_sample_choice_of(false, i);
#endif
}

/* Whether output may go through local memory, which is faster but needs more code. */
#if defined(LM_SMALL) && defined(LM_NO_SIMD)
#define THROUGH_LOCAL false
#else
#define THROUGH_LOCAL true
#endif

/* ---- One job -------------------------------------------------------------------------------- */

/* Runs a job whose layout the kernels support. */
static void run_plain(const lm_sample_kernels *kernels, const lm_sample_job *job) {
    for (size_t i = 0; i < LM_SAMPLE_WIDTHS && kernels->wide[i].run; i++)
        if (job->count >= kernels->wide[i].width) {
            kernels->wide[i].run(job);
            return;
        }
    lmi_sample_scalar(job);
}

#define BLOCK ((size_t)64) /* vertices in local planes */

typedef struct soa {
    float positions[3][BLOCK], normals[3][BLOCK];
    uint32_t packed[BLOCK];
} soa;

static void scatter(char *out, const lm_sample_job *job, size_t v, size_t count,
                    float from[3][BLOCK]) {
    out += v * job->stride;
    for (size_t i = 0; i < count; i++, out += job->stride) {
        memcpy(out, &from[0][i], 4);
        memcpy(out + job->component, &from[1][i], 4);
        memcpy(out + 2 * job->component, &from[2][i], 4);
    }
}

/* Runs a job with any other layout: samples some vertices at a time into planes and scatters
 * them. */
static void run_scattered(const lm_sample_kernels *kernels, const lm_sample_job *job) {
    soa local;
    lm_sample_job chunk = *job;
    chunk.layout = LM_LAYOUT_SOA;
    chunk.positions = job->positions ? (char *)local.positions : NULL;
    chunk.normals = job->normals ? (char *)local.normals : NULL;
    chunk.packed = job->packed ? (char *)local.packed : NULL;
    chunk.stride = 4;
    chunk.component = sizeof *local.positions;
    for (size_t v = 0; v < job->count; v += BLOCK) {
        size_t count = job->count - v < BLOCK ? job->count - v : BLOCK;
        chunk.count = count;
        run_plain(kernels, &chunk);
        if (job->positions)
            scatter(job->positions, job, v, count, local.positions);
        if (job->normals)
            scatter(job->normals, job, v, count, local.normals);
        for (size_t i = 0; i < count && job->packed; i++)
            memcpy(job->packed + (v + i) * job->stride, &local.packed[i], 4);
        for (int i = 0; i < 2; i++) {
            chunk.sides[i].key += count * lmi_input_key_size(job->input);
            chunk.sides[i].delta = chunk.sides[i].delta ? chunk.sides[i].delta + 4 * count : NULL;
        }
    }
}

static void run(const lm_sample_kernels *kernels, const lm_sample_job *job) {
    /* Kernels do not support added normals, which only one quirk needs. For a few scattered
     * vertices, planes do not pay off. */
    bool scattered = job->layout == LM_LAYOUT_SCATTERED;
    if (job->add_normals || !kernels->wide[0].run ||
        (scattered && (!THROUGH_LOCAL || job->count < 4)))
        lmi_sample_scalar(job);
    else if (scattered)
        run_scattered(kernels, job);
    else
        run_plain(kernels, job);
}

/* Copies the rows of some vertices. A size known at compile time makes each copy a few
 * instructions. */
LM_ALWAYS_INLINE void copy_rows(void *out, const void *rows, size_t size, const uint32_t *vertices,
                                size_t count) {
    char *to = out;
    const char *from = rows;
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * size, from + vertices[i] * size, size);
}

/* ---- Copies that are computed again --------------------------------------------------------- */

#define COPIES ((size_t)256) /* gathered at a time */

/* The packed vertices of a side from which copies are computed. */
typedef struct gathered {
    uint8_t key[8 * COPIES], delta[4 * COPIES];
} gathered;

static void gather_side(lm_sample_side *side, const lm_sample_side *from, gathered *out,
                        lm_sample_input input, const uint32_t *vertices, size_t count) {
    if (input == LM_INPUT_U8)
        copy_rows(out->key, from->key, 4, vertices, count);
    else
        copy_rows(out->key, from->key, 8, vertices, count);
    side->key = out->key;
    if (!from->delta)
        return;
    copy_rows(out->delta, from->delta, 4, vertices, count);
    side->delta = out->delta;
}

/* Advances the outputs by `vertices`. */
static void skip_outputs(lm_sample_job *job, size_t vertices) {
    job->positions = job->positions ? job->positions + vertices * job->stride : NULL;
    job->normals = job->normals ? job->normals + vertices * job->stride : NULL;
    job->packed = job->packed ? job->packed + vertices * job->stride : NULL;
}

void lmi_run_vertices(const lm_sample_kernels *kernels, lm_sample_job *job,
                      const uint32_t *vertices, size_t count) {
    gathered local[2];
    const lm_sample_side a = job->sides[0], b = job->sides[1];
    for (; count > 0; count -= job->count, vertices += job->count) {
        skip_outputs(job, job->count);
        job->count = count < COPIES ? count : COPIES;
        gather_side(&job->sides[0], &a, &local[0], job->input, vertices, job->count);
        gather_side(&job->sides[1], &b, &local[1], job->input, vertices, job->count);
        run(kernels, job);
    }
    job->sides[0] = a;
    job->sides[1] = b;
}

/* ---- Copies of computed vertices ------------------------------------------------------------ */

#define TABLES_SIZE ((size_t)16 << 10) /* fits into every first-level cache */
#define MAX_TABLES 7

/* An output as tables with one row per vertex: whole vertices, triples or single coordinates. */
typedef struct tables {
    size_t row; /* bytes, in the output and in `local` */
    unsigned count;
    char *out[MAX_TABLES];
    _Alignas(64) char local[TABLES_SIZE]; /* the tables in order */
} tables;

/* Returns the bytes of all rows of a vertex; 0 if the layout has no such tables. */
static size_t table_bytes(const lm_sample_job *job) {
    size_t both = (job->positions ? 12u : 0u) + (job->normals ? 12u : 0u);
    switch (job->layout) {
    case LM_LAYOUT_SOA:
        return both + (job->packed ? 4u : 0u);
    case LM_LAYOUT_TRIPLES:
        return both;
    case LM_LAYOUT_16:
    case LM_LAYOUT_24:
    case LM_LAYOUT_32:
        return job->stride;
    default:
        return 0;
    }
}

/* Returns true if tables pay off and fit. Single coordinates are worth copying only if computing
 * them is slow. */
static bool fits_tables(const lm_sample_kernels *kernels, const lm_sample_job *job) {
    size_t bytes = table_bytes(job);
    bool worthwhile = job->layout != LM_LAYOUT_SOA || !kernels->wide[0].run;
    return THROUGH_LOCAL && worthwhile && bytes > 0 && job->count * bytes <= TABLES_SIZE;
}

/* Makes `count` tables of an output, `apart` bytes from each other, and redirects the output to the
 * first one. */
static void redirect(tables *t, char **output, unsigned count, size_t apart, size_t vertices) {
    char *out = *output;
    if (!out)
        return;
    *output = t->local + t->count * t->row * vertices;
    for (unsigned i = 0; i < count; i++)
        t->out[t->count++] = out + i * apart;
}

/* Redirects all outputs of a job to local tables. */
static void redirect_all(tables *t, lm_sample_job *job) {
    t->count = 0;
    if (job->layout == LM_LAYOUT_SOA || job->layout == LM_LAYOUT_TRIPLES) {
        bool apart = job->layout == LM_LAYOUT_SOA;
        t->row = apart ? 4 : 12;
        redirect(t, &job->positions, apart ? 3 : 1, job->component, job->count);
        redirect(t, &job->normals, apart ? 3 : 1, job->component, job->count);
        redirect(t, &job->packed, 1, 0, job->count);
        job->component = apart ? 4 * job->count : 4;
        return;
    }
    t->row = job->stride;
    redirect(t, &job->positions, 1, 0, job->count);
    job->normals = job->normals ? t->local + 12 : NULL;
    job->packed = job->packed ? t->local + 12 : NULL;
}

/* Writes a table: the rows of the file's `own` vertices, then copies of some of them. */
static void write_table(char *out, const char *rows, size_t size, size_t own,
                        const uint32_t *vertices, size_t count) {
    memcpy(out, rows, own * size);
    out += own * size;
    switch (size) {
    case 4:
        copy_rows(out, rows, 4, vertices, count);
        break;
    case 12:
        copy_rows(out, rows, 12, vertices, count);
        break;
    case 16:
        copy_rows(out, rows, 16, vertices, count);
        break;
    case 24:
        copy_rows(out, rows, 24, vertices, count);
        break;
    default:
        copy_rows(out, rows, 32, vertices, count);
    }
}

/* Samples the file's own vertices into local tables and copies each as often as it is drawn. This
 * is faster than computing copies again. It also never reads the output, which may be in memory
 * that is slow to read. */
static void run_tables(const lm_sample_kernels *kernels, lm_sample_job *job, const lm_surface *s) {
    tables t;
    const size_t own = job->count, component = job->component;
    redirect_all(&t, job);
    run(kernels, job);
    job->component = component;
    for (unsigned i = 0; i < t.count; i++)
        write_table(t.out[i], t.local + i * t.row * own, t.row, own, s->file_vertices + own,
                    s->num_vertices - own);
}

/* Samples the file's own vertices, then the copies for seams. */
void lmi_run_pose(const lm_sample_kernels *kernels, lm_sample_job *job, const lm_surface *surface) {
    job->count = surface->num_file_vertices;
    if (surface->num_vertices == surface->num_file_vertices) {
        run(kernels, job);
    } else if (fits_tables(kernels, job)) {
        run_tables(kernels, job, surface);
    } else {
        run(kernels, job);
        lmi_run_vertices(kernels, job, surface->file_vertices + surface->num_file_vertices,
                         surface->num_vertices - surface->num_file_vertices);
    }
}
