/* The vector kernel for all instruction sets. It has no include guard: each including file makes
 * its own kernel of it. That file defines
 *
 *   KERNEL           the name of the kernel
 *   KERNEL_TARGET    the attribute that enables the instructions in a function, or nothing
 *   INLINE           LM_ALWAYS_INLINE KERNEL_TARGET
 *   LM_SMALL         (optional) only triples; the scalar reference handles the rest
 *   WIDTH            vertices at a time: 4 for each 16 bytes of a vector
 *   V, I             a vector of WIDTH floats or 32-bit integers
 *   v_set(x) v_add v_sub v_mul v_div v_sqrt v_min
 *   v_of_ints(i)     converts integers below 2^31 to floats
 *   v_store(p, v)    to any address
 *   v_all_above(v, limit)
 *   i_load(p)        WIDTH * 4 bytes from any address
 *   i_and(i, mask)   mask is a number
 *   i_shl16(i)       shifted left by 16 bits, the result signed
 *   s16_split(p, &xy, &zn)  WIDTH groups of 8 bytes: the first halves and the second
 *   v3               three planes of them: x, y, z
 *   blended_normals(at, mix, input)   n0 + mix * n1 of the WIDTH vertices at a cursor
 *   i_snorm8(n)      three planes of -127 .. 127 to x, y, z, 0 as bytes
 *   i_store(p, i)
 *   store_12(out, p)                    planes to 12 bytes per vertex
 *   store_24(out, p, n)                 planes to 24 bytes per vertex
 *   store_32(out, p, n)                 and 8 bytes of zeros
 *   store_rows(out, stride, p, n)       24 bytes at any stride; keeps the bytes between
 *   store_16(out, p, packed)            positions and packed normals
 *   store_rows_16(out, stride, p, packed)   the same at any stride
 *   stream_32(out, p, n)                (LM_SIMD_X86) like store_32, past the caches
 *
 * Each input has three loops: for positions, for normals, and for interleaved vertices. The loops
 * branch on the layout in each block. Separate loops for each layout would take 170 kB for three
 * instruction sets, and be less than 3 % faster.
 */
/* Everything is unrolled by hand: compilers keep arrays that a loop indexes in memory. */
#define ONE_DELTA LM_INPUT_S16_DELTA_FIRST /* or _SECOND, according to constants.input */

typedef struct constants {
    v3 scale0, scale1;
    v3 delta_scale0, delta_scale1;
    v3 translate;
    V ratio, length;       /* of normals */
    lm_sample_input input; /* the job's own */
} constants;

INLINE v3 v3_set(float x, float y, float z) {
    return (v3){v_set(x), v_set(y), v_set(z)};
}

/* A mask leaves y and z of four bytes 2^8 and 2^16 times too large. Masks and shifts leave 16-bit
 * numbers 2^16 times too large. The scales divide by these powers of two, which is exact. */
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

/* Returns the first side with a delta, if there is one. */
INLINE const lm_sample_side *first_delta(const lm_sample_job *job) {
    return &job->sides[job->sides[0].delta ? 0 : 1];
}

INLINE constants constants_of(const lm_sample_job *job, lm_sample_input input, float length) {
    return (constants){
        .scale0 = scale_of(&job->sides[0], input),
        .scale1 = scale_of(&job->sides[1], input),
        .delta_scale0 = delta_scale_of(first_delta(job)),
        .delta_scale1 = delta_scale_of(&job->sides[1]),
        .translate = v3_set(job->translate[0], job->translate[1], job->translate[2]),
        .ratio = v_set(job->ratio),
        .length = v_set(length),
        .input = job->input,
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
    if (lmi_input_has_delta(input, 1))
        sum = plus_delta(sum, at->delta1, c->delta_scale1);
    if (lmi_input_has_delta(input, 0))
        sum = plus_delta(sum, at->delta0, c->delta_scale0);
    if (input != LM_INPUT_S16_DELTAS_ON_ONE)
        sum = plus_key(sum, at->key1, input, c->scale1);
    return plus_key(sum, at->key0, input, c->scale0);
}

INLINE V square_of(v3 n) {
    return v_add(v_add(v_mul(n.x, n.x), v_mul(n.y, n.y)), v_mul(n.z, n.z));
}

INLINE void store_soa(char *out, size_t component, v3 p) {
    v_store(out, p.x);
    v_store(out + component, p.y);
    v_store(out + 2 * component, p.z);
}

/* Normalises the blended normals and keeps the smallest squared length. */
INLINE v3 normals_of(const lm_sample_cursor *at, const constants *c, lm_sample_input in, V *least) {
    const v3 n = in == ONE_DELTA && c->input == LM_INPUT_S16_DELTA_SECOND
                     ? blended_normals(at, c->ratio, LM_INPUT_S16_DELTA_SECOND)
                     : blended_normals(at, c->ratio, in);
    const V square = square_of(n);
    const V scale = v_div(c->length, v_sqrt(square));
    *least = v_min(*least, square);
    return (v3){v_mul(n.x, scale), v_mul(n.y, scale), v_mul(n.z, scale)};
}

/* Stores positions or normals separately. */
INLINE void store_one(char *out, size_t component, lm_sample_layout layout, v3 v) {
#ifdef LM_SMALL
    layout = LM_LAYOUT_TRIPLES;
#endif
    if (__builtin_expect(layout == LM_LAYOUT_SOA, 1))
        store_soa(out, component, v);
    else if (layout == LM_LAYOUT_TRIPLES)
        store_12(out, v);
    else
        i_store(out, i_snorm8(v));
}

INLINE void store_both(char *out, size_t stride, lm_sample_layout layout, v3 p, v3 n) {
    (void)out, (void)stride, (void)layout, (void)p, (void)n; /* unused without such rows */
#ifndef LM_SMALL
    if (layout == LM_LAYOUT_16)
        store_16(out, p, i_snorm8(n));
    else if (layout == LM_LAYOUT_24)
        store_24(out, p, n);
    else if (layout == LM_LAYOUT_32)
        store_32(out, p, n);
    else if (layout == LM_LAYOUT_ROWS)
        store_rows(out, stride, p, n);
    else if (layout == LM_LAYOUT_ROWS_OF_16)
        store_rows_16(out, stride, p, i_snorm8(n));
#ifdef LM_SIMD_X86
    else
        stream_32(out, p, n);
#endif
#endif
}

/* Returns the cursor of vertex v. One counter for all inputs is faster than a pointer for each. */
INLINE lm_sample_cursor cursor_at(lm_sample_cursor at, lm_sample_input input, size_t v) {
    const size_t key_size = lmi_input_key_size(input);
    at.key0 += v * key_size;
    if (input != LM_INPUT_S16_DELTAS_ON_ONE)
        at.key1 += v * key_size;
    if (lmi_input_has_delta(input, 0))
        at.delta0 += v * 4;
    if (lmi_input_has_delta(input, 1))
        at.delta1 += v * 4;
    return at;
}

/* The output of a loop. */
typedef enum contents {
    POSITIONS,
    NORMALS,
    BOTH
} contents;

/* Samples all vertices. Returns false if a normal has cancelled out. The last block ends with the
 * last vertex; vertices that it repeats are written again with the same values. */
INLINE bool sample_all(const lm_sample_job *job, lm_sample_input input, contents content,
                       lm_sample_layout layout) {
    const bool packs =
        layout == LM_LAYOUT_PACKED || layout == LM_LAYOUT_16 || layout == LM_LAYOUT_ROWS_OF_16;
    const constants c = constants_of(job, input, packs ? 127 : 1);
    const lm_sample_side *a = &job->sides[0], *b = &job->sides[1];
    const size_t stride = job->stride, component = job->component;
    char *out = content != NORMALS           ? job->positions
                : layout == LM_LAYOUT_PACKED ? job->packed
                                             : job->normals;
    const lm_sample_cursor start = {a->key, b->key, first_delta(job)->delta, b->delta};
    const size_t last = job->count - WIDTH; /* where the last block starts */
    V least = v_set(1);
    for (size_t v = 0;;) {
        do {
            const lm_sample_cursor at = cursor_at(start, input, v);
            const v3 one = content == POSITIONS ? positions_of(&at, &c, input)
                                                : normals_of(&at, &c, input, &least);
            if (content == BOTH)
                store_both(out, stride, layout, positions_of(&at, &c, input), one);
            else
                store_one(out, component, layout, one);
            v += WIDTH;
            out += WIDTH * stride;
        } while (v <= last);
        if (v == job->count)
            return content == POSITIONS || v_all_above(least, LM_CANCELLED);
        out -= (v - last) * stride;
        v = last;
    }
}

/* Separate functions, so that each can use all registers. */
typedef bool loop(const lm_sample_job *job, lm_sample_layout layout);
#define LOOP(name, input, content, of_layout)                                 \
    KERNEL_TARGET static LM_NEVER_INLINE bool name(const lm_sample_job *job,  \
                                                   lm_sample_layout layout) { \
        return sample_all(job, input, content, of_layout);                    \
    }
/* The speed of the short loops of planes varies by 10 % with their alignment to lines of the
 * instruction cache. */
#define ALIGNED __attribute__((aligned(64)))
#ifdef LM_SMALL
#define LOOPS(name, input)                           \
    LOOP(name##_positions, input, POSITIONS, layout) \
    LOOP(name##_normals, input, NORMALS, layout)
#define ALL(name) {name##_positions, name##_normals, NULL}
#else
#define LOOPS(name, input)                                                \
    ALIGNED                                                               \
    LOOP(name##_positions, input, POSITIONS,                              \
         layout == LM_LAYOUT_TRIPLES ? LM_LAYOUT_TRIPLES : LM_LAYOUT_SOA) \
    LOOP(name##_normals, input, NORMALS, layout)                          \
    LOOP(name##_both, input, BOTH, layout)
#define ALL(name) {name##_positions, name##_normals, name##_both}
#endif
LOOPS(u8, LM_INPUT_U8)
LOOPS(deltas_on_one, LM_INPUT_S16_DELTAS_ON_ONE)
LOOPS(deltas, LM_INPUT_S16_DELTAS)
LOOPS(s16, LM_INPUT_S16)
LOOPS(one_delta, ONE_DELTA)

static const struct {
    loop *positions, *normals, *both;
} loops[LM_NUM_INPUTS] = {
    [LM_INPUT_U8] = ALL(u8),
    [LM_INPUT_S16] = ALL(s16),
    [LM_INPUT_S16_DELTA_FIRST] = ALL(one_delta),
    [LM_INPUT_S16_DELTA_SECOND] = ALL(one_delta),
    [LM_INPUT_S16_DELTAS] = ALL(deltas),
    [LM_INPUT_S16_DELTAS_ON_ONE] = ALL(deltas_on_one),
};

void KERNEL(const lm_sample_job *job) {
    const lm_sample_layout layout = job->layout;
    bool sound = true;
#ifdef LM_SMALL
    if (layout != LM_LAYOUT_TRIPLES) {
        lmi_sample_scalar(job);
        return;
    }
#endif
    if (layout >= LM_LAYOUT_16) {
        sound = loops[job->input].both(job, layout);
    } else {
        if (job->positions)
            loops[job->input].positions(job, layout);
        if (job->normals)
            sound = loops[job->input].normals(job, layout);
        if (job->packed)
            sound = loops[job->input].normals(job, LM_LAYOUT_PACKED);
    }
    if (!sound) /* rare, so kept out of the loops */
        lmi_sample_scalar(job);
}
