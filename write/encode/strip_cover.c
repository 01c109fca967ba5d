#include "encode/strip_cover.h"

#include <string.h>

/* ---- Neighbours ----------------------------------------------------------------------------- */

/* A side in the list of the smaller of its two corners. */
typedef struct fan_side {
    uint32_t side;
    uint32_t other; /* the larger corner * 2, + 1 if the side runs from the smaller to the larger */
} fan_side;

/* The unpaired side from the current corner to one other corner. */
typedef struct unmatched_side {
    uint32_t corner; /* the current corner + 1; 0: none */
    fan_side at;
} unmatched_side;

typedef struct pairing {
    uint32_t *starts;          /* [num_ids + 1] */
    fan_side *sides;           /* [3 * num_triangles] by their smaller corners */
    unmatched_side *unmatched; /* [num_ids] by the other corner */
} pairing;

/* Returns the smaller corner of a triangle's side `i`; `other` is as in fan_side. */
static inline uint32_t side_ends(const uint32_t corners[3], unsigned i, uint32_t *other) {
    const uint32_t a = corners[i == 2 ? 0 : i + 1], b = corners[i == 0 ? 2 : i - 1];
    *other = (a < b ? b : a) * 2 + (a < b);
    return a < b ? a : b;
}

/* Sorts the sides by their smaller corners, by counting. */
static void sort_sides(const lm_strip_cover *cover, pairing *p, uint32_t num_ids) {
    const uint32_t *end = cover->corners + (size_t)cover->num_triangles * 3;
    uint32_t other;
    for (const uint32_t *c = cover->corners; c < end; c += 3)
        for (unsigned i = 0; i < 3; i++)
            p->starts[side_ends(c, i, &other) + 1]++;
    for (uint32_t v = 0; v < num_ids; v++)
        p->starts[v + 1] += p->starts[v];
    uint32_t side = 0;
    for (const uint32_t *c = cover->corners; c < end; c += 3, side += 4)
        for (unsigned i = 0; i < 3; i++) {
            const uint32_t low = side_ends(c, i, &other);
            p->sides[p->starts[low]++] = (fan_side){side + i, other};
        }
}

static bool find_twins(lm_strip_cover *cover, uint32_t num_ids, lm_arena *scratch) {
    const uint64_t count = cover->num_triangles;
    pairing p = {lm_arena_zeros(scratch, (uint64_t)num_ids + 1, sizeof *p.starts),
                 lm_arena_alloc(scratch, count * 3, sizeof *p.sides),
                 lm_arena_zeros(scratch, num_ids, sizeof *p.unmatched)};
    if (!p.starts || !p.sides || !p.unmatched)
        return false;
    memset(cover->twins, 0xFF, (size_t)count * 4 * sizeof *cover->twins);
    sort_sides(cover, &p, num_ids);
    /* Pair sides between the same two corners that run in opposite directions. */
    const fan_side *at = p.sides;
    for (uint32_t v = 0; v < num_ids; v++)
        for (; at < p.sides + p.starts[v]; at++) {
            unmatched_side *candidate = &p.unmatched[at->other / 2];
            if (candidate->corner != v + 1) {
                *candidate = (unmatched_side){v + 1, *at};
            } else if (candidate->at.other != at->other) {
                cover->twins[at->side] = candidate->at.side;
                cover->twins[candidate->at.side] = at->side;
                candidate->corner = 0;
            }
        }
    return true;
}

bool lm_strip_cover_begin(lm_strip_cover *cover, const uint32_t *corners, uint32_t num_triangles,
                          uint32_t num_ids, lm_arena *arena) {
    const uint64_t count = num_triangles;
    lm_arena scratch = {.heap = arena->heap};
    *cover =
        (lm_strip_cover){num_triangles, corners, lm_arena_alloc(arena, count * 4, sizeof(uint32_t)),
                         lm_arena_zeros(arena, count, 1)};
    const bool done = cover->twins && cover->taken && find_twins(cover, num_ids, &scratch);
    lm_arena_free(&scratch);
    return done;
}

/* ---- Greedy cover --------------------------------------------------------------------------- */

typedef struct greedy {
    lm_strip_cover *cover;
    uint8_t *num_free;  /* [num_triangles] neighbours that are in no path yet, or USED */
    uint32_t *stacks;   /* [4 * num_triangles] stacks of triangles, by num_free */
    uint32_t counts[4]; /* heights of the stacks; outdated entries are skipped */
} greedy;

#define USED 4

static void enqueue(greedy *g, uint32_t triangle) {
    const unsigned num_free = g->num_free[triangle];
    g->stacks[(size_t)num_free * g->cover->num_triangles + g->counts[num_free]++] = triangle;
}

static void use(greedy *g, uint32_t triangle) {
    g->num_free[triangle] = USED;
    for (uint32_t side = 4 * triangle; side < 4 * triangle + 3; side++) {
        const uint32_t twin = g->cover->twins[side];
        if (twin == LM_NO_SIDE || g->num_free[twin / 4] == USED)
            continue;
        g->num_free[twin / 4]--;
        enqueue(g, twin / 4);
    }
}

/* Returns the free triangle with the fewest free neighbours, or UINT32_MAX. */
static uint32_t next_start(greedy *g) {
    for (unsigned num_free = 0; num_free < 4; num_free++)
        while (g->counts[num_free] > 0) {
            const size_t at = (size_t)num_free * g->cover->num_triangles + --g->counts[num_free];
            if (g->num_free[g->stacks[at]] == num_free)
                return g->stacks[at];
        }
    return UINT32_MAX;
}

/* Returns the best side for a path to leave a triangle that it entered over `from` (LM_NO_SIDE: its
 * first). Returns LM_NO_SIDE if there is none. */
static uint32_t best_side(const greedy *g, uint32_t triangle, uint32_t from) {
    const lm_strip_cover *cover = g->cover;
    const uint32_t turn =
        from == LM_NO_SIDE ? LM_NO_CORNER : lm_rotate_at(cover, cover->twins[from]);
    uint32_t best = LM_NO_SIDE;
    unsigned least = UINT8_MAX;
    for (uint32_t side = 4 * triangle; side < 4 * triangle + 3; side++) {
        const uint32_t twin = cover->twins[side];
        if (twin == LM_NO_SIDE || g->num_free[twin / 4] == USED)
            continue;
        const bool repeats = from != LM_NO_SIDE && lm_rotate_corner(cover, from, side) == turn;
        const unsigned cost = (repeats ? 4u : 0u) + g->num_free[twin / 4];
        if (cost < least) {
            least = cost;
            best = side;
        }
    }
    return best;
}

/* Extends a path from a triangle as far as possible. */
static void grow(greedy *g, uint32_t triangle, uint32_t from) {
    lm_strip_cover *cover = g->cover;
    for (;;) {
        const uint32_t side = best_side(g, triangle, from);
        if (side == LM_NO_SIDE)
            return;
        from = cover->twins[side];
        cover->taken[triangle] |= (uint8_t)(1u << side % 4);
        triangle = from / 4;
        cover->taken[triangle] |= (uint8_t)(1u << from % 4);
        use(g, triangle);
    }
}

static void cover_greedily(greedy *g) {
    lm_strip_cover *cover = g->cover;
    for (uint32_t t = cover->num_triangles; t-- > 0;) {
        for (uint32_t side = 4 * t; side < 4 * t + 3; side++)
            g->num_free[t] = (uint8_t)(g->num_free[t] + (cover->twins[side] != LM_NO_SIDE));
        enqueue(g, t);
    }
    for (uint32_t t = next_start(g); t != UINT32_MAX; t = next_start(g)) {
        use(g, t);
        grow(g, t, LM_NO_SIDE);
        if (cover->taken[t])
            grow(g, t, 4 * t + (cover->taken[t] >> 1));
    }
}

bool lm_strip_cover_greedy(lm_strip_cover *cover, lm_heap *heap) {
    const uint32_t count = cover->num_triangles;
    lm_arena scratch = {.heap = heap};
    greedy g = {.cover = cover,
                .num_free = lm_arena_zeros(&scratch, count, 1),
                .stacks = lm_arena_alloc(&scratch, (uint64_t)count * 4, sizeof(uint32_t))};
    const bool done = g.num_free && g.stacks;
    if (done)
        cover_greedily(&g);
    lm_arena_free(&scratch);
    return done;
}
