/* Reports things that a reader accepts but other programs may not. */
#include "formats/vertex_mesh/vertex_mesh.h"

#include "core/arena.h"
#include "core/text.h"
#include "formats/common_checks.h"
#include "lerpmesh/check.h"

/* The tolerance of a frame's bounds: converters round, and ignore offsets. */
#define BOUNDS_SLACK 1.0f /* units */

void lmi_vertex_mesh_check_frame_names(const lm_vertex_mesh_frames *frames, lm_reporter *reporter) {
    lm_name_fields names = {.first = frames->data + LM_VERTEX_MESH_FRAME_NAME,
                            .stride = LM_VERTEX_MESH_FRAME_SIZE,
                            .size = LM_VERTEX_MESH_FRAME_NAME_SIZE,
                            .count = (uint32_t)frames->count};
    lm_location location = lmi_location_at("frames", 0, frames->offset + LM_VERTEX_MESH_FRAME_NAME);
    lmi_check_name_fields(&names, location, reporter);
}

/* Returns true if a path ends like an image's: Q2PRO (IMG_Find) needs a dot and three letters. */
static bool has_extension(const uint8_t *field, size_t size) {
    const size_t length = lmi_field_length(field, size);
    return length == 0 || (length > 4 && field[length - 4] == '.');
}

static void check_shaders(const lm_vertex_mesh_surface *surface, lm_reporter *reporter) {
    lm_name_fields names = {.first = surface->shaders,
                            .stride = LM_VERTEX_MESH_SHADER_SIZE,
                            .size = LM_VERTEX_MESH_NAME_SIZE,
                            .count = (uint32_t)surface->num_shaders};
    lm_location location = lmi_lump_location(surface->start, "shaders", surface->ofs_shaders);
    lmi_check_name_fields(&names, location, reporter);
    for (uint32_t i = 0; i < names.count; i++) {
        location.index = i;
        lmi_check_path(surface->shaders + i * names.stride, names.size, location, reporter);
        if (reporter->engine == LM_ENGINE_Q2PRO &&
            !has_extension(surface->shaders + i * names.stride, names.size))
            lmi_report_warning(reporter, LM_CODE_SKIN_PATH, location, 1,
                               "surface %u: shader path %u has no extension, so %s shows no image",
                               (unsigned)location.surface, (unsigned)i,
                               lm_engine_name(LM_ENGINE_Q2PRO));
        location.offset += names.stride;
    }
}

/* Reports a tally of a lump's elements. */
static void report_cases(lm_reporter *reporter, lm_code code, lm_location lump, size_t element,
                         lm_tally tally, const char *what) {
    lmi_report_cases(reporter, code, lmi_element_location(lump, tally.first, element), tally, what,
                     "");
}

static void check_st(const lm_vertex_mesh_surface *surface, lm_reporter *reporter) {
    lm_tally outside = {0};
    for (int32_t v = 0; v < surface->num_vertices; v++) {
        lm_vec2 st = lmi_vertex_mesh_get_st(surface->st + (size_t)v * LM_VERTEX_MESH_ST_SIZE);
        lmi_tally_add(&outside, st.x < 0 || st.x > 1 || st.y < 0 || st.y > 1, (uint32_t)v);
    }
    report_cases(reporter, LM_CODE_ST_OUTSIDE,
                 lmi_lump_location(surface->start, "st", surface->ofs_st), LM_VERTEX_MESH_ST_SIZE,
                 outside, "texture {coordinate lies|coordinates lie} outside 0..1");
}

lm_tally lmi_vertex_mesh_check_use(const lm_vertex_mesh_surface *surface,
                                   const lm_reading *reading) {
    const uint32_t count = (uint32_t)surface->num_vertices;
    uint8_t *used = lmi_arena_zeros(reading->arena, count, 1);
    lm_tally unused = {0}, degenerate = {0};
    if (!used)
        return unused;
    for (int32_t i = 0; i < surface->num_triangles; i++) {
        uint32_t v[3];
        lmi_vertex_mesh_get_triangle(surface->triangles + (size_t)i * LM_VERTEX_MESH_TRIANGLE_SIZE,
                                     v);
        for (int c = 0; c < 3; c++)
            if (v[c] < count)
                used[v[c]] = 1;
        lmi_tally_add(&degenerate, v[0] == v[1] || v[1] == v[2] || v[2] == v[0], (uint32_t)i);
    }
    for (uint32_t v = 0; v < count; v++)
        lmi_tally_add(&unused, !used[v], v);
    report_cases(reading->reporter, LM_CODE_DEGENERATE_TRIANGLES,
                 lmi_lump_location(surface->start, "triangles", surface->ofs_triangles),
                 LM_VERTEX_MESH_TRIANGLE_SIZE, degenerate,
                 "{triangle uses|triangles use} a vertex twice");
    return unused;
}

bool lmi_vertex_mesh_outside_bounds(lm_vec3 p, const lm_vertex_mesh_frame *bounds) {
    return p.x < bounds->bbox_min.x - BOUNDS_SLACK || p.x > bounds->bbox_max.x + BOUNDS_SLACK ||
           p.y < bounds->bbox_min.y - BOUNDS_SLACK || p.y > bounds->bbox_max.y + BOUNDS_SLACK ||
           p.z < bounds->bbox_min.z - BOUNDS_SLACK || p.z > bounds->bbox_max.z + BOUNDS_SLACK;
}

static void report_outside(const lm_vertex_mesh_frames *frames, uint32_t surface, lm_tally outside,
                           lm_reporter *reporter) {
    const lm_location location = {
        "frames", frames->offset + outside.first * (size_t)LM_VERTEX_MESH_FRAME_SIZE,
        surface | LM_OF_FILE, outside.first};
    if (outside.count > 0)
        lmi_report_warning(
            reporter, LM_CODE_OUTSIDE_BOUNDS, location, outside.count,
            "surface %u extends beyond the bounds of %s, so engines may cull it; the "
            "first is frame %u",
            (unsigned)surface, lmi_count_words(outside.count, "{frame|frames}").text,
            (unsigned)outside.first);
}

void lmi_vertex_mesh_check_end(const lm_reading *reading, const lm_vertex_mesh_kind *kind,
                               const void *document) {
    const lm_header_lump *chain = lmi_vertex_mesh_chain_lump(kind);
    const int32_t count = lmi_number(document, chain->count.member);
    const uint8_t *stated = reading->file.data + lmi_field_at(kind->header, chain->count.member);
    lm_location start = lmi_vertex_mesh_first(kind, document);
    if (count == 0 || count < lmi_get_s32(stated)) /* the chain ends early, which was reported */
        return;
    while (start.surface + 1 < (uint32_t)count)
        start = lmi_vertex_mesh_next(kind, document, start);
    const int32_t length =
        lmi_number(lmi_vertex_mesh_struct_of(kind, document, start.surface), chain->chain->end);
    if (length <= 0 || !lmi_fits(reading->file.size, start.offset, (uint64_t)length, 1))
        lmi_report_warning(reading->reporter, LM_CODE_WRONG_END,
                           lmi_field_location(chain->chain, start, chain->chain->end), 1,
                           "surface %u ends %d bytes after its start, which is not in the file",
                           (unsigned)start.surface, (int)length);
}

void lmi_vertex_mesh_check_surfaces(
    lm_reading *reading, const lm_vertex_mesh_kind *kind, const void *document,
    void (*check_header)(const void *document, lm_location start, lm_reporter *reporter),
    bool (*leaves)(const void *surface, int32_t frame, const lm_vertex_mesh_frame *bounds)) {
    const lm_header_lump *chain = lmi_vertex_mesh_chain_lump(kind);
    const lm_header_lump *triangles = &chain->chain->lumps.list[0], *vertices = triangles + 3;
    const lm_vertex_mesh_frames frames = lmi_vertex_mesh_frames_of(kind, document);
    lm_reporter *reporter = reading->reporter;
    lm_location start = lmi_vertex_mesh_first(kind, document);
    for (int32_t i = lmi_number(document, chain->count.member); i > 0; i--) {
        const void *raw = lmi_vertex_mesh_struct_of(kind, document, start.surface);
        const lm_vertex_mesh_surface surface = lmi_vertex_mesh_surface_at(kind, document, start);
        const lm_location count = lmi_field_location(chain->chain, start, triangles->count.member);
        lm_tally outside = {0};
        lmi_check_limits(chain->chain, raw, start, reporter);
        check_header(document, start, reporter);
        for (int32_t f = 0; f < frames.count && surface.num_vertices > 0; f++) {
            const lm_vertex_mesh_frame frame = lmi_vertex_mesh_frame_at(&frames, f);
            lmi_tally_add(&outside, lmi_vertex_mesh_frame_valid(&frame) && leaves(raw, f, &frame),
                          (uint32_t)f);
        }
        report_outside(&frames, start.surface, outside, reporter);
        /* Uses the count in the file: a damaged surface was reported and emptied. */
        if (lmi_get_s32(reading->file.data + count.offset) == 0)
            lmi_report_warning(reporter, LM_CODE_EMPTY_SURFACE, count, 1,
                               "surface %u has no triangles", (unsigned)start.surface);
        check_shaders(&surface, reporter);
        check_st(&surface, reporter);
        report_cases(reporter, LM_CODE_UNUSED_VERTICES,
                     lmi_lump_location(start, vertices->shape.name, surface.ofs_vertices),
                     LM_VERTEX_MESH_VERTEX_SIZE, lmi_vertex_mesh_check_use(&surface, reading),
                     "{vertex is|vertices are} used by no triangle");
        start = lmi_vertex_mesh_next(kind, document, start);
    }
    lmi_vertex_mesh_check_end(reading, kind, document);
}
