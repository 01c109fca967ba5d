/* Covers a graph with nearly the fewest nodes: an approximate minimum dominating set. */
#ifndef LM_ENCODE_COVER_H
#define LM_ENCODE_COVER_H

#include "core/arena.h"
#include "encode/bits.h"

/* Bits of row b of `covers` [count * LM_COVER_WORDS(count)] are set for the nodes that b covers,
 * including itself. Fills chosen [count]. Chooses greedily, removes superfluous nodes, replaces
 * pairs by one node, then searches for the minimum (lm_cover_exact). The last two steps have fixed
 * budgets. The result depends on the graph only. Returns false if memory ran out. */
bool lm_cover(uint32_t count, const uint64_t *covers, bool *chosen, lm_heap *heap);

typedef struct lm_cover_bounds {
    uint32_t least, found; /* lower bound; nodes found. If equal, the result is a proven minimum */
} lm_cover_bounds;

/* `covers` is as for lm_cover. `chosen` [count] covers all nodes already, and is replaced by the
 * best cover found. Removes nodes that others make superfluous, then branches on the node that the
 * fewest cover. A set of nodes of which no node covers two gives the lower bound. Stops after
 * `budget` comparisons of rows. The result depends on the graph and the budget only. Returns false
 * if memory ran out. */
bool lm_cover_exact(uint32_t count, const uint64_t *covers, uint64_t budget, bool *chosen,
                    lm_cover_bounds *bounds, lm_heap *heap);

/* Returns the transpose of `covers`: for each node the row of the nodes that cover it. Returns NULL
 * if memory ran out. */
uint64_t *lm_cover_transpose(uint32_t count, const uint64_t *covers, lm_arena *arena);

/* Assigns each node, in order, a chosen node that covers it. Prefers the node itself, then the
 * choice of the previous node, then the one that covers the longest gapless range from here. Fills
 * stands [count]. */
void lm_cover_assign(uint32_t count, const uint64_t *covers, const bool *chosen,
                     uint32_t *assigned);

#endif
