/* The vertex of one take that stays nearest to a vertex of another. */
#ifndef LM_MESH_NEAREST_H
#define LM_MESH_NEAREST_H

#include "core/arena.h"
#include "lerpmesh/mesh.h"
#include "math/vectors.h"

/* A vertex as it is drawn: with its texture coordinates. Each once. */
typedef struct lm_drawn_vertex {
    uint32_t surface, vertex;
    lm_vec2 st;
} lm_drawn_vertex;

typedef struct lm_drawn {
    const lm_take *take;
    uint32_t count;
    lm_drawn_vertex *vertices;
} lm_drawn;

/* What the triangles of a take use, in the arena. False if memory ran out. */
bool lm_find_drawn(const lm_take *take, lm_arena *arena, lm_drawn *out);

/* Frames that are compared with each other. */
typedef struct lm_frame_pair {
    uint32_t a, b;
} lm_frame_pair;

/* For each of the vertices of `a` the one of `b` that is nearest in all of a few of the pairs
 * (at least one), of those the one with the nearest texture coordinates, and of those the one that
 * is nearest in all pairs. `b` has some. False if memory ran out. */
bool lm_find_nearest(const lm_drawn *a, const lm_drawn *b, const lm_frame_pair *pairs,
                     uint32_t num_pairs, lm_arena *arena, uint32_t *nearest);

/* A drawn vertex's row of positions or normals. */
static inline lm_vec3 lm_drawn_row(const lm_drawn *drawn, const float *rows, uint32_t index,
                                   uint32_t frame) {
    const lm_drawn_vertex *v = &drawn->vertices[index];
    const uint32_t count = drawn->take->surfaces[v->surface].num_vertices;
    return lm_vec3_at(rows, (size_t)frame * count + v->vertex);
}

static inline lm_vec3 lm_drawn_position(const lm_drawn *drawn, uint32_t index, uint32_t frame) {
    const lm_take_surface *s = &drawn->take->surfaces[drawn->vertices[index].surface];
    return lm_drawn_row(drawn, s->positions, index, frame);
}

/* False if the surface has no normals. */
static inline bool lm_drawn_normal(const lm_drawn *drawn, uint32_t index, uint32_t frame,
                                   lm_vec3 *out) {
    const lm_take_surface *s = &drawn->take->surfaces[drawn->vertices[index].surface];
    if (s->normals)
        *out = lm_drawn_row(drawn, s->normals, index, frame);
    return s->normals;
}

#endif
