/* The smallest and largest packed vertex: bounds and checks in one pass over a frame's bytes. */
#ifndef LM_MODEL_RANGES_H
#define LM_MODEL_RANGES_H

#include "lerpmesh/base.h"

typedef struct lm_range_u8 {
    uint8_t min[4], max[4];
} lm_range_u8;

/* Over `count` >= 1 rows of 4 bytes, each column by itself. */
lm_range_u8 lm_range_u8x4(const uint8_t *rows, size_t count);

/* The box of packed positions between `min` and `max`, whatever the signs of the scale. */
void lm_range_box(const lm_range_u8 *range, lm_vec3 scale, lm_vec3 translate, lm_vec3 *min,
                  lm_vec3 *max);

/* Centre and radius of a box. */
void lm_box_sphere(lm_vec3 min, lm_vec3 max, lm_vec3 *origin, float *radius);

#endif
