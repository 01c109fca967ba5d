/* Numbers from files, made fit to compute with. */
#ifndef LM_MODEL_BUILD_H
#define LM_MODEL_BUILD_H

#include "lerpmesh/model.h"

/* What arithmetic with a number from a file may meet: infinite and NaN are refused before; what is
 * too small to see but slow to compute with becomes 0. */
#define LM_TINY 1e-25f /* units */
#define LM_HUGE 1e30f  /* units: beyond, products overflow */

static inline bool lm_sane(float x) {
    return x > -LM_HUGE && x < LM_HUGE; /* false for NaN */
}

static inline bool lm_tiny(float x) {
    return x != 0 && x > -LM_TINY && x < LM_TINY;
}

/* 0 for numbers that are not sane or tiny, else the number. */
static inline float lm_tame(float x) {
    return lm_sane(x) && !lm_tiny(x) ? x : 0.0f;
}

static inline lm_vec3 lm_tame_vec3(lm_vec3 v) {
    return (lm_vec3){lm_tame(v.x), lm_tame(v.y), lm_tame(v.z)};
}

static inline bool lm_sane_vec3(lm_vec3 v) {
    return lm_sane(v.x) && lm_sane(v.y) && lm_sane(v.z);
}

/* Centre and radius of a box. */
void lm_box_sphere(lm_vec3 min, lm_vec3 max, lm_vec3 *origin, float *radius);

#endif
