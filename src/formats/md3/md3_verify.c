/* Whether what a document's lumps hold can be trusted. */
#include "formats/md3/md3_format.h"

#include "model/build.h"

static bool tag_sound(const lm_md3_tag *tag) {
    return lm_sane_vec3(tag->origin) && lm_sane_vec3(tag->axis[0]) && lm_sane_vec3(tag->axis[1]) &&
           lm_sane_vec3(tag->axis[2]);
}

static bool verify_tags(const lm_md3 *md3, lm_reporter *reporter) {
    for (int32_t f = 0; f < md3->num_frames; f++)
        for (int32_t t = 0; t < md3->num_tags; t++) {
            lm_md3_tag tag = lm_md3_get_tag(md3, f, t);
            if (!tag_sound(&tag) &&
                !lm_report_damage(reporter, LM_CODE_NOT_FINITE, lm_md3_tag_place(md3, f, t),
                                  "tag %d of frame %d has a number that is not usable", (int)t,
                                  (int)f))
                return false;
        }
    return true;
}

bool lm_md3_verify(const lm_md3_reading *reading, lm_reporter *reporter) {
    lm_mesh_frames frames = lm_md3_frames(&reading->md3);
    if (!lm_mesh_verify_frames(&frames, reporter) || !verify_tags(&reading->md3, reporter))
        return false;
    for (uint32_t s = 0; s < (uint32_t)reading->md3.num_surfaces; s++) {
        lm_mesh_surface surface = lm_md3_mesh_surface(reading, s);
        if (!lm_mesh_verify_surface(&surface, reporter))
            return false;
    }
    return true;
}
