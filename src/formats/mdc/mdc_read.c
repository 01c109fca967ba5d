/* MDC described, and its elements byte by byte. */
#include "formats/mdc/mdc_format.h"

#include <stddef.h>

static const lm_lump_member lumps[LM_MDC_NUM_LUMPS] = {
    {"frames", LM_MDC_AT_OFS_FRAMES, offsetof(lm_mdc, ofs_frames), offsetof(lm_mdc, frames)},
    {"tag names", LM_MDC_AT_OFS_TAG_NAMES, offsetof(lm_mdc, ofs_tag_names),
     offsetof(lm_mdc, tag_names)},
    {"tags", LM_MDC_AT_OFS_TAGS, offsetof(lm_mdc, ofs_tags), offsetof(lm_mdc, tags)},
};

#define SURFACE_LUMP(text, AT, member)                                            \
    {                                                                             \
        text, LM_MDC_SURFACE_AT_OFS_##AT, offsetof(lm_mdc_surface, ofs_##member), \
            offsetof(lm_mdc_surface, member)                                      \
    }

static const lm_lump_member surface_lumps[LM_MDC_NUM_SURFACE_LUMPS] = {
    SURFACE_LUMP("triangles", TRIANGLES, triangles),
    SURFACE_LUMP("shaders", SHADERS, shaders),
    SURFACE_LUMP("st", ST, st),
    SURFACE_LUMP("base vertices", BASE_VERTICES, base_vertices),
    SURFACE_LUMP("compressed vertices", COMP_VERTICES, comp_vertices),
    SURFACE_LUMP("base frame table", FRAME_BASE_FRAMES, frame_base_frames),
    SURFACE_LUMP("compressed frame table", FRAME_COMP_FRAMES, frame_comp_frames),
};

static lm_extent file_extent(const void *document, int lump) {
    const lm_mdc *mdc = document;
    uint64_t tags = (uint64_t)mdc->num_tags;
    if (lump == LM_MDC_LUMP_TAG_NAMES)
        return (lm_extent){tags, LM_MDC_TAG_NAME_SIZE};
    return (lm_extent){(uint64_t)mdc->num_frames * tags, LM_MDC_TAG_SIZE};
}

static lm_extent surface_extent(const void *document, const void *surface, int lump) {
    const lm_mdc *mdc = document;
    const lm_mdc_surface *s = surface;
    uint64_t vertices = (uint64_t)s->num_vertices;
    switch (lump) {
    case LM_MDC_LUMP_BASE_VERTICES:
        return (lm_extent){vertices * (uint64_t)s->num_base_frames, LM_MDC_BASE_VERTEX_SIZE};
    case LM_MDC_LUMP_COMP_VERTICES:
        return (lm_extent){vertices * (uint64_t)s->num_comp_frames, LM_MDC_COMP_VERTEX_SIZE};
    default:
        return (lm_extent){(uint64_t)mdc->num_frames, LM_MDC_FRAME_INDEX_SIZE};
    }
}

static bool counts_sound(const void *surface) {
    const lm_mdc_surface *s = surface;
    return s->num_vertices == 0 || s->num_base_frames > 0;
}

/* The two tables may be absent where they have nothing to say: no compressed frames, at most one
 * base frame. */
static bool may_be_absent(const void *surface, int lump) {
    const lm_mdc_surface *s = surface;
    if (lump == LM_MDC_LUMP_FRAME_BASE_FRAMES)
        return s->num_comp_frames == 0 && s->num_base_frames <= 1;
    return lump == LM_MDC_LUMP_FRAME_COMP_FRAMES && s->num_comp_frames == 0;
}

static void write_absent(int lump, uint64_t count, lm_buffer *out) {
    int32_t entry = lump == LM_MDC_LUMP_FRAME_BASE_FRAMES ? 0 : LM_MDC_NO_COMP_FRAME;
    uint8_t *table = lm_buffer_reserve(out, (size_t)count * LM_MDC_FRAME_INDEX_SIZE);
    for (uint64_t f = 0; table && f < count; f++)
        lm_mdc_put_frame_index(table + f * LM_MDC_FRAME_INDEX_SIZE, entry);
}

/* Tables are compared by what they say, so that an absent one equals one that says the same. */
static bool equal_tables(const void *document, const void *a, const void *b) {
    const lm_mdc *mdc = document;
    for (int32_t f = 0; f < mdc->num_frames; f++)
        if (lm_mdc_get_frame_base_frame(a, f) != lm_mdc_get_frame_base_frame(b, f) ||
            lm_mdc_get_frame_comp_frame(a, f) != lm_mdc_get_frame_comp_frame(b, f))
            return false;
    return true;
}

LM_MESH_SHOWN_AT(lm_mdc, ofs_frames, LM_MESH_AT_NAME, LM_MDC_AT_OFS_FRAMES);
LM_MESH_SHOWN_AT(lm_mdc, ofs_end, LM_MESH_AT_NAME, LM_MDC_AT_OFS_END);
LM_MESH_SHOWN_AT(lm_mdc_surface, num_comp_frames, 0, LM_MDC_SURFACE_AT_NUM_COMP_FRAMES);
LM_MESH_SHOWN_AT(lm_mdc_surface, ofs_triangles, 0, LM_MDC_SURFACE_AT_OFS_TRIANGLES);
LM_MESH_SHOWN_AT(lm_mdc_surface, ofs_end, 0, LM_MDC_SURFACE_AT_OFS_END);

const lm_mesh_kind lm_mdc_kind = {
    .format = &lm_format_mdc,
    .title = "MDC",
    .ident = LM_MDC_IDENT,
    .version = LM_MDC_VERSION,
    .file = {.struct_size = sizeof(lm_mdc),
             .from = LM_MESH_AT_NAME,
             .header_size = LM_MDC_HEADER_SIZE,
             .name_at = LM_MESH_AT_NAME,
             .counts_at = LM_MESH_AT_NUM_FRAMES,
             .offsets_at = LM_MDC_AT_OFS_FRAMES,
             .lumps = lumps,
             .num_lumps = LM_MDC_NUM_LUMPS},
    .surface = {.struct_size = sizeof(lm_mdc_surface),
                .header_size = LM_MDC_SURFACE_HEADER_SIZE,
                .name_at = LM_MESH_SURFACE_AT_NAME,
                .counts_at = LM_MDC_SURFACE_AT_NUM_COMP_FRAMES,
                .offsets_at = LM_MDC_SURFACE_AT_OFS_TRIANGLES,
                .lumps = surface_lumps,
                .num_lumps = LM_MDC_NUM_SURFACE_LUMPS},
    .tail = offsetof(lm_mdc, surfaces),
    .file_extent = file_extent,
    .surface_extent = surface_extent,
    .unsound = "a negative count, or vertices but no base frame",
    .counts_sound = counts_sound,
    .first_optional = LM_MDC_LUMP_FRAME_BASE_FRAMES,
    .may_be_absent = may_be_absent,
    .write_absent = write_absent,
    .equal_optional = equal_tables,
    .verify_surface = lm_mdc_verify_tables,
    .check_file = lm_mdc_check_file,
    .check_surface = lm_mdc_check_surface,
    .outside = lm_mdc_outside,
    .carve_keys = lm_mdc_carve_keys,
};

lm_mdc_frame lm_mdc_get_frame(const lm_mdc *mdc, int32_t frame) {
    return lm_mesh_get_frame(mdc->frames + (size_t)frame * LM_MDC_FRAME_SIZE);
}

lm_mdc_tag lm_mdc_get_tag(const lm_mdc *mdc, int32_t frame, int32_t tag) {
    size_t index = (size_t)frame * (size_t)mdc->num_tags + (size_t)tag;
    const uint8_t *p = mdc->tags + index * LM_MDC_TAG_SIZE;
    return (lm_mdc_tag){{lm_get_s16(p), lm_get_s16(p + 2), lm_get_s16(p + 4)},
                        {lm_get_s16(p + 6), lm_get_s16(p + 8), lm_get_s16(p + 10)}};
}

void lm_mdc_get_triangle(const lm_mdc_surface *surface, int32_t index, uint32_t vertex[3]) {
    lm_mesh_get_triangle(surface->triangles + (size_t)index * LM_MDC_TRIANGLE_SIZE, vertex);
}

lm_vec2 lm_mdc_get_st(const lm_mdc_surface *surface, int32_t vertex) {
    return lm_mesh_get_st(surface->st + (size_t)vertex * LM_MDC_ST_SIZE);
}

lm_mdc_base_vertex lm_mdc_get_base_vertex(const lm_mdc_surface *surface, int32_t base_frame,
                                          int32_t vertex) {
    size_t index = (size_t)base_frame * (size_t)surface->num_vertices + (size_t)vertex;
    return lm_mesh_get_vertex(surface->base_vertices + index * LM_MDC_BASE_VERTEX_SIZE);
}

lm_mdc_comp_vertex lm_mdc_get_comp_vertex(const lm_mdc_surface *surface, int32_t comp_frame,
                                          int32_t vertex) {
    size_t index = (size_t)comp_frame * (size_t)surface->num_vertices + (size_t)vertex;
    const uint8_t *p = surface->comp_vertices + index * LM_MDC_COMP_VERTEX_SIZE;
    return (lm_mdc_comp_vertex){{p[0], p[1], p[2]}, p[3]};
}

int32_t lm_mdc_get_frame_base_frame(const lm_mdc_surface *surface, int32_t frame) {
    if (!surface->frame_base_frames)
        return 0;
    return lm_get_s16(surface->frame_base_frames + (size_t)frame * LM_MDC_FRAME_INDEX_SIZE);
}

int32_t lm_mdc_get_frame_comp_frame(const lm_mdc_surface *surface, int32_t frame) {
    if (!surface->frame_comp_frames)
        return LM_MDC_NO_COMP_FRAME;
    return lm_get_s16(surface->frame_comp_frames + (size_t)frame * LM_MDC_FRAME_INDEX_SIZE);
}
