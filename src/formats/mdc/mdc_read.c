/* Reads bytes into a document and verifies them. */
#include "formats/mdc/mdc_format.h"

/* Returns true unless there are vertices but no base frame. */
static bool counts_sound(const void *owner) {
    const lm_mdc_surface *surface = owner;
    return surface->num_vertices == 0 || surface->num_base_frames > 0;
}

const lm_vertex_mesh_kind lm_mdc_mesh = {
    .header = &lm_mdc_header,
    .name = offsetof(lm_mdc_surface, name),
    .first_count = offsetof(lm_mdc_surface, num_comp_frames),
    .counts_sound = counts_sound,
    .unsound = "a negative count, or vertices but no base frame",
};

/* ---- Contents of lumps --------------------------------------------------------------------- */

/* Reports an entry of a surface's frame tables that is not below `count`. */
static bool report_entry(lm_location table, const char *what, int32_t frame, int32_t entry,
                         int32_t count, lm_reporter *reporter) {
    return lm_report_damage(reporter, LM_CODE_FRAME_INDEX,
                            lm_element_location(table, (uint32_t)frame, LM_MDC_FRAME_INDEX_SIZE),
                            "surface %u: frame %d uses %s frame %d, but the surface has %d",
                            (unsigned)table.surface, (int)frame, what, (int)entry, (int)count);
}

static bool verify_tables(const lm_mdc_surface *surface, int32_t num_frames, lm_location start,
                          lm_reporter *reporter) {
    const int32_t num_base = surface->num_base_frames, num_comp = surface->num_comp_frames;
    for (int32_t f = 0; f < num_frames && surface->num_vertices > 0; f++) {
        int32_t base = lm_mdc_get_frame_base_frame(surface, f);
        if ((base < 0 || base >= num_base) &&
            !report_entry(
                lm_lump_location(start, "base frame table", surface->ofs_frame_base_frames), "base",
                f, base, num_base, reporter))
            return false;
        /* The engine reads this table only if there are compressed frames. Any negative entry means
         * none. */
        int32_t comp = num_comp > 0 ? lm_mdc_get_frame_comp_frame(surface, f) : -1;
        if (comp >= 0 && comp >= num_comp &&
            !report_entry(
                lm_lump_location(start, "compressed frame table", surface->ofs_frame_comp_frames),
                "compressed", f, comp, num_comp, reporter))
            return false;
    }
    return true;
}

bool lm_mdc_verify(const lm_mdc *mdc, lm_reporter *reporter) {
    const lm_vertex_mesh_frames frames = lm_vertex_mesh_frames_of(&lm_mdc_mesh, mdc);
    lm_location start = lm_vertex_mesh_first(&lm_mdc_mesh, mdc);
    if (!lm_vertex_mesh_verify_frames(&frames, reporter))
        return false;
    for (int32_t s = 0; s < mdc->num_surfaces;
         s++, start = lm_vertex_mesh_next(&lm_mdc_mesh, mdc, start)) {
        const lm_vertex_mesh_surface surface = lm_vertex_mesh_surface_at(&lm_mdc_mesh, mdc, start);
        if (!lm_vertex_mesh_verify_surface(&surface, reporter) ||
            !verify_tables(&mdc->surfaces[s], mdc->num_frames, start, reporter))
            return false;
    }
    return true;
}
