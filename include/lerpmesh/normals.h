/* lerpmesh/normals.h - the normal tables of the formats, and the nearest entry to a direction.
 *
 *     #include <lerpmesh/normals.h>
 *
 *     // A normal as MD2 stores it, and what a reader makes of that.
 *     void through_md2(lm_vec3 *normal) {
 *         *normal = lm_normals_162()[lm_nearest_normal_162(normal)];
 *     }
 *
 * Sources: the 162 are Quake's (md2: "anorms"), six decimals, as its engines have them. The 256 are
 * generated from the table of rho ranges in W. Prinz, "The MDC File Format", section 5, which
 * gives the engine's to within 7e-7.
 */
#ifndef LERPMESH_NORMALS_H
#define LERPMESH_NORMALS_H

#include "lerpmesh/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_NUM_NORMALS_162 162
#define LM_NUM_NORMALS_256 256

/* Return the tables, of LM_NUM_NORMALS_162 and LM_NUM_NORMALS_256 entries. */
LM_API const lm_vec3 *lm_normals_162(void);
LM_API const lm_vec3 *lm_normals_256(void);

/* MD3's and MDC's base normal: rho turns from +z towards +x, sigma from +x towards +y, in
 * 360/256 degrees: (cos s * sin r, sin s * sin r, cos r). */
LM_API void lm_normal_from_angles(uint8_t rho, uint8_t sigma, lm_vec3 *normal);

/* The entry with the largest dot product with `direction`, exactly: the lowest index where several
 * have it. `direction` need not have length 1; for zero or a direction that is not finite, the
 * entry nearest to +z. Products are in double precision. */
LM_API uint8_t lm_nearest_normal_162(const lm_vec3 *direction);
LM_API uint8_t lm_nearest_normal_256(const lm_vec3 *direction);
LM_API void lm_nearest_normal_angles(const lm_vec3 *direction, uint8_t *rho, uint8_t *sigma);

#ifdef __cplusplus
}
#endif
#endif
