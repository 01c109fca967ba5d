/* An MD3 in fewer bytes. */
#include "formats/md3/md3_write.h"
#include "formats/vertex_mesh/vertex_mesh_optimize.h"

static bool optimize_surface(lm_optimizing *o, const lm_md3 *md3, uint32_t index) {
    lm_md3_surface *s = &md3->surfaces[index];
    const int32_t num_frames = md3->num_frames, num_vertices = s->num_verts;
    if (num_vertices == 0)
        return true;
    const lm_mesh_lumps lumps = {&s->num_verts, s->num_triangles, s->num_shaders, &s->triangles,
                                 &s->st,        &s->shaders,      s->name};
    const size_t row = (size_t)num_vertices * LM_MD3_XYZ_NORMAL_SIZE;
    lm_vertex_row *rows = lm_arena_alloc(&o->arena, (uint64_t)num_frames + 1, sizeof *rows);
    for (size_t f = 0; rows && f < (size_t)num_frames; f++)
        rows[f] = (lm_vertex_row){s->xyz_normals + f * row, LM_MD3_XYZ_NORMAL_SIZE};
    const uint64_t size = LM_MD3_ST_SIZE + (uint64_t)num_frames * LM_MD3_XYZ_NORMAL_SIZE;
    lm_reduction reduction;
    if (!rows ||
        !lm_mesh_optimize(o, index, &lumps, rows, (size_t)num_frames + 1, size, &reduction))
        return false;
    s->xyz_normals = lm_mesh_pick(o, &reduction, s->xyz_normals, num_frames, num_vertices,
                                  LM_MD3_XYZ_NORMAL_SIZE);
    s->ofs_triangles = s->ofs_shaders = s->ofs_st = s->ofs_xyz_normals = s->ofs_end = 0;
    return s->xyz_normals;
}

static bool optimize(lm_optimizing *o, lm_md3 *md3) {
    for (uint32_t i = 0; i < o->num_surfaces; i++)
        if (!optimize_surface(o, md3, i))
            return false;
    const size_t frames = (size_t)md3->num_frames, tags = frames * (size_t)md3->num_tags;
    md3->frames = lm_clean_names(o, md3->frames, frames, LM_MD3_FRAME_SIZE, LM_MESH_FRAME_NAME,
                                 LM_MD3_FRAME_NAME_SIZE);
    md3->tags =
        lm_clean_names(o, md3->tags, tags, LM_MD3_TAG_SIZE, LM_MD3_TAG_NAME, LM_MD3_NAME_SIZE);
    md3->ofs_frames = md3->ofs_tags = md3->ofs_surfaces = md3->ofs_end = 0;
    md3->num_trailing = 0;
    return md3->frames && md3->tags;
}

bool lm_md3_optimize(lm_optimizing *o, lm_buffer *out) {
    lm_call *call = &o->heap->call;
    lm_md3 *md3 = lm_md3_read(o->file.data, o->file.size,
                              &(lm_memory){.allocator = o->heap->allocator}, call->error);
    const bool done = lm_call_join(call, md3 != NULL) && optimize(o, md3) &&
                      lm_call_join(call, lm_put_document(&lm_md3_kind, md3, out, call->error));
    lm_md3_free(md3);
    return done;
}
