/* Whether what a document's lumps hold can be trusted. */
#include "formats/md3/md3_format.h"

#include "model/build.h"

static bool tag_sound(const lm_md3_tag *tag) {
    return lm_sane_vec3(tag->origin) && lm_sane_vec3(tag->axis[0]) && lm_sane_vec3(tag->axis[1]) &&
           lm_sane_vec3(tag->axis[2]);
}

bool lm_md3_verify_tags(const lm_mesh_reading *reading, lm_reporter *reporter) {
    const lm_md3 *md3 = reading->document;
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
