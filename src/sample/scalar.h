/* One vertex at a time: the common part of the scalar reference and the blend of two poses. */
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

/* Returns the factor that gives *n the length `length`. If *n has cancelled out, replaces it by
 * `otherwise` first, or by up if that has no length either. */
LM_SCALAR float lm_scale_for(lm_vec3 *n, lm_vec3 otherwise, float length) {
    if (!(lm_square_of(*n) > LM_CANCELLED))
        *n = lm_square_of(otherwise) > LM_CANCELLED ? otherwise : (lm_vec3){0, 0, 1};
    return length / sqrtf(lm_square_of(*n));
}

/* Stores three floats in the caller's memory, which holds floats there. */
LM_SCALAR void lm_store_vec3(char *out, size_t component, lm_vec3 v) {
    *(float *)(void *)out = v.x;
    *(float *)(void *)(out + component) = v.y;
    *(float *)(void *)(out + 2 * component) = v.z;
}

/* Returns the low 8 bits of x, rounded to an integer. */
LM_SCALAR uint32_t lm_snorm8(float x) {
    float rounded = x + LM_ROUNDER;
    uint32_t bits;
    memcpy(&bits, &rounded, 4);
    return bits & 0xff;
}

/* Returns three numbers of -127 .. 127 as bytes, x the lowest; the highest byte is 0. */
LM_SCALAR uint32_t lm_packed_of(lm_vec3 n) {
    return lm_snorm8(n.x) | lm_snorm8(n.y) << 8 | lm_snorm8(n.z) << 16;
}

#endif
