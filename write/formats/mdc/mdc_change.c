/* Editing MDC's vertices and tags: more frames, fewer vertices, elsewhere, normals, bounds. */
#include "formats/mdc/mdc_write.h"
#include "formats/vertex_mesh/vertex_mesh_edit.h"
#include "lerpmesh/normals.h"
#include "lerpmesh/take.h"

#include <stdio.h>

/* ---- Frames of another file ----------------------------------------------------------------- */

static bool same_surface(const lm_mdc_surface *a, const lm_mdc_surface *b) {
    return a->num_vertices == b->num_vertices && a->num_triangles == b->num_triangles &&
           lm_equal_bytes(a->triangles, b->triangles,
                          (size_t)a->num_triangles * LM_MDC_TRIANGLE_SIZE);
}

static bool same_tag(const lm_mdc *a, const lm_mdc *b, int32_t tag) {
    const size_t at = (size_t)tag * LM_MDC_TAG_NAME_SIZE;
    return strncmp((const char *)a->tag_names + at, (const char *)b->tag_names + at,
                   LM_MDC_TAG_NAME_SIZE) == 0;
}

static bool fits(lm_edit *edit, const lm_mdc *mdc, const lm_mdc *other) {
    if (other->num_surfaces != mdc->num_surfaces || other->num_tags != mdc->num_tags)
        return lm_edit_fail(edit, LM_CODE_BAD_ARGUMENT,
                            "the other model's surfaces (%d) and tags (%d) are not as many as this "
                            "one's (%d, %d): its frames do not fit",
                            (int)other->num_surfaces, (int)other->num_tags, (int)mdc->num_surfaces,
                            (int)mdc->num_tags);
    for (int32_t s = 0; s < mdc->num_surfaces; s++)
        if (!same_surface(&mdc->surfaces[s], &other->surfaces[s]))
            return lm_edit_fail(
                edit, LM_CODE_BAD_ARGUMENT,
                "surface %d: the other model's triangles (%d of %d vertices) are "
                "not this one's (%d of %d): its frames do not fit",
                (int)s, (int)other->surfaces[s].num_triangles, (int)other->surfaces[s].num_vertices,
                (int)mdc->surfaces[s].num_triangles, (int)mdc->surfaces[s].num_vertices);
    for (int32_t t = 0; t < mdc->num_tags; t++)
        if (!same_tag(mdc, other, t))
            return lm_edit_fail(edit, LM_CODE_BAD_ARGUMENT,
                                "tag %d has another name in the other model", (int)t);
    return true;
}

/* Which differences a frame has; -1: none. Where there are none nobody looks at the table. */
static int32_t comp_of(const lm_mdc_surface *surface, int32_t frame) {
    return surface->num_comp_frames > 0 ? lm_mdc_get_frame_comp_frame(surface, frame) : -1;
}

/* The tables of both: rows of the other come behind ours. */
static bool join_tables(const lm_mdc *mdc, const lm_mdc *other, const lm_mdc_surface *theirs,
                        lm_mdc_surface *surface) {
    const uint64_t count = (uint64_t)mdc->num_frames + (uint64_t)other->num_frames;
    uint8_t *base = lm_own(mdc->owned, NULL, count, LM_MDC_FRAME_INDEX_SIZE);
    uint8_t *comp = lm_own(mdc->owned, NULL, count, LM_MDC_FRAME_INDEX_SIZE);
    uint8_t *base_at = base, *comp_at = comp;
    if (!base || !comp)
        return false;
    for (int32_t f = 0; f < mdc->num_frames; f++) {
        lm_mdc_put_frame_index(base_at, lm_mdc_get_frame_base_frame(surface, f));
        lm_mdc_put_frame_index(comp_at, comp_of(surface, f));
        base_at += LM_MDC_FRAME_INDEX_SIZE;
        comp_at += LM_MDC_FRAME_INDEX_SIZE;
    }
    for (int32_t f = 0; f < other->num_frames; f++) {
        const int32_t row = comp_of(theirs, f);
        lm_mdc_put_frame_index(base_at,
                               lm_mdc_get_frame_base_frame(theirs, f) + surface->num_base_frames);
        lm_mdc_put_frame_index(comp_at,
                               row < 0 ? LM_MDC_NO_COMP_FRAME : row + surface->num_comp_frames);
        base_at += LM_MDC_FRAME_INDEX_SIZE;
        comp_at += LM_MDC_FRAME_INDEX_SIZE;
    }
    surface->frame_base_frames = base;
    surface->frame_comp_frames = comp;
    return true;
}

/* Surfaces as others that `change` makes of them: all, or none. */
static bool change_surfaces(lm_edit *edit, const void *context,
                            bool (*change)(lm_edit *edit, uint32_t index, lm_mdc_surface *surface,
                                           const void *context)) {
    lm_mdc *mdc = edit->document;
    const uint64_t count = (uint64_t)mdc->num_surfaces;
    lm_mdc_surface *made = lm_own(mdc->owned, NULL, count + 1, sizeof *made);
    bool done = made != NULL;
    for (uint32_t s = 0; done && s < count; s++) {
        made[s] = mdc->surfaces[s];
        done = change(edit, s, &made[s], context);
    }
    if (done)
        mdc->surfaces = made;
    return done;
}

static bool change_append(lm_edit *edit, uint32_t index, lm_mdc_surface *s, const void *context) {
    const lm_mdc *mdc = edit->document, *other = context;
    const lm_mdc_surface *theirs = &other->surfaces[index];
    const size_t base = (size_t)s->num_vertices * LM_MDC_BASE_VERTEX_SIZE;
    const size_t comp = (size_t)s->num_vertices * LM_MDC_COMP_VERTEX_SIZE;
    if (s->num_base_frames > INT16_MAX - theirs->num_base_frames ||
        s->num_comp_frames > INT16_MAX - theirs->num_comp_frames)
        return lm_edit_fail(edit, LM_CODE_LIMIT,
                            "surface %u: there would be more than %d base frames or differences",
                            (unsigned)index, INT16_MAX);
    if (!join_tables(mdc, other, theirs, s))
        return false;
    s->base_vertices =
        lm_join_lumps(mdc->owned, s->base_vertices, (size_t)s->num_base_frames * base,
                      theirs->base_vertices, (size_t)theirs->num_base_frames * base);
    s->comp_vertices =
        lm_join_lumps(mdc->owned, s->comp_vertices, (size_t)s->num_comp_frames * comp,
                      theirs->comp_vertices, (size_t)theirs->num_comp_frames * comp);
    s->num_base_frames += theirs->num_base_frames;
    s->num_comp_frames += theirs->num_comp_frames;
    return s->base_vertices && s->comp_vertices;
}

bool lm_mdc_append(lm_edit *edit, const void *document) {
    lm_mdc *mdc = edit->document;
    const lm_mdc *other = document;
    const size_t ours = (size_t)mdc->num_frames, theirs = (size_t)other->num_frames;
    const size_t tags_size = (size_t)mdc->num_tags * LM_MDC_TAG_SIZE;
    if (!fits(edit, mdc, other))
        return false;
    const uint8_t *frames = lm_join_lumps(mdc->owned, mdc->frames, ours * LM_MDC_FRAME_SIZE,
                                          other->frames, theirs * LM_MDC_FRAME_SIZE);
    const uint8_t *tags =
        lm_join_lumps(mdc->owned, mdc->tags, ours * tags_size, other->tags, theirs * tags_size);
    if (!frames || !tags || !change_surfaces(edit, other, change_append))
        return false;
    mdc->frames = frames;
    mdc->tags = tags;
    mdc->num_frames += other->num_frames;
    return true;
}

/* ---- Vertices that nothing draws ------------------------------------------------------------ */

static bool change_trim(lm_edit *edit, uint32_t index, lm_mdc_surface *s, const void *context) {
    const lm_mdc *mdc = edit->document;
    lm_mesh_numbers numbers;
    (void)context;
    if (!lm_mesh_number(mdc->owned, s->triangles, s->num_triangles, s->num_vertices, &numbers) ||
        !lm_mesh_note_numbers(edit, index, s->num_vertices, numbers.count))
        return false;
    if (numbers.count == (uint32_t)s->num_vertices)
        return true;
    s->triangles = numbers.triangles;
    s->st = lm_pick(mdc->owned, s->st, LM_MDC_ST_SIZE, numbers.kept, numbers.count);
    s->base_vertices = lm_pick_in_groups(mdc->owned, s->base_vertices, LM_MDC_BASE_VERTEX_SIZE,
                                         (uint32_t)s->num_base_frames, (uint32_t)s->num_vertices,
                                         numbers.kept, numbers.count);
    s->comp_vertices = lm_pick_in_groups(mdc->owned, s->comp_vertices, LM_MDC_COMP_VERTEX_SIZE,
                                         (uint32_t)s->num_comp_frames, (uint32_t)s->num_vertices,
                                         numbers.kept, numbers.count);
    s->num_vertices = (int32_t)numbers.count;
    return s->st && s->base_vertices && s->comp_vertices;
}

bool lm_mdc_trim(lm_edit *edit) {
    return change_surfaces(edit, NULL, change_trim);
}

/* ---- Elsewhere ------------------------------------------------------------------------------ */

#define BIAS 127 /* of a difference's bytes: this is none */

/* A difference's bytes, turned. The largest step that is positive has no negative twin. */
static bool turn_difference(lm_edit *edit, const lm_edit_turn *turn, uint32_t surface,
                            const uint8_t *normals, uint8_t *bytes) {
    const uint8_t from[3] = {bytes[0], bytes[1], bytes[2]};
    for (int axis = 0; axis < 2; axis++) {
        const int step = from[turn->from[axis]] - BIAS;
        const int turned = BIAS + (turn->negative[axis] ? -step : step);
        if (turned < 0 && !turn->round)
            return lm_edit_fail(edit, LM_CODE_LIMIT,
                                "surface %u: a difference of %g units cannot be turned around, the "
                                "largest is %g: allow that (--round), or encode the model anew",
                                (unsigned)surface, step * (double)LM_MDC_COMP_STEP,
                                BIAS * (double)LM_MDC_COMP_STEP);
        bytes[axis] = (uint8_t)(turned < 0 ? 0 : turned);
    }
    bytes[3] = normals[bytes[3]];
    return true;
}

static bool change_place(lm_edit *edit, uint32_t index, lm_mdc_surface *s, const void *context) {
    const lm_mdc *mdc = edit->document;
    const lm_edit_turn *turn = context;
    const size_t vertices = (size_t)s->num_vertices;
    const size_t count = (size_t)s->num_comp_frames * vertices;
    uint8_t normals[LM_NUM_NORMALS_256];
    if (turn->scale != 1 && count > 0)
        return lm_edit_fail(edit, LM_CODE_LIMIT,
                            "surface %u has differences, whose steps cannot be scaled: encode the "
                            "model anew",
                            (unsigned)index);
    lm_edit_turn_normals(turn, lm_normals_256(), LM_NUM_NORMALS_256, lm_nearest_normal_256,
                         normals);
    s->base_vertices = lm_mesh_turn_vertices(edit, mdc->owned, turn, s->base_vertices,
                                             (size_t)s->num_base_frames * vertices, index);
    uint8_t *comp = s->base_vertices ? lm_join_lumps(mdc->owned, s->comp_vertices,
                                                     count * LM_MDC_COMP_VERTEX_SIZE, NULL, 0)
                                     : NULL;
    for (size_t i = 0; comp && turn->quarters > 0 && i < count; i++)
        if (!turn_difference(edit, turn, index, normals, comp + i * LM_MDC_COMP_VERTEX_SIZE))
            return false;
    s->comp_vertices = comp;
    return comp != NULL;
}

/* Steps of an angle in a whole turn: 360/32700 degrees each. */
#define ANGLE_STEPS 32700

static bool turn_tag(lm_edit *edit, const lm_edit_turn *turn, uint32_t index, uint8_t *bytes) {
    enum {
        YAW = 6 + 2 /* behind the position: pitch, yaw, roll */
    };
    int16_t steps[3] = {0};
    for (int axis = 0; axis < 3; axis++) {
        const double from = lm_get_s16(bytes + (size_t)2 * (size_t)turn->from[axis]) * turn->scale;
        const double to =
            (turn->negative[axis] ? -from : from) + turn->move[axis] / (double)LM_MESH_STEP;
        if (!lm_edit_round(edit, turn, to, (double)LM_MESH_STEP, "a tag's place in row", index,
                           &steps[axis]))
            return false;
    }
    for (size_t axis = 0; axis < 3; axis++)
        lm_put_u16(bytes + 2 * axis, (uint16_t)steps[axis]);
    int yaw = lm_get_s16(bytes + YAW) + turn->quarters * (ANGLE_STEPS / 4);
    if (turn->quarters > 0 && yaw > ANGLE_STEPS / 2)
        yaw -= ANGLE_STEPS;
    lm_put_u16(bytes + YAW, (uint16_t)yaw);
    return true;
}

bool lm_mdc_place(lm_edit *edit, const lm_edit_turn *turn) {
    lm_mdc *mdc = edit->document;
    const size_t num_tags = (size_t)mdc->num_frames * (size_t)mdc->num_tags;
    const uint8_t *frames =
        lm_mesh_turn_frames(mdc->owned, turn, mdc->frames, (uint32_t)mdc->num_frames);
    uint8_t *tags = lm_join_lumps(mdc->owned, mdc->tags, num_tags * LM_MDC_TAG_SIZE, NULL, 0);
    for (size_t i = 0; tags && i < num_tags; i++)
        if (!turn_tag(edit, turn, (uint32_t)i, tags + i * LM_MDC_TAG_SIZE))
            return false;
    if (!frames || !tags || !change_surfaces(edit, turn, change_place))
        return false;
    mdc->frames = frames;
    mdc->tags = tags;
    return true;
}

/* ---- Tags ----------------------------------------------------------------------------------- */

/* Adds a place to a tag's, to the nearest step. */
static bool move_place(lm_edit *edit, const lm_vec3 *by, uint32_t tag, uint8_t *bytes) {
    static const lm_edit_turn rounding = {.round = true};
    const double units[3] = {(double)by->x, (double)by->y, (double)by->z};
    for (size_t axis = 0; axis < 3; axis++) {
        int16_t steps = 0;
        const double to = lm_get_s16(bytes + 2 * axis) + units[axis] / (double)LM_MESH_STEP;
        if (!lm_edit_round(edit, &rounding, to, (double)LM_MESH_STEP, "tag", tag, &steps))
            return false;
        lm_put_u16(bytes + 2 * axis, (uint16_t)steps);
    }
    return true;
}

bool lm_mdc_add_tag(lm_edit *edit, const uint8_t *field, const lm_vec3 *origin) {
    lm_mdc *mdc = edit->document;
    const size_t before = (size_t)mdc->num_tags, size = before * LM_MDC_TAG_SIZE;
    uint8_t *names =
        lm_lengthen(mdc->owned, mdc->tag_names, LM_MDC_TAG_NAME_SIZE, (uint32_t)mdc->num_tags);
    uint8_t *tags = lm_own(mdc->owned, NULL, (uint64_t)mdc->num_frames, size + LM_MDC_TAG_SIZE);
    uint8_t tag[LM_MDC_TAG_SIZE] = {0};
    if (!names || !tags || !move_place(edit, origin, (uint32_t)before, tag))
        return false;
    memcpy(names + before * LM_MDC_TAG_NAME_SIZE, field, LM_MDC_TAG_NAME_SIZE);
    for (size_t f = 0; f < (size_t)mdc->num_frames; f++) {
        uint8_t *row = tags + f * (size + LM_MDC_TAG_SIZE);
        if (size > 0)
            memcpy(row, mdc->tags + f * size, size);
        memcpy(row + size, tag, sizeof tag);
    }
    mdc->tag_names = names;
    mdc->tags = tags;
    mdc->num_tags++;
    return true;
}

bool lm_mdc_move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by) {
    lm_mdc *mdc = edit->document;
    const size_t row = (size_t)mdc->num_tags * LM_MDC_TAG_SIZE;
    uint8_t *tags = lm_join_lumps(mdc->owned, mdc->tags, (size_t)mdc->num_frames * row, NULL, 0);
    if (!tags)
        return false;
    for (size_t f = 0; f < (size_t)mdc->num_frames; f++)
        if (!move_place(edit, by, tag, tags + f * row + tag * (size_t)LM_MDC_TAG_SIZE))
            return false;
    mdc->tags = tags;
    return true;
}

/* ---- Normals and bounds --------------------------------------------------------------------- */

static bool change_normals(lm_edit *edit, uint32_t index, lm_mdc_surface *s, const void *context) {
    const lm_mdc *mdc = edit->document;
    const struct lm_take *take = context;
    const lm_take_surface *from = &take->surfaces[index];
    const size_t count = (size_t)s->num_vertices;
    uint8_t *base =
        lm_join_lumps(mdc->owned, s->base_vertices,
                      (size_t)s->num_base_frames * count * LM_MDC_BASE_VERTEX_SIZE, NULL, 0);
    uint8_t *comp =
        lm_join_lumps(mdc->owned, s->comp_vertices,
                      (size_t)s->num_comp_frames * count * LM_MDC_COMP_VERTEX_SIZE, NULL, 0);
    if (from->num_vertices != (uint32_t)s->num_vertices)
        return lm_edit_fail(edit, LM_CODE_BAD_ARGUMENT, "the vertices cannot be told apart");
    if (!base || !comp)
        return false;
    for (size_t i = 0; i < (size_t)mdc->num_frames * count; i++) {
        const int32_t frame = (int32_t)(i / count);
        const int32_t row = comp_of(s, frame);
        const float *n = from->normals + 3 * i;
        const lm_vec3 normal = {n[0], n[1], n[2]};
        uint8_t *at = base + ((size_t)lm_mdc_get_frame_base_frame(s, frame) * count + i % count) *
                                 LM_MDC_BASE_VERTEX_SIZE;
        if (row >= 0)
            comp[((size_t)row * count + i % count) * LM_MDC_COMP_VERTEX_SIZE + 3] =
                lm_nearest_normal_256(&normal);
        else
            lm_nearest_normal_angles(&normal, at + 6, at + 7);
    }
    s->base_vertices = base;
    s->comp_vertices = comp;
    return true;
}

bool lm_mdc_put_normals(lm_edit *edit, const struct lm_take *take) {
    const lm_mdc *mdc = edit->document;
    if (take->num_surfaces != (uint32_t)mdc->num_surfaces)
        return lm_edit_fail(edit, LM_CODE_BAD_ARGUMENT, "the surfaces cannot be told apart");
    return lm_edit_note(edit, "normals", "as stored", "computed") &&
           change_surfaces(edit, take, change_normals);
}

static lm_vec3 position_of(const lm_mdc_surface *s, int32_t frame, size_t vertex) {
    const size_t count = (size_t)s->num_vertices;
    const int32_t row = comp_of(s, frame);
    lm_vec3 p = lm_mesh_get_position(
        s->base_vertices +
        ((size_t)lm_mdc_get_frame_base_frame(s, frame) * count + vertex) * LM_MDC_BASE_VERTEX_SIZE);
    if (row >= 0) {
        const uint8_t *v =
            s->comp_vertices + ((size_t)row * count + vertex) * LM_MDC_COMP_VERTEX_SIZE;
        p.x += (float)(v[0] - BIAS) * LM_MDC_COMP_STEP;
        p.y += (float)(v[1] - BIAS) * LM_MDC_COMP_STEP;
        p.z += (float)(v[2] - BIAS) * LM_MDC_COMP_STEP;
    }
    return p;
}

bool lm_mdc_bounds(lm_edit *edit) {
    lm_mdc *mdc = edit->document;
    const size_t count = (size_t)mdc->num_frames;
    uint8_t *frames = lm_join_lumps(mdc->owned, mdc->frames, count * LM_MDC_FRAME_SIZE, NULL, 0);
    for (size_t f = 0; frames && f < count; f++) {
        uint8_t *frame = frames + f * LM_MDC_FRAME_SIZE;
        lm_mesh_bounds bounds = {.origin = lm_mesh_get_frame(frame).local_origin};
        for (int32_t s = 0; s < mdc->num_surfaces; s++)
            for (int32_t v = 0; v < mdc->surfaces[s].num_vertices; v++)
                lm_mesh_grow_bounds(&bounds, position_of(&mdc->surfaces[s], (int32_t)f, (size_t)v));
        lm_mesh_put_bounds(&bounds, frame);
    }
    if (!frames || !lm_mesh_note_bounds(edit, mdc->frames, frames, (uint32_t)count))
        return false;
    mdc->frames = frames;
    return true;
}
