/* The fewest nodes of a graph that cover all of them: a minimum dominating set, nearly. */
#ifndef LM_ENCODE_COVER_H
#define LM_ENCODE_COVER_H

#include "core/heap.h"
#include "encode/bits.h"

/* Row b of `covers` [count * LM_COVER_WORDS(count)] says which nodes b covers, itself among them.
 * Fills chosen [count]. Greedy, then without what is superfluous, then with one for two wherever
 * that does, then by a search for the fewest (encode/cover_exact.h); the last two within fixed
 * budgets of steps. The same for the same graph. False if memory ran out. */
bool lm_cover(uint32_t count, const uint64_t *covers, bool *chosen, lm_heap *heap);

/* For each node in order the one that stands for it: itself, if it was chosen; else that of the
 * node before; else the one that reaches furthest from here without a gap. Fills stands [count]. */
void lm_cover_assign(uint32_t count, const uint64_t *covers, const bool *chosen, uint32_t *stands);

#endif
