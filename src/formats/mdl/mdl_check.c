/* Describes a file, and reports things that a reader accepts but other programs may not. No section
 * has an offset, so the description follows the sections as far as they make sense. The file may be
 * damaged in any way. */
#include "formats/mdl/mdl_format.h"

#include "core/text.h"

#include <stddef.h>

/* A walk through the sections. */
typedef struct lm_mdl_anatomy {
    lm_bytes file;
    lm_layout_builder *builder; /* NULL: only finds the frames */
    lm_mdl mdl;
    uint64_t at;
    uint64_t poses_at, num_poses; /* of the last frame */
} lm_mdl_anatomy;

static const lm_header_field skin_fields[] = {
    {0, 4, 0, LM_HEADER_NUMBER, "type", "0: one image, 1: a group of images"},
    {4, 4, 0, LM_HEADER_NUMBER, "num_images", "number of images in the group"},
};
static const lm_header_field frame_fields[] = {
    {0, 4, 0, LM_HEADER_NUMBER, "type", "0: one pose, 1: a group of poses"},
    {4, 4, 0, LM_HEADER_NUMBER, "num_poses", "number of poses in the group"},
};
static const lm_shape image_shape = {.name = "images"};

#define SINGLE_SIZE 4
#define GROUP_SIZE 8 /* without a frame's bounds */

static void lump(const lm_mdl_anatomy *a, const lm_shape *shape, uint64_t offset, uint64_t count,
                 uint64_t element) {
    if (a->builder)
        lm_layout_lump(a->builder, shape, offset, 1, count, element);
}

/* Walks one skin or frame: its beginning, its times and its elements of `size` bytes. Returns false
 * if the file ends before the end of the group is known. */
static bool walk_group(lm_mdl_anatomy *a, const lm_header_field *fields, size_t bounds,
                       const lm_shape *shape, uint64_t size) {
    if (!lm_fits(a->file.size, a->at, 1, SINGLE_SIZE))
        return false;
    const bool group = lm_get_s32(a->file.data + a->at) != 0;
    const lm_header header = {.size = (uint16_t)(group ? GROUP_SIZE + bounds : SINGLE_SIZE),
                              .fields = {fields, group ? 2 : 1}};
    if (!lm_fits(a->file.size, a->at, 1, header.size))
        return false;
    a->num_poses = group ? lm_count(lm_get_s32(a->file.data + a->at + SINGLE_SIZE)) : 1;
    if (a->builder)
        lm_layout_fields(&header, "", (size_t)a->at, a->builder);
    a->at += header.size;
    if (group)
        lump(a, &lm_mdl_time_shape, a->at, a->num_poses, LM_MDL_TIME_SIZE);
    a->at += group ? a->num_poses * LM_MDL_TIME_SIZE : 0;
    a->poses_at = a->at;
    lump(a, shape, a->at, a->num_poses, size);
    /* No sums past the end of the file, which could overflow. */
    if (!lm_fits(a->file.size, a->at, a->num_poses, size))
        return false;
    a->at += a->num_poses * size;
    return true;
}

static bool walk_groups(lm_mdl_anatomy *a, const char *part, int32_t count, uint64_t last,
                        const lm_header_field *fields, size_t bounds, const lm_shape *shape,
                        uint64_t size) {
    bool complete = true;
    for (uint64_t i = 0; complete && i < lm_count(count) && i <= last; i++) {
        if (a->builder)
            lm_layout_part(a->builder, part, (uint32_t)i);
        complete = walk_group(a, fields, bounds, shape, size);
    }
    if (a->builder)
        lm_layout_part(a->builder, NULL, 0);
    return complete;
}

static bool walk_section(lm_mdl_anatomy *a, const lm_shape *shape, int32_t count, uint64_t each) {
    const uint64_t size = lm_count(count) * each;
    lump(a, shape, a->at, lm_count(count), each);
    if (!lm_fits(a->file.size, a->at, size, 1))
        return false;
    a->at += size;
    return true;
}

/* Walks from the header to the last frame, or to frame `last`. Returns false if the file ends
 * earlier. */
static bool walk(lm_mdl_anatomy *a, uint64_t last) {
    lm_get_header(&lm_mdl_header, a->file.data, &a->mdl);
    const lm_mdl *mdl = &a->mdl;
    const uint64_t vertices = lm_count(mdl->num_verts) * LM_MDL_VERTEX_SIZE;
    a->at = LM_MDL_HEADER_SIZE;
    return walk_groups(a, "skin", mdl->num_skins, UINT64_MAX, skin_fields, 0, &image_shape,
                       lm_count(mdl->skinwidth) * lm_count(mdl->skinheight)) &&
           walk_section(a, &lm_mdl_st_shape, mdl->num_verts, LM_MDL_ST_SIZE) &&
           walk_section(a, &lm_mdl_triangle_shape, mdl->num_tris, LM_MDL_TRIANGLE_SIZE) &&
           walk_groups(a, "frame", mdl->num_frames, last, frame_fields, LM_MDL_BOUNDS_SIZE,
                       &lm_mdl_pose_shape, LM_MDL_POSE_HEADER_SIZE + vertices);
}

static void mdl_layout(lm_bytes file, lm_layout_builder *builder) {
    lm_mdl_anatomy a = {.file = file, .builder = builder};
    if (file.size < LM_MDL_HEADER_SIZE)
        return;
    lm_layout_fields(&lm_mdl_header, "header", 0, builder);
    lm_layout_end(builder, (int32_t)(walk(&a, UINT64_MAX) ? a.at : file.size));
    lm_layout_more_tables(builder, "frame N vertices");
}

/* Appends the table of one frame's vertices. Returns false for any other name. */
static bool mdl_table(lm_bytes file, const char *name, lm_buffer *out) {
    lm_mdl_anatomy a = {.file = file};
    uint64_t frame;
    if (file.size < LM_MDL_HEADER_SIZE)
        return false;
    lm_get_header(&lm_mdl_header, file.data, &a.mdl);
    if (!lm_table_of_frame(name, lm_count(a.mdl.num_frames), &frame) ||
        (!walk(&a, frame) && a.poses_at == 0))
        return false;
    const uint64_t vertices = lm_count(a.mdl.num_verts) * LM_MDL_VERTEX_SIZE;
    const lm_table table = {.shape = &lm_mdl_vertex_shape,
                            .offset = a.poses_at + LM_MDL_POSE_HEADER_SIZE,
                            .groups = a.num_poses,
                            .count = lm_count(a.mdl.num_verts),
                            .stride = LM_MDL_VERTEX_SIZE,
                            .group_stride = LM_MDL_POSE_HEADER_SIZE + vertices};
    lm_table_print(file, &table, out);
    return true;
}

/* ---- Checks ------------------------------------------------------------------------------- */

#define GLQUAKE_IMAGES 4 /* images that GLQuake plays of a skin group */

/* Reports excess over engine limits that the header's table does not cover. */
static void check_engines(lm_bytes file, const lm_mdl *mdl, lm_reporter *reporter) {
    if (mdl->skinwidth % 4 != 0)
        lm_report_engine(reporter, LM_ENGINE_QUAKE, LM_MDL_IN_HEADER(skinwidth),
                         "a skin is %d pixels wide, but %s needs a multiple of 4",
                         (int)mdl->skinwidth, lm_engine_name(LM_ENGINE_QUAKE));
    for (int32_t i = 0; i < mdl->num_skins; i++)
        if (mdl->skins[i].num_images > GLQUAKE_IMAGES)
            lm_report_engine(reporter, LM_ENGINE_GLQUAKE,
                             lm_mdl_location(file, "skins", (uint32_t)i, mdl->skins[i].images),
                             "skin %d is a group of %d images, but %s shows at most %d", (int)i,
                             (int)mdl->skins[i].num_images, lm_engine_name(LM_ENGINE_GLQUAKE),
                             GLQUAKE_IMAGES);
}

static void check_st(lm_bytes file, const lm_mdl *mdl, lm_reporter *reporter) {
    lm_tally outside = {0};
    for (int32_t i = 0; i < mdl->num_verts; i++) {
        lm_mdl_st st;
        lm_mdl_get_st(mdl, i, &st);
        lm_tally_add(&outside,
                     st.s < 0 || st.t < 0 || st.s >= mdl->skinwidth || st.t >= mdl->skinheight,
                     (uint32_t)i);
    }
    lm_report_cases(
        reporter, LM_CODE_ST_OUTSIDE,
        lm_mdl_location(file, "st", outside.first,
                        mdl->st + (size_t)outside.first * LM_MDL_ST_SIZE),
        outside, "texture {coordinate lies|coordinates lie} on or beyond the edge of the skin", "");
}

static void check_degenerate(lm_bytes file, const lm_mdl *mdl, lm_reporter *reporter) {
    lm_tally degenerate = {0};
    for (int32_t i = 0; i < mdl->num_tris; i++) {
        lm_mdl_triangle t;
        lm_mdl_get_triangle(mdl, i, &t);
        lm_tally_add(&degenerate,
                     t.vertex[0] == t.vertex[1] || t.vertex[1] == t.vertex[2] ||
                         t.vertex[2] == t.vertex[0],
                     (uint32_t)i);
    }
    lm_report_cases(
        reporter, LM_CODE_DEGENERATE_TRIANGLES,
        lm_mdl_location(file, "triangles", degenerate.first,
                        mdl->tris + (size_t)degenerate.first * LM_MDL_TRIANGLE_SIZE),
        degenerate,
        "{triangle uses a vertex twice and has|triangles use a vertex twice and have} no area", "");
}

static void check_use(const lm_mdl *mdl, const lm_reading *reading) {
    lm_weld weld;
    const lm_location vertices =
        lm_mdl_location(reading->file, "frames", 0, lm_mdl_vertices(mdl, &mdl->frames[0], 0));
    const lm_location triangles = lm_mdl_location(reading->file, "triangles", 0, mdl->tris);
    if (lm_mdl_put_corners(&weld, mdl, reading->arena))
        lm_check_use(&weld, vertices, LM_MDL_VERTEX_SIZE, triangles, reading->arena,
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
            const uint8_t *vertices = lm_mdl_vertices(mdl, &mdl->frames[i], p);
            lm_mdl_pose pose;
            lm_mdl_get_pose(mdl, i, p, &pose);
            const lm_location location = lm_mdl_location(file, "frames", (uint32_t)i, vertices);
            count_pose(&normals, same_normals(mdl, vertices), location);
            count_pose(&boxes, is_outside_box(mdl, &pose, vertices), location);
        }
    if (normals.poses)
        lm_report_warning(reporter, LM_CODE_IDENTICAL_NORMALS, normals.first, normals.poses,
                          "in %s, all normals are the same; the first is in frame %u",
                          lm_count_words(normals.poses, "{pose|poses}").text,
                          (unsigned)normals.first.index);
    if (boxes.poses)
        lm_report_warning(reporter, LM_CODE_OUTSIDE_BOUNDS, boxes.first, boxes.poses,
                          "in %s, vertices lie outside the bounds; the first is in frame %u",
                          lm_count_words(boxes.poses, "{pose|poses}").text,
                          (unsigned)boxes.first.index);
}

static void check_names(const lm_mdl *mdl, const lm_reading *reading) {
    const lm_location location = lm_location_at("frames", 0, 0);
    lm_name_fields names;
    if (!lm_mdl_gather_names(&names, reading->file, mdl, reading->arena))
        return;
    lm_check_name_fields(&names, location, reading->reporter);
    lm_check_frame_names(&names, location, reading->arena, reading->reporter);
}

/* Reports every problem of a parsed document. */
static void mdl_check(lm_reading *reading, const void *document) {
    const lm_mdl *mdl = document;
    const lm_bytes file = reading->file;
    lm_reporter *reporter = reading->reporter;
    lm_mdl_verify(file, mdl, reporter);
    lm_check_limits(&lm_mdl_header, mdl, lm_file_location(), reporter);
    check_engines(file, mdl, reporter);
    check_st(file, mdl, reporter);
    check_degenerate(file, mdl, reporter);
    check_poses(file, mdl, reporter);
    check_names(mdl, reading);
    check_use(mdl, reading);
}

const lm_examiner lm_examiner_mdl = {
    .format = &lm_format_mdl, .check = mdl_check, .layout = mdl_layout, .table = mdl_table};
