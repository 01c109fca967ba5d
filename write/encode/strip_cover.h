/* Paths from triangle to triangle over the edges that they share, which cover all triangles.
 *
 * What is sought is a set of edges: no triangle has more than two of them, and none of them go
 * round in a circle. Each edge in the set saves a strip, 7 integers. Where a path turns round one
 * corner in two triangles in turn, a strip must repeat a corner, 3 integers. */
#ifndef LM_ENCODE_STRIP_COVER_H
#define LM_ENCODE_STRIP_COVER_H

#include "core/arena.h"

/* A side of a triangle: 4 * triangle + the corner that it lies opposite of. */
#define LM_NO_SIDE UINT32_MAX
#define LM_NO_CORNER UINT32_MAX

typedef struct lm_strip_cover {
    uint32_t num_triangles;
    const uint32_t *corners; /* [3 * num_triangles] */
    uint32_t *twins;         /* [4 * num_triangles] the side of the neighbour; LM_NO_SIDE: none */
    uint8_t *taken;          /* [num_triangles] a bit for each side that is in the set */
} lm_strip_cover;

#define LM_STRIP_COST 7
#define LM_REPEAT_COST 3

/* Finds the neighbours; no edge is taken yet. Linear. False if memory ran out. */
bool lm_strip_cover_begin(lm_strip_cover *cover, const uint32_t *corners, uint32_t num_triangles,
                          uint32_t num_ids, lm_arena *arena);
/* Takes edges greedily: paths grow at both ends, from where there are the fewest ways to go. */
bool lm_strip_cover_greedy(lm_strip_cover *cover, lm_heap *heap);
/* Goes on from there by so many random changes a triangle. */
bool lm_strip_cover_anneal(lm_strip_cover *cover, uint32_t moves, lm_heap *heap);

static inline bool lm_side_taken(const lm_strip_cover *cover, uint32_t side) {
    return cover->taken[side / 4] >> side % 4 & 1;
}

/* The side by which a path that came over this one goes on; LM_NO_SIDE where it ends. */
static inline uint32_t lm_side_beyond(const lm_strip_cover *cover, uint32_t side) {
    const unsigned others = cover->taken[side / 4] & ~(1u << side % 4);
    return others ? side / 4 * 4 + (others >> 1) : LM_NO_SIDE;
}

/* The corner that a path turns round between two sides of a triangle. */
static inline uint32_t lm_turn_corner(const lm_strip_cover *cover, uint32_t side, uint32_t beyond) {
    return cover->corners[side / 4 * 3 + (3 - side % 4 - beyond % 4)];
}

static inline uint32_t lm_turn_at(const lm_strip_cover *cover, uint32_t side) {
    const uint32_t beyond = lm_side_beyond(cover, side);
    return beyond == LM_NO_SIDE ? LM_NO_CORNER : lm_turn_corner(cover, side, beyond);
}

#endif
