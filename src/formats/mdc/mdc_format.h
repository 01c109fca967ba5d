/* MDC: its description and the parts of its reader. */
#ifndef LM_MDC_FORMAT_H
#define LM_MDC_FORMAT_H

#include "core/bytes.h"
#include "formats/describe.h"
#include "formats/vertex_mesh/vertex_mesh.h"
#include "lerpmesh/mdc.h"

/* Converts the elements of MDC from and to bytes. Indices are not checked. */

typedef lm_vertex_mesh_frame lm_mdc_frame;

typedef struct lm_mdc_tag {
    int16_t position[3]; /* 1/64 unit per step */
    int16_t angle[3];    /* pitch, yaw, roll: 360/32700 degrees per step */
} lm_mdc_tag;

typedef lm_vertex_mesh_vertex lm_mdc_base_vertex;

typedef struct lm_mdc_comp_vertex {
    uint8_t v[3];   /* bias 127, 0.05 units per step */
    uint8_t normal; /* into lm_normals_256 */
} lm_mdc_comp_vertex;

static inline void lmi_mdc_get_frame(const lm_mdc *mdc, int32_t frame, lm_mdc_frame *out) {
    *out = lmi_vertex_mesh_get_frame(mdc->frames + (size_t)frame * LM_MDC_FRAME_SIZE);
}

static inline void lmi_mdc_get_comp_vertex(const lm_mdc_surface *surface, int32_t comp_frame,
                                           int32_t vertex, lm_mdc_comp_vertex *out) {
    size_t index = (size_t)comp_frame * (size_t)surface->num_vertices + (size_t)vertex;
    const uint8_t *p = surface->comp_vertices + index * LM_MDC_COMP_VERTEX_SIZE;
    *out = (lm_mdc_comp_vertex){{p[0], p[1], p[2]}, p[3]};
}

/* Return the base frame of a frame, and its compressed frame, by the surface's tables. A negative
 * compressed frame means none. */
static inline int32_t lmi_mdc_get_frame_base_frame(const lm_mdc_surface *surface, int32_t frame) {
    if (!surface->frame_base_frames)
        return 0;
    return lmi_get_s16(surface->frame_base_frames + (size_t)frame * LM_MDC_FRAME_INDEX_SIZE);
}

static inline int32_t lmi_mdc_get_frame_comp_frame(const lm_mdc_surface *surface, int32_t frame) {
    if (!surface->frame_comp_frames)
        return LM_MDC_NO_COMP_FRAME;
    return lmi_get_s16(surface->frame_comp_frames + (size_t)frame * LM_MDC_FRAME_INDEX_SIZE);
}

static inline void lmi_mdc_put_tag(uint8_t *out, const lm_mdc_tag *tag) {
    for (size_t i = 0; i < 3; i++) {
        lmi_put_u16(out + 2 * i, (uint16_t)tag->position[i]);
        lmi_put_u16(out + 6 + 2 * i, (uint16_t)tag->angle[i]);
    }
}

static inline void lmi_mdc_put_base_vertex(uint8_t *out, const lm_mdc_base_vertex *vertex) {
    lmi_vertex_mesh_put_vertex(out, *vertex);
}

static inline void lmi_mdc_put_comp_vertex(uint8_t *out, const lm_mdc_comp_vertex *vertex) {
    for (int i = 0; i < 3; i++) /* by byte: fresh bytes are slow to read as one word */
        out[i] = vertex->v[i];
    out[3] = vertex->normal;
}

static inline void lmi_mdc_put_frame_index(uint8_t *out, int32_t index) {
    lmi_put_u16(out, (uint16_t)index);
}

/* The step of a compressed offset in units: in the engine, and as Prinz assumed (1.2.4: 4 base
 * steps). */
#define LM_MDC_COMP_STEP 0.05f
#define LM_MDC_COMP_STEP_PRINZ (4.0f / 64)

extern const lm_header lmi_mdc_header, lmi_mdc_surface_header;

extern const lm_vertex_mesh_kind lmi_mdc_mesh;

extern const lm_document_kind lmi_mdc_kind;

extern const lm_format lmi_format_mdc;
extern const lm_examiner lmi_examiner_mdc;

/* Reports every problem of a parsed document. */
void lmi_mdc_check(lm_reading *reading, const void *document);

#endif
