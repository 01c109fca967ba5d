/* Splits a surface into parts within limits. */
#ifndef LM_ENCODE_SPLIT_H
#define LM_ENCODE_SPLIT_H

#include "core/heap.h"

typedef struct lm_split {
    uint32_t num_triangles, num_vertices;
    const uint32_t *corners; /* [3 * num_triangles] vertices */
    /* Limits of a part: >= 1 triangle, >= 3 vertices. */
    uint32_t max_triangles, max_vertices;
} lm_split;

/* Gives each triangle the number of its part, counted from 0, in parts [num_triangles]. Sets the
 * number of parts. Parts grow over neighbours until they are full, always by the triangle that
 * needs the fewest new vertices. So few vertices are duplicated, and the number of parts is nearly
 * minimal. Linear time. Returns false if memory ran out. */
bool lm_split_triangles(const lm_split *split, uint32_t *parts, uint32_t *num_parts, lm_heap *heap);

#endif
