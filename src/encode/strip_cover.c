#include "encode/strip_cover.h"

#include <string.h>

/* ---- Neighbours ----------------------------------------------------------------------------- */

/* A side by the two corners that it joins. */
typedef struct side_ends {
    uint32_t low, high; /* the smaller and the larger */
    bool up;            /* whether it runs from the one to the other */
} side_ends;

static side_ends ends_of(const lm_strip_cover *cover, uint32_t side) {
    const uint32_t *corners = cover->corners + (size_t)(side / 4) * 3;
    const uint32_t a = corners[(side + 1) % 4 % 3], b = corners[side % 4 == 0 ? 2 : side % 4 - 1];
    return a < b ? (side_ends){a, b, true} : (side_ends){b, a, false};
}

/* One pass of a counting sort. `starts`: [num_ids + 1]. */
static void sort_sides(const lm_strip_cover *cover, bool by_high, const uint32_t *from,
                       uint32_t *to, uint32_t num_ids, uint32_t *starts) {
    const size_t count = (size_t)cover->num_triangles * 3;
    memset(starts, 0, ((size_t)num_ids + 1) * sizeof *starts);
    for (size_t i = 0; i < count; i++) {
        const side_ends ends = ends_of(cover, from[i]);
        starts[(by_high ? ends.high : ends.low) + 1]++;
    }
    for (uint32_t v = 0; v < num_ids; v++)
        starts[v + 1] += starts[v];
    for (size_t i = 0; i < count; i++) {
        const side_ends ends = ends_of(cover, from[i]);
        to[starts[by_high ? ends.high : ends.low]++] = from[i];
    }
}

/* Of the sides that join the same two corners, pairs those that run against each other. */
static void pair_sides(lm_strip_cover *cover, const uint32_t *sides, size_t count) {
    size_t up = 0, down = 0;
    for (;;) {
        while (up < count && !ends_of(cover, sides[up]).up)
            up++;
        while (down < count && ends_of(cover, sides[down]).up)
            down++;
        if (up == count || down == count)
            return;
        cover->twins[sides[up]] = sides[down];
        cover->twins[sides[down]] = sides[up];
        up++;
        down++;
    }
}

static void find_neighbours(lm_strip_cover *cover, const uint32_t *sides) {
    const size_t count = (size_t)cover->num_triangles * 3;
    for (size_t first = 0, end; first < count; first = end) {
        const side_ends ends = ends_of(cover, sides[first]);
        for (end = first + 1; end < count; end++) {
            const side_ends next = ends_of(cover, sides[end]);
            if (next.low != ends.low || next.high != ends.high)
                break;
        }
        pair_sides(cover, sides + first, end - first);
    }
}

bool lm_strip_cover_begin(lm_strip_cover *cover, const uint32_t *corners, uint32_t num_triangles,
                          uint32_t num_ids, lm_arena *arena) {
    const uint64_t count = (uint64_t)num_triangles * 3;
    *cover = (lm_strip_cover){num_triangles, corners,
                              lm_arena_alloc(arena, (uint64_t)num_triangles * 4, sizeof(uint32_t)),
                              lm_arena_zeros(arena, num_triangles, 1)};
    uint32_t *sides = lm_arena_alloc(arena, count, sizeof *sides);
    uint32_t *sorted = lm_arena_alloc(arena, count, sizeof *sorted);
    uint32_t *starts = lm_arena_alloc(arena, (uint64_t)num_ids + 1, sizeof *starts);
    if (!cover->twins || !cover->taken || !sides || !sorted || !starts)
        return false;
    memset(cover->twins, 0xFF, (size_t)num_triangles * 4 * sizeof *cover->twins);
    for (uint32_t i = 0; i < count; i++)
        sides[i] = i / 3 * 4 + i % 3;
    sort_sides(cover, true, sides, sorted, num_ids, starts);
    sort_sides(cover, false, sorted, sides, num_ids, starts);
    find_neighbours(cover, sides);
    return true;
}

/* ---- Greedily ------------------------------------------------------------------------------- */

typedef struct greedy {
    lm_strip_cover *cover;
    uint8_t *ways;     /* [num_triangles] neighbours that no path has yet; USED: it is in a path */
    uint32_t *waiting; /* [4 * num_triangles] triangles by their ways, the last come first */
    uint32_t
        counts[4]; /* of those that wait; what is no longer as it was when it came, is passed */
} greedy;

#define USED 4

static void wait(greedy *g, uint32_t triangle) {
    const unsigned ways = g->ways[triangle];
    g->waiting[(size_t)ways * g->cover->num_triangles + g->counts[ways]++] = triangle;
}

static void use(greedy *g, uint32_t triangle) {
    g->ways[triangle] = USED;
    for (uint32_t side = 4 * triangle; side < 4 * triangle + 3; side++) {
        const uint32_t twin = g->cover->twins[side];
        if (twin == LM_NO_SIDE || g->ways[twin / 4] == USED)
            continue;
        g->ways[twin / 4]--;
        wait(g, twin / 4);
    }
}

/* The free triangle with the fewest ways to go; UINT32_MAX if there is none. */
static uint32_t next_start(greedy *g) {
    for (unsigned ways = 0; ways < 4; ways++)
        while (g->counts[ways] > 0) {
            const size_t at = (size_t)ways * g->cover->num_triangles + --g->counts[ways];
            if (g->ways[g->waiting[at]] == ways)
                return g->waiting[at];
        }
    return UINT32_MAX;
}

/* The side by which a path best goes on from a triangle that it came to over `from`, or began with
 * (LM_NO_SIDE); LM_NO_SIDE if there is none. */
static uint32_t best_side(const greedy *g, uint32_t triangle, uint32_t from) {
    const lm_strip_cover *cover = g->cover;
    const uint32_t turn = from == LM_NO_SIDE ? LM_NO_CORNER : lm_turn_at(cover, cover->twins[from]);
    uint32_t best = LM_NO_SIDE;
    unsigned least = UINT8_MAX;
    for (uint32_t side = 4 * triangle; side < 4 * triangle + 3; side++) {
        const uint32_t twin = cover->twins[side];
        if (twin == LM_NO_SIDE || g->ways[twin / 4] == USED)
            continue;
        const bool repeats = from != LM_NO_SIDE && lm_turn_corner(cover, from, side) == turn;
        const unsigned cost = (repeats ? 4u : 0u) + g->ways[twin / 4];
        if (cost < least) {
            least = cost;
            best = side;
        }
    }
    return best;
}

/* Goes on from a triangle as far as that leads. */
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

static uint32_t taken_side(const lm_strip_cover *cover, uint32_t triangle) {
    return 4 * triangle + (cover->taken[triangle] >> 1);
}

bool lm_strip_cover_greedy(lm_strip_cover *cover, lm_arena *arena) {
    const uint32_t count = cover->num_triangles;
    greedy g = {.cover = cover,
                .ways = lm_arena_zeros(arena, count, 1),
                .waiting = lm_arena_alloc(arena, (uint64_t)count * 4, sizeof(uint32_t))};
    if (!g.ways || !g.waiting)
        return false;
    for (uint32_t t = count; t-- > 0;) {
        for (uint32_t side = 4 * t; side < 4 * t + 3; side++)
            g.ways[t] = (uint8_t)(g.ways[t] + (cover->twins[side] != LM_NO_SIDE));
        wait(&g, t);
    }
    for (uint32_t t = next_start(&g); t != UINT32_MAX; t = next_start(&g)) {
        use(&g, t);
        grow(&g, t, LM_NO_SIDE);
        if (cover->taken[t])
            grow(&g, t, taken_side(cover, t));
    }
    return true;
}
