/* MDL on disk: public facts of Quake. Field names are those of the game's source. */
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

/* What the game's two released renderers load. */
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

/* ---- Elements ------------------------------------------------------------------------------ */

void lm_mdl_get_st(const lm_mdl *mdl, int32_t index, lm_mdl_st *out) {
    const uint8_t *p = mdl->st + (size_t)index * LM_MDL_ST_SIZE;
    *out = (lm_mdl_st){lm_get_s32(p), lm_get_s32(p + 4), lm_get_s32(p + 8)};
}

void lm_mdl_get_triangle(const lm_mdl *mdl, int32_t index, lm_mdl_triangle *out) {
    const uint8_t *p = mdl->tris + (size_t)index * LM_MDL_TRIANGLE_SIZE;
    *out = (lm_mdl_triangle){lm_get_s32(p),
                             {lm_get_s32(p + 4), lm_get_s32(p + 8), lm_get_s32(p + 12)}};
}

float lm_mdl_get_time(const uint8_t *times, int32_t index) {
    return lm_get_f32(times + (size_t)index * LM_MDL_TIME_SIZE);
}

static lm_mdl_vertex get_vertex(const uint8_t *p) {
    return (lm_mdl_vertex){{p[0], p[1], p[2]}, p[3]};
}

void lm_mdl_get_pose(const lm_mdl *mdl, int32_t frame, int32_t pose, lm_mdl_pose *out) {
    const uint8_t *p = mdl->frames[frame].poses + (size_t)pose * lm_mdl_pose_size(mdl);
    out->min = get_vertex(p);
    out->max = get_vertex(p + LM_MDL_VERTEX_SIZE);
    memcpy(out->name, p + LM_MDL_POSE_NAME, sizeof out->name);
}

void lm_mdl_get_vertex(const lm_mdl *mdl, int32_t frame, int32_t pose, int32_t vertex,
                       lm_mdl_vertex *out) {
    *out = get_vertex(lm_mdl_vertices(mdl, &mdl->frames[frame], pose) +
                      (size_t)vertex * LM_MDL_VERTEX_SIZE);
}

void lm_mdl_put_st(uint8_t *out, const lm_mdl_st *st) {
    lm_put_s32(out, st->onseam);
    lm_put_s32(out + 4, st->s);
    lm_put_s32(out + 8, st->t);
}

void lm_mdl_put_triangle(uint8_t *out, const lm_mdl_triangle *triangle) {
    lm_put_s32(out, triangle->facesfront);
    for (size_t c = 0; c < 3; c++)
        lm_put_s32(out + 4 + 4 * c, triangle->vertex[c]);
}

void lm_mdl_put_time(uint8_t *out, float seconds) {
    lm_put_f32(out, seconds);
}

void lm_mdl_put_pose(uint8_t *out, const lm_mdl_pose *pose) {
    lm_mdl_put_vertex(out, &pose->min);
    lm_mdl_put_vertex(out + LM_MDL_VERTEX_SIZE, &pose->max);
    memcpy(out + LM_MDL_POSE_NAME, pose->name, sizeof pose->name);
}

void lm_mdl_put_vertex(uint8_t *out, const lm_mdl_vertex *vertex) {
    memcpy(out, vertex->v, 3);
    out[3] = vertex->normal;
}
