/* Documents: reading for those who edit, comparing, and writing. */
#include "formats/md3/md3_format.h"

lm_md3 *lm_md3_read(const void *data, size_t size, const lm_memory *memory, lm_error *error) {
    return lm_mesh_read(&lm_md3_kind, data, size, memory, error);
}

void lm_md3_free(lm_md3 *md3) {
    lm_mesh_free(&lm_md3_kind, md3);
}

bool lm_md3_equal(const lm_md3 *a, const lm_md3 *b) {
    return lm_mesh_equal(&lm_md3_kind, a, b);
}

bool lm_md3_write(const lm_md3 *md3, lm_buffer *out, lm_error *error) {
    return lm_mesh_write(&lm_md3_kind, md3, out, error);
}

void lm_md3_put_frame(uint8_t *out, const lm_md3_frame *frame) {
    lm_mesh_put_frame(out, frame);
}

void lm_md3_put_tag(uint8_t *out, const lm_md3_tag *tag) {
    memcpy(out + LM_MD3_TAG_NAME, tag->name, sizeof tag->name);
    lm_put_vec3(out + LM_MD3_TAG_ORIGIN, tag->origin);
    for (size_t i = 0; i < 3; i++)
        lm_put_vec3(out + LM_MD3_TAG_AXES + 12 * i, tag->axis[i]);
}

void lm_md3_put_triangle(uint8_t *out, const uint32_t vertex[3]) {
    lm_mesh_put_triangle(out, vertex);
}

void lm_md3_put_st(uint8_t *out, lm_vec2 st) {
    lm_mesh_put_st(out, st);
}

void lm_md3_put_xyz_normal(uint8_t *out, lm_md3_xyz_normal vertex) {
    lm_mesh_put_vertex(out, vertex);
}
