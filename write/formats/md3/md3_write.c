/* Writes MD3. */
#include "formats/md3/md3_format.h"

#include "edit/editing.h"
#include "encode/encoding.h"
#include "formats/vertex_mesh/vertex_mesh_write.h"
#include "formats/write_document.h"
#include "formats/writer.h"

/* ---- Editing ------------------------------------------------------------------------------ */

static lm_vertex_mesh_rows rows(const void *surface, int32_t frame) {
    (void)surface;
    return (lm_vertex_mesh_rows){frame, -1};
}

static bool transform_tag(lm_edit *edit, const lm_edit_transformation *to, const char *what,
                          uint32_t index, uint8_t *bytes) {
    const lm_vec3 origin = lmi_edit_transform_point(to, lmi_get_vec3(bytes + LM_MD3_TAG_ORIGIN));
    (void)what;
    (void)index;
    lmi_put_vec3(bytes + LM_MD3_TAG_ORIGIN, origin);
    for (size_t axis = 0; axis < 3; axis++) {
        uint8_t *at = bytes + LM_MD3_TAG_AXES + 12 * axis;
        lmi_put_vec3(at, lmi_edit_rotate_direction(to, lmi_get_vec3(at)));
    }
    return lmi_edit_sane(edit, origin);
}

static void turn_tag(uint8_t *bytes, const lm_vec3 axis[3]) {
    for (size_t i = 0; i < 3; i++)
        lmi_put_vec3(bytes + LM_MD3_TAG_AXES + 12 * i, axis[i]);
}

static void mend_tag(uint8_t *bytes) {
    lmi_mend_floats(bytes + LM_MD3_TAG_ORIGIN, (LM_MD3_TAG_SIZE - LM_MD3_TAG_ORIGIN) / 4);
}

static const lm_vertex_mesh_edit_tables tables = {
    .tables = {.names = LM_VERTEX_MESH_NAMES(lm_md3, lm_md3_surface, tags),
               .surface_frames = offsetof(lm_md3_surface, num_frames),
               .fits = lmi_vertex_mesh_fits},
    .num_vertices = offsetof(lm_md3_surface, num_verts),
    .triangles = offsetof(lm_md3_surface, triangles),
    .st = offsetof(lm_md3_surface, st),
    .vertices = offsetof(lm_md3_surface, xyz_normals),
    .tags = offsetof(lm_md3, tags),
    .rows = rows,
    .transform_tag = transform_tag,
    .turn_tag = turn_tag,
    .mend_tag = mend_tag,
};

static const lm_editor editor = LM_VERTEX_MESH_EDITOR(lmi_md3_kind, tables);

/* ---- Encoding ----------------------------------------------------------------------------- */

static bool fill_surface(lm_encoding *encoding, const lm_vertex_mesh_piece *piece,
                         lm_md3_surface *out) {
    const uint64_t count = (uint64_t)encoding->mesh->num_frames * piece->num_vertices;
    uint8_t *xyz_normals = lmi_arena_alloc(&encoding->arena, count, LM_MD3_XYZ_NORMAL_SIZE);
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
        lmi_md3_put_xyz_normal(xyz_normals + i * LM_MD3_XYZ_NORMAL_SIZE, &piece->rows[i]);
    return xyz_normals != NULL;
}

static bool fill_tags(lm_encoding *encoding, lm_md3 *md3) {
    const lm_mesh *mesh = encoding->mesh;
    lm_md3_tag *names = lmi_arena_alloc(&encoding->arena, mesh->num_tags, sizeof *names);
    uint8_t *out = lmi_arena_alloc(&encoding->arena, (uint64_t)mesh->num_frames * mesh->num_tags,
                                   LM_MD3_TAG_SIZE);
    md3->tags = out;
    if (!names || !out)
        return false;
    for (uint32_t t = 0; t < mesh->num_tags; t++)
        if (!lmi_encode_text(encoding, names[t].name, sizeof names[t].name, mesh->tags[t].name,
                             "tags", "its name", t))
            return false;
    for (uint32_t f = 0; f < mesh->num_frames; f++)
        for (uint32_t t = 0; t < mesh->num_tags; t++, out += LM_MD3_TAG_SIZE) {
            lm_md3_tag tag = names[t];
            tag.origin = mesh->tags[t].poses[f].origin;
            lmi_square_axes(mesh->tags[t].poses[f].axis, tag.axis);
            lmi_md3_put_tag(out, &tag);
        }
    return true;
}

static bool md3_encode(lm_encoding *encoding, lm_buffer *out) {
    const lm_mesh *mesh = encoding->mesh;
    lm_vertex_mesh_pieces pieces;
    if (!lmi_vertex_mesh_encode_pieces(encoding, &pieces))
        return false;
    lm_md3 md3 = {.flags = mesh->flags,
                  .num_frames = (int32_t)mesh->num_frames,
                  .num_tags = (int32_t)mesh->num_tags,
                  .num_surfaces = (int32_t)pieces.count};
    uint8_t *frames =
        lmi_arena_alloc(&encoding->arena, mesh->num_frames, LM_VERTEX_MESH_FRAME_SIZE);
    md3.frames = frames;
    md3.surfaces = lmi_arena_alloc(&encoding->arena, pieces.count, sizeof *md3.surfaces);
    if (!frames || !md3.surfaces)
        return false;
    lmi_encode_name(md3.name, sizeof md3.name, mesh->name);
    for (uint32_t i = 0; i < pieces.count; i++)
        if (!fill_surface(encoding, &pieces.list[i], &md3.surfaces[i]))
            return false;
    return lmi_vertex_mesh_encode_frames(encoding, &editor, &md3, frames) &&
           fill_tags(encoding, &md3) &&
           lmi_call_join(&encoding->heap->call,
                         lmi_put_document(&lmi_md3_kind, &md3, out, encoding->heap->call.error));
}

const lm_writer lmi_md3_writer = {
    .format = &lmi_format_md3,
    .encode = md3_encode,
    .edit = &editor,
    .optimize = lmi_vertex_mesh_optimize,
};
