/* Tests the elements of lumps: `put` writes exactly the bytes that `get` reads. */
#include "elements.h"
#include "support.h"

typedef struct triangle {
    uint32_t corners[3];
} triangle;

/* Reads an element from these bytes and writes it. */
typedef void copy_element(const uint8_t *in, uint8_t *out);

#define COPY(name, type, owner, get, put)                      \
    static void copy_##name(const uint8_t *in, uint8_t *out) { \
        const owner;                                           \
        type value;                                            \
        get;                                                   \
        put;                                                   \
    }

#define MD2 lm_md2 o = {.st = in, .tris = in}
COPY(md2_st, lm_md2_st, MD2, lm_md2_get_st(&o, 0, &value), lm_md2_put_st(out, &value))
COPY(md2_triangle, lm_md2_triangle, MD2, lm_md2_get_triangle(&o, 0, &value),
     lm_md2_put_triangle(out, &value))
COPY(md2_float, float, MD2, value = lm_get_f32(o.st), lm_md2_put_glcmd_float(out, value))

/* Copies a frame with one vertex. */
static void copy_md2_frame(const uint8_t *in, uint8_t *out) {
    const lm_md2 o = {.framesize = LM_MD2_FRAME_HEADER_SIZE + LM_MD2_VERTEX_SIZE, .frames = in};
    lm_md2_frame frame;
    lm_md2_vertex vertex;
    lm_md2_get_frame(&o, 0, &frame);
    lm_md2_get_vertex(&o, 0, 0, &vertex);
    lm_md2_put_frame(out, &frame);
    lm_md2_put_vertex(out + LM_MD2_FRAME_HEADER_SIZE, &vertex);
}

#define MD2_COMMANDS lm_md2 o = {.glcmds = in}
COPY(md2_glcmd, int32_t, MD2_COMMANDS, value = lm_md2_get_glcmd(&o, 0),
     lm_md2_put_glcmd(out, value))

#define MD3 lm_md3 o = {.num_tags = 1, .frames = in, .tags = in}
#define MD3_SURFACE \
    lm_md3_surface o = {.num_verts = 1, .triangles = in, .st = in, .xyz_normals = in}
COPY(md3_frame, lm_md3_frame, MD3, lm_md3_get_frame(&o, 0, &value), lm_md3_put_frame(out, &value))
COPY(md3_tag, lm_md3_tag, MD3, lm_md3_get_tag(&o, 0, 0, &value), lm_md3_put_tag(out, &value))
COPY(md3_triangle, triangle, MD3_SURFACE, lm_md3_get_triangle(&o, 0, value.corners),
     lm_md3_put_triangle(out, value.corners))
COPY(md3_st, lm_vec2, MD3_SURFACE, lm_md3_get_st(&o, 0, &value), lm_md3_put_st(out, &value))
COPY(md3_vertex, lm_md3_xyz_normal, MD3_SURFACE, lm_md3_get_xyz_normal(&o, 0, 0, &value),
     lm_md3_put_xyz_normal(out, &value))

#define MDC lm_mdc o = {.num_tags = 1, .frames = in, .tags = in}
#define MDC_SURFACE                              \
    lm_mdc_surface o = {.num_vertices = 1,       \
                        .triangles = in,         \
                        .st = in,                \
                        .base_vertices = in,     \
                        .comp_vertices = in,     \
                        .frame_base_frames = in, \
                        .frame_comp_frames = in}
COPY(mdc_frame, lm_mdc_frame, MDC, lm_mdc_get_frame(&o, 0, &value), lm_mdc_put_frame(out, &value))
COPY(mdc_tag, lm_mdc_tag, MDC, lm_mdc_get_tag(&o, 0, 0, &value), lm_mdc_put_tag(out, &value))
COPY(mdc_triangle, triangle, MDC_SURFACE, lm_mdc_get_triangle(&o, 0, value.corners),
     lm_mdc_put_triangle(out, value.corners))
COPY(mdc_st, lm_vec2, MDC_SURFACE, lm_mdc_get_st(&o, 0, &value), lm_mdc_put_st(out, &value))
COPY(mdc_base_vertex, lm_mdc_base_vertex, MDC_SURFACE, lm_mdc_get_base_vertex(&o, 0, 0, &value),
     lm_mdc_put_base_vertex(out, &value))
COPY(mdc_comp_vertex, lm_mdc_comp_vertex, MDC_SURFACE, lm_mdc_get_comp_vertex(&o, 0, 0, &value),
     lm_mdc_put_comp_vertex(out, &value))
COPY(mdc_base_frame, int32_t, MDC_SURFACE, value = lm_mdc_get_frame_base_frame(&o, 0),
     lm_mdc_put_frame_index(out, value))
COPY(mdc_comp_frame, int32_t, MDC_SURFACE, value = lm_mdc_get_frame_comp_frame(&o, 0),
     lm_mdc_put_frame_index(out, value))

#define MDL lm_mdl o = {.st = in, .tris = in}
COPY(mdl_st, lm_mdl_st, MDL, lm_mdl_get_st(&o, 0, &value), lm_mdl_put_st(out, &value))
COPY(mdl_triangle, lm_mdl_triangle, MDL, lm_mdl_get_triangle(&o, 0, &value),
     lm_mdl_put_triangle(out, &value))
#define NOTHING int o = 0
COPY(mdl_time, float, NOTHING, value = lm_mdl_get_time(in, o), lm_mdl_put_time(out, value))
COPY(mdl_vertex, lm_mdl_vertex, NOTHING, value = lm_mdl_vertex_at(in + o),
     lm_mdl_put_vertex(out, &value))

typedef struct element {
    const char *name;
    copy_element *copy;
    size_t size;
    bool real; /* some members are floats */
} element;

#define ELEMENT(name, size, real) {#name, copy_##name, size, real}

static const element elements[] = {
    ELEMENT(md2_st, LM_MD2_ST_SIZE, false),
    ELEMENT(md2_triangle, LM_MD2_TRIANGLE_SIZE, false),
    ELEMENT(md2_float, LM_MD2_GL_COMMAND_SIZE, true),
    ELEMENT(md2_frame, LM_MD2_FRAME_HEADER_SIZE + LM_MD2_VERTEX_SIZE, true),
    ELEMENT(md2_glcmd, LM_MD2_GL_COMMAND_SIZE, false),
    ELEMENT(md3_frame, LM_MD3_FRAME_SIZE, true),
    ELEMENT(md3_tag, LM_MD3_TAG_SIZE, true),
    ELEMENT(md3_triangle, LM_MD3_TRIANGLE_SIZE, false),
    ELEMENT(md3_st, LM_MD3_ST_SIZE, true),
    ELEMENT(md3_vertex, LM_MD3_XYZ_NORMAL_SIZE, false),
    ELEMENT(mdc_frame, LM_MDC_FRAME_SIZE, true),
    ELEMENT(mdc_tag, LM_MDC_TAG_SIZE, false),
    ELEMENT(mdc_triangle, LM_MDC_TRIANGLE_SIZE, false),
    ELEMENT(mdc_st, LM_MDC_ST_SIZE, true),
    ELEMENT(mdc_base_vertex, LM_MDC_BASE_VERTEX_SIZE, false),
    ELEMENT(mdc_comp_vertex, LM_MDC_COMP_VERTEX_SIZE, false),
    ELEMENT(mdc_base_frame, LM_MDC_FRAME_INDEX_SIZE, false),
    ELEMENT(mdc_comp_frame, LM_MDC_FRAME_INDEX_SIZE, false),
    ELEMENT(mdl_st, LM_MDL_ST_SIZE, false),
    ELEMENT(mdl_triangle, LM_MDL_TRIANGLE_SIZE, false),
    ELEMENT(mdl_time, LM_MDL_TIME_SIZE, true),
    ELEMENT(mdl_vertex, LM_MDL_VERTEX_SIZE, false),
};

TEST(test_get_and_put_agree) {
    enum {
        ROOM = 128
    };
    chance c = chance_from(4);
    for (size_t i = 0; i < 1000 * COUNT_OF(elements); i++) {
        const element *e = &elements[i % COUNT_OF(elements)];
        uint8_t in[ROOM], out[ROOM], expected[ROOM];
        for (size_t k = 0; k < ROOM; k++)
            in[k] = (uint8_t)(chance_next(&c) >> 8);
        for (size_t k = 3; e->real && k < ROOM; k += 4)
            in[k] &= 0xBF; /* i686 changes NaNs */
        memset(out, 0x5A, ROOM);
        memset(expected, 0x5A, ROOM);
        memcpy(expected, in, e->size);
        e->copy(in, out);
        if (memcmp(out, expected, ROOM) != 0)
            fail_msg("%s: the bytes differ", e->name);
    }
}
