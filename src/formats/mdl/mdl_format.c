/* The layout of MDL files. Field names are those of Quake's source. */
#include "formats/mdl/mdl_format.h"

#include <stddef.h>

#define FIELD(kind, at, member, meaning) LM_HEADER_FIELD(kind, at, lm_mdl, member, #member, meaning)
#define REAL(at, member, name, meaning) LM_HEADER_FIELD(REAL, at, lm_mdl, member, name, meaning)

static const lm_header_field fields[] = {
    LM_HEADER_IDENT("ident", "format identifier: \"IDPO\""),
    LM_HEADER_VERSION("version", "always 6"),
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
    FIELD(COUNT, 60, num_verts, "number of vertices per frame, and of texture coordinates"),
    FIELD(COUNT, 64, num_tris, "number of triangles"),
    FIELD(COUNT, 68, num_frames, "number of frames; a group counts as one"),
    FIELD(NUMBER, 72, synctype, "0: groups play in step, 1: each entity starts at a random time"),
    FIELD(NUMBER, 76, flags, "effects in the game: 1 rocket trail, 8 rotation, ..."),
    FIELD(REAL, 80, size, "average size of a triangle"),
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

const lm_header lm_mdl_header = {
    .size = LM_MDL_HEADER_SIZE,
    .struct_size = sizeof(lm_mdl),
    .ident = LM_MDL_IDENT,
    .version = LM_MDL_VERSION,
    .fields = {LM_LIST(fields)},
    .limits = {LM_LIST(limits)},
    .trailing = offsetof(lm_mdl, trailing),
    .owned = offsetof(lm_mdl, owned),
};

static const lm_column st_columns[] = {
    {"onseam", 0, LM_CELL_S32, 0}, {"s", 4, LM_CELL_S32, 0}, {"t", 8, LM_CELL_S32, 0}};
static const lm_column triangle_columns[] = {{"facesfront", 0, LM_CELL_S32, 0},
                                             {"vertex 0", 4, LM_CELL_S32, 0},
                                             {"vertex 1", 8, LM_CELL_S32, 0},
                                             {"vertex 2", 12, LM_CELL_S32, 0}};
static const lm_column time_columns[] = {{"ends", 0, LM_CELL_F32, 0}};
static const lm_column pose_columns[] = {
    {"min x", 0, LM_CELL_U8, 0},
    {"min y", 1, LM_CELL_U8, 0},
    {"min z", 2, LM_CELL_U8, 0},
    {"max x", 4, LM_CELL_U8, 0},
    {"max y", 5, LM_CELL_U8, 0},
    {"max z", 6, LM_CELL_U8, 0},
    {"name", LM_MDL_POSE_NAME, LM_CELL_TEXT, LM_MDL_NAME_SIZE}};

const lm_shape lm_mdl_st_shape = {"st", LM_LIST(st_columns), NULL, NULL};
const lm_shape lm_mdl_triangle_shape = {"triangles", LM_LIST(triangle_columns), NULL, NULL};
const lm_shape lm_mdl_time_shape = {"times", LM_LIST(time_columns), NULL, NULL};
const lm_shape lm_mdl_pose_shape = {"poses", LM_LIST(pose_columns), "pose", NULL};
const lm_shape lm_mdl_vertex_shape = {"vertices", LM_LIST(lm_packed_columns), "vertex", "pose"};
