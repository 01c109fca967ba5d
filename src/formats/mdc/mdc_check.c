/* What a file's reader need not refuse, but other programs stumble over. */
#include "formats/mdc/mdc_format.h"

#include "core/utf8.h"
#include "lerpmesh/check.h"

#include <stddef.h>

#define LIMIT(engine, member, AT, most, what) \
    { LM_ENGINE_##engine, offsetof(lm_mdc_surface, member), LM_MDC_SURFACE_AT_##AT, most, what, "" }

/* What the engines' loaders take in a surface (SHADER_MAX_VERTEXES, and 6 indices a vertex). */
static const lm_mesh_limit limits[] = {
    LIMIT(RTCW, num_vertices, NUM_VERTICES, 4000, "vertices"),
    LIMIT(RTCW, num_triangles, NUM_TRIANGLES, 8000, "triangles"),
    LIMIT(ET, num_vertices, NUM_VERTICES, 10000, "vertices"),
    LIMIT(ET, num_triangles, NUM_TRIANGLES, 20000, "triangles"),
};

static void check_ident(const lm_mdc_reading *reading, uint32_t index, lm_reporter *reporter) {
    int32_t ident = reading->mdc.surfaces[index].ident;
    if (ident != LM_MDC_SURFACE_IDENT)
        lm_report_oddity(reporter, LM_CODE_SURFACE_IDENT,
                         lm_mesh_in_surface(reading->surface_starts[index], index, 0), 1,
                         "surface %u begins with %d, real files with %d", (unsigned)index,
                         (int)ident, LM_MDC_SURFACE_IDENT);
}

static bool base_usable(const lm_mdc_surface *surface, int32_t base) {
    return base >= 0 && base < surface->num_base_frames;
}

static bool outside(const void *owner, int32_t frame, int32_t vertex, const lm_mesh_frame *bounds) {
    const lm_mdc_surface *surface = owner;
    int32_t base = lm_mdc_get_frame_base_frame(surface, frame);
    int32_t comp = lm_mdc_get_frame_comp_frame(surface, frame);
    if (!base_usable(surface, base))
        return false;
    lm_mdc_base_vertex b = lm_mdc_get_base_vertex(surface, base, vertex);
    lm_vec3 p = {(float)b.v[0] * LM_MESH_STEP, (float)b.v[1] * LM_MESH_STEP,
                 (float)b.v[2] * LM_MESH_STEP};
    if (comp >= 0 && comp < surface->num_comp_frames) {
        lm_mdc_comp_vertex c = lm_mdc_get_comp_vertex(surface, comp, vertex);
        p.x += (float)(c.v[0] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP;
        p.y += (float)(c.v[1] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP;
        p.z += (float)(c.v[2] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP;
    }
    return lm_mesh_outside_bounds(p, bounds);
}

static bool ends_in(const uint8_t *name, size_t size, const char *end) {
    size_t length = lm_field_length(name, size), end_length = strlen(end);
    return length >= end_length && memcmp(name + length - end_length, end, end_length) == 0;
}

static bool check_surface(lm_bytes file, const lm_mdc_reading *reading, uint32_t index,
                          lm_heap *heap, lm_reporter *reporter) {
    const lm_mdc_surface *owner = &reading->mdc.surfaces[index];
    const lm_mesh_surface surface = lm_mdc_mesh_surface(reading, index);
    const lm_mesh_frames frames = lm_mdc_frames(&reading->mdc);
    lm_mesh_check_limits(limits, sizeof limits / sizeof *limits, owner, &surface, reporter);
    check_ident(reading, index, reporter);
    lm_mesh_check_bounds(&frames, &surface, outside, owner, reporter);
    return lm_mesh_check_surface(file, &surface, LM_MDC_SURFACE_AT_NUM_TRIANGLES, heap, reporter);
}

/* The file's own name and its frames'. */
static void check_names(const lm_mdc *mdc, lm_reporter *reporter) {
    lm_mesh_frames frames = lm_mdc_frames(mdc);
    if (ends_in(mdc->name, sizeof mdc->name, ".md3"))
        lm_report_oddity(reporter, LM_CODE_HEADER_NAME, lm_mesh_in_header(LM_MESH_AT_NAME), 1,
                         "the header's name still ends in .md3");
    lm_mesh_check_frame_names(&frames, reporter);
}

bool lm_mdc_check(lm_bytes file, lm_heap *heap, lm_reporter *reporter) {
    lm_mdc_reading reading;
    bool done = lm_mdc_parse(file, heap, reporter, &reading), memory = true;
    /* After a fatal problem there is nothing more to say; without one, memory ran out. */
    bool told = reporter->stopped || reporter->fatal;
    if (done) {
        lm_mdc_verify(&reading, reporter);
        check_names(&reading.mdc, reporter);
    }
    for (uint32_t s = 0; done && memory && s < (uint32_t)reading.mdc.num_surfaces; s++)
        memory = check_surface(file, &reading, s, heap, reporter);
    lm_mdc_release(heap, &reading);
    return memory && (done || told);
}
