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

void lm_mdc_check_surface(const lm_mesh_reading *reading, uint32_t index, lm_reporter *reporter) {
    const lm_mdc *mdc = reading->document;
    int32_t ident = mdc->surfaces[index].ident;
    lm_mesh_check_limits(limits, sizeof limits / sizeof *limits, reading, index, reporter);
    if (ident != LM_MDC_SURFACE_IDENT)
        lm_report_oddity(reporter, LM_CODE_SURFACE_IDENT,
                         lm_mesh_in_surface(reading->surface_starts[index], index, 0), 1,
                         "surface %u begins with %d, real files with %d", (unsigned)index,
                         (int)ident, LM_MDC_SURFACE_IDENT);
}

static bool base_usable(const lm_mdc_surface *surface, int32_t base) {
    return base >= 0 && base < surface->num_base_frames;
}

bool lm_mdc_outside(const void *surface, int32_t frame, int32_t vertex,
                    const lm_mesh_frame *bounds) {
    const lm_mdc_surface *s = surface;
    int32_t base = lm_mdc_get_frame_base_frame(s, frame);
    int32_t comp = lm_mdc_get_frame_comp_frame(s, frame);
    if (!base_usable(s, base))
        return false;
    lm_mdc_base_vertex b = lm_mdc_get_base_vertex(s, base, vertex);
    lm_vec3 p = {(float)b.v[0] * LM_MESH_STEP, (float)b.v[1] * LM_MESH_STEP,
                 (float)b.v[2] * LM_MESH_STEP};
    if (comp >= 0 && comp < s->num_comp_frames) {
        lm_mdc_comp_vertex c = lm_mdc_get_comp_vertex(s, comp, vertex);
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

void lm_mdc_check_file(const lm_mesh_reading *reading, lm_reporter *reporter) {
    const lm_mdc *mdc = reading->document;
    if (ends_in(mdc->name, sizeof mdc->name, ".md3"))
        lm_report_oddity(reporter, LM_CODE_HEADER_NAME, lm_mesh_in_header(LM_MESH_AT_NAME), 1,
                         "the header's name still ends in .md3");
    lm_mesh_check_frame_names(reading, reporter);
}

bool lm_mdc_check(lm_bytes file, lm_heap *heap, lm_reporter *reporter) {
    lm_mdc mdc;
    lm_mesh_reading reading = {.kind = &lm_mdc_kind, .document = &mdc};
    return lm_mesh_check(&reading, file, heap, reporter);
}
