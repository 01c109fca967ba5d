/* Triangles: their order for the vertex cache of graphics cards, parts of surfaces within limits,
 * strips and fans. */
#ifndef LM_ENCODE_TRIANGLES_H
#define LM_ENCODE_TRIANGLES_H

#include "mesh/mesh_make.h"

/* The number of recently transformed vertices that a card is assumed to remember. */
#define LM_CACHE_SIZE 16

/* Reorders triangles, given as [3 * num_triangles] vertices below num_vertices, for more hits in
 * the vertex cache. The order of corners within a triangle stays. If the new order is no better,
 * changes nothing. `moved` (NULL, or [num_triangles]) receives the original index of each triangle.
 * Linear time; the same result on every machine. Returns false if memory ran out. */
bool lmi_order_triangles(uint32_t num_triangles, uint32_t num_vertices, uint32_t *corners,
                         uint32_t *moved, lm_heap *heap);

/* Returns the number of vertices that a card transforms for these triangles, with a first-in,
 * first-out cache of LM_CACHE_SIZE. `times` [num_vertices] is scratch memory. */
uint32_t lmi_count_transforms(uint32_t num_triangles, uint32_t num_vertices,
                              const uint32_t *corners, uint32_t *times);

/* Orders triangles for the vertex cache, and keeps only the vertices that they use. */

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
bool lmi_order_for_cache(uint32_t num_triangles, uint32_t num_vertices, const uint32_t *corners,
                         bool keep, lm_cache_order *out, lm_arena *arena);

/* Splits a surface into parts within limits. */

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
bool lmi_split_triangles(const lm_split *split, uint32_t *parts, uint32_t *num_parts,
                         lm_heap *heap);

/* Converts triangles to few strips and fans. */

/* A strip or fan. Triangles of a fan are (0, i + 1, i + 2); those of a strip are (i, i + 1, i + 2),
 * with every second one reversed. A strip may repeat a corner to turn the other way; triangles that
 * have a corner twice are not drawn. */
typedef struct lm_strip {
    uint32_t first, count; /* of its corners */
    bool fan;
} lm_strip;

typedef struct lm_strips_found {
    uint32_t num_strips, num_corners;
    lm_strip *strips;
    uint32_t *corners;
} lm_strips_found;

/* Covers triangles, each with three different corners below `num_ids`. Triangles that share an edge
 * must share its corner numbers to be in one strip. Each triangle is drawn once, with its winding.
 * A strip costs 7/3 of a corner. Looks for the cheapest result
 *   - greedily, in linear time,
 *   - with `best`, then by simulated annealing with LM_STRIP_MOVES moves per triangle.
 * The result is in the arena, and depends on the arguments only. Returns false if memory ran
 * out. */
#define LM_STRIP_MOVES 400
bool lmi_find_strips(const uint32_t *corners, uint32_t num_triangles, uint32_t num_ids, bool best,
                     lm_strips_found *found, lm_arena *arena);

#endif
