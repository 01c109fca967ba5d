/* Rotations of tags. */
#ifndef LM_ENCODE_AXES_H
#define LM_ENCODE_AXES_H

#include "lerpmesh/base.h"

/* Returns orthonormal axes, mirrored if the input is. Axes that are orthonormal already stay
 * unchanged. */
void lm_square_axes(const lm_vec3 axis[3], lm_vec3 out[3]);
bool lm_axes_mirrored(const lm_vec3 axis[3]);

/* Converts orthonormal axes, which must not be mirrored, to the nearest pitch, yaw and roll.
 * `full_turn` steps are a full turn. No neighbouring step is nearer. */
void lm_nearest_angles(const lm_vec3 axes[3], int full_turn, int16_t out[3]);

#endif
