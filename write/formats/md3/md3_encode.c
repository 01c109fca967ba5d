/* Converts a mesh to an MD3. */
#include "encode/axes.h"
#include "formats/md3/md3_write.h"
#include "formats/vertex_mesh/vertex_mesh_encode.h"

static void decode_row(const void *context, uint32_t piece, uint32_t frame, lm_vec3 *out) {
    const lm_vertex_mesh_piece *p = &((const lm_vertex_mesh_pieces *)context)->list[piece];
    const lm_vertex_mesh_vertex *row = p->rows + (size_t)frame * p->num_vertices;
    for (uint32_t v = 0; v < p->num_vertices; v++)
        out[v] = (lm_vec3){(float)row[v].v[0] * LM_VERTEX_MESH_STEP,
                           (float)row[v].v[1] * LM_VERTEX_MESH_STEP,
                           (float)row[v].v[2] * LM_VERTEX_MESH_STEP};
}

static bool fill_surface(lm_encoding *encoding, const lm_vertex_mesh_piece *piece,
                         lm_md3_surface *out) {
    const uint64_t count = (uint64_t)encoding->mesh->num_frames * piece->num_vertices;
    uint8_t *xyz_normals = lm_arena_alloc(&encoding->arena, count, LM_MD3_XYZ_NORMAL_SIZE);
    *out = (lm_md3_surface){.ident = LM_MD3_IDENT,
                            .flags = encoding->mesh->surfaces[piece->surface].flags,
                            .num_frames = (int32_t)encoding->mesh->num_frames,
                            .num_shaders = (int32_t)piece->num_shaders,
                            .num_verts = (int32_t)piece->num_vertices,
                            .num_triangles = (int32_t)piece->num_triangles,
                            .triangles = piece->triangles,
                            .shaders = piece->shaders,
                            .st = piece->st,
                            .xyz_normals = xyz_normals};
    memcpy(out->name, piece->name, sizeof out->name);
    for (size_t i = 0; xyz_normals && i < count; i++)
        lm_md3_put_xyz_normal(xyz_normals + i * LM_MD3_XYZ_NORMAL_SIZE, &piece->rows[i]);
    return xyz_normals != NULL;
}

static bool fill_tags(lm_encoding *encoding, lm_md3 *md3) {
    const lm_mesh *mesh = encoding->mesh;
    lm_md3_tag *names = lm_arena_alloc(&encoding->arena, mesh->num_tags, sizeof *names);
    uint8_t *out = lm_arena_alloc(&encoding->arena, (uint64_t)mesh->num_frames * mesh->num_tags,
                                  LM_MD3_TAG_SIZE);
    md3->tags = out;
    if (!names || !out)
        return false;
    for (uint32_t t = 0; t < mesh->num_tags; t++)
        if (!lm_encode_text(encoding, names[t].name, sizeof names[t].name, mesh->tags[t].name,
                            "tags", "its name", t))
            return false;
    for (uint32_t f = 0; f < mesh->num_frames; f++)
        for (uint32_t t = 0; t < mesh->num_tags; t++, out += LM_MD3_TAG_SIZE) {
            lm_md3_tag tag = names[t];
            tag.origin = mesh->tags[t].poses[f].origin;
            lm_square_axes(mesh->tags[t].poses[f].axis, tag.axis);
            lm_md3_put_tag(out, &tag);
        }
    return true;
}

bool lm_md3_encode(lm_encoding *encoding, lm_buffer *out) {
    const lm_mesh *mesh = encoding->mesh;
    lm_vertex_mesh_pieces pieces;
    if (!lm_vertex_mesh_encode_pieces(encoding, LM_ENGINE_QUAKE3, &pieces))
        return false;
    lm_md3 md3 = {.flags = mesh->flags,
                  .num_frames = (int32_t)mesh->num_frames,
                  .num_tags = (int32_t)mesh->num_tags,
                  .num_surfaces = (int32_t)pieces.count};
    md3.surfaces = lm_arena_alloc(&encoding->arena, pieces.count, sizeof *md3.surfaces);
    if (!md3.surfaces)
        return false;
    lm_encode_name(md3.name, sizeof md3.name, mesh->name);
    for (uint32_t i = 0; i < pieces.count; i++)
        if (!fill_surface(encoding, &pieces.list[i], &md3.surfaces[i]))
            return false;
    if (!lm_vertex_mesh_encode_frames(encoding, &pieces, decode_row, &pieces, &md3.frames) ||
        !fill_tags(encoding, &md3))
        return false;
    return lm_call_join(&encoding->heap->call,
                        lm_put_document(&lm_md3_kind, &md3, out, encoding->heap->call.error));
}
