/* The kernels of the sampler: a scalar reference and vector versions with bit-identical results.
 * All do the same additions, multiplications, divisions and square roots in the same order, each
 * rounded once (IEEE 754). They convert only integers that a float represents exactly. */
#ifndef LM_SAMPLE_KERNELS_H
#define LM_SAMPLE_KERNELS_H

#include "lerpmesh/sample.h"
#include "math/vectors.h"

#include <math.h>
#include <string.h>

#if defined(LM_NO_SIMD) || !defined(__GNUC__)
/* only the scalar reference */
#elif defined(__x86_64__)
#define LM_SIMD_X86
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LM_SIMD_NEON
#elif defined(__wasm_simd128__)
#define LM_SIMD_WASM
#endif

#ifdef __GNUC__
#define LM_ALWAYS_INLINE static inline __attribute__((always_inline))
#define LM_NEVER_INLINE __attribute__((noinline))
#else
#define LM_ALWAYS_INLINE static inline
#define LM_NEVER_INLINE
#endif

/* The input that a pose blends. A side of LM_VERTEX_S16 without a delta uses the key's normal. */
typedef enum lm_sample_input {
    LM_INPUT_U8,
    LM_INPUT_S16,
    LM_INPUT_S16_DELTA_FIRST,  /* only the first side has a delta */
    LM_INPUT_S16_DELTA_SECOND, /* only the second side has one */
    LM_INPUT_S16_DELTAS,       /* both sides have one */
    LM_INPUT_S16_DELTAS_ON_ONE /* both, with the same key: side 0 has the key's full weight */
} lm_sample_input;

#define LM_NUM_INPUTS (LM_INPUT_S16_DELTAS_ON_ONE + 1)

static inline bool lmi_input_has_delta(lm_sample_input input, int side) {
    return input >= LM_INPUT_S16_DELTAS ||
           input == (side == 0 ? LM_INPUT_S16_DELTA_FIRST : LM_INPUT_S16_DELTA_SECOND);
}

static inline size_t lmi_input_key_size(lm_sample_input input) {
    return input == LM_INPUT_U8 ? 4 : 8;
}

typedef enum lm_sample_layout {
    LM_LAYOUT_SOA,     /* vertices 4 bytes apart; any output may be missing */
    LM_LAYOUT_TRIPLES, /* positions and normals separate, 12 bytes apart; either may be missing */
    LM_LAYOUT_PACKED,  /* packed normals of LM_LAYOUT_SOA; internal to kernels */
    LM_LAYOUT_16,      /* packed normals 12 bytes after positions, 16 bytes per vertex */
    LM_LAYOUT_24,      /* normals 12 bytes after positions, 24 bytes per vertex */
    LM_LAYOUT_32,      /* as LM_LAYOUT_24, and 8 bytes of zeros */
    LM_LAYOUT_ROWS,    /* as LM_LAYOUT_24, with a larger stride */
    LM_LAYOUT_ROWS_OF_16, /* as LM_LAYOUT_16, with a larger stride */
    LM_LAYOUT_STREAMED,   /* as LM_LAYOUT_32, vertices aligned to 32 bytes; may bypass the caches */
    LM_LAYOUT_SCATTERED   /* any other; only the scalar reference supports it */
} lm_sample_layout;

/* A frame. Its numbers are multiplied by its weight in the pose. */
typedef struct lm_sample_side {
    const uint8_t *key;
    const uint8_t *delta; /* NULL: none */
    float scale[3];
    float delta_scale;
} lm_sample_side;

/* A job: one pose of a surface or of a part of it. A position is
 *     k0 * scale0 + (k1 * scale1 + ((d0 - bias) * delta_scale0 +
 *         ((d1 - bias) * delta_scale1 + translate)))
 * and a normal n0 + mix * n1, normalised. Side 0 is the nearer frame. */
typedef struct lm_sample_job {
    lm_sample_side sides[2];
    float translate[3];
    float ratio; /* -1 .. 1 */
    bool add_normals;
    lm_sample_input input;
    lm_sample_layout layout;
    size_t count;
    char *positions, *normals, *packed; /* NULL: no such output */
    size_t stride, component;           /* bytes from vertex to vertex, and from x to y */
} lm_sample_job;

/* The input addresses of some vertices. */
typedef struct lm_sample_cursor {
    const uint8_t *key0, *key1, *delta0, *delta1;
} lm_sample_cursor;

/* The square of 1e-5. If n0 + mix * n1 is shorter than that, its direction is rounding noise:
 * tables are accurate to 1e-6. */
#define LM_CANCELLED 1e-10f

/* Adding this to a number of at most 2^21 rounds it to an integer in the low bits of the float. */
#define LM_ROUNDER 12582912.0f

/* Runs a job. `count` is at least the kernel's width. No byte outside of `count` vertices is
 * accessed. */
typedef void lm_sample_kernel(const lm_sample_job *job);

void lmi_sample_scalar(const lm_sample_job *job);  /* any count, every kind of job */
void lmi_sample_simd128(const lm_sample_job *job); /* SSE2, NEON or WebAssembly's SIMD128 */
void lmi_sample_avx2(const lm_sample_job *job);

#define LM_SAMPLE_WIDTHS 2

/* A choice of kernels, the widest first. Each is used for counts from its width on. */
typedef struct lm_sample_kernels {
    const char *name;
    bool needs_avx2; /* which only some x86 processors have */
    struct {
        lm_sample_kernel *run; /* NULL: the scalar reference for all smaller counts */
        size_t width;
    } wide[LM_SAMPLE_WIDTHS];
} lm_sample_kernels;

/* Returns the i-th choice that this processor can run, the fastest first and the scalar reference
 * last; NULL after it. */
const lm_sample_kernels *lmi_sample_choice(size_t i);
/* Returns the i-th choice for a processor with or without AVX2. */
const lm_sample_kernels *lmi_sample_choice_of(bool has_avx2, size_t i);

/* lm_sample with a choice of kernels. Output of at least `stream_from` bytes bypasses the
 * caches. */
lm_code lmi_sample_with(const lm_sample_kernels *kernels, size_t stream_from, const lm_model *model,
                        uint32_t surface, const lm_pose *poses, size_t num_poses,
                        const lm_sample_target *target);

/* lm_sample_blend with a choice of kernels. */
lm_code lmi_sample_blend_with(const lm_sample_kernels *kernels, const lm_model *model,
                              uint32_t surface, const lm_pose *from, const lm_pose *to,
                              float weight, const lm_sample_target *target);

/* LM_STREAMS is true if kernels write LM_LAYOUT_STREAMED past the caches. lmi_stream_end orders
 * these stores before all later ones. */
#ifdef LM_SIMD_X86
#define LM_STREAMS true
void lmi_stream_end(void);
#else
#define LM_STREAMS false
static inline void lmi_stream_end(void) {}
#endif

/* Runs the job of a pose: uses the widest kernel that fits, goes through planes if kernels do not
 * support the layout, and adds the copies for seams. */

/* Samples a surface in the job's pose. The job's `count` need not be set. Modifies its outputs and
 * count. */
void lmi_run_pose(const lm_sample_kernels *kernels, lm_sample_job *job, const lm_surface *surface);

/* Samples the `count` file vertices in the list. They follow the job's first `job->count` vertices
 * in the outputs. Modifies the job's outputs and count. */
void lmi_run_vertices(const lm_sample_kernels *kernels, lm_sample_job *job,
                      const uint32_t *vertices, size_t count);

/* ---- One vertex at a time: the scalar reference and the blend of two poses ------------------ */

#ifdef LM_SMALL
#define LM_SCALAR static inline
#else
#define LM_SCALAR LM_ALWAYS_INLINE
#endif

LM_SCALAR lm_vec3 lmi_sum_of(lm_vec3 a, lm_vec3 b, float share) {
    return (lm_vec3){a.x + share * b.x, a.y + share * b.y, a.z + share * b.z};
}

LM_SCALAR lm_vec3 lmi_scaled(lm_vec3 n, float scale) {
    return (lm_vec3){n.x * scale, n.y * scale, n.z * scale};
}

LM_SCALAR float lmi_square_of(lm_vec3 n) {
    return n.x * n.x + n.y * n.y + n.z * n.z;
}

/* Returns the factor that gives *n the length `length`. If *n has cancelled out, replaces it by
 * `otherwise` first, or by up if that has no length either. */
LM_SCALAR float lmi_scale_for(lm_vec3 *n, lm_vec3 otherwise, float length) {
    if (!(lmi_square_of(*n) > LM_CANCELLED))
        *n = lmi_square_of(otherwise) > LM_CANCELLED ? otherwise : (lm_vec3){0, 0, 1};
    return length / sqrtf(lmi_square_of(*n));
}

/* Stores three floats in the caller's memory, which holds floats there. */
LM_SCALAR void lmi_store_vec3(char *out, size_t component, lm_vec3 v) {
    *(float *)(void *)out = v.x;
    *(float *)(void *)(out + component) = v.y;
    *(float *)(void *)(out + 2 * component) = v.z;
}

/* Returns the low 8 bits of x, rounded to an integer. */
LM_SCALAR uint32_t lmi_snorm8(float x) {
    float rounded = x + LM_ROUNDER;
    uint32_t bits;
    memcpy(&bits, &rounded, 4);
    return bits & 0xff;
}

/* Returns three numbers of -127 .. 127 as bytes, x the lowest; the highest byte is 0. */
LM_SCALAR uint32_t lmi_packed_of(lm_vec3 n) {
    return lmi_snorm8(n.x) | lmi_snorm8(n.y) << 8 | lmi_snorm8(n.z) << 16;
}

#endif
