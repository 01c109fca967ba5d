/* The vector kernel, once for all instruction sets: without a guard, for it is another text in each
 * file. The file that includes this has defined
 *
 *   KERNEL           the name of the kernel
 *   KERNEL_TARGET    the attribute that lets a function use the instructions, or nothing
 *   INLINE           LM_ALWAYS_INLINE KERNEL_TARGET
 *   KERNEL_OTHERWISE (or not) another kernel, that does all but normals of one byte to planes or 16
 *                    bytes; then the stores for that are not needed
 *   LM_SMALL         (or not) all but triples is left to the scalar reference
 *   WIDTH            vertices at a time: 4 for each 16 bytes of a vector
 *   V, I             a vector of WIDTH floats or 32-bit integers
 *   v_set(x) v_add v_sub v_mul v_div v_sqrt
 *   v_of_ints(i)     integers below 2^31 to floats
 *   v_store(p, v)    to any address
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

/* What a loop writes: one output of LM_LAYOUT_PLANES or LM_LAYOUT_TRIPLES, or all of another
 * layout. */
typedef enum loop_output {
    WRITE_POSITIONS,
    WRITE_NORMALS,
    WRITE_PACKED,
    WRITE_POSITIONS_12,
    WRITE_NORMALS_12,
    WRITE_24,         /* of LM_LAYOUT_INTERLEAVED: that stride */
    WRITE_32,         /* with gaps zeroed */
    WRITE_ROWS,       /* any other */
    WRITE_16,         /* of LM_LAYOUT_GPU: that stride */
    WRITE_ROWS_OF_16, /* any other */
    WRITE_STREAMED,
    NUM_OUTPUTS
} loop_output;

/* Bytes from vertex to vertex. */
INLINE size_t stride_of_output(const lm_sample_job *job, loop_output output) {
    if (output == WRITE_POSITIONS || output == WRITE_NORMALS || output == WRITE_PACKED)
        return 4;
    if (output == WRITE_POSITIONS_12 || output == WRITE_NORMALS_12)
        return 12;
    if (output == WRITE_24)
        return 24;
    if (output == WRITE_32 || output == WRITE_STREAMED)
        return 32;
    return output == WRITE_16 ? 16 : job->stride;
}

INLINE void store_vertices(char *out, size_t stride, loop_output output, v3 p, v3 n) {
    if (output == WRITE_16)
        store_16(out, p, i_snorm8(n));
#if !defined(KERNEL_OTHERWISE) && !defined(LM_SMALL)
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
    (void)stride;
}

/* `apart` is that of vertices, or of planes. */
INLINE void sample_block(const lm_sample_cursor *at, const constants *c, lm_sample_input input,
                         loop_output output, size_t apart) {
    if (output == WRITE_POSITIONS) {
        store_planes(at->out, apart, positions_of(at, c, input));
    } else if (output == WRITE_NORMALS) {
        store_planes(at->out, apart, normals_of(at, c, input, 1));
    } else if (output == WRITE_PACKED) {
        i_store(at->out, i_snorm8(normals_of(at, c, input, 127)));
    } else if (output == WRITE_POSITIONS_12) {
        store_12(at->out, positions_of(at, c, input));
    } else if (output == WRITE_NORMALS_12) {
        store_12(at->out, normals_of(at, c, input, 1));
    } else {
        bool packs = output == WRITE_16 || output == WRITE_ROWS_OF_16;
        v3 p = positions_of(at, c, input);
        store_vertices(at->out, apart, output, p, normals_of(at, c, input, packs ? 127 : 1));
    }
}

INLINE char *output_at(const lm_sample_job *job, loop_output output) {
    if (output == WRITE_PACKED)
        return job->packed;
    bool normals = output == WRITE_NORMALS || output == WRITE_NORMALS_12;
    return normals ? job->normals : job->positions;
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

/* The last block ends with the last vertex: what it repeats, it writes again the same. */
INLINE void sample_all(const lm_sample_job *job, lm_sample_input input, loop_output output) {
    const constants c = constants_of(job, input);
    const size_t stride = stride_of_output(job, output);
    const size_t apart = stride == 4 ? job->component : stride;
    lm_sample_cursor at = {job->sides[0].key, job->sides[1].key, job->sides[0].delta,
                           job->sides[1].delta, output_at(job, output)};
    size_t left = job->count;
    for (;;) {
        for (; left >= WIDTH; left -= WIDTH) {
            sample_block(&at, &c, input, output, apart);
            at = move(at, input, stride, WIDTH);
        }
        if (left == 0)
            return;
        at = move(at, input, stride, (ptrdiff_t)left - WIDTH);
        left = WIDTH;
    }
}

/* Functions of their own, so that each has the registers for itself. */
#define LOOP(name, input, output)                                              \
    KERNEL_TARGET static LM_NEVER_INLINE void name(const lm_sample_job *job) { \
        sample_all(job, input, output);                                        \
    }
#ifdef LM_SMALL
#undef KERNEL_OTHERWISE
#define KERNEL_OTHERWISE lm_sample_scalar
#define LOOPS(name, input)                                  \
    LOOP(name##_to_positions_12, input, WRITE_POSITIONS_12) \
    LOOP(name##_to_normals_12, input, WRITE_NORMALS_12)
#define LOOPS_OF(name) \
    { [WRITE_POSITIONS_12] = name##_to_positions_12, [WRITE_NORMALS_12] = name##_to_normals_12 }
LOOPS(u8, LM_INPUT_U8)
LOOPS(s16, LM_INPUT_S16)
LOOPS(delta_first, LM_INPUT_S16_DELTA_FIRST)
LOOPS(delta_second, LM_INPUT_S16_DELTA_SECOND)
LOOPS(deltas, LM_INPUT_S16_DELTAS)
LOOPS(deltas_on_one, LM_INPUT_S16_DELTAS_ON_ONE)

static lm_sample_kernel *const loops[LM_NUM_INPUTS][NUM_OUTPUTS] = {
    [LM_INPUT_U8] = LOOPS_OF(u8),
    [LM_INPUT_S16] = LOOPS_OF(s16),
    [LM_INPUT_S16_DELTA_FIRST] = LOOPS_OF(delta_first),
    [LM_INPUT_S16_DELTA_SECOND] = LOOPS_OF(delta_second),
    [LM_INPUT_S16_DELTAS] = LOOPS_OF(deltas),
    [LM_INPUT_S16_DELTAS_ON_ONE] = LOOPS_OF(deltas_on_one)};
#else
#define LOOPS(name, input)                                  \
    LOOP(name##_to_positions, input, WRITE_POSITIONS)       \
    LOOP(name##_to_normals, input, WRITE_NORMALS)           \
    LOOP(name##_to_packed, input, WRITE_PACKED)             \
    LOOP(name##_to_positions_12, input, WRITE_POSITIONS_12) \
    LOOP(name##_to_normals_12, input, WRITE_NORMALS_12)     \
    LOOP(name##_to_16, input, WRITE_16)
#define LOOPS_OF(name)                                                                \
    [WRITE_POSITIONS] = name##_to_positions, [WRITE_NORMALS] = name##_to_normals,     \
    [WRITE_PACKED] = name##_to_packed, [WRITE_POSITIONS_12] = name##_to_positions_12, \
    [WRITE_NORMALS_12] = name##_to_normals_12, [WRITE_16] = name##_to_16
LOOPS(u8, LM_INPUT_U8)
LOOPS(deltas, LM_INPUT_S16_DELTAS)
LOOPS(deltas_on_one, LM_INPUT_S16_DELTAS_ON_ONE)

#ifdef KERNEL_OTHERWISE
static lm_sample_kernel *const loops[LM_NUM_INPUTS][NUM_OUTPUTS] = {
    [LM_INPUT_U8] = {LOOPS_OF(u8)},
    [LM_INPUT_S16_DELTAS] = {LOOPS_OF(deltas)},
    [LM_INPUT_S16_DELTAS_ON_ONE] = {LOOPS_OF(deltas_on_one)}};
#else
#define MORE_LOOPS(name, input)                         \
    LOOP(name##_to_24, input, WRITE_24)                 \
    LOOP(name##_to_32, input, WRITE_32)                 \
    LOOP(name##_to_rows, input, WRITE_ROWS)             \
    LOOP(name##_to_rows_of_16, input, WRITE_ROWS_OF_16) \
    LOOP(name##_to_streamed, input, WRITE_STREAMED)
#define ALL_LOOPS_OF(name)                                                                        \
    {                                                                                             \
        LOOPS_OF(name), [WRITE_24] = name##_to_24, [WRITE_32] = name##_to_32,                     \
                        [WRITE_ROWS] = name##_to_rows, [WRITE_ROWS_OF_16] = name##_to_rows_of_16, \
                        [WRITE_STREAMED] = name##_to_streamed                                     \
    }
LOOPS(s16, LM_INPUT_S16)
LOOPS(delta_first, LM_INPUT_S16_DELTA_FIRST)
LOOPS(delta_second, LM_INPUT_S16_DELTA_SECOND)
MORE_LOOPS(u8, LM_INPUT_U8)
MORE_LOOPS(s16, LM_INPUT_S16)
MORE_LOOPS(delta_first, LM_INPUT_S16_DELTA_FIRST)
MORE_LOOPS(delta_second, LM_INPUT_S16_DELTA_SECOND)
MORE_LOOPS(deltas, LM_INPUT_S16_DELTAS)
MORE_LOOPS(deltas_on_one, LM_INPUT_S16_DELTAS_ON_ONE)

static lm_sample_kernel *const loops[LM_NUM_INPUTS][NUM_OUTPUTS] = {
    [LM_INPUT_U8] = ALL_LOOPS_OF(u8),
    [LM_INPUT_S16] = ALL_LOOPS_OF(s16),
    [LM_INPUT_S16_DELTA_FIRST] = ALL_LOOPS_OF(delta_first),
    [LM_INPUT_S16_DELTA_SECOND] = ALL_LOOPS_OF(delta_second),
    [LM_INPUT_S16_DELTAS] = ALL_LOOPS_OF(deltas),
    [LM_INPUT_S16_DELTAS_ON_ONE] = ALL_LOOPS_OF(deltas_on_one)};
#endif
#endif

static loop_output output_of(const lm_sample_job *job) {
    if (job->layout == LM_LAYOUT_STREAMED)
        return WRITE_STREAMED;
    if (job->layout == LM_LAYOUT_GPU)
        return job->stride == 16 ? WRITE_16 : WRITE_ROWS_OF_16;
    return job->zero_gaps ? WRITE_32 : job->stride == 24 ? WRITE_24 : WRITE_ROWS;
}

void KERNEL(const lm_sample_job *job) {
    lm_sample_kernel *const *loop = loops[job->input];
    bool planes = job->layout == LM_LAYOUT_PLANES, triples = job->layout == LM_LAYOUT_TRIPLES;
#ifdef KERNEL_OTHERWISE
    if (!loop[triples ? WRITE_POSITIONS_12 : planes ? WRITE_POSITIONS : output_of(job)]) {
        KERNEL_OTHERWISE(job);
        return;
    }
#endif
    if (!planes && !triples) {
        loop[output_of(job)](job);
        return;
    }
    if (job->positions)
        loop[triples ? WRITE_POSITIONS_12 : WRITE_POSITIONS](job);
    if (job->normals)
        loop[triples ? WRITE_NORMALS_12 : WRITE_NORMALS](job);
    if (job->packed)
        loop[WRITE_PACKED](job);
}
