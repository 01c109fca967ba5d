/* Reports things that a reader accepts but other programs may not. */
#include "formats/mds/mds_format.h"

#include "core/text.h"
#include "formats/common_checks.h"
#include "math/vectors.h"

/* The tolerance of a sum of weights: exporters round each of them. */
#define SUM_SLACK 0.01f

/* The names of elements, at their start. */
static void check_names(const uint8_t *first, size_t stride, int32_t count, lm_location location,
                        lm_reporter *reporter) {
    const lm_name_fields names = {
        .first = first, .stride = stride, .size = LM_MDS_NAME_SIZE, .count = (uint32_t)count};
    lmi_check_name_fields(&names, location, reporter);
}

/* Returns whether weights of a vertex are sound, but do not add up to 1. */
static bool is_sum_wrong(const lm_mds *mds, const uint8_t *vertex) {
    float weights[LM_MAX_BONES], sum = 0;
    const bool sound = lmi_mds_get_weights(mds, vertex, weights);
    for (uint32_t w = 0; w < lmi_mds_num_weights(vertex); w++)
        sum += weights[w];
    return sound && !(sum >= 1 - SUM_SLACK && sum <= 1 + SUM_SLACK);
}

/* Returns whether a texture coordinate lies outside of the skin; one that is not usable lies
 * nowhere. */
static bool is_outside(const uint8_t *st) {
    const float x = lmi_get_f32(st), y = lmi_get_f32(st + 4);
    return lmi_sane(x) && lmi_sane(y) && !(x >= 0 && x <= 1 && y >= 0 && y <= 1);
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

/* Finds entries of the collapse map that lead back to themselves. The game draws at least `min_lod`
 * vertices, and replaces others until it reaches one that it draws: on such a circle, forever. */
static lm_tally find_circles(const lm_mds_surface *s, lm_arena *arena) {
    const uint32_t count = (uint32_t)s->num_verts;
    const uint32_t least = s->min_lod > 1 ? (uint32_t)s->min_lod : 1;
    uint32_t *visitors =
        lmi_arena_zeros(arena, count, sizeof *visitors); /* each by its number + 1 */
    lm_tally circles = {0};
    for (uint32_t v = least; visitors && v < count; v++) {
        uint32_t at = v;
        while (at >= least && at < count && visitors[at] == 0) {
            visitors[at] = v + 1;
            at = lmi_get_u32(s->collapse_map + (size_t)at * LM_MDS_INDEX_SIZE);
        }
        lmi_tally_add(&circles, at >= least && at < count && visitors[at] == v + 1, at);
    }
    return circles;
}

static void check_vertices(const lm_mds *mds, const lm_mds_surface *s, lm_location start,
                           const lm_reading *reading) {
    const lm_vertex_mesh_surface view = lmi_mds_view(s, start);
    lm_reporter *reporter = reading->reporter;
    lm_tally outside = {0}, sums = {0};
    const uint8_t *vertex = s->verts;
    for (int32_t v = 0; v < s->num_verts; v++, vertex = lmi_mds_next_vertex(vertex)) {
        lmi_tally_add(&outside, is_outside(vertex + LM_MDS_VERTEX_ST), (uint32_t)v);
        lmi_tally_add(&sums, is_sum_wrong(mds, vertex), (uint32_t)v);
    }
    report_vertices(s, start, LM_CODE_WEIGHT_SUM, sums,
                    "{vertex has|vertices have} weights that do not add up to 1", reporter);
    report_vertices(s, start, LM_CODE_ST_OUTSIDE, outside,
                    "texture {coordinate lies|coordinates lie} outside 0..1", reporter);
    report_vertices(s, start, LM_CODE_UNUSED_VERTICES, lmi_vertex_mesh_check_use(&view, reading),
                    "{vertex is|vertices are} used by no triangle", reporter);
    const lm_tally circles = find_circles(s, reading->arena);
    lmi_report_cases(
        reporter, LM_CODE_COLLAPSE_CIRCLE,
        lmi_element_location(lmi_lump_location(start, "collapse map", s->ofs_collapse_map),
                             circles.first, LM_MDS_INDEX_SIZE),
        circles,
        "{entry|entries} of the collapse map {leads|lead} back to {itself|themselves}, "
        "so the game may hang",
        "");
}

static void check_surface(lm_reading *reading, const lm_mds *mds, const lm_mds_surface *s,
                          lm_location start) {
    lm_reporter *reporter = reading->reporter;
    const lm_header *header = &lmi_mds_surface_header;
    const lm_location count =
        lmi_field_location(header, start, offsetof(lm_mds_surface, num_triangles));
    lm_location shader = lmi_field_location(header, start, offsetof(lm_mds_surface, shader));
    shader.section = "shaders"; /* as of the other formats, which have several */
    shader.index = 0;
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
    check_vertices(mds, s, start, reading);
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
        check_surface(reading, mds, &mds->surfaces[s], start);
        start = lmi_vertex_mesh_next(&lmi_mds_mesh, mds, start);
    }
    lmi_vertex_mesh_check_end(reading, &lmi_mds_mesh, mds);
}
