/* Simplification: reduces the number of triangles by collapsing edges. */
#ifndef LM_MESH_DECIMATE_H
#define LM_MESH_DECIMATE_H

#include "core/arena.h"
#include "lerpmesh/mesh.h"

/* The remaining triangles of a mesh. Corners are numbered over all its surfaces in order. */
typedef struct lm_decimated {
    uint32_t num_triangles; /* before */
    uint32_t num_left;
    const bool *left;        /* [num_triangles] true if the triangle remains */
    const uint32_t *sources; /* [3 * num_triangles] the corner whose vertex and texture coordinate
                                each has now */
} lm_decimated;

/* Collapses edges until `triangles` are left, or one fewer, or no further collapse is allowed.
 * Returns false if memory ran out. */
bool lm_decimate(const lm_mesh *mesh, uint32_t triangles, lm_arena *arena, lm_decimated *out);

#endif
