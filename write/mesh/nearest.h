/* Finds the vertex of one mesh that stays nearest to a vertex of another. */
#ifndef LM_MESH_NEAREST_H
#define LM_MESH_NEAREST_H

#include "core/arena.h"
#include "lerpmesh/mesh.h"
#include "math/vectors.h"

/* A vertex as it is drawn, with one of its texture coordinates. Each combination occurs once. */
typedef struct lm_drawn_vertex {
    uint32_t surface, vertex;
    lm_vec2 st;
} lm_drawn_vertex;

typedef struct lm_drawn {
    const lm_mesh *mesh;
    uint32_t count;
    lm_drawn_vertex *vertices;
} lm_drawn;

/* Returns false if two corners of a triangle are at one position in every frame, so that nothing is
 * drawn. */
bool lmi_has_area(const lm_mesh *mesh, const lm_mesh_surface *surface, uint32_t triangle);

/* Lists the vertices that a mesh's triangles use, except for those without area, in the arena.
 * Returns false if memory ran out. */
bool lmi_find_drawn(const lm_mesh *mesh, lm_arena *arena, lm_drawn *out);

/* Two frames to compare. */
typedef struct lm_frame_pair {
    uint32_t a, b;
} lm_frame_pair;

/* For each vertex of `a`, finds the vertex of `b` that is nearest over a sample of the pairs (at
 * least one). Ties are decided by the nearest texture coordinates, then by the normals of the first
 * pair, then by all pairs, then by the order of the vertices. `b` must not be empty. Returns false
 * if memory ran out. */
bool lmi_find_nearest(const lm_drawn *a, const lm_drawn *b, const lm_frame_pair *pairs,
                      uint32_t num_pairs, lm_arena *arena, uint32_t *nearest);

/* Returns a drawn vertex's position or normal from the surface's rows. */
static inline lm_vec3 lmi_drawn_row(const lm_drawn *drawn, const float *rows, uint32_t index,
                                    uint32_t frame) {
    const lm_drawn_vertex *v = &drawn->vertices[index];
    const uint32_t count = drawn->mesh->surfaces[v->surface].num_vertices;
    return lmi_vec3_at(rows, (size_t)frame * count + v->vertex);
}

static inline lm_vec3 lmi_drawn_position(const lm_drawn *drawn, uint32_t index, uint32_t frame) {
    const lm_mesh_surface *s = &drawn->mesh->surfaces[drawn->vertices[index].surface];
    return lmi_drawn_row(drawn, s->positions, index, frame);
}

/* Returns false if the surface has no normals. */
static inline bool lmi_drawn_normal(const lm_drawn *drawn, uint32_t index, uint32_t frame,
                                    lm_vec3 *out) {
    const lm_mesh_surface *s = &drawn->mesh->surfaces[drawn->vertices[index].surface];
    if (s->normals)
        *out = lmi_drawn_row(drawn, s->normals, index, frame);
    return s->normals;
}

#endif
