/* Documents: reading for those who edit, comparing, and writing. */
#include "formats/mdc/mdc_format.h"

lm_mdc *lm_mdc_read(const void *data, size_t size, const lm_memory *memory, lm_error *error) {
    return lm_mesh_read(&lm_mdc_kind, data, size, memory, error);
}

void lm_mdc_free(lm_mdc *mdc) {
    lm_mesh_free(&lm_mdc_kind, mdc);
}

bool lm_mdc_equal(const lm_mdc *a, const lm_mdc *b) {
    return lm_mesh_equal(&lm_mdc_kind, a, b);
}

bool lm_mdc_write(const lm_mdc *mdc, lm_buffer *out, lm_error *error) {
    return lm_mesh_write(&lm_mdc_kind, mdc, out, error);
}

void lm_mdc_put_frame(uint8_t *out, const lm_mdc_frame *frame) {
    lm_mesh_put_frame(out, frame);
}

void lm_mdc_put_tag(uint8_t *out, const lm_mdc_tag *tag) {
    for (size_t i = 0; i < 3; i++) {
        lm_put_u16(out + 2 * i, (uint16_t)tag->position[i]);
        lm_put_u16(out + 6 + 2 * i, (uint16_t)tag->angle[i]);
    }
}

void lm_mdc_put_triangle(uint8_t *out, const uint32_t vertex[3]) {
    lm_mesh_put_triangle(out, vertex);
}

void lm_mdc_put_st(uint8_t *out, lm_vec2 st) {
    lm_mesh_put_st(out, st);
}

void lm_mdc_put_base_vertex(uint8_t *out, lm_mdc_base_vertex vertex) {
    lm_mesh_put_vertex(out, vertex);
}

void lm_mdc_put_comp_vertex(uint8_t *out, lm_mdc_comp_vertex vertex) {
    memcpy(out, vertex.v, 3);
    out[3] = vertex.normal;
}

void lm_mdc_put_frame_index(uint8_t *out, int32_t index) {
    lm_put_u16(out, (uint16_t)index);
}
