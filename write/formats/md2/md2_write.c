/* Parts of an MD2 that both its encoder and its optimizer write: triangles and GL commands. */
#include "formats/md2/md2_write.h"

bool lm_md2_put_triangles(lm_md2 *md2, const uint32_t *xyz, const uint32_t *st, uint32_t count,
                          lm_arena *arena) {
    uint8_t *out = lm_arena_alloc(arena, count, LM_MD2_TRIANGLE_SIZE);
    md2->tris = out;
    md2->num_tris = (int32_t)count;
    for (size_t t = 0; out && t < count; t++) {
        lm_md2_triangle triangle;
        for (size_t c = 0; c < 3; c++) {
            triangle.vertex[c] = (uint16_t)xyz[3 * t + c];
            triangle.st[c] = (uint16_t)st[3 * t + c];
        }
        lm_md2_put_triangle(out + t * LM_MD2_TRIANGLE_SIZE, &triangle);
    }
    return out;
}

bool lm_md2_put_strips(lm_md2 *md2, const lm_strips_found *found, const lm_md2_drawn *corners,
                       const uint32_t *firsts, lm_arena *arena) {
    const uint64_t count = lm_md2_count_strips(found);
    uint8_t *out = lm_arena_alloc(arena, count, LM_MD2_GL_COMMAND_SIZE);
    md2->glcmds = out;
    md2->num_glcmds = (int32_t)count;
    for (uint32_t i = 0; out && i < found->num_strips; i++) {
        const lm_strip *strip = &found->strips[i];
        lm_md2_put_glcmd(out, strip->fan ? -(int32_t)strip->count : (int32_t)strip->count);
        out += LM_MD2_GL_COMMAND_SIZE;
        for (uint32_t k = 0; k < strip->count; k++, out += 3 * LM_MD2_GL_COMMAND_SIZE)
            lm_md2_put_drawn(out, corners[firsts[found->corners[strip->first + k]]]);
    }
    if (out)
        lm_md2_put_glcmd(out, 0);
    return out;
}

/* ---- The writer --------------------------------------------------------------------------- */

LM_DOCUMENT_WRITE(md2, lm_md2_kind)

const lm_writer lm_md2_writer = {
    .format = &lm_format_md2,
    .encode = lm_md2_encode,
    .edit = &lm_md2_editor,
    .optimize = lm_md2_optimize,
};
