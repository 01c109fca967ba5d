#include "sample/kernels.h"

#ifdef LM_SIMD_X86
#include <immintrin.h>

#define KERNEL lmi_sample_avx2
#define KERNEL_TARGET __attribute__((target("avx2")))
#define INLINE LM_ALWAYS_INLINE KERNEL_TARGET
#define WIDTH 8
typedef __m256 V;
typedef __m256i I;

typedef struct v3 {
    V x, y, z;
} v3;

#define v_set(x) _mm256_set1_ps(x)
#define v_add _mm256_add_ps
#define v_sub _mm256_sub_ps
#define v_mul _mm256_mul_ps
#define v_div _mm256_div_ps
#define v_sqrt _mm256_sqrt_ps
#define v_min _mm256_min_ps
#define v_of_ints _mm256_cvtepi32_ps
#define i_load(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define i_and(i, mask) _mm256_and_si256(i, _mm256_set1_epi32((int)(mask)))
#define i_shl16(i) _mm256_slli_epi32(i, 16)
#define v_store(p, v) _mm256_storeu_ps((float *)(void *)(p), v)
#define i_store(p, i) _mm256_storeu_si256((__m256i *)(void *)(p), i)

INLINE bool v_all_above(V v, float limit) {
    return _mm256_movemask_ps(_mm256_cmp_ps(v, v_set(limit), _CMP_GT_OQ)) == 0xff;
}

/* Loads 16 bytes from each of two addresses. */
INLINE V halves(const void *low, const void *high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

INLINE void s16_split(const uint8_t *p, I *xy, I *zn) {
    V a = halves(p, p + 32), b = halves(p + 16, p + 48);
    *xy = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
    *zn = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
}

INLINE V v_row(const float table[256][4], const uint8_t *p, size_t step) {
    return halves(table[p[0]], table[p[4 * step]]);
}

/* Integer shuffles: some processors have half as many units for float shuffles. */
#define as_ints _mm256_castps_si256
#define as_floats _mm256_castsi256_ps
#define zip_low(a, b) as_floats(_mm256_unpacklo_epi32(as_ints(a), as_ints(b)))
#define zip_high(a, b) as_floats(_mm256_unpackhi_epi32(as_ints(a), as_ints(b)))
/* Pairs of floats in each 16 bytes: the lower ones of a and b, or the higher ones. */
#define lower(a, b) as_floats(_mm256_unpacklo_epi64(as_ints(a), as_ints(b)))
#define higher(a, b) as_floats(_mm256_unpackhi_epi64(as_ints(a), as_ints(b)))
#define outer(a, b) _mm256_shuffle_ps(a, b, 0xe4)
#define pick(a, b, i, j, k, l) _mm256_shuffle_ps(a, b, _MM_SHUFFLE(l, k, j, i))
#define v_of_bits as_floats

INLINE I i_snorm8(v3 n) {
    const I transposed = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, /**/
                                          0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    I xy = _mm256_packs_epi32(_mm256_cvtps_epi32(n.x), _mm256_cvtps_epi32(n.y));
    I z = _mm256_packs_epi32(_mm256_cvtps_epi32(n.z), _mm256_setzero_si256());
    return _mm256_shuffle_epi8(_mm256_packs_epi16(xy, z), transposed);
}

INLINE void store_parts(char *out, size_t apart, V v) {
    _mm_storeu_ps((float *)(void *)out, _mm256_castps256_ps128(v));
    _mm_storeu_ps((float *)(void *)(out + apart), _mm256_extractf128_ps(v, 1));
}

INLINE void store_pair(char *even, char *odd, __m128 v) {
    _mm_storel_pi((__m64 *)(void *)even, v);
    _mm_storeh_pi((__m64 *)(void *)odd, v);
}

INLINE void store_pairs(char *even, char *odd, size_t apart, V v) {
    store_pair(even, odd, _mm256_castps256_ps128(v));
    store_pair(even + apart, odd + apart, _mm256_extractf128_ps(v, 1));
}

#include "sample/sample_rows.h"

/* Writes one cache line: the lower halves of a, b, c and d, or the higher ones. */
INLINE void stream_line(char *out, V a, V b, V c, V d, bool high) {
    float *to = (float *)(void *)out;
    _mm256_stream_ps(to, high ? _mm256_permute2f128_ps(a, b, 0x31)
                              : _mm256_permute2f128_ps(a, b, 0x20));
    _mm256_stream_ps(to + 8, high ? _mm256_permute2f128_ps(c, d, 0x31)
                                  : _mm256_permute2f128_ps(c, d, 0x20));
}

INLINE void stream_32(char *out, v3 p, v3 n) {
    const V none = _mm256_setzero_ps();
    pairs s = first_pairs(p, n), t = last_pairs(p, n);
    V a = lower(s.xy, s.zu), b = lower(s.vw, none), c = higher(s.xy, s.zu), d = higher(s.vw, none);
    V e = lower(t.xy, t.zu), f = lower(t.vw, none), g = higher(t.xy, t.zu), h = higher(t.vw, none);
    stream_line(out, a, b, c, d, false);
    stream_line(out + 64, e, f, g, h, false);
    stream_line(out + 128, a, b, c, d, true);
    stream_line(out + 192, e, f, g, h, true);
}

#include "sample/sample_simd.h"
#endif
