/* One vertex at a time: what the scalar reference and the mix of two poses have in common. */
#ifndef LM_SAMPLE_SCALAR_H
#define LM_SAMPLE_SCALAR_H

#include "sample/kernels.h"

#include <math.h>
#include <string.h>

#ifdef LM_SMALL
#define LM_SCALAR static inline
#else
#define LM_SCALAR LM_ALWAYS_INLINE
#endif

LM_SCALAR lm_vec3 lm_sum_of(lm_vec3 a, lm_vec3 b, float share) {
    return (lm_vec3){a.x + share * b.x, a.y + share * b.y, a.z + share * b.z};
}

LM_SCALAR lm_vec3 lm_scaled(lm_vec3 n, float scale) {
    return (lm_vec3){n.x * scale, n.y * scale, n.z * scale};
}

LM_SCALAR float lm_square_of(lm_vec3 n) {
    return n.x * n.x + n.y * n.y + n.z * n.z;
}

/* What to multiply *n by to give it the length `length`. Where it has cancelled to nothing, it
 * becomes `otherwise` first. */
LM_SCALAR float lm_scale_for(lm_vec3 *n, lm_vec3 otherwise, float length) {
    if (!(lm_square_of(*n) > LM_CANCELLED))
        *n = lm_square_of(otherwise) > LM_CANCELLED ? otherwise : (lm_vec3){0, 0, 1};
    return length / sqrtf(lm_square_of(*n));
}

/* The caller's memory holds floats here. */
LM_SCALAR void lm_store_vec3(char *out, size_t component, lm_vec3 v) {
    *(float *)(void *)out = v.x;
    *(float *)(void *)(out + component) = v.y;
    *(float *)(void *)(out + 2 * component) = v.z;
}

/* The low 8 bits of x as an integer. */
LM_SCALAR uint32_t lm_snorm8(float x) {
    float rounded = x + LM_ROUNDER;
    uint32_t bits;
    memcpy(&bits, &rounded, 4);
    return bits & 0xff;
}

/* Three numbers of -127 .. 127 as bytes, x the lowest, and 0. */
LM_SCALAR uint32_t lm_packed_of(lm_vec3 n) {
    return lm_snorm8(n.x) | lm_snorm8(n.y) << 8 | lm_snorm8(n.z) << 16;
}

#endif
