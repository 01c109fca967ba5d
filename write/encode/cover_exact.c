#include "encode/cover.h"

#include <string.h>

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

static uint32_t count_both(const search *s, const uint64_t *a, const uint64_t *b) {
    uint32_t count = 0;
    for (size_t w = 0; w < s->words; w++)
        count += lm_count_bits(a[w] & b[w]);
    return count;
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
        if (lm_has_bit(open, a))
            list[count++] = a;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count && lm_has_bit(open, list[i]); k++) {
            const uint32_t a = list[i], b = list[k];
            if (a != b && lm_has_bit(open, b) &&
                (larger ? replaces(s, sets, b, a, mask) : replaces(s, sets, a, b, mask)))
                lm_clear_bit(open, a);
        }
    use_budget(s, (uint64_t)count * count / 2);
}

static void choose(const search *s, cover_part *o, uint32_t row) {
    for (size_t w = 0; w < s->words; w++)
        o->columns[w] &= ~(s->covers + row * s->words)[w];
    lm_clear_bit(o->rows, row);
    lm_set_bit(o->taken, row);
    o->num_taken++;
}

#define NONE UINT32_MAX

/* Returns the open column that the fewest rows cover, or NONE. */
static uint32_t rarest(search *s, const uint64_t *columns, const uint64_t *rows, uint32_t *least) {
    uint32_t best = NONE;
    *least = NONE;
    for (uint32_t c = 0; c < s->count; c++) {
        const uint32_t number = lm_has_bit(columns, c) ? count_both(s, rows_of(s, c), rows) : NONE;
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
            if (d == c || (lm_has_bit(s->remaining, d) && share_a_row(s, c, d, o->rows)))
                lm_clear_bit(s->remaining, d);
        if (!use_budget(s, s->count))
            break;
    }
    return count;
}

/* Returns the next open row for a column, from `row` on. */
static uint32_t next_row(const search *s, const cover_part *o, uint32_t column, uint32_t row) {
    while (row < s->count && !(lm_has_bit(o->rows, row) && lm_has_bit(rows_of(s, column), row)))
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
        choose(s, o, next_row(s, o, column, 0));
    }
    if (column == NONE && o->num_taken < s->best) {
        s->best = o->num_taken;
        memcpy(s->chosen, o->taken, s->words * sizeof *s->chosen);
    }
    return column == NONE || least == 0 || o->num_taken + lower_bound(s, o) >= s->best ? NONE
                                                                                       : column;
}

/* Returns true if a row is left to try for the column. */
static bool find_next(const search *s, cover_part *o) {
    if (o->column == NONE)
        return false;
    o->row = next_row(s, o, o->column, o->row);
    return o->row < s->count;
}

/* Searches depth-first: tries every row for a column, without the rows that were tried before, and
 * continues with the remaining subproblem. */
static void search_from(search *s) {
    cover_part *o = s->parts;
    o->column = decide(s, o);
    for (;;) {
        if (s->budget > 0 && find_next(s, o)) {
            cover_part *next = o + 1;
            memcpy(next->columns, o->columns, 3 * s->words * sizeof *o->columns);
            next->num_taken = o->num_taken;
            next->row = 0;
            choose(s, next, o->row);
            lm_clear_bit(o->rows, o->row);
            o = next;
            o->column = decide(s, o);
        } else if (o == s->parts) {
            return;
        } else {
            o--;
        }
    }
}

static bool begin(search *s, const bool *chosen, lm_arena *arena) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        count += chosen[i];
    s->best = count;
    s->rows = lm_cover_transpose(s->count, s->covers, arena);
    s->parts = lm_arena_alloc(arena, (uint64_t)count + 2, sizeof *s->parts);
    uint64_t *bits = lm_arena_zeros(arena, ((uint64_t)count + 2) * 3 * s->words, sizeof *bits);
    s->chosen = lm_arena_zeros(arena, s->words, 2 * sizeof *s->chosen);
    s->list = lm_arena_alloc(arena, s->count, sizeof *s->list);
    if (!s->rows || !s->parts || !bits || !s->chosen || !s->list)
        return false;
    s->remaining = s->chosen + s->words;
    for (uint32_t i = 0; i < count + 2; i++, bits += 3 * s->words)
        s->parts[i] = (cover_part){bits, bits + s->words, bits + 2 * s->words, 0, NONE, 0};
    for (uint32_t b = 0; b < s->count; b++) {
        lm_set_bit(s->parts[0].columns, b);
        lm_set_bit(s->parts[0].rows, b);
        if (chosen[b])
            lm_set_bit(s->chosen, b);
    }
    return true;
}

bool lm_cover_exact(uint32_t count, const uint64_t *covers, uint64_t budget, bool *chosen,
                    lm_cover_bounds *bounds, lm_heap *heap) {
    lm_arena arena = {.heap = heap};
    search s = {.count = count, .words = LM_COVER_WORDS(count), .covers = covers, .budget = budget};
    const bool done = begin(&s, chosen, &arena);
    if (done) {
        const uint32_t least = lower_bound(&s, &s.parts[0]);
        search_from(&s);
        for (uint32_t i = 0; i < count; i++)
            chosen[i] = lm_has_bit(s.chosen, i);
        *bounds = (lm_cover_bounds){s.budget > 0 ? s.best : least, s.best};
    }
    lm_arena_free(&arena);
    return done;
}
