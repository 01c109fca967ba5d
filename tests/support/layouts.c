#include "layouts.h"

/* A lump: its size is element * count * times. A factor without an offset is 1. */
typedef struct lump_layout {
    size_t ofs_at;
    bool surfaces;       /* the surfaces follow each other from here */
    size_t element;      /* bytes */
    size_t stride_at;    /* in the same header: the number of bytes per element instead */
    size_t count_at;     /* in the same header */
    size_t times_at;     /* in the file's header */
    size_t own_times_at; /* in the same header */
} lump_layout;

typedef struct header_layout {
    size_t size, end_at, num_lumps;
    lump_layout lumps[7];
} header_layout;

typedef struct format_layout {
    header_layout file, surface;
    size_t num_surfaces_at;
} format_layout;

/* Taken from the formats' descriptions, not from the library. */
static const format_layout layouts[] = {
    [MD2] =
        {.file =
             {.size = 68,
              .end_at = MD2_AT_OFS_END,
              .num_lumps = 5,
              .lumps =
                  {{.ofs_at = MD2_AT_OFS_SKINS, .element = 64, .count_at = MD2_AT_NUM_SKINS},
                   {.ofs_at = MD2_AT_OFS_ST, .element = 4, .count_at = MD2_AT_NUM_ST},
                   {.ofs_at = MD2_AT_OFS_TRIS, .element = 12, .count_at = MD2_AT_NUM_TRIS},
                   {.ofs_at = MD2_AT_OFS_FRAMES,
                    .count_at = MD2_AT_NUM_FRAMES,
                    .stride_at = MD2_AT_FRAMESIZE},
                   {.ofs_at = MD2_AT_OFS_GLCMDS, .element = 4, .count_at = MD2_AT_NUM_GLCMDS}}}},
    [MD3] = {.file = {.size = 108,
                      .end_at = MD3_AT_OFS_END,
                      .num_lumps = 3,
                      .lumps = {{.ofs_at = MD3_AT_OFS_FRAMES,
                                 .element = 56,
                                 .count_at = MD3_AT_NUM_FRAMES},
                                {.ofs_at = MD3_AT_OFS_TAGS,
                                 .element = 112,
                                 .count_at = MD3_AT_NUM_TAGS,
                                 .times_at = MD3_AT_NUM_FRAMES},
                                {.ofs_at = MD3_AT_OFS_SURFACES, .surfaces = true}}},
             .surface = {.size = 108,
                         .end_at = MD3_SURFACE_AT_OFS_END,
                         .num_lumps = 4,
                         .lumps = {{.ofs_at = MD3_SURFACE_AT_OFS_TRIANGLES,
                                    .element = 12,
                                    .count_at = MD3_SURFACE_AT_NUM_TRIANGLES},
                                   {.ofs_at = MD3_SURFACE_AT_OFS_SHADERS,
                                    .element = 68,
                                    .count_at = MD3_SURFACE_AT_NUM_SHADERS},
                                   {.ofs_at = MD3_SURFACE_AT_OFS_ST,
                                    .element = 8,
                                    .count_at = MD3_SURFACE_AT_NUM_VERTS},
                                   {.ofs_at = MD3_SURFACE_AT_OFS_XYZ_NORMALS,
                                    .element = 8,
                                    .count_at = MD3_SURFACE_AT_NUM_VERTS,
                                    .times_at = MD3_AT_NUM_FRAMES}}},
             .num_surfaces_at = MD3_AT_NUM_SURFACES},
    [MDC] =
        {.file =
             {.size = 112,
              .end_at = MDC_AT_OFS_END,
              .num_lumps = 4,
              .lumps =
                  {{.ofs_at = MDC_AT_OFS_FRAMES, .element = 56, .count_at = MDC_AT_NUM_FRAMES},
                   {.ofs_at = MDC_AT_OFS_TAG_NAMES, .element = 64, .count_at = MDC_AT_NUM_TAGS},
                   {.ofs_at = MDC_AT_OFS_TAGS,
                    .element = 12,
                    .count_at = MDC_AT_NUM_TAGS,
                    .times_at = MDC_AT_NUM_FRAMES},
                   {.ofs_at = MDC_AT_OFS_SURFACES, .surfaces = true}}},
         .surface = {.size = 124,
                     .end_at = SURFACE_AT_OFS_END,
                     .num_lumps = 7,
                     .lumps = {{.ofs_at = SURFACE_AT_OFS_TRIANGLES,
                                .element = 12,
                                .count_at = SURFACE_AT_NUM_TRIANGLES},
                               {.ofs_at = SURFACE_AT_OFS_SHADERS,
                                .element = 68,
                                .count_at = SURFACE_AT_NUM_SHADERS},
                               {.ofs_at = SURFACE_AT_OFS_ST,
                                .element = 8,
                                .count_at = SURFACE_AT_NUM_VERTICES},
                               {.ofs_at = SURFACE_AT_OFS_BASE,
                                .element = 8,
                                .count_at = SURFACE_AT_NUM_VERTICES,
                                .own_times_at = SURFACE_AT_NUM_BASE},
                               {.ofs_at = SURFACE_AT_OFS_COMP,
                                .element = 4,
                                .count_at = SURFACE_AT_NUM_VERTICES,
                                .own_times_at = SURFACE_AT_NUM_COMP},
                               {.ofs_at = SURFACE_AT_OFS_BASE_TABLE,
                                .element = 2,
                                .times_at = MDC_AT_NUM_FRAMES},
                               {.ofs_at = SURFACE_AT_OFS_COMP_TABLE,
                                .element = 2,
                                .times_at = MDC_AT_NUM_FRAMES}}},
         .num_surfaces_at = MDC_AT_NUM_SURFACES},
};

static size_t number_at(const blob *file, size_t from, size_t at) {
    return at ? get32(file, from + at) : 1;
}

static size_t lump_size(const blob *file, size_t from, const lump_layout *lump) {
    const size_t element = lump->stride_at ? get32(file, from + lump->stride_at) : lump->element;
    return element * number_at(file, from, lump->count_at) * number_at(file, 0, lump->times_at) *
           number_at(file, from, lump->own_times_at);
}

static void put_at(lm_buffer *out, size_t at, size_t value) {
    blob written = {out->data, out->size};
    put32(&written, at, (uint32_t)value);
}

static void append_padding(lm_buffer *out, size_t gap) {
    for (size_t i = 0; i < gap; i++)
        lm_buffer_append(out, "\xEE", 1);
}

/* Returns one of 2 * count orders: rotated, or reversed and rotated. */
static size_t in_order(size_t i, size_t order, size_t count) {
    return ((order / count % 2 ? count - 1 - i : i) + order) % count;
}

static void lay_out_part(const blob *file, const format_layout *layout, const header_layout *header,
                         size_t from, size_t order, size_t gap, lm_buffer *out) {
    const size_t start = out->size;
    lm_buffer_append(out, file->data + from, header->size);
    for (size_t i = 0; i < header->num_lumps; i++) {
        const lump_layout *lump = &header->lumps[in_order(i, order, header->num_lumps)];
        append_padding(out, gap);
        put_at(out, start + lump->ofs_at, out->size - start);
        if (!lump->surfaces) {
            lm_buffer_append(out, file->data + from + get32(file, from + lump->ofs_at),
                             lump_size(file, from, lump));
            continue;
        }
        size_t surface = get32(file, lump->ofs_at);
        for (uint32_t s = 0; s < get32(file, layout->num_surfaces_at); s++) {
            lay_out_part(file, layout, &layout->surface, surface, order, gap, out);
            surface += get32(file, surface + layout->surface.end_at);
        }
    }
    append_padding(out, gap);
    put_at(out, start + header->end_at, out->size - start);
}

blob rearrange(int format, const blob *file, size_t order, size_t gap) {
    lm_buffer out = {0};
    if (format == MDL)
        return blob_copy(file->data, file->size);
    lay_out_part(file, &layouts[format], &layouts[format].file, 0, order, gap, &out);
    return blob_from_buffer(&out);
}

static bool is_offset(const header_layout *header, size_t start, size_t at) {
    bool found = at >= start + header->end_at && at < start + header->end_at + 4;
    for (size_t i = 0; i < header->num_lumps; i++) {
        const size_t ofs_at = start + header->lumps[i].ofs_at;
        found = found || (at >= ofs_at && at < ofs_at + 4);
    }
    return found;
}

bool is_layout(int format, const blob *file, size_t at) {
    if (format == MDL)
        return false;
    const format_layout *layout = &layouts[format];
    bool found = is_offset(&layout->file, 0, at);
    const uint32_t surfaces = layout->num_surfaces_at ? get32(file, layout->num_surfaces_at) : 0;
    for (uint32_t s = 0; s < surfaces; s++)
        found = found || is_offset(&layout->surface, surface_start(file, (int32_t)s), at);
    return found;
}
