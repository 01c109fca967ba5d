/* The proof that a file that was made smaller shows what it showed. */
#ifndef LM_OPTIMIZE_PROOF_H
#define LM_OPTIMIZE_PROOF_H

#include "optimize/optimizing.h"

/* Whether two models show the same: names, skins, tags, materials, each triangle once with its
 * corners and texture coordinates, each vertex and normal in every frame to the bit, and what GL
 * commands draw. `o->surfaces` says what became of triangles and vertices. False: `o` has failed,
 * and its error says what is not the same; or memory ran out. */
bool lm_prove_same(lm_optimizing *o, const lm_model *before, const lm_model *after);

#endif
