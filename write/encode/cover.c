#include "encode/cover.h"

#include "encode/bits.h"
#include "encode/cover_exact.h"

#include <string.h>

/* Words of 64 nodes that the search for one node in two others' place may look at: some 50 ms. */
#define SWAP_BUDGET 30000000
/* Comparisons of rows in the search for the fewest: some milliseconds. */
#define EXACT_BUDGET 1000000

typedef struct cover {
    uint32_t count;
    size_t words;
    const uint64_t *covers; /* which nodes does each cover */
    uint64_t *coverers;     /* by which is each covered */
    uint32_t *times;        /* by how many of the chosen ones is each covered */
    uint32_t *gains;        /* at most so many more would each cover */
    uint64_t *open;         /* nodes that are not covered yet */
    uint64_t *once, *twice; /* nodes that are covered so often */
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

static uint32_t find_gain(const cover *c, uint32_t node) {
    const uint64_t *row = covered_by(c, node);
    uint32_t gain = 0;
    for (size_t w = 0; w < c->words; w++)
        gain += lm_count_bits(row[w] & c->open[w]);
    return gain;
}

/* What a node would gain never grows: one whose gain is still the largest when it is counted anew
 * is the best. */
static uint32_t find_best(cover *c) {
    for (;;) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < c->count; i++)
            best = c->gains[i] > c->gains[best] ? i : best;
        const uint32_t gain = find_gain(c, best);
        if (gain == c->gains[best])
            return best;
        c->gains[best] = gain;
    }
}

static void choose(cover *c, uint32_t node, bool chosen) {
    const uint64_t *row = covered_by(c, node);
    c->chosen[node] = chosen;
    for (uint32_t i = 0; i < c->count; i++)
        if (lm_has_bit(row, i))
            c->times[i] += chosen ? 1u : UINT32_MAX;
}

static void choose_greedily(cover *c) {
    memset(c->open, 0, c->words * sizeof *c->open);
    for (uint32_t i = 0; i < c->count; i++) {
        c->gains[i] = c->count;
        lm_set_bit(c->open, i);
    }
    for (;;) {
        const uint32_t best = find_best(c);
        if (c->gains[best] == 0)
            return;
        choose(c, best, true);
        for (size_t w = 0; w < c->words; w++)
            c->open[w] &= ~covered_by(c, best)[w];
    }
}

/* ---- What is superfluous -------------------------------------------------------------------- */

static bool is_needed(const cover *c, uint32_t node) {
    const uint64_t *row = covered_by(c, node);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->times[i] == 1 && lm_has_bit(row, i))
            return true;
    return false;
}

static void prune(cover *c) {
    for (uint32_t i = 0; i < c->count; i++)
        if (c->chosen[i] && !is_needed(c, i))
            choose(c, i, false);
}

/* By how many each node is covered. */
static void count_anew(cover *c) {
    memset(c->times, 0, c->count * sizeof *c->times);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->chosen[i])
            choose(c, i, true);
}

/* ---- One for two ---------------------------------------------------------------------------- */

static void count_times(cover *c) {
    memset(c->once, 0, c->words * sizeof *c->once);
    memset(c->twice, 0, c->words * sizeof *c->twice);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->times[i] == 1)
            lm_set_bit(c->once, i);
        else if (c->times[i] == 2)
            lm_set_bit(c->twice, i);
}

/* What nobody else covers. Returns one of these nodes. */
static uint32_t find_need(const cover *c, uint32_t a, uint32_t b) {
    const uint64_t *p = covered_by(c, a), *q = covered_by(c, b);
    uint32_t node = 0;
    for (size_t w = c->words; w-- > 0;) {
        c->need[w] = ((p[w] | q[w]) & c->once[w]) | (p[w] & q[w] & c->twice[w]);
        if (c->need[w])
            node = (uint32_t)w * 64 + lowest_bit(c->need[w]);
    }
    return node;
}

static bool covers_need(cover *c, uint32_t node) {
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
            if (!covers_need(c, other))
                continue;
            choose(c, a, false);
            choose(c, b, false);
            choose(c, other, true);
            return true;
        }
    return false;
}

/* A pair after which something changed, or none is left. */
static bool swap_any(cover *c) {
    for (uint32_t a = 0; a < c->count; a++)
        for (uint32_t b = a + 1; c->chosen[a] && b < c->count; b++)
            if (c->chosen[b] && (c->budget < 0 || swap_pair(c, a, b)))
                return c->budget >= 0;
    return false;
}

static void transpose(cover *c) {
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t j = 0; j < c->count; j++)
            if (lm_has_bit(covered_by(c, i), j))
                lm_set_bit(c->coverers + j * c->words, i);
}

bool lm_cover(uint32_t count, const uint64_t *covers, bool *chosen, lm_heap *heap) {
    const size_t words = LM_COVER_WORDS(count);
    const size_t bits = ((size_t)count + 4) * words;
    const size_t size = bits * sizeof(uint64_t) + (size_t)count * 2 * sizeof(uint32_t);
    uint64_t *memory = count > 0 ? lm_heap_alloc(heap, size, 1) : NULL;
    if (!memory)
        return count == 0;
    memset(memory, 0, size);
    cover c = {.count = count,
               .words = words,
               .covers = covers,
               .coverers = memory,
               .open = memory + count * words,
               .times = (uint32_t *)(memory + bits),
               .chosen = chosen,
               .budget = SWAP_BUDGET};
    c.gains = c.times + count;
    c.once = c.open + words;
    c.twice = c.once + words;
    c.need = c.twice + words;
    memset(chosen, 0, count * sizeof *chosen);
    choose_greedily(&c);
    prune(&c);
    transpose(&c);
    for (bool swapped = true; swapped;) {
        count_times(&c);
        swapped = swap_any(&c);
        if (swapped)
            prune(&c);
    }
    lm_cover_bounds bounds;
    const bool done = lm_cover_exact(count, covers, EXACT_BUDGET, chosen, &bounds, heap);
    count_anew(&c);
    prune(&c); /* what was found in haste */
    lm_heap_free(heap, memory, size);
    return done;
}

/* ---- Who stands for whom -------------------------------------------------------------------- */

static uint32_t reach_of(const uint64_t *row, uint32_t from, uint32_t count) {
    while (from < count && lm_has_bit(row, from))
        from++;
    return from;
}

static uint32_t find_furthest(uint32_t count, const uint64_t *covers, const bool *chosen,
                              uint32_t node) {
    const size_t words = LM_COVER_WORDS(count);
    uint32_t best = node, furthest = node;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t reach = chosen[i] ? reach_of(covers + i * words, node, count) : 0;
        if (reach > furthest) {
            furthest = reach;
            best = i;
        }
    }
    return best;
}

void lm_cover_assign(uint32_t count, const uint64_t *covers, const bool *chosen, uint32_t *stands) {
    const size_t words = LM_COVER_WORDS(count);
    for (uint32_t i = 0; i < count; i++) {
        const bool kept = i > 0 && lm_has_bit(covers + stands[i - 1] * words, i);
        stands[i] = chosen[i] ? i : kept ? stands[i - 1] : find_furthest(count, covers, chosen, i);
    }
}
