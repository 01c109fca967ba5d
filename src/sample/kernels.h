/* The kernels of the sampler: one scalar reference and vector versions of it, all of which give the
 * same bits. They do the same additions, multiplications, divisions and square roots in the same
 * order, each rounded once (IEEE 754), and convert integers that a single holds exactly. */
#ifndef LM_SAMPLE_KERNELS_H
#define LM_SAMPLE_KERNELS_H

#include "lerpmesh/sample.h"
#include "math/rows.h"

#if defined(LM_NO_SIMD) || !defined(__GNUC__)
/* the scalar reference only */
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
#endif

/* What a pose mixes. Without a delta, a side of LM_VERTEX_S16 has the key's normal. */
typedef enum lm_sample_input {
    LM_INPUT_U8,
    LM_INPUT_S16,
    LM_INPUT_S16_DELTA_FIRST,  /* the first side has a delta */
    LM_INPUT_S16_DELTA_SECOND, /* the second */
    LM_INPUT_S16_DELTAS,       /* both */
    LM_INPUT_S16_DELTAS_ON_ONE /* both, and their keys are the same: side 0 has all of its share */
} lm_sample_input;

#define LM_NUM_INPUTS (LM_INPUT_S16_DELTAS_ON_ONE + 1)

static inline bool lm_input_has_delta(lm_sample_input input, int side) {
    return input >= LM_INPUT_S16_DELTAS ||
           input == (side == 0 ? LM_INPUT_S16_DELTA_FIRST : LM_INPUT_S16_DELTA_SECOND);
}

static inline size_t lm_input_key_size(lm_sample_input input) {
    return input == LM_INPUT_U8 ? 4 : 8;
}

typedef enum lm_sample_layout {
    LM_LAYOUT_PLANES,     /* vertices 4 bytes apart; anything may be missing */
    LM_LAYOUT_TRIPLES,    /* positions and normals by themselves, 12 bytes apart; either may be
                             missing */
    LM_LAYOUT_PACKED,     /* the packed normals of LM_LAYOUT_PLANES, for a kernel's loops */
    LM_LAYOUT_16,         /* packed normals 12 bytes after positions, 16 bytes a vertex */
    LM_LAYOUT_24,         /* normals 12 bytes after positions, 24 bytes a vertex */
    LM_LAYOUT_32,         /* and 8 bytes of zeros */
    LM_LAYOUT_ROWS,       /* as LM_LAYOUT_24, more bytes apart */
    LM_LAYOUT_ROWS_OF_16, /* as LM_LAYOUT_16, more bytes apart */
    LM_LAYOUT_STREAMED, /* as LM_LAYOUT_32, each vertex at a multiple of 32: may be written past the
                           caches */
    LM_LAYOUT_SCATTERED /* none of these: for the scalar reference */
} lm_sample_layout;

/* A frame, with its share of the mix folded into the numbers. */
typedef struct lm_sample_side {
    const uint8_t *key;
    const uint8_t *delta; /* NULL: none */
    float scale[3];
    float delta_scale;
} lm_sample_side;

/* One pose of (a part of) one surface. A position is
 *     k0 * scale0 + (k1 * scale1 + ((d0 - bias) * delta_scale0 +
 *         ((d1 - bias) * delta_scale1 + translate)))
 * and a normal n0 + mix * n1, normalised. Side 0 is the nearer frame. */
typedef struct lm_sample_job {
    lm_sample_side sides[2];
    float translate[3];
    float mix; /* -1 .. 1 */
    bool add_normals;
    lm_sample_input input;
    lm_sample_layout layout;
    size_t count;
    char *positions, *normals, *packed; /* NULL: not written */
    size_t stride, component;           /* bytes from vertex to vertex, from x to y */
} lm_sample_job;

/* Where some vertices are read and written. */
typedef struct lm_sample_cursor {
    const uint8_t *key0, *key1, *delta0, *delta1;
    char *out;
} lm_sample_cursor;

/* Where n0 + mix * n1 is shorter than 1e-5, its direction is rounding noise: tables are exact to
 * 1e-6. This is the square. */
#define LM_CANCELLED 1e-10f

/* Adding this to a number of at most 2^21 rounds it to an integer, which stands in the low bits. */
#define LM_ROUNDER 12582912.0f

/* `count` is at least the kernel's width; no byte outside of `count` vertices is touched. */
typedef void lm_sample_kernel(const lm_sample_job *job);

void lm_sample_scalar(const lm_sample_job *job);  /* any count, all that a job can say */
void lm_sample_simd128(const lm_sample_job *job); /* SSE2, NEON, WebAssembly's SIMD */
void lm_sample_avx2(const lm_sample_job *job);
void lm_sample_avx512(const lm_sample_job *job); /* and VBMI */

#define LM_SAMPLE_WIDTHS 3

/* What not every processor of x86 has. */
enum {
    LM_HAS_AVX2 = 1,
    LM_HAS_AVX512 = 2
};

/* A choice of kernels: each is used from its width on, the widest first. */
typedef struct lm_sample_kernels {
    const char *name;
    unsigned needs; /* LM_HAS_… */
    struct {
        lm_sample_kernel *run; /* NULL: the scalar reference from here on */
        size_t width;
    } wide[LM_SAMPLE_WIDTHS];
} lm_sample_kernels;

/* The i-th choice that this processor can run, the fastest first, the scalar reference last; then
 * NULL. */
const lm_sample_kernels *lm_sample_choice(size_t i);
/* The same for a processor that has `has`. */
const lm_sample_kernels *lm_sample_choice_of(unsigned has, size_t i);

/* lm_sample with a choice; output of `stream_from` bytes or more goes past the caches. */
lm_code lm_sample_with(const lm_sample_kernels *kernels, size_t stream_from, const lm_model *model,
                       uint32_t surface, const lm_pose *poses, size_t num_poses,
                       const lm_sample_target *target);

/* lm_sample_mix with a choice. */
lm_code lm_sample_mix_with(const lm_sample_kernels *kernels, const lm_model *model,
                           uint32_t surface, const lm_pose *from, const lm_pose *to, float weight,
                           const lm_sample_target *target);

/* Whether a kernel writes LM_LAYOUT_STREAMED past the caches; lm_stream_end puts it in order before
 * whatever is written after that. */
#ifdef LM_SIMD_X86
#define LM_STREAMS true
void lm_stream_end(void);
#else
#define LM_STREAMS false
static inline void lm_stream_end(void) {}
#endif

#endif
