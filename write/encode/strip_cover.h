/* Covers triangles with paths that cross shared edges. The result is a set of edges without cycles,
 * with at most two edges per triangle. Each edge in the set saves a strip: 7 integers. If a path
 * turns around the same corner in two consecutive triangles, a strip must repeat a corner: 3
 * integers. */
#ifndef LM_ENCODE_STRIP_COVER_H
#define LM_ENCODE_STRIP_COVER_H

#include "core/arena.h"

/* A side of a triangle: 4 * triangle + its opposite corner. */
#define LM_NO_SIDE UINT32_MAX
#define LM_NO_CORNER UINT32_MAX

typedef struct lm_strip_cover {
    uint32_t num_triangles;
    const uint32_t *corners; /* [3 * num_triangles] */
    uint32_t *twins;         /* [4 * num_triangles] the neighbour's side; LM_NO_SIDE: none */
    uint8_t *taken;          /* [num_triangles] a bit per side: it is in the set */
} lm_strip_cover;

#define LM_STRIP_COST 7
#define LM_REPEAT_COST 3

/* Finds the neighbours, and begins with an empty set. Linear time. Returns false if memory ran
 * out. */
bool lm_strip_cover_begin(lm_strip_cover *cover, const uint32_t *corners, uint32_t num_triangles,
                          uint32_t num_ids, lm_arena *arena);
/* Takes edges greedily: paths grow at both ends, and start at triangles with the fewest
 * neighbours. */
bool lm_strip_cover_greedy(lm_strip_cover *cover, lm_heap *heap);
/* Improves the set by `moves` random changes per triangle. */
bool lm_strip_cover_anneal(lm_strip_cover *cover, uint32_t moves, lm_heap *heap);

static inline bool lm_side_taken(const lm_strip_cover *cover, uint32_t side) {
    return cover->taken[side / 4] >> side % 4 & 1;
}

/* Returns the side by which a path leaves the triangle that it entered by this one, or LM_NO_SIDE
 * at its end. */
static inline uint32_t lm_side_beyond(const lm_strip_cover *cover, uint32_t side) {
    const unsigned others = cover->taken[side / 4] & ~(1u << side % 4);
    return others ? side / 4 * 4 + (others >> 1) : LM_NO_SIDE;
}

/* Returns the corner around which a path turns between two sides of a triangle. */
static inline uint32_t lm_rotate_corner(const lm_strip_cover *cover, uint32_t side,
                                        uint32_t beyond) {
    return cover->corners[side / 4 * 3 + (3 - side % 4 - beyond % 4)];
}

static inline uint32_t lm_rotate_at(const lm_strip_cover *cover, uint32_t side) {
    const uint32_t beyond = lm_side_beyond(cover, side);
    return beyond == LM_NO_SIDE ? LM_NO_CORNER : lm_rotate_corner(cover, side, beyond);
}

#endif
