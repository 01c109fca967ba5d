/* What a file's reader need not refuse, but other programs stumble over. */
#include "formats/mdc/mdc_format.h"

#include "core/utf8.h"
#include "formats/names.h"
#include "lerpmesh/check.h"

#include <math.h>

/* Vertices and triangles that the engines' loaders take a surface (SHADER_MAX_VERTEXES, and 6
 * indices a vertex). */
typedef struct lm_mdc_limit {
    lm_engine engine;
    int32_t vertices, triangles;
} lm_mdc_limit;

static const lm_mdc_limit limits[] = {{LM_ENGINE_RTCW, 4000, 8000}, {LM_ENGINE_ET, 10000, 20000}};

/* How far a vertex may lie outside its frame's bounds: converters round and ignore offsets. */
#define BOUNDS_SLACK 1.0f /* units */

static lm_place in_surface(const lm_mdc_reading *reading, uint32_t index, size_t at) {
    return (lm_place){"header", index, true, (uint32_t)at / 4, reading->surface_starts[index] + at};
}

static void check_limits(const lm_mdc_reading *reading, uint32_t index, lm_reporter *reporter) {
    const lm_mdc_surface *surface = &reading->mdc.surfaces[index];
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const lm_mdc_limit *limit = &limits[i];
        if (surface->num_vertices > limit->vertices)
            lm_report_engine(
                reporter, limit->engine, in_surface(reading, index, LM_MDC_SURFACE_AT_NUM_VERTICES),
                "surface %u has %d vertices, but %s loads at most %d", (unsigned)index,
                (int)surface->num_vertices, lm_engine_name(limit->engine), (int)limit->vertices);
        if (surface->num_triangles > limit->triangles)
            lm_report_engine(reporter, limit->engine,
                             in_surface(reading, index, LM_MDC_SURFACE_AT_NUM_TRIANGLES),
                             "surface %u has %d triangles, but %s loads at most %d",
                             (unsigned)index, (int)surface->num_triangles,
                             lm_engine_name(limit->engine), (int)limit->triangles);
    }
}

static void check_header(lm_bytes file, const lm_mdc_reading *reading, uint32_t index,
                         lm_reporter *reporter) {
    const lm_mdc_surface *surface = &reading->mdc.surfaces[index];
    if (surface->ident != LM_MDC_SURFACE_IDENT)
        lm_report_oddity(reporter, LM_CODE_SURFACE_IDENT, in_surface(reading, index, 0), 1,
                         "surface %u begins with %d, real files with %d", (unsigned)index,
                         (int)surface->ident, LM_MDC_SURFACE_IDENT);
    /* As the file says: a damaged surface was reported, and emptied. */
    if (lm_get_s32(file.data + reading->surface_starts[index] + LM_MDC_SURFACE_AT_NUM_TRIANGLES) ==
        0)
        lm_report_oddity(reporter, LM_CODE_EMPTY_SURFACE,
                         in_surface(reading, index, LM_MDC_SURFACE_AT_NUM_TRIANGLES), 1,
                         "surface %u has no triangles", (unsigned)index);
    lm_name_fields shaders = {surface->shaders, LM_MDC_SHADER_SIZE, LM_MDC_NAME_SIZE,
                              (uint32_t)surface->num_shaders};
    lm_check_name_fields(&shaders, lm_mdc_place(reading, index, LM_MDC_LUMP_SHADERS, 0), reporter);
    for (uint32_t i = 0; i < shaders.count; i++)
        lm_check_path(surface->shaders + i * shaders.stride, shaders.size,
                      lm_mdc_place(reading, index, LM_MDC_LUMP_SHADERS, i), reporter);
}

static void check_st(const lm_mdc_reading *reading, uint32_t index, lm_reporter *reporter) {
    const lm_mdc_surface *surface = &reading->mdc.surfaces[index];
    uint32_t outside = 0, first = 0;
    for (int32_t v = 0; v < surface->num_vertices; v++) {
        lm_vec2 st = lm_mdc_get_st(surface, v);
        if (!(st.x >= 0 && st.x <= 1 && st.y >= 0 && st.y <= 1))
            first = outside++ ? first : (uint32_t)v;
    }
    if (outside)
        lm_report_oddity(reporter, LM_CODE_ST_OUTSIDE,
                         lm_mdc_place(reading, index, LM_MDC_LUMP_ST, first), outside,
                         "surface %u: %u texture coordinates lie beyond 0..1, the first is %u",
                         (unsigned)index, (unsigned)outside, (unsigned)first);
}

static bool check_use(const lm_mdc_reading *reading, uint32_t index, lm_heap *heap,
                      lm_reporter *reporter) {
    const lm_mdc_surface *surface = &reading->mdc.surfaces[index];
    size_t count = (size_t)surface->num_vertices;
    uint8_t *used = lm_heap_alloc(heap, count, 1);
    uint32_t unused = 0, first_unused = 0, degenerate = 0, first_degenerate = 0;
    if (!used)
        return false;
    memset(used, 0, count);
    for (int32_t i = 0; i < surface->num_triangles; i++) {
        uint32_t v[3];
        lm_mdc_get_triangle(surface, i, v);
        for (int c = 0; c < 3; c++)
            if (v[c] < count)
                used[v[c]] = 1;
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            first_degenerate = degenerate++ ? first_degenerate : (uint32_t)i;
    }
    for (size_t v = 0; v < count; v++)
        if (!used[v])
            first_unused = unused++ ? first_unused : (uint32_t)v;
    lm_heap_free(heap, used, count);
    if (unused)
        lm_report_oddity(reporter, LM_CODE_UNUSED_VERTICES,
                         lm_mdc_place(reading, index, LM_MDC_LUMP_BASE_VERTICES, first_unused),
                         unused, "surface %u: %u vertices belong to no triangle, the first is %u",
                         (unsigned)index, (unsigned)unused, (unsigned)first_unused);
    if (degenerate)
        lm_report_oddity(reporter, LM_CODE_DEGENERATE_TRIANGLES,
                         lm_mdc_place(reading, index, LM_MDC_LUMP_TRIANGLES, first_degenerate),
                         degenerate, "surface %u: %u triangles use a vertex twice, the first is %u",
                         (unsigned)index, (unsigned)degenerate, (unsigned)first_degenerate);
    return true;
}

static bool base_usable(const lm_mdc_surface *surface, int32_t base) {
    return base >= 0 && base < surface->num_base_frames;
}

/* Whether a vertex of a frame lies outside a box, both in 1/64 units. */
static bool outside(const lm_mdc_surface *surface, int32_t base, int32_t comp, int32_t vertex,
                    const lm_mdc_frame *frame) {
    lm_mdc_base_vertex b = lm_mdc_get_base_vertex(surface, base, vertex);
    lm_vec3 p = {(float)b.v[0] * LM_MDC_BASE_STEP, (float)b.v[1] * LM_MDC_BASE_STEP,
                 (float)b.v[2] * LM_MDC_BASE_STEP};
    if (comp >= 0 && comp < surface->num_comp_frames) {
        lm_mdc_comp_vertex c = lm_mdc_get_comp_vertex(surface, comp, vertex);
        p.x += (float)(c.v[0] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP;
        p.y += (float)(c.v[1] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP;
        p.z += (float)(c.v[2] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP;
    }
    return p.x < frame->bbox_min.x - BOUNDS_SLACK || p.x > frame->bbox_max.x + BOUNDS_SLACK ||
           p.y < frame->bbox_min.y - BOUNDS_SLACK || p.y > frame->bbox_max.y + BOUNDS_SLACK ||
           p.z < frame->bbox_min.z - BOUNDS_SLACK || p.z > frame->bbox_max.z + BOUNDS_SLACK;
}

static void check_bounds(const lm_mdc_reading *reading, uint32_t index, lm_reporter *reporter) {
    const lm_mdc_surface *surface = &reading->mdc.surfaces[index];
    uint32_t frames = 0, first = 0;
    for (int32_t f = 0; f < reading->mdc.num_frames && surface->num_vertices > 0; f++) {
        lm_mdc_frame frame = lm_mdc_get_frame(&reading->mdc, f);
        int32_t base = lm_mdc_get_frame_base_frame(surface, f), v = 0;
        int32_t comp = lm_mdc_get_frame_comp_frame(surface, f);
        if (!lm_mdc_frame_sound(&frame) || !base_usable(surface, base))
            continue;
        while (v < surface->num_vertices && !outside(surface, base, comp, v, &frame))
            v++;
        if (v < surface->num_vertices)
            first = frames++ ? first : (uint32_t)f;
    }
    lm_place place = {"frames", index, false, first,
                      (size_t)reading->mdc.ofs_frames + first * (size_t)LM_MDC_FRAME_SIZE};
    if (frames)
        lm_report_oddity(reporter, LM_CODE_OUTSIDE_BOUNDS, place, frames,
                         "surface %u leaves the bounds of %u frames, so that engines may cull it, "
                         "the first is frame %u",
                         (unsigned)index, (unsigned)frames, (unsigned)first);
}

static bool ends_in(const uint8_t *name, size_t size, const char *end) {
    size_t length = lm_field_length(name, size), end_length = strlen(end);
    return length >= end_length && memcmp(name + length - end_length, end, end_length) == 0;
}

/* The file's own name and its frames'. */
static void check_names(const lm_mdc *mdc, lm_reporter *reporter) {
    lm_place place = {.section = "frames", .offset = (size_t)mdc->ofs_frames + LM_MDC_FRAME_NAME};
    lm_name_fields names = {mdc->frames + LM_MDC_FRAME_NAME, LM_MDC_FRAME_SIZE,
                            LM_MDC_FRAME_NAME_SIZE, (uint32_t)mdc->num_frames};
    if (ends_in(mdc->name, sizeof mdc->name, ".md3"))
        lm_report_oddity(reporter, LM_CODE_HEADER_NAME,
                         (lm_place){.section = "header", .offset = LM_MDC_AT_NAME}, 1,
                         "the header's name still ends in .md3");
    lm_check_name_fields(&names, place, reporter);
}

bool lm_mdc_check(lm_bytes file, lm_heap *heap, lm_reporter *reporter) {
    lm_mdc_reading reading;
    bool done = lm_mdc_parse(file, heap, reporter, &reading);
    /* After a fatal problem there is nothing more to say; without one, memory ran out. */
    bool told = reporter->stopped || reporter->fatal;
    const lm_mdc *mdc = &reading.mdc;
    if (done) {
        lm_mdc_verify(&reading, reporter);
        check_names(mdc, reporter);
    }
    bool memory = true;
    for (uint32_t s = 0; done && memory && s < (uint32_t)mdc->num_surfaces; s++) {
        check_limits(&reading, s, reporter);
        check_header(file, &reading, s, reporter);
        check_st(&reading, s, reporter);
        check_bounds(&reading, s, reporter);
        memory = check_use(&reading, s, heap, reporter);
    }
    lm_mdc_release(heap, &reading);
    return memory && (done || told);
}
