/* Makes GL commands as id's tool does, ported from its published source. */
#ifndef BENCH_WRITE_STRIPS_PORT_H
#define BENCH_WRITE_STRIPS_PORT_H

#include "lerpmesh/model.h"

/* Starts at each remaining triangle in turn and takes the longest strip or fan that begins at any
 * of its edges. Returns the number of integers. */
double strips_of_id(const lm_surface *surface);

#endif
