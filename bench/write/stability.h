/* Reconstructs the exact model behind an MD2, as far as the file permits. */
#ifndef BENCH_WRITE_STABILITY_H
#define BENCH_WRITE_STABILITY_H

#include "truths.h"

/* Reconstructs a mesh without the jitter from rounding. If a coordinate may have been constant for
 * four frames or more within its grids' steps, it is moved to the middle of its possible range.
 * Then the model is rotated: otherwise a box around a frame would reproduce the file's own lines
 * without error. */
void stable_mesh(const lm_model *model, lm_mesh *mesh);

/* The same rotation and a small translation: positions are not 64ths and normals are not exact
 * angles. */
extern const lm_transform bench_rotation;

#endif
