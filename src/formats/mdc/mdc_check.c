/* Reports things that a reader accepts but other programs may not. */
#include "formats/mdc/mdc_format.h"

#include "core/text.h"

/* Returns true if a frame leaves its bounds. A frame is a base frame with optional offsets. */
static bool leaves(const lm_mdc_surface *surface, int32_t frame, const lm_vertex_mesh_frame *box) {
    const int32_t base = lm_mdc_get_frame_base_frame(surface, frame);
    const int32_t comp = lm_mdc_get_frame_comp_frame(surface, frame);
    const bool moved = comp >= 0 && comp < surface->num_comp_frames;
    if (base < 0 || base >= surface->num_base_frames)
        return false;
    for (int32_t v = 0; v < surface->num_vertices; v++) {
        const size_t index = (size_t)base * (size_t)surface->num_vertices + (size_t)v;
        lm_vec3 p =
            lm_vertex_mesh_get_position(surface->base_vertices + index * LM_MDC_BASE_VERTEX_SIZE);
        if (moved) {
            lm_mdc_comp_vertex c;
            lm_mdc_get_comp_vertex(surface, comp, v, &c);
            p.x += (float)(c.v[0] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP;
            p.y += (float)(c.v[1] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP;
            p.z += (float)(c.v[2] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP;
        }
        if (lm_vertex_mesh_outside_bounds(p, box))
            return true;
    }
    return false;
}

static void check_bounds(const lm_mdc *mdc, uint32_t surface, lm_reporter *reporter) {
    const lm_vertex_mesh_frames frames = lm_vertex_mesh_frames_of(&lm_mdc_mesh, mdc);
    lm_tally outside = {0};
    for (int32_t f = 0; f < frames.count && mdc->surfaces[surface].num_vertices > 0; f++) {
        const lm_vertex_mesh_frame frame = lm_vertex_mesh_frame_at(&frames, f);
        lm_tally_add(&outside,
                     lm_vertex_mesh_frame_valid(&frame) &&
                         leaves(&mdc->surfaces[surface], f, &frame),
                     (uint32_t)f);
    }
    lm_vertex_mesh_report_outside(&frames, surface, outside, reporter);
}

static lm_location in_surface(lm_location start, size_t member) {
    return lm_field_location(&lm_mdc_surface_header, start, member);
}

static void check_header(const lm_mdc_surface *surface, lm_location start, lm_reporter *reporter) {
    lm_check_limits(&lm_mdc_surface_header, surface, start, reporter);
    if (surface->ident != LM_MDC_SURFACE_IDENT)
        lm_report_warning(reporter, LM_CODE_SURFACE_IDENT,
                          in_surface(start, offsetof(lm_mdc_surface, ident)), 1,
                          "surface %u begins with %d instead of the usual %d",
                          (unsigned)start.surface, (int)surface->ident, LM_MDC_SURFACE_IDENT);
}

static bool ends_in(const uint8_t *name, size_t size, const char *end) {
    size_t length = lm_field_length(name, size), end_length = strlen(end);
    return length >= end_length && memcmp(name + length - end_length, end, end_length) == 0;
}

void lm_mdc_check(lm_reading *reading, const void *document) {
    const lm_mdc *mdc = document;
    lm_reporter *reporter = reading->reporter;
    const lm_vertex_mesh_frames frames = lm_vertex_mesh_frames_of(&lm_mdc_mesh, mdc);
    lm_location start = lm_vertex_mesh_first(&lm_mdc_mesh, mdc);
    lm_mdc_verify(mdc, reporter);
    if (ends_in(mdc->name, sizeof mdc->name, ".md3"))
        lm_report_warning(
            reporter, LM_CODE_HEADER_NAME,
            lm_field_location(&lm_mdc_header, lm_file_location(), offsetof(lm_mdc, name)), 1,
            "the header's name still ends in .md3");
    lm_vertex_mesh_check_frame_names(&frames, reporter);
    for (int32_t s = 0; s < mdc->num_surfaces;
         s++, start = lm_vertex_mesh_next(&lm_mdc_mesh, mdc, start)) {
        const lm_vertex_mesh_surface surface = lm_vertex_mesh_surface_at(&lm_mdc_mesh, mdc, start);
        const lm_location triangles = in_surface(start, offsetof(lm_mdc_surface, num_triangles));
        check_header(&mdc->surfaces[start.surface], start, reading->reporter);
        check_bounds(mdc, start.surface, reading->reporter);
        lm_vertex_mesh_check_surface(&surface, triangles, "base vertices", reading);
    }
}
