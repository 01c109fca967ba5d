/* Improves a strip cover by simulated annealing over its edges. All arithmetic is on integers or
 * plain products, so that results are the same on every machine. */
#include "encode/strip_cover.h"

#include <string.h>

/* Probability of accepting a change that costs one integer more, in the first and last stage. */
#define FIRST_CHANCE 0.55
#define LAST_CHANCE 0.02
#define STAGES 64
/* Costs are clamped to this. */
#define MAX_COST 64
/* Triangles that the search for cycles may visit, per change. */
#define STEPS_PER_MOVE 64

typedef struct annealing {
    lm_strip_cover *cover;
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
static int repeats(const lm_strip_cover *cover, uint32_t side) {
    const uint32_t turn = lm_rotate_at(cover, side);
    return turn != LM_NO_CORNER && turn == lm_rotate_at(cover, cover->twins[side]);
}

/* Returns the integers that a taken side saves, including its effect on repeats at its
 * neighbours. */
static int value_of(const lm_strip_cover *cover, uint32_t side) {
    const uint32_t twin = cover->twins[side];
    const uint32_t before = lm_side_beyond(cover, side), after = lm_side_beyond(cover, twin);
    const int count = repeats(cover, side) + (before != LM_NO_SIDE ? repeats(cover, before) : 0) +
                      (after != LM_NO_SIDE ? repeats(cover, after) : 0);
    return LM_STRIP_COST - LM_REPEAT_COST * count;
}

static void toggle(lm_strip_cover *cover, uint32_t side) {
    const uint32_t twin = cover->twins[side];
    cover->taken[side / 4] ^= (uint8_t)(1u << side % 4);
    cover->taken[twin / 4] ^= (uint8_t)(1u << twin % 4);
}

static bool is_full(const lm_strip_cover *cover, uint32_t triangle) {
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
    const lm_strip_cover *cover = a->cover;
    uint32_t at = cover->twins[side];
    for (;;) {
        a->steps--;
        at = lm_side_beyond(cover, at);
        if (at == LM_NO_SIDE)
            return false;
        if (at == side)
            return true;
        at = cover->twins[at];
    }
}

/* Tries a random change: takes a side, replacing others if necessary, or drops it. */
static void move(annealing *a) {
    lm_strip_cover *cover = a->cover;
    const uint32_t side = a->sides[(uint64_t)draw(a) * a->num_sides >> 32];
    const bool is_free = !lm_side_taken(cover, side);
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

static void anneal(annealing *a, uint64_t moves) {
    const lm_strip_cover *cover = a->cover;
    for (uint32_t side = 0; side < cover->num_triangles * 4; side++)
        if (cover->twins[side] != LM_NO_SIDE && side < cover->twins[side])
            a->sides[a->num_sides++] = side;
    a->steps = (int64_t)(moves * STEPS_PER_MOVE);
    for (int stage = 0; stage < STAGES && a->num_sides > 0; stage++) {
        double chance = 4294967295.0;
        const double each =
            FIRST_CHANCE + (LAST_CHANCE - FIRST_CHANCE) * stage / (double)(STAGES - 1);
        for (int cost = 0; cost <= MAX_COST; cost++, chance *= each)
            a->chances[cost] = (uint32_t)chance;
        for (uint64_t i = 0; i < moves / STAGES && a->steps > 0; i++)
            move(a);
    }
}

bool lm_strip_cover_anneal(lm_strip_cover *cover, uint32_t moves, lm_heap *heap) {
    lm_arena scratch = {.heap = heap};
    annealing a = {
        .cover = cover, /* two triangles share a side */
        .sides = lm_arena_alloc(&scratch, (uint64_t)cover->num_triangles * 3 / 2, sizeof(uint32_t)),
        .random = UINT64_C(0x9E3779B97F4A7C15)};
    if (a.sides)
        anneal(&a, (uint64_t)cover->num_triangles * moves);
    lm_arena_free(&scratch);
    return a.sides != NULL;
}
