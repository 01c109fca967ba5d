#include "encode/cover.h"

#include "core/arena.h"

#include <string.h>

/* Words of 64 nodes that the search for a swap may read: about 50 ms. */
#define SWAP_BUDGET 30000000
/* Comparisons of rows in the exact search: some milliseconds. */
#define EXACT_BUDGET 1000000

typedef struct cover {
    uint32_t count;
    size_t words;
    const uint64_t *covers;   /* a row per node: the nodes that it covers */
    const uint64_t *coverers; /* a row per node: the nodes that cover it */
    uint32_t *gains;          /* upper bounds of the nodes that each would cover in addition */
    uint64_t *once, *twice, *thrice; /* nodes that at least 1, 2, 3 chosen nodes cover */
    uint64_t *need;
    bool *chosen;
    int64_t budget;
} cover;

static unsigned lowest_bit(uint64_t bits) {
    return lm_count_bits(~bits & (bits - 1));
}

static const uint64_t *covered_by(const cover *c, uint32_t node) {
    return c->covers + node * c->words;
}

/* ---- Greedy --------------------------------------------------------------------------------- */

/* Returns the node with the largest gain. Gains never grow, so a node that keeps the largest gain
 * when recounted is the best. */
static uint32_t find_best(cover *c) {
    for (;;) {
        uint32_t best = 0, gain = 0;
        for (uint32_t i = 1; i < c->count; i++)
            best = c->gains[i] > c->gains[best] ? i : best;
        for (size_t w = 0; w < c->words; w++)
            gain += lm_count_bits(covered_by(c, best)[w] & ~c->once[w]);
        if (gain == c->gains[best])
            return best;
        c->gains[best] = gain;
    }
}

static void choose(cover *c, uint32_t node) {
    const uint64_t *row = covered_by(c, node);
    c->chosen[node] = true;
    for (size_t w = 0; w < c->words; w++) {
        c->thrice[w] |= c->twice[w] & row[w];
        c->twice[w] |= c->once[w] & row[w];
        c->once[w] |= row[w];
    }
}

/* ---- Removing superfluous nodes ------------------------------------------------------------- */

/* Counts how many chosen nodes cover each node. */
static void count_chosen(cover *c) {
    memset(c->once, 0, 3 * c->words * sizeof *c->once);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->chosen[i])
            choose(c, i);
}

static bool is_needed(const cover *c, uint32_t node) {
    const uint64_t *row = covered_by(c, node);
    for (size_t w = 0; w < c->words; w++)
        if (row[w] & c->once[w] & ~c->twice[w])
            return true;
    return false;
}

static void prune(cover *c) {
    count_chosen(c);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->chosen[i] && !is_needed(c, i)) {
            c->chosen[i] = false;
            count_chosen(c);
        }
}

/* ---- Replacing two nodes by one ------------------------------------------------------------- */

/* Finds the nodes that only a, only b, or only both cover. Returns one of these nodes. */
static uint32_t find_need(const cover *c, uint32_t a, uint32_t b) {
    const uint64_t *p = covered_by(c, a), *q = covered_by(c, b);
    uint32_t node = 0;
    for (size_t w = c->words; w-- > 0;) {
        c->need[w] = ((p[w] | q[w]) & c->once[w] & ~c->twice[w]) |
                     (p[w] & q[w] & c->twice[w] & ~c->thrice[w]);
        if (c->need[w])
            node = (uint32_t)w * 64 + lowest_bit(c->need[w]);
    }
    return node;
}

static bool covers_needed(cover *c, uint32_t node) {
    const uint64_t *row = covered_by(c, node);
    size_t w = 0;
    while (w < c->words && !(c->need[w] & ~row[w]))
        w++;
    c->budget -= (int64_t)w + 1;
    return w == c->words;
}

static bool swap_pair(cover *c, uint32_t a, uint32_t b) {
    const uint64_t *by = c->coverers + find_need(c, a, b) * c->words;
    c->budget -= 2 * (int64_t)c->words;
    for (size_t w = 0; w < c->words; w++)
        for (uint64_t left = by[w]; left; left &= left - 1) {
            const uint32_t other = (uint32_t)w * 64 + lowest_bit(left);
            if (!covers_needed(c, other))
                continue;
            c->chosen[a] = c->chosen[b] = false;
            c->chosen[other] = true;
            return true;
        }
    return false;
}

/* Replaces a pair of chosen nodes by one node. Returns false if that is possible for no pair or the
 * budget is spent. */
static bool swap_any(cover *c) {
    for (uint32_t a = 0; a < c->count; a++)
        for (uint32_t b = a + 1; c->chosen[a] && b < c->count; b++)
            if (c->chosen[b] && (c->budget < 0 || swap_pair(c, a, b)))
                return c->budget >= 0;
    return false;
}

uint64_t *lm_cover_transpose(uint32_t count, const uint64_t *covers, lm_arena *arena) {
    const size_t words = LM_COVER_WORDS(count);
    uint64_t *coverers = lm_arena_zeros(arena, (uint64_t)count * words, sizeof *coverers);
    for (uint32_t i = 0; coverers && i < count; i++)
        for (uint32_t j = 0; j < count; j++)
            if (lm_has_bit(covers + i * words, j))
                lm_set_bit(coverers + j * words, i);
    return coverers;
}

bool lm_cover(uint32_t count, const uint64_t *covers, bool *chosen, lm_heap *heap) {
    lm_arena arena = {.heap = heap};
    lm_cover_bounds bounds;
    cover c = {.count = count,
               .words = LM_COVER_WORDS(count),
               .covers = covers,
               .chosen = chosen,
               .budget = SWAP_BUDGET};
    if (count == 0)
        return true;
    c.coverers = lm_cover_transpose(count, covers, &arena);
    c.gains = lm_arena_alloc(&arena, count, sizeof *c.gains);
    c.once = lm_arena_zeros(&arena, c.words, 4 * sizeof *c.once);
    bool done = c.coverers && c.gains && c.once;
    if (done) {
        c.twice = c.once + c.words;
        c.thrice = c.twice + c.words;
        c.need = c.thrice + c.words;
        memset(chosen, 0, count * sizeof *chosen);
        for (uint32_t i = 0; i < c.count; i++)
            c.gains[i] = c.count;
        for (uint32_t best; best = find_best(&c), c.gains[best] > 0;)
            choose(&c, best);
        do
            prune(&c);
        while (swap_any(&c));
        done = lm_cover_exact(count, covers, EXACT_BUDGET, chosen, &bounds, heap);
        prune(&c); /* the exact search may stop before it is optimal */
    }
    lm_arena_free(&arena);
    return done;
}

/* ---- Assignment ----------------------------------------------------------------------------- */

static uint32_t find_furthest(uint32_t count, const uint64_t *covers, const bool *chosen,
                              uint32_t node) {
    const size_t words = LM_COVER_WORDS(count);
    uint32_t best = node, furthest = node;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t extent = node;
        while (chosen[i] && extent < count && lm_has_bit(covers + i * words, extent))
            extent++;
        if (extent > furthest) {
            furthest = extent;
            best = i;
        }
    }
    return best;
}

void lm_cover_assign(uint32_t count, const uint64_t *covers, const bool *chosen,
                     uint32_t *assigned) {
    const size_t words = LM_COVER_WORDS(count);
    for (uint32_t i = 0; i < count; i++) {
        const bool kept = i > 0 && lm_has_bit(covers + assigned[i - 1] * words, i);
        assigned[i] = chosen[i] ? i
                      : kept    ? assigned[i - 1]
                                : find_furthest(count, covers, chosen, i);
    }
}
