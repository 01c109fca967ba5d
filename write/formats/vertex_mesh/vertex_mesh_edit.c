#include "formats/vertex_mesh/vertex_mesh_write.h"

#include "core/report.h"
#include "core/text.h"
#include "lerpmesh/base.h"
#include "lerpmesh/mesh.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"

#include <stdio.h>

static const uint8_t *lump_of(const lm_part *part, size_t data) {
    return lmi_lump_data(lmi_lump_at(part->header, data), part->owner);
}

static size_t elements_of(const lm_part *part, size_t data) {
    return (size_t)lmi_part_extent(part, lmi_lump_at(part->header, data)).count;
}

static size_t frames_lump(const lm_edit *edit) {
    return edit->editor->tables->names[LM_EDIT_FRAMES].lump;
}

/* Copies one of the document's lumps, and makes `made` point to the copy. Returns the copy, or NULL
 * if memory ran out. Sets the extent. */
static uint8_t *copy_elements(const lm_edit *edit, size_t data, void *made, lm_extent *extent) {
    const lm_part part = lmi_edit_part(edit);
    *extent = lmi_part_extent(&part, lmi_lump_at(part.header, data));
    return lmi_copy_lump(edit, &part, data, made);
}

/* Changes a surface in a copy of the document. */
typedef bool change_surface(lm_edit *edit, const void *context, const lm_part *part, uint32_t index,
                            void *made);

/* Changes all surfaces in a copy of the document, which then becomes the document. */
static bool change_surfaces(lm_edit *edit, change_surface *change, const void *context,
                            void *made) {
    const lm_part file = lmi_edit_part(edit);
    bool done = made != NULL;
    for (uint32_t s = 0; done && s < lmi_num_surfaces(file.header, file.document); s++) {
        const lm_part part = lmi_surface_part(&file, s);
        done = change(edit, context, &part, s, lmi_new_surface(edit, made, s));
    }
    return done && lmi_commit_change(edit, made);
}

/* ---- Frames of another file ----------------------------------------------------------------- */

bool lmi_vertex_mesh_fits(lm_edit *edit, const void *other) {
    const lm_vertex_mesh_edit_tables *tables = lmi_vertex_mesh_tables(edit->editor);
    const size_t tag_count = tables->tables.names[LM_EDIT_TAGS].count;
    const lm_part ours = lmi_edit_part(edit), theirs = lmi_document_part(ours.header, other);
    const int surfaces = (int)lmi_num_surfaces(ours.header, ours.document);
    const int their_surfaces = (int)lmi_num_surfaces(ours.header, other);
    const int tags = (int)lmi_number(ours.document, tag_count);
    const int their_tags = (int)lmi_number(other, tag_count);
    if (their_surfaces != surfaces || their_tags != tags)
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                             "the other model's numbers of surfaces (%d) and tags (%d) differ from "
                             "this one's (%d, %d), so its frames cannot be appended",
                             their_surfaces, their_tags, surfaces, tags);
    for (uint32_t s = 0; s < (uint32_t)surfaces; s++) {
        const lm_part a = lmi_surface_part(&ours, s), b = lmi_surface_part(&theirs, s);
        const size_t count = elements_of(&a, tables->triangles),
                     their_count = elements_of(&b, tables->triangles);
        const int vertices = (int)lmi_number(a.owner, tables->num_vertices),
                  their_vertices = (int)lmi_number(b.owner, tables->num_vertices);
        if (vertices != their_vertices || count != their_count ||
            !lmi_equal_bytes(lump_of(&a, tables->triangles), lump_of(&b, tables->triangles),
                             count * LM_VERTEX_MESH_TRIANGLE_SIZE))
            return lmi_call_fail(
                edit->call, LM_CODE_BAD_ARGUMENT,
                "surface %u: the other model has different triangles (%zu with %d vertices, "
                "instead of %zu with %d), so its frames cannot be appended",
                (unsigned)s, their_count, their_vertices, count, vertices);
    }
    for (uint32_t t = 0; t < (uint32_t)tags; t++) {
        const uint8_t *name = lmi_described_name_in(edit, ours.document, LM_EDIT_TAGS, 0, t);
        const uint8_t *their_name = lmi_described_name_in(edit, other, LM_EDIT_TAGS, 0, t);
        if (strncmp((const char *)name, (const char *)their_name, LM_VERTEX_MESH_NAME_SIZE) != 0)
            return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                                 "tag %d has a different name in the other model", (int)t);
    }
    return true;
}

/* ---- Unused vertices ------------------------------------------------------------------------ */

static bool remove_unused_of_surface(lm_edit *edit, const void *context, const lm_part *part,
                                     uint32_t index, void *made) {
    const lm_vertex_mesh_edit_tables *tables = lmi_vertex_mesh_tables(edit->editor);
    const int32_t vertices = lmi_number(part->owner, tables->num_vertices);
    char what[LM_EDIT_WHAT_SIZE];
    lm_renumbered numbers;
    (void)context;
    snprintf(what, sizeof what, "surface %u vertices", (unsigned)index);
    if (!lmi_begin_renumbering(lmi_edit_arena(edit), vertices, &numbers))
        return false;
    const uint8_t *corners = lump_of(part, tables->triangles);
    const size_t count = 3 * elements_of(part, tables->triangles);
    for (size_t c = 0; c < count; c++)
        numbers.used[lmi_get_u32(corners + 4 * c)] = true;
    lmi_end_renumbering(&numbers);
    if (numbers.count == numbers.of)
        return true;
    uint8_t *renumbered = lmi_copy_lump(edit, part, tables->triangles, made);
    for (size_t c = 0; renumbered && c < count; c++)
        lmi_put_u32(renumbered + 4 * c, numbers.new_indices[lmi_get_u32(corners + 4 * c)]);
    return renumbered && lmi_edit_note_count(edit, what, numbers.of, numbers.count) &&
           lmi_select_counted(edit, part, tables->num_vertices, false, numbers.old_indices,
                              numbers.count, made);
}

bool lmi_vertex_mesh_remove_unused(lm_edit *edit) {
    return change_surfaces(edit, remove_unused_of_surface, NULL, lmi_begin_change(edit));
}

/* ---- Transforming --------------------------------------------------------------------------- */

static bool transform_frames(lm_edit *edit, const lm_edit_transformation *to, void *made) {
    lm_extent extent;
    uint8_t *frames = copy_elements(edit, frames_lump(edit), made, &extent);
    for (size_t i = 0; frames && i < extent.count; i++) {
        lm_vertex_mesh_frame frame =
            lmi_vertex_mesh_get_frame(frames + i * LM_VERTEX_MESH_FRAME_SIZE);
        if (!lmi_vertex_mesh_frame_valid(&frame)) /* readers ignore it */
            continue;
        lmi_edit_transform_box(to, &frame.bbox_min, &frame.bbox_max);
        frame.local_origin = lmi_edit_transform_point(to, frame.local_origin);
        frame.radius = (float)((double)frame.radius * to->scale);
        lmi_vertex_mesh_put_frame(frames + i * LM_VERTEX_MESH_FRAME_SIZE, &frame);
    }
    return frames != NULL;
}

static bool transform_tags(lm_edit *edit, const lm_edit_transformation *to, void *made) {
    const lm_vertex_mesh_edit_tables *tables = lmi_vertex_mesh_tables(edit->editor);
    lm_extent extent;
    uint8_t *tags = copy_elements(edit, tables->tags, made, &extent);
    bool done = tags;
    for (uint32_t i = 0; done && i < extent.count; i++)
        done = tables->transform_tag(edit, to, "the position of tag entry", i,
                                     tags + i * extent.element);
    return done;
}

static bool transform_vertex(lm_edit *edit, const lm_edit_transformation *to, const char *what,
                             uint32_t index, uint8_t *bytes) {
    const lm_vertex_mesh_vertex vertex = lmi_vertex_mesh_get_vertex(bytes);
    lm_vertex_mesh_vertex transformed;
    for (int axis = 0; axis < 3; axis++) {
        const double from = (double)vertex.v[to->from[axis]] * to->scale;
        const double steps =
            (to->negative[axis] ? -from : from) + to->move[axis] / (double)LM_VERTEX_MESH_STEP;
        if (!lmi_edit_round(edit, to, steps, (double)LM_VERTEX_MESH_STEP, what, index,
                            &transformed.v[axis]))
            return false;
    }
    /* sigma, in the high byte, turns around z in 256 steps */
    transformed.normal = (uint16_t)(vertex.normal + (to->quarters << 14));
    lmi_vertex_mesh_put_vertex(bytes, transformed);
    return true;
}

static bool place_surface(lm_edit *edit, const void *context, const lm_part *part, uint32_t index,
                          void *made) {
    const lm_vertex_mesh_edit_tables *tables = lmi_vertex_mesh_tables(edit->editor);
    const lm_edit_transformation *to = context;
    const size_t count = elements_of(part, tables->vertices);
    char what[LM_EDIT_WHAT_SIZE];
    if (to->scale != 1 && tables->differences && elements_of(part, tables->differences) > 0)
        return lmi_call_fail(
            edit->call, LM_CODE_LIMIT,
            "surface %u has compressed frames, which cannot be scaled: encode the model again",
            (unsigned)index);
    snprintf(what, sizeof what, "surface %u: vertex", (unsigned)index);
    uint8_t *vertices = lmi_copy_lump(edit, part, tables->vertices, made);
    bool done = vertices != NULL;
    for (size_t i = 0; done && i < count; i++)
        done = transform_vertex(edit, to, what, (uint32_t)i,
                                vertices + i * LM_VERTEX_MESH_VERTEX_SIZE);
    return done && (!tables->transform_differences ||
                    tables->transform_differences(edit, to, part, index, made));
}

bool lmi_vertex_mesh_transform(lm_edit *edit, const lm_edit_transformation *to) {
    void *made = lmi_begin_change(edit);
    return made && transform_frames(edit, to, made) && transform_tags(edit, to, made) &&
           change_surfaces(edit, place_surface, to, made);
}

/* ---- Tags ----------------------------------------------------------------------------------- */

/* Moves a tag in every frame of a copy that owns the lump of tags: by `by`, or to `poses` if the
 * tag is new. */
static bool move_in_frames(lm_edit *edit, uint32_t tag, const lm_vec3 *by,
                           const lm_transform *poses, void *made) {
    const lm_vertex_mesh_edit_tables *tables = lmi_vertex_mesh_tables(edit->editor);
    const lm_part part = lmi_document_part(edit->editor->kind->header, made);
    const lm_header_lump *lump = lmi_lump_at(part.header, tables->tags);
    const lm_extent extent = lmi_part_extent(&part, lump);
    uint8_t *tags = lmi_own_lump(lmi_edit_arena(edit), lmi_lump_data(lump, made),
                                 (size_t)lmi_extent_size(extent)); /* the copy's own lump */
    bool done = tags != NULL;
    for (size_t i = tag; done && i < extent.count;
         i += (size_t)lmi_number(made, lump->count.member)) {
        const lm_vec3 *move = poses ? &poses->origin : by;
        const lm_edit_transformation to = {
            .scale = 1,
            .move = {(double)move->x, (double)move->y, (double)move->z},
            .from = {0, 1, 2},
            .round = true};
        if (poses)
            tables->turn_tag(tags + i * extent.element, poses++->axis);
        done = tables->transform_tag(edit, &to, "tag", tag, tags + i * extent.element);
    }
    return done;
}

bool lmi_vertex_mesh_add_tag(lm_edit *edit, const uint8_t *field, const lm_transform *poses) {
    const uint32_t tag = lmi_edit_size(edit, LM_EDIT_TAGS, 0);
    void *made = lmi_begin_change(edit);
    return made && lmi_add_named(edit, LM_EDIT_TAGS, 0, field, made) &&
           move_in_frames(edit, tag, NULL, poses, made) && lmi_commit_change(edit, made);
}

bool lmi_vertex_mesh_move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by) {
    const lm_part part = lmi_edit_part(edit);
    void *made = lmi_begin_change(edit);
    return made && lmi_copy_lump(edit, &part, lmi_vertex_mesh_tables(edit->editor)->tags, made) &&
           move_in_frames(edit, tag, by, NULL, made) && lmi_commit_change(edit, made);
}

/* ---- Normals -------------------------------------------------------------------------------- */

static bool change_normals(lm_edit *edit, const void *context, const lm_part *part, uint32_t index,
                           void *made) {
    const lm_vertex_mesh_edit_tables *tables = lmi_vertex_mesh_tables(edit->editor);
    const struct lm_mesh *mesh = context;
    const lm_mesh_surface *from = &mesh->surfaces[index];
    const size_t count = (size_t)lmi_number(part->owner, tables->num_vertices);
    uint8_t *vertices = lmi_copy_lump(edit, part, tables->vertices, made);
    uint8_t *differences =
        tables->differences ? lmi_copy_lump(edit, part, tables->differences, made) : NULL;
    if (from->num_vertices != count)
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                             "the model does not have the vertices of the file");
    if (!vertices || (tables->differences && !differences))
        return false;
    for (uint32_t f = 0; f < mesh->num_frames; f++) {
        const lm_vertex_mesh_rows rows = tables->rows(part->owner, (int32_t)f);
        uint8_t *base = vertices + (size_t)rows.base * count * LM_VERTEX_MESH_VERTEX_SIZE;
        uint8_t *comp =
            rows.difference >= 0 ? differences + (size_t)rows.difference * count * 4 : NULL;
        for (size_t v = 0; v < count; v++) {
            const lm_vec3 normal = lmi_vec3_at(from->normals, f * count + v);
            if (comp)
                comp[4 * v + 3] = lmi_nearest_normal_256(&normal);
            else
                lmi_nearest_normal_angles(&normal, base + v * LM_VERTEX_MESH_VERTEX_SIZE + 6,
                                          base + v * LM_VERTEX_MESH_VERTEX_SIZE + 7);
        }
    }
    return true;
}

bool lmi_vertex_mesh_put_normals(lm_edit *edit, const struct lm_mesh *mesh) {
    const lm_part part = lmi_edit_part(edit);
    if (mesh->num_surfaces != lmi_num_surfaces(part.header, part.document))
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                             "the model does not have the surfaces of the file");
    return lmi_edit_note(edit, "normals", "as stored", "computed") &&
           change_surfaces(edit, change_normals, mesh, lmi_begin_change(edit));
}

/* ---- Bounds --------------------------------------------------------------------------------- */

/* The bounds of a frame; `radius` is squared. */
typedef struct mesh_bounds {
    lm_box box;
    lm_vec3 origin;
    double radius;
} mesh_bounds;

static void grow_by_surface(const lm_vertex_mesh_edit_tables *tables, const lm_part *part,
                            int32_t frame, mesh_bounds *bounds) {
    const size_t count = (size_t)lmi_number(part->owner, tables->num_vertices);
    if (count == 0)
        return;
    const lm_vertex_mesh_rows rows = tables->rows(part->owner, frame);
    const uint8_t *base =
        lump_of(part, tables->vertices) + (size_t)rows.base * count * LM_VERTEX_MESH_VERTEX_SIZE;
    const uint8_t *differences = rows.difference >= 0 ? lump_of(part, tables->differences) +
                                                            (size_t)rows.difference * count * 4
                                                      : NULL;
    for (size_t v = 0; v < count; v++) {
        lm_vec3 p = lmi_vertex_mesh_get_position(base + v * LM_VERTEX_MESH_VERTEX_SIZE);
        if (differences) {
            const lm_vec3 by = tables->difference(differences + 4 * v);
            p = (lm_vec3){p.x + by.x, p.y + by.y, p.z + by.z};
        }
        lmi_box_add(&bounds->box, p);
        bounds->radius = fmax(bounds->radius, lmi_square_between(p, bounds->origin));
    }
}

bool lmi_vertex_mesh_put_bounds(const lm_editor *editor, const void *document, int32_t frame,
                                uint8_t *bytes) {
    const lm_part file = lmi_document_part(editor->kind->header, document);
    const uint32_t surfaces = lmi_num_surfaces(file.header, file.document);
    lm_vertex_mesh_frame made = lmi_vertex_mesh_get_frame(bytes);
    mesh_bounds bounds = {.box = LM_EMPTY_BOX, .origin = made.local_origin};
    uint8_t before[LM_VERTEX_MESH_FRAME_SIZE];
    for (uint32_t s = 0; s < surfaces; s++) {
        const lm_part part = lmi_surface_part(&file, s);
        grow_by_surface(lmi_vertex_mesh_tables(editor), &part, frame, &bounds);
    }
    if (bounds.box.low[0] > bounds.box.high[0]) /* nothing is drawn: keep the old bounds */
        return false;
    made.bbox_min = lmi_vec3_at(bounds.box.low, 0);
    made.bbox_max = lmi_vec3_at(bounds.box.high, 0);
    made.radius = (float)sqrt(bounds.radius);
    memcpy(before, bytes, sizeof before);
    lmi_vertex_mesh_put_frame(bytes, &made);
    return memcmp(before, bytes, sizeof before) != 0;
}

bool lmi_vertex_mesh_bounds(lm_edit *edit) {
    void *made = lmi_begin_change(edit);
    lm_extent extent;
    uint8_t *frames = made ? copy_elements(edit, frames_lump(edit), made, &extent) : NULL;
    uint32_t changed = 0;
    char text[160];
    for (size_t f = 0; frames && f < extent.count; f++)
        changed += lmi_vertex_mesh_put_bounds(edit->editor, edit->document, (int32_t)f,
                                              frames + f * LM_VERTEX_MESH_FRAME_SIZE);
    snprintf(text, sizeof text, "computed; %s changed",
             lmi_count_words(changed, "{frame|frames}").text);
    return frames && (changed == 0 || lmi_edit_note(edit, "bounds", "as stored", text)) &&
           lmi_commit_change(edit, made);
}

/* ---- Repairs -------------------------------------------------------------------------------- */

void lmi_mend_floats(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!lmi_sane(lmi_get_f32(bytes + 4 * i)))
            lmi_put_f32(bytes + 4 * i, 0);
}

bool lmi_mend_triangles(lm_edit *edit, const lm_part *part, size_t triangles_at, uint32_t vertices,
                        void *made) {
    const uint8_t *triangles = lump_of(part, triangles_at);
    const size_t count = elements_of(part, triangles_at);
    const size_t member = lmi_lump_at(part->header, triangles_at)->count.member;
    uint32_t num_kept = 0, *kept = lmi_arena_alloc(lmi_edit_arena(edit), count, sizeof *kept);
    for (size_t i = 0; kept && i < count; i++) {
        uint32_t vertex[3];
        lmi_vertex_mesh_get_triangle(triangles + i * LM_VERTEX_MESH_TRIANGLE_SIZE, vertex);
        kept[num_kept] = (uint32_t)i;
        num_kept += vertex[0] < vertices && vertex[1] < vertices && vertex[2] < vertices;
    }
    return kept && (num_kept == count ||
                    lmi_select_counted(edit, part, member, false, kept, num_kept, made));
}

static bool mend_surface(lm_edit *edit, const void *context, const lm_part *part, uint32_t index,
                         void *made) {
    const lm_vertex_mesh_edit_tables *tables = lmi_vertex_mesh_tables(edit->editor);
    (void)context;
    (void)index;
    const size_t count = elements_of(part, tables->st);
    uint8_t *st = lmi_copy_lump(edit, part, tables->st, made);
    if (st)
        lmi_mend_floats(st, 2 * count);
    const uint32_t vertices = (uint32_t)lmi_number(part->owner, tables->num_vertices);
    return st && lmi_mend_triangles(edit, part, tables->triangles, vertices, made) &&
           (!tables->mend_rows || tables->mend_rows(edit, part, made));
}

static bool mend_tags(lm_edit *edit, void *made) {
    const lm_vertex_mesh_edit_tables *tables = lmi_vertex_mesh_tables(edit->editor);
    lm_extent extent;
    uint8_t *tags = tables->mend_tag ? copy_elements(edit, tables->tags, made, &extent) : NULL;
    for (size_t i = 0; tags && i < extent.count; i++)
        tables->mend_tag(tags + i * extent.element);
    return tags || !tables->mend_tag;
}

/* Computes the bounds that are unusable. The surfaces have been repaired. */
static bool mend_frames(lm_edit *edit, void *made) {
    lm_extent extent;
    uint8_t *frames = copy_elements(edit, frames_lump(edit), made, &extent);
    for (size_t f = 0; frames && f < extent.count; f++) {
        uint8_t *bytes = frames + f * LM_VERTEX_MESH_FRAME_SIZE;
        lm_vertex_mesh_frame frame = lmi_vertex_mesh_get_frame(bytes);
        if (lmi_vertex_mesh_frame_valid(&frame))
            continue;
        frame.bbox_min = frame.bbox_max = (lm_vec3){0};
        frame.local_origin = lmi_sanitize_vec3(frame.local_origin);
        frame.radius = 0;
        lmi_vertex_mesh_put_frame(bytes, &frame);
        lmi_vertex_mesh_put_bounds(edit->editor, edit->document, (int32_t)f, bytes);
    }
    return frames != NULL;
}

bool lmi_vertex_mesh_mend(lm_edit *edit) {
    void *made = lmi_begin_change(edit);
    if (!made || !mend_tags(edit, made) || !change_surfaces(edit, mend_surface, NULL, made))
        return false;
    made = lmi_begin_change(edit);
    return made && mend_frames(edit, made) && lmi_commit_change(edit, made);
}

/* ---- Moved vertices and tags ---------------------------------------------------------------- */

bool lmi_vertex_mesh_fail_range(lm_edit *edit, uint32_t surface, uint32_t frame, uint32_t vertex) {
    lmi_call_fail(edit->call, LM_CODE_LIMIT,
                  "surface %u: vertex %u of frame %u exceeds the range of the format",
                  (unsigned)surface, (unsigned)vertex, (unsigned)frame);
    return lmi_fail_at(edit->call->error, surface, "vertices", vertex);
}

#define STEPS 64.0 /* per unit */
#define MAX_STEPS 32767

bool lmi_vertex_mesh_round(double units, int16_t *steps) {
    /* positive, so that truncation rounds down */
    const double lifted = units * STEPS + (MAX_STEPS + 0.5);
    if (!(lifted >= 0 && lifted < 2 * MAX_STEPS + 1))
        return false;
    *steps = (int16_t)((int32_t)lifted - MAX_STEPS);
    return true;
}

bool lmi_vertex_mesh_move_vertex(const lm_vec3 *position, const lm_vec3 *normal, uint8_t *bytes) {
    int16_t v[3] = {0, 0, 0};
    const bool fits = lmi_vertex_mesh_round((double)position->x, &v[0]) &&
                      lmi_vertex_mesh_round((double)position->y, &v[1]) &&
                      lmi_vertex_mesh_round((double)position->z, &v[2]);
    for (size_t i = 0; i < 3; i++)
        lmi_put_u16(bytes + 2 * i, (uint16_t)v[i]);
    if (normal)
        lmi_nearest_normal_angles(normal, bytes + 6, bytes + 7);
    return fits;
}

/* Writes the vertices of a frame that move. */
static bool put_frame(lm_edit *edit, const lm_moves *moves, uint32_t index, uint32_t frame,
                      const void *made, uint8_t *vertices, uint8_t *differences) {
    const lm_vertex_mesh_edit_tables *tables = lmi_vertex_mesh_tables(edit->editor);
    const uint32_t count = moves->old->surfaces[index].num_vertices;
    const lm_vertex_mesh_rows rows = tables->rows(made, (int32_t)frame);
    uint8_t *base = vertices + (size_t)rows.base * count * LM_VERTEX_MESH_VERTEX_SIZE;
    for (uint32_t v = 0; v < count; v++, base += LM_VERTEX_MESH_VERTEX_SIZE) {
        if (!lmi_moves_vertex(moves, index, frame, v))
            continue;
        const lm_vec3 position = lmi_moved_position(moves, index, frame, v);
        const lm_vec3 *normal = lmi_moved_normal(moves, index, frame, v);
        uint8_t *own = differences && rows.difference >= 0
                           ? differences + 4 * ((size_t)rows.difference * count + v)
                           : NULL;
        bool fits = true;
        if (own) {
            const lm_vec3 from = lmi_vertex_mesh_get_position(base);
            const lm_vec3 by = {position.x - from.x, position.y - from.y, position.z - from.z};
            own[3] = normal ? lmi_nearest_normal_256(normal) : own[3];
            fits = tables->find_difference(by, own);
        } else {
            fits = lmi_vertex_mesh_move_vertex(&position, normal, base);
        }
        if (!fits)
            return lmi_vertex_mesh_fail_range(edit, index, frame, v);
    }
    return true;
}

static bool put_surface(lm_edit *edit, const lm_moves *moves, uint32_t index, void *made) {
    const lm_vertex_mesh_edit_tables *tables = lmi_vertex_mesh_tables(edit->editor);
    const lm_part file = lmi_edit_part(edit), part = lmi_surface_part(&file, index);
    uint8_t *differences =
        tables->differences ? lmi_copy_lump(edit, &part, tables->differences, made) : NULL;
    if (tables->differences && !differences)
        return false;
    if (tables->own_rows ? !tables->own_rows(edit, &part, index, moves, made)
                         : !lmi_copy_lump(edit, &part, tables->vertices, made))
        return false;
    const lm_header_lump *lump = lmi_lump_at(part.header, tables->vertices);
    uint8_t *vertices = (uint8_t *)lmi_lump_data(lump, made);
    bool done = true;
    for (uint32_t f = 0; done && f < moves->old->num_frames; f++)
        done = !lmi_moves_surface(moves, index, f) ||
               put_frame(edit, moves, index, f, made, vertices, differences);
    return done;
}

static bool put_tags(lm_edit *edit, const lm_moves *moves, void *made) {
    const lm_vertex_mesh_edit_tables *tables = lmi_vertex_mesh_tables(edit->editor);
    const uint32_t count = moves->old->num_tags;
    lm_extent extent;
    uint8_t *tags = copy_elements(edit, tables->tags, made, &extent);
    bool done = tags;
    for (uint32_t i = 0; done && i < moves->old->num_frames * count; i++) {
        if (!lmi_moves_tag(moves, i % count, i / count))
            continue;
        const lm_transform *pose = &moves->mesh->tags[i % count].poses[i / count];
        const lm_edit_transformation to = {
            .move = {(double)pose->origin.x, (double)pose->origin.y, (double)pose->origin.z},
            .from = {0, 1, 2},
            .round = true};
        done = tables->transform_tag(edit, &to, "tag", i % count, tags + i * extent.element);
        tables->turn_tag(tags + i * extent.element, pose->axis);
    }
    return done;
}

bool lmi_vertex_mesh_put_frames(lm_edit *edit, const lm_moves *moves) {
    void *made = lmi_begin_change(edit);
    bool done = made;
    for (uint32_t s = 0; done && s < moves->old->num_surfaces; s++)
        done = moves->old->surfaces[s].num_vertices == 0 ||
               put_surface(edit, moves, s, lmi_new_surface(edit, made, s));
    if (!done || (moves->old->num_tags > 0 && !put_tags(edit, moves, made)))
        return false;
    lm_extent extent;
    uint8_t *frames = copy_elements(edit, frames_lump(edit), made, &extent);
    for (uint32_t f = 0; frames && f < moves->old->num_frames; f++)
        if (lmi_moves_surfaces(moves, f))
            lmi_vertex_mesh_put_bounds(edit->editor, made, (int32_t)f,
                                       frames + (size_t)f * LM_VERTEX_MESH_FRAME_SIZE);
    return frames && lmi_commit_change(edit, made);
}
