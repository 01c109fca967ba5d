/* Computes smooth normals, one frame at a time, from triangles that share vertices and
 * positions. */
#ifndef LM_SAMPLE_SMOOTH_NORMALS_H
#define LM_SAMPLE_SMOOTH_NORMALS_H

#include "core/heap.h"
#include "math/vectors.h"

/* The weighted sum of the directions of the triangles at a vertex or position. */
typedef struct lm_normal_sum {
    lm_wide sum;
    double angles; /* the sum of the angles */
} lm_normal_sum;

/* The vertices of all surfaces that are smoothed together.
 *     lm_smoothing_begin(&s, count, heap);
 *     for each frame: fill s.positions; lm_smoothing_frame(&s);
 *         for each triangle: lm_smoothing_triangle(&s, its vertices);
 *         for each vertex: lm_smoothing_normal(&s, vertex);
 *     lm_smoothing_end(&s); */
typedef struct lm_smoothing {
    lm_heap *heap;
    uint32_t count;
    lm_vec3 *positions;      /* [count] */
    lm_normal_sum *own;      /* [count] by vertex; the start of all following arrays */
    lm_normal_sum *shared;   /* [count] by the first vertex at the position */
    uint64_t *hashes;        /* [count] */
    uint32_t *same_position; /* [count] the first vertex at the same position */
} lm_smoothing;

/* Allocates memory for `count` vertices. Returns false if memory ran out. */
bool lm_smoothing_begin(lm_smoothing *s, uint64_t count, lm_heap *heap);
void lm_smoothing_end(lm_smoothing *s);
/* Finds the vertices with equal positions. Returns false if memory ran out. */
bool lm_smoothing_frame(lm_smoothing *s);
void lm_smoothing_triangle(const lm_smoothing *s, const uint32_t v[3]);
/* Returns a vertex's normal, which is not normalised; up, if the directions cancel. */
lm_vec3 lm_smoothing_normal(const lm_smoothing *s, uint32_t v);

#endif
