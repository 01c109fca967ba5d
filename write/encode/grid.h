/* Grids of 256 lines an axis, for formats that give each frame a scale and a translate: chosen so
 * that what stands still does not move. */
#ifndef LM_ENCODE_GRID_H
#define LM_ENCODE_GRID_H

#include "core/arena.h"

#define LM_GRID_LAST 255 /* the largest number of a line */

/* The grid of a frame: line q of an axis is at q * step + start, which floats give exactly. All
 * lines of all frames with one step are whole multiples of it: a frame's are `first` and the 255
 * that follow. Where step is 0, all there is lies at `start`. */
typedef struct lm_grid {
    float step[3], start[3];
    int32_t first[3];
} lm_grid;

/* Vertices that the grids are for; those that are not used do not count. */
typedef struct lm_grid_points {
    const float *positions; /* [num_frames * num_vertices * 3] */
    uint32_t num_vertices;
    const bool *used; /* [num_vertices] */
} lm_grid_points;

typedef struct lm_grid_wish {
    uint32_t num_frames;
    uint32_t num_points;
    const lm_grid_points *points; /* [num_points]; their order makes no difference */
    const bool *begins;           /* [num_frames] whether a movement begins there */
    double steadiness;            /* what moving a still vertex costs, in squares of errors */
} lm_grid_wish;

/* Chooses the grid of each frame. Axis by axis the frames are cut into runs that share a step,
 * which is as small as the largest frame of the run allows. The cost of a run is the square of its
 * step times
 *   - its frames times the vertices in use, for what rounding is off by,
 *   - and half the steadiness times those that stand still over its begin, and over its end, for
 *     what they move: nothing where a movement begins; one that moves by less than a quarter of a
 *     step counts in part.
 * The cheapest cut is found by dynamic programming; a run has at most LM_GRID_MAX_RUN frames, so
 * that time is bounded by that number times the frames. False if memory ran out. */
#define LM_GRID_MAX_RUN 2048
bool lm_grid_choose(const lm_grid_wish *wish, lm_grid *grids, lm_arena *arena);

/* How far x is from a line, in 1/256 of a step: -128 .. 127. */
int8_t lm_grid_rest(const lm_grid *grid, int axis, uint8_t line, float x);

/* A vertex's way: frame f's position on an axis is at from + f * from_stride. */
typedef struct lm_grid_path {
    uint32_t num_frames;
    const lm_grid *grids;
    const bool *begins;
    float reach[3]; /* lm_grid_reach of the grids */
    bool smooth;    /* slow movements too are rounded so that they do not jerk */
    const float *from;
    size_t from_stride;
    uint8_t *to; /* gets the line of each frame, to_stride apart */
    size_t to_stride;
} lm_grid_path;

/* Half of the largest step on each axis: how far off rounding to the nearest line may be. */
void lm_grid_reach(const lm_grid *grids, uint32_t num_frames, float reach[3]);

/* Rounds to the lines of the frames' grids, so that the sum of the squares of the errors is least
 * and, at a price, of those of what still vertices move where a run ends: to the nearest line, or
 * to another within reach, or twice that far where slow movements count. Only the vertex's way, the
 * grids and the movements decide, so that what moves alike is rounded alike. `scratch`: [num_frames
 * * LM_GRID_WAYS]. */
#define LM_GRID_WAYS 4
void lm_grid_round(const lm_grid_path *path, int axis, uint8_t *scratch);

#endif
