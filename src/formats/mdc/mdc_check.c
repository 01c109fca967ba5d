/* Reports things that a reader accepts but other programs may not. */
#include "formats/mdc/mdc_format.h"

#include "core/text.h"

/* Returns true if a frame leaves its bounds. A frame is a base frame with optional offsets. */
static bool leaves(const void *from, int32_t frame, const lm_vertex_mesh_frame *box) {
    const lm_mdc_surface *surface = from;
    const int32_t base = lmi_mdc_get_frame_base_frame(surface, frame);
    const int32_t comp = lmi_mdc_get_frame_comp_frame(surface, frame);
    const bool moved = comp >= 0 && comp < surface->num_comp_frames;
    if (base < 0 || base >= surface->num_base_frames)
        return false;
    for (int32_t v = 0; v < surface->num_vertices; v++) {
        const size_t index = (size_t)base * (size_t)surface->num_vertices + (size_t)v;
        lm_vec3 p =
            lmi_vertex_mesh_get_position(surface->base_vertices + index * LM_MDC_BASE_VERTEX_SIZE);
        if (moved) {
            lm_mdc_comp_vertex c;
            lmi_mdc_get_comp_vertex(surface, comp, v, &c);
            p.x += (float)(c.v[0] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP;
            p.y += (float)(c.v[1] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP;
            p.z += (float)(c.v[2] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP;
        }
        if (lmi_vertex_mesh_outside_bounds(p, box))
            return true;
    }
    return false;
}

static void check_header(const void *document, lm_location start, lm_reporter *reporter) {
    const lm_mdc *mdc = document;
    const int32_t ident = mdc->surfaces[start.surface].ident;
    if (ident != LM_MDC_SURFACE_IDENT)
        lmi_report_warning(
            reporter, LM_CODE_SURFACE_IDENT,
            lmi_field_location(&lmi_mdc_surface_header, start, offsetof(lm_mdc_surface, ident)), 1,
            "surface %u begins with %d instead of the usual %d", (unsigned)start.surface,
            (int)ident, LM_MDC_SURFACE_IDENT);
}

static bool ends_in(const uint8_t *name, size_t size, const char *end) {
    size_t length = lmi_field_length(name, size), end_length = strlen(end);
    return length >= end_length && memcmp(name + length - end_length, end, end_length) == 0;
}

void lmi_mdc_check(lm_reading *reading, const void *document) {
    const lm_mdc *mdc = document;
    lm_reporter *reporter = reading->reporter;
    const lm_vertex_mesh_frames frames = lmi_vertex_mesh_frames_of(&lmi_mdc_mesh, mdc);
    lmi_vertex_mesh_verify(&lmi_mdc_mesh, mdc, reporter);
    if (ends_in(mdc->name, sizeof mdc->name, ".md3"))
        lmi_report_warning(
            reporter, LM_CODE_HEADER_NAME,
            lmi_field_location(&lmi_mdc_header, lmi_file_location(), offsetof(lm_mdc, name)), 1,
            "the header's name still ends in .md3");
    lmi_vertex_mesh_check_frame_names(&frames, reporter);
    lmi_vertex_mesh_check_surfaces(reading, &lmi_mdc_mesh, mdc, check_header, leaves);
}
