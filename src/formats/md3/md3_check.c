/* Reports things that a reader accepts but other programs may not. */
#include "formats/md3/md3_format.h"

#include "core/text.h"
#include "formats/common_checks.h"

#include <math.h>

static bool same_name(const uint8_t *a, const uint8_t *b) {
    size_t length = lmi_field_length(a, LM_MD3_NAME_SIZE);
    return length == lmi_field_length(b, LM_MD3_NAME_SIZE) && memcmp(a, b, length) == 0;
}

/* Reports tags whose names differ between frames. Engines look a tag up by the names of frame 0, or
 * of the frame they draw. */
static void check_tags(const lm_md3 *md3, lm_reporter *reporter) {
    lm_name_fields names = {.first = md3->tags,
                            .stride = LM_MD3_TAG_SIZE,
                            .size = LM_MD3_NAME_SIZE,
                            .count = (uint32_t)md3->num_tags};
    uint32_t renamed = 0;
    lm_location first = {0};
    if (names.count > 0)
        lmi_check_name_fields(&names, lmi_md3_tag_location(md3, 0, 0), reporter);
    for (int32_t f = 1; f < md3->num_frames; f++)
        for (int32_t t = 0; t < md3->num_tags; t++) {
            size_t index = (size_t)f * names.count + (size_t)t;
            if (same_name(md3->tags + index * LM_MD3_TAG_SIZE,
                          md3->tags + (size_t)t * LM_MD3_TAG_SIZE))
                continue;
            first = renamed++ ? first : lmi_md3_tag_location(md3, f, t);
        }
    if (renamed)
        lmi_report_warning(
            reporter, LM_CODE_TAG_NAME, first, renamed,
            "%s than in frame 0; the first is tag %u of frame %u",
            lmi_count_words(renamed, "{tag has another name|tags have other names}").text,
            (unsigned)(first.index % names.count), (unsigned)(first.index / names.count));
}

#define LENGTH_SLACK 0.01 /* tolerance of an axis length, above rounding errors */

static bool is_scaled(const lm_md3_tag *tag) {
    for (int i = 0; i < 3; i++) {
        double x = (double)tag->axis[i].x, y = (double)tag->axis[i].y, z = (double)tag->axis[i].z;
        if (fabs(sqrt(x * x + y * y + z * z) - 1) > LENGTH_SLACK)
            return true;
    }
    return false;
}

/* Reports tags whose axes are not of length 1. Engines normalise them, so attached models are not
 * scaled; some programs do scale them. */
static void check_axes(const lm_md3 *md3, lm_reporter *reporter) {
    const uint32_t num_tags = (uint32_t)md3->num_tags;
    lm_tally scaled = {0};
    for (int32_t f = 0; f < md3->num_frames; f++)
        for (int32_t t = 0; t < md3->num_tags; t++) {
            lm_md3_tag tag;
            lmi_md3_get_tag(md3, f, t, &tag);
            lmi_tally_add(&scaled, is_scaled(&tag), (uint32_t)f * num_tags + (uint32_t)t);
        }
    if (scaled.count > 0)
        lmi_report_warning(reporter, LM_CODE_TAG_SCALE,
                           lmi_md3_tag_location(md3, (int32_t)(scaled.first / num_tags),
                                                (int32_t)(scaled.first % num_tags)),
                           scaled.count,
                           "%s axes whose length is not 1, which engines normalise; the first is "
                           "tag %u of frame %u",
                           lmi_count_words(scaled.count, "{tag has|tags have}").text,
                           (unsigned)(scaled.first % num_tags),
                           (unsigned)(scaled.first / num_tags));
}

static bool leaves(const void *from, int32_t frame, const lm_vertex_mesh_frame *box) {
    const lm_md3_surface *surface = from;
    const size_t row = (size_t)surface->num_verts * LM_MD3_XYZ_NORMAL_SIZE;
    const uint8_t *vertex = surface->xyz_normals + (size_t)frame * row;
    for (const uint8_t *end = vertex + row; vertex < end; vertex += LM_MD3_XYZ_NORMAL_SIZE)
        if (lmi_vertex_mesh_outside_bounds(lmi_vertex_mesh_get_position(vertex), box))
            return true;
    return false;
}

static lm_location in_surface(lm_location start, size_t member) {
    return lmi_field_location(&lmi_md3_surface_header, start, member);
}

static void check_header(const void *document, lm_location start, lm_reporter *reporter) {
    const lm_md3 *md3 = document;
    const lm_md3_surface *surface = &md3->surfaces[start.surface];
    if (surface->ident != LM_MD3_IDENT)
        lmi_report_warning(reporter, LM_CODE_SURFACE_IDENT,
                           in_surface(start, offsetof(lm_md3_surface, ident)), 1,
                           "surface %u does not begin with IDP3", (unsigned)start.surface);
    if (surface->num_frames != md3->num_frames)
        lmi_report_warning(reporter, LM_CODE_SURFACE_FRAMES,
                           in_surface(start, offsetof(lm_md3_surface, num_frames)), 1,
                           "surface %u has %d frames in its header, but the model has %d",
                           (unsigned)start.surface, (int)surface->num_frames, (int)md3->num_frames);
}

void lmi_md3_check(lm_reading *reading, const void *document) {
    const lm_vertex_mesh_frames frames = lmi_vertex_mesh_frames_of(&lmi_md3_mesh, document);
    lmi_vertex_mesh_verify(&lmi_md3_mesh, document, reading->reporter);
    lmi_check_limits(&lmi_md3_header, document, lmi_file_location(), reading->reporter);
    lmi_vertex_mesh_check_frame_names(&frames, reading->reporter);
    check_tags(document, reading->reporter);
    check_axes(document, reading->reporter);
    lmi_vertex_mesh_check_surfaces(reading, &lmi_md3_mesh, document, check_header, leaves);
}
