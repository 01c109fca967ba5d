/* The layout of MDL files. Field names are those of Quake's source. */
#include "formats/mdl/mdl_format.h"

#include <stddef.h>

#define FIELD(kind, at, member, meaning) LM_HEADER_FIELD(kind, at, lm_mdl, member, #member, meaning)
#define REAL(at, member, name, meaning) LM_HEADER_FIELD(REAL, at, lm_mdl, member, name, meaning)

static const lm_header_field fields[] = {
    LM_HEADER_IDENT("ident", "format identifier: \"IDPO\" or \"RAPO\""),
    LM_HEADER_VERSION("version", "6; that of RAPO is 50"),
    REAL(8, scale.x, "scale x", "factor of a position's x byte"),
    REAL(12, scale.y, "scale y", "factor of y"),
    REAL(16, scale.z, "scale z", "factor of z"),
    REAL(20, translate.x, "translate x", "addend of x after scaling"),
    REAL(24, translate.y, "translate y", "addend of y"),
    REAL(28, translate.z, "translate z", "addend of z"),
    REAL(32, radius, "radius", "radius of a sphere about the origin around all frames"),
    REAL(36, eye.x, "eye x", "x of the eyes; the game does not use it for its view"),
    REAL(40, eye.y, "eye y", "y of the eyes"),
    REAL(44, eye.z, "eye z", "z of the eyes"),
    FIELD(COUNT, 48, num_skins, "number of skins; a group counts as one"),
    FIELD(NUMBER, 52, skinwidth, "width of all skins in pixels"),
    FIELD(NUMBER, 56, skinheight, "height of all skins in pixels"),
    FIELD(COUNT, 60, num_verts, "number of vertices per frame, and of IDPO's texture coordinates"),
    FIELD(COUNT, 64, num_tris, "number of triangles"),
    FIELD(COUNT, 68, num_frames, "number of frames; a group counts as one"),
    FIELD(NUMBER, 72, synctype, "0: groups play in step, 1: each entity starts at a random time"),
    FIELD(NUMBER, 76, flags, "effects in the game: 1 rocket trail, 8 rotation, ..."),
    FIELD(REAL, 80, size, "average size of a triangle"),
    FIELD(COUNT, 84, num_st, "number of texture coordinates"), /* RAPO only */
};

#define LIMIT(engine, member, max, element) \
    {LM_ENGINE_##engine, offsetof(lm_mdl, member), max, element, NULL}

/* The limits of Quake's two released renderers. */
static const lm_header_limit limits[] = {
    LIMIT(QUAKE, num_verts, 2000, "vertices"),
    LIMIT(QUAKE, skinheight, 480, "rows in a skin"),
    LIMIT(GLQUAKE, num_skins, 32, "skins"),
    LIMIT(GLQUAKE, num_verts, 1024, "vertices"),
    LIMIT(GLQUAKE, num_tris, 2048, "triangles"),
    LIMIT(GLQUAKE, num_frames, 256, "frames"),
    LIMIT(GLQUAKE, skinheight, 480, "rows in a skin"),
};

const lm_header lmi_mdl_header = {
    .size = LM_MDL_HEADER_SIZE,
    .struct_size = sizeof(lm_mdl),
    .ident = LM_MDL_IDENT,
    .version = LM_MDL_VERSION,
    .fields = {fields, sizeof fields / sizeof *fields - 1},
    .limits = {LM_LIST(limits)},
    .trailing = offsetof(lm_mdl, trailing),
};

/* Hexen II: Portal of Praevus. Quake's engines do not load it. */
const lm_header lmi_mdl_rapo_header = {
    .size = LM_MDL_RAPO_HEADER_SIZE,
    .struct_size = sizeof(lm_mdl),
    .ident = LM_MDL_RAPO_IDENT,
    .version = LM_MDL_RAPO_VERSION,
    .fields = {LM_LIST(fields)},
    .trailing = offsetof(lm_mdl, trailing),
};

const lm_header *lmi_mdl_file_header(lm_bytes file) {
    const bool rapo = file.size >= 4 && lmi_get_u32(file.data) == LM_MDL_RAPO_IDENT;
    return rapo ? &lmi_mdl_rapo_header : &lmi_mdl_header;
}

static const lm_column st_columns[] = {
    {"onseam", 0, LM_CELL_S32, 0}, {"s", 4, LM_CELL_S32, 0}, {"t", 8, LM_CELL_S32, 0}};
static const lm_column triangle_columns[] = {{"facesfront", 0, LM_CELL_S32, 0},
                                             {"vertex 0", 4, LM_CELL_S32, 0},
                                             {"vertex 1", 8, LM_CELL_S32, 0},
                                             {"vertex 2", 12, LM_CELL_S32, 0}};
static const lm_column rapo_triangle_columns[] = {
    {"facesfront", 0, LM_CELL_S32, 0}, {"vertex 0", 4, LM_CELL_U16, 0},
    {"vertex 1", 6, LM_CELL_U16, 0},   {"vertex 2", 8, LM_CELL_U16, 0},
    {"st 0", 10, LM_CELL_U16, 0},      {"st 1", 12, LM_CELL_U16, 0},
    {"st 2", 14, LM_CELL_U16, 0}};
static const lm_column time_columns[] = {{"ends", 0, LM_CELL_F32, 0}};
static const lm_column pose_columns[] = {
    LM_COLUMNS_U8("min ", 0),
    LM_COLUMNS_U8("max ", 4),
    {"name", LM_MDL_POSE_NAME, LM_CELL_TEXT, LM_MDL_NAME_SIZE}};

const lm_shape lmi_mdl_st_shape = {.name = "st", LM_COLUMNS(st_columns)};
const lm_shape lmi_mdl_triangle_shape = {.name = "triangles", LM_COLUMNS(triangle_columns)};
static const lm_shape rapo_triangle_shape = {.name = "triangles",
                                             LM_COLUMNS(rapo_triangle_columns)};
const lm_shape lmi_mdl_time_shape = {.name = "times", LM_COLUMNS(time_columns)};
const lm_shape lmi_mdl_pose_shape = {
    .name = "poses", LM_COLUMNS(pose_columns), .index_name = "pose"};
const lm_shape lmi_mdl_vertex_shape = {.name = "vertices",
                                       LM_COLUMNS(lmi_packed_columns),
                                       .index_name = "vertex",
                                       .group_name = "pose"};

/* ---- The examiner ------------------------------------------------------------------------- */

/* Describes a file. No section has an offset, so the sections are followed as far as they make
 * sense. The file may be damaged in any way. */

/* A walk through the sections. */
typedef struct lm_mdl_anatomy {
    lm_bytes file;
    lm_layout_builder *builder; /* NULL: only finds the frames */
    lm_mdl mdl;
    uint64_t at;
    uint64_t poses_at, num_poses; /* of the last frame */
} lm_mdl_anatomy;

static const lm_header_field skin_fields[] = {
    {0, 4, 0, LM_HEADER_NUMBER, "type", "0: one image, 1: a group of images"},
    {4, 4, 0, LM_HEADER_NUMBER, "num_images", "number of images in the group"},
};
static const lm_header_field frame_fields[] = {
    {0, 4, 0, LM_HEADER_NUMBER, "type", "0: one pose, 1: a group of poses"},
    {4, 4, 0, LM_HEADER_NUMBER, "num_poses", "number of poses in the group"},
};
static const lm_shape image_shape = {.name = "images"};

#define SINGLE_SIZE 4
#define GROUP_SIZE 8 /* without a frame's bounds */

static void lump(const lm_mdl_anatomy *a, const lm_shape *shape, uint64_t offset, uint64_t count,
                 uint64_t element) {
    if (a->builder)
        lmi_layout_lump(a->builder, shape, offset, 1, count, element, 0);
}

/* Walks one skin or frame: its beginning, its times and its elements of `size` bytes. Returns false
 * if the file ends before the end of the group is known. */
static bool walk_group(lm_mdl_anatomy *a, const lm_header_field *of, size_t bounds,
                       const lm_shape *shape, uint64_t size) {
    if (!lmi_fits(a->file.size, a->at, 1, SINGLE_SIZE))
        return false;
    const bool group = lmi_get_s32(a->file.data + a->at) != 0;
    const lm_header header = {.size = (uint16_t)(group ? GROUP_SIZE + bounds : SINGLE_SIZE),
                              .fields = {of, group ? 2u : 1u}};
    if (!lmi_fits(a->file.size, a->at, 1, header.size))
        return false;
    a->num_poses = group ? lmi_count(lmi_get_s32(a->file.data + a->at + SINGLE_SIZE)) : 1;
    if (a->builder)
        lmi_layout_fields(&header, "", (size_t)a->at, a->builder);
    a->at += header.size;
    if (group)
        lump(a, &lmi_mdl_time_shape, a->at, a->num_poses, LM_MDL_TIME_SIZE);
    a->at += group ? a->num_poses * LM_MDL_TIME_SIZE : 0;
    a->poses_at = a->at;
    lump(a, shape, a->at, a->num_poses, size);
    /* No sums past the end of the file, which could overflow. */
    if (!lmi_fits(a->file.size, a->at, a->num_poses, size))
        return false;
    a->at += a->num_poses * size;
    return true;
}

static bool walk_groups(lm_mdl_anatomy *a, const char *part, int32_t count, uint64_t last,
                        const lm_header_field *of, size_t bounds, const lm_shape *shape,
                        uint64_t size) {
    bool complete = true;
    for (uint64_t i = 0; complete && i < lmi_count(count) && i <= last; i++) {
        if (a->builder)
            lmi_layout_part(a->builder, part, (uint32_t)i);
        complete = walk_group(a, of, bounds, shape, size);
    }
    if (a->builder)
        lmi_layout_part(a->builder, NULL, 0);
    return complete;
}

static bool walk_section(lm_mdl_anatomy *a, const lm_shape *shape, int32_t count, uint64_t each) {
    const uint64_t size = lmi_count(count) * each;
    lump(a, shape, a->at, lmi_count(count), each);
    if (!lmi_fits(a->file.size, a->at, size, 1))
        return false;
    a->at += size;
    return true;
}

/* Walks from the header to the last frame, or to frame `last`. Returns false if the file ends
 * earlier. */
static bool walk(lm_mdl_anatomy *a, uint64_t last) {
    const lm_header *header = lmi_mdl_file_header(a->file);
    const bool rapo = header == &lmi_mdl_rapo_header;
    lmi_get_header(header, a->file.data, &a->mdl);
    const lm_mdl *mdl = &a->mdl;
    const uint64_t vertices = lmi_count(mdl->num_verts) * LM_MDL_VERTEX_SIZE;
    a->at = header->size;
    return walk_groups(a, "skin", mdl->num_skins, UINT64_MAX, skin_fields, 0, &image_shape,
                       lmi_count(mdl->skinwidth) * lmi_count(mdl->skinheight)) &&
           walk_section(a, &lmi_mdl_st_shape, rapo ? mdl->num_st : mdl->num_verts,
                        LM_MDL_ST_SIZE) &&
           walk_section(a, rapo ? &rapo_triangle_shape : &lmi_mdl_triangle_shape, mdl->num_tris,
                        LM_MDL_TRIANGLE_SIZE) &&
           walk_groups(a, "frame", mdl->num_frames, last, frame_fields, LM_MDL_BOUNDS_SIZE,
                       &lmi_mdl_pose_shape, LM_MDL_POSE_HEADER_SIZE + vertices);
}

static void mdl_layout(lm_bytes file, lm_layout_builder *builder) {
    lm_mdl_anatomy a = {.file = file, .builder = builder};
    const lm_header *header = lmi_mdl_file_header(file);
    if (file.size < header->size)
        return;
    lmi_layout_fields(header, "header", 0, builder);
    lmi_layout_end(builder, (int32_t)(walk(&a, UINT64_MAX) ? a.at : file.size));
}

bool lmi_mdl_table(lm_bytes file, const char *name, lm_buffer *out) {
    lm_mdl_anatomy a = {.file = file};
    uint64_t frame;
    const lm_header *header = lmi_mdl_file_header(file);
    if (file.size < header->size)
        return false;
    lmi_get_header(header, file.data, &a.mdl);
    if (!lmi_table_of(name, "frame", "vertices", lmi_count(a.mdl.num_frames), &frame) ||
        (!walk(&a, frame) && a.poses_at == 0))
        return false;
    const uint64_t vertices = lmi_count(a.mdl.num_verts) * LM_MDL_VERTEX_SIZE;
    const lm_table table = {.shape = &lmi_mdl_vertex_shape,
                            .offset = a.poses_at + LM_MDL_POSE_HEADER_SIZE,
                            .groups = a.num_poses,
                            .count = lmi_count(a.mdl.num_verts),
                            .stride = LM_MDL_VERTEX_SIZE,
                            .group_stride = LM_MDL_POSE_HEADER_SIZE + vertices,
                            .grid = lmi_field_at(&lmi_mdl_header, offsetof(lm_mdl, scale.x))};
    lmi_table_print(file, &table, out);
    return true;
}

const lm_examiner lmi_examiner_mdl = {.format = &lmi_format_mdl,
                                      .check = lmi_mdl_check,
                                      .layout = mdl_layout,
                                      .more_tables = "frame N vertices",
                                      .table = lmi_mdl_table};
