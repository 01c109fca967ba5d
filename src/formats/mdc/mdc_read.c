/* From bytes to a document: where everything is, and whether it can be trusted. */
#include "formats/mdc/mdc_format.h"

lm_mesh_frames lm_mdc_frames(const lm_mdc *mdc) {
    return (lm_mesh_frames){mdc->frames, mdc->num_frames, (size_t)mdc->ofs_frames};
}

lm_mesh_surface lm_mdc_surface_at(const lm_mdc *mdc, lm_location start) {
    const lm_mdc_surface *s = &mdc->surfaces[start.surface];
    return (lm_mesh_surface){
        start,
        s->name,
        s->num_shaders,
        s->num_vertices,
        s->num_triangles,
        s->shaders,
        s->triangles,
        s->st,
        s->ofs_shaders,
        s->ofs_triangles,
        s->ofs_st,
        s->ofs_base_vertices,
    };
}

lm_location lm_mdc_next(const lm_mdc *mdc, lm_location start) {
    return lm_surface_location(start.surface + 1,
                               start.offset + (size_t)mdc->surfaces[start.surface].ofs_end);
}

/* ---- Finding everything -------------------------------------------------------------------- */

static bool counts_sound(const lm_mdc_surface *surface) {
    return lm_counts_sound(&lm_mdc_surface_header, surface) &&
           (surface->num_vertices == 0 || surface->num_base_frames > 0);
}

static bool parse_surface(lm_reading *reading, const lm_mdc *mdc, lm_mdc_surface *surface,
                          lm_location start) {
    lm_get_header(&lm_mdc_surface_header, reading->file.data + start.offset, surface);
    if (counts_sound(surface))
        return lm_mesh_find_lumps(reading, &lm_mdc_surface_header, mdc, surface, start);
    lm_empty_part(&lm_mdc_surface_header, surface);
    return lm_report_damage(
        reading->reporter, LM_CODE_BAD_COUNT,
        lm_field_location(&lm_mdc_surface_header, start, offsetof(lm_mdc_surface, num_comp_frames)),
        "surface %u has a negative count, or vertices but no base frame", (unsigned)start.surface);
}

/* The chain of surfaces: each says where the next one starts. */
static bool parse_surfaces(lm_reading *reading, lm_owned *owned, lm_mdc *mdc) {
    const int32_t count = mdc->num_surfaces;
    const lm_mesh_chain chain =
        lm_mesh_find_chain(reading->file, &lm_mdc_header.lumps.list[LM_MDC_LUMP_SURFACES], mdc);
    lm_location start = lm_surface_location(0, (size_t)mdc->ofs_surfaces);
    mdc->num_surfaces = 0;
    mdc->surfaces = lm_own(owned, reading->heap, chain.length, sizeof *mdc->surfaces);
    if (!mdc->surfaces)
        return false;
    for (size_t i = 0; i < chain.length; i++) {
        lm_mdc_surface *surface = &mdc->surfaces[i];
        mdc->num_surfaces++;
        if (!parse_surface(reading, mdc, surface, start) ||
            !lm_mesh_chain_sound(reading, &lm_mdc_surface_header, start, surface->ofs_end,
                                 mdc->num_surfaces == count))
            return false;
        start = lm_mdc_next(mdc, start);
    }
    return !chain.leaves || lm_mesh_report_chain(reading, &lm_mdc_header, &chain, count);
}

bool lm_mdc_parse(lm_reading *reading, lm_owned *owned, lm_mdc *mdc) {
    return lm_mesh_read_file(reading, &lm_mdc_header, mdc) && parse_surfaces(reading, owned, mdc) &&
           lm_read_end(reading, &lm_mdc_header, mdc, "ofsEnd");
}

/* ---- What lumps hold ----------------------------------------------------------------------- */

/* An entry of a surface's frame tables names one of `count` frames that is not there. */
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
        /* The engine looks at this table only where there are compressed frames; any negative
         * entry means none. */
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
    const lm_mesh_frames frames = lm_mdc_frames(mdc);
    lm_location start = lm_surface_location(0, (size_t)mdc->ofs_surfaces);
    if (!lm_mesh_verify_frames(&frames, reporter))
        return false;
    for (int32_t s = 0; s < mdc->num_surfaces; s++, start = lm_mdc_next(mdc, start)) {
        const lm_mesh_surface surface = lm_mdc_surface_at(mdc, start);
        if (!lm_mesh_verify_surface(&surface, reporter) ||
            !verify_tables(&mdc->surfaces[s], mdc->num_frames, start, reporter))
            return false;
    }
    return true;
}
