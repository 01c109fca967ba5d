/* Normals for the vector kernels: loads rows of tables and transposes them into planes. Also stores
 * planes as interleaved vertices. The including file defines everything that sample_simd.h lists,
 * except normals and stores, and the following, which work on each 16 bytes of a vector separately:
 *
 *   v_row(table, p, step)    rows of four floats for the bytes at p, p + 4 * step, ...
 *   pick(a, b, i, j, k, l)   lanes i and j of a, k and l of b
 *   zip_low(a, b)            lanes 0 and 1 of a and b interleaved; zip_high: lanes 2 and 3
 *   lower(a, b)              lanes 0 and 1 of a, then of b; higher: lanes 2 and 3
 *   outer(a, b)              lanes 0 and 1 of a, 2 and 3 of b
 *   v_of_bits(i)             reinterprets integers as floats
 *   store_parts(out, apart, v)         to out, out + apart
 *   store_pairs(even, odd, apart, v)   lanes 0 and 1 to even, even + apart, 2 and 3 to odd
 */

/* Transposes the rows of vertices 0 .. 3 (and 4 .. 7, ...) into three planes. */
INLINE v3 v_columns(V a, V b, V c, V d) {
    V xy01 = zip_low(a, b), xy23 = zip_low(c, d);
    V zw01 = zip_high(a, b), zw23 = zip_high(c, d);
    return (v3){lower(xy01, xy23), higher(xy01, xy23), lower(zw01, zw23)};
}

/* Returns the normals of vertices i, i + 4, ... of a side. */
INLINE V normal_row(const lm_sample_cursor *at, lm_sample_input input, int side, int i) {
    const uint8_t *key = side == 0 ? at->key0 : at->key1;
    if (input == LM_INPUT_U8)
        return v_row(lmi_rows_162, key + 4 * i + 3, 4);
    if (lmi_input_has_delta(input, side))
        return v_row(lmi_rows_256,
                     (side == 0 || input == LM_INPUT_S16_DELTA_SECOND ? at->delta0 : at->delta1) +
                         4 * i + 3,
                     4);
    const uint8_t *angles = key + 8 * i + 6;
    return v_mul(v_row(lmi_rows_rho, angles, 8), v_row(lmi_rows_sigma, angles + 1, 8));
}

INLINE V blended_row(const lm_sample_cursor *at, V ratio, lm_sample_input input, int i) {
    return v_add(normal_row(at, input, 0, i), v_mul(ratio, normal_row(at, input, 1, i)));
}

INLINE v3 blended_normals(const lm_sample_cursor *at, V ratio, lm_sample_input input) {
    return v_columns(blended_row(at, ratio, input, 0), blended_row(at, ratio, input, 1),
                     blended_row(at, ratio, input, 2), blended_row(at, ratio, input, 3));
}

INLINE void store_12(char *out, v3 p) {
#ifdef LM_SIMD_NEON
    /* A variable, because the function is a macro in Clang and would split the initialiser at its
     * commas. */
    const float32x4x3_t planes = {{(float32x4_t)p.x, (float32x4_t)p.y, (float32x4_t)p.z}};
    vst3q_f32((float *)(void *)out, planes);
#else
    V xy01 = zip_low(p.x, p.y), xy23 = zip_high(p.x, p.y);
    V z0x1 = pick(p.z, p.x, 0, 0, 1, 1), z2x3 = pick(p.z, p.x, 2, 2, 3, 3);
    V y1z1 = pick(p.y, p.z, 1, 1, 1, 1), y3z3 = pick(p.y, p.z, 3, 3, 3, 3);
    store_parts(out, 48, pick(xy01, z0x1, 0, 1, 0, 2));
    store_parts(out + 16, 48, pick(y1z1, xy23, 0, 2, 0, 1));
    store_parts(out + 32, 48, pick(z2x3, y3z3, 0, 2, 0, 2));
#endif
}

/* Coordinates in pairs, from two planes each: of vertices 0 and 1 (4 and 5, ...), then 2 and 3. */
typedef struct pairs {
    V xy, zu, vw;
} pairs;

INLINE pairs first_pairs(v3 p, v3 n) {
    return (pairs){zip_low(p.x, p.y), zip_low(p.z, n.x), zip_low(n.y, n.z)};
}

INLINE pairs last_pairs(v3 p, v3 n) {
    return (pairs){zip_high(p.x, p.y), zip_high(p.z, n.x), zip_high(n.y, n.z)};
}

INLINE void store_two_24(char *out, pairs s) {
    store_parts(out, 96, lower(s.xy, s.zu));
    store_parts(out + 16, 96, outer(s.vw, s.xy));
    store_parts(out + 32, 96, higher(s.zu, s.vw));
}

INLINE void store_24(char *out, v3 p, v3 n) {
    store_two_24(out, first_pairs(p, n));
    store_two_24(out + 48, last_pairs(p, n));
}

INLINE void store_two_32(char *out, pairs s) {
    store_parts(out, 128, lower(s.xy, s.zu));
    store_parts(out + 16, 128, lower(s.vw, v_set(0)));
    store_parts(out + 32, 128, higher(s.xy, s.zu));
    store_parts(out + 48, 128, higher(s.vw, v_set(0)));
}

INLINE void store_32(char *out, v3 p, v3 n) {
    store_two_32(out, first_pairs(p, n));
    store_two_32(out + 64, last_pairs(p, n));
}

INLINE void store_two_16(char *out, size_t stride, pairs s) {
    store_parts(out, 4 * stride, lower(s.xy, s.zu));
    store_parts(out + stride, 4 * stride, higher(s.xy, s.zu));
}

INLINE void store_two_rows(char *out, size_t stride, pairs s) {
    store_two_16(out, stride, s);
    store_pairs(out + 16, out + stride + 16, 4 * stride, s.vw);
}

INLINE void store_rows(char *out, size_t stride, v3 p, v3 n) {
    store_two_rows(out, stride, first_pairs(p, n));
    store_two_rows(out + 2 * stride, stride, last_pairs(p, n));
}

INLINE void store_rows_16(char *out, size_t stride, v3 p, I packed) {
    const v3 n = {v_of_bits(packed), p.x, p.x};
    store_two_16(out, stride, first_pairs(p, n));
    store_two_16(out + 2 * stride, stride, last_pairs(p, n));
}

INLINE void store_16(char *out, v3 p, I packed) {
    store_rows_16(out, 16, p, packed);
}
