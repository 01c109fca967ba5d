#include "sample/kernels.h"

#ifdef LM_SIMD_X86
#include <emmintrin.h>

#define KERNEL lm_sample_sse2
#define KERNEL_TARGET
#define INLINE LM_ALWAYS_INLINE
#define WIDTH 4
typedef __m128 V;
typedef __m128i I;

typedef struct v3 {
    V x, y, z;
} v3;

#define v_set(x) _mm_set1_ps(x)
#define v_add _mm_add_ps
#define v_sub _mm_sub_ps
#define v_mul _mm_mul_ps
#define v_div _mm_div_ps
#define v_sqrt _mm_sqrt_ps
#define v_of_ints _mm_cvtepi32_ps
#define i_load(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define i_and(i, mask) _mm_and_si128(i, _mm_set1_epi32((int)(mask)))
#define i_shl16(i) _mm_slli_epi32(i, 16)
#define v_store(p, v) _mm_storeu_ps((float *)(void *)(p), v)
#define i_store(p, i) _mm_storeu_si128((__m128i *)(void *)(p), i)

INLINE bool v_all_above(V v, float limit) {
    return _mm_movemask_ps(_mm_cmpgt_ps(v, v_set(limit))) == 0xf;
}

INLINE V v_where_above(V v, float limit, V then, V otherwise) {
    V above = _mm_cmpgt_ps(v, v_set(limit));
    return _mm_or_ps(_mm_and_ps(above, then), _mm_andnot_ps(above, otherwise));
}

INLINE void s16_split(const uint8_t *p, I *xy, I *zn) {
    V a = _mm_castsi128_ps(i_load(p)), b = _mm_castsi128_ps(i_load(p + 16));
    *xy = _mm_castps_si128(_mm_shuffle_ps(a, b, 0x88));
    *zn = _mm_castps_si128(_mm_shuffle_ps(a, b, 0xdd));
}

INLINE V v_row(const float table[256][4], const uint8_t *p, size_t step) {
    (void)step; /* this row fills the vector */
    return _mm_load_ps(table[*p]);
}

INLINE v3 v_columns(V a, V b, V c, V d) {
    V xy01 = _mm_unpacklo_ps(a, b), xy23 = _mm_unpacklo_ps(c, d);
    V zw01 = _mm_unpackhi_ps(a, b), zw23 = _mm_unpackhi_ps(c, d);
    return (v3){_mm_movelh_ps(xy01, xy23), _mm_movehl_ps(xy23, xy01), _mm_movelh_ps(zw01, zw23)};
}

INLINE I i_snorm8(v3 n) {
    I x = i_and(_mm_cvtps_epi32(n.x), 0xff);
    I y = i_and(_mm_cvtps_epi32(n.y), 0xff);
    I z = i_and(_mm_cvtps_epi32(n.z), 0xff);
    return _mm_or_si128(x, _mm_or_si128(_mm_slli_epi32(y, 8), _mm_slli_epi32(z, 16)));
}

/* Pairs of planes as pairs of numbers: vertices 0 and 1, then 2 and 3. */
typedef struct pairs {
    V xy, zu, vw;
} pairs;

INLINE pairs first_pairs(v3 p, v3 n) {
    return (pairs){_mm_unpacklo_ps(p.x, p.y), _mm_unpacklo_ps(p.z, n.x), _mm_unpacklo_ps(n.y, n.z)};
}

INLINE pairs last_pairs(v3 p, v3 n) {
    return (pairs){_mm_unpackhi_ps(p.x, p.y), _mm_unpackhi_ps(p.z, n.x), _mm_unpackhi_ps(n.y, n.z)};
}

INLINE void store_two_24(char *out, pairs s) {
    v_store(out, _mm_movelh_ps(s.xy, s.zu));
    v_store(out + 16, _mm_shuffle_ps(s.vw, s.xy, 0xe4));
    v_store(out + 32, _mm_movehl_ps(s.vw, s.zu));
}

INLINE void store_24(char *out, v3 p, v3 n) {
    store_two_24(out, first_pairs(p, n));
    store_two_24(out + 48, last_pairs(p, n));
}

INLINE void store_two(char *out, size_t stride, pairs s, bool zero) {
    char *next = out + stride;
    v_store(out, _mm_movelh_ps(s.xy, s.zu));
    v_store(next, _mm_movehl_ps(s.zu, s.xy));
    if (zero) {
        v_store(out + 16, _mm_movelh_ps(s.vw, _mm_setzero_ps()));
        v_store(next + 16, _mm_movehl_ps(_mm_setzero_ps(), s.vw));
    } else {
        _mm_storel_pi((__m64 *)(void *)(out + 16), s.vw);
        _mm_storeh_pi((__m64 *)(void *)(next + 16), s.vw);
    }
}

INLINE void store_rows(char *out, size_t stride, v3 p, v3 n, bool zero) {
    store_two(out, stride, first_pairs(p, n), zero);
    store_two(out + 2 * stride, stride, last_pairs(p, n), zero);
}

INLINE void stream_two(char *out, pairs s) {
    float *to = (float *)(void *)out;
    _mm_stream_ps(to, _mm_movelh_ps(s.xy, s.zu));
    _mm_stream_ps(to + 4, _mm_movelh_ps(s.vw, _mm_setzero_ps()));
    _mm_stream_ps(to + 8, _mm_movehl_ps(s.zu, s.xy));
    _mm_stream_ps(to + 12, _mm_movehl_ps(_mm_setzero_ps(), s.vw));
}

INLINE void stream_32(char *out, v3 p, v3 n) {
    stream_two(out, first_pairs(p, n));
    stream_two(out + 64, last_pairs(p, n));
}

INLINE void store_two_16(char *out, size_t stride, pairs s) {
    v_store(out, _mm_movelh_ps(s.xy, s.zu));
    v_store(out + stride, _mm_movehl_ps(s.zu, s.xy));
}

INLINE void store_16(char *out, size_t stride, v3 p, I packed) {
    const v3 n = {_mm_castsi128_ps(packed), p.x, p.x};
    store_two_16(out, stride, first_pairs(p, n));
    store_two_16(out + 2 * stride, stride, last_pairs(p, n));
}

#include "sample/sample_simd.h"

void lm_stream_end(void) {
    _mm_sfence();
}
#endif
