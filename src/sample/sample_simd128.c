/* SSE2, aarch64's NEON and WebAssembly's SIMD128, which have much the same under other names. */
#include "sample/kernels.h"

#if defined(LM_SIMD_X86) || defined(LM_SIMD_NEON) || defined(LM_SIMD_WASM)
#define KERNEL lm_sample_simd128
#define KERNEL_TARGET
#define INLINE LM_ALWAYS_INLINE
#define WIDTH 4

#ifdef LM_SIMD_X86
#include <emmintrin.h>

typedef __m128 V;
typedef __m128i I;

#define v_set(x) _mm_set1_ps(x)
#define v_add _mm_add_ps
#define v_sub _mm_sub_ps
#define v_mul _mm_mul_ps
#define v_div _mm_div_ps
#define v_sqrt _mm_sqrt_ps
#define v_of_ints _mm_cvtepi32_ps
#define v_of_bits _mm_castsi128_ps
#define v_bits _mm_castps_si128
#define v_load(p) _mm_loadu_ps((const float *)(const void *)(p))
#define v_store(p, v) _mm_storeu_ps((float *)(void *)(p), v)
#define i_load(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define i_store(p, i) _mm_storeu_si128((__m128i *)(void *)(p), i)
#define i_and(i, mask) _mm_and_si128(i, _mm_set1_epi32((int)(mask)))
#define i_or _mm_or_si128
#define i_shl(i, bits) _mm_slli_epi32(i, bits)
#define even_lanes(a, b) _mm_shuffle_ps(a, b, 0x88)
#define odd_lanes(a, b) _mm_shuffle_ps(a, b, 0xdd)
/* Lanes i and j of a, k and l of b. */
#define pick(a, b, i, j, k, l) _mm_shuffle_ps(a, b, _MM_SHUFFLE(l, k, j, i))
#define zip_low _mm_unpacklo_ps
#define zip_high _mm_unpackhi_ps
#define lower _mm_movelh_ps
#define higher(a, b) _mm_movehl_ps(b, a)
/* The lower two of a, the higher two of b. */
#define outer(a, b) _mm_shuffle_ps(a, b, 0xe4)
#define above(v, limit) _mm_cmpgt_ps(v, v_set(limit))
#define i_all(above) (_mm_movemask_ps(above) == 0xf)
#define i_select(mask, then, otherwise) \
    _mm_or_ps(_mm_and_ps(mask, then), _mm_andnot_ps(mask, otherwise))
#define store_lower(p, v) _mm_storel_pi((__m64 *)(void *)(p), v)
#define store_higher(p, v) _mm_storeh_pi((__m64 *)(void *)(p), v)

#elif defined(LM_SIMD_NEON)
#include <arm_neon.h>

typedef float32x4_t V;
typedef uint32x4_t I;

#define v_set(x) vdupq_n_f32(x)
#define v_add vaddq_f32
#define v_sub vsubq_f32
#define v_mul vmulq_f32
#define v_div vdivq_f32
#define v_sqrt vsqrtq_f32
#define v_of_ints(i) vcvtq_f32_s32(vreinterpretq_s32_u32(i))
#define v_of_bits vreinterpretq_f32_u32
#define v_bits vreinterpretq_u32_f32
#define v_load(p) vreinterpretq_f32_u8(vld1q_u8((const uint8_t *)(const void *)(p)))
#define v_store(p, v) vst1q_u8((uint8_t *)(void *)(p), vreinterpretq_u8_f32(v))
#define i_load(p) vreinterpretq_u32_u8(vld1q_u8((const uint8_t *)(const void *)(p)))
#define i_store(p, i) vst1q_u8((uint8_t *)(void *)(p), vreinterpretq_u8_u32(i))
#define i_and(i, mask) vandq_u32(i, vdupq_n_u32(mask))
#define i_or vorrq_u32
#define i_shl(i, bits) vshlq_n_u32(i, bits)
#define even_lanes vuzp1q_f32
#define odd_lanes vuzp2q_f32
#define zip_low vzip1q_f32
#define zip_high vzip2q_f32
#define lower(a, b) \
    vreinterpretq_f32_f64(vzip1q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)))
#define higher(a, b) \
    vreinterpretq_f32_f64(vzip2q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)))
/* The lower two of a, the higher two of b. */
#define outer(a, b) vcombine_f32(vget_low_f32(a), vget_high_f32(b))
#define above(v, limit) vcgtq_f32(v, v_set(limit))
#define i_all(i) (vminvq_u32(i) != 0)
#define i_select(mask, then, otherwise) vbslq_f32(mask, then, otherwise)
#define store_lower(p, v) vst1_u8((uint8_t *)(void *)(p), vreinterpret_u8_f32(vget_low_f32(v)))
#define store_higher(p, v) vst1_u8((uint8_t *)(void *)(p), vreinterpret_u8_f32(vget_high_f32(v)))

#else
#include <wasm_simd128.h>

typedef v128_t V, I;

#define v_set(x) wasm_f32x4_splat(x)
#define v_add wasm_f32x4_add
#define v_sub wasm_f32x4_sub
#define v_mul wasm_f32x4_mul
#define v_div wasm_f32x4_div
#define v_sqrt wasm_f32x4_sqrt
#define v_of_ints wasm_f32x4_convert_i32x4
#define v_of_bits(i) (i)
#define v_bits(v) (v)
#define v_load(p) wasm_v128_load(p)
#define v_store(p, v) wasm_v128_store(p, v)
#define i_load(p) wasm_v128_load(p)
#define i_store(p, i) wasm_v128_store(p, i)
#define i_and(i, mask) wasm_v128_and(i, wasm_i32x4_splat((int)(mask)))
#define i_or wasm_v128_or
#define i_shl(i, bits) wasm_i32x4_shl(i, bits)
#define even_lanes(a, b) wasm_i32x4_shuffle(a, b, 0, 2, 4, 6)
#define odd_lanes(a, b) wasm_i32x4_shuffle(a, b, 1, 3, 5, 7)
/* Lanes i and j of a, k and l of b. */
#define pick(a, b, i, j, k, l) wasm_i32x4_shuffle(a, b, i, j, 4 + (k), 4 + (l))
#define zip_low(a, b) wasm_i32x4_shuffle(a, b, 0, 4, 1, 5)
#define zip_high(a, b) wasm_i32x4_shuffle(a, b, 2, 6, 3, 7)
#define lower(a, b) wasm_i64x2_shuffle(a, b, 0, 2)
#define higher(a, b) wasm_i64x2_shuffle(a, b, 1, 3)
/* The lower two of a, the higher two of b. */
#define outer(a, b) wasm_i64x2_shuffle(a, b, 0, 3)
#define above(v, limit) wasm_f32x4_gt(v, v_set(limit))
#define i_all wasm_i32x4_all_true
#define i_select(mask, then, otherwise) wasm_v128_bitselect(then, otherwise, mask)
#define store_lower(p, v) wasm_v128_store64_lane(p, v, 0)
#define store_higher(p, v) wasm_v128_store64_lane(p, v, 1)
#endif

typedef struct v3 {
    V x, y, z;
} v3;

#define i_shl16(i) i_shl(i, 16)

INLINE bool v_all_above(V v, float limit) {
    return i_all(above(v, limit));
}

INLINE V v_where_above(V v, float limit, V then, V otherwise) {
    return i_select(above(v, limit), then, otherwise);
}

INLINE void s16_split(const uint8_t *p, I *xy, I *zn) {
    V a = v_load(p), b = v_load(p + 16);
    *xy = v_bits(even_lanes(a, b));
    *zn = v_bits(odd_lanes(a, b));
}

INLINE V v_row(const float table[256][4], const uint8_t *p, size_t step) {
    (void)step; /* this row fills the vector */
    return v_load(table[*p]);
}

/* As the reference rounds. */
INLINE I snorm8(V v) {
    return i_and(v_bits(v_add(v, v_set(LM_ROUNDER))), 0xff);
}

INLINE I i_snorm8(v3 n) {
    return i_or(snorm8(n.x), i_or(i_shl(snorm8(n.y), 8), i_shl(snorm8(n.z), 16)));
}

#define store_parts(out, apart, v) v_store(out, v)
#define store_pairs(even, odd, apart, v) (store_lower(even, v), store_higher(odd, v))

#include "sample/sample_rows.h"

#ifdef LM_SIMD_X86
INLINE void stream_two(char *out, pairs s) {
    float *to = (float *)(void *)out;
    _mm_stream_ps(to, lower(s.xy, s.zu));
    _mm_stream_ps(to + 4, lower(s.vw, v_set(0)));
    _mm_stream_ps(to + 8, higher(s.xy, s.zu));
    _mm_stream_ps(to + 12, higher(s.vw, v_set(0)));
}

INLINE void stream_32(char *out, v3 p, v3 n) {
    stream_two(out, first_pairs(p, n));
    stream_two(out + 64, last_pairs(p, n));
}

void lm_stream_end(void) {
    _mm_sfence();
}
#endif

#include "sample/sample_simd.h"
#endif
