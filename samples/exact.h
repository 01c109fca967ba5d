/* Arithmetic that gives the same bits on every machine.
 *
 * Every stored number is a float. The product of two floats is exact in double, so it does not
 * matter if a compiler fuses it with the following addition. Division and square root are correctly
 * rounded by IEEE 754. Sine is a polynomial, because libm's differs between machines. */
#ifndef SAMPLES_EXACT_H
#define SAMPLES_EXACT_H

#include "lerpmesh/base.h"

#include <float.h>
#include <math.h>

_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16, /* 16 differs for _Float16 only */
               "floats must be computed as floats");

static inline float multiply_add(float a, float b, float c) {
    return (float)((double)a * b + c);
}

static inline float dot(lm_vec3 a, lm_vec3 b) {
    return (float)((double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z);
}

static inline lm_vec3 add(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline lm_vec3 subtract(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline lm_vec3 cross(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){(float)((double)a.y * b.z - (double)a.z * b.y),
                     (float)((double)a.z * b.x - (double)a.x * b.z),
                     (float)((double)a.x * b.y - (double)a.y * b.x)};
}

static inline float length(lm_vec3 v) {
    return (float)sqrt((double)dot(v, v));
}

/* Returns the nearest integer, halves rounded up. */
static inline int nearest(float value) {
    return (int)floor((double)value + 0.5);
}

/* Returns the sine of an angle in degrees, to about 1e-6: a Taylor series for a quarter circle. */
static inline float sine(float degrees) {
    float x = degrees - 360 * (float)floor((double)degrees / 360 + 0.5);
    if (x > 90)
        x = 180 - x;
    if (x < -90)
        x = -180 - x;
    x *= 0.017453293f;
    float square = x * x, sum = -1.0f / 39916800;
    static const float terms[] = {1.0f / 362880, -1.0f / 5040, 1.0f / 120, -1.0f / 6, 1};
    for (int i = 0; i < 5; i++)
        sum = multiply_add(sum, square, terms[i]);
    return sum * x;
}

static inline float cosine(float degrees) {
    return sine(degrees + 90);
}

/* A rotation and a translation: the columns of the rotation, and the new origin. */
typedef struct transform {
    lm_vec3 x, y, z, origin;
} transform;

static inline lm_vec3 rotate(const transform *m, lm_vec3 v) {
    return (lm_vec3){dot((lm_vec3){m->x.x, m->y.x, m->z.x}, v),
                     dot((lm_vec3){m->x.y, m->y.y, m->z.y}, v),
                     dot((lm_vec3){m->x.z, m->y.z, m->z.z}, v)};
}

static inline lm_vec3 move(const transform *m, lm_vec3 v) {
    return add(rotate(m, v), m->origin);
}

/* Composes two transforms: `inner` first, then `outer`. */
static inline transform combine(const transform *outer, const transform *inner) {
    return (transform){rotate(outer, inner->x), rotate(outer, inner->y), rotate(outer, inner->z),
                       move(outer, inner->origin)};
}

/* Converts Quake's angles in degrees: roll about x first, then pitch about y (down), then yaw about
 * z. */
static inline transform from_angles(float pitch, float yaw, float roll, lm_vec3 origin) {
    float cp = cosine(pitch), sp = sine(pitch), cy = cosine(yaw), sy = sine(yaw);
    transform about_x = {
        {1, 0, 0}, {0, cosine(roll), sine(roll)}, {0, -sine(roll), cosine(roll)}, {0, 0, 0}};
    transform about_y = {{cp, 0, -sp}, {0, 1, 0}, {sp, 0, cp}, {0, 0, 0}};
    transform about_z = {{cy, sy, 0}, {-sy, cy, 0}, {0, 0, 1}, origin};
    transform both = combine(&about_y, &about_x);
    return combine(&about_z, &both);
}

#endif
