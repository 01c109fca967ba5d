/* GL commands as id's tool makes them, ported from what is published of it. */
#ifndef BENCH_WRITE_STRIPS_PORT_H
#define BENCH_WRITE_STRIPS_PORT_H

#include "lerpmesh/model.h"

/* From each triangle in turn that is left the longest strip or fan that begins there, by any of its
 * sides; how many integers that takes. */
double strips_of_id(const lm_surface *surface);

#endif
