/* Proves that an optimized file shows the same as the original. */
#ifndef LM_OPTIMIZE_PROOF_H
#define LM_OPTIMIZE_PROOF_H

#include "optimize/optimizing.h"

/* Returns true if two models show the same. Names, skins, tags and materials must be equal. Each
 * triangle must occur once, with its corners and texture coordinates. Each position and normal must
 * be equal in every frame, to the bit. GL commands must draw the same triangles. `o->surfaces` maps
 * triangles and vertices. Otherwise ends the call of `o`, with an error that names the difference
 * or because memory ran out. */
bool lm_prove_same(lm_optimizing *o, const lm_model *before, const lm_model *after);

#endif
