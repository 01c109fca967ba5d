/* The fewest nodes that cover a graph, as far as some steps go. */
#ifndef LM_ENCODE_COVER_EXACT_H
#define LM_ENCODE_COVER_EXACT_H

#include "core/heap.h"

typedef struct lm_cover_bounds {
    uint32_t least, found; /* no fewer will do; so many were found. The same: it is proven */
} lm_cover_bounds;

/* `covers` as for lm_cover. `chosen` [count] covers all already, and becomes the best cover that
 * was found. Nodes that others make superfluous go first; then branch and bound, by the nodes that
 * the fewest cover. Nodes of which no other covers two say how many are needed. Stops after
 * `budget` comparisons of rows; the same for the same graph and budget. False if memory ran out. */
bool lm_cover_exact(uint32_t count, const uint64_t *covers, uint64_t budget, bool *chosen,
                    lm_cover_bounds *bounds, lm_heap *heap);

#endif
