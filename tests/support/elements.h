/* Converts elements of lumps to and from their bytes: those of the library, and others that tests
 * and fuzzers need to build and inspect documents. */
#ifndef TESTS_ELEMENTS_H
#define TESTS_ELEMENTS_H

#include "formats/md2/md2_format.h"
#include "formats/md3/md3_format.h"
#include "formats/mdc/mdc_format.h"
#include "formats/mdl/mdl_format.h"

static inline void lmi_md2_put_vertex(uint8_t *out, const lm_md2_vertex *vertex) {
    memcpy(out, vertex->v, 3);
    out[3] = vertex->normal;
}

static inline void lmi_md2_put_glcmd_float(uint8_t *out, float value) {
    lmi_put_f32(out, value);
}

static inline void lmi_mdl_put_pose(uint8_t *out, const lm_mdl_pose *pose) {
    lmi_mdl_put_vertex(out, &pose->min);
    lmi_mdl_put_vertex(out + LM_MDL_VERTEX_SIZE, &pose->max);
    memcpy(out + LM_MDL_POSE_NAME, pose->name, sizeof pose->name);
}

static inline void lmi_md3_get_frame(const lm_md3 *md3, int32_t frame, lm_md3_frame *out) {
    *out = lmi_vertex_mesh_get_frame(md3->frames + (size_t)frame * LM_MD3_FRAME_SIZE);
}

static inline void lmi_md3_get_st(const lm_md3_surface *surface, int32_t vertex, lm_vec2 *out) {
    *out = lmi_vertex_mesh_get_st(surface->st + (size_t)vertex * LM_MD3_ST_SIZE);
}

static inline void lmi_md3_get_triangle(const lm_md3_surface *surface, int32_t index,
                                        uint32_t vertex[3]) {
    lmi_vertex_mesh_get_triangle(surface->triangles + (size_t)index * LM_MD3_TRIANGLE_SIZE, vertex);
}

static inline void lmi_md3_get_xyz_normal(const lm_md3_surface *surface, int32_t frame,
                                          int32_t vertex, lm_md3_xyz_normal *out) {
    size_t index = (size_t)frame * (size_t)surface->num_verts + (size_t)vertex;
    *out = lmi_vertex_mesh_get_vertex(surface->xyz_normals + index * LM_MD3_XYZ_NORMAL_SIZE);
}

static inline void lmi_md3_put_frame(uint8_t *out, const lm_md3_frame *frame) {
    lmi_vertex_mesh_put_frame(out, frame);
}

static inline void lmi_md3_put_st(uint8_t *out, const lm_vec2 *st) {
    lmi_vertex_mesh_put_st(out, *st);
}

static inline void lmi_md3_put_triangle(uint8_t *out, const uint32_t vertex[3]) {
    lmi_vertex_mesh_put_triangle(out, vertex);
}

static inline void lmi_mdc_get_base_vertex(const lm_mdc_surface *surface, int32_t base_frame,
                                           int32_t vertex, lm_mdc_base_vertex *out) {
    size_t index = (size_t)base_frame * (size_t)surface->num_vertices + (size_t)vertex;
    *out = lmi_vertex_mesh_get_vertex(surface->base_vertices + index * LM_MDC_BASE_VERTEX_SIZE);
}

static inline void lmi_mdc_get_st(const lm_mdc_surface *surface, int32_t vertex, lm_vec2 *out) {
    *out = lmi_vertex_mesh_get_st(surface->st + (size_t)vertex * LM_MDC_ST_SIZE);
}

static inline void lmi_mdc_get_tag(const lm_mdc *mdc, int32_t frame, int32_t tag, lm_mdc_tag *out) {
    size_t index = (size_t)frame * (size_t)mdc->num_tags + (size_t)tag;
    const uint8_t *p = mdc->tags + index * LM_MDC_TAG_SIZE;
    *out = (lm_mdc_tag){{lmi_get_s16(p), lmi_get_s16(p + 2), lmi_get_s16(p + 4)},
                        {lmi_get_s16(p + 6), lmi_get_s16(p + 8), lmi_get_s16(p + 10)}};
}

static inline void lmi_mdc_get_triangle(const lm_mdc_surface *surface, int32_t index,
                                        uint32_t vertex[3]) {
    lmi_vertex_mesh_get_triangle(surface->triangles + (size_t)index * LM_MDC_TRIANGLE_SIZE, vertex);
}

static inline void lmi_mdc_put_frame(uint8_t *out, const lm_mdc_frame *frame) {
    lmi_vertex_mesh_put_frame(out, frame);
}

static inline void lmi_mdc_put_st(uint8_t *out, const lm_vec2 *st) {
    lmi_vertex_mesh_put_st(out, *st);
}

static inline void lmi_mdc_put_triangle(uint8_t *out, const uint32_t vertex[3]) {
    lmi_vertex_mesh_put_triangle(out, vertex);
}

static inline void lmi_mdl_get_vertex(const lm_mdl *mdl, int32_t frame, int32_t pose,
                                      int32_t vertex, lm_mdl_vertex *out) {
    *out = lmi_mdl_vertex_at(lmi_mdl_vertices(mdl, &mdl->frames[frame], pose) +
                             (size_t)vertex * LM_MDL_VERTEX_SIZE);
}

#endif
