/* The layout of MD3 files. */
#include "formats/md3/md3_format.h"

#define FIELD(kind, at, member, meaning) LM_HEADER_FIELD(kind, at, lm_md3, member, #member, meaning)

static const lm_header_field fields[] = {
    LM_HEADER_IDENT("ident", "format identifier: \"IDP3\""),
    LM_HEADER_VERSION("version", "always 15"),
    FIELD(TEXT, 8, name, "name of the file when it was created"),
    FIELD(NUMBER, 72, flags, "not used by engines"),
    FIELD(COUNT, 76, num_frames, "number of frames"),
    FIELD(COUNT, 80, num_tags, "number of tags per frame"),
    FIELD(COUNT, 84, num_surfaces, "number of surfaces"),
    FIELD(NUMBER, 88, num_skins, "not used by engines; 0 in real files"),
    FIELD(OFFSET, 92, ofs_frames, "offset of the frames' bounds and names: 56 bytes each"),
    FIELD(OFFSET, 96, ofs_tags, "offset of the tags: 112 bytes each, frame by frame"),
    FIELD(OFFSET, 100, ofs_surfaces, "offset of the first surface"),
    FIELD(OFFSET, 104, ofs_end, "offset of the end of the file"),
};

#define SURFACE_FIELD(kind, at, member, meaning) \
    LM_HEADER_FIELD(kind, at, lm_md3_surface, member, #member, meaning)

static const lm_header_field surface_fields[] = {
    SURFACE_FIELD(MARK, 0, ident, "\"IDP3\" again; engines ignore it"),
    SURFACE_FIELD(TEXT, 4, name, "name of the surface"),
    SURFACE_FIELD(NUMBER, 68, flags, "not used by engines"),
    SURFACE_FIELD(NUMBER, 72, num_frames, "number of frames; engines use that of the file"),
    SURFACE_FIELD(COUNT, 76, num_shaders, "number of shaders"),
    SURFACE_FIELD(COUNT, 80, num_verts, "number of vertices per frame"),
    SURFACE_FIELD(COUNT, 84, num_triangles, "number of triangles"),
    SURFACE_FIELD(OFFSET, 88, ofs_triangles,
                  "offset of the triangles from the surface's start: 12 bytes each"),
    SURFACE_FIELD(OFFSET, 92, ofs_shaders, "offset of the shaders: 68 bytes each"),
    SURFACE_FIELD(OFFSET, 96, ofs_st, "offset of the texture coordinates: 8 bytes per vertex"),
    SURFACE_FIELD(OFFSET, 100, ofs_xyz_normals,
                  "offset of the frames' vertices: 8 bytes per vertex"),
    SURFACE_FIELD(OFFSET, 104, ofs_end, "offset of the next surface"),
};

static const lm_column tag_columns[] = {{"name", LM_MD3_TAG_NAME, LM_CELL_TEXT, LM_MD3_NAME_SIZE},
                                        LM_COLUMNS_F32("", 64),
                                        LM_COLUMNS_F32("forward ", 76),
                                        LM_COLUMNS_F32("left ", 88),
                                        LM_COLUMNS_F32("up ", 100)};
_Static_assert(sizeof tag_columns / sizeof *tag_columns <= LM_MAX_COLUMNS, "the widest table");

static const lm_column triangle_columns[] = {{"vertex 0", 0, LM_CELL_S32, 0},
                                             {"vertex 1", 4, LM_CELL_S32, 0},
                                             {"vertex 2", 8, LM_CELL_S32, 0}};

static const lm_column shader_columns[] = {{"name", 0, LM_CELL_TEXT, LM_MD3_NAME_SIZE},
                                           {"index", 64, LM_CELL_S32, 0}};

static const lm_header_lump surface_lumps[] = {
    {LM_HEADER_LUMP(lm_md3_surface, triangles, LM_MD3_TRIANGLE_SIZE, "triangles",
                    LM_COLUMNS(triangle_columns)),
     .count = LM_COUNTED_BY(lm_md3_surface, num_triangles)},
    {LM_HEADER_LUMP(lm_md3_surface, shaders, LM_MD3_SHADER_SIZE, "shaders",
                    LM_COLUMNS(shader_columns)),
     .count = LM_COUNTED_BY(lm_md3_surface, num_shaders)},
    {LM_HEADER_LUMP(lm_md3_surface, st, LM_MD3_ST_SIZE, "st",
                    LM_COLUMNS(lmi_vertex_mesh_st_columns)),
     .count = LM_COUNTED_BY(lm_md3_surface, num_verts)},
    /* Engines use the file's number of frames and ignore the surface's. */
    {LM_HEADER_LUMP(lm_md3_surface, xyz_normals, LM_MD3_XYZ_NORMAL_SIZE, "xyz normals",
                    LM_COLUMNS(lmi_vertex_mesh_vertex_columns), .index_name = "vertex",
                    .group_name = "frame", .units = lmi_vertex_mesh_units),
     .count = LM_COUNTED_BY(lm_md3_surface, num_verts),
     .groups = LM_COUNTED_BY_DOCUMENT(lm_md3, num_frames)},
};

static const lm_header_lump lumps[] = {
    {LM_HEADER_LUMP(lm_md3, frames, LM_MD3_FRAME_SIZE, "frames",
                    LM_COLUMNS(lmi_vertex_mesh_frame_columns)),
     .count = LM_COUNTED_BY(lm_md3, num_frames), .required = true},
    {LM_HEADER_LUMP(lm_md3, tags, LM_MD3_TAG_SIZE, "tags", LM_COLUMNS(tag_columns),
                    .index_name = "tag", .group_name = "frame"),
     .count = LM_COUNTED_BY(lm_md3, num_tags), .groups = LM_COUNTED_BY(lm_md3, num_frames)},
    {LM_HEADER_LUMP(lm_md3, surfaces, 0, "surfaces"), .count = LM_COUNTED_BY(lm_md3, num_surfaces),
     .chain = &lmi_md3_surface_header},
};

/* The limits of Quake III: those of the format, for which its tools allocate memory, and for
 * surfaces also those of its renderer. Others: those of the engines' loaders (Q2PRO, models.c; UFO:
 * Alien Invasion, r_model_md3.cpp). */
#define LIMIT(engine, owner, member, ...) \
    {LM_ENGINE_##engine, offsetof(owner, member), __VA_ARGS__, NULL}
#define DRAWN(member, max, element, why) \
    {LM_ENGINE_QUAKE3, offsetof(lm_md3_surface, member), max, element, why}

static const lm_header_limit limits[] = {
    LIMIT(QUAKE3, lm_md3, num_frames, 1024, "frames"),
    LIMIT(QUAKE3, lm_md3, num_tags, 16, "tags"),
    LIMIT(QUAKE3, lm_md3, num_surfaces, 32, "surfaces"),
    LIMIT(Q2PRO, lm_md3, num_frames, 1024, "frames"),
    LIMIT(Q2PRO, lm_md3, num_surfaces, 32, "surfaces"),
    LIMIT(UFOAI, lm_md3, num_frames, 1024, "frames"),
    LIMIT(UFOAI, lm_md3, num_tags, 16, "tags"),
    LIMIT(UFOAI, lm_md3, num_surfaces, 32, "surfaces"),
};

static const lm_header_limit surface_limits[] = {
    LIMIT(QUAKE3, lm_md3_surface, num_shaders, 256, "shaders"),
    LIMIT(QUAKE3, lm_md3_surface, num_verts, 4096, "vertices"),
    LIMIT(QUAKE3, lm_md3_surface, num_triangles, 8192, "triangles"),
    DRAWN(num_verts, 999, "vertices", " to draw (SHADER_MAX_VERTEXES)"),
    DRAWN(num_triangles, 1999, "triangles", " to draw (SHADER_MAX_INDEXES: 6000 indices)"),
    LIMIT(Q2PRO, lm_md3_surface, num_shaders, 256, "shaders"),
    LIMIT(Q2PRO, lm_md3_surface, num_verts, 4096, "vertices"),
    LIMIT(Q2PRO, lm_md3_surface, num_triangles, 4096, "triangles"),
    LM_WOLF_LIMITS(lm_md3_surface, num_verts, num_triangles),
    LIMIT(UFOAI, lm_md3_surface, num_shaders, 256, "shaders"),
    LIMIT(UFOAI, lm_md3_surface, num_verts, 4096, "vertices"),
    LIMIT(UFOAI, lm_md3_surface, num_triangles, 8192, "triangles"),
};

const lm_header lmi_md3_surface_header = {
    .size = LM_MD3_SURFACE_HEADER_SIZE,
    .struct_size = sizeof(lm_md3_surface),
    .fields = {LM_LIST(surface_fields)},
    .lumps = {LM_LIST(surface_lumps)},
    .limits = {LM_LIST(surface_limits)},
    .end = offsetof(lm_md3_surface, ofs_end),
};

const lm_header lmi_md3_header = {
    .size = LM_MD3_HEADER_SIZE,
    .struct_size = sizeof(lm_md3),
    .ident = LM_MD3_IDENT,
    .version = LM_MD3_VERSION,
    .fields = {LM_LIST(fields)},
    .lumps = {LM_LIST(lumps)},
    .limits = {LM_LIST(limits)},
    .end = offsetof(lm_md3, ofs_end),
    .trailing = offsetof(lm_md3, trailing),
};

const lm_examiner lmi_examiner_md3 = {.format = &lmi_format_md3, .check = lmi_md3_check};
