/* Elements, byte by byte. */
#include "formats/vertex_mesh/vertex_mesh.h"

const lm_column lm_mesh_frame_columns[LM_MESH_NUM_FRAME_COLUMNS] = {
    {"bboxMin x", 0, LM_CELL_F32, 0},
    {"bboxMin y", 4, LM_CELL_F32, 0},
    {"bboxMin z", 8, LM_CELL_F32, 0},
    {"bboxMax x", 12, LM_CELL_F32, 0},
    {"bboxMax y", 16, LM_CELL_F32, 0},
    {"bboxMax z", 20, LM_CELL_F32, 0},
    {"localOrigin x", 24, LM_CELL_F32, 0},
    {"localOrigin y", 28, LM_CELL_F32, 0},
    {"localOrigin z", 32, LM_CELL_F32, 0},
    {"radius", 36, LM_CELL_F32, 0},
    {"name", 40, LM_CELL_TEXT, LM_MESH_FRAME_NAME_SIZE}};

const lm_column lm_mesh_st_columns[LM_MESH_NUM_ST_COLUMNS] = {{"s", 0, LM_CELL_F32, 0},
                                                              {"t", 4, LM_CELL_F32, 0}};

const lm_column lm_mesh_vertex_columns[LM_MESH_NUM_VERTEX_COLUMNS] = {{"x", 0, LM_CELL_S16, 0},
                                                                      {"y", 2, LM_CELL_S16, 0},
                                                                      {"z", 4, LM_CELL_S16, 0},
                                                                      {"rho", 6, LM_CELL_U8, 0},
                                                                      {"sigma", 7, LM_CELL_U8, 0}};

lm_mesh_frame lm_mesh_get_frame(const uint8_t *p) {
    lm_mesh_frame out = {lm_get_vec3(p + LM_MESH_FRAME_BBOX_MIN),
                         lm_get_vec3(p + LM_MESH_FRAME_BBOX_MAX),
                         lm_get_vec3(p + LM_MESH_FRAME_LOCAL_ORIGIN),
                         lm_get_f32(p + LM_MESH_FRAME_RADIUS),
                         {0}};
    memcpy(out.name, p + LM_MESH_FRAME_NAME, sizeof out.name);
    return out;
}

void lm_mesh_put_frame(uint8_t *out, const lm_mesh_frame *frame) {
    lm_put_vec3(out + LM_MESH_FRAME_BBOX_MIN, frame->bbox_min);
    lm_put_vec3(out + LM_MESH_FRAME_BBOX_MAX, frame->bbox_max);
    lm_put_vec3(out + LM_MESH_FRAME_LOCAL_ORIGIN, frame->local_origin);
    lm_put_f32(out + LM_MESH_FRAME_RADIUS, frame->radius);
    memcpy(out + LM_MESH_FRAME_NAME, frame->name, sizeof frame->name);
}

void lm_mesh_get_triangle(const uint8_t *p, uint32_t vertex[3]) {
    for (size_t c = 0; c < 3; c++)
        vertex[c] = lm_get_u32(p + 4 * c);
}

void lm_mesh_put_triangle(uint8_t *out, const uint32_t vertex[3]) {
    for (size_t c = 0; c < 3; c++)
        lm_put_u32(out + 4 * c, vertex[c]);
}

lm_vec2 lm_mesh_get_st(const uint8_t *p) {
    return (lm_vec2){lm_get_f32(p), lm_get_f32(p + 4)};
}

void lm_mesh_put_st(uint8_t *out, lm_vec2 st) {
    lm_put_f32(out, st.x);
    lm_put_f32(out + 4, st.y);
}

lm_mesh_vertex lm_mesh_get_vertex(const uint8_t *p) {
    return (lm_mesh_vertex){{lm_get_s16(p), lm_get_s16(p + 2), lm_get_s16(p + 4)},
                            lm_get_u16(p + 6)};
}

void lm_mesh_put_vertex(uint8_t *out, lm_mesh_vertex vertex) {
    for (size_t i = 0; i < 3; i++)
        lm_put_u16(out + 2 * i, (uint16_t)vertex.v[i]);
    lm_put_u16(out + 6, vertex.normal);
}

lm_vec3 lm_mesh_get_position(const uint8_t *p) {
    return (lm_vec3){(float)lm_get_s16(p) * LM_MESH_STEP, (float)lm_get_s16(p + 2) * LM_MESH_STEP,
                     (float)lm_get_s16(p + 4) * LM_MESH_STEP};
}

lm_mesh_frame lm_mesh_frame_at(const lm_mesh_frames *frames, int32_t frame) {
    return lm_mesh_get_frame(frames->data + (size_t)frame * LM_MESH_FRAME_SIZE);
}
