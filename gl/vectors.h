/* 3D vectors of floats. */
#ifndef GL_VECTORS_H
#define GL_VECTORS_H

#include "lerpmesh/base.h"

#include <math.h>

/* Returns a + share * b. */
static inline lm_vec3 gl_sum(lm_vec3 a, lm_vec3 b, float share) {
    return (lm_vec3){a.x + b.x * share, a.y + b.y * share, a.z + b.z * share};
}

static inline float gl_dot(lm_vec3 a, lm_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline lm_vec3 gl_cross(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float gl_length(lm_vec3 v) {
    return sqrtf(gl_dot(v, v));
}

/* Returns the vector with length 1; `otherwise` if its length is 0. */
static inline lm_vec3 gl_unit(lm_vec3 v, lm_vec3 otherwise) {
    float length = gl_length(v);
    return length > 0 ? (lm_vec3){v.x / length, v.y / length, v.z / length} : otherwise;
}

static inline void gl_put(float out[4], lm_vec3 v, float scale, float w) {
    out[0] = v.x * scale, out[1] = v.y * scale, out[2] = v.z * scale, out[3] = w;
}

#endif
