/* Orders triangles for the vertex cache, and keeps only the vertices that they use. */
#ifndef LM_ENCODE_CACHE_ORDER_H
#define LM_ENCODE_CACHE_ORDER_H

#include "mesh/corners.h"

typedef struct lm_cache_order {
    uint32_t num_triangles;
    uint32_t *order;   /* [num_triangles] original index of each triangle */
    uint32_t *corners; /* [3 * num_triangles] vertices, numbered in the order of their first use */
    uint32_t num_vertices; /* in use */
    uint32_t *vertices;    /* [num_vertices] original index of each vertex */
} lm_cache_order;

/* Reorders triangles as long as that helps the vertex cache; with `keep` they stay in order.
 * Reducing a result again changes nothing. `corners`: [3 * num_triangles] numbers below
 * num_vertices. The result is in the arena. Returns false if memory ran out. */
bool lm_order_for_cache(uint32_t num_triangles, uint32_t num_vertices, const uint32_t *corners,
                        bool keep, lm_cache_order *out, lm_arena *arena);

#endif
