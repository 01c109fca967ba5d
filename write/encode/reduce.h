/* Triangles in the order that cards like, and of their vertices only those that they use. */
#ifndef LM_ENCODE_REDUCE_H
#define LM_ENCODE_REDUCE_H

#include "mesh/corners.h"

typedef struct lm_reduction {
    uint32_t num_triangles;
    uint32_t *order;       /* [num_triangles] which triangle is where */
    uint32_t *corners;     /* [3 * num_triangles] vertices, numbered as they are first used */
    uint32_t num_vertices; /* of these */
    uint32_t *vertices;    /* [num_vertices] what each was called */
} lm_reduction;

/* `corners`: [3 * num_triangles] numbers below num_vertices. What has been reduced stays as it is:
 * triangles are put in another order as long as that is better. In the arena; false if memory ran
 * out. */
bool lm_reduce(uint32_t num_triangles, uint32_t num_vertices, const uint32_t *corners,
               lm_reduction *out, lm_arena *arena);

#endif
