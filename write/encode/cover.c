#include "encode/cover.h"

#include "core/arena.h"

#include <string.h>

/* ---- Exact covers ------------------------------------------------------------------------- */

/* A subproblem: the open columns (nodes to be covered), the open rows (nodes that may be taken),
 * and the rows taken so far. */
typedef struct cover_part {
    uint64_t *columns, *rows, *taken; /* contiguous in memory */
    uint32_t num_taken;
    uint32_t column, row; /* the column to decide, and the next row to try for it */
} cover_part;

typedef struct search {
    uint32_t count, best;
    size_t words;
    const uint64_t *covers; /* columns of each row */
    const uint64_t *rows;   /* rows of each column */
    cover_part *parts;      /* [best + 1] by the number of free choices */
    uint64_t *chosen;       /* the best cover */
    uint64_t *remaining;    /* for lower_bound */
    uint32_t *list;         /* for close_sets */
    uint64_t budget;
} search;

static bool use_budget(search *s, uint64_t comparisons) {
    s->budget -= comparisons < s->budget ? comparisons : s->budget;
    return s->budget > 0;
}

static const uint64_t *rows_of(const search *s, uint32_t column) {
    return s->rows + column * s->words;
}

/* Returns true if `a` is a subset of `b`, within `mask`. */
static bool within(const search *s, const uint64_t *a, const uint64_t *b, const uint64_t *mask) {
    for (size_t w = 0; w < s->words; w++)
        if (a[w] & mask[w] & ~b[w])
            return false;
    return true;
}

/* Returns true if `b` makes `a` superfluous. If two sets are equal, the first stays. */
static bool replaces(const search *s, const uint64_t *sets, uint32_t a, uint32_t b,
                     const uint64_t *mask) {
    const uint64_t *x = sets + a * s->words, *y = sets + b * s->words;
    return within(s, x, y, mask) && (a > b || !within(s, y, x, mask));
}

/* Closes the open sets that others make superfluous. */
static void close_sets(search *s, const uint64_t *sets, bool larger, uint64_t *open,
                       const uint64_t *mask) {
    uint32_t count = 0, *list = s->list;
    for (uint32_t a = 0; a < s->count; a++)
        if (lmi_has_bit(open, a))
            list[count++] = a;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count && lmi_has_bit(open, list[i]); k++) {
            const uint32_t a = list[i], b = list[k];
            if (a != b && lmi_has_bit(open, b) &&
                (larger ? replaces(s, sets, b, a, mask) : replaces(s, sets, a, b, mask)))
                lmi_clear_bit(open, a);
        }
    use_budget(s, (uint64_t)count * count / 2);
}

static void choose_row(const search *s, cover_part *o, uint32_t row) {
    for (size_t w = 0; w < s->words; w++)
        o->columns[w] &= ~(s->covers + row * s->words)[w];
    lmi_clear_bit(o->rows, row);
    lmi_set_bit(o->taken, row);
    o->num_taken++;
}

#define NONE UINT32_MAX

/* Returns the open column that the fewest rows cover, or NONE. */
static uint32_t rarest(search *s, const uint64_t *columns, const uint64_t *rows, uint32_t *least) {
    uint32_t best = NONE;
    *least = NONE;
    for (uint32_t c = 0; c < s->count; c++) {
        uint32_t number = 0;
        if (!lmi_has_bit(columns, c))
            continue;
        for (size_t w = 0; w < s->words; w++)
            number += lmi_count_bits(rows_of(s, c)[w] & rows[w]);
        if (number < *least) {
            *least = number;
            best = c;
        }
    }
    use_budget(s, s->count);
    return best;
}

static bool share_a_row(const search *s, uint32_t c, uint32_t d, const uint64_t *rows) {
    for (size_t w = 0; w < s->words; w++)
        if (rows_of(s, c)[w] & rows_of(s, d)[w] & rows[w])
            return true;
    return false;
}

/* Returns a lower bound of the rows that are needed: columns of which no row covers two need one
 * row each. */
static uint32_t lower_bound(search *s, const cover_part *o) {
    uint32_t count = 0, least;
    memcpy(s->remaining, o->columns, s->words * sizeof *s->remaining);
    for (uint32_t c; (c = rarest(s, s->remaining, o->rows, &least)) != NONE; count++) {
        for (uint32_t d = 0; d < s->count; d++)
            if (d == c || (lmi_has_bit(s->remaining, d) && share_a_row(s, c, d, o->rows)))
                lmi_clear_bit(s->remaining, d);
        if (!use_budget(s, s->count))
            break;
    }
    return count;
}

/* Returns the next open row for a column, from `row` on. */
static uint32_t next_row(const search *s, const cover_part *o, uint32_t column, uint32_t row) {
    while (row < s->count && !(lmi_has_bit(o->rows, row) && lmi_has_bit(rows_of(s, column), row)))
        row++;
    return row;
}

/* Makes all forced decisions. Returns the column to branch on, or NONE if this branch has no better
 * cover or the budget is spent. */
static uint32_t decide(search *s, cover_part *o) {
    uint32_t least = 0, column = 0;
    for (;;) {
        /* Close the rows that cover no more than another row, and the columns that are covered
         * whenever another column is. */
        close_sets(s, s->covers, false, o->rows, o->columns);
        close_sets(s, s->rows, true, o->columns, o->rows);
        if (s->budget == 0)
            return NONE;
        column = rarest(s, o->columns, o->rows, &least);
        if (column == NONE || least != 1)
            break;
        choose_row(s, o, next_row(s, o, column, 0));
    }
    if (column == NONE && o->num_taken < s->best) {
        s->best = o->num_taken;
        memcpy(s->chosen, o->taken, s->words * sizeof *s->chosen);
    }
    return column == NONE || least == 0 || o->num_taken + lower_bound(s, o) >= s->best ? NONE
                                                                                       : column;
}

/* Searches depth-first: tries every row for a column, without the rows that were tried before, and
 * continues with the remaining subproblem. */
static void search_from(search *s) {
    cover_part *o = s->parts;
    o->column = decide(s, o);
    for (;;) {
        const bool open = s->budget > 0 && o->column != NONE;
        o->row = open ? next_row(s, o, o->column, o->row) : s->count;
        if (o->row < s->count) {
            cover_part *next = o + 1;
            memcpy(next->columns, o->columns, 3 * s->words * sizeof *o->columns);
            next->num_taken = o->num_taken;
            next->row = 0;
            choose_row(s, next, o->row);
            lmi_clear_bit(o->rows, o->row);
            o = next;
            o->column = decide(s, o);
        } else if (o == s->parts) {
            return;
        } else {
            o--;
        }
    }
}

/* Returns for each node the row of the nodes that cover it; NULL if memory ran out. */
static uint64_t *transpose(uint32_t count, const uint64_t *covers, lm_arena *arena) {
    const size_t words = LM_COVER_WORDS(count);
    uint64_t *coverers = lmi_arena_zeros(arena, (uint64_t)count * words, sizeof *coverers);
    for (uint32_t i = 0; coverers && i < count; i++)
        for (uint32_t j = 0; j < count; j++)
            if (lmi_has_bit(covers + i * words, j))
                lmi_set_bit(coverers + j * words, i);
    return coverers;
}

static bool begin(search *s, const bool *chosen, lm_arena *arena) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        count += chosen[i];
    s->best = count;
    s->rows = transpose(s->count, s->covers, arena);
    s->parts = lmi_arena_alloc(arena, (uint64_t)count + 2, sizeof *s->parts);
    uint64_t *bits = lmi_arena_zeros(arena, ((uint64_t)count + 2) * 3 * s->words, sizeof *bits);
    s->chosen = lmi_arena_zeros(arena, s->words, 2 * sizeof *s->chosen);
    s->list = lmi_arena_alloc(arena, s->count, sizeof *s->list);
    if (!s->rows || !s->parts || !bits || !s->chosen || !s->list)
        return false;
    s->remaining = s->chosen + s->words;
    for (uint32_t i = 0; i < count + 2; i++, bits += 3 * s->words)
        s->parts[i] = (cover_part){bits, bits + s->words, bits + 2 * s->words, 0, NONE, 0};
    for (uint32_t b = 0; b < s->count; b++) {
        lmi_set_bit(s->parts[0].columns, b);
        lmi_set_bit(s->parts[0].rows, b);
        if (chosen[b])
            lmi_set_bit(s->chosen, b);
    }
    return true;
}

bool lmi_cover_exact(uint32_t count, const uint64_t *covers, uint64_t budget, bool *chosen,
                     lm_cover_bounds *bounds, lm_heap *heap) {
    lm_arena arena = {.heap = heap};
    search s = {.count = count, .words = LM_COVER_WORDS(count), .covers = covers, .budget = budget};
    const bool done = begin(&s, chosen, &arena);
    if (done) {
        const uint32_t least = lower_bound(&s, &s.parts[0]);
        search_from(&s);
        for (uint32_t i = 0; i < count; i++)
            chosen[i] = lmi_has_bit(s.chosen, i);
        *bounds = (lm_cover_bounds){s.budget > 0 ? s.best : least, s.best};
    }
    lmi_arena_free(&arena);
    return done;
}

/* ---- Greedy covers ------------------------------------------------------------------------ */

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
    return lmi_count_bits(~bits & (bits - 1));
}

static const uint64_t *covered_by(const cover *c, uint32_t node) {
    return c->covers + node * c->words;
}

/* Returns the node with the largest gain. Gains never grow, so a node that keeps the largest gain
 * when recounted is the best. */
static uint32_t find_best(cover *c) {
    for (;;) {
        uint32_t best = 0, gain = 0;
        for (uint32_t i = 1; i < c->count; i++)
            best = c->gains[i] > c->gains[best] ? i : best;
        for (size_t w = 0; w < c->words; w++)
            gain += lmi_count_bits(covered_by(c, best)[w] & ~c->once[w]);
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

static void prune(cover *c) {
    count_chosen(c);
    for (uint32_t i = 0; i < c->count; i++) {
        bool needed = !c->chosen[i]; /* some node is covered by this one only */
        for (size_t w = 0; w < c->words && !needed; w++)
            needed = covered_by(c, i)[w] & c->once[w] & ~c->twice[w];
        c->chosen[i] = c->chosen[i] && needed;
        if (!needed)
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

bool lmi_cover(uint32_t count, const uint64_t *covers, bool *chosen, lm_heap *heap) {
    lm_arena arena = {.heap = heap};
    lm_cover_bounds bounds;
    cover c = {.count = count,
               .words = LM_COVER_WORDS(count),
               .covers = covers,
               .chosen = chosen,
               .budget = SWAP_BUDGET};
    if (count == 0)
        return true;
    c.coverers = transpose(count, covers, &arena);
    c.gains = lmi_arena_alloc(&arena, count, sizeof *c.gains);
    c.once = lmi_arena_zeros(&arena, c.words, 4 * sizeof *c.once);
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
        done = lmi_cover_exact(count, covers, EXACT_BUDGET, chosen, &bounds, heap);
        prune(&c); /* the exact search may stop before it is optimal */
    }
    lmi_arena_free(&arena);
    return done;
}

/* ---- Assignment ----------------------------------------------------------------------------- */

static uint32_t find_furthest(uint32_t count, const uint64_t *covers, const bool *chosen,
                              uint32_t node) {
    const size_t words = LM_COVER_WORDS(count);
    uint32_t best = node, furthest = node;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t extent = node;
        while (chosen[i] && extent < count && lmi_has_bit(covers + i * words, extent))
            extent++;
        if (extent > furthest) {
            furthest = extent;
            best = i;
        }
    }
    return best;
}

void lmi_cover_assign(uint32_t count, const uint64_t *covers, const bool *chosen,
                      uint32_t *assigned) {
    const size_t words = LM_COVER_WORDS(count);
    for (uint32_t i = 0; i < count; i++) {
        const bool kept = i > 0 && lmi_has_bit(covers + assigned[i - 1] * words, i);
        assigned[i] = chosen[i] ? i
                      : kept    ? assigned[i - 1]
                                : find_furthest(count, covers, chosen, i);
    }
}

/* ---- Rows nearby -------------------------------------------------------------------------- */

#define LANES 8

/* The minimum and maximum of each lane. */
typedef struct spans {
    int16_t low[LANES], high[LANES];
} spans;

/* Branch-free, so that compilers vectorise it. */
static void widen(spans *s, const int16_t *restrict a, const int16_t *restrict b, size_t count) {
    spans own = *s;
    for (size_t i = 0; i < count; i += LANES)
        for (int k = 0; k < LANES; k++) {
            const int16_t d = (int16_t)((uint16_t)b[i + (size_t)k] - (uint16_t)a[i + (size_t)k]);
            own.low[k] = d < own.low[k] ? d : own.low[k];
            own.high[k] = d > own.high[k] ? d : own.high[k];
        }
    *s = own;
}

/* Compares one block, then twice as many as before, because most rows are out of reach at once. */
static void compare_rows(const lm_nearby *rows, uint32_t a, uint32_t b, bool *forward,
                         bool *backward) {
    const size_t size = rows->num_blocks * LM_NEARBY_BLOCK;
    const int16_t *p = rows->values + a * size, *q = rows->values + b * size;
    spans s = {{0}, {0}};
    *forward = *backward = true;
    for (size_t i = 0, step = LM_NEARBY_BLOCK; i < size && (*forward || *backward); i += step) {
        step = i > 0 && i < size - i ? i : i > 0 ? size - i : LM_NEARBY_BLOCK;
        int low = 0, high = 0;
        widen(&s, p + i, q + i, step);
        for (int k = 0; k < LANES; k++) {
            low = s.low[k] < low ? s.low[k] : low;
            high = s.high[k] > high ? s.high[k] : high;
        }
        *forward = low >= rows->least && high <= rows->most;
        *backward = high <= -rows->least && low >= -rows->most;
    }
}

void lmi_find_nearby(const lm_nearby *rows, size_t words, uint64_t *out) {
    memset(out, 0, rows->num_rows * words * sizeof *out);
    for (uint32_t a = 0; a < rows->num_rows; a++) {
        lmi_set_bit(out + a * words, a);
        for (uint32_t b = a + 1; b < rows->num_rows; b++) {
            bool forward, backward;
            compare_rows(rows, a, b, &forward, &backward);
            if (forward)
                lmi_set_bit(out + a * words, b);
            if (backward)
                lmi_set_bit(out + b * words, a);
        }
    }
}
