/* SSE2, NEON of aarch64, and SIMD128 of WebAssembly. */
#include "sample/kernels.h"

#include <string.h>

#if defined(LM_SIMD_X86) || defined(LM_SIMD_NEON) || defined(LM_SIMD_WASM)
#define KERNEL lmi_sample_simd128
#define KERNEL_TARGET
#define INLINE LM_ALWAYS_INLINE
#define WIDTH 4

typedef float __attribute__((vector_size(16))) V;
typedef double __attribute__((vector_size(16))) doubles;
typedef int32_t __attribute__((vector_size(16))) integers;
typedef uint32_t __attribute__((vector_size(16))) I;

/* Uses the compiler's vector types, and intrinsics for operations that they do not have. */
#ifdef LM_SIMD_X86
#include <emmintrin.h>
#define v_sqrt(v) ((V)_mm_sqrt_ps((__m128)(v)))
#define v_min(a, b) ((V)_mm_min_ps((__m128)(a), (__m128)(b)))
#define i_all(i) (_mm_movemask_ps((__m128)(i)) == 0xf)
#elif defined(LM_SIMD_NEON)
#include <arm_neon.h>
#define v_sqrt(v) ((V)vsqrtq_f32((float32x4_t)(v)))
#define v_min(a, b) ((V)vminq_f32((float32x4_t)(a), (float32x4_t)(b)))
#define i_all(i) (vminvq_u32((uint32x4_t)(i)) != 0)
#else
#include <wasm_simd128.h>
#define v_sqrt(v) ((V)wasm_f32x4_sqrt((v128_t)(v)))
#define v_min(a, b) ((V)wasm_f32x4_pmin((v128_t)(a), (v128_t)(b)))
#define i_all(i) wasm_i32x4_all_true((v128_t)(i))
#endif

/* WebAssembly uses the intrinsic. With the compiler's built-in, unused lanes become lane 0, and
 * engines recognise a shuffle only by all of its lanes. */
#ifdef LM_SIMD_WASM
#define shuffle(a, b, i, j, k, l) ((V)wasm_i32x4_shuffle((v128_t)(a), (v128_t)(b), i, j, k, l))
#elif defined(__clang__) || __GNUC__ >= 12
#define shuffle(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define shuffle(a, b, i, j, k, l) __builtin_shuffle(a, b, (I){i, j, k, l})
#endif
#define even_lanes(a, b) shuffle(a, b, 0, 2, 4, 6)
#define odd_lanes(a, b) shuffle(a, b, 1, 3, 5, 7)
#define pick(a, b, i, j, k, l) shuffle(a, b, i, j, 4 + (k), 4 + (l))
#define zip_low(a, b) shuffle(a, b, 0, 4, 1, 5)
#define zip_high(a, b) shuffle(a, b, 2, 6, 3, 7)
#define lower(a, b) shuffle(a, b, 0, 1, 4, 5)
#define higher(a, b) shuffle(a, b, 2, 3, 6, 7)
#define outer(a, b) shuffle(a, b, 0, 1, 6, 7)

#define v_add(a, b) ((a) + (b))
#define v_sub(a, b) ((a) - (b))
#define v_mul(a, b) ((a) * (b))
#define v_div(a, b) ((a) / (b))
#define v_of_ints(i) __builtin_convertvector((integers)(i), V)
#define v_of_bits(i) ((V)(i))
#define v_bits(v) ((I)(v))
#define i_load(p) v_bits(v_load(p))
#define i_store(p, i) v_store(p, v_of_bits(i))
#define i_and(i, mask) ((i) & (uint32_t)(mask))
#define i_or(a, b) ((a) | (b))
#define i_shl(i, bits) ((i) << (bits))
#define i_shl16(i) i_shl(i, 16)
#define above(v, limit) ((I)((v) > v_set(limit)))

INLINE V v_set(float x) {
    return (V){x, x, x, x};
}

INLINE V v_load(const void *p) {
    V v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void v_store(char *p, V v) {
    memcpy(p, &v, sizeof v);
}

INLINE void store_pairs(char *even, char *odd, size_t apart, V v) {
    const double low = ((doubles)v)[0], high = ((doubles)v)[1];
    (void)apart; /* a vector has only one pair of each */
    memcpy(even, &low, sizeof low);
    memcpy(odd, &high, sizeof high);
}

typedef struct v3 {
    V x, y, z;
} v3;

INLINE bool v_all_above(V v, float limit) {
    return i_all(above(v, limit));
}

INLINE void s16_split(const uint8_t *p, I *xy, I *zn) {
    V a = v_load(p), b = v_load(p + 16);
    *xy = v_bits(even_lanes(a, b));
    *zn = v_bits(odd_lanes(a, b));
}

INLINE V v_row(const float table[256][4], const uint8_t *p, size_t step) {
    (void)step; /* one row fills the vector */
    return v_load(table[*p]);
}

/* Rounds like the reference. */
INLINE I snorm8(V v) {
    return i_and(v_bits(v_add(v, v_set(LM_ROUNDER))), 0xff);
}

INLINE I i_snorm8(v3 n) {
    return i_or(snorm8(n.x), i_or(i_shl(snorm8(n.y), 8), i_shl(snorm8(n.z), 16)));
}

#define store_parts(out, apart, v) v_store(out, v)

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

void lmi_stream_end(void) {
    _mm_sfence();
}
#endif

#include "sample/sample_simd.h"
#endif
