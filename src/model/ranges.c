#include "model/ranges.h"

#include <math.h>
#include <string.h>

#define BLOCK 32 /* bytes at a time: a constant, so that the compiler uses vectors */

lm_range_u8 lm_range_u8x4(const uint8_t *rows, size_t count) {
    uint8_t min[BLOCK], max[BLOCK];
    lm_range_u8 range;
    size_t bytes = count * 4, at = 0;
    memset(min, 0xFF, sizeof min);
    memset(max, 0, sizeof max);
    for (; bytes - at >= BLOCK; at += BLOCK)
        for (int i = 0; i < BLOCK; i++) {
            uint8_t x = rows[at + (size_t)i];
            min[i] = x < min[i] ? x : min[i];
            max[i] = x > max[i] ? x : max[i];
        }
    for (size_t i = 0; at + i < bytes; i++) {
        uint8_t x = rows[at + i];
        min[i] = x < min[i] ? x : min[i];
        max[i] = x > max[i] ? x : max[i];
    }
    memcpy(range.min, min, 4);
    memcpy(range.max, max, 4);
    for (int i = 4; i < BLOCK; i++) {
        range.min[i % 4] = min[i] < range.min[i % 4] ? min[i] : range.min[i % 4];
        range.max[i % 4] = max[i] > range.max[i % 4] ? max[i] : range.max[i % 4];
    }
    return range;
}

static void box_side(uint8_t low, uint8_t high, float scale, float translate, float *min,
                     float *max) {
    float a = (float)low * scale + translate, b = (float)high * scale + translate;
    *min = a < b ? a : b;
    *max = a < b ? b : a;
}

void lm_range_box(const lm_range_u8 *range, lm_vec3 scale, lm_vec3 translate, lm_vec3 *min,
                  lm_vec3 *max) {
    box_side(range->min[0], range->max[0], scale.x, translate.x, &min->x, &max->x);
    box_side(range->min[1], range->max[1], scale.y, translate.y, &min->y, &max->y);
    box_side(range->min[2], range->max[2], scale.z, translate.z, &min->z, &max->z);
}

void lm_box_sphere(lm_vec3 min, lm_vec3 max, lm_vec3 *origin, float *radius) {
    double x = (double)max.x - min.x, y = (double)max.y - min.y, z = (double)max.z - min.z;
    *origin = (lm_vec3){min.x + (float)(x / 2), min.y + (float)(y / 2), min.z + (float)(z / 2)};
    *radius = (float)(sqrt(x * x + y * y + z * z) / 2);
}
