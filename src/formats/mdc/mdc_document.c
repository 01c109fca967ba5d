/* Documents: reading for those who edit, comparing, and writing. */
#include "formats/lumps.h"
#include "formats/mdc/mdc_format.h"

/* The allocation behind lm_mdc_read. */
typedef struct lm_mdc_owned {
    lm_mdc mdc; /* first: lm_mdc_free gets here from its address */
    lm_allocator allocator;
    size_t capacity; /* of mdc.surfaces */
} lm_mdc_owned;

lm_mdc *lm_mdc_read(const void *data, size_t size, const lm_memory *memory, lm_error *error) {
    lm_bytes file = {data, size};
    lm_heap heap;
    lm_load_reporter reporter;
    lm_mdc_reading reading;
    if (lm_find_format(file) != &lm_format_mdc) {
        lm_fail(error, LM_CODE_UNKNOWN_FORMAT, "mdc", "header", 0, "the file is no MDC");
        return NULL;
    }
    lm_heap_init(&heap, memory, size);
    lm_load_reporter_init(&reporter, "mdc", false, error);
    bool read = lm_mdc_parse(file, &heap, &reporter.base, &reading) &&
                lm_mdc_verify(&reading, &reporter.base);
    lm_mdc_owned *owned = read ? lm_heap_alloc(&heap, 1, sizeof *owned) : NULL;
    if (owned) {
        *owned = (lm_mdc_owned){reading.mdc, heap.allocator, reading.capacity};
        reading.mdc.surfaces = NULL; /* now the document's */
    } else if (!reporter.failed) {
        lm_heap_fail(&heap, "mdc", error);
    }
    lm_mdc_release(&heap, &reading);
    return owned ? &owned->mdc : NULL;
}

void lm_mdc_free(lm_mdc *mdc) {
    if (!mdc)
        return;
    lm_mdc_owned *owned = (lm_mdc_owned *)mdc;
    lm_allocator allocator = owned->allocator;
    if (owned->capacity > 0)
        allocator.free(allocator.user, mdc->surfaces, owned->capacity * sizeof *mdc->surfaces);
    allocator.free(allocator.user, owned, sizeof *owned);
}

/* Tables are compared by what they say, so that an absent one equals one that says the same. */
static bool equal_tables(const lm_mdc *mdc, const lm_mdc_surface *a, const lm_mdc_surface *b) {
    for (int32_t f = 0; f < mdc->num_frames; f++)
        if (lm_mdc_get_frame_base_frame(a, f) != lm_mdc_get_frame_base_frame(b, f) ||
            lm_mdc_get_frame_comp_frame(a, f) != lm_mdc_get_frame_comp_frame(b, f))
            return false;
    return true;
}

static bool equal_surfaces(const lm_mdc *mdc, const lm_mdc_surface *a, const lm_mdc_surface *b) {
    if (a->ident != b->ident || a->flags != b->flags ||
        memcmp(a->name, b->name, sizeof a->name) != 0 || a->num_comp_frames != b->num_comp_frames ||
        a->num_base_frames != b->num_base_frames || a->num_shaders != b->num_shaders ||
        a->num_vertices != b->num_vertices || a->num_triangles != b->num_triangles)
        return false;
    for (int i = 0; i < LM_MDC_LUMP_FRAME_BASE_FRAMES; i++)
        if (!lm_equal_lumps(a, b, &lm_mdc_surface_lumps[i], lm_mdc_surface_extent(mdc, a, i)))
            return false;
    return equal_tables(mdc, a, b);
}

bool lm_mdc_equal(const lm_mdc *a, const lm_mdc *b) {
    if (memcmp(a->name, b->name, sizeof a->name) != 0 || a->flags != b->flags ||
        a->num_frames != b->num_frames || a->num_tags != b->num_tags ||
        a->num_surfaces != b->num_surfaces || a->num_skins != b->num_skins ||
        a->num_trailing != b->num_trailing)
        return false;
    for (int i = 0; i < LM_MDC_NUM_LUMPS; i++)
        if (!lm_equal_lumps(a, b, &lm_mdc_lumps[i], lm_mdc_file_extent(a, i)))
            return false;
    for (int32_t s = 0; s < a->num_surfaces; s++)
        if (!equal_surfaces(a, &a->surfaces[s], &b->surfaces[s]))
            return false;
    return a->num_trailing == 0 || memcmp(a->trailing, b->trailing, a->num_trailing) == 0;
}

static void write_surface_header(const lm_mdc_surface *surface, uint8_t *out) {
    lm_put_s32(out + LM_MESH_SURFACE_AT_IDENT, surface->ident);
    memcpy(out + LM_MESH_SURFACE_AT_NAME, surface->name, sizeof surface->name);
    lm_put_s32(out + LM_MESH_SURFACE_AT_FLAGS, surface->flags);
    lm_put_s32(out + LM_MDC_SURFACE_AT_NUM_COMP_FRAMES, surface->num_comp_frames);
    lm_put_s32(out + LM_MDC_SURFACE_AT_NUM_BASE_FRAMES, surface->num_base_frames);
    lm_put_s32(out + LM_MDC_SURFACE_AT_NUM_SHADERS, surface->num_shaders);
    lm_put_s32(out + LM_MDC_SURFACE_AT_NUM_VERTICES, surface->num_vertices);
    lm_put_s32(out + LM_MDC_SURFACE_AT_NUM_TRIANGLES, surface->num_triangles);
    for (int i = 0; i < LM_MDC_NUM_SURFACE_LUMPS; i++)
        lm_put_s32(out + lm_mdc_surface_lumps[i].ofs_at,
                   lm_lump_offset(surface, &lm_mdc_surface_lumps[i]));
    lm_put_s32(out + LM_MDC_SURFACE_AT_OFS_END, surface->ofs_end);
}

/* A lump's bytes; an absent table is written out, since the engine looks at it all the same. */
static void write_surface_lump(const lm_mdc *mdc, const lm_mdc_surface *surface, int index,
                               lm_buffer *out) {
    const uint8_t *data = lm_lump_data(surface, &lm_mdc_surface_lumps[index]);
    lm_extent extent = lm_mdc_surface_extent(mdc, surface, index);
    if (data) {
        lm_buffer_append(out, data, (size_t)lm_extent_size(extent));
        return;
    }
    uint8_t *table = lm_buffer_reserve(out, (size_t)lm_extent_size(extent));
    for (uint64_t f = 0; table && f < extent.count; f++)
        lm_mdc_put_frame_index(table + f * extent.element,
                               index == LM_MDC_LUMP_FRAME_BASE_FRAMES ? 0 : LM_MDC_NO_COMP_FRAME);
}

static void write_surface(const lm_mdc *mdc, const lm_mdc_surface *surface, lm_buffer *out) {
    lm_mdc_surface placed = *surface;
    lm_extent extents[LM_MDC_NUM_SURFACE_LUMPS];
    int order[LM_MDC_NUM_SURFACE_LUMPS];
    uint8_t header[LM_MDC_SURFACE_HEADER_SIZE];
    for (int i = 0; i < LM_MDC_NUM_SURFACE_LUMPS; i++)
        extents[i] = lm_mdc_surface_extent(mdc, surface, i);
    placed.ofs_end = (int32_t)lm_mesh_place_lumps(&placed, lm_mdc_surface_lumps, extents,
                                                  LM_MDC_NUM_SURFACE_LUMPS, sizeof header, order);
    write_surface_header(&placed, header);
    lm_buffer_append(out, header, sizeof header);
    for (int i = 0; i < LM_MDC_NUM_SURFACE_LUMPS; i++)
        write_surface_lump(mdc, surface, order[i], out);
}

static void write_header(const lm_mdc *mdc, uint8_t *out) {
    lm_mesh_put_header(out, LM_MDC_IDENT, LM_MDC_VERSION,
                       &(lm_mesh_header){mdc->name, mdc->flags, mdc->num_frames, mdc->num_tags,
                                         mdc->num_surfaces, mdc->num_skins});
    for (int i = 0; i < LM_MDC_NUM_LUMPS; i++)
        lm_put_s32(out + lm_mdc_lumps[i].ofs_at, lm_lump_offset(mdc, &lm_mdc_lumps[i]));
    lm_put_s32(out + LM_MDC_AT_OFS_SURFACES, mdc->ofs_surfaces);
    lm_put_s32(out + LM_MDC_AT_OFS_END, mdc->ofs_end);
}

static void write_part(const lm_mdc *mdc, int part, lm_buffer *out) {
    if (part < LM_MDC_NUM_LUMPS) {
        lm_buffer_append(out, lm_lump_data(mdc, &lm_mdc_lumps[part]),
                         (size_t)lm_extent_size(lm_mdc_file_extent(mdc, part)));
        return;
    }
    for (int32_t s = 0; s < mdc->num_surfaces; s++)
        write_surface(mdc, &mdc->surfaces[s], out);
}

/* The file's lumps and, as one more part, its surfaces, in the order in which they were read. */
static void write_parts(const lm_mdc *mdc, lm_mdc *placed, size_t start, lm_buffer *out) {
    enum {
        NUM_PARTS = LM_MDC_NUM_LUMPS + 1
    };
    int32_t offsets[NUM_PARTS];
    int order[NUM_PARTS];
    for (int i = 0; i < LM_MDC_NUM_LUMPS; i++)
        offsets[i] = lm_lump_offset(mdc, &lm_mdc_lumps[i]);
    offsets[LM_MDC_NUM_LUMPS] = mdc->ofs_surfaces;
    lm_order_lumps(offsets, NUM_PARTS, order);
    for (int i = 0; i < NUM_PARTS; i++) {
        int32_t at = (int32_t)(out->size - start);
        if (order[i] < LM_MDC_NUM_LUMPS)
            lm_set_lump_offset(placed, &lm_mdc_lumps[order[i]], at);
        else
            placed->ofs_surfaces = at;
        write_part(mdc, order[i], out);
    }
    placed->ofs_end = (int32_t)(out->size - start);
}

static bool counts_sound(const lm_mdc *mdc) {
    bool sound = mdc->num_frames > 0 && mdc->num_tags >= 0 && mdc->num_surfaces >= 0;
    for (int32_t s = 0; sound && s < mdc->num_surfaces; s++) {
        const lm_mdc_surface *surface = &mdc->surfaces[s];
        sound = surface->num_comp_frames >= 0 && surface->num_base_frames >= 0 &&
                surface->num_shaders >= 0 && surface->num_vertices >= 0 &&
                surface->num_triangles >= 0;
    }
    return sound;
}

/* Whether what was written can be read: the last word on a document that somebody made. */
static bool reads_back(const lm_buffer *out, size_t start, lm_error *error) {
    lm_bytes written = {out->data + start, out->size - start};
    lm_load_reporter reporter;
    lm_mdc_reading reading;
    lm_heap heap;
    const lm_memory memory = {.allocator = out->allocator};
    lm_heap_init(&heap, &memory, written.size);
    lm_load_reporter_init(&reporter, "mdc", false, error);
    bool sound = lm_mdc_parse(written, &heap, &reporter.base, &reading) &&
                 lm_mdc_verify(&reading, &reporter.base);
    lm_mdc_release(&heap, &reading);
    if (!sound && !reporter.failed)
        lm_heap_fail(&heap, "mdc", error);
    return sound;
}

bool lm_mdc_write(const lm_mdc *mdc, lm_buffer *out, lm_error *error) {
    lm_mdc placed = *mdc;
    size_t start = out->size;
    if (!counts_sound(mdc))
        return lm_fail_plain(error, LM_CODE_BAD_COUNT,
                             "mdc: a count is negative, or there are no frames");
    lm_buffer_reserve(out, LM_MDC_HEADER_SIZE);
    write_parts(mdc, &placed, start, out);
    lm_buffer_append(out, mdc->trailing, mdc->num_trailing);
    if (out->failed)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "mdc: no memory to write the file");
    if (out->size - start > INT32_MAX)
        lm_fail_plain(error, LM_CODE_LIMIT, "mdc: the file would pass 2 GB");
    else
        write_header(&placed, out->data + start);
    if (out->size - start <= INT32_MAX && reads_back(out, start, error))
        return true;
    out->size = start;
    return false;
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
