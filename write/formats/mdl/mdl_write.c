/* Compares, writes and optimizes MDL documents. */
#include "formats/mdl/mdl_write.h"

#include "core/writing.h"
#include "optimize/optimizing.h"

static lm_mdl_group skin_at(const lm_mdl *mdl, int32_t index) {
    const lm_mdl_skin *skin = &mdl->skins[index];
    return (lm_mdl_group){skin->type,
                          skin->num_images,
                          NULL,
                          skin->times,
                          skin->images,
                          0,
                          lmi_mdl_image_size(mdl),
                          "times of a skin",
                          "images"};
}

static lm_mdl_group frame_at(const lm_mdl *mdl, int32_t index) {
    const lm_mdl_frame *frame = &mdl->frames[index];
    return (lm_mdl_group){
        frame->type,        frame->num_poses,       frame->bounds,      frame->times, frame->poses,
        LM_MDL_BOUNDS_SIZE, lmi_mdl_pose_size(mdl), "times of a frame", "poses"};
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static bool equal_groups(lm_mdl_group a, lm_mdl_group b) {
    const size_t count = (size_t)a.count;
    return a.type == b.type && a.count == b.count &&
           (a.type == 0 || (lmi_equal_bytes(a.bounds, b.bounds, a.bounds_size) &&
                            lmi_equal_bytes(a.times, b.times, count * LM_MDL_TIME_SIZE))) &&
           lmi_equal_bytes(a.elements, b.elements, count * a.element_size);
}

bool lmi_mdl_equal(const void *one, const void *other) {
    const lm_mdl *a = one, *b = other;
    if (!lmi_equal_documents(&lmi_mdl_kind, a,
                             b) || /* does not compare the sections, which have no description */
        !lmi_equal_bytes(a->st, b->st, (size_t)lmi_mdl_num_st(a) * LM_MDL_ST_SIZE) ||
        !lmi_equal_bytes(a->tris, b->tris, (size_t)a->num_tris * LM_MDL_TRIANGLE_SIZE))
        return false;
    for (int32_t i = 0; i < a->num_skins; i++)
        if (!equal_groups(skin_at(a, i), skin_at(b, i)))
            return false;
    for (int32_t i = 0; i < a->num_frames; i++)
        if (!equal_groups(frame_at(a, i), frame_at(b, i)))
            return false;
    return true;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Sections after the header, in the order of the file: their size is measured and checked first. */
typedef struct putting {
    lm_buffer *out; /* NULL: to measure them */
    uint64_t size;
    lm_error *error;
} putting;

static bool put_bytes(putting *p, const char *what, const uint8_t *data, uint64_t size) {
    if (p->out)
        lm_buffer_append(p->out, data, (size_t)size);
    if (p->out || size == 0)
        return true;
    p->size += size;
    if (!data)
        return lm_fail_plain(p->error, LM_CODE_BAD_ARGUMENT, "mdl: the pointer to the %s is NULL",
                             what);
    return p->size <= INT32_MAX ||
           lm_fail_plain(p->error, LM_CODE_LIMIT, "mdl: the file would be larger than 2 GB");
}

static bool put_number(putting *p, int32_t number) {
    uint8_t bytes[4];
    lmi_put_s32(bytes, number);
    return put_bytes(p, "", bytes, sizeof bytes);
}

static bool put_group(putting *p, lm_mdl_group group) {
    const uint64_t count = group.count > 0 ? (uint64_t)group.count : 0;
    return put_number(p, group.type) &&
           (group.type == 0 ||
            (put_number(p, group.count) &&
             put_bytes(p, "bounds of a group", group.bounds, group.bounds_size) &&
             put_bytes(p, group.what_times, group.times, count * LM_MDL_TIME_SIZE))) &&
           put_bytes(p, group.what_elements, group.elements, count * group.element_size);
}

static bool put_sections(putting *p, const lm_mdl *mdl) {
    bool done = true;
    for (int32_t i = 0; done && i < mdl->num_skins; i++)
        done = put_group(p, skin_at(mdl, i));
    done = done && put_bytes(p, "st", mdl->st, (uint64_t)lmi_mdl_num_st(mdl) * LM_MDL_ST_SIZE) &&
           put_bytes(p, "triangles", mdl->tris, (uint64_t)mdl->num_tris * LM_MDL_TRIANGLE_SIZE);
    for (int32_t i = 0; done && i < mdl->num_frames; i++)
        done = put_group(p, frame_at(mdl, i));
    return done && put_bytes(p, "trailing bytes", mdl->trailing, mdl->num_trailing);
}

bool lmi_mdl_put(const void *document, lm_buffer *out, lm_error *error) {
    const lm_mdl *mdl = document;
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    const lm_header *header = lmi_mdl_header_of(mdl);
    putting sizing = {NULL, header->size, error};
    bool done = true;
    if (!lmi_counts_valid(&lmi_mdl_rapo_header, mdl) || mdl->skinwidth < 0 || mdl->skinheight < 0)
        done = lm_fail_plain(error, LM_CODE_BAD_COUNT, "mdl: a count is negative");
    else if ((mdl->num_skins > 0 && !mdl->skins) || (mdl->num_frames > 0 && !mdl->frames))
        done = lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "mdl: the pointer to the skins or frames is NULL");
    else
        done = put_sections(&sizing, mdl);
    if (done) {
        lmi_put_header(header, mdl, out);
        put_sections(&(putting){.out = out}, mdl);
    }
    return lmi_buffer_end(out, mark, done, "mdl", error);
}

/* ---- Optimizing ------------------------------------------------------------------------------ */

/* Returns a frame's poses with the remaining vertices only. */
static const uint8_t *write_poses(lm_optimizing *o, const lm_mdl *mdl, const lm_mdl_frame *frame,
                                  const lm_cache_order *r) {
    const size_t from = lmi_mdl_pose_size(mdl);
    const size_t to = LM_MDL_POSE_HEADER_SIZE + r->num_vertices * (size_t)LM_MDL_VERTEX_SIZE;
    uint8_t *out = lmi_arena_alloc(&o->arena, (uint64_t)frame->num_poses, to);
    for (size_t p = 0; out && p < (size_t)frame->num_poses; p++) {
        memcpy(out + p * to, frame->poses + p * from, LM_MDL_POSE_HEADER_SIZE);
        lmi_pick_vertices(
            (lm_vertex_row){lmi_mdl_vertices(mdl, frame, (int32_t)p), LM_MDL_VERTEX_SIZE},
            r->vertices, r->num_vertices, out + p * to + LM_MDL_POSE_VERTICES);
    }
    return out ? lmi_clean_names(o, out, (size_t)frame->num_poses, to, LM_MDL_POSE_NAME,
                                 LM_MDL_NAME_SIZE)
               : NULL;
}

static bool mdl_optimize(lm_optimizing *o, void *document) {
    lm_mdl *mdl = document;
    const uint32_t num_poses = lmi_mdl_count_poses(mdl);
    lm_vertex_row *rows = lmi_arena_alloc(&o->arena, (uint64_t)num_poses + 1, sizeof *rows);
    uint32_t *corners = lmi_arena_alloc(&o->arena, (uint64_t)mdl->num_tris, 3 * sizeof *corners);
    for (int32_t t = 0; corners && t < mdl->num_tris; t++) {
        lm_mdl_triangle triangle;
        lmi_mdl_get_triangle(mdl, t, &triangle);
        for (size_t c = 0; c < 3; c++)
            corners[3 * (size_t)t + c] = (uint32_t)triangle.vertex[c];
    }
    /* A RAPO's texture coordinates are not the vertices', and stay. */
    const size_t own = mdl->num_st > 0 ? 0 : 1;
    const lm_optimize_mesh mesh = {(uint32_t)mdl->num_tris,
                                   (uint32_t)mdl->num_verts,
                                   corners,
                                   rows,
                                   num_poses + own,
                                   own * LM_MDL_ST_SIZE + (uint64_t)num_poses * LM_MDL_VERTEX_SIZE,
                                   true};
    lm_cache_order reduced;
    if (!rows || !corners)
        return false;
    lm_vertex_row *row = rows;
    if (own)
        *row++ = (lm_vertex_row){mdl->st, LM_MDL_ST_SIZE};
    for (int32_t f = 0; f < mdl->num_frames; f++)
        for (int32_t p = 0; p < mdl->frames[f].num_poses; p++)
            *row++ = (lm_vertex_row){lmi_mdl_vertices(mdl, &mdl->frames[f], p), LM_MDL_VERTEX_SIZE};
    if (!lmi_optimize_triangles(o, 0, &mesh, &reduced))
        return false;
    uint8_t *st = own ? lmi_arena_alloc(&o->arena, reduced.num_vertices, LM_MDL_ST_SIZE) : NULL;
    uint8_t *out = lmi_arena_alloc(&o->arena, reduced.num_triangles, LM_MDL_TRIANGLE_SIZE);
    for (size_t t = 0; out && t < reduced.num_triangles; t++) {
        lm_mdl_triangle triangle;
        lmi_mdl_get_triangle(mdl, (int32_t)reduced.order[t], &triangle);
        for (size_t c = 0; c < 3; c++)
            triangle.vertex[c] = (int32_t)reduced.corners[3 * t + c];
        lmi_mdl_put_triangle(mdl, out + t * LM_MDL_TRIANGLE_SIZE, &triangle);
    }
    mdl->tris = out;
    for (int32_t f = 0; f < mdl->num_frames; f++)
        if (!(mdl->frames[f].poses = write_poses(o, mdl, &mdl->frames[f], &reduced)))
            return false;
    if ((own && !st) || !mdl->tris)
        return false;
    if (own) {
        lmi_pick_vertices(rows[0], reduced.vertices, reduced.num_vertices, st);
        mdl->st = st;
    }
    mdl->num_verts = (int32_t)reduced.num_vertices;
    return true;
}

const lm_writer lmi_mdl_writer = {
    .format = &lmi_format_mdl,
    .encode = lmi_mdl_encode,
    .edit = &lmi_mdl_editor,
    .optimize = mdl_optimize,
};
