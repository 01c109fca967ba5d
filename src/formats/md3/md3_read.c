/* Reads bytes into a document and verifies them. */
#include "formats/md3/md3_format.h"

#include "model/build.h"

const lm_vertex_mesh_kind lm_md3_mesh = {
    .header = &lm_md3_header,
    .name = offsetof(lm_md3_surface, name),
    .first_count = offsetof(lm_md3_surface, num_shaders),
    .unsound = "a negative count",
};

lm_location lm_md3_tag_location(const lm_md3 *md3, int32_t frame, int32_t tag) {
    const uint32_t index = (uint32_t)frame * (uint32_t)md3->num_tags + (uint32_t)tag;
    const lm_location tags = lm_location_at("tags", 0, (size_t)md3->ofs_tags);
    return lm_element_location(tags, index, LM_MD3_TAG_SIZE);
}

/* ---- Contents of lumps --------------------------------------------------------------------- */

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
    const lm_vertex_mesh_frames frames = lm_vertex_mesh_frames_of(&lm_md3_mesh, md3);
    if (!lm_vertex_mesh_verify_frames(&frames, reporter) || !verify_tags(md3, reporter))
        return false;
    lm_location start = lm_vertex_mesh_first(&lm_md3_mesh, md3);
    for (int32_t s = 0; s < md3->num_surfaces;
         s++, start = lm_vertex_mesh_next(&lm_md3_mesh, md3, start)) {
        const lm_vertex_mesh_surface surface = lm_vertex_mesh_surface_at(&lm_md3_mesh, md3, start);
        if (!lm_vertex_mesh_verify_surface(&surface, reporter))
            return false;
    }
    return true;
}
