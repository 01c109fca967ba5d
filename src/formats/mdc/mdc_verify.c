/* Whether what a document's lumps hold can be trusted. */
#include "formats/mdc/mdc_format.h"

/* An entry of a surface's frame tables names one of `count` frames that is not there. */
static bool report_entry(const lm_mesh_reading *reading, uint32_t index, int lump, int32_t frame,
                         int32_t entry, int32_t count, lm_reporter *reporter) {
    bool base = lump == LM_MDC_LUMP_FRAME_BASE_FRAMES;
    return lm_report_damage(
        reporter, LM_CODE_FRAME_INDEX, lm_mesh_in_lump(reading, index, lump, (uint32_t)frame),
        "surface %u: frame %d uses %s frame %d, but the surface has %d", (unsigned)index,
        (int)frame, base ? "base" : "compressed", (int)entry, (int)count);
}

bool lm_mdc_verify_tables(const lm_mesh_reading *reading, uint32_t index, lm_reporter *reporter) {
    const lm_mdc *mdc = reading->document;
    const lm_mdc_surface *surface = &mdc->surfaces[index];
    const int32_t num_base = surface->num_base_frames, num_comp = surface->num_comp_frames;
    if (surface->num_vertices == 0)
        return true;
    for (int32_t f = 0; f < mdc->num_frames; f++) {
        int32_t base = lm_mdc_get_frame_base_frame(surface, f);
        if ((base < 0 || base >= num_base) &&
            !report_entry(reading, index, LM_MDC_LUMP_FRAME_BASE_FRAMES, f, base, num_base,
                          reporter))
            return false;
        /* The engine looks at this table only where there are compressed frames; any negative
         * entry means none. */
        int32_t comp = num_comp > 0 ? lm_mdc_get_frame_comp_frame(surface, f) : -1;
        if (comp >= 0 && comp >= num_comp &&
            !report_entry(reading, index, LM_MDC_LUMP_FRAME_COMP_FRAMES, f, comp, num_comp,
                          reporter))
            return false;
    }
    return true;
}
