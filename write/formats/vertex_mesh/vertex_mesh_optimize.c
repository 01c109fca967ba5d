#include "formats/vertex_mesh/vertex_mesh_optimize.h"

static uint32_t *read_corners(lm_optimizing *o, const lm_mesh_lumps *surface) {
    const size_t count = (size_t)surface->num_triangles;
    uint32_t *corners = lm_arena_alloc(&o->arena, count, 3 * sizeof *corners);
    for (size_t t = 0; corners && t < count; t++)
        lm_mesh_get_triangle(*surface->triangles + t * LM_MESH_TRIANGLE_SIZE, corners + 3 * t);
    return corners;
}

static const uint8_t *write_triangles(lm_optimizing *o, const lm_reduction *r) {
    uint8_t *lump = lm_arena_alloc(&o->arena, r->num_triangles, LM_MESH_TRIANGLE_SIZE);
    for (size_t t = 0; lump && t < r->num_triangles; t++)
        lm_mesh_put_triangle(lump + t * LM_MESH_TRIANGLE_SIZE, r->corners + 3 * t);
    return lump;
}

uint8_t *lm_mesh_pick(lm_optimizing *o, const lm_reduction *r, const uint8_t *lump, int32_t rows,
                      int32_t num_vertices, size_t size) {
    const size_t from = (size_t)num_vertices * size, to = r->num_vertices * size;
    uint8_t *out = lm_arena_alloc(&o->arena, (uint64_t)rows * r->num_vertices, size);
    for (size_t i = 0; out && i < (size_t)rows; i++)
        lm_pick_vertices((lm_vertex_row){lump + i * from, size}, r->vertices, r->num_vertices,
                         out + i * to);
    return out;
}

bool lm_mesh_optimize(lm_optimizing *o, uint32_t index, const lm_mesh_lumps *surface,
                      lm_vertex_row *rows, size_t num_rows, uint64_t size, lm_reduction *out) {
    const int32_t num_vertices = *surface->num_vertices;
    uint8_t *name = surface->name, *end = memchr(name, 0, LM_MESH_NAME_SIZE);
    rows[num_rows - 1] = (lm_vertex_row){*surface->st, LM_MESH_ST_SIZE};
    const lm_optimize_mesh mesh = {(uint32_t)surface->num_triangles,
                                   (uint32_t)num_vertices,
                                   read_corners(o, surface),
                                   rows,
                                   num_rows,
                                   size,
                                   false};
    if (!mesh.corners || !lm_optimize_triangles(o, index, &mesh, out))
        return false;
    if (end)
        memset(end, 0, LM_MESH_NAME_SIZE - (size_t)(end - name));
    *surface->triangles = write_triangles(o, out);
    *surface->st = lm_mesh_pick(o, out, *surface->st, 1, num_vertices, LM_MESH_ST_SIZE);
    *surface->shaders = lm_clean_names(o, *surface->shaders, (size_t)surface->num_shaders,
                                       LM_MESH_SHADER_SIZE, 0, LM_MESH_NAME_SIZE);
    *surface->num_vertices = (int32_t)out->num_vertices;
    return *surface->triangles && *surface->st && *surface->shaders;
}
