#include "encode/triangles.h"

#include "core/arena.h"

#include <string.h>

/* Covers triangles with paths that cross shared edges. The result is a set of edges without cycles,
 * with at most two edges per triangle. Each edge in the set saves a strip: 7 integers. If a path
 * turns around the same corner in two consecutive triangles, a strip must repeat a corner: 3
 * integers. */

/* A side of a triangle: 4 * triangle + its opposite corner. */
#define NO_SIDE UINT32_MAX
#define NO_CORNER UINT32_MAX

typedef struct strip_cover {
    uint32_t num_triangles;
    const uint32_t *corners; /* [3 * num_triangles] */
    uint32_t *twins;         /* [4 * num_triangles] the neighbour's side; NO_SIDE: none */
    uint8_t *taken;          /* [num_triangles] a bit per side: it is in the set */
} strip_cover;

#define STRIP_COST 7
#define REPEAT_COST 3

/* Returns the side by which a path leaves the triangle that it entered by this one, or NO_SIDE
 * at its end. */
static uint32_t side_beyond(const strip_cover *cover, uint32_t side) {
    const unsigned others = cover->taken[side / 4] & ~(1u << side % 4);
    return others ? side / 4 * 4 + (others >> 1) : NO_SIDE;
}

/* Returns the corner around which a path turns between two sides of a triangle. */
static uint32_t rotate_corner(const strip_cover *cover, uint32_t side, uint32_t beyond) {
    return cover->corners[side / 4 * 3 + (3 - side % 4 - beyond % 4)];
}

static uint32_t rotate_at(const strip_cover *cover, uint32_t side) {
    const uint32_t beyond = side_beyond(cover, side);
    return beyond == NO_SIDE ? NO_CORNER : rotate_corner(cover, side, beyond);
}

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
static uint32_t side_ends(const uint32_t corners[3], unsigned i, uint32_t *other) {
    const uint32_t a = corners[i == 2 ? 0 : i + 1], b = corners[i == 0 ? 2 : i - 1];
    *other = (a < b ? b : a) * 2 + (a < b);
    return a < b ? a : b;
}

/* Sorts the sides by their smaller corners, by counting. */
static void sort_sides(const strip_cover *cover, pairing *p, uint32_t num_ids) {
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

static bool find_twins(strip_cover *cover, uint32_t num_ids, lm_arena *scratch) {
    const uint64_t count = cover->num_triangles;
    pairing p = {lmi_arena_zeros(scratch, (uint64_t)num_ids + 1, sizeof *p.starts),
                 lmi_arena_alloc(scratch, count * 3, sizeof *p.sides),
                 lmi_arena_zeros(scratch, num_ids, sizeof *p.unmatched)};
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

/* Finds the neighbours, and begins with an empty set. Linear time. Returns false if memory ran
 * out. */
static bool strip_cover_begin(strip_cover *cover, const uint32_t *corners, uint32_t num_triangles,
                              uint32_t num_ids, lm_arena *arena) {
    const uint64_t count = num_triangles;
    lm_arena scratch = {.heap = arena->heap};
    *cover =
        (strip_cover){num_triangles, corners, lmi_arena_alloc(arena, count * 4, sizeof(uint32_t)),
                      lmi_arena_zeros(arena, count, 1)};
    const bool done = cover->twins && cover->taken && find_twins(cover, num_ids, &scratch);
    lmi_arena_free(&scratch);
    return done;
}

/* ---- Greedy cover --------------------------------------------------------------------------- */

typedef struct greedy {
    strip_cover *cover;
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
        if (twin == NO_SIDE || g->num_free[twin / 4] == USED)
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

/* Returns the best side for a path to leave a triangle that it entered over `from` (NO_SIDE: its
 * first). Returns NO_SIDE if there is none. */
static uint32_t best_side(const greedy *g, uint32_t triangle, uint32_t from) {
    const strip_cover *cover = g->cover;
    const uint32_t turn = from == NO_SIDE ? NO_CORNER : rotate_at(cover, cover->twins[from]);
    uint32_t best = NO_SIDE;
    unsigned least = UINT8_MAX;
    for (uint32_t side = 4 * triangle; side < 4 * triangle + 3; side++) {
        const uint32_t twin = cover->twins[side];
        if (twin == NO_SIDE || g->num_free[twin / 4] == USED)
            continue;
        const bool repeats = from != NO_SIDE && rotate_corner(cover, from, side) == turn;
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
    strip_cover *cover = g->cover;
    for (;;) {
        const uint32_t side = best_side(g, triangle, from);
        if (side == NO_SIDE)
            return;
        from = cover->twins[side];
        cover->taken[triangle] |= (uint8_t)(1u << side % 4);
        triangle = from / 4;
        cover->taken[triangle] |= (uint8_t)(1u << from % 4);
        use(g, triangle);
    }
}

/* Takes edges greedily: paths grow at both ends, and start at triangles with the fewest
 * neighbours. */
static bool strip_cover_greedy(strip_cover *cover, lm_heap *heap) {
    const uint32_t count = cover->num_triangles;
    lm_arena scratch = {.heap = heap};
    greedy g = {.cover = cover,
                .num_free = lmi_arena_zeros(&scratch, count, 1),
                .stacks = lmi_arena_alloc(&scratch, (uint64_t)count * 4, sizeof(uint32_t))};
    const bool done = g.num_free && g.stacks;
    for (uint32_t t = count; done && t-- > 0;) {
        for (uint32_t side = 4 * t; side < 4 * t + 3; side++)
            g.num_free[t] = (uint8_t)(g.num_free[t] + (cover->twins[side] != NO_SIDE));
        enqueue(&g, t);
    }
    for (uint32_t t; done && (t = next_start(&g)) != UINT32_MAX;) {
        use(&g, t);
        grow(&g, t, NO_SIDE);
        if (cover->taken[t])
            grow(&g, t, 4 * t + (cover->taken[t] >> 1));
    }
    lmi_arena_free(&scratch);
    return done;
}

/* ---- Annealing ---------------------------------------------------------------------------- */

/* Improves a strip cover by simulated annealing over its edges. All arithmetic is on integers or
 * plain products, so that results are the same on every machine. */

/* Probability of accepting a change that costs one integer more, in the first and last stage. */
#define FIRST_CHANCE 0.55
#define LAST_CHANCE 0.02
#define STAGES 64
/* Costs are clamped to this. */
#define MAX_COST 64
/* Triangles that the search for cycles may visit, per change. */
#define STEPS_PER_MOVE 64

typedef struct annealing {
    strip_cover *cover;
    uint32_t *sides; /* one per shared edge */
    uint32_t num_sides;
    uint64_t random;
    uint32_t chances[MAX_COST + 1]; /* probabilities by cost, in 1 / 2^32 */
    int64_t steps;                  /* left */
} annealing;

static uint32_t draw(annealing *a) {
    a->random ^= a->random << 13;
    a->random ^= a->random >> 7;
    a->random ^= a->random << 17;
    return (uint32_t)(a->random >> 32);
}

/* Returns 1 if a strip must repeat a corner where it crosses a taken side, else 0. */
static int repeats(const strip_cover *cover, uint32_t side) {
    const uint32_t turn = rotate_at(cover, side);
    return turn != NO_CORNER && turn == rotate_at(cover, cover->twins[side]);
}

/* Returns the integers that a taken side saves, including its effect on repeats at its
 * neighbours. */
static int value_of(const strip_cover *cover, uint32_t side) {
    const uint32_t twin = cover->twins[side];
    const uint32_t before = side_beyond(cover, side), after = side_beyond(cover, twin);
    const int count = repeats(cover, side) + (before != NO_SIDE ? repeats(cover, before) : 0) +
                      (after != NO_SIDE ? repeats(cover, after) : 0);
    return STRIP_COST - REPEAT_COST * count;
}

static void toggle(strip_cover *cover, uint32_t side) {
    const uint32_t twin = cover->twins[side];
    cover->taken[side / 4] ^= (uint8_t)(1u << side % 4);
    cover->taken[twin / 4] ^= (uint8_t)(1u << twin % 4);
}

static bool is_full(const strip_cover *cover, uint32_t triangle) {
    const unsigned taken = cover->taken[triangle];
    return (taken & (taken - 1)) != 0;
}

/* Returns one of the two taken sides of a triangle. */
static uint32_t either_side(annealing *a, uint32_t triangle) {
    const unsigned taken = a->cover->taken[triangle];
    const unsigned low = taken & 1 ? 0 : 1, high = taken & 4 ? 2 : 1;
    return 4 * triangle + (draw(a) & 1 ? low : high);
}

/* Returns true if the path across a side is a cycle. */
static bool closes_loop(annealing *a, uint32_t side) {
    const strip_cover *cover = a->cover;
    uint32_t at = cover->twins[side];
    for (;;) {
        a->steps--;
        at = side_beyond(cover, at);
        if (at == NO_SIDE)
            return false;
        if (at == side)
            return true;
        at = cover->twins[at];
    }
}

/* Tries a random change: takes a side, replacing others if necessary, or drops it. */
static void move(annealing *a) {
    strip_cover *cover = a->cover;
    const uint32_t side = a->sides[(uint64_t)draw(a) * a->num_sides >> 32];
    const bool is_free = !(cover->taken[side / 4] >> side % 4 & 1);
    uint32_t changed[3], count = 0;
    int cost = 0;
    const uint32_t ends[2] = {side / 4, cover->twins[side] / 4};
    for (int i = 0; is_free && i < 2; i++)
        if (is_full(cover, ends[i])) {
            changed[count] = either_side(a, ends[i]);
            cost += value_of(cover, changed[count]);
            toggle(cover, changed[count++]);
        }
    changed[count++] = side;
    if (is_free)
        toggle(cover, side);
    cost += is_free ? -value_of(cover, side) : value_of(cover, side);
    if (!is_free)
        toggle(cover, side);
    const bool accepted = cost <= 0 || draw(a) < a->chances[cost < MAX_COST ? cost : MAX_COST];
    if (accepted && !(is_free && closes_loop(a, side)))
        return;
    while (count > 0)
        toggle(cover, changed[--count]);
}

/* Improves the set by `moves` random changes per triangle. */
static bool strip_cover_anneal(strip_cover *cover, uint32_t moves, lm_heap *heap) {
    lm_arena scratch = {.heap = heap};
    const uint64_t count = cover->num_triangles, all = count * moves;
    annealing a = {.cover = cover, /* two triangles share a side */
                   .sides = lmi_arena_alloc(&scratch, count * 3 / 2, sizeof(uint32_t)),
                   .random = UINT64_C(0x9E3779B97F4A7C15),
                   .steps = (int64_t)(all * STEPS_PER_MOVE)};
    for (uint32_t side = 0; a.sides && side < cover->num_triangles * 4; side++)
        if (cover->twins[side] != NO_SIDE && side < cover->twins[side])
            a.sides[a.num_sides++] = side;
    for (int stage = 0; stage < STAGES && a.num_sides > 0; stage++) {
        double chance = 4294967295.0;
        const double each =
            FIRST_CHANCE + (LAST_CHANCE - FIRST_CHANCE) * stage / (double)(STAGES - 1);
        for (int cost = 0; cost <= MAX_COST; cost++, chance *= each)
            a.chances[cost] = (uint32_t)chance;
        for (uint64_t i = 0; i < all / STAGES && a.steps > 0; i++)
            move(&a);
    }
    lmi_arena_free(&scratch);
    return a.sides != NULL;
}

/* ---- Strips ------------------------------------------------------------------------------- */

/* A path to be written: the sides from each triangle to the next. */
typedef struct strip_path {
    const strip_cover *cover;
    uint32_t *sides;
    uint32_t num_sides; /* number of triangles - 1 */
} strip_path;

/* Follows a path from a triangle at its end. */
static void walk(strip_path *path, uint32_t triangle, bool *done) {
    const strip_cover *cover = path->cover;
    path->num_sides = 0;
    done[triangle] = true;
    if (!cover->taken[triangle])
        return;
    uint32_t side = 4 * triangle + (cover->taken[triangle] >> 1);
    while (side != NO_SIDE) {
        path->sides[path->num_sides++] = side;
        done[cover->twins[side] / 4] = true;
        side = side_beyond(cover, cover->twins[side]);
    }
}

/* Returns true if a path turns right between two of its sides. A strip turns right at its second
 * triangle, and then at every second one. */
static bool turns_right(const strip_path *path, uint32_t index) {
    const uint32_t in = path->cover->twins[path->sides[index]], out = path->sides[index + 1];
    return out % 4 == (in % 4 + 2) % 3;
}

static bool is_fan(const strip_path *path) {
    if (path->num_sides < 3)
        return false;
    for (uint32_t i = 1; i + 1 < path->num_sides; i++)
        if (turns_right(path, i) != turns_right(path, 0))
            return false;
    return true;
}

static uint32_t corner_at(const strip_path *path, uint32_t side) {
    return path->cover->corners[side / 4 * 3 + side % 4];
}

/* Returns the triangle's corners, beginning with the one opposite the first side. */
static void first_corners(const strip_path *path, uint32_t triangle, uint32_t out[3]) {
    const uint32_t turn = path->num_sides > 0 ? path->sides[0] % 4 : 0;
    for (uint32_t i = 0; i < 3; i++)
        out[i] = path->cover->corners[triangle * 3 + (turn + i) % 3];
}

/* Writes a fan around the corner at which the path turns right. */
static uint32_t write_fan(const strip_path *path, uint32_t *out) {
    uint32_t corners[3], count = 3;
    first_corners(path, path->sides[0] / 4, corners);
    out[0] = corners[2];
    out[1] = corners[0];
    out[2] = corners[1];
    for (uint32_t i = 0; i < path->num_sides; i++)
        out[count++] = corner_at(path, path->cover->twins[path->sides[i]]);
    return count;
}

static uint32_t write_strip(const strip_path *path, uint32_t triangle, uint32_t *out) {
    uint32_t count = 3;
    bool right = true; /* direction of the next turn that needs no repeated corner */
    first_corners(path, triangle, out);
    for (uint32_t i = 0; i < path->num_sides; i++) {
        const bool last = i + 1 == path->num_sides;
        if (!last && turns_right(path, i) != right) {
            out[count] = out[count - 2];
            count++;
        }
        out[count++] = corner_at(path, path->cover->twins[path->sides[i]]);
        right = last || !turns_right(path, i);
    }
    return count;
}

static void write_path(strip_path *path, uint32_t triangle, lm_strips_found *found) {
    const bool fan = is_fan(path);
    if (path->num_sides > 1 && !turns_right(path, 0) &&
        !turns_right(path, path->num_sides - 2)) { /* reversed, it begins with a right turn */
        const uint32_t *twins = path->cover->twins;
        for (uint32_t i = 0, k = path->num_sides; i < k; i++) {
            const uint32_t side = path->sides[i];
            path->sides[i] = twins[path->sides[--k]];
            path->sides[k] = twins[side];
        }
        triangle = path->sides[0] / 4;
    }
    uint32_t *out = found->corners + found->num_corners;
    const uint32_t count = fan ? write_fan(path, out) : write_strip(path, triangle, out);
    found->strips[found->num_strips++] = (lm_strip){found->num_corners, count, fan};
    found->num_corners += count;
}

/* Writes all paths of a cover. `path` has room for the longest, `found` for all. */
static void write_paths(strip_path *path, bool *done, lm_strips_found *found) {
    const strip_cover *cover = path->cover;
    memset(done, 0, cover->num_triangles * sizeof *done);
    found->num_strips = found->num_corners = 0;
    for (uint32_t t = 0; t < cover->num_triangles; t++)
        if (!done[t] && (cover->taken[t] & (cover->taken[t] - 1)) == 0) {
            walk(path, t, done);
            write_path(path, t, found);
        }
}

/* Allocates room for strips of `num_triangles`. A strip of n triangles has at most 2n corners, or
 * 3. */
static bool make_room(lm_strips_found *found, uint32_t num_triangles, lm_arena *arena) {
    *found = (lm_strips_found){
        .strips = lmi_arena_alloc(arena, num_triangles, sizeof *found->strips),
        .corners = lmi_arena_alloc(arena, (uint64_t)num_triangles * 3, sizeof *found->corners)};
    return found->strips && found->corners;
}

static uint64_t integers_of(const lm_strips_found *found) {
    return found->num_strips + 3 * (uint64_t)found->num_corners;
}

bool lmi_find_strips(const uint32_t *corners, uint32_t num_triangles, uint32_t num_ids, bool best,
                     lm_strips_found *found, lm_arena *arena) {
    strip_cover cover;
    lm_strips_found second;
    bool *done = lmi_arena_alloc(arena, num_triangles, sizeof *done);
    strip_path path = {&cover, lmi_arena_alloc(arena, num_triangles, sizeof(uint32_t)), 0};
    if (!done || !path.sides || !make_room(found, num_triangles, arena) ||
        !strip_cover_begin(&cover, corners, num_triangles, num_ids, arena) ||
        !strip_cover_greedy(&cover, arena->heap))
        return false;
    write_paths(&path, done, found);
    if (!best)
        return true;
    if (!make_room(&second, num_triangles, arena) ||
        !strip_cover_anneal(&cover, LM_STRIP_MOVES, arena->heap))
        return false;
    write_paths(&path, done, &second);
    if (integers_of(&second) < integers_of(found))
        *found = second; /* annealing ignores that fans need no repeated corners */
    return true;
}
