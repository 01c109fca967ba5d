/* Editing MD3's vertices and tags: more frames, fewer vertices, elsewhere, normals, bounds. */
#include "formats/md3/md3_write.h"
#include "formats/vertex_mesh/vertex_mesh_edit.h"
#include "lerpmesh/normals.h"
#include "lerpmesh/take.h"

#include <stdio.h>

/* ---- Frames of another file ----------------------------------------------------------------- */

static bool same_surface(const lm_md3_surface *a, const lm_md3_surface *b) {
    return a->num_verts == b->num_verts && a->num_triangles == b->num_triangles &&
           lm_equal_bytes(a->triangles, b->triangles,
                          (size_t)a->num_triangles * LM_MD3_TRIANGLE_SIZE);
}

static bool same_tag(const lm_md3 *a, const lm_md3 *b, int32_t tag) {
    lm_md3_tag one, other;
    lm_md3_get_tag(a, 0, tag, &one);
    lm_md3_get_tag(b, 0, tag, &other);
    return strncmp((const char *)one.name, (const char *)other.name, LM_MD3_NAME_SIZE) == 0;
}

static bool fits(lm_edit *edit, const lm_md3 *md3, const lm_md3 *other) {
    if (other->num_surfaces != md3->num_surfaces || other->num_tags != md3->num_tags)
        return lm_edit_fail(edit, LM_CODE_BAD_ARGUMENT,
                            "the other model's surfaces (%d) and tags (%d) are not as many as this "
                            "one's (%d, %d): its frames do not fit",
                            (int)other->num_surfaces, (int)other->num_tags, (int)md3->num_surfaces,
                            (int)md3->num_tags);
    for (int32_t s = 0; s < md3->num_surfaces; s++)
        if (!same_surface(&md3->surfaces[s], &other->surfaces[s]))
            return lm_edit_fail(
                edit, LM_CODE_BAD_ARGUMENT,
                "surface %d: the other model's triangles (%d of %d vertices) are "
                "not this one's (%d of %d): its frames do not fit",
                (int)s, (int)other->surfaces[s].num_triangles, (int)other->surfaces[s].num_verts,
                (int)md3->surfaces[s].num_triangles, (int)md3->surfaces[s].num_verts);
    for (int32_t t = 0; t < md3->num_tags; t++)
        if (!same_tag(md3, other, t))
            return lm_edit_fail(edit, LM_CODE_BAD_ARGUMENT,
                                "tag %d has another name in the other model", (int)t);
    return true;
}

bool lm_md3_append(lm_edit *edit, const void *document) {
    lm_md3 *md3 = edit->document;
    const lm_md3 *other = document;
    lm_owned *owned = md3->owned;
    const size_t ours = (size_t)md3->num_frames, theirs = (size_t)other->num_frames;
    const size_t tags_size = (size_t)md3->num_tags * LM_MD3_TAG_SIZE;
    if (!fits(edit, md3, other))
        return false;
    const uint8_t *frames = lm_join_lumps(owned, md3->frames, ours * LM_MD3_FRAME_SIZE,
                                          other->frames, theirs * LM_MD3_FRAME_SIZE);
    const uint8_t *tags =
        lm_join_lumps(owned, md3->tags, ours * tags_size, other->tags, theirs * tags_size);
    const uint8_t **rows = lm_own(owned, NULL, (uint64_t)md3->num_surfaces + 1, sizeof(uint8_t *));
    bool done = frames && tags && rows;
    for (int32_t s = 0; done && s < md3->num_surfaces; s++) {
        const size_t row = (size_t)md3->surfaces[s].num_verts * LM_MD3_XYZ_NORMAL_SIZE;
        rows[s] = lm_join_lumps(owned, md3->surfaces[s].xyz_normals, ours * row,
                                other->surfaces[s].xyz_normals, theirs * row);
        done = rows[s] != NULL;
    }
    if (!done)
        return false;
    md3->frames = frames;
    md3->tags = tags;
    md3->num_frames += other->num_frames;
    for (int32_t s = 0; s < md3->num_surfaces; s++) {
        md3->surfaces[s].xyz_normals = rows[s];
        md3->surfaces[s].num_frames = md3->num_frames;
    }
    return true;
}

/* ---- Vertices that nothing draws ------------------------------------------------------------ */

static bool trim_surface(lm_edit *edit, uint32_t index, lm_md3_surface *surface) {
    const lm_md3 *md3 = edit->document;
    lm_mesh_numbers numbers;
    if (!lm_mesh_number(md3->owned, surface->triangles, surface->num_triangles, surface->num_verts,
                        &numbers) ||
        !lm_mesh_note_numbers(edit, index, surface->num_verts, numbers.count))
        return false;
    if (numbers.count == (uint32_t)surface->num_verts)
        return true;
    surface->triangles = numbers.triangles;
    surface->st = lm_pick(md3->owned, surface->st, LM_MD3_ST_SIZE, numbers.kept, numbers.count);
    surface->xyz_normals = lm_pick_in_groups(
        md3->owned, surface->xyz_normals, LM_MD3_XYZ_NORMAL_SIZE, (uint32_t)md3->num_frames,
        (uint32_t)surface->num_verts, numbers.kept, numbers.count);
    surface->num_verts = (int32_t)numbers.count;
    return surface->st && surface->xyz_normals;
}

/* Surfaces as others that `change` makes of them: all, or none. */
static bool change_surfaces(lm_edit *edit, const void *context,
                            bool (*change)(lm_edit *edit, uint32_t index, lm_md3_surface *surface,
                                           const void *context)) {
    lm_md3 *md3 = edit->document;
    const uint64_t count = (uint64_t)md3->num_surfaces;
    lm_md3_surface *made = lm_own(md3->owned, NULL, count + 1, sizeof *made);
    bool done = made != NULL;
    for (uint32_t s = 0; done && s < count; s++) {
        made[s] = md3->surfaces[s];
        done = change(edit, s, &made[s], context);
    }
    if (done)
        md3->surfaces = made;
    return done;
}

static bool change_trim(lm_edit *edit, uint32_t index, lm_md3_surface *surface,
                        const void *context) {
    (void)context;
    return trim_surface(edit, index, surface);
}

bool lm_md3_trim(lm_edit *edit) {
    return change_surfaces(edit, NULL, change_trim);
}

/* ---- Elsewhere ------------------------------------------------------------------------------ */

static bool change_place(lm_edit *edit, uint32_t index, lm_md3_surface *surface,
                         const void *context) {
    const lm_md3 *md3 = edit->document;
    surface->xyz_normals =
        lm_mesh_turn_vertices(edit, md3->owned, context, surface->xyz_normals,
                              (size_t)md3->num_frames * (size_t)surface->num_verts, index);
    return surface->xyz_normals != NULL;
}

static uint8_t *turn_tags(lm_edit *edit, const lm_md3 *md3, const lm_edit_turn *turn) {
    const size_t count = (size_t)md3->num_frames * (size_t)md3->num_tags;
    uint8_t *tags = lm_join_lumps(md3->owned, md3->tags, count * LM_MD3_TAG_SIZE, NULL, 0);
    for (size_t i = 0; tags && i < count; i++) {
        uint8_t *bytes = tags + i * LM_MD3_TAG_SIZE;
        const lm_vec3 origin = lm_get_vec3(bytes + LM_MD3_TAG_ORIGIN);
        const lm_vec3 turned = lm_edit_turn_point(turn, origin);
        if (!lm_edit_sane(edit, turned))
            return NULL;
        lm_put_vec3(bytes + LM_MD3_TAG_ORIGIN, turned);
        for (size_t axis = 0; axis < 3; axis++) {
            uint8_t *at = bytes + LM_MD3_TAG_AXES + 12 * axis;
            lm_put_vec3(at, lm_edit_turn_direction(turn, lm_get_vec3(at)));
        }
    }
    return tags;
}

bool lm_md3_place(lm_edit *edit, const lm_edit_turn *turn) {
    lm_md3 *md3 = edit->document;
    const uint8_t *frames =
        lm_mesh_turn_frames(md3->owned, turn, md3->frames, (uint32_t)md3->num_frames);
    const uint8_t *tags = turn_tags(edit, md3, turn);
    if (!frames || !tags || !change_surfaces(edit, turn, change_place))
        return false;
    md3->frames = frames;
    md3->tags = tags;
    return true;
}

/* ---- Tags ----------------------------------------------------------------------------------- */

bool lm_md3_add_tag(lm_edit *edit, const uint8_t *field, const lm_vec3 *origin) {
    lm_md3 *md3 = edit->document;
    const size_t before = (size_t)md3->num_tags, size = before * LM_MD3_TAG_SIZE;
    uint8_t *tags = lm_own(md3->owned, NULL, (uint64_t)md3->num_frames, size + LM_MD3_TAG_SIZE);
    lm_md3_tag tag = {.origin = *origin, .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (!tags)
        return false;
    if (!lm_edit_sane(edit, *origin))
        return false;
    memcpy(tag.name, field, LM_MD3_NAME_SIZE);
    for (size_t f = 0; f < (size_t)md3->num_frames; f++) {
        uint8_t *row = tags + f * (size + LM_MD3_TAG_SIZE);
        if (size > 0)
            memcpy(row, md3->tags + f * size, size);
        lm_md3_put_tag(row + size, &tag);
    }
    md3->tags = tags;
    md3->num_tags++;
    return true;
}

bool lm_md3_move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by) {
    lm_md3 *md3 = edit->document;
    const size_t row = (size_t)md3->num_tags * LM_MD3_TAG_SIZE;
    uint8_t *tags = lm_join_lumps(md3->owned, md3->tags, (size_t)md3->num_frames * row, NULL, 0);
    if (!tags)
        return false;
    for (size_t f = 0; f < (size_t)md3->num_frames; f++) {
        uint8_t *at = tags + f * row + tag * (size_t)LM_MD3_TAG_SIZE + LM_MD3_TAG_ORIGIN;
        const lm_vec3 origin = lm_get_vec3(at);
        const lm_vec3 moved = {origin.x + by->x, origin.y + by->y, origin.z + by->z};
        if (!lm_edit_sane(edit, moved))
            return false;
        lm_put_vec3(at, moved);
    }
    md3->tags = tags;
    return true;
}

/* ---- Normals and bounds --------------------------------------------------------------------- */

static bool change_normals(lm_edit *edit, uint32_t index, lm_md3_surface *surface,
                           const void *context) {
    const lm_md3 *md3 = edit->document;
    const struct lm_take *take = context;
    const lm_take_surface *from = &take->surfaces[index];
    const size_t count = (size_t)md3->num_frames * (size_t)surface->num_verts;
    uint8_t *made =
        lm_join_lumps(md3->owned, surface->xyz_normals, count * LM_MD3_XYZ_NORMAL_SIZE, NULL, 0);
    if (from->num_vertices != (uint32_t)surface->num_verts)
        return lm_edit_fail(edit, LM_CODE_BAD_ARGUMENT, "the vertices cannot be told apart");
    for (size_t i = 0; made && i < count; i++) {
        const float *n = from->normals + 3 * i;
        const lm_vec3 normal = {n[0], n[1], n[2]};
        uint8_t rho, sigma;
        lm_nearest_normal_angles(&normal, &rho, &sigma);
        lm_put_u16(made + i * LM_MD3_XYZ_NORMAL_SIZE + 6, (uint16_t)(rho | sigma << 8));
    }
    surface->xyz_normals = made;
    return made != NULL;
}

bool lm_md3_put_normals(lm_edit *edit, const struct lm_take *take) {
    const lm_md3 *md3 = edit->document;
    if (take->num_surfaces != (uint32_t)md3->num_surfaces)
        return lm_edit_fail(edit, LM_CODE_BAD_ARGUMENT, "the surfaces cannot be told apart");
    return lm_edit_note(edit, "normals", "as stored", "computed") &&
           change_surfaces(edit, take, change_normals);
}

bool lm_md3_bounds(lm_edit *edit) {
    lm_md3 *md3 = edit->document;
    const size_t count = (size_t)md3->num_frames;
    uint8_t *frames = lm_join_lumps(md3->owned, md3->frames, count * LM_MD3_FRAME_SIZE, NULL, 0);
    for (size_t f = 0; frames && f < count; f++) {
        uint8_t *frame = frames + f * LM_MD3_FRAME_SIZE;
        lm_mesh_bounds bounds = {.origin = lm_mesh_get_frame(frame).local_origin};
        for (int32_t s = 0; s < md3->num_surfaces; s++) {
            const lm_md3_surface *surface = &md3->surfaces[s];
            const size_t verts = (size_t)surface->num_verts;
            for (size_t v = 0; v < verts; v++)
                lm_mesh_grow_bounds(&bounds,
                                    lm_mesh_get_position(surface->xyz_normals +
                                                         (f * verts + v) * LM_MD3_XYZ_NORMAL_SIZE));
        }
        lm_mesh_put_bounds(&bounds, frame);
    }
    if (!frames || !lm_mesh_note_bounds(edit, md3->frames, frames, (uint32_t)count))
        return false;
    md3->frames = frames;
    return true;
}
