/* Reports things that a reader accepts but other programs may not. */
#include "formats/mds/mds_format.h"

#include "core/text.h"
#include "formats/common_checks.h"

/* The tolerance of a sum of weights: exporters round each of them. */
#define SUM_SLACK 0.01f

/* The names of elements, at their start. */
static void check_names(const uint8_t *first, size_t stride, int32_t count, lm_location location,
                        lm_reporter *reporter) {
    const lm_name_fields names = {
        .first = first, .stride = stride, .size = LM_MDS_NAME_SIZE, .count = (uint32_t)count};
    lmi_check_name_fields(&names, location, reporter);
}

static float sum_of_weights(const uint8_t *vertex) {
    float sum = 0;
    for (uint32_t w = 0; w < lmi_mds_num_weights(vertex); w++)
        sum += lmi_get_f32(lmi_mds_weight(vertex, w) + LM_MDS_WEIGHT_WEIGHT);
    return sum;
}

/* Returns the location of a vertex. */
static lm_location vertex_location(const lm_mds_surface *s, lm_location start, uint32_t index) {
    lm_location at = lmi_lump_location(start, "vertices", s->ofs_verts);
    const uint8_t *vertex = s->verts;
    at.index = index;
    for (uint32_t v = 0; v < index; v++)
        vertex = lmi_mds_next_vertex(vertex);
    at.offset += (size_t)(vertex - s->verts);
    return at;
}

static void report_vertices(const lm_mds_surface *s, lm_location start, lm_code code,
                            lm_tally vertices, const char *what, lm_reporter *reporter) {
    lmi_report_cases(reporter, code, vertex_location(s, start, vertices.first), vertices, what, "");
}

static void check_vertices(const lm_mds_surface *s, lm_location start, const lm_reading *reading) {
    const lm_vertex_mesh_surface view = lmi_mds_view(s, start);
    lm_reporter *reporter = reading->reporter;
    lm_tally outside = {0}, sums = {0};
    const uint8_t *vertex = s->verts;
    for (int32_t v = 0; v < s->num_verts; v++, vertex = lmi_mds_next_vertex(vertex)) {
        const float x = lmi_get_f32(vertex + LM_MDS_VERTEX_ST),
                    y = lmi_get_f32(vertex + LM_MDS_VERTEX_ST + 4), sum = sum_of_weights(vertex);
        lmi_tally_add(&outside, !(x >= 0 && x <= 1 && y >= 0 && y <= 1), (uint32_t)v);
        lmi_tally_add(&sums, !(sum >= 1 - SUM_SLACK && sum <= 1 + SUM_SLACK), (uint32_t)v);
    }
    report_vertices(s, start, LM_CODE_WEIGHT_SUM, sums,
                    "{vertex has|vertices have} weights that do not add up to 1", reporter);
    report_vertices(s, start, LM_CODE_ST_OUTSIDE, outside,
                    "texture {coordinate lies|coordinates lie} outside 0..1", reporter);
    report_vertices(s, start, LM_CODE_UNUSED_VERTICES, lmi_vertex_mesh_check_use(&view, reading),
                    "{vertex is|vertices are} used by no triangle", reporter);
}

static void check_surface(lm_reading *reading, const lm_mds_surface *s, lm_location start) {
    lm_reporter *reporter = reading->reporter;
    const lm_header *header = &lmi_mds_surface_header;
    const lm_location count =
        lmi_field_location(header, start, offsetof(lm_mds_surface, num_triangles));
    const lm_location shader = lmi_field_location(header, start, offsetof(lm_mds_surface, shader));
    lmi_check_limits(header, s, start, reporter);
    if (s->ident != LM_MDS_SURFACE_IDENT)
        lmi_report_warning(reporter, LM_CODE_SURFACE_IDENT,
                           lmi_field_location(header, start, offsetof(lm_mds_surface, ident)), 1,
                           "surface %u begins with %d instead of the usual %d",
                           (unsigned)start.surface, (int)s->ident, LM_MDS_SURFACE_IDENT);
    /* Uses the count in the file: a damaged surface was reported and emptied. */
    if (lmi_get_s32(reading->file.data + count.offset) == 0)
        lmi_report_warning(reporter, LM_CODE_EMPTY_SURFACE, count, 1, "surface %u has no triangles",
                           (unsigned)start.surface);
    check_names(s->shader, LM_MDS_NAME_SIZE, 1, shader, reporter);
    if (s->shader[0])
        lmi_check_path(s->shader, LM_MDS_NAME_SIZE, shader, reporter);
    check_vertices(s, start, reading);
}

void lmi_mds_check(lm_reading *reading, const void *document) {
    const lm_mds *mds = document;
    lm_reporter *reporter = reading->reporter;
    lm_location start = lmi_vertex_mesh_first(&lmi_mds_mesh, mds);
    lmi_mds_verify(mds, reporter);
    check_names(mds->bones, LM_MDS_BONE_SIZE, mds->num_bones,
                lmi_lump_location(lmi_file_location(), "bones", mds->ofs_bones), reporter);
    check_names(mds->tags, LM_MDS_TAG_SIZE, mds->num_tags,
                lmi_lump_location(lmi_file_location(), "tags", mds->ofs_tags), reporter);
    for (int32_t s = 0; s < mds->num_surfaces; s++) {
        check_surface(reading, &mds->surfaces[s], start);
        start = lmi_vertex_mesh_next(&lmi_mds_mesh, mds, start);
    }
}
