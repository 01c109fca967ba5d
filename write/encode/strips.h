/* Triangles as few strips and fans. */
#ifndef LM_ENCODE_STRIPS_H
#define LM_ENCODE_STRIPS_H

#include "core/arena.h"

/* A fan's triangles are (0, i + 1, i + 2); a strip's (i, i + 1, i + 2), of which every second is
 * turned. A strip may repeat a corner to go round another way: triangles that have one twice are
 * not drawn. */
typedef struct lm_strip {
    uint32_t first, count; /* of its corners */
    bool fan;
} lm_strip;

typedef struct lm_strips_found {
    uint32_t num_strips, num_corners;
    lm_strip *strips;
    uint32_t *corners;
} lm_strips_found;

/* Covers triangles, of three different corners each, which are numbers below `num_ids`: those that
 * share an edge must share its corners to be drawn by one strip. Each triangle is drawn once, with
 * its winding. A strip costs as much as 7/3 corners: the fewest are sought,
 *   - at first greedily, in linear time,
 *   - with `best` by simulated annealing from there, LM_STRIP_MOVES moves a triangle.
 * The result, in the arena, depends on nothing but the arguments. False if memory ran out. */
#define LM_STRIP_MOVES 400
bool lm_find_strips(const uint32_t *corners, uint32_t num_triangles, uint32_t num_ids, bool best,
                    lm_strips_found *found, lm_arena *arena);

#endif
