/* Rotations, and joints that are turned and moved by them. */
#ifndef LM_MATH_TURN_H
#define LM_MATH_TURN_H

#include "math/vectors.h"

/* Finds the rotation r that maximises the sum of r[a][b] * h[a][b]. */
void lmi_nearest_turn(double h[3][3], double r[3][3]);
void lmi_turn_to_quaternion(double r[3][3], double q[4]);
/* Rotates a matrix's first three columns by a vector: by its length for small lengths. */
void lmi_turn_by(double m[3][4], const double w[3]);

/* A joint's transform: rotation and translation. */
typedef struct lm_placed {
    double m[3][4];
} lm_placed;

lm_placed lmi_placed_product(const lm_placed *a, const lm_placed *b);
/* Returns a transform relative to another one. */
lm_placed lmi_placed_relative(const lm_placed *to, const lm_placed *p);
/* Returns the rotation nearest to a matrix, which is without its scale and shear, and a place. */
lm_placed lmi_placed_nearest(double axes[3][3], lm_vec3 at);
/* Returns a joint's translation, and its rotation as a quaternion, whose sign is the one nearer to
 * `before`. NULL: w is not negative. */
lm_vec3 lmi_placed_split(const lm_placed *joint, const float *before, float rotation[4]);
/* Returns a vector in the axes of a joint, and the place of a joint. */
static inline lm_vec3 lmi_turn_back(const lm_placed *joint, lm_wide v) {
    const double(*m)[4] = joint->m;
    return (lm_vec3){(float)(m[0][0] * v.x + m[1][0] * v.y + m[2][0] * v.z),
                     (float)(m[0][1] * v.x + m[1][1] * v.y + m[2][1] * v.z),
                     (float)(m[0][2] * v.x + m[1][2] * v.y + m[2][2] * v.z)};
}
static inline lm_wide lmi_place_of(const lm_placed *joint) {
    return (lm_wide){joint->m[0][3], joint->m[1][3], joint->m[2][3]};
}

#endif
