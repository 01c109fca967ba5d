/* From bytes to a document: where everything is. */
#include "formats/mdc/mdc_format.h"

#include <stddef.h>

const lm_lump_member lm_mdc_lumps[LM_MDC_NUM_LUMPS] = {
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

const lm_lump_member lm_mdc_surface_lumps[LM_MDC_NUM_SURFACE_LUMPS] = {
    SURFACE_LUMP("triangles", TRIANGLES, triangles),
    SURFACE_LUMP("shaders", SHADERS, shaders),
    SURFACE_LUMP("st", ST, st),
    SURFACE_LUMP("base vertices", BASE_VERTICES, base_vertices),
    SURFACE_LUMP("compressed vertices", COMP_VERTICES, comp_vertices),
    SURFACE_LUMP("base frame table", FRAME_BASE_FRAMES, frame_base_frames),
    SURFACE_LUMP("compressed frame table", FRAME_COMP_FRAMES, frame_comp_frames),
};

lm_extent lm_mdc_file_extent(const lm_mdc *mdc, int lump) {
    uint64_t frames = (uint64_t)mdc->num_frames, tags = (uint64_t)mdc->num_tags;
    switch (lump) {
    case LM_MDC_LUMP_FRAMES:
        return (lm_extent){frames, LM_MDC_FRAME_SIZE};
    case LM_MDC_LUMP_TAG_NAMES:
        return (lm_extent){tags, LM_MDC_TAG_NAME_SIZE};
    default:
        return (lm_extent){frames * tags, LM_MDC_TAG_SIZE};
    }
}

lm_extent lm_mdc_surface_extent(const lm_mdc *mdc, const lm_mdc_surface *surface, int lump) {
    uint64_t vertices = (uint64_t)surface->num_vertices;
    switch (lump) {
    case LM_MDC_LUMP_TRIANGLES:
        return (lm_extent){(uint64_t)surface->num_triangles, LM_MDC_TRIANGLE_SIZE};
    case LM_MDC_LUMP_SHADERS:
        return (lm_extent){(uint64_t)surface->num_shaders, LM_MDC_SHADER_SIZE};
    case LM_MDC_LUMP_ST:
        return (lm_extent){vertices, LM_MDC_ST_SIZE};
    case LM_MDC_LUMP_BASE_VERTICES:
        return (lm_extent){vertices * (uint64_t)surface->num_base_frames, LM_MDC_BASE_VERTEX_SIZE};
    case LM_MDC_LUMP_COMP_VERTICES:
        return (lm_extent){vertices * (uint64_t)surface->num_comp_frames, LM_MDC_COMP_VERTEX_SIZE};
    default:
        return (lm_extent){(uint64_t)mdc->num_frames, LM_MDC_FRAME_INDEX_SIZE};
    }
}

lm_place lm_mdc_place(const lm_mdc_reading *reading, uint32_t surface, int lump, uint32_t index) {
    const lm_lump_member *l = &lm_mdc_surface_lumps[lump];
    const lm_mdc_surface *s = &reading->mdc.surfaces[surface];
    int64_t start = (int64_t)reading->surface_starts[surface] + lm_lump_offset(s, l);
    size_t element = lm_mdc_surface_extent(&reading->mdc, s, lump).element;
    return (lm_place){l->name, surface, true, index, (size_t)start + index * element};
}

lm_mesh_frames lm_mdc_frames(const lm_mdc *mdc) {
    return (lm_mesh_frames){mdc->frames, mdc->num_frames, (size_t)mdc->ofs_frames};
}

lm_mesh_surface lm_mdc_mesh_surface(const lm_mdc_reading *reading, uint32_t index) {
    const lm_mdc_surface *surface = &reading->mdc.surfaces[index];
    return (lm_mesh_surface){
        .index = index,
        .name = surface->name,
        .num_shaders = surface->num_shaders,
        .num_vertices = surface->num_vertices,
        .num_triangles = surface->num_triangles,
        .shaders = surface->shaders,
        .triangles = surface->triangles,
        .st = surface->st,
        .start = reading->surface_starts[index],
        .at_shaders = lm_mdc_place(reading, index, LM_MDC_LUMP_SHADERS, 0),
        .at_triangles = lm_mdc_place(reading, index, LM_MDC_LUMP_TRIANGLES, 0),
        .at_st = lm_mdc_place(reading, index, LM_MDC_LUMP_ST, 0),
        .at_vertices = lm_mdc_place(reading, index, LM_MDC_LUMP_BASE_VERTICES, 0),
    };
}

static bool parse_header(lm_bytes file, lm_reporter *reporter, lm_mdc *mdc) {
    lm_mesh_header header;
    if (!lm_mesh_parse_header(file, reporter, LM_MDC_VERSION, LM_MDC_HEADER_SIZE, &header))
        return false;
    memcpy(mdc->name, header.name, sizeof mdc->name);
    mdc->flags = header.flags;
    mdc->num_frames = header.num_frames;
    mdc->num_tags = header.num_tags;
    mdc->num_surfaces = header.num_surfaces;
    mdc->num_skins = header.num_skins;
    mdc->ofs_surfaces = lm_get_s32(file.data + LM_MDC_AT_OFS_SURFACES);
    mdc->ofs_end = lm_get_s32(file.data + LM_MDC_AT_OFS_END);
    return true;
}

static void read_surface_header(lm_bytes file, size_t start, lm_mdc_surface *surface) {
    const uint8_t *p = file.data + start;
    *surface = (lm_mdc_surface){
        .ident = lm_get_s32(p + LM_MESH_SURFACE_AT_IDENT),
        .flags = lm_get_s32(p + LM_MESH_SURFACE_AT_FLAGS),
        .num_comp_frames = lm_get_s32(p + LM_MDC_SURFACE_AT_NUM_COMP_FRAMES),
        .num_base_frames = lm_get_s32(p + LM_MDC_SURFACE_AT_NUM_BASE_FRAMES),
        .num_shaders = lm_get_s32(p + LM_MDC_SURFACE_AT_NUM_SHADERS),
        .num_vertices = lm_get_s32(p + LM_MDC_SURFACE_AT_NUM_VERTICES),
        .num_triangles = lm_get_s32(p + LM_MDC_SURFACE_AT_NUM_TRIANGLES),
        .ofs_end = lm_get_s32(p + LM_MDC_SURFACE_AT_OFS_END),
    };
    memcpy(surface->name, p + LM_MESH_SURFACE_AT_NAME, sizeof surface->name);
    for (int i = 0; i < LM_MDC_NUM_SURFACE_LUMPS; i++)
        lm_set_lump_offset(surface, &lm_mdc_surface_lumps[i],
                           lm_get_s32(p + lm_mdc_surface_lumps[i].ofs_at));
}

/* What is left of a damaged surface: its name. */
static void empty_surface(lm_mdc_surface *surface) {
    surface->num_comp_frames = surface->num_base_frames = surface->num_shaders = 0;
    surface->num_vertices = surface->num_triangles = 0;
    for (int i = 0; i < LM_MDC_NUM_SURFACE_LUMPS; i++)
        lm_set_lump_data(surface, &lm_mdc_surface_lumps[i], NULL);
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
    const lm_lump_member *lump = &lm_mdc_surface_lumps[index];
    lm_extent extent = lm_mdc_surface_extent(mdc, surface, index);
    bool optional = may_be_absent(surface, index);
    bool none = optional && lm_lump_offset(surface, lump) == 0;
    if (!none && lm_find_lump(file, surface, lump, extent, start, claimed))
        return true;
    if (optional)
        *claimed += lm_extent_size(extent);
    return optional;
}

static bool parse_surface(lm_bytes file, lm_reporter *reporter, lm_mdc *mdc, uint32_t index,
                          size_t start, uint64_t *claimed) {
    lm_mdc_surface *surface = &mdc->surfaces[index];
    read_surface_header(file, start, surface);
    if (!counts_sound(surface)) {
        empty_surface(surface);
        return lm_report_damage(reporter, LM_CODE_BAD_COUNT,
                                lm_mesh_in_surface(start, index, LM_MDC_SURFACE_AT_NUM_COMP_FRAMES),
                                "surface %u has a negative count, or vertices but no base frame",
                                (unsigned)index);
    }
    for (int i = 0; i < LM_MDC_NUM_SURFACE_LUMPS; i++) {
        if (find_surface_lump(file, mdc, surface, i, start, claimed))
            continue;
        const lm_lump_member *lump = &lm_mdc_surface_lumps[i];
        lm_extent extent = lm_mdc_surface_extent(mdc, surface, i);
        int32_t offset = lm_lump_offset(surface, lump);
        empty_surface(surface);
        return lm_mesh_report_lump(file, reporter, index, start, lump, offset, extent);
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

typedef struct parsing {
    lm_bytes file;
    lm_heap *heap;
    lm_reporter *reporter;
    lm_mdc_reading *reading;
    uint64_t claimed;
} parsing;

static bool parse_next_surface(void *context, uint32_t index, size_t start) {
    parsing *p = context;
    if (!grow_surfaces(p->heap, p->reading, (size_t)index + 1))
        return false;
    p->reading->mdc.num_surfaces = (int32_t)index + 1;
    p->reading->surface_starts[index] = start;
    return parse_surface(p->file, p->reporter, &p->reading->mdc, index, start, &p->claimed);
}

static bool parse_surfaces(parsing *p) {
    lm_mdc *mdc = &p->reading->mdc;
    const lm_mesh_chain chain = {.ofs_surfaces = mdc->ofs_surfaces,
                                 .num_surfaces = mdc->num_surfaces,
                                 .ofs_surfaces_at = LM_MDC_AT_OFS_SURFACES,
                                 .surface_header_size = LM_MDC_SURFACE_HEADER_SIZE,
                                 .ofs_end_at = LM_MDC_SURFACE_AT_OFS_END,
                                 .claimed = &p->claimed,
                                 .parse = parse_next_surface,
                                 .context = p};
    mdc->num_surfaces = 0;
    return lm_mesh_parse_chain(p->file, p->reporter, &chain);
}

/* Where the last lump or header ends. */
static size_t data_end(lm_bytes file, const lm_mdc_reading *reading) {
    const lm_mdc *mdc = &reading->mdc;
    size_t end = LM_MDC_HEADER_SIZE, next;
    for (int i = 0; i < LM_MDC_NUM_LUMPS; i++) {
        next = lm_lump_end(file, mdc, &lm_mdc_lumps[i], lm_mdc_file_extent(mdc, i));
        end = next > end ? next : end;
    }
    for (int32_t s = 0; s < mdc->num_surfaces; s++) {
        const lm_mdc_surface *surface = &mdc->surfaces[s];
        next = reading->surface_starts[s] + LM_MDC_SURFACE_HEADER_SIZE;
        end = next > end ? next : end;
        for (int i = 0; i < LM_MDC_NUM_SURFACE_LUMPS; i++) {
            next = lm_lump_end(file, surface, &lm_mdc_surface_lumps[i],
                               lm_mdc_surface_extent(mdc, surface, i));
            end = next > end ? next : end;
        }
    }
    return end;
}

static bool parse_end(lm_bytes file, lm_reporter *reporter, lm_mdc_reading *reading) {
    lm_mdc *mdc = &reading->mdc;
    lm_bytes trailing;
    bool go_on = lm_mesh_parse_end(file, reporter, LM_MDC_AT_OFS_END, mdc->ofs_end,
                                   data_end(file, reading), &trailing);
    mdc->trailing = trailing.data;
    mdc->num_trailing = trailing.size;
    return go_on;
}

bool lm_mdc_parse(lm_bytes file, lm_heap *heap, lm_reporter *reporter, lm_mdc_reading *reading) {
    parsing p = {file, heap, reporter, reading, 0};
    lm_mdc *mdc = &reading->mdc;
    *reading = (lm_mdc_reading){0};
    if (!parse_header(file, reporter, mdc))
        return false;
    for (int i = 0; i < LM_MDC_NUM_LUMPS; i++)
        if (!lm_mesh_parse_lump(file, reporter, mdc, &lm_mdc_lumps[i], lm_mdc_file_extent(mdc, i),
                                i == LM_MDC_LUMP_FRAMES, &mdc->num_tags, &p.claimed))
            return false;
    return parse_surfaces(&p) && parse_end(file, reporter, reading);
}

void lm_mdc_release(lm_heap *heap, lm_mdc_reading *reading) {
    lm_heap_free(heap, reading->mdc.surfaces, reading->capacity * sizeof(lm_mdc_surface));
    lm_heap_free(heap, reading->surface_starts, reading->capacity_starts * sizeof(size_t));
}

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
