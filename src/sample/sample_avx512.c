/* AVX-512 with VBMI: looks up normals in tables in registers, 16 vertices at a time, without a load
 * for each. It handles normals of one byte, in planes and in 16 bytes per vertex. For all other
 * jobs the AVX2 kernel is at least as fast, and runs them. */
#include "sample/kernels.h"

#ifdef LM_SIMD_X86
#include <immintrin.h>

#define KERNEL lm_sample_avx512
#define KERNEL_TARGET __attribute__((target("avx512f,avx512bw,avx512vbmi")))
#define KERNEL_OTHERWISE lm_sample_avx2
#define INLINE LM_ALWAYS_INLINE KERNEL_TARGET
#define WIDTH 16
typedef __m512 V;
typedef __m512i I;

typedef struct v3 {
    V x, y, z;
} v3;

#define v_set(x) _mm512_set1_ps(x)
#define v_add _mm512_add_ps
#define v_sub _mm512_sub_ps
#define v_mul _mm512_mul_ps
#define v_div _mm512_div_ps
#define v_sqrt _mm512_sqrt_ps
#define v_min _mm512_min_ps
#define v_of_ints _mm512_cvtepi32_ps
#define i_load(p) _mm512_loadu_si512(p)
#define i_and(i, mask) _mm512_and_si512(i, _mm512_set1_epi32((int)(mask)))
#define i_shl16(i) _mm512_slli_epi32(i, 16)
#define v_store(p, v) _mm512_storeu_ps(p, v)
#define i_store(p, i) _mm512_storeu_si512(p, i)
#define above(v, limit) _mm512_cmp_ps_mask(v, v_set(limit), _CMP_GT_OQ)

INLINE bool v_all_above(V v, float limit) {
    return above(v, limit) == 0xffff;
}

INLINE void s16_split(const uint8_t *p, I *xy, I *zn) {
    const I even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const I odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    I a = i_load(p), b = i_load(p + 64);
    *xy = _mm512_permutex2var_epi32(a, even, b);
    *zn = _mm512_permutex2var_epi32(a, odd, b);
}

/* ---- Looking up normals -------------------------------------------------------------------- */

/* The coordinates of normals. `sizes` has the distinct magnitudes; x, y and z have the index of
 * each normal's magnitude, plus 128 if it is negative. */
typedef struct lookup {
    float sizes[32];
    uint8_t x[256], y[256], z[256];
} lookup;

_Alignas(64) static const lookup lookup_162 = {
#include "math/lookup_162.inc"
};

_Alignas(64) static const lookup lookup_256 = {
#include "math/lookup_256.inc"
};

#define MIDDLE_BYTES 0x6666666666666666u /* bytes 1 and 2 of each 4 */

/* Returns four bytes per vertex with normal indices: bytes 0 and 3 are that of `a`, 1 and 2 that of
 * `b`. Each input has its index in byte 3. */
INLINE I which_normals(I a, I b) {
    const I last = _mm512_set4_epi32(0x0f0f0f0f, 0x0b0b0b0b, 0x07070707, 0x03030303);
    return _mm512_mask_shuffle_epi8(_mm512_shuffle_epi8(a, last), MIDDLE_BYTES, b, last);
}

/* Looks up the codes of one coordinate for 64 indices below `count`. */
INLINE I codes_of(const uint8_t codes[256], size_t count, I which) {
    __mmask64 second = _mm512_test_epi8_mask(which, _mm512_set1_epi8(0x40));
    __mmask64 third = _mm512_movepi8_mask(which);
    I found = _mm512_permutexvar_epi8(which, i_load(codes));
    found = _mm512_mask_permutexvar_epi8(found, second, which, i_load(codes + 64));
    found = _mm512_mask_permutexvar_epi8(found, third, which, i_load(codes + 128));
    if (count <= 192)
        return found;
    return _mm512_mask_permutexvar_epi8(found, second & third, which, i_load(codes + 192));
}

#define V_XOR_SIGN_AND_MASK 0x78 /* truth table for vpternlog */

/* Applies the sign in bit 31. */
INLINE V with_sign(V v, I sign) {
    return _mm512_castsi512_ps(_mm512_ternarylogic_epi32(
        _mm512_castps_si512(v), sign, _mm512_set1_epi32(INT32_MIN), V_XOR_SIGN_AND_MASK));
}

/* Decodes a coordinate: byte 0 of each four is the index of the magnitude, byte 3 has the sign. */
INLINE V of_codes(const float sizes[32], I codes) {
    V size = _mm512_permutex2var_ps(_mm512_loadu_ps(sizes), codes, _mm512_loadu_ps(sizes + 16));
    return with_sign(size, codes);
}

INLINE V blended_codes(const float sizes[32], I codes, V ratio) {
    I other = _mm512_rol_epi32(codes, 16);
    return v_add(of_codes(sizes, codes), v_mul(ratio, of_codes(sizes, other)));
}

INLINE v3 blended_lookups(const lookup *table, size_t count, I a, I b, V ratio) {
    I which = which_normals(a, b);
    return (v3){blended_codes(table->sizes, codes_of(table->x, count, which), ratio),
                blended_codes(table->sizes, codes_of(table->y, count, which), ratio),
                blended_codes(table->sizes, codes_of(table->z, count, which), ratio)};
}

INLINE v3 blended_normals(const lm_sample_cursor *at, V ratio, lm_sample_input input) {
    if (input == LM_INPUT_U8)
        return blended_lookups(&lookup_162, 162, i_load(at->key0), i_load(at->key1), ratio);
    return blended_lookups(&lookup_256, 256, i_load(at->delta0), i_load(at->delta1), ratio);
}

/* ---- Storing ------------------------------------------------------------------------------- */

INLINE I i_snorm8(v3 n) {
    I x = i_and(_mm512_cvtps_epi32(n.x), 0xff);
    I y = i_and(_mm512_cvtps_epi32(n.y), 0xff);
    I z = i_and(_mm512_cvtps_epi32(n.z), 0xff);
    return _mm512_or_si512(x, _mm512_or_si512(_mm512_slli_epi32(y, 8), _mm512_slli_epi32(z, 16)));
}

/* Interleaves three planes: first x and y, then z between them. */
INLINE V third_of(v3 p, I xy, I z) {
    return _mm512_permutex2var_ps(_mm512_permutex2var_ps(p.x, xy, p.y), z, p.z);
}

INLINE void store_12(char *out, v3 p) {
    const I xy0 = _mm512_setr_epi32(0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
    const I z0 = _mm512_setr_epi32(0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
    const I xy1 = _mm512_setr_epi32(21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
    const I z1 = _mm512_setr_epi32(0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15);
    const I xy2 = _mm512_setr_epi32(0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
    const I z2 = _mm512_setr_epi32(26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31);
    v_store(out, third_of(p, xy0, z0));
    v_store(out + 64, third_of(p, xy1, z1));
    v_store(out + 128, third_of(p, xy2, z2));
}

/* Pairs of coordinates in the order of the vertices. */
typedef struct pairs {
    V low, high; /* of vertices 0 .. 7 and 8 .. 15 */
} pairs;

INLINE pairs pairs_of(V a, V b) {
    const I low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const I high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    return (pairs){_mm512_permutex2var_ps(a, low, b), _mm512_permutex2var_ps(a, high, b)};
}

/* Selects among pairs 0 .. 7 of a and 8 .. 15 of b. */
INLINE V chosen(V a, I pick, V b) {
    return _mm512_castpd_ps(_mm512_permutex2var_pd(_mm512_castps_pd(a), pick, _mm512_castps_pd(b)));
}

/* Returns 16 bytes for each of four vertices, from vertex `first` of 8 on. */
INLINE V four_of(V xy, V zu, long long first) {
    const I which = _mm512_setr_epi64(first, first + 8, first + 1, first + 9, first + 2, first + 10,
                                      first + 3, first + 11);
    return chosen(xy, which, zu);
}

INLINE void store_16(char *out, v3 p, I packed) {
    pairs xy = pairs_of(p.x, p.y), zu = pairs_of(p.z, _mm512_castsi512_ps(packed));
    v_store(out, four_of(xy.low, zu.low, 0));
    v_store(out + 64, four_of(xy.low, zu.low, 4));
    v_store(out + 128, four_of(xy.high, zu.high, 0));
    v_store(out + 192, four_of(xy.high, zu.high, 4));
}

#include "sample/sample_simd.h"
#endif
