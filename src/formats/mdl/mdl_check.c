/* Reports things that a reader accepts but other programs may not. */
#include "formats/mdl/mdl_format.h"

#include "core/text.h"
#include "math/colours.h"

#include <stddef.h>

#define GLQUAKE_IMAGES 4 /* images that GLQuake plays of a skin group */

/* Reports excess over engine limits that the header's table does not cover. */
static void check_engines(lm_bytes file, const lm_mdl *mdl, lm_reporter *reporter) {
    if (mdl->num_st > 0) {
        if (reporter->engine == LM_ENGINE_QUAKE || reporter->engine == LM_ENGINE_GLQUAKE)
            lmi_report_engine(
                reporter, reporter->engine, lmi_file_location(),
                "this is an MDL of Hexen II: Portal of Praevus, which %s does not load",
                lm_engine_name((lm_engine)reporter->engine));
        return;
    }
    if (mdl->skinwidth % 4 != 0)
        lmi_report_engine(reporter, LM_ENGINE_QUAKE, LM_MDL_IN_HEADER(skinwidth),
                          "a skin is %d pixels wide, but %s needs a multiple of 4",
                          (int)mdl->skinwidth, lm_engine_name(LM_ENGINE_QUAKE));
    for (int32_t i = 0; i < mdl->num_skins; i++)
        if (mdl->skins[i].num_images > GLQUAKE_IMAGES)
            lmi_report_engine(reporter, LM_ENGINE_GLQUAKE,
                              lmi_mdl_location(file, "skins", (uint32_t)i, mdl->skins[i].images),
                              "skin %d is a group of %d images, but %s shows at most %d", (int)i,
                              (int)mdl->skins[i].num_images, lm_engine_name(LM_ENGINE_GLQUAKE),
                              GLQUAKE_IMAGES);
}

/* Reports pixels in the colours that the game draws at full brightness; index 255 may be
 * transparent instead. Hexen II's palette has no such colours. */
static void check_fullbrights(lm_bytes file, const lm_mdl *mdl, lm_reporter *reporter) {
    const size_t size = lmi_mdl_image_size(mdl);
    const int last = mdl->flags & LM_MDL_TRANSPARENT_255 ? UINT8_MAX - 1 : UINT8_MAX;
    uint64_t count = 0;
    lm_location first = {0};
    for (int32_t i = 0; mdl->num_st == 0 && i < mdl->num_skins; i++) {
        const uint8_t *pixel = mdl->skins[i].images;
        for (const uint8_t *end = pixel + (size_t)mdl->skins[i].num_images * size; pixel < end;
             pixel++)
            if (*pixel > UINT8_MAX - LM_FULLBRIGHTS && *pixel <= last && count++ == 0)
                first = lmi_mdl_location(file, "skins", (uint32_t)i, pixel);
    }
    if (count > 0)
        lmi_report_warning(reporter, LM_CODE_FULLBRIGHT, first,
                           count < UINT32_MAX ? (uint32_t)count : UINT32_MAX,
                           "%s of the fullbright range, %d to %d, which the game does not shade; "
                           "the first is in skin %u",
                           lmi_count_words(count, "{pixel has a colour|pixels have colours}").text,
                           UINT8_MAX + 1 - LM_FULLBRIGHTS, UINT8_MAX, (unsigned)first.index);
}

static void check_st(lm_bytes file, const lm_mdl *mdl, lm_reporter *reporter) {
    lm_tally outside = {0};
    for (int32_t i = 0; i < lmi_mdl_num_st(mdl); i++) {
        lm_mdl_st st;
        lmi_mdl_get_st(mdl, i, &st);
        lmi_tally_add(&outside,
                      st.s < 0 || st.t < 0 || st.s >= mdl->skinwidth || st.t >= mdl->skinheight,
                      (uint32_t)i);
    }
    lmi_report_cases(
        reporter, LM_CODE_ST_OUTSIDE,
        lmi_mdl_location(file, "st", outside.first,
                         mdl->st + (size_t)outside.first * LM_MDL_ST_SIZE),
        outside, "texture {coordinate lies|coordinates lie} on or beyond the edge of the skin", "");
}

static void check_degenerate(lm_bytes file, const lm_mdl *mdl, lm_reporter *reporter) {
    lm_tally degenerate = {0};
    for (int32_t i = 0; i < mdl->num_tris; i++) {
        lm_mdl_triangle t;
        lmi_mdl_get_triangle(mdl, i, &t);
        lmi_tally_add(&degenerate,
                      t.vertex[0] == t.vertex[1] || t.vertex[1] == t.vertex[2] ||
                          t.vertex[2] == t.vertex[0],
                      (uint32_t)i);
    }
    lmi_report_cases(
        reporter, LM_CODE_DEGENERATE_TRIANGLES,
        lmi_mdl_location(file, "triangles", degenerate.first,
                         mdl->tris + (size_t)degenerate.first * LM_MDL_TRIANGLE_SIZE),
        degenerate,
        "{triangle uses a vertex twice and has|triangles use a vertex twice and have} no area", "");
}

static void check_use(const lm_mdl *mdl, const lm_reading *reading) {
    lm_weld weld;
    const lm_location vertices =
        lmi_mdl_location(reading->file, "frames", 0, lmi_mdl_vertices(mdl, &mdl->frames[0], 0));
    const lm_location triangles = lmi_mdl_location(reading->file, "triangles", 0, mdl->tris);
    if (lmi_mdl_put_corners(&weld, mdl, reading->arena))
        lmi_check_use(&weld, vertices, LM_MDL_VERTEX_SIZE, triangles, reading->arena,
                      reading->reporter);
}

/* ---- Poses ----------------------------------------------------------------------------------- */

/* The number of poses with a problem, and the location of the first. */
typedef struct lm_mdl_tally {
    uint32_t poses;
    lm_location first;
} lm_mdl_tally;

static void count_pose(lm_mdl_tally *tally, bool found, lm_location location) {
    if (found && tally->poses++ == 0)
        tally->first = location;
}

static bool same_normals(const lm_mdl *mdl, const uint8_t *vertices) {
    int32_t v = 1;
    while (v < mdl->num_verts && vertices[(size_t)v * LM_MDL_VERTEX_SIZE + 3] == vertices[3])
        v++;
    return mdl->num_verts > 3 && v == mdl->num_verts;
}

static bool is_outside_box(const lm_mdl *mdl, const lm_mdl_pose *box, const uint8_t *vertices) {
    for (int32_t v = 0; v < mdl->num_verts; v++, vertices += LM_MDL_VERTEX_SIZE)
        for (int i = 0; i < 3; i++)
            if (vertices[i] < box->min.v[i] || vertices[i] > box->max.v[i])
                return true;
    return false;
}

static void check_poses(lm_bytes file, const lm_mdl *mdl, lm_reporter *reporter) {
    lm_mdl_tally normals = {0}, boxes = {0};
    for (int32_t i = 0; i < mdl->num_frames; i++)
        for (int32_t p = 0; p < mdl->frames[i].num_poses; p++) {
            const uint8_t *vertices = lmi_mdl_vertices(mdl, &mdl->frames[i], p);
            lm_mdl_pose pose;
            lmi_mdl_get_pose(mdl, i, p, &pose);
            const lm_location location = lmi_mdl_location(file, "frames", (uint32_t)i, vertices);
            count_pose(&normals, same_normals(mdl, vertices), location);
            count_pose(&boxes, is_outside_box(mdl, &pose, vertices), location);
        }
    if (normals.poses)
        lmi_report_warning(reporter, LM_CODE_IDENTICAL_NORMALS, normals.first, normals.poses,
                           "in %s, all normals are the same; the first is in frame %u",
                           lmi_count_words(normals.poses, "{pose|poses}").text,
                           (unsigned)normals.first.index);
    if (boxes.poses)
        lmi_report_warning(reporter, LM_CODE_OUTSIDE_BOUNDS, boxes.first, boxes.poses,
                           "in %s, vertices lie outside the bounds; the first is in frame %u",
                           lmi_count_words(boxes.poses, "{pose|poses}").text,
                           (unsigned)boxes.first.index);
}

static void check_names(const lm_mdl *mdl, const lm_reading *reading) {
    const lm_location location = lmi_location_at("frames", 0, 0);
    lm_name_fields names;
    if (!lmi_mdl_gather_names(&names, reading->file, mdl, reading->arena))
        return;
    lmi_check_name_fields(&names, location, reading->reporter);
    lmi_check_frame_names(&names, location, reading->arena, reading->reporter);
}

void lmi_mdl_check(lm_reading *reading, const void *document) {
    const lm_mdl *mdl = document;
    const lm_bytes file = reading->file;
    lm_reporter *reporter = reading->reporter;
    lmi_mdl_verify(file, mdl, reporter);
    lmi_check_limits(lmi_mdl_header_of(mdl), mdl, lmi_file_location(), reporter);
    check_engines(file, mdl, reporter);
    check_fullbrights(file, mdl, reporter);
    check_st(file, mdl, reporter);
    check_degenerate(file, mdl, reporter);
    check_poses(file, mdl, reporter);
    check_names(mdl, reading);
    check_use(mdl, reading);
}
