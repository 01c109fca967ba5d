/* Covers a graph with nearly the fewest nodes: an approximate minimum dominating set. */
#ifndef LM_ENCODE_COVER_H
#define LM_ENCODE_COVER_H

#include "core/arena.h"
#include "lerpmesh/base.h"

/* Finds pairs of rows within reach of each other: frames that small offsets can express. */

/* Rows are padded with zeros to a multiple of this. */
#define LM_NEARBY_BLOCK 32

typedef struct lm_nearby {
    uint32_t num_rows;
    size_t num_blocks;     /* per row */
    const int16_t *values; /* [num_rows * num_blocks * LM_NEARBY_BLOCK] */
    /* Row b reaches row f if every value of f minus that of b is in least .. most; least <= 0 <=
     * most. A difference that is out of reach must stay out of reach when it is truncated to 16
     * bits. */
    int16_t least, most;
} lm_nearby;

/* Sets bit f % 64 of word f / 64 of out[b * words ...] if row b reaches row f, and clears it
 * otherwise. Compares each pair of rows up to the first block that decides. So put the values first
 * that differ most. */
void lmi_find_nearby(const lm_nearby *rows, size_t words, uint64_t *out);

/* Rows of bits, 64 per word. */

/* Returns the number of 64-bit words in a row with one bit for each of `count` nodes. */
#define LM_COVER_WORDS(count) (((size_t)(count) + 63) / 64)

static inline bool lmi_has_bit(const uint64_t *row, uint32_t bit) {
    return row[bit / 64] >> bit % 64 & 1;
}

static inline void lmi_set_bit(uint64_t *row, uint32_t bit) {
    row[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline void lmi_clear_bit(uint64_t *row, uint32_t bit) {
    row[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

static inline uint32_t lmi_count_bits(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/* Bits of row b of `covers` [count * LM_COVER_WORDS(count)] are set for the nodes that b covers,
 * including itself. Fills chosen [count]. Chooses greedily, removes superfluous nodes, replaces
 * pairs by one node, then searches for the minimum (lmi_cover_exact). The last two steps have fixed
 * budgets. The result depends on the graph only. Returns false if memory ran out. */
bool lmi_cover(uint32_t count, const uint64_t *covers, bool *chosen, lm_heap *heap);

typedef struct lm_cover_bounds {
    uint32_t least, found; /* lower bound; nodes found. If equal, the result is a proven minimum */
} lm_cover_bounds;

/* `covers` is as for lmi_cover. `chosen` [count] covers all nodes already, and is replaced by the
 * best cover found. Removes nodes that others make superfluous, then branches on the node that the
 * fewest cover. A set of nodes of which no node covers two gives the lower bound. Stops after
 * `budget` comparisons of rows. The result depends on the graph and the budget only. Returns false
 * if memory ran out. */
bool lmi_cover_exact(uint32_t count, const uint64_t *covers, uint64_t budget, bool *chosen,
                     lm_cover_bounds *bounds, lm_heap *heap);

/* Assigns each node, in order, a chosen node that covers it. Prefers the node itself, then the
 * choice of the previous node, then the one that covers the longest gapless range from here. Fills
 * stands [count]. */
void lmi_cover_assign(uint32_t count, const uint64_t *covers, const bool *chosen,
                      uint32_t *assigned);

#endif
