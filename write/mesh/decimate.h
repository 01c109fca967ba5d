/* Taking triangles away, one edge after the other. */
#ifndef LM_MESH_DECIMATE_H
#define LM_MESH_DECIMATE_H

#include "core/arena.h"
#include "lerpmesh/mesh.h"

/* What is left of a take's triangles: corners are those of all its surfaces, one after the other.
 */
typedef struct lm_decimated {
    uint32_t num_triangles; /* at first */
    uint32_t num_left;
    const bool *left;     /* [num_triangles] whether it is there still */
    const uint32_t *took; /* [3 * num_triangles] which corner's vertex and texture coordinate each
                             has now */
} lm_decimated;

/* Takes edges away until `triangles` are left, or one fewer, or no more can be. False if memory ran
 * out. */
bool lm_decimate(const lm_take *take, uint32_t triangles, lm_arena *arena, lm_decimated *out);

#endif
