/* The layout of MDC files. The names are MD3's, as in docs/reference/formats/mdc.md. */
#include "formats/mdc/mdc_format.h"

#define FIELD(kind, at, member, meaning) LM_HEADER_FIELD(kind, at, lm_mdc, member, #member, meaning)

static const lm_header_field fields[] = {
    LM_HEADER_IDENT("ident", "format identifier: \"IDPC\""),
    LM_HEADER_VERSION("version", "always 2"),
    FIELD(TEXT, 8, name, "name of the file when it was created"),
    FIELD(NUMBER, 72, flags, "meaning unknown; 0 in real files"),
    FIELD(COUNT, 76, num_frames, "number of frames"),
    FIELD(COUNT, 80, num_tags, "number of tags per frame"),
    FIELD(COUNT, 84, num_surfaces, "number of surfaces"),
    FIELD(NUMBER, 88, num_skins, "number of skins; 0 in real files"),
    FIELD(OFFSET, 92, ofs_frames, "offset of the frames' bounds and names: 56 bytes each"),
    FIELD(OFFSET, 96, ofs_tag_names, "offset of the tag names: 64 bytes each"),
    FIELD(OFFSET, 100, ofs_tags, "offset of the tags: 12 bytes each, frame by frame"),
    FIELD(OFFSET, 104, ofs_surfaces, "offset of the first surface"),
    FIELD(OFFSET, 108, ofs_end, "offset of the end of the file"),
};

#define SURFACE_FIELD(kind, at, member, meaning) \
    LM_HEADER_FIELD(kind, at, lm_mdc_surface, member, #member, meaning)

static const lm_header_field surface_fields[] = {
    SURFACE_FIELD(NUMBER, 0, ident, "7 in real files; engines ignore it"),
    SURFACE_FIELD(TEXT, 4, name, "name of the surface"),
    SURFACE_FIELD(NUMBER, 68, flags, "meaning unknown; 0 in real files"),
    SURFACE_FIELD(COUNT, 72, num_comp_frames, "number of compressed frames"),
    SURFACE_FIELD(COUNT, 76, num_base_frames, "number of base frames"),
    SURFACE_FIELD(COUNT, 80, num_shaders, "number of shaders"),
    SURFACE_FIELD(COUNT, 84, num_vertices, "number of vertices per base or compressed frame"),
    SURFACE_FIELD(COUNT, 88, num_triangles, "number of triangles"),
    SURFACE_FIELD(OFFSET, 92, ofs_triangles,
                  "offset of the triangles from the surface's start: 12 bytes each"),
    SURFACE_FIELD(OFFSET, 96, ofs_shaders, "offset of the shaders: 68 bytes each"),
    SURFACE_FIELD(OFFSET, 100, ofs_st, "offset of the texture coordinates: 8 bytes per vertex"),
    SURFACE_FIELD(OFFSET, 104, ofs_base_vertices, "offset of the base frames: 8 bytes per vertex"),
    SURFACE_FIELD(OFFSET, 108, ofs_comp_vertices,
                  "offset of the compressed frames: 4 bytes per vertex"),
    SURFACE_FIELD(OFFSET, 112, ofs_frame_base_frames,
                  "offset of each frame's base frame: 2 bytes each"),
    SURFACE_FIELD(OFFSET, 116, ofs_frame_comp_frames,
                  "offset of each frame's compressed frame; -1: none"),
    SURFACE_FIELD(OFFSET, 120, ofs_end, "offset of the next surface"),
};

static const lm_column tag_name_columns[] = {{"name", 0, LM_CELL_TEXT, LM_MDC_TAG_NAME_SIZE}};

static const lm_column tag_columns[] = {{"x", 0, LM_CELL_S16, 0},
                                        {"y", 2, LM_CELL_S16, 0},
                                        {"z", 4, LM_CELL_S16, 0},
                                        {"pitch", 6, LM_CELL_S16, 0},
                                        {"yaw", 8, LM_CELL_S16, 0},
                                        {"roll", 10, LM_CELL_S16, 0},
                                        LM_COLUMNS_UNITS(S16, 2),
                                        {"pitch degrees", 6, LM_CELL_S16_UNITS, 3},
                                        {"yaw degrees", 8, LM_CELL_S16_UNITS, 3},
                                        {"roll degrees", 10, LM_CELL_S16_UNITS, 3}};

static const lm_unit tag_units[] = {{LM_VERTEX_MESH_STEP, 0},
                                    {LM_VERTEX_MESH_STEP, 0},
                                    {LM_VERTEX_MESH_STEP, 0},
                                    {360.0f / 32700, 0}};

#define COMP_UNIT {LM_MDC_COMP_STEP, -LM_DELTA_BIAS * LM_MDC_COMP_STEP}
static const lm_unit comp_units[] = {COMP_UNIT, COMP_UNIT, COMP_UNIT};

static const lm_column triangle_columns[] = {{"vertex 0", 0, LM_CELL_S32, 0},
                                             {"vertex 1", 4, LM_CELL_S32, 0},
                                             {"vertex 2", 8, LM_CELL_S32, 0}};

static const lm_column shader_columns[] = {{"name", 0, LM_CELL_TEXT, LM_MDC_NAME_SIZE},
                                           {"flags", 64, LM_CELL_S32, 0}};

static const lm_column base_table_columns[] = {{"base frame", 0, LM_CELL_S16, 0}};
static const lm_column comp_table_columns[] = {{"compressed frame", 0, LM_CELL_S16, 0}};

/* The two tables may be absent if they are trivial: no compressed frames, or at most one base
 * frame. */
static bool has_comp_frames(const void *surface) {
    return lmi_number(surface, offsetof(lm_mdc_surface, num_comp_frames)) > 0;
}

static bool has_several_frames(const void *surface) {
    return has_comp_frames(surface) ||
           lmi_number(surface, offsetof(lm_mdc_surface, num_base_frames)) > 1;
}

static const lm_header_lump surface_lumps[] = {
    {LM_HEADER_LUMP(lm_mdc_surface, triangles, LM_MDC_TRIANGLE_SIZE, "triangles",
                    LM_COLUMNS(triangle_columns)),
     .count = LM_COUNTED_BY(lm_mdc_surface, num_triangles)},
    {LM_HEADER_LUMP(lm_mdc_surface, shaders, LM_MDC_SHADER_SIZE, "shaders",
                    LM_COLUMNS(shader_columns)),
     .count = LM_COUNTED_BY(lm_mdc_surface, num_shaders)},
    {LM_HEADER_LUMP(lm_mdc_surface, st, LM_MDC_ST_SIZE, "st",
                    LM_COLUMNS(lmi_vertex_mesh_st_columns)),
     .count = LM_COUNTED_BY(lm_mdc_surface, num_vertices)},
    {LM_HEADER_LUMP(lm_mdc_surface, base_vertices, LM_MDC_BASE_VERTEX_SIZE, "base vertices",
                    LM_COLUMNS(lmi_vertex_mesh_vertex_columns), .index_name = "vertex",
                    .group_name = "base frame", .units = lmi_vertex_mesh_units),
     .count = LM_COUNTED_BY(lm_mdc_surface, num_vertices),
     .groups = LM_COUNTED_BY(lm_mdc_surface, num_base_frames)},
    {LM_HEADER_LUMP(lm_mdc_surface, comp_vertices, LM_MDC_COMP_VERTEX_SIZE, "compressed vertices",
                    LM_COLUMNS(lmi_packed_columns), .index_name = "vertex",
                    .group_name = "compressed frame", .units = comp_units),
     .count = LM_COUNTED_BY(lm_mdc_surface, num_vertices),
     .groups = LM_COUNTED_BY(lm_mdc_surface, num_comp_frames)},
    {LM_HEADER_LUMP(lm_mdc_surface, frame_base_frames, LM_MDC_FRAME_INDEX_SIZE, "base frame table",
                    LM_COLUMNS(base_table_columns)),
     .count = LM_COUNTED_BY_DOCUMENT(lm_mdc, num_frames), .needed = has_several_frames,
     .absent = 0}, /* base frame 0 throughout */
    {LM_HEADER_LUMP(lm_mdc_surface, frame_comp_frames, LM_MDC_FRAME_INDEX_SIZE,
                    "compressed frame table", LM_COLUMNS(comp_table_columns)),
     .count = LM_COUNTED_BY_DOCUMENT(lm_mdc, num_frames), .needed = has_comp_frames,
     .absent = 0xFF}, /* LM_MDC_NO_COMP_FRAME throughout */
};

static const lm_header_lump lumps[] = {
    {LM_HEADER_LUMP(lm_mdc, frames, LM_MDC_FRAME_SIZE, "frames",
                    LM_COLUMNS(lmi_vertex_mesh_frame_columns)),
     .count = LM_COUNTED_BY(lm_mdc, num_frames), .required = true},
    {LM_HEADER_LUMP(lm_mdc, tag_names, LM_MDC_TAG_NAME_SIZE, "tag names",
                    LM_COLUMNS(tag_name_columns)),
     .count = LM_COUNTED_BY(lm_mdc, num_tags)},
    {LM_HEADER_LUMP(lm_mdc, tags, LM_MDC_TAG_SIZE, "tags", LM_COLUMNS(tag_columns),
                    .index_name = "tag", .group_name = "frame", .units = tag_units),
     .count = LM_COUNTED_BY(lm_mdc, num_tags), .groups = LM_COUNTED_BY(lm_mdc, num_frames)},
    {LM_HEADER_LUMP(lm_mdc, surfaces, 0, "surfaces"), .count = LM_COUNTED_BY(lm_mdc, num_surfaces),
     .chain = &lmi_mdc_surface_header},
};

static const lm_header_limit surface_limits[] = {
    LM_WOLF_LIMITS(lm_mdc_surface, num_vertices, num_triangles),
};

const lm_header lmi_mdc_surface_header = {
    .size = LM_MDC_SURFACE_HEADER_SIZE,
    .struct_size = sizeof(lm_mdc_surface),
    .fields = {LM_LIST(surface_fields)},
    .lumps = {LM_LIST(surface_lumps)},
    .limits = {LM_LIST(surface_limits)},
    .end = offsetof(lm_mdc_surface, ofs_end),
};

const lm_header lmi_mdc_header = {
    .size = LM_MDC_HEADER_SIZE,
    .struct_size = sizeof(lm_mdc),
    .ident = LM_MDC_IDENT,
    .version = LM_MDC_VERSION,
    .fields = {LM_LIST(fields)},
    .lumps = {LM_LIST(lumps)},
    .end = offsetof(lm_mdc, ofs_end),
    .trailing = offsetof(lm_mdc, trailing),
};

const lm_examiner lmi_examiner_mdc = {.format = &lmi_format_mdc, .check = lmi_mdc_check};
