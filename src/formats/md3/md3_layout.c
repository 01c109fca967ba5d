/* The header and each surface as fields, the lumps as tables. */
#include "formats/md3/md3_format.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const lm_header_field file_fields[] = {
    {"ident", "the format's mark, \"IDP3\"", 4},
    {"version", "always 15", 0},
    {"name", "the name that the file had when it was made", LM_MD3_NAME_SIZE},
    {"flags", "not used by engines", 0},
    {"num_frames", "frames of the animation", 0},
    {"num_tags", "tags in each frame", 0},
    {"num_surfaces", "surfaces", 0},
    {"num_skins", "not used by engines; 0 in real files", 0},
    {"ofs_frames", "where the frames' bounds and names start: 56 bytes each", 0},
    {"ofs_tags", "where the tags start: 112 bytes each, frame by frame", 0},
    {"ofs_surfaces", "where the first surface starts", 0},
    {"ofs_end", "where the file ends", 0},
};

static const lm_header_field surface_fields[] = {
    {"ident", "\"IDP3\" again; readers ignore it", 4},
    {"name", "the surface's name", LM_MD3_NAME_SIZE},
    {"flags", "not used by engines", 0},
    {"num_frames", "frames; readers go by the file's", 0},
    {"num_shaders", "shaders", 0},
    {"num_verts", "vertices in each frame", 0},
    {"num_triangles", "triangles", 0},
    {"ofs_triangles", "where the triangles start, from the surface's start: 12 bytes each", 0},
    {"ofs_shaders", "where the shaders start: 68 bytes each", 0},
    {"ofs_st", "where the texture coordinates start: 8 bytes a vertex", 0},
    {"ofs_xyz_normals", "where the frames' vertices start: 8 bytes a vertex", 0},
    {"ofs_end", "where the next surface starts", 0},
};

typedef struct file_header {
    uint64_t num_frames, num_tags;
    int32_t ofs_frames, ofs_tags, ofs_end;
    lm_mesh_chain_layout chain;
} file_header;

static file_header read_file_header(lm_bytes file) {
    const uint8_t *p = file.data;
    return (file_header){
        .num_frames = lm_count(lm_get_s32(p + LM_MESH_AT_NUM_FRAMES)),
        .num_tags = lm_count(lm_get_s32(p + LM_MESH_AT_NUM_TAGS)),
        .ofs_frames = lm_get_s32(p + LM_MD3_AT_OFS_FRAMES),
        .ofs_tags = lm_get_s32(p + LM_MD3_AT_OFS_TAGS),
        .ofs_end = lm_get_s32(p + LM_MD3_AT_OFS_END),
        .chain = {.ofs_surfaces = lm_get_s32(p + LM_MD3_AT_OFS_SURFACES),
                  .num_surfaces = lm_get_s32(p + LM_MESH_AT_NUM_SURFACES),
                  .surface_header_size = LM_MD3_SURFACE_HEADER_SIZE,
                  .ofs_end_at = LM_MD3_SURFACE_AT_OFS_END},
    };
}

typedef struct surface_header {
    size_t start;
    uint64_t num_shaders, num_verts, num_triangles;
    int32_t ofs_triangles, ofs_shaders, ofs_st, ofs_xyz_normals;
} surface_header;

static surface_header read_surface_header(lm_bytes file, size_t start) {
    const uint8_t *p = file.data + start;
    return (surface_header){
        .start = start,
        .num_shaders = lm_count(lm_get_s32(p + LM_MD3_SURFACE_AT_NUM_SHADERS)),
        .num_verts = lm_count(lm_get_s32(p + LM_MD3_SURFACE_AT_NUM_VERTS)),
        .num_triangles = lm_count(lm_get_s32(p + LM_MD3_SURFACE_AT_NUM_TRIANGLES)),
        .ofs_triangles = lm_get_s32(p + LM_MD3_SURFACE_AT_OFS_TRIANGLES),
        .ofs_shaders = lm_get_s32(p + LM_MD3_SURFACE_AT_OFS_SHADERS),
        .ofs_st = lm_get_s32(p + LM_MD3_SURFACE_AT_OFS_ST),
        .ofs_xyz_normals = lm_get_s32(p + LM_MD3_SURFACE_AT_OFS_XYZ_NORMALS),
    };
}

static void describe_surface(lm_layout_builder *builder, uint32_t index, const surface_header *s,
                             uint64_t num_frames) {
    lm_layout_surface(builder, index, s->start);
    lm_layout_fields(builder, s->start, surface_fields, COUNT(surface_fields));
    lm_layout_header(builder, "", s->start, LM_MD3_SURFACE_HEADER_SIZE);
    lm_layout_lump(builder, "triangles", s->ofs_triangles, s->num_triangles, LM_MD3_TRIANGLE_SIZE);
    lm_layout_lump(builder, "shaders", s->ofs_shaders, s->num_shaders, LM_MD3_SHADER_SIZE);
    lm_layout_lump(builder, "st", s->ofs_st, s->num_verts, LM_MD3_ST_SIZE);
    lm_layout_lump(builder, "xyz normals", s->ofs_xyz_normals, num_frames * s->num_verts,
                   LM_MD3_XYZ_NORMAL_SIZE);
}

void lm_md3_layout(lm_bytes file, lm_layout_builder *builder) {
    if (file.size < LM_MD3_HEADER_SIZE)
        return;
    file_header h = read_file_header(file);
    lm_layout_fields(builder, 0, file_fields, COUNT(file_fields));
    lm_layout_header(builder, "header", 0, LM_MD3_HEADER_SIZE);
    lm_layout_lump(builder, "frames", h.ofs_frames, h.num_frames, LM_MD3_FRAME_SIZE);
    lm_layout_lump(builder, "tags", h.ofs_tags, h.num_frames * h.num_tags, LM_MD3_TAG_SIZE);
    lm_layout_end(builder, h.ofs_end);
    uint64_t surfaces = lm_mesh_most_surfaces(file, &h.chain);
    size_t start = (uint32_t)h.chain.ofs_surfaces;
    bool more = lm_mesh_has_surface(file, &h.chain, start);
    for (uint32_t i = 0; more && i < surfaces; i++) {
        surface_header surface = read_surface_header(file, start);
        describe_surface(builder, i, &surface, h.num_frames);
        more = lm_mesh_next_surface(file, &h.chain, &start);
    }
    lm_layout_end_of_surfaces(builder);
}

/* ---- Tables -------------------------------------------------------------------------------- */

static const lm_column tag_columns[] = {{"name", 0, LM_CELL_TEXT, LM_MD3_NAME_SIZE},
                                        {"x", 64, LM_CELL_F32, 0},
                                        {"y", 68, LM_CELL_F32, 0},
                                        {"z", 72, LM_CELL_F32, 0},
                                        {"forward x", 76, LM_CELL_F32, 0},
                                        {"forward y", 80, LM_CELL_F32, 0},
                                        {"forward z", 84, LM_CELL_F32, 0},
                                        {"left x", 88, LM_CELL_F32, 0},
                                        {"left y", 92, LM_CELL_F32, 0},
                                        {"left z", 96, LM_CELL_F32, 0},
                                        {"up x", 100, LM_CELL_F32, 0},
                                        {"up y", 104, LM_CELL_F32, 0},
                                        {"up z", 108, LM_CELL_F32, 0}};
_Static_assert(COUNT(tag_columns) <= LM_MOST_COLUMNS, "the widest table of all");

static const lm_column triangle_columns[] = {{"vertex 0", 0, LM_CELL_S32, 0},
                                             {"vertex 1", 4, LM_CELL_S32, 0},
                                             {"vertex 2", 8, LM_CELL_S32, 0}};

static const lm_column shader_columns[] = {{"name", 0, LM_CELL_TEXT, LM_MD3_NAME_SIZE},
                                           {"index", 64, LM_CELL_S32, 0}};

#define COLUMNS(array) (array), COUNT(array)

static bool print_surface_lump(lm_bytes file, const surface_header *s, uint64_t frames,
                               const char *part, lm_buffer *out) {
    uint64_t start = s->start;
    if (strcmp(part, "triangles") == 0)
        lm_table_array(file, start + (uint32_t)s->ofs_triangles, s->num_triangles,
                       LM_MD3_TRIANGLE_SIZE, COLUMNS(triangle_columns), out);
    else if (strcmp(part, "shaders") == 0)
        lm_table_array(file, start + (uint32_t)s->ofs_shaders, s->num_shaders, LM_MD3_SHADER_SIZE,
                       COLUMNS(shader_columns), out);
    else if (strcmp(part, "st") == 0)
        lm_table_array(file, start + (uint32_t)s->ofs_st, s->num_verts, LM_MD3_ST_SIZE,
                       COLUMNS(lm_mesh_st_columns), out);
    else if (strcmp(part, "xyz normals") == 0)
        lm_table_groups(file, start + (uint32_t)s->ofs_xyz_normals, "frame", frames, "vertex",
                        s->num_verts, LM_MD3_XYZ_NORMAL_SIZE, COLUMNS(lm_mesh_vertex_columns), out);
    else
        return false;
    return true;
}

bool lm_md3_table(lm_bytes file, const char *lump, lm_buffer *out) {
    if (file.size < LM_MD3_HEADER_SIZE)
        return false;
    file_header h = read_file_header(file);
    unsigned long index = 0;
    int length = 0;
    size_t start;
    if (strcmp(lump, "frames") == 0) {
        lm_table_array(file, (uint32_t)h.ofs_frames, h.num_frames, LM_MD3_FRAME_SIZE,
                       COLUMNS(lm_mesh_frame_columns), out);
        return true;
    }
    if (strcmp(lump, "tags") == 0) {
        lm_table_groups(file, (uint32_t)h.ofs_tags, "frame", h.num_frames, "tag", h.num_tags,
                        LM_MD3_TAG_SIZE, COLUMNS(tag_columns), out);
        return true;
    }
    if (sscanf(lump, "surface %9lu %n", &index, &length) != 1 || !length ||
        !lm_mesh_find_surface(file, &h.chain, index, &start))
        return false;
    surface_header surface = read_surface_header(file, start);
    return print_surface_lump(file, &surface, h.num_frames, lump + length, out);
}
