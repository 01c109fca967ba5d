/* Sanitizing of numbers from files. */
#ifndef LM_MODEL_BUILD_H
#define LM_MODEL_BUILD_H

#include "lerpmesh/model.h"

/* Limits of numbers from files. Infinity and NaN are rejected earlier. Numbers that are invisibly
 * small but slow to compute with become 0. */
#define LM_TINY 1e-25f /* units */
#define LM_HUGE 1e30f  /* units: larger products overflow */

static inline bool lm_sane(float x) {
    return x > -LM_HUGE && x < LM_HUGE; /* false for NaN */
}

static inline bool lm_tiny(float x) {
    return x != 0 && x > -LM_TINY && x < LM_TINY;
}

/* Returns the number; 0 if it is tiny or not sane. */
static inline float lm_sanitize(float x) {
    return lm_sane(x) && !lm_tiny(x) ? x : 0.0f;
}

static inline lm_vec3 lm_sanitize_vec3(lm_vec3 v) {
    return (lm_vec3){lm_sanitize(v.x), lm_sanitize(v.y), lm_sanitize(v.z)};
}

static inline bool lm_sane_vec3(lm_vec3 v) {
    return lm_sane(v.x) && lm_sane(v.y) && lm_sane(v.z);
}

/* Computes the centre and the radius of the sphere around a box. */
void lm_box_sphere(lm_vec3 min, lm_vec3 max, lm_vec3 *origin, float *radius);

#endif
