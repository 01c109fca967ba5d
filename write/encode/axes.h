/* Axes that tags turn by. */
#ifndef LM_ENCODE_AXES_H
#define LM_ENCODE_AXES_H

#include "lerpmesh/base.h"

/* Axes that are square to each other and 1 long, mirrored if these are; these themselves where they
 * already are so. */
void lm_square_axes(const lm_vec3 axis[3], lm_vec3 out[3]);
bool lm_axes_mirrored(const lm_vec3 axis[3]);

/* The nearest pitch, yaw and roll, of which `turn` steps are a whole turn, of square axes that are
 * not mirrored: none of the steps beside them is nearer. */
void lm_nearest_angles(const lm_vec3 axes[3], int turn, int16_t out[3]);

#endif
