/* Optimizes an MDL. */
#include "formats/mdl/mdl_write.h"
#include "optimize/optimizing.h"

static uint32_t *read_corners(lm_optimizing *o, const lm_mdl *mdl) {
    uint32_t *corners = lm_arena_alloc(&o->arena, (uint64_t)mdl->num_tris, 3 * sizeof *corners);
    for (int32_t t = 0; corners && t < mdl->num_tris; t++) {
        lm_mdl_triangle triangle;
        lm_mdl_get_triangle(mdl, t, &triangle);
        for (size_t c = 0; c < 3; c++)
            corners[3 * (size_t)t + c] = (uint32_t)triangle.vertex[c];
    }
    return corners;
}

/* Returns a frame's poses with the remaining vertices only. */
static const uint8_t *write_poses(lm_optimizing *o, const lm_mdl *mdl, const lm_mdl_frame *frame,
                                  const lm_cache_order *r) {
    const size_t from = lm_mdl_pose_size(mdl);
    const size_t to = LM_MDL_POSE_HEADER_SIZE + r->num_vertices * (size_t)LM_MDL_VERTEX_SIZE;
    uint8_t *out = lm_arena_alloc(&o->arena, (uint64_t)frame->num_poses, to);
    for (size_t p = 0; out && p < (size_t)frame->num_poses; p++) {
        memcpy(out + p * to, frame->poses + p * from, LM_MDL_POSE_HEADER_SIZE);
        lm_pick_vertices(
            (lm_vertex_row){lm_mdl_vertices(mdl, frame, (int32_t)p), LM_MDL_VERTEX_SIZE},
            r->vertices, r->num_vertices, out + p * to + LM_MDL_POSE_VERTICES);
    }
    return out ? lm_clean_names(o, out, (size_t)frame->num_poses, to, LM_MDL_POSE_NAME,
                                LM_MDL_NAME_SIZE)
               : NULL;
}

bool lm_mdl_optimize(lm_optimizing *o, void *document) {
    lm_mdl *mdl = document;
    const uint32_t num_poses = lm_mdl_count_poses(mdl);
    lm_vertex_row *rows = lm_arena_alloc(&o->arena, (uint64_t)num_poses + 1, sizeof *rows);
    const lm_optimize_mesh mesh = {(uint32_t)mdl->num_tris,
                                   (uint32_t)mdl->num_verts,
                                   read_corners(o, mdl),
                                   rows,
                                   (size_t)num_poses + 1,
                                   LM_MDL_ST_SIZE + (uint64_t)num_poses * LM_MDL_VERTEX_SIZE,
                                   true};
    lm_cache_order reduced;
    if (!rows || !mesh.corners)
        return false;
    lm_vertex_row *row = rows;
    *row++ = (lm_vertex_row){mdl->st, LM_MDL_ST_SIZE};
    for (int32_t f = 0; f < mdl->num_frames; f++)
        for (int32_t p = 0; p < mdl->frames[f].num_poses; p++)
            *row++ = (lm_vertex_row){lm_mdl_vertices(mdl, &mdl->frames[f], p), LM_MDL_VERTEX_SIZE};
    if (!lm_optimize_triangles(o, 0, &mesh, &reduced))
        return false;
    uint8_t *st = lm_arena_alloc(&o->arena, reduced.num_vertices, LM_MDL_ST_SIZE);
    uint8_t *out = lm_arena_alloc(&o->arena, reduced.num_triangles, LM_MDL_TRIANGLE_SIZE);
    for (size_t t = 0; out && t < reduced.num_triangles; t++) {
        lm_mdl_triangle triangle;
        lm_mdl_get_triangle(mdl, (int32_t)reduced.order[t], &triangle);
        for (size_t c = 0; c < 3; c++)
            triangle.vertex[c] = (int32_t)reduced.corners[3 * t + c];
        lm_mdl_put_triangle(out + t * LM_MDL_TRIANGLE_SIZE, &triangle);
    }
    mdl->tris = out;
    for (int32_t f = 0; f < mdl->num_frames; f++)
        if (!(mdl->frames[f].poses = write_poses(o, mdl, &mdl->frames[f], &reduced)))
            return false;
    if (!st || !mdl->tris)
        return false;
    lm_pick_vertices(rows[0], reduced.vertices, reduced.num_vertices, st);
    mdl->st = st;
    mdl->num_verts = (int32_t)reduced.num_vertices;
    return true;
}
