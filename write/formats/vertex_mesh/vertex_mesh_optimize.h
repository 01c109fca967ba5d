/* What MD3 and MDC have in common when they are made smaller. */
#ifndef LM_FORMATS_VERTEX_MESH_OPTIMIZE_H
#define LM_FORMATS_VERTEX_MESH_OPTIMIZE_H

#include "formats/vertex_mesh/vertex_mesh.h"
#include "optimize/optimizing.h"

/* A surface of either format: its lumps become smaller ones. */
typedef struct lm_mesh_lumps {
    int32_t *num_vertices;
    int32_t num_triangles, num_shaders;
    const uint8_t **triangles, **st, **shaders;
    uint8_t *name; /* 64 bytes */
} lm_mesh_lumps;

/* All but the vertices of a surface: of those, `rows` say what they are in all frames. The last row
 * is for the texture coordinates; a vertex takes `size` bytes. False if memory ran out. */
bool lm_mesh_optimize(lm_optimizing *o, uint32_t index, const lm_mesh_lumps *surface,
                      lm_vertex_row *rows, size_t num_rows, uint64_t size, lm_reduction *out);

/* Of rows of `num_vertices` those vertices that are left. NULL if memory ran out. */
uint8_t *lm_mesh_pick(lm_optimizing *o, const lm_reduction *r, const uint8_t *lump, int32_t rows,
                      int32_t num_vertices, size_t size);

#endif
