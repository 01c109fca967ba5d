/* The vector kernel, once for all instruction sets: without a guard, for it is another text in each
 * file. The file that includes this has defined
 *
 *   KERNEL           the name of the kernel
 *   KERNEL_TARGET    the attribute that lets a function use the instructions, or nothing
 *   INLINE           LM_ALWAYS_INLINE KERNEL_TARGET
 *   KERNEL_OTHERWISE (or not) another kernel, that does all but normals of one byte to planes, 12
 * or 16 bytes; then the stores for that are not needed LM_SMALL         (or not) all but triples is
 * left to the scalar reference WIDTH            vertices at a time: 4 for each 16 bytes of a vector
 *   V, I             a vector of WIDTH floats or 32-bit integers
 *   v_set(x) v_add v_sub v_mul v_div v_sqrt
 *   v_of_ints(i)     integers below 2^31 to floats
 *   v_load(p), v_store(p, v)  from and to any address
 *   v_all_above(v, limit), v_where_above(v, limit, then, otherwise)
 *   i_load(p)        WIDTH * 4 bytes from any address
 *   i_and(i, mask)   mask is a number
 *   i_shl16(i)       shifted left by 16 bits, the result signed
 *   s16_split(p, &xy, &zn)  WIDTH groups of 8 bytes: the first halves and the second
 *   v3               three planes of them: x, y, z
 *   mixed_normals(at, mix, input)   n0 + mix * n1 of the WIDTH vertices at a cursor
 *   first_normals(at, input)        n0 of them
 *   i_snorm8(n)      three planes of -127 .. 127 to x, y, z, 0 as bytes
 *   i_store(p, i)
 *   store_12(out, p)                    planes to 12 bytes a vertex
 *   store_24(out, p, n)                 planes to 24 bytes a vertex
 *   store_32(out, p, n)                 and 8 bytes of zeros
 *   store_rows(out, stride, p, n)       24 bytes any stride apart; what is between stays
 *   store_16(out, p, packed)            positions and packed normals
 *   store_rows_16(out, stride, p, packed)   the same any stride apart
 *   stream_32(out, p, n)                (LM_SIMD_X86) as store_32, past the caches
 *
 * One loop per input computes positions, one normals, both to planes; one loop per layout writes it
 * from planes. A loop for each input in each layout would be 170 kB for three instruction sets, and
 * only the most common of them are worth it.
 */
/* Everything is unrolled by hand: compilers keep what a loop indexes in memory. */
typedef struct constants {
    v3 scale0, scale1;
    v3 delta_scale0, delta_scale1;
    v3 translate;
    V mix;
} constants;

INLINE v3 v3_set(float x, float y, float z) {
    return (v3){v_set(x), v_set(y), v_set(z)};
}

/* A mask leaves y and z of four bytes 2^8 and 2^16 times too large; masks and shifts leave 16 bits
 * 2^16 times too large: powers of two, which the scales take back without rounding. */
#define DOWN_8 (1.0f / 256)
#define DOWN_16 (1.0f / 65536)

INLINE v3 scale_of(const lm_sample_side *side, lm_sample_input input) {
    bool bytes = input == LM_INPUT_U8;
    return v3_set(side->scale[0] * (bytes ? 1 : DOWN_16),
                  side->scale[1] * (bytes ? DOWN_8 : DOWN_16), side->scale[2] * DOWN_16);
}

INLINE v3 delta_scale_of(const lm_sample_side *side) {
    float scale = side->delta_scale;
    return v3_set(scale, scale * DOWN_8, scale * DOWN_16);
}

INLINE constants constants_of(const lm_sample_job *job, lm_sample_input input) {
    return (constants){
        .scale0 = scale_of(&job->sides[0], input),
        .scale1 = scale_of(&job->sides[1], input),
        .delta_scale0 = delta_scale_of(&job->sides[0]),
        .delta_scale1 = delta_scale_of(&job->sides[1]),
        .translate = v3_set(job->translate[0], job->translate[1], job->translate[2]),
        .mix = v_set(job->mix),
    };
}

INLINE v3 times_plus(v3 value, v3 scale, v3 sum) {
    return (v3){v_add(v_mul(value.x, scale.x), sum.x), v_add(v_mul(value.y, scale.y), sum.y),
                v_add(v_mul(value.z, scale.z), sum.z)};
}

INLINE v3 bytes_at(const uint8_t *p) {
    I packed = i_load(p);
    return (v3){v_of_ints(i_and(packed, 0xff)), v_of_ints(i_and(packed, 0xff00)),
                v_of_ints(i_and(packed, 0xff0000))};
}

INLINE v3 shorts_at(const uint8_t *p) {
    I xy, zn;
    s16_split(p, &xy, &zn);
    return (v3){v_of_ints(i_shl16(xy)), v_of_ints(i_and(xy, 0xffff0000)), v_of_ints(i_shl16(zn))};
}

INLINE v3 plus_delta(v3 sum, const uint8_t *p, v3 scale) {
    const float bias = LM_DELTA_BIAS;
    v3 d = bytes_at(p);
    d = (v3){v_sub(d.x, v_set(bias)), v_sub(d.y, v_set(bias * 256)),
             v_sub(d.z, v_set(bias * 65536))};
    return times_plus(d, scale, sum);
}

INLINE v3 plus_key(v3 sum, const uint8_t *keys, lm_sample_input input, v3 scale) {
    return times_plus(input == LM_INPUT_U8 ? bytes_at(keys) : shorts_at(keys), scale, sum);
}

INLINE v3 positions_of(const lm_sample_cursor *at, const constants *c, lm_sample_input input) {
    v3 sum = c->translate;
    if (lm_input_has_delta(input, 1))
        sum = plus_delta(sum, at->delta1, c->delta_scale1);
    if (lm_input_has_delta(input, 0))
        sum = plus_delta(sum, at->delta0, c->delta_scale0);
    if (input != LM_INPUT_S16_DELTAS_ON_ONE)
        sum = plus_key(sum, at->key1, input, c->scale1);
    return plus_key(sum, at->key0, input, c->scale0);
}

INLINE V square_of(v3 n) {
    return v_add(v_add(v_mul(n.x, n.x), v_mul(n.y, n.y)), v_mul(n.z, n.z));
}

INLINE v3 where_above(V square, v3 then, v3 otherwise) {
    return (v3){v_where_above(square, LM_CANCELLED, then.x, otherwise.x),
                v_where_above(square, LM_CANCELLED, then.y, otherwise.y),
                v_where_above(square, LM_CANCELLED, then.z, otherwise.z)};
}

/* Where a normal has cancelled to nothing, the nearer frame's. Rare, and not to weigh on the loops.
 */
KERNEL_TARGET static LM_NEVER_INLINE void replace_cancelled(const lm_sample_cursor *at,
                                                            lm_sample_input input, v3 *n) {
    *n = where_above(square_of(*n), *n, first_normals(at, input));
    *n = where_above(square_of(*n), *n, v3_set(0, 0, 1));
}

INLINE v3 normals_of(const lm_sample_cursor *at, const constants *c, lm_sample_input input,
                     float length) {
    v3 n = mixed_normals(at, c->mix, input);
    V square = square_of(n);
    if (__builtin_expect(!v_all_above(square, LM_CANCELLED), 0)) {
        const lm_sample_cursor copy = *at; /* so that the loop's own stays in registers */
        v3 mended = n;
        replace_cancelled(&copy, input, &mended);
        n = mended;
        square = square_of(n);
    }
    V scale = v_div(v_set(length), v_sqrt(square));
    return (v3){v_mul(n.x, scale), v_mul(n.y, scale), v_mul(n.z, scale)};
}

INLINE void store_planes(char *out, size_t component, v3 p) {
    v_store(out, p.x);
    v_store(out + component, p.y);
    v_store(out + 2 * component, p.z);
}

INLINE lm_sample_cursor move(lm_sample_cursor at, lm_sample_input input, size_t stride,
                             ptrdiff_t vertices) {
    const ptrdiff_t key_size = (ptrdiff_t)lm_input_key_size(input);
    at.key0 += vertices * key_size;
    if (input != LM_INPUT_S16_DELTAS_ON_ONE)
        at.key1 += vertices * key_size;
    if (lm_input_has_delta(input, 0))
        at.delta0 += vertices * 4;
    if (lm_input_has_delta(input, 1))
        at.delta1 += vertices * 4;
    at.out += vertices * (ptrdiff_t)stride;
    return at;
}

/* Some vertices of a job, and the planes that they are computed to. */
typedef struct span {
    size_t first, count; /* at least WIDTH */
    char *out;
    size_t apart; /* bytes from plane to plane */
    float length; /* of normals */
} span;

/* The last block ends with the last vertex: what it repeats, it writes again the same. */
INLINE void compute(const lm_sample_job *job, const span *run, lm_sample_input input,
                    bool normals) {
    const constants c = constants_of(job, input);
    const size_t apart = run->apart;
    const float length = run->length;
    lm_sample_cursor at = {job->sides[0].key, job->sides[1].key, job->sides[0].delta,
                           job->sides[1].delta, run->out};
    size_t left = run->count;
    at = move(at, input, 0, (ptrdiff_t)run->first);
    for (;;) {
        for (; left >= WIDTH; left -= WIDTH) {
            store_planes(at.out, apart,
                         normals ? normals_of(&at, &c, input, length)
                                 : positions_of(&at, &c, input));
            at = move(at, input, 4, WIDTH);
        }
        if (left == 0)
            return;
        at = move(at, input, 4, (ptrdiff_t)left - WIDTH);
        left = WIDTH;
    }
}

/* Functions of their own, so that each has the registers for itself. */
typedef void loop(const lm_sample_job *job, const span *run);
#define LOOPS(name, input)                                                               \
    KERNEL_TARGET static LM_NEVER_INLINE void name##_positions(const lm_sample_job *job, \
                                                               const span *run) {        \
        compute(job, run, input, false);                                                 \
    }                                                                                    \
    KERNEL_TARGET static LM_NEVER_INLINE void name##_normals(const lm_sample_job *job,   \
                                                             const span *run) {          \
        compute(job, run, input, true);                                                  \
    }
LOOPS(u8, LM_INPUT_U8)
LOOPS(deltas_on_one, LM_INPUT_S16_DELTAS_ON_ONE)
#ifndef KERNEL_OTHERWISE
LOOPS(deltas, LM_INPUT_S16_DELTAS)
LOOPS(s16, LM_INPUT_S16)
LOOPS(delta_first, LM_INPUT_S16_DELTA_FIRST)
LOOPS(delta_second, LM_INPUT_S16_DELTA_SECOND)
#endif

#define BOTH(name) \
    { name##_positions, name##_normals }
static const struct {
    loop *positions, *normals;
} loops[LM_NUM_INPUTS] = {
    [LM_INPUT_U8] = BOTH(u8),
    [LM_INPUT_S16_DELTAS_ON_ONE] = BOTH(deltas_on_one),
#ifndef KERNEL_OTHERWISE
    [LM_INPUT_S16_DELTAS] = BOTH(deltas),
    [LM_INPUT_S16] = BOTH(s16),
    [LM_INPUT_S16_DELTA_FIRST] = BOTH(delta_first),
    [LM_INPUT_S16_DELTA_SECOND] = BOTH(delta_second),
#endif
};

/* ---- From planes to other layouts ------------------------------------------------------------ */

#define BLOCK 128            /* vertices at a time: their planes stay in the first cache */
#define ROOM (BLOCK + WIDTH) /* what is left is never fewer than WIDTH */

typedef struct planes {
    float positions[3][ROOM], normals[3][ROOM];
} planes;

typedef enum layout {
    WRITE_PACKED,
    WRITE_12,         /* of LM_LAYOUT_TRIPLES: the positions */
    WRITE_NORMALS_12, /* and the normals */
    WRITE_16,         /* of LM_LAYOUT_GPU: that stride */
    WRITE_24,         /* of LM_LAYOUT_INTERLEAVED: that stride */
    WRITE_32,         /* with gaps zeroed */
    WRITE_ROWS,       /* any other */
    WRITE_ROWS_OF_16, /* any other of LM_LAYOUT_GPU */
    WRITE_STREAMED
} layout;

INLINE v3 v3_load(float from[3][ROOM], size_t v) {
    return (v3){v_load(&from[0][v]), v_load(&from[1][v]), v_load(&from[2][v])};
}

INLINE void write_some(char *out, size_t stride, layout output, v3 p, v3 n) {
    if (output == WRITE_12)
        store_12(out, p);
    else if (output == WRITE_NORMALS_12)
        store_12(out, n);
    else if (output == WRITE_PACKED)
        i_store(out, i_snorm8(n));
#ifndef LM_SMALL
    else if (output == WRITE_16)
        store_16(out, p, i_snorm8(n));
#ifndef KERNEL_OTHERWISE
    else if (output == WRITE_24)
        store_24(out, p, n);
    else if (output == WRITE_32)
        store_32(out, p, n);
    else if (output == WRITE_ROWS)
        store_rows(out, stride, p, n);
    else if (output == WRITE_ROWS_OF_16)
        store_rows_16(out, stride, p, i_snorm8(n));
#ifdef LM_SIMD_X86
    else
        stream_32(out, p, n);
#endif
#endif
#endif
    (void)stride, (void)n;
}

/* Bytes from vertex to vertex. */
INLINE size_t stride_of(const lm_sample_job *job, layout output) {
    if (output == WRITE_PACKED)
        return 4;
    return output == WRITE_24 ? 24 : output == WRITE_32 ? 32 : job->stride;
}

INLINE char *output_of(const lm_sample_job *job, layout output) {
    return output == WRITE_PACKED       ? job->packed
           : output == WRITE_NORMALS_12 ? job->normals
                                        : job->positions;
}

/* Whether positions and normals are in the same output. */
LM_ALWAYS_INLINE bool has_both(layout output) {
    return output != WRITE_PACKED && output != WRITE_12 && output != WRITE_NORMALS_12;
}

INLINE void write_all(const lm_sample_job *job, layout output, planes *from, const span *part) {
    const size_t stride = stride_of(job, output);
    char *out = output_of(job, output) + part->first * stride;
    for (size_t v = 0;; v += WIDTH) {
        v = v + WIDTH > part->count ? part->count - WIDTH : v;
        const v3 one = v3_load(output == WRITE_12 ? from->positions : from->normals, v);
        const v3 p = has_both(output) ? v3_load(from->positions, v) : one;
        write_some(out + v * stride, stride, output, p, one);
        if (v + WIDTH == part->count)
            return;
    }
}

typedef void writer(const lm_sample_job *job, planes *from, const span *part);
#define WRITER(name, output)                                                                       \
    KERNEL_TARGET static LM_NEVER_INLINE void name##_from_planes(const lm_sample_job *job,         \
                                                                 planes *from, const span *part) { \
        write_all(job, output, from, part);                                                        \
    }
#define WRITER_OF(name) name##_from_planes
WRITER(to_12, WRITE_12)
WRITER(to_normals_12, WRITE_NORMALS_12)
WRITER(to_packed, WRITE_PACKED)
#ifndef LM_SMALL
WRITER(to_16, WRITE_16)
#ifndef KERNEL_OTHERWISE
WRITER(to_24, WRITE_24)
WRITER(to_32, WRITE_32)
WRITER(to_rows, WRITE_ROWS)
WRITER(to_rows_of_16, WRITE_ROWS_OF_16)
WRITER(to_streamed, WRITE_STREAMED)
#endif
#endif

static writer *const writers[WRITE_STREAMED + 1] = {
    [WRITE_12] = WRITER_OF(to_12),
    [WRITE_NORMALS_12] = WRITER_OF(to_normals_12),
    [WRITE_PACKED] = WRITER_OF(to_packed),
#ifndef LM_SMALL
    [WRITE_16] = WRITER_OF(to_16),
#ifndef KERNEL_OTHERWISE
    [WRITE_24] = WRITER_OF(to_24),
    [WRITE_32] = WRITER_OF(to_32),
    [WRITE_ROWS] = WRITER_OF(to_rows),
    [WRITE_ROWS_OF_16] = WRITER_OF(to_rows_of_16),
    [WRITE_STREAMED] = WRITER_OF(to_streamed),
#endif
#endif
};
#if defined(LM_SMALL) && !defined(KERNEL_OTHERWISE)
#define KERNEL_OTHERWISE lm_sample_scalar
#endif

/* Computes a block of vertices at a time, and writes it from its planes. */
static void through_planes(const lm_sample_job *job, layout output, float length) {
    planes local;
    size_t left = job->count;
    while (left > 0) {
        span part = {
            .first = job->count - left, .count = left <= ROOM ? left : BLOCK, .length = length};
        left -= part.count;
        part.apart = sizeof *local.positions;
        part.out = (char *)local.positions;
        if (output == WRITE_12 || has_both(output))
            loops[job->input].positions(job, &part);
        part.out = (char *)local.normals;
        if (output != WRITE_12)
            loops[job->input].normals(job, &part);
        writers[output](job, &local, &part);
    }
}

/* ---- Without planes -------------------------------------------------------------------------- */

/* The same at once: a tenth faster where little is computed, but it needs a function for each input
 * in each layout. */
INLINE void sample_at_once(const lm_sample_job *job, lm_sample_input input, layout output) {
    const constants c = constants_of(job, input);
    const size_t stride =
        output == WRITE_12 || output == WRITE_NORMALS_12 ? 12 : stride_of(job, output);
    lm_sample_cursor at = {job->sides[0].key, job->sides[1].key, job->sides[0].delta,
                           job->sides[1].delta, output_of(job, output)};
    size_t left = job->count;
    for (;;) {
        for (; left >= WIDTH; left -= WIDTH) {
            const v3 p = output == WRITE_NORMALS_12 ? c.translate : positions_of(&at, &c, input);
            const v3 n = output == WRITE_12 ? p : normals_of(&at, &c, input, 1);
            write_some(at.out, stride, output, p, n);
            at = move(at, input, stride, WIDTH);
        }
        if (left == 0)
            return;
        at = move(at, input, stride, (ptrdiff_t)left - WIDTH);
        left = WIDTH;
    }
}

#define AT_ONCE(name, input, output)                                           \
    KERNEL_TARGET static LM_NEVER_INLINE void name(const lm_sample_job *job) { \
        sample_at_once(job, input, output);                                    \
    }
#define TRIPLES(name, input)               \
    AT_ONCE(name##_to_12, input, WRITE_12) \
    AT_ONCE(name##_to_normals_12, input, WRITE_NORMALS_12)
#define ROWS(name, input)                  \
    AT_ONCE(name##_to_24, input, WRITE_24) \
    AT_ONCE(name##_to_32, input, WRITE_32) \
    AT_ONCE(name##_to_rows, input, WRITE_ROWS)
#define TRIPLES_OF(name)            \
    if (output == WRITE_12)         \
        return name##_to_12;        \
    if (output == WRITE_NORMALS_12) \
        return name##_to_normals_12;
#define ROWS_OF(name)         \
    if (output == WRITE_24)   \
        return name##_to_24;  \
    if (output == WRITE_32)   \
        return name##_to_32;  \
    if (output == WRITE_ROWS) \
        return name##_to_rows;

#ifdef KERNEL_OTHERWISE
TRIPLES(u8, LM_INPUT_U8)
TRIPLES(deltas_on_one, LM_INPUT_S16_DELTAS_ON_ONE)
static lm_sample_kernel *at_once(lm_sample_input input, layout output) {
    if (input == LM_INPUT_U8) {
        TRIPLES_OF(u8)
    }
    if (input == LM_INPUT_S16_DELTAS_ON_ONE) {
        TRIPLES_OF(deltas_on_one)
    }
    return NULL;
}
#elif WIDTH > 4 || !defined(LM_SIMD_X86)
TRIPLES(s16, LM_INPUT_S16)
ROWS(s16, LM_INPUT_S16)
TRIPLES(deltas_on_one, LM_INPUT_S16_DELTAS_ON_ONE)
ROWS(deltas_on_one, LM_INPUT_S16_DELTAS_ON_ONE)
static lm_sample_kernel *at_once(lm_sample_input input, layout output) {
    if (input == LM_INPUT_S16) {
        TRIPLES_OF(s16)
        ROWS_OF(s16)
    }
    if (input == LM_INPUT_S16_DELTAS_ON_ONE) {
        TRIPLES_OF(deltas_on_one)
        ROWS_OF(deltas_on_one)
    }
    return NULL;
}
#else /* SSE2, which only processors without AVX2 use: all through planes */
static lm_sample_kernel *at_once(lm_sample_input input, layout output) {
    (void)input, (void)output;
    return NULL;
}
#endif

static void run_output(const lm_sample_job *job, layout output) {
    lm_sample_kernel *const run = at_once(job->input, output);
    if (run)
        run(job);
    else
        through_planes(
            job, output,
            output == WRITE_PACKED || output == WRITE_16 || output == WRITE_ROWS_OF_16 ? 127 : 1);
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static layout layout_of(const lm_sample_job *job) {
    if (job->layout == LM_LAYOUT_PLANES)
        return WRITE_PACKED;
    if (job->layout == LM_LAYOUT_TRIPLES)
        return WRITE_12;
    if (job->layout == LM_LAYOUT_STREAMED)
        return WRITE_STREAMED;
    if (job->layout == LM_LAYOUT_GPU)
        return job->stride == 16 ? WRITE_16 : WRITE_ROWS_OF_16;
    return job->zero_gaps ? WRITE_32 : job->stride == 24 ? WRITE_24 : WRITE_ROWS;
}

static void run_planes(const lm_sample_job *job) {
    span all = {0, job->count, job->positions, job->component, 1};
    if (all.out)
        loops[job->input].positions(job, &all);
    all.out = job->normals;
    if (all.out)
        loops[job->input].normals(job, &all);
    if (job->packed)
        run_output(job, WRITE_PACKED);
}

void KERNEL(const lm_sample_job *job) {
    const layout output = layout_of(job);
#ifdef KERNEL_OTHERWISE
    if (!loops[job->input].positions || !writers[output]) {
        KERNEL_OTHERWISE(job);
        return;
    }
#endif
    if (output == WRITE_PACKED)
        run_planes(job);
    if (output != WRITE_PACKED && job->positions)
        run_output(job, output);
    if (output == WRITE_12 && job->normals)
        run_output(job, WRITE_NORMALS_12);
}
