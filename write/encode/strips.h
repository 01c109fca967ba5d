/* Converts triangles to few strips and fans. */
#ifndef LM_ENCODE_STRIPS_H
#define LM_ENCODE_STRIPS_H

#include "core/arena.h"

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
bool lm_find_strips(const uint32_t *corners, uint32_t num_triangles, uint32_t num_ids, bool best,
                    lm_strips_found *found, lm_arena *arena);

#endif
