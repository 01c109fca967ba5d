/* Whether what a document's lumps hold can be trusted. */
#include "formats/mdc/mdc_format.h"

#include "model/build.h"

bool lm_mdc_frame_sound(const lm_mdc_frame *frame) {
    return lm_sane_vec3(frame->bbox_min) && lm_sane_vec3(frame->bbox_max) &&
           lm_sane_vec3(frame->local_origin) && lm_sane(frame->radius) &&
           frame->bbox_min.x <= frame->bbox_max.x && frame->bbox_min.y <= frame->bbox_max.y &&
           frame->bbox_min.z <= frame->bbox_max.z;
}

static bool verify_frames(const lm_mdc *mdc, lm_reporter *reporter) {
    for (int32_t f = 0; f < mdc->num_frames; f++) {
        lm_mdc_frame frame = lm_mdc_get_frame(mdc, f);
        lm_place place = {.section = "frames",
                          .index = (uint32_t)f,
                          .offset = (size_t)mdc->ofs_frames + (size_t)f * LM_MDC_FRAME_SIZE};
        if (!lm_mdc_frame_sound(&frame) &&
            !lm_report_oddity(reporter, LM_CODE_BAD_BOUNDS, place, 1,
                              "the bounds of frame %d are not finite or inside out; they are "
                              "computed instead",
                              (int)f))
            return false;
    }
    return true;
}

static bool verify_triangles(const lm_mdc_reading *reading, uint32_t index, lm_reporter *reporter) {
    const lm_mdc_surface *surface = &reading->mdc.surfaces[index];
    for (int32_t i = 0; i < surface->num_triangles; i++) {
        uint32_t vertex[3];
        lm_mdc_get_triangle(surface, i, vertex);
        for (int c = 0; c < 3; c++)
            if (vertex[c] >= (uint32_t)surface->num_vertices &&
                !lm_report_damage(reporter, LM_CODE_VERTEX_INDEX,
                                  lm_mdc_place(reading, index, LM_MDC_LUMP_TRIANGLES, (uint32_t)i),
                                  "surface %u: triangle %d uses vertex %u, but the surface has %d",
                                  (unsigned)index, (int)i, (unsigned)vertex[c],
                                  (int)surface->num_vertices))
                return false;
    }
    return true;
}

static bool verify_st(const lm_mdc_reading *reading, uint32_t index, lm_reporter *reporter) {
    const lm_mdc_surface *surface = &reading->mdc.surfaces[index];
    for (int32_t v = 0; v < surface->num_vertices; v++) {
        lm_vec2 st = lm_mdc_get_st(surface, v);
        if ((!lm_sane(st.x) || !lm_sane(st.y)) &&
            !lm_report_damage(reporter, LM_CODE_NOT_FINITE,
                              lm_mdc_place(reading, index, LM_MDC_LUMP_ST, (uint32_t)v),
                              "surface %u: the texture coordinate of vertex %d is not a usable "
                              "number",
                              (unsigned)index, (int)v))
            return false;
    }
    return true;
}

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
    if (!verify_frames(&reading->mdc, reporter))
        return false;
    for (uint32_t s = 0; s < (uint32_t)reading->mdc.num_surfaces; s++)
        if (!verify_triangles(reading, s, reporter) || !verify_st(reading, s, reporter) ||
            !verify_tables(reading, s, reporter))
            return false;
    return true;
}
