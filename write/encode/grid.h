/* Grids of 256 lines per axis, for formats that store a scale and a translation per frame. They are
 * chosen so that static vertices do not jitter. */
#ifndef LM_ENCODE_GRID_H
#define LM_ENCODE_GRID_H

#include "core/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Finds the grid on which the coordinates of a frame already lie, such as those of a decoded MD2.
 */

#define LM_GRID_LAST 255 /* the largest line number */

/* Cells are narrower than any step, so that each holds the coordinates of at most one line. */
#define LM_OWN_CELLS 2048
#define LM_OWN_VALUES 512 /* at most two cells per line */

/* The different coordinates of a frame on one axis. */
typedef struct lm_own_values {
    double low, high, per_unit; /* cells per unit */
    double noise;               /* coordinates of one line differ by less than twice this */
    uint32_t count;
    uint16_t cells[LM_OWN_VALUES]; /* [count] those with coordinates */
    bool taken[LM_OWN_CELLS];
    float lows[LM_OWN_CELLS], highs[LM_OWN_CELLS]; /* of a taken cell */
} lm_own_values;

/* Begins a frame whose coordinates lie from `low` to `high`. `values` must be zeros or have been
 * used before. Returns false if floats are too coarse there to recognise a grid. */
bool lmi_own_begin(lm_own_values *values, double low, double high);
/* Adds a coordinate. Returns false if the coordinates do not lie on one grid of 256 lines. */
bool lmi_own_add(lm_own_values *values, float x);
/* Returns the step of the grid whose line 0 is `low`, or -1 if there is none; 0 if all coordinates
 * are equal. Takes bounded time. Of the steps that fit within the noise of floats, it returns one
 * with which lines decode to the most coordinates exactly. */
float lmi_own_step(const lm_own_values *values);

/* The grid of a frame: line q of an axis is at q * step + start. If step is 0, all vertices are at
 * `start`. The lines of chosen grids are exact floats, and integer multiples of the step; `first`
 * is the multiple of line 0. A grid that the frame already had begins at `origin`, and its `first`
 * is 0. */
typedef struct lm_grid {
    float step[3], start[3];
    int32_t first[3];
    float origin[3];
} lm_grid;

/* Vertices for which the grids are chosen. Unused vertices do not count. */
typedef struct lm_grid_points {
    const float *positions; /* [num_frames * num_vertices * 3] */
    uint32_t num_vertices;
    const bool *used; /* [num_vertices] */
} lm_grid_points;

typedef struct lm_grid_candidate {
    uint32_t num_frames;
    uint32_t num_points;
    const lm_grid_points *points; /* [num_points] in any order */
    const bool *begins;           /* [num_frames] true if a movement begins at the frame */
    double stability;             /* cost of moving a still vertex, in squared errors */
} lm_grid_candidate;

/* Chooses the grid of each frame. For each axis, the frames of a movement keep their grids if all
 * of them already lie on grids of 256 lines. Cuts the other frames into runs that share a step, as
 * small as the largest frame of the run allows. A run costs the square of its step times the sum of
 *   - its frames times the vertices in use, for rounding errors,
 *   - half the stability times the vertices that do not move across its begin, and likewise its
 *     end, for jitter. This is 0 where a movement begins. A vertex that moves by less than a
 *     quarter of a step counts in part.
 * Finds the cheapest partition by dynamic programming. A run has at most LM_GRID_MAX_RUN frames,
 * which bounds the time to this number times the frames. Returns false if memory ran out. */
#define LM_GRID_MAX_RUN 2048
bool lmi_grid_choose(const lm_grid_candidate *request, lm_grid *grids, lm_arena *arena);

/* Returns the distance of x from a line, in 1/256 of a step: -128 .. 127. */
int8_t lmi_grid_rest(const lm_grid *grid, int axis, uint8_t line, float x);

/* A vertex's path: frame f's position on an axis is at from + f * from_stride. */
typedef struct lm_grid_path {
    uint32_t num_frames;
    const lm_grid *grids;
    const bool *begins;
    float reach[3]; /* from lmi_grid_reach */
    bool smooth;    /* also round slow movements so that they do not jerk */
    const float *from;
    size_t from_stride;
    uint8_t *to; /* receives the line of each frame, to_stride apart */
    size_t to_stride;
} lm_grid_path;

/* Computes half of the largest step on each axis: the largest error of rounding to the nearest
 * line. */
void lmi_grid_reach(const lm_grid *grids, uint32_t num_frames, float reach[3]);

/* Rounds a vertex's path to the lines of the frames' grids. Minimises the sum of squared position
 * errors and weighted squared movement errors of still vertices where runs end. Chooses the nearest
 * line or another one within reach; within twice the reach if `smooth`. The result depends only on
 * the path, the grids and the movements, so that vertices that move alike are rounded alike.
 * `scratch`: [num_frames * LM_GRID_WAYS]. */
#define LM_GRID_WAYS 4
void lmi_grid_round(const lm_grid_path *path, int axis, uint8_t *scratch);

#endif
