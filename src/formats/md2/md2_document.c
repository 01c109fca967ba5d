/* Documents: reading for those who edit, comparing, and writing. */
#include "formats/lumps.h"
#include "formats/md2/md2_format.h"

/* The allocation behind lm_md2_read. */
typedef struct lm_md2_owned {
    lm_md2 md2; /* first: lm_md2_free gets here from its address */
    lm_allocator allocator;
} lm_md2_owned;

lm_md2 *lm_md2_read(const void *data, size_t size, const lm_memory *memory, lm_error *error) {
    lm_bytes file = {data, size};
    lm_heap heap;
    lm_load_reporter reporter;
    if (lm_find_format(file) != &lm_format_md2) {
        lm_fail(error, LM_CODE_UNKNOWN_FORMAT, "md2", "header", 0, "the file is no MD2");
        return NULL;
    }
    lm_heap_init(&heap, memory, size);
    lm_load_reporter_init(&reporter, "md2", false, error);
    lm_md2_owned *owned = lm_heap_alloc(&heap, 1, sizeof *owned);
    if (!owned)
        return lm_heap_fail(&heap, "md2", error);
    owned->allocator = heap.allocator;
    if (lm_md2_parse(file, &reporter.base, &owned->md2) &&
        lm_md2_verify(&owned->md2, &reporter.base, NULL))
        return &owned->md2;
    lm_md2_free(&owned->md2);
    return NULL;
}

void lm_md2_free(lm_md2 *md2) {
    if (!md2)
        return;
    lm_md2_owned *owned = (lm_md2_owned *)md2;
    lm_allocator allocator = owned->allocator;
    allocator.free(allocator.user, owned, sizeof *owned);
}

static bool equal_bytes(const uint8_t *a, const uint8_t *b, size_t size) {
    return size == 0 || memcmp(a, b, size) == 0;
}

bool lm_md2_equal(const lm_md2 *a, const lm_md2 *b) {
    if (a->skinwidth != b->skinwidth || a->skinheight != b->skinheight ||
        a->framesize != b->framesize || a->num_xyz != b->num_xyz ||
        a->num_trailing != b->num_trailing)
        return false;
    for (int i = 0; i < LM_MD2_NUM_LUMPS; i++) {
        const lm_md2_lump *lump = &lm_md2_lumps[i];
        size_t size = lm_md2_lump_size(a, lump);
        if (size != lm_md2_lump_size(b, lump) ||
            !equal_bytes(lm_md2_lump_data(a, lump), lm_md2_lump_data(b, lump), size))
            return false;
    }
    return equal_bytes(a->trailing, b->trailing, a->num_trailing);
}

static void write_header(const lm_md2 *md2, uint8_t *out) {
    lm_put_s32(out + LM_MD2_AT_IDENT, LM_MD2_IDENT);
    lm_put_s32(out + LM_MD2_AT_VERSION, LM_MD2_VERSION);
    lm_put_s32(out + LM_MD2_AT_SKINWIDTH, md2->skinwidth);
    lm_put_s32(out + LM_MD2_AT_SKINHEIGHT, md2->skinheight);
    lm_put_s32(out + LM_MD2_AT_FRAMESIZE, md2->framesize);
    lm_put_s32(out + LM_MD2_AT_NUM_XYZ, md2->num_xyz);
    for (int i = 0; i < LM_MD2_NUM_LUMPS; i++) {
        lm_put_s32(out + lm_md2_lumps[i].num_at, lm_md2_lump_count(md2, &lm_md2_lumps[i]));
        lm_put_s32(out + lm_md2_lumps[i].ofs_at, lm_md2_lump_offset(md2, &lm_md2_lumps[i]));
    }
    lm_put_s32(out + LM_MD2_AT_OFS_END, md2->ofs_end);
}

/* Gives each lump its place, one after the other in the order of their old places. */
static bool place_lumps(lm_md2 *md2, int *order) {
    int32_t offsets[LM_MD2_NUM_LUMPS];
    uint64_t at = LM_MD2_HEADER_SIZE;
    for (int i = 0; i < LM_MD2_NUM_LUMPS; i++)
        offsets[i] = lm_md2_lump_offset(md2, &lm_md2_lumps[i]);
    lm_order_lumps(offsets, LM_MD2_NUM_LUMPS, order);
    for (int i = 0; i < LM_MD2_NUM_LUMPS; i++) {
        const lm_md2_lump *lump = &lm_md2_lumps[order[i]];
        if (lm_md2_lump_count(md2, lump) < 0 || at > INT32_MAX)
            return false;
        lm_md2_set_lump(md2, lump, lm_md2_lump_count(md2, lump), (int32_t)at);
        at += lm_md2_lump_size(md2, lump);
    }
    md2->ofs_end = (int32_t)at;
    return at <= INT32_MAX;
}

static void write_lumps(const lm_md2 *md2, const int *order, lm_buffer *out) {
    uint8_t header[LM_MD2_HEADER_SIZE];
    write_header(md2, header);
    lm_buffer_append(out, header, sizeof header);
    for (int i = 0; i < LM_MD2_NUM_LUMPS; i++) {
        const lm_md2_lump *lump = &lm_md2_lumps[order[i]];
        lm_buffer_append(out, lm_md2_lump_data(md2, lump), lm_md2_lump_size(md2, lump));
    }
    lm_buffer_append(out, md2->trailing, md2->num_trailing);
}

bool lm_md2_write(const lm_md2 *md2, lm_buffer *out, lm_error *error) {
    lm_md2 placed = *md2, reread;
    int order[LM_MD2_NUM_LUMPS];
    size_t start = out->size;
    if (placed.framesize < LM_MD2_FRAME_HEADER_SIZE || !place_lumps(&placed, order))
        return lm_fail_plain(error, LM_CODE_BAD_COUNT,
                             "md2: a count is negative, or the file would pass 2 GB");
    write_lumps(&placed, order, out);
    if (out->failed)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "md2: no memory to write %zu bytes",
                             (size_t)placed.ofs_end);
    lm_load_reporter reporter;
    lm_load_reporter_init(&reporter, "md2", false, error);
    lm_bytes written = {out->data + start, out->size - start};
    if (lm_md2_parse(written, &reporter.base, &reread) &&
        lm_md2_verify(&reread, &reporter.base, NULL))
        return true;
    out->size = start;
    return false;
}

void lm_md2_put_st(uint8_t *out, lm_md2_st st) {
    lm_put_u16(out, (uint16_t)st.s);
    lm_put_u16(out + 2, (uint16_t)st.t);
}

void lm_md2_put_triangle(uint8_t *out, const lm_md2_triangle *triangle) {
    for (size_t c = 0; c < 3; c++) {
        lm_put_u16(out + 2 * c, triangle->vertex[c]);
        lm_put_u16(out + 6 + 2 * c, triangle->st[c]);
    }
}

void lm_md2_put_frame(uint8_t *out, const lm_md2_frame *frame) {
    lm_put_vec3(out + LM_MD2_FRAME_SCALE, frame->scale);
    lm_put_vec3(out + LM_MD2_FRAME_TRANSLATE, frame->translate);
    memcpy(out + LM_MD2_FRAME_NAME, frame->name, sizeof frame->name);
}

void lm_md2_put_vertex(uint8_t *out, lm_md2_vertex vertex) {
    memcpy(out, vertex.v, 3);
    out[3] = vertex.normal;
}

void lm_md2_put_glcmd(uint8_t *out, int32_t value) {
    lm_put_s32(out, value);
}

void lm_md2_put_glcmd_float(uint8_t *out, float value) {
    lm_put_f32(out, value);
}
