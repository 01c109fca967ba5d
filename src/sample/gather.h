/* Normals of triangles that share vertices and places, a frame at a time. */
#ifndef LM_SAMPLE_GATHER_H
#define LM_SAMPLE_GATHER_H

#include "core/heap.h"
#include "math/vectors.h"

typedef struct lm_gathering {
    lm_wide sum;
    double angles; /* that meet here */
} lm_gathering;

/* The vertices of everything that is smooth together.
 *     lm_smoothing_begin(&s, count, heap);
 *     for each frame: fill s.positions; lm_smoothing_frame(&s);
 *         for each triangle: lm_smoothing_triangle(&s, its vertices);
 *         for each vertex: lm_smoothing_normal(&s, vertex);
 *     lm_smoothing_end(&s); */
typedef struct lm_smoothing {
    lm_heap *heap;
    uint32_t count;
    lm_vec3 *positions;   /* [count] */
    lm_gathering *at;     /* [count] by vertex; all that follows lies behind it */
    lm_gathering *places; /* [count] by the first vertex that lies there */
    uint64_t *hashes;     /* [count] */
    uint32_t *place;      /* [count] the first vertex where each lies */
} lm_smoothing;

/* False if there is no memory for so many vertices. */
bool lm_smoothing_begin(lm_smoothing *s, uint64_t count, lm_heap *heap);
void lm_smoothing_end(lm_smoothing *s);
/* Finds which vertices lie in one place. False if memory ran out. */
bool lm_smoothing_frame(lm_smoothing *s);
void lm_smoothing_triangle(const lm_smoothing *s, const uint32_t v[3]);
/* Not of length 1. Where nothing has a direction, up. */
lm_vec3 lm_smoothing_normal(const lm_smoothing *s, uint32_t v);

#endif
