/* The layout of MDL files. Field names are those of Quake's source. */
#include "formats/mdl/mdl_format.h"

#include <stddef.h>

#define FIELD(kind, at, member, meaning) LM_HEADER_FIELD(kind, at, lm_mdl, member, #member, meaning)
#define REAL(at, member, name, meaning) LM_HEADER_FIELD(REAL, at, lm_mdl, member, name, meaning)

static const lm_header_field fields[] = {
    LM_HEADER_IDENT("ident", "the format's mark, \"IDPO\""),
    LM_HEADER_VERSION("version", "always 6"),
    REAL(8, scale.x, "scale x", "what the bytes of a position are multiplied by"),
    REAL(12, scale.y, "scale y", "the same for y"),
    REAL(16, scale.z, "scale z", "the same for z"),
    REAL(20, translate.x, "translate x", "what is added then"),
    REAL(24, translate.y, "translate y", "the same for y"),
    REAL(28, translate.z, "translate z", "the same for z"),
    REAL(32, radius, "radius", "of a sphere around the origin that holds every frame"),
    REAL(36, eye.x, "eye x", "where the eyes are; the game looks from elsewhere"),
    REAL(40, eye.y, "eye y", "the same for y"),
    REAL(44, eye.z, "eye z", "the same for z"),
    FIELD(COUNT, 48, num_skins, "skins in the file; a group is one"),
    FIELD(NUMBER, 52, skinwidth, "width of every skin in pixels"),
    FIELD(NUMBER, 56, skinheight, "height of every skin in pixels"),
    FIELD(COUNT, 60, num_verts, "vertices in each frame, and texture coordinates"),
    FIELD(COUNT, 64, num_tris, "triangles"),
    FIELD(COUNT, 68, num_frames, "frames of the animation; a group is one"),
    FIELD(NUMBER, 72, synctype, "0: groups play in step, 1: each thing starts at a random time"),
    FIELD(NUMBER, 76, flags, "what the game does with it: 1 a rocket's trail, 8 turns, ..."),
    FIELD(REAL, 80, size, "of a triangle, on the average"),
};

#define LIMIT(engine, member, most, what) \
    { LM_ENGINE_##engine, offsetof(lm_mdl, member), most, what, NULL }

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
