/* The fewest nodes of a graph that cover all of them: a minimum dominating set, nearly. */
#ifndef LM_ENCODE_COVER_H
#define LM_ENCODE_COVER_H

#include "core/arena.h"
#include "encode/bits.h"

/* Row b of `covers` [count * LM_COVER_WORDS(count)] says which nodes b covers, itself among them.
 * Fills chosen [count]. Greedy, then without what is superfluous, then with one for two wherever
 * that does, then by a search for the fewest (lm_cover_exact); the last two within fixed
 * budgets of steps. The same for the same graph. False if memory ran out. */
bool lm_cover(uint32_t count, const uint64_t *covers, bool *chosen, lm_heap *heap);

typedef struct lm_cover_bounds {
    uint32_t least, found; /* no fewer will do; so many were found. The same: it is proven */
} lm_cover_bounds;

/* `covers` as for lm_cover. `chosen` [count] covers all already, and becomes the best cover that
 * was found. Nodes that others make superfluous go first; then branch and bound, by the nodes that
 * the fewest cover. Nodes of which no other covers two say how many are needed. Stops after
 * `budget` comparisons of rows; the same for the same graph and budget. False if memory ran out. */
bool lm_cover_exact(uint32_t count, const uint64_t *covers, uint64_t budget, bool *chosen,
                    lm_cover_bounds *bounds, lm_heap *heap);

/* By which nodes is each covered, in rows as `covers` has. NULL if memory ran out. */
uint64_t *lm_cover_transpose(uint32_t count, const uint64_t *covers, lm_arena *arena);

/* For each node in order the one that stands for it: itself, if it was chosen; else that of the
 * node before; else the one that reaches furthest from here without a gap. Fills stands [count]. */
void lm_cover_assign(uint32_t count, const uint64_t *covers, const bool *chosen, uint32_t *stands);

#endif
