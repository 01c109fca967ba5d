/* Whether what a document's lumps hold can be trusted. */
#include "formats/mdc/mdc_format.h"

/* One entry of a surface's frame tables. */
static bool verify_entry(const lm_mdc_reading *reading, uint32_t index, int lump, int32_t frame,
                         lm_reporter *reporter) {
    const lm_mdc_surface *surface = &reading->mdc.surfaces[index];
    bool base = lump == LM_MDC_LUMP_FRAME_BASE_FRAMES;
    int32_t entry = base ? lm_mdc_get_frame_base_frame(surface, frame)
                         : lm_mdc_get_frame_comp_frame(surface, frame);
    int32_t count = base ? surface->num_base_frames : surface->num_comp_frames;
    /* Any negative entry means "no compressed frame" to the engine. */
    if ((entry >= 0 && entry < count) || (!base && entry < 0))
        return true;
    return lm_report_damage(
        reporter, LM_CODE_FRAME_INDEX, lm_mdc_place(reading, index, lump, (uint32_t)frame),
        "surface %u: frame %d uses %s frame %d, but the surface has %d", (unsigned)index,
        (int)frame, base ? "base" : "compressed", (int)entry, (int)count);
}

static bool verify_tables(const lm_mdc_reading *reading, uint32_t index, lm_reporter *reporter) {
    const lm_mdc_surface *surface = &reading->mdc.surfaces[index];
    if (surface->num_vertices == 0)
        return true;
    for (int32_t f = 0; f < reading->mdc.num_frames; f++) {
        if (!verify_entry(reading, index, LM_MDC_LUMP_FRAME_BASE_FRAMES, f, reporter))
            return false;
        /* The engine does not look at this table where there are no compressed frames. */
        if (surface->num_comp_frames > 0 &&
            !verify_entry(reading, index, LM_MDC_LUMP_FRAME_COMP_FRAMES, f, reporter))
            return false;
    }
    return true;
}

bool lm_mdc_verify(const lm_mdc_reading *reading, lm_reporter *reporter) {
    lm_mesh_frames frames = lm_mdc_frames(&reading->mdc);
    if (!lm_mesh_verify_frames(&frames, reporter))
        return false;
    for (uint32_t s = 0; s < (uint32_t)reading->mdc.num_surfaces; s++) {
        lm_mesh_surface surface = lm_mdc_mesh_surface(reading, s);
        if (!lm_mesh_verify_surface(&surface, reporter) || !verify_tables(reading, s, reporter))
            return false;
    }
    return true;
}
