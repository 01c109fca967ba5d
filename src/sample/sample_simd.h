/* The vector kernel, once for all instruction sets. The file that includes this has defined
 *
 *   KERNEL           the name of the kernel
 *   KERNEL_TARGET    the attribute that lets a function use the instructions, or nothing
 *   INLINE           LM_ALWAYS_INLINE KERNEL_TARGET
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
 *   v_row(table, p, step)   rows of four floats for the bytes at p, p + 4 * step, ...: one in each
 *                           16 bytes of the vector
 *   v3               three planes of them: x, y, z
 *   v_columns(a, b, c, d)   the rows of vertices 0 .. 3 (and 4 .. 7, ...) to three planes
 *   i_snorm8(n)      three planes of -127 .. 127 to x, y, z, 0 as bytes
 *   i_store(p, i)
 *   store_24(out, p, n)           planes to 24 bytes a vertex
 *   store_rows(out, stride, p, n, zero)  the same any stride apart, and 8 bytes of zeros if `zero`
 *   stream_32(out, p, n)          (LM_SIMD_X86) the same 32 bytes apart, past the caches
 *   store_16(out, stride, p, packed)     positions and packed normals
 */
#ifndef LM_SAMPLE_SIMD_H
#define LM_SAMPLE_SIMD_H

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

INLINE v3 plus_key(v3 sum, const uint8_t *keys, lm_sample_input input, size_t v, v3 scale) {
    v3 key = input == LM_INPUT_U8 ? bytes_at(keys + 4 * v) : shorts_at(keys + 8 * v);
    return times_plus(key, scale, sum);
}

INLINE v3 positions_of(const lm_sample_job *job, const constants *c, lm_sample_input input,
                       size_t v) {
    v3 sum = c->translate;
    if (lm_input_has_delta(input, 1))
        sum = plus_delta(sum, job->sides[1].delta + 4 * v, c->delta_scale1);
    if (lm_input_has_delta(input, 0))
        sum = plus_delta(sum, job->sides[0].delta + 4 * v, c->delta_scale0);
    sum = plus_key(sum, job->sides[1].key, input, v, c->scale1);
    return plus_key(sum, job->sides[0].key, input, v, c->scale0);
}

/* The normals of a side: of vertices v, v + 4, ... */
INLINE V normal_row(const lm_sample_job *job, lm_sample_input input, int side, size_t v) {
    const lm_sample_side *s = &job->sides[side];
    if (input == LM_INPUT_U8)
        return v_row(lm_rows_162, s->key + 4 * v + 3, 4);
    if (lm_input_has_delta(input, side))
        return v_row(lm_rows_256, s->delta + 4 * v + 3, 4);
    const uint8_t *angles = s->key + 8 * v + 6;
    return v_mul(v_row(lm_rows_rho, angles, 8), v_row(lm_rows_sigma, angles + 1, 8));
}

INLINE V mixed_row(const lm_sample_job *job, const constants *c, lm_sample_input input, size_t v) {
    return v_add(normal_row(job, input, 0, v), v_mul(c->mix, normal_row(job, input, 1, v)));
}

INLINE V square_of(v3 n) {
    return v_add(v_add(v_mul(n.x, n.x), v_mul(n.y, n.y)), v_mul(n.z, n.z));
}

INLINE v3 where_above(V square, v3 then, v3 otherwise) {
    return (v3){v_where_above(square, LM_CANCELLED, then.x, otherwise.x),
                v_where_above(square, LM_CANCELLED, then.y, otherwise.y),
                v_where_above(square, LM_CANCELLED, then.z, otherwise.z)};
}

/* Where a normal has cancelled to nothing, the nearer frame's. */
INLINE v3 without_cancelled(const lm_sample_job *job, lm_sample_input input, size_t v, v3 n) {
    v3 first = v_columns(normal_row(job, input, 0, v), normal_row(job, input, 0, v + 1),
                         normal_row(job, input, 0, v + 2), normal_row(job, input, 0, v + 3));
    n = where_above(square_of(n), n, first);
    return where_above(square_of(n), n, v3_set(0, 0, 1));
}

INLINE v3 normals_of(const lm_sample_job *job, const constants *c, lm_sample_input input, size_t v,
                     float length) {
    v3 n = v_columns(mixed_row(job, c, input, v), mixed_row(job, c, input, v + 1),
                     mixed_row(job, c, input, v + 2), mixed_row(job, c, input, v + 3));
    V square = square_of(n);
    if (__builtin_expect(!v_all_above(square, LM_CANCELLED), 0)) {
        n = without_cancelled(job, input, v, n);
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

INLINE void sample_planes(const lm_sample_job *job, const constants *c, lm_sample_input input,
                          size_t v) {
    size_t at = v * 4;
    if (job->positions)
        store_planes(job->positions + at, job->component, positions_of(job, c, input, v));
    if (job->normals)
        store_planes(job->normals + at, job->component, normals_of(job, c, input, v, 1));
    if (job->packed)
        i_store(job->packed + at, i_snorm8(normals_of(job, c, input, v, 127)));
}

/* WIDTH vertices from v on. */
INLINE void sample_block(const lm_sample_job *job, const constants *c, lm_sample_input input,
                         lm_sample_layout layout, size_t v) {
    if (layout == LM_LAYOUT_PLANES) {
        sample_planes(job, c, input, v);
        return;
    }
    char *out = job->positions + v * job->stride;
    v3 p = positions_of(job, c, input, v);
    v3 n = normals_of(job, c, input, v, layout == LM_LAYOUT_GPU ? 127 : 1);
    if (layout == LM_LAYOUT_GPU)
        store_16(out, job->stride, p, i_snorm8(n));
#ifdef LM_SIMD_X86
    else if (layout == LM_LAYOUT_STREAMED)
        stream_32(out, p, n);
#endif
    else if (job->stride == 24)
        store_24(out, p, n);
    else
        store_rows(out, job->stride, p, n, job->zero_gaps);
}

/* The last block ends with the last vertex: what it repeats, it writes again the same. */
INLINE void sample_all(const lm_sample_job *job, lm_sample_input input, lm_sample_layout layout) {
    const lm_sample_job local = *job; /* which nothing that is stored can alias */
    const constants c = constants_of(job, input);
    const size_t last = local.count - WIDTH;
    for (size_t v = 0; v < last; v += WIDTH)
        sample_block(&local, &c, input, layout, v);
    sample_block(&local, &c, input, layout, last);
}

INLINE void sample_layout(const lm_sample_job *job, lm_sample_input input) {
    if (job->layout == LM_LAYOUT_PLANES)
        sample_all(job, input, LM_LAYOUT_PLANES);
    else if (job->layout == LM_LAYOUT_GPU)
        sample_all(job, input, LM_LAYOUT_GPU);
    else if (job->layout == LM_LAYOUT_STREAMED)
        sample_all(job, input, LM_LAYOUT_STREAMED);
    else
        sample_all(job, input, LM_LAYOUT_INTERLEAVED);
}

KERNEL_TARGET void KERNEL(const lm_sample_job *job) {
    switch (job->input) {
    case LM_INPUT_U8:
        sample_layout(job, LM_INPUT_U8);
        break;
    case LM_INPUT_S16:
        sample_layout(job, LM_INPUT_S16);
        break;
    case LM_INPUT_S16_DELTA_FIRST:
        sample_layout(job, LM_INPUT_S16_DELTA_FIRST);
        break;
    case LM_INPUT_S16_DELTA_SECOND:
        sample_layout(job, LM_INPUT_S16_DELTA_SECOND);
        break;
    case LM_INPUT_S16_DELTAS:
        sample_layout(job, LM_INPUT_S16_DELTAS);
        break;
    }
}

#endif
