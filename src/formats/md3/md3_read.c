/* MD3 described, and its elements byte by byte. */
#include "formats/md3/md3_format.h"

#include <stddef.h>

static const lm_lump_member lumps[LM_MD3_NUM_LUMPS] = {
    {"frames", LM_MD3_AT_OFS_FRAMES, offsetof(lm_md3, ofs_frames), offsetof(lm_md3, frames)},
    {"tags", LM_MD3_AT_OFS_TAGS, offsetof(lm_md3, ofs_tags), offsetof(lm_md3, tags)},
};

#define SURFACE_LUMP(text, AT, member)                                            \
    {                                                                             \
        text, LM_MD3_SURFACE_AT_OFS_##AT, offsetof(lm_md3_surface, ofs_##member), \
            offsetof(lm_md3_surface, member)                                      \
    }

static const lm_lump_member surface_lumps[LM_MD3_NUM_SURFACE_LUMPS] = {
    SURFACE_LUMP("triangles", TRIANGLES, triangles),
    SURFACE_LUMP("shaders", SHADERS, shaders),
    SURFACE_LUMP("st", ST, st),
    SURFACE_LUMP("xyz normals", XYZ_NORMALS, xyz_normals),
};

static lm_extent file_extent(const void *document, int lump) {
    const lm_md3 *md3 = document;
    (void)lump; /* frames are everybody's: what is left are the tags */
    return (lm_extent){(uint64_t)md3->num_frames * (uint64_t)md3->num_tags, LM_MD3_TAG_SIZE};
}

/* Engines go by the file's number of frames, whatever the surface says. */
static lm_extent surface_extent(const void *document, const void *surface, int lump) {
    const lm_md3 *md3 = document;
    const lm_md3_surface *s = surface;
    (void)lump;
    return (lm_extent){(uint64_t)s->num_verts * (uint64_t)md3->num_frames, LM_MD3_XYZ_NORMAL_SIZE};
}

LM_MESH_SHOWN_AT(lm_md3, ofs_frames, LM_MESH_AT_NAME, LM_MD3_AT_OFS_FRAMES);
LM_MESH_SHOWN_AT(lm_md3, ofs_end, LM_MESH_AT_NAME, LM_MD3_AT_OFS_END);
LM_MESH_SHOWN_AT(lm_md3_surface, num_shaders, 0, LM_MD3_SURFACE_AT_NUM_SHADERS);
LM_MESH_SHOWN_AT(lm_md3_surface, ofs_triangles, 0, LM_MD3_SURFACE_AT_OFS_TRIANGLES);
LM_MESH_SHOWN_AT(lm_md3_surface, ofs_end, 0, LM_MD3_SURFACE_AT_OFS_END);

const lm_mesh_kind lm_md3_kind = {
    .format = &lm_format_md3,
    .title = "MD3",
    .ident = LM_MD3_IDENT,
    .version = LM_MD3_VERSION,
    .file = {.struct_size = sizeof(lm_md3),
             .from = LM_MESH_AT_NAME,
             .header_size = LM_MD3_HEADER_SIZE,
             .name_at = LM_MESH_AT_NAME,
             .counts_at = LM_MESH_AT_NUM_FRAMES,
             .offsets_at = LM_MD3_AT_OFS_FRAMES,
             .lumps = lumps,
             .num_lumps = LM_MD3_NUM_LUMPS},
    .surface = {.struct_size = sizeof(lm_md3_surface),
                .header_size = LM_MD3_SURFACE_HEADER_SIZE,
                .name_at = LM_MESH_SURFACE_AT_NAME,
                .counts_at = LM_MD3_SURFACE_AT_NUM_SHADERS,
                .offsets_at = LM_MD3_SURFACE_AT_OFS_TRIANGLES,
                .lumps = surface_lumps,
                .num_lumps = LM_MD3_NUM_SURFACE_LUMPS},
    .tail = offsetof(lm_md3, surfaces),
    .file_extent = file_extent,
    .surface_extent = surface_extent,
    .unsound = "a negative count",
    .first_optional = LM_MD3_NUM_SURFACE_LUMPS,
    .verify_file = lm_md3_verify_tags,
    .check_file = lm_md3_check_file,
    .check_surface = lm_md3_check_surface,
    .outside = lm_md3_outside,
    .carve_keys = lm_md3_carve_keys,
};

lm_place lm_md3_tag_place(const lm_md3 *md3, int32_t frame, int32_t tag) {
    size_t index = (size_t)frame * (size_t)md3->num_tags + (size_t)tag;
    return (lm_place){.section = "tags",
                      .index = (uint32_t)index,
                      .offset = (size_t)md3->ofs_tags + index * LM_MD3_TAG_SIZE};
}

lm_md3_frame lm_md3_get_frame(const lm_md3 *md3, int32_t frame) {
    return lm_mesh_get_frame(md3->frames + (size_t)frame * LM_MD3_FRAME_SIZE);
}

lm_md3_tag lm_md3_get_tag(const lm_md3 *md3, int32_t frame, int32_t tag) {
    size_t index = (size_t)frame * (size_t)md3->num_tags + (size_t)tag;
    const uint8_t *p = md3->tags + index * LM_MD3_TAG_SIZE;
    lm_md3_tag out = {.origin = lm_get_vec3(p + LM_MD3_TAG_ORIGIN)};
    memcpy(out.name, p + LM_MD3_TAG_NAME, sizeof out.name);
    for (size_t i = 0; i < 3; i++)
        out.axis[i] = lm_get_vec3(p + LM_MD3_TAG_AXES + 12 * i);
    return out;
}

void lm_md3_get_triangle(const lm_md3_surface *surface, int32_t index, uint32_t vertex[3]) {
    lm_mesh_get_triangle(surface->triangles + (size_t)index * LM_MD3_TRIANGLE_SIZE, vertex);
}

lm_vec2 lm_md3_get_st(const lm_md3_surface *surface, int32_t vertex) {
    return lm_mesh_get_st(surface->st + (size_t)vertex * LM_MD3_ST_SIZE);
}

lm_md3_xyz_normal lm_md3_get_xyz_normal(const lm_md3_surface *surface, int32_t frame,
                                        int32_t vertex) {
    size_t index = (size_t)frame * (size_t)surface->num_verts + (size_t)vertex;
    return lm_mesh_get_vertex(surface->xyz_normals + index * LM_MD3_XYZ_NORMAL_SIZE);
}
