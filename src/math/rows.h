/* Normals as rows of four floats, the last one 0, for any byte: rows past a table's end are 0. A
 * normal of two angles is the product of its rho and sigma rows. */
#ifndef LM_MATH_ROWS_H
#define LM_MATH_ROWS_H

#include "core/exact.h"

extern const float lm_rows_162[256][4];
extern const float lm_rows_256[256][4];
extern const float lm_rows_rho[256][4];
extern const float lm_rows_sigma[256][4];

#endif
