/* Converts the elements of MD3 and MDC from and to bytes. Indices are not checked. */
#ifndef LM_FORMATS_VERTEX_MESH_ELEMENTS_H
#define LM_FORMATS_VERTEX_MESH_ELEMENTS_H

#include "core/bytes.h"
#include "lerpmesh/load.h"

#define LM_VERTEX_MESH_STEP (1.0f / 64) /* units: one step of a position */

/* Byte offsets in a frame. */
enum {
    LM_VERTEX_MESH_FRAME_BBOX_MIN = 0,
    LM_VERTEX_MESH_FRAME_BBOX_MAX = 12,
    LM_VERTEX_MESH_FRAME_LOCAL_ORIGIN = 24,
    LM_VERTEX_MESH_FRAME_RADIUS = 36,
    LM_VERTEX_MESH_FRAME_NAME = 40
};

typedef struct lm_vertex_mesh_frame {
    lm_vec3 bbox_min, bbox_max;
    lm_vec3 local_origin;
    float radius;
    char name[LM_VERTEX_MESH_FRAME_NAME_SIZE]; /* all 16 bytes */
} lm_vertex_mesh_frame;

typedef struct lm_vertex_mesh_vertex {
    int16_t v[3];    /* 1/64 unit per step */
    uint16_t normal; /* rho in the low byte, sigma in the high one */
} lm_vertex_mesh_vertex;

static inline lm_vertex_mesh_frame lm_vertex_mesh_get_frame(const uint8_t *p) {
    lm_vertex_mesh_frame out = {lm_get_vec3(p + LM_VERTEX_MESH_FRAME_BBOX_MIN),
                                lm_get_vec3(p + LM_VERTEX_MESH_FRAME_BBOX_MAX),
                                lm_get_vec3(p + LM_VERTEX_MESH_FRAME_LOCAL_ORIGIN),
                                lm_get_f32(p + LM_VERTEX_MESH_FRAME_RADIUS),
                                {0}};
    memcpy(out.name, p + LM_VERTEX_MESH_FRAME_NAME, sizeof out.name);
    return out;
}

static inline void lm_vertex_mesh_put_frame(uint8_t *out, const lm_vertex_mesh_frame *frame) {
    lm_put_vec3(out + LM_VERTEX_MESH_FRAME_BBOX_MIN, frame->bbox_min);
    lm_put_vec3(out + LM_VERTEX_MESH_FRAME_BBOX_MAX, frame->bbox_max);
    lm_put_vec3(out + LM_VERTEX_MESH_FRAME_LOCAL_ORIGIN, frame->local_origin);
    lm_put_f32(out + LM_VERTEX_MESH_FRAME_RADIUS, frame->radius);
    memcpy(out + LM_VERTEX_MESH_FRAME_NAME, frame->name, sizeof frame->name);
}

static inline void lm_vertex_mesh_get_triangle(const uint8_t *p, uint32_t vertex[3]) {
    for (size_t c = 0; c < 3; c++)
        vertex[c] = lm_get_u32(p + 4 * c);
}

static inline void lm_vertex_mesh_put_triangle(uint8_t *out, const uint32_t vertex[3]) {
    for (size_t c = 0; c < 3; c++)
        lm_put_u32(out + 4 * c, vertex[c]);
}

static inline lm_vec2 lm_vertex_mesh_get_st(const uint8_t *p) {
    return (lm_vec2){lm_get_f32(p), lm_get_f32(p + 4)};
}

static inline void lm_vertex_mesh_put_st(uint8_t *out, lm_vec2 st) {
    lm_put_f32(out, st.x);
    lm_put_f32(out + 4, st.y);
}

static inline lm_vertex_mesh_vertex lm_vertex_mesh_get_vertex(const uint8_t *p) {
    return (lm_vertex_mesh_vertex){{lm_get_s16(p), lm_get_s16(p + 2), lm_get_s16(p + 4)},
                                   lm_get_u16(p + 6)};
}

static inline void lm_vertex_mesh_put_vertex(uint8_t *out, lm_vertex_mesh_vertex vertex) {
    for (size_t i = 0; i < 3; i++)
        lm_put_u16(out + 2 * i, (uint16_t)vertex.v[i]);
    lm_put_u16(out + 6, vertex.normal);
}

static inline lm_vec3 lm_vertex_mesh_get_position(const uint8_t *p) {
    return (lm_vec3){(float)lm_get_s16(p) * LM_VERTEX_MESH_STEP,
                     (float)lm_get_s16(p + 2) * LM_VERTEX_MESH_STEP,
                     (float)lm_get_s16(p + 4) * LM_VERTEX_MESH_STEP};
}

#endif
