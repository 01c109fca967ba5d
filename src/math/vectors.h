/* Vectors of 3 floats, and in double precision for sums over many triangles. */
#ifndef LM_MATH_VECTORS_H
#define LM_MATH_VECTORS_H

#include "core/exact.h"
#include "lerpmesh/base.h"

#include <math.h>
#include <string.h>

static inline lm_vec3 lmi_cross(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float lmi_dot(lm_vec3 a, lm_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Returns vector `index` of an array of them. */
static inline lm_vec3 lmi_vec3_at(const float *row, size_t index) {
    return (lm_vec3){row[3 * index], row[3 * index + 1], row[3 * index + 2]};
}

typedef struct lm_wide {
    double x, y, z;
} lm_wide;

static inline lm_wide lmi_wide_of(lm_vec3 v) {
    return (lm_wide){(double)v.x, (double)v.y, (double)v.z};
}

static inline bool lmi_same_vec3(lm_vec3 a, lm_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Returns a + share * b. */
static inline lm_wide lmi_wide_sum(lm_wide a, lm_wide b, double share) {
    return (lm_wide){a.x + share * b.x, a.y + share * b.y, a.z + share * b.z};
}

static inline double lmi_wide_dot(lm_wide a, lm_wide b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline lm_wide lmi_wide_cross(lm_wide a, lm_wide b) {
    return (lm_wide){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double lmi_wide_length(lm_wide v) {
    return sqrt(lmi_wide_dot(v, v));
}

/* Scales a vector to length 1; a zero vector stays unchanged. */
static inline lm_vec3 lmi_unit(lm_vec3 v) {
    const double length = lmi_wide_length(lmi_wide_of(v));
    if (!(length > 0))
        return v;
    return (lm_vec3){(float)((double)v.x / length), (float)((double)v.y / length),
                     (float)((double)v.z / length)};
}

/* Returns the volume factor of a transform; negative if it mirrors. */
static inline double lmi_transform_volume(const lm_transform *t) {
    return lmi_wide_dot(lmi_wide_of(t->axis[0]),
                        lmi_wide_cross(lmi_wide_of(t->axis[1]), lmi_wide_of(t->axis[2])));
}

/* A bounding box. Start from LM_EMPTY_BOX. */
typedef struct lm_box {
    float low[3], high[3];
} lm_box;

#define LM_EMPTY_BOX                        \
    {                                       \
        {INFINITY, INFINITY, INFINITY}, {   \
            -INFINITY, -INFINITY, -INFINITY \
        }                                   \
    }

static inline void lmi_box_add(lm_box *box, lm_vec3 v) {
    const float point[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        box->low[i] = box->low[i] < point[i] ? box->low[i] : point[i];
        box->high[i] = box->high[i] > point[i] ? box->high[i] : point[i];
    }
}

static inline float lmi_box_side(const lm_box *box, int axis) {
    return box->high[axis] - box->low[axis];
}

/* Returns the arc cosine in radians, accurate to 2e-8 (Abramowitz and Stegun, Handbook of
 * Mathematical Functions, 4.4.46), and the same on every machine. Clamps x to -1 .. 1. */
static inline double lmi_arc_cosine(double x) {
    static const double factors[] = {-0.0012624911, 0.0066700901, -0.0170881256, 0.0308918810,
                                     -0.0501743046, 0.0889789874, -0.2145988016, 1.5707963050};
    const double a = fabs(x) < 1 ? fabs(x) : 1;
    double sum = factors[0];
    for (size_t i = 1; i < sizeof factors / sizeof *factors; i++)
        sum = sum * a + factors[i];
    sum *= sqrt(1 - a);
    return x < 0 ? 3.14159265358979323846 - sum : sum;
}

static inline double lmi_square_between(lm_vec3 a, lm_vec3 b) {
    const lm_wide away = lmi_wide_sum(lmi_wide_of(a), lmi_wide_of(b), -1);
    return lmi_wide_dot(away, away);
}

static inline double lmi_distance_between(lm_vec3 a, lm_vec3 b) {
    return sqrt(lmi_square_between(a, b));
}

/* Returns the angle between two directions in degrees; 0 if either is zero. */
static inline double lmi_angle_between(lm_vec3 a, lm_vec3 b) {
    const lm_wide u = lmi_wide_of(a), v = lmi_wide_of(b);
    const double lengths = sqrt(lmi_wide_dot(u, u) * lmi_wide_dot(v, v));
    if (!(lengths > 0) || lmi_same_vec3(a, b))
        return 0;
    return lmi_arc_cosine(lmi_wide_dot(u, v) / lengths) * (180 / 3.14159265358979323846);
}

/* Returns a vector perpendicular to a triangle, out of its front face (clockwise winding). Its
 * length is twice the area. */
static inline lm_wide lmi_wide_side(const lm_wide p[3]) {
    return lmi_wide_cross(lmi_wide_sum(p[2], p[0], -1), lmi_wide_sum(p[1], p[0], -1));
}

/* Limits of numbers from files. Numbers that are invisibly small but slow to compute with become 0.
 * Larger numbers count as damage, because positions are up to 256 times a scale. */
#define LM_TINY 1e-25f  /* units */
#define LM_HUGE 0x1p31f /* units */
/* The limit of meshes and exports: squared distances of larger numbers lose precision. */
#define LM_MAX_NUMBER 0x1p40f

/* The limits as bits: magnitudes of floats are ordered like their bits. Integers are compared with
 * one branch or none, where floats need several because of NaN. */
#define LM_TINY_BITS 0x15F79688u
#define LM_HUGE_BITS 0x4F000000u

static inline uint32_t lmi_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline bool lmi_sane(float x) {
    return (lmi_bits(x) & INT32_MAX) < LM_HUGE_BITS; /* false for NaN */
}

static inline bool lmi_tiny(float x) {
    return (lmi_bits(x) & INT32_MAX) - 1 < LM_TINY_BITS - 1; /* false for 0 */
}

/* Returns the number; 0 if it is tiny or not sane. */
static inline float lmi_sanitize(float x) {
    const uint32_t bits = lmi_bits(x) & (0 - (uint32_t)(lmi_sane(x) && !lmi_tiny(x)));
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline lm_vec3 lmi_sanitize_vec3(lm_vec3 v) {
    return (lm_vec3){lmi_sanitize(v.x), lmi_sanitize(v.y), lmi_sanitize(v.z)};
}

static inline bool lmi_sane_vec3(lm_vec3 v) {
    return lmi_sane(v.x) && lmi_sane(v.y) && lmi_sane(v.z);
}

/* Computes the centre and the radius of the sphere around a box. */
void lmi_box_sphere(lm_vec3 min, lm_vec3 max, lm_vec3 *origin, float *radius);

/* Finds the normal nearest to `direction` in the table of 162 and returns its index. The result is
 * exact: it has the largest dot product in double precision and, of several, the lowest index.
 * `direction` need not have length 1. For zero, or a direction that is not finite, the result is
 * the entry nearest to +z. */
uint8_t lmi_nearest_normal_162(const lm_vec3 *direction);
/* Does the same with the table of 256. */
uint8_t lmi_nearest_normal_256(const lm_vec3 *direction);
/* Does the same with the angles of lm_normal_from_angles. */
void lmi_nearest_normal_angles(const lm_vec3 *direction, uint8_t *rho, uint8_t *sigma);

/* Normals as rows of four floats, the last one 0, for any byte: rows past a table's end are 0. A
 * normal of two angles is the product of its rho and sigma rows. */
extern const float lmi_rows_162[256][4];
extern const float lmi_rows_256[256][4];
extern const float lmi_rows_rho[256][4];
extern const float lmi_rows_sigma[256][4];

#endif
