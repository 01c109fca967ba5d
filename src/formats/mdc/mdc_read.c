/* From bytes to a document: where everything is. */
#include "formats/mdc/mdc_format.h"

#include <stddef.h>

const lm_mdc_lump lm_mdc_lumps[LM_MDC_NUM_LUMPS] = {
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

const lm_mdc_lump lm_mdc_surface_lumps[LM_MDC_NUM_SURFACE_LUMPS] = {
    SURFACE_LUMP("triangles", TRIANGLES, triangles),
    SURFACE_LUMP("shaders", SHADERS, shaders),
    SURFACE_LUMP("st", ST, st),
    SURFACE_LUMP("base vertices", BASE_VERTICES, base_vertices),
    SURFACE_LUMP("compressed vertices", COMP_VERTICES, comp_vertices),
    SURFACE_LUMP("base frame table", FRAME_BASE_FRAMES, frame_base_frames),
    SURFACE_LUMP("compressed frame table", FRAME_COMP_FRAMES, frame_comp_frames),
};

lm_mdc_extent lm_mdc_file_extent(const lm_mdc *mdc, int lump) {
    uint64_t frames = (uint64_t)mdc->num_frames, tags = (uint64_t)mdc->num_tags;
    switch (lump) {
    case LM_MDC_LUMP_FRAMES:
        return (lm_mdc_extent){frames, LM_MDC_FRAME_SIZE};
    case LM_MDC_LUMP_TAG_NAMES:
        return (lm_mdc_extent){tags, LM_MDC_TAG_NAME_SIZE};
    default:
        return (lm_mdc_extent){frames * tags, LM_MDC_TAG_SIZE};
    }
}

lm_mdc_extent lm_mdc_surface_extent(const lm_mdc *mdc, const lm_mdc_surface *surface, int lump) {
    uint64_t vertices = (uint64_t)surface->num_vertices;
    switch (lump) {
    case LM_MDC_LUMP_TRIANGLES:
        return (lm_mdc_extent){(uint64_t)surface->num_triangles, LM_MDC_TRIANGLE_SIZE};
    case LM_MDC_LUMP_SHADERS:
        return (lm_mdc_extent){(uint64_t)surface->num_shaders, LM_MDC_SHADER_SIZE};
    case LM_MDC_LUMP_ST:
        return (lm_mdc_extent){vertices, LM_MDC_ST_SIZE};
    case LM_MDC_LUMP_BASE_VERTICES:
        return (lm_mdc_extent){vertices * (uint64_t)surface->num_base_frames,
                               LM_MDC_BASE_VERTEX_SIZE};
    case LM_MDC_LUMP_COMP_VERTICES:
        return (lm_mdc_extent){vertices * (uint64_t)surface->num_comp_frames,
                               LM_MDC_COMP_VERTEX_SIZE};
    default:
        return (lm_mdc_extent){(uint64_t)mdc->num_frames, LM_MDC_FRAME_INDEX_SIZE};
    }
}

static lm_place in_header(size_t at) {
    return (lm_place){.section = "header", .index = (uint32_t)at / 4, .offset = at};
}

static lm_place in_surface(size_t start, uint32_t surface, size_t at) {
    return (lm_place){"header", surface, true, (uint32_t)at / 4, start + at};
}

lm_place lm_mdc_place(const lm_mdc_reading *reading, uint32_t surface, int lump, uint32_t index) {
    const lm_mdc_lump *l = &lm_mdc_surface_lumps[lump];
    const lm_mdc_surface *s = &reading->mdc.surfaces[surface];
    int64_t start = (int64_t)reading->surface_starts[surface] + lm_mdc_lump_offset(s, l);
    size_t element = lm_mdc_surface_extent(&reading->mdc, s, lump).element;
    return (lm_place){l->name, surface, true, index, (size_t)start + index * element};
}

static bool parse_ident(lm_bytes file, lm_reporter *reporter) {
    if (file.size < LM_MDC_HEADER_SIZE)
        return lm_report_fatal(reporter, LM_CODE_TRUNCATED, in_header(0),
                               "the file has %zu bytes, but a header takes %d", file.size,
                               LM_MDC_HEADER_SIZE);
    int32_t version = lm_get_s32(file.data + LM_MDC_AT_VERSION);
    if (version != LM_MDC_VERSION)
        return lm_report_fatal(reporter, LM_CODE_BAD_VERSION, in_header(LM_MDC_AT_VERSION),
                               "version %d, but only version %d is known", (int)version,
                               LM_MDC_VERSION);
    return true;
}

static bool parse_count(lm_bytes file, lm_reporter *reporter, size_t at, const char *what,
                        int32_t *count) {
    *count = lm_get_s32(file.data + at);
    return *count >= 0 || lm_report_fatal(reporter, LM_CODE_BAD_COUNT, in_header(at),
                                          "the number of %s is negative: %d", what, (int)*count);
}

static bool parse_header(lm_bytes file, lm_reporter *reporter, lm_mdc *mdc) {
    memcpy(mdc->name, file.data + LM_MDC_AT_NAME, sizeof mdc->name);
    mdc->flags = lm_get_s32(file.data + LM_MDC_AT_FLAGS);
    mdc->num_skins = lm_get_s32(file.data + LM_MDC_AT_NUM_SKINS);
    mdc->ofs_surfaces = lm_get_s32(file.data + LM_MDC_AT_OFS_SURFACES);
    mdc->ofs_end = lm_get_s32(file.data + LM_MDC_AT_OFS_END);
    if (!parse_count(file, reporter, LM_MDC_AT_NUM_FRAMES, "frames", &mdc->num_frames) ||
        !parse_count(file, reporter, LM_MDC_AT_NUM_TAGS, "tags", &mdc->num_tags) ||
        !parse_count(file, reporter, LM_MDC_AT_NUM_SURFACES, "surfaces", &mdc->num_surfaces))
        return false;
    if (mdc->num_frames == 0)
        return lm_report_fatal(reporter, LM_CODE_BAD_COUNT, in_header(LM_MDC_AT_NUM_FRAMES),
                               "the model has no frames");
    return true;
}

/* Finds a lump of the file (start 0) or of a surface that starts at `start`. False if it does not
 * lie in the file. `claimed` adds up the bytes that all lumps say are theirs. */
static bool find_lump(lm_bytes file, void *owner, const lm_mdc_lump *lump, lm_mdc_extent extent,
                      size_t start, uint64_t *claimed) {
    int32_t offset = lm_mdc_lump_offset(owner, lump);
    if (extent.count == 0)
        return true;
    /* A lump in front of its own surface would belong to another one. */
    if (offset < 0 ||
        !lm_fits(file.size, (uint64_t)start + (uint32_t)offset, extent.count, extent.element))
        return false;
    lm_mdc_set_lump_data(owner, lump, file.data + start + offset);
    *claimed += extent.count * extent.element;
    return true;
}

static bool parse_file_lump(lm_bytes file, lm_reporter *reporter, lm_mdc *mdc, int index,
                            uint64_t *claimed) {
    const lm_mdc_lump *lump = &lm_mdc_lumps[index];
    lm_mdc_extent extent = lm_mdc_file_extent(mdc, index);
    int32_t offset = lm_get_s32(file.data + lump->ofs_at);
    lm_mdc_set_lump_offset(mdc, lump, offset);
    if (find_lump(file, mdc, lump, extent, 0, claimed))
        return true;
    const bool needed = index == LM_MDC_LUMP_FRAMES;
    bool go_on = lm_report_damage(reporter, LM_CODE_BAD_OFFSET, in_header(lump->ofs_at),
                                  "%llu %s of %zu bytes start at byte %d, but the file has %zu",
                                  (unsigned long long)extent.count, lump->name, extent.element,
                                  (int)offset, file.size);
    if (go_on && needed)
        return lm_report_fatal(reporter, LM_CODE_BAD_OFFSET, in_header(lump->ofs_at),
                               "without frames nothing can be read");
    mdc->num_tags = 0;
    return go_on;
}

static void read_surface_header(lm_bytes file, size_t start, lm_mdc_surface *surface) {
    const uint8_t *p = file.data + start;
    *surface = (lm_mdc_surface){
        .ident = lm_get_s32(p + LM_MDC_SURFACE_AT_IDENT),
        .flags = lm_get_s32(p + LM_MDC_SURFACE_AT_FLAGS),
        .num_comp_frames = lm_get_s32(p + LM_MDC_SURFACE_AT_NUM_COMP_FRAMES),
        .num_base_frames = lm_get_s32(p + LM_MDC_SURFACE_AT_NUM_BASE_FRAMES),
        .num_shaders = lm_get_s32(p + LM_MDC_SURFACE_AT_NUM_SHADERS),
        .num_vertices = lm_get_s32(p + LM_MDC_SURFACE_AT_NUM_VERTICES),
        .num_triangles = lm_get_s32(p + LM_MDC_SURFACE_AT_NUM_TRIANGLES),
        .ofs_end = lm_get_s32(p + LM_MDC_SURFACE_AT_OFS_END),
    };
    memcpy(surface->name, p + LM_MDC_SURFACE_AT_NAME, sizeof surface->name);
    for (int i = 0; i < LM_MDC_NUM_SURFACE_LUMPS; i++)
        lm_mdc_set_lump_offset(surface, &lm_mdc_surface_lumps[i],
                               lm_get_s32(p + lm_mdc_surface_lumps[i].ofs_at));
}

/* What is left of a damaged surface: its name. */
static void empty_surface(lm_mdc_surface *surface) {
    surface->num_comp_frames = surface->num_base_frames = surface->num_shaders = 0;
    surface->num_vertices = surface->num_triangles = 0;
    for (int i = 0; i < LM_MDC_NUM_SURFACE_LUMPS; i++)
        lm_mdc_set_lump_data(surface, &lm_mdc_surface_lumps[i], NULL);
}

static bool counts_sound(const lm_mdc_surface *surface) {
    return surface->num_comp_frames >= 0 && surface->num_base_frames >= 0 &&
           surface->num_shaders >= 0 && surface->num_vertices >= 0 && surface->num_triangles >= 0 &&
           (surface->num_vertices == 0 || surface->num_base_frames > 0);
}

/* The two tables may be absent where they have nothing to say: no compressed frames, at most one
 * base frame. */
static bool may_be_absent(const lm_mdc_surface *surface, int lump) {
    if (lump == LM_MDC_LUMP_FRAME_BASE_FRAMES)
        return surface->num_comp_frames == 0 && surface->num_base_frames <= 1;
    return lump == LM_MDC_LUMP_FRAME_COMP_FRAMES && surface->num_comp_frames == 0;
}

/* An absent table has offset 0 (no lump can be there: it is the surface's header) or one that leads
 * out of the file or in front of its surface. It is claimed all the same: it takes as long to look
 * at as one that is there. */
static bool find_surface_lump(lm_bytes file, const lm_mdc *mdc, lm_mdc_surface *surface, int index,
                              size_t start, uint64_t *claimed) {
    const lm_mdc_lump *lump = &lm_mdc_surface_lumps[index];
    lm_mdc_extent extent = lm_mdc_surface_extent(mdc, surface, index);
    bool optional = may_be_absent(surface, index);
    bool none = optional && lm_mdc_lump_offset(surface, lump) == 0;
    if (!none && find_lump(file, surface, lump, extent, start, claimed))
        return true;
    if (optional)
        *claimed += extent.count * extent.element;
    return optional;
}

static bool parse_surface(lm_bytes file, lm_reporter *reporter, lm_mdc *mdc, uint32_t index,
                          size_t start, uint64_t *claimed) {
    lm_mdc_surface *surface = &mdc->surfaces[index];
    read_surface_header(file, start, surface);
    if (!counts_sound(surface)) {
        empty_surface(surface);
        return lm_report_damage(reporter, LM_CODE_BAD_COUNT,
                                in_surface(start, index, LM_MDC_SURFACE_AT_NUM_COMP_FRAMES),
                                "surface %u has a negative count, or vertices but no base frame",
                                (unsigned)index);
    }
    for (int i = 0; i < LM_MDC_NUM_SURFACE_LUMPS; i++) {
        if (find_surface_lump(file, mdc, surface, i, start, claimed))
            continue;
        const lm_mdc_lump *lump = &lm_mdc_surface_lumps[i];
        lm_mdc_extent extent = lm_mdc_surface_extent(mdc, surface, i);
        int32_t offset = lm_mdc_lump_offset(surface, lump);
        empty_surface(surface);
        return lm_report_damage(
            reporter, LM_CODE_BAD_OFFSET, in_surface(start, index, lump->ofs_at),
            "surface %u: %s (%llu times %zu bytes) at byte %lld, but the file has %zu",
            (unsigned)index, lump->name, (unsigned long long)extent.count, extent.element,
            (long long)start + offset, file.size);
    }
    return true;
}

static bool grow_surfaces(lm_heap *heap, lm_mdc_reading *reading, size_t need) {
    void *surfaces = reading->mdc.surfaces, *starts = reading->surface_starts;
    bool grown = lm_heap_grow(heap, &surfaces, &reading->capacity, need, sizeof(lm_mdc_surface)) &&
                 lm_heap_grow(heap, &starts, &reading->capacity_starts, need, sizeof(size_t));
    reading->mdc.surfaces = surfaces;
    reading->surface_starts = starts;
    return grown;
}

/* Whether the chain can go on behind a surface. Lumps may share bytes, but a chain whose surfaces
 * all claim the same megabyte would make reading cost the square of the file. */
static bool chain_sound(lm_bytes file, lm_reporter *reporter, const lm_mdc_reading *reading,
                        uint32_t index, bool last, uint64_t claimed) {
    const lm_mdc_surface *surface = &reading->mdc.surfaces[index];
    size_t start = reading->surface_starts[index];
    if (claimed / LM_MEMORY_MULTIPLE > file.size)
        return lm_report_fatal(reporter, LM_CODE_OVERLAP, in_surface(start, index, 0),
                               "the surfaces take %llu bytes of a file of %zu",
                               (unsigned long long)claimed, file.size);
    if (surface->ofs_end > 0 || last)
        return true;
    return lm_report_damage(
        reporter, LM_CODE_BAD_OFFSET, in_surface(start, index, LM_MDC_SURFACE_AT_OFS_END),
        "surface %u ends %d bytes after its start, so that the next one cannot be found",
        (unsigned)index, (int)surface->ofs_end);
}

/* A chain of surfaces: each says where the next one starts. */
static bool parse_surfaces(lm_bytes file, lm_heap *heap, lm_reporter *reporter,
                           lm_mdc_reading *reading, uint64_t *claimed) {
    lm_mdc *mdc = &reading->mdc;
    int64_t start = mdc->ofs_surfaces;
    int32_t wanted = mdc->num_surfaces;
    mdc->num_surfaces = 0;
    for (int32_t i = 0; i < wanted; i++) {
        if (start < 0 || !lm_fits(file.size, (uint64_t)start, 1, LM_MDC_SURFACE_HEADER_SIZE))
            return lm_report_damage(reporter, LM_CODE_BAD_OFFSET, in_header(LM_MDC_AT_OFS_SURFACES),
                                    "surface %d of %d starts at byte %lld, but the file has %zu",
                                    (int)i, (int)wanted, (long long)start, file.size);
        if (!grow_surfaces(heap, reading, (size_t)i + 1))
            return false;
        mdc->num_surfaces = i + 1;
        reading->surface_starts[i] = (size_t)start;
        if (!parse_surface(file, reporter, mdc, (uint32_t)i, (size_t)start, claimed) ||
            !chain_sound(file, reporter, reading, (uint32_t)i, i + 1 == wanted, *claimed))
            return false;
        if (mdc->surfaces[i].ofs_end <= 0)
            return true;
        start += mdc->surfaces[i].ofs_end;
    }
    return true;
}

static size_t lump_end(lm_bytes file, const void *owner, const lm_mdc_lump *lump,
                       lm_mdc_extent extent) {
    const uint8_t *data = lm_mdc_lump_data(owner, lump);
    return data ? (size_t)(data - file.data) + (size_t)extent.count * extent.element : 0;
}

/* Where the last lump or header ends. */
static size_t data_end(lm_bytes file, const lm_mdc_reading *reading) {
    const lm_mdc *mdc = &reading->mdc;
    size_t end = LM_MDC_HEADER_SIZE, next;
    for (int i = 0; i < LM_MDC_NUM_LUMPS; i++) {
        next = lump_end(file, mdc, &lm_mdc_lumps[i], lm_mdc_file_extent(mdc, i));
        end = next > end ? next : end;
    }
    for (int32_t s = 0; s < mdc->num_surfaces; s++) {
        const lm_mdc_surface *surface = &mdc->surfaces[s];
        next = reading->surface_starts[s] + LM_MDC_SURFACE_HEADER_SIZE;
        end = next > end ? next : end;
        for (int i = 0; i < LM_MDC_NUM_SURFACE_LUMPS; i++) {
            next = lump_end(file, surface, &lm_mdc_surface_lumps[i],
                            lm_mdc_surface_extent(mdc, surface, i));
            end = next > end ? next : end;
        }
    }
    return end;
}

static bool parse_end(lm_bytes file, lm_reporter *reporter, lm_mdc_reading *reading) {
    lm_mdc *mdc = &reading->mdc;
    size_t last = data_end(file, reading);
    bool wrong =
        mdc->ofs_end < 0 || (size_t)mdc->ofs_end < last || (size_t)mdc->ofs_end > file.size;
    size_t end = wrong ? last : (size_t)mdc->ofs_end;
    mdc->trailing = file.data + end;
    mdc->num_trailing = file.size - end;
    if (wrong && !lm_report_oddity(reporter, LM_CODE_WRONG_END, in_header(LM_MDC_AT_OFS_END), 1,
                                   "ofsEnd is %d, but the data ends at %zu and the file at %zu",
                                   (int)mdc->ofs_end, last, file.size))
        return false;
    if (mdc->num_trailing == 0)
        return true;
    return lm_report_oddity(reporter, LM_CODE_TRAILING_BYTES,
                            (lm_place){.section = "header", .offset = end}, 1,
                            "%zu bytes follow the end of the model", mdc->num_trailing);
}

bool lm_mdc_parse(lm_bytes file, lm_heap *heap, lm_reporter *reporter, lm_mdc_reading *reading) {
    uint64_t claimed = 0;
    *reading = (lm_mdc_reading){0};
    if (!parse_ident(file, reporter) || !parse_header(file, reporter, &reading->mdc))
        return false;
    for (int i = 0; i < LM_MDC_NUM_LUMPS; i++)
        if (!parse_file_lump(file, reporter, &reading->mdc, i, &claimed))
            return false;
    return parse_surfaces(file, heap, reporter, reading, &claimed) &&
           parse_end(file, reporter, reading);
}

void lm_mdc_release(lm_heap *heap, lm_mdc_reading *reading) {
    lm_heap_free(heap, reading->mdc.surfaces, reading->capacity * sizeof(lm_mdc_surface));
    lm_heap_free(heap, reading->surface_starts, reading->capacity_starts * sizeof(size_t));
}

lm_mdc_frame lm_mdc_get_frame(const lm_mdc *mdc, int32_t frame) {
    const uint8_t *p = mdc->frames + (size_t)frame * LM_MDC_FRAME_SIZE;
    lm_mdc_frame out = {lm_get_vec3(p + LM_MDC_FRAME_BBOX_MIN),
                        lm_get_vec3(p + LM_MDC_FRAME_BBOX_MAX),
                        lm_get_vec3(p + LM_MDC_FRAME_LOCAL_ORIGIN),
                        lm_get_f32(p + LM_MDC_FRAME_RADIUS),
                        {0}};
    memcpy(out.name, p + LM_MDC_FRAME_NAME, sizeof out.name);
    return out;
}

lm_mdc_tag lm_mdc_get_tag(const lm_mdc *mdc, int32_t frame, int32_t tag) {
    size_t index = (size_t)frame * (size_t)mdc->num_tags + (size_t)tag;
    const uint8_t *p = mdc->tags + index * LM_MDC_TAG_SIZE;
    return (lm_mdc_tag){{lm_get_s16(p), lm_get_s16(p + 2), lm_get_s16(p + 4)},
                        {lm_get_s16(p + 6), lm_get_s16(p + 8), lm_get_s16(p + 10)}};
}

void lm_mdc_get_triangle(const lm_mdc_surface *surface, int32_t index, uint32_t vertex[3]) {
    const uint8_t *p = surface->triangles + (size_t)index * LM_MDC_TRIANGLE_SIZE;
    for (size_t c = 0; c < 3; c++)
        vertex[c] = lm_get_u32(p + 4 * c);
}

lm_vec2 lm_mdc_get_st(const lm_mdc_surface *surface, int32_t vertex) {
    const uint8_t *p = surface->st + (size_t)vertex * LM_MDC_ST_SIZE;
    return (lm_vec2){lm_get_f32(p), lm_get_f32(p + 4)};
}

lm_mdc_base_vertex lm_mdc_get_base_vertex(const lm_mdc_surface *surface, int32_t base_frame,
                                          int32_t vertex) {
    size_t index = (size_t)base_frame * (size_t)surface->num_vertices + (size_t)vertex;
    const uint8_t *p = surface->base_vertices + index * LM_MDC_BASE_VERTEX_SIZE;
    return (lm_mdc_base_vertex){{lm_get_s16(p), lm_get_s16(p + 2), lm_get_s16(p + 4)},
                                lm_get_u16(p + 6)};
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
