/* Cutting a surface into parts that are small enough. */
#ifndef LM_ENCODE_SPLIT_H
#define LM_ENCODE_SPLIT_H

#include "core/heap.h"

typedef struct lm_split {
    uint32_t num_triangles, num_vertices;
    const uint32_t *corners; /* [3 * num_triangles] vertices */
    /* What a part may have at most: >= 1 triangle, >= 3 vertices. */
    uint32_t max_triangles, max_vertices;
} lm_split;

/* Gives each triangle the number of its part, from 0 on, in parts [num_triangles], and says how
 * many there are. Parts grow over neighbours, by the triangle that needs the fewest new vertices,
 * until they are full: few vertices are in two of them, and there is hardly a part more than it
 * takes. Linear. False if memory ran out. */
bool lm_split_triangles(const lm_split *split, uint32_t *parts, uint32_t *num_parts, lm_heap *heap);

#endif
