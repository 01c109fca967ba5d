/* Finds the grid on which the coordinates of a frame already lie, such as those of a decoded MD2.
 */
#ifndef LM_ENCODE_OWN_GRID_H
#define LM_ENCODE_OWN_GRID_H

#include <stdbool.h>
#include <stdint.h>

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
bool lm_own_begin(lm_own_values *values, double low, double high);
/* Adds a coordinate. Returns false if the coordinates do not lie on one grid of 256 lines. */
bool lm_own_add(lm_own_values *values, float x);
/* Returns the step of the grid whose line 0 is `low`, or -1 if there is none; 0 if all coordinates
 * are equal. Takes bounded time. Of the steps that fit within the noise of floats, it returns one
 * with which lines decode to the most coordinates exactly. */
float lm_own_step(const lm_own_values *values);

#endif
