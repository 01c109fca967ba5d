/* Which triangles each vertex has. */
#ifndef LM_ENCODE_AROUND_H
#define LM_ENCODE_AROUND_H

#include "core/arena.h"

/* Those of vertex v are triangles[first[v]] .. triangles[first[v + 1] - 1], in their order; one
 * that has it twice is there twice, in a row. */
typedef struct lm_around {
    uint32_t *first, *triangles;
} lm_around;

/* In the arena's memory. Linear. False if it ran out. */
bool lm_list_around(uint32_t num_triangles, uint32_t num_vertices, const uint32_t *corners,
                    lm_arena *arena, lm_around *out);

#endif
