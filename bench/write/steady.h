/* The truth behind an MD2, as far as the file still tells it. */
#ifndef BENCH_WRITE_STEADY_H
#define BENCH_WRITE_STEADY_H

#include "truths.h"

/* Rounding moved what stands still: a coordinate that may have been in one place for four frames or
 * more, for all that the lines of its grids say, is put in the middle of where it can have been.
 * Then the model is turned: a box around a frame of the file would else find the file's own lines
 * again, and no error. */
void steady_take(const lm_model *model, lm_take *take);

/* The same turn, and a little aside: no position is a 64th any more, no normal an angle. */
extern const lm_transform bench_turn;

#endif
