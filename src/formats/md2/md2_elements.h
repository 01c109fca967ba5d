/* Converts the elements of MD2 from and to bytes. Indices are not checked. */
#ifndef LM_MD2_ELEMENTS_H
#define LM_MD2_ELEMENTS_H

#include "core/bytes.h"
#include "lerpmesh/md2.h"

/* Byte offsets in a frame. */
enum {
    LM_MD2_FRAME_SCALE = 0,
    LM_MD2_FRAME_TRANSLATE = 12,
    LM_MD2_FRAME_NAME = 24,
    LM_MD2_FRAME_VERTICES = 40
};

typedef struct lm_md2_st {
    int16_t s, t; /* pixels of the skin, from its top left */
} lm_md2_st;

typedef struct lm_md2_triangle {
    uint16_t vertex[3];
    uint16_t st[3];
} lm_md2_triangle;

typedef struct lm_md2_vertex {
    uint8_t v[3];
    uint8_t normal; /* into lm_normals_162 */
} lm_md2_vertex;

typedef struct lm_md2_frame {
    lm_vec3 scale, translate;
    char name[LM_MD2_FRAME_NAME_SIZE]; /* all 16 bytes */
} lm_md2_frame;

/* Returns the packed vertices of a frame. */
static inline const uint8_t *lm_md2_frame_vertices(const lm_md2 *md2, int32_t frame) {
    return md2->frames + (size_t)frame * (size_t)md2->framesize + LM_MD2_FRAME_VERTICES;
}

static inline lm_md2_triangle lm_md2_triangle_at(const lm_md2 *md2, int32_t index) {
    const uint8_t *p = md2->tris + (size_t)index * LM_MD2_TRIANGLE_SIZE;
    return (lm_md2_triangle){{lm_get_u16(p), lm_get_u16(p + 2), lm_get_u16(p + 4)},
                             {lm_get_u16(p + 6), lm_get_u16(p + 8), lm_get_u16(p + 10)}};
}

static inline void lm_md2_get_st(const lm_md2 *md2, int32_t index, lm_md2_st *out) {
    const uint8_t *p = md2->st + (size_t)index * LM_MD2_ST_SIZE;
    *out = (lm_md2_st){lm_get_s16(p), lm_get_s16(p + 2)};
}

static inline void lm_md2_get_triangle(const lm_md2 *md2, int32_t index, lm_md2_triangle *out) {
    *out = lm_md2_triangle_at(md2, index);
}

static inline void lm_md2_get_frame(const lm_md2 *md2, int32_t frame, lm_md2_frame *out) {
    const uint8_t *p = md2->frames + (size_t)frame * (size_t)md2->framesize;
    out->scale = lm_get_vec3(p + LM_MD2_FRAME_SCALE);
    out->translate = lm_get_vec3(p + LM_MD2_FRAME_TRANSLATE);
    memcpy(out->name, p + LM_MD2_FRAME_NAME, sizeof out->name);
}

static inline void lm_md2_get_vertex(const lm_md2 *md2, int32_t frame, int32_t vertex,
                                     lm_md2_vertex *out) {
    const uint8_t *p = md2->frames + (size_t)frame * (size_t)md2->framesize +
                       LM_MD2_FRAME_VERTICES + (size_t)vertex * LM_MD2_VERTEX_SIZE;
    *out = (lm_md2_vertex){{p[0], p[1], p[2]}, p[3]};
}

/* Returns a GL command as an integer; a float is returned as its bits. */
static inline int32_t lm_md2_get_glcmd(const lm_md2 *md2, int32_t index) {
    return lm_get_s32(md2->glcmds + (size_t)index * LM_MD2_GL_COMMAND_SIZE);
}

static inline void lm_md2_put_st(uint8_t *out, const lm_md2_st *st) {
    lm_put_u16(out, (uint16_t)st->s);
    lm_put_u16(out + 2, (uint16_t)st->t);
}

static inline void lm_md2_put_triangle(uint8_t *out, const lm_md2_triangle *triangle) {
    for (size_t c = 0; c < 3; c++) {
        lm_put_u16(out + 2 * c, triangle->vertex[c]);
        lm_put_u16(out + 6 + 2 * c, triangle->st[c]);
    }
}

static inline void lm_md2_put_frame(uint8_t *out, const lm_md2_frame *frame) {
    lm_put_vec3(out + LM_MD2_FRAME_SCALE, frame->scale);
    lm_put_vec3(out + LM_MD2_FRAME_TRANSLATE, frame->translate);
    memcpy(out + LM_MD2_FRAME_NAME, frame->name, sizeof frame->name);
}

static inline void lm_md2_put_glcmd(uint8_t *out, int32_t value) {
    lm_put_s32(out, value);
}

static inline void lm_md2_put_glcmd_float(uint8_t *out, float value) {
    lm_put_f32(out, value);
}

#endif
