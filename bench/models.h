/* Synthetic models for the benchmark, as files in memory. */
#ifndef BENCH_MODELS_H
#define BENCH_MODELS_H

#include "lerpmesh/base.h"

/* Makes an MD2 that is drawn with exactly `vertices` vertices (below or a multiple of
 * BENCH_PATCH_VERTICES) and twice as many triangles: a patch that bends from frame to frame. Beyond
 * the number that a file can index, vertices come from seams: the patch is drawn several times,
 * each with other texture coordinates. */
#define BENCH_PATCH_VERTICES 50000u
void bench_make_md2(uint32_t vertices, uint32_t frames, lm_buffer *out);

/* Makes an MDC of one surface. Frames 0 and 1 are base frames, all later ones compressed frames of
 * the second. */
void bench_make_mdc(uint32_t vertices, uint32_t frames, lm_buffer *out);

#endif
