/* Editing MD3: each frame has all vertices of a surface, and the tags with their names. */
#include "formats/md3/md3_write.h"
#include "formats/vertex_mesh/vertex_mesh_edit.h"

static lm_vertex_mesh_rows rows(const void *surface, int32_t frame) {
    (void)surface;
    return (lm_vertex_mesh_rows){frame, -1};
}

static bool transform_tag(lm_edit *edit, const lm_edit_transformation *to, const char *what,
                          uint32_t index, uint8_t *bytes) {
    const lm_vec3 origin = lm_edit_transform_point(to, lm_get_vec3(bytes + LM_MD3_TAG_ORIGIN));
    (void)what;
    (void)index;
    lm_put_vec3(bytes + LM_MD3_TAG_ORIGIN, origin);
    for (size_t axis = 0; axis < 3; axis++) {
        uint8_t *at = bytes + LM_MD3_TAG_AXES + 12 * axis;
        lm_put_vec3(at, lm_edit_rotate_direction(to, lm_get_vec3(at)));
    }
    return lm_edit_sane(edit, origin);
}

static void turn_tag(uint8_t *bytes, const lm_vec3 axis[3]) {
    for (size_t i = 0; i < 3; i++)
        lm_put_vec3(bytes + LM_MD3_TAG_AXES + 12 * i, axis[i]);
}

static void mend_tag(uint8_t *bytes) {
    lm_mend_floats(bytes + LM_MD3_TAG_ORIGIN, (LM_MD3_TAG_SIZE - LM_MD3_TAG_ORIGIN) / 4);
}

static const lm_vertex_mesh_edit_tables tables = {
    .tables = {.names = {[LM_EDIT_SKINS] = LM_EDIT_NAMES(lm_md3_surface, shaders, num_shaders,
                                                         .room = LM_MD3_NAME_SIZE),
                         [LM_EDIT_FRAMES] = LM_EDIT_NAMES(lm_md3, frames, num_frames,
                                                          .at = LM_VERTEX_MESH_FRAME_NAME,
                                                          .room = LM_MD3_FRAME_NAME_SIZE),
                         [LM_EDIT_SURFACES] = {.count = offsetof(lm_md3, num_surfaces),
                                               .at = offsetof(lm_md3_surface, name),
                                               .room = LM_MD3_NAME_SIZE},
                         [LM_EDIT_TAGS] =
                             LM_EDIT_NAMES(lm_md3, tags, num_tags, .at = LM_MD3_TAG_NAME,
                                           .room = LM_MD3_NAME_SIZE),
                         [LM_EDIT_HEADER] = {.at = offsetof(lm_md3, name),
                                             .room = LM_MD3_NAME_SIZE}},
               .surface_frames = offsetof(lm_md3_surface, num_frames),
               .fits = lm_vertex_mesh_fits},
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

const lm_editor lm_md3_editor = LM_VERTEX_MESH_EDITOR(lm_md3_kind, tables);
