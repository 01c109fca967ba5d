/* From bytes to a document: where everything is, and whether it can be trusted. */
#include "formats/md3/md3_format.h"

#include "model/build.h"

lm_mesh_frames lm_md3_frames(const lm_md3 *md3) {
    return (lm_mesh_frames){md3->frames, md3->num_frames, (size_t)md3->ofs_frames};
}

lm_mesh_surface lm_md3_surface_at(const lm_md3 *md3, lm_location start) {
    const lm_md3_surface *s = &md3->surfaces[start.surface];
    return (lm_mesh_surface){
        start,
        s->name,
        s->num_shaders,
        s->num_verts,
        s->num_triangles,
        s->shaders,
        s->triangles,
        s->st,
        s->ofs_shaders,
        s->ofs_triangles,
        s->ofs_st,
        s->ofs_xyz_normals,
    };
}

lm_location lm_md3_next(const lm_md3 *md3, lm_location start) {
    return lm_surface_location(start.surface + 1,
                               start.offset + (size_t)md3->surfaces[start.surface].ofs_end);
}

lm_location lm_md3_tag_location(const lm_md3 *md3, int32_t frame, int32_t tag) {
    const uint32_t index = (uint32_t)frame * (uint32_t)md3->num_tags + (uint32_t)tag;
    const lm_location tags = lm_location_at("tags", 0, (size_t)md3->ofs_tags);
    return lm_element_location(tags, index, LM_MD3_TAG_SIZE);
}

/* ---- Finding everything -------------------------------------------------------------------- */

static bool parse_surface(lm_reading *reading, const lm_md3 *md3, lm_md3_surface *surface,
                          lm_location start) {
    lm_get_header(&lm_md3_surface_header, reading->file.data + start.offset, surface);
    if (lm_counts_sound(&lm_md3_surface_header, surface))
        return lm_mesh_find_lumps(reading, &lm_md3_surface_header, md3, surface, start);
    lm_empty_part(&lm_md3_surface_header, surface);
    return lm_report_damage(
        reading->reporter, LM_CODE_BAD_COUNT,
        lm_field_location(&lm_md3_surface_header, start, offsetof(lm_md3_surface, num_shaders)),
        "surface %u has a negative count", (unsigned)start.surface);
}

/* The chain of surfaces: each says where the next one starts. */
static bool parse_surfaces(lm_reading *reading, lm_owned *owned, lm_md3 *md3) {
    const int32_t count = md3->num_surfaces;
    const lm_mesh_chain chain =
        lm_mesh_find_chain(reading->file, &lm_md3_header.lumps.list[LM_MD3_LUMP_SURFACES], md3);
    lm_location start = lm_surface_location(0, (size_t)md3->ofs_surfaces);
    md3->num_surfaces = 0;
    md3->surfaces = lm_own(owned, reading->heap, chain.length, sizeof *md3->surfaces);
    if (!md3->surfaces)
        return false;
    for (size_t i = 0; i < chain.length; i++) {
        lm_md3_surface *surface = &md3->surfaces[i];
        md3->num_surfaces++;
        if (!parse_surface(reading, md3, surface, start) ||
            !lm_mesh_chain_sound(reading, &lm_md3_surface_header, start, surface->ofs_end,
                                 md3->num_surfaces == count))
            return false;
        start = lm_md3_next(md3, start);
    }
    return !chain.leaves || lm_mesh_report_chain(reading, &lm_md3_header, &chain, count);
}

bool lm_md3_parse(lm_reading *reading, lm_owned *owned, lm_md3 *md3) {
    return lm_mesh_read_file(reading, &lm_md3_header, md3) && parse_surfaces(reading, owned, md3) &&
           lm_read_end(reading, &lm_md3_header, md3, "ofsEnd");
}

/* ---- What lumps hold ----------------------------------------------------------------------- */

static bool tag_sound(const lm_md3_tag *tag) {
    return lm_sane_vec3(tag->origin) && lm_sane_vec3(tag->axis[0]) && lm_sane_vec3(tag->axis[1]) &&
           lm_sane_vec3(tag->axis[2]);
}

static bool verify_tags(const lm_md3 *md3, lm_reporter *reporter) {
    for (int32_t f = 0; f < md3->num_frames; f++)
        for (int32_t t = 0; t < md3->num_tags; t++) {
            lm_md3_tag tag;
            lm_md3_get_tag(md3, f, t, &tag);
            if (!tag_sound(&tag) &&
                !lm_report_damage(reporter, LM_CODE_NOT_FINITE, lm_md3_tag_location(md3, f, t),
                                  "tag %d of frame %d has a number that is not finite", (int)t,
                                  (int)f))
                return false;
        }
    return true;
}

bool lm_md3_verify(const lm_md3 *md3, lm_reporter *reporter) {
    const lm_mesh_frames frames = lm_md3_frames(md3);
    if (!lm_mesh_verify_frames(&frames, reporter) || !verify_tags(md3, reporter))
        return false;
    lm_location start = lm_surface_location(0, (size_t)md3->ofs_surfaces);
    for (int32_t s = 0; s < md3->num_surfaces; s++, start = lm_md3_next(md3, start)) {
        const lm_mesh_surface surface = lm_md3_surface_at(md3, start);
        if (!lm_mesh_verify_surface(&surface, reporter))
            return false;
    }
    return true;
}
