/* Editing MDC: frames refer to a base frame and a compressed frame. Tags have names apart from
 * their transforms, which are integers. */
#include "encode/axes.h"
#include "formats/mdc/mdc_write.h"
#include "formats/vertex_mesh/vertex_mesh_edit.h"
#include "formats/vertex_mesh/vertex_mesh_encode.h"
#include "lerpmesh/base.h"
#include "lerpmesh/mesh.h"
#include "math/vectors.h"
#include "mesh/moves.h"

static int32_t base_of(const lm_mdc_surface *surface, int32_t frame) {
    return lm_mdc_get_frame_base_frame(surface, frame);
}

/* Returns -1 for none. Without compressed frames, the table is not read. */
static int32_t comp_of(const lm_mdc_surface *surface, int32_t frame) {
    return surface->num_comp_frames > 0 ? lm_mdc_get_frame_comp_frame(surface, frame) : -1;
}

#define ROWS(lump, number, table, entry)                               \
    {offsetof(lm_mdc_surface, lump), offsetof(lm_mdc_surface, number), \
     offsetof(lm_mdc_surface, table), entry}

const lm_mdc_rows lm_mdc_base_rows =
    ROWS(base_vertices, num_base_frames, frame_base_frames, base_of);
const lm_mdc_rows lm_mdc_comp_rows =
    ROWS(comp_vertices, num_comp_frames, frame_comp_frames, comp_of);

static lm_vertex_mesh_rows rows(const void *surface, int32_t frame) {
    return (lm_vertex_mesh_rows){base_of(surface, frame), comp_of(surface, frame)};
}

/* ---- Selecting frames ----------------------------------------------------------------------- */

static void mark_used(const lm_mdc_rows *rows, const lm_mdc_surface *surface, uint32_t num_frames,
                      bool is, lm_renumbered *numbers) {
    for (uint32_t i = 0; i < num_frames; i++) {
        const int32_t row = rows->entry(surface, (int32_t)i);
        if (row >= 0 && (uint32_t)row < numbers->of)
            numbers->used[row] = is;
    }
}

/* Removes the rows that only deselected frames used. */
static bool pick_rows(const lm_edit *edit, const lm_mdc_rows *rows, const lm_mdc_surface *old,
                      lm_mdc_surface *made, uint32_t num_frames) {
    const lm_mdc *mdc = edit->document;
    const lm_part part = {&lm_mdc_surface_header, mdc, old};
    const lm_header_lump *table = lm_lump_at(part.header, rows->table);
    lm_renumbered numbers;
    if (!lm_begin_renumbering(mdc->owned, lm_number(old, rows->count), &numbers))
        return false;
    memset(numbers.used, true, numbers.of);
    mark_used(rows, old, (uint32_t)mdc->num_frames, false, &numbers);
    mark_used(rows, made, num_frames, true, &numbers);
    lm_end_renumbering(&numbers);
    uint8_t *entries = lm_arena_piece(mdc->owned, lm_lump_data(table, made),
                                      (size_t)num_frames * LM_MDC_FRAME_INDEX_SIZE);
    for (uint32_t i = 0; entries && i < num_frames; i++) {
        const int32_t row = rows->entry(made, (int32_t)i);
        if (row >= 0 && (uint32_t)row < numbers.of)
            lm_put_u16(entries + (size_t)i * LM_MDC_FRAME_INDEX_SIZE,
                       (uint16_t)numbers.new_indices[row]);
    }
    return lm_select_counted(edit, &part, rows->count, false, numbers.old_indices, numbers.count,
                             made);
}

static bool select_frames(const lm_edit *edit, const void *old, void *made, uint32_t count) {
    const lm_mdc_surface *surface = old;
    return surface->num_vertices == 0 || (pick_rows(edit, &lm_mdc_base_rows, old, made, count) &&
                                          pick_rows(edit, &lm_mdc_comp_rows, old, made, count));
}

/* ---- Frames of another file ----------------------------------------------------------------- */

/* Joins the rows and tables of both surfaces: the other's rows follow. */
static bool join_rows(const lm_edit *edit, const lm_mdc_rows *rows, const lm_mdc *other,
                      const lm_mdc_surface *theirs, lm_mdc_surface *made) {
    const lm_mdc *mdc = edit->document;
    const lm_part part = {&lm_mdc_surface_header, mdc, made};
    const lm_part match = {&lm_mdc_surface_header, other, theirs};
    const lm_header_lump *lump = lm_lump_at(part.header, rows->lump);
    const int32_t ours = lm_number(made, rows->count), more = lm_number(theirs, rows->count);
    uint8_t *joined = lm_join_lumps(mdc->owned, lm_lump_data(lump, made), lm_part_size(&part, lump),
                                    lm_lump_data(lump, theirs), lm_part_size(&match, lump));
    uint8_t *table =
        lm_arena_alloc(mdc->owned, (uint64_t)mdc->num_frames + (uint64_t)other->num_frames,
                       LM_MDC_FRAME_INDEX_SIZE);
    if (!joined || !table)
        return false;
    uint8_t *at = table;
    for (int32_t f = 0; f < mdc->num_frames; f++, at += LM_MDC_FRAME_INDEX_SIZE)
        lm_put_u16(at, (uint16_t)rows->entry(made, f));
    for (int32_t f = 0; f < other->num_frames; f++, at += LM_MDC_FRAME_INDEX_SIZE) {
        const int32_t row = rows->entry(theirs, f);
        lm_put_u16(at, (uint16_t)(row < 0 ? LM_MDC_NO_COMP_FRAME : row + ours));
    }
    lm_set_lump_data(lump, made, joined);
    lm_set_lump_data(lm_lump_at(part.header, rows->table), made, table);
    lm_set_number(made, rows->count, ours + more);
    return true;
}

static bool append_frames(lm_edit *edit, uint32_t index, void *made, const void *document) {
    const lm_mdc *other = document;
    lm_mdc_surface *s = made;
    const lm_mdc_surface *theirs = &other->surfaces[index];
    if (s->num_base_frames > INT16_MAX - theirs->num_base_frames ||
        s->num_comp_frames > INT16_MAX - theirs->num_comp_frames)
        return lm_call_fail(edit->call, LM_CODE_LIMIT,
                            "surface %u would have more than %d base frames or compressed frames",
                            (unsigned)index, INT16_MAX);
    return join_rows(edit, &lm_mdc_base_rows, other, theirs, s) &&
           join_rows(edit, &lm_mdc_comp_rows, other, theirs, s);
}

/* ---- Moved vertices ------------------------------------------------------------------------- */

#define BIAS 127 /* the byte for no difference */

static bool find_difference(lm_vec3 units, uint8_t bytes[3]) {
    const float bias = -(float)BIAS * LM_MDC_COMP_STEP, step = LM_MDC_COMP_STEP;
    return lm_find_bytes(units, (lm_vec3){step, step, step}, (lm_vec3){bias, bias, bias}, bytes);
}

/* Returns true if the vertices of a frame that move fit its compressed frame. */
static bool fits_differences(const lm_mdc_surface *s, const lm_moves *moves, uint32_t surface,
                             uint32_t frame) {
    const uint32_t count = (uint32_t)s->num_vertices;
    const uint8_t *base =
        s->base_vertices + (size_t)base_of(s, (int32_t)frame) * count * LM_VERTEX_MESH_VERTEX_SIZE;
    bool fits = true;
    for (uint32_t v = 0; fits && v < count; v++) {
        const lm_vec3 from = lm_vertex_mesh_get_position(base + v * LM_VERTEX_MESH_VERTEX_SIZE);
        const lm_vec3 to = lm_moved_position(moves, surface, frame, v);
        uint8_t bytes[3];
        fits = !lm_moves_vertex(moves, surface, frame, v) ||
               find_difference((lm_vec3){to.x - from.x, to.y - from.y, to.z - from.z}, bytes);
    }
    return fits;
}

/* Finds the frames that change and need a base frame of their own, because others use theirs. Sets
 * their `own`, and returns their number. */
static uint32_t find_owners(const lm_mdc *mdc, const lm_mdc_surface *s, const lm_moves *moves,
                            uint32_t surface, uint32_t *users, bool *own) {
    const int32_t comps = s->num_comp_frames;
    uint32_t count = 0;
    for (int32_t f = 0; f < mdc->num_frames; f++) {
        users[comps + base_of(s, f)]++;
        if (comp_of(s, f) >= 0)
            users[comp_of(s, f)]++;
    }
    for (int32_t f = 0; f < mdc->num_frames; f++) {
        const int32_t comp = comp_of(s, f);
        const uint32_t shared = users[comp >= 0 ? comp : comps + base_of(s, f)];
        own[f] = lm_moves_surface(moves, surface, (uint32_t)f) &&
                 (shared > 1 || (comp >= 0 && !fits_differences(s, moves, surface, (uint32_t)f)));
        count += own[f];
    }
    return count;
}

/* Writes a base frame: the vertices as they are, which are rounded if the frame was compressed. */
static bool put_base(lm_edit *edit, const lm_moves *moves, uint32_t surface, uint32_t frame,
                     uint8_t *out) {
    const lm_mesh_surface *old = &moves->old->surfaces[surface];
    for (uint32_t v = 0; v < old->num_vertices; v++, out += LM_VERTEX_MESH_VERTEX_SIZE) {
        const lm_vec3 p = lm_moved_position(moves, surface, frame, v);
        const lm_vec3 normal = lm_vec3_at(old->normals, (size_t)frame * old->num_vertices + v);
        lm_vertex_mesh_vertex vertex = {{0, 0, 0}, 0};
        if (!lm_vertex_mesh_round((double)p.x, &vertex.v[0]) ||
            !lm_vertex_mesh_round((double)p.y, &vertex.v[1]) ||
            !lm_vertex_mesh_round((double)p.z, &vertex.v[2]))
            return lm_vertex_mesh_fail_range(edit, surface, frame, v);
        lm_vertex_mesh_put_vertex(out, vertex);
        lm_nearest_normal_angles(&normal, out + 6, out + 7);
    }
    return true;
}

/* Writes the table of a surface's base or compressed frames in full. */
static uint8_t *copy_table(const lm_edit *edit, const lm_mdc_rows *rows, lm_mdc_surface *made) {
    const lm_mdc *mdc = edit->document;
    uint8_t *table = lm_arena_alloc(mdc->owned, (uint64_t)mdc->num_frames, LM_MDC_FRAME_INDEX_SIZE);
    for (int32_t f = 0; table && f < mdc->num_frames; f++)
        lm_put_u16(table + (size_t)f * LM_MDC_FRAME_INDEX_SIZE, (uint16_t)rows->entry(made, f));
    if (table)
        lm_set_lump_data(lm_lump_at(&lm_mdc_surface_header, rows->table), made, table);
    return table;
}

static bool add_bases(lm_edit *edit, const lm_moves *moves, uint32_t index, const bool *own,
                      uint32_t count, lm_mdc_surface *made) {
    const lm_mdc *mdc = edit->document;
    const size_t size = (size_t)made->num_vertices * LM_VERTEX_MESH_VERTEX_SIZE;
    uint8_t *bases = lm_arena_alloc(mdc->owned, (uint64_t)made->num_base_frames + count, size);
    uint8_t *base_table = copy_table(edit, &lm_mdc_base_rows, made);
    uint8_t *comp_table = copy_table(edit, &lm_mdc_comp_rows, made);
    if (!bases || !base_table || !comp_table)
        return false;
    memcpy(bases, made->base_vertices, (size_t)made->num_base_frames * size);
    made->base_vertices = bases;
    for (uint32_t f = 0; f < (uint32_t)mdc->num_frames; f++) {
        if (!own[f])
            continue;
        const int32_t row = made->num_base_frames++;
        if (!put_base(edit, moves, index, f, bases + (size_t)row * size))
            return false;
        lm_put_u16(base_table + (size_t)f * LM_MDC_FRAME_INDEX_SIZE, (uint16_t)row);
        lm_put_u16(comp_table + (size_t)f * LM_MDC_FRAME_INDEX_SIZE,
                   (uint16_t)LM_MDC_NO_COMP_FRAME);
    }
    return true;
}

static bool own_rows(lm_edit *edit, const lm_part *part, uint32_t index, const lm_moves *moves,
                     void *made) {
    const lm_mdc *mdc = edit->document;
    const lm_mdc_surface *s = part->owner;
    uint32_t *users = lm_arena_zeros(
        mdc->owned, (uint64_t)s->num_base_frames + (uint64_t)s->num_comp_frames, sizeof *users);
    bool *own = lm_arena_alloc(mdc->owned, (uint64_t)mdc->num_frames, sizeof *own);
    if (!users || !own)
        return false;
    const uint32_t count = find_owners(mdc, s, moves, index, users, own);
    if (count > (uint32_t)(INT16_MAX - s->num_base_frames))
        return lm_call_fail(edit->call, LM_CODE_LIMIT,
                            "surface %u would have more than %d base frames", (unsigned)index,
                            INT16_MAX);
    return add_bases(edit, moves, index, own, count, made);
}

/* ---- Transforming --------------------------------------------------------------------------- */

static lm_vec3 difference(const uint8_t *v) {
    return (lm_vec3){(float)(v[0] - BIAS) * LM_MDC_COMP_STEP,
                     (float)(v[1] - BIAS) * LM_MDC_COMP_STEP,
                     (float)(v[2] - BIAS) * LM_MDC_COMP_STEP};
}

/* Rotates a difference's bytes. The largest positive step has no negative counterpart. */
static bool transform_offset(lm_edit *edit, const lm_edit_transformation *to, uint32_t surface,
                             const uint8_t *normals, uint8_t *bytes) {
    const uint8_t from[3] = {bytes[0], bytes[1], bytes[2]};
    for (int axis = 0; axis < 2; axis++) {
        const int step = from[to->from[axis]] - BIAS;
        const int transformed = BIAS + (to->negative[axis] ? -step : step);
        if (transformed < 0 && !to->round)
            return lm_call_fail(
                edit->call, LM_CODE_ROUNDING,
                "surface %u: an offset of %g units cannot be reversed; the largest is %g",
                (unsigned)surface, step * (double)LM_MDC_COMP_STEP,
                BIAS * (double)LM_MDC_COMP_STEP);
        bytes[axis] = (uint8_t)(transformed < 0 ? 0 : transformed);
    }
    bytes[3] = normals[bytes[3]];
    return true;
}

static bool transform_differences(lm_edit *edit, const lm_edit_transformation *to,
                                  const lm_part *part, uint32_t index, void *made) {
    const lm_mdc_surface *s = part->owner;
    const size_t count = (size_t)s->num_comp_frames * (size_t)s->num_vertices;
    uint8_t normals[LM_NUM_NORMALS_256];
    uint8_t *comp = lm_copy_lump(edit, part, lm_mdc_comp_rows.lump, made);
    bool done = comp != NULL;
    lm_edit_rotate_normals(to, lm_normal_table(LM_NUM_NORMALS_256), LM_NUM_NORMALS_256,
                           lm_nearest_normal_256, normals);
    for (size_t i = 0; done && to->quarters > 0 && i < count; i++)
        done = transform_offset(edit, to, index, normals, comp + i * LM_MDC_COMP_VERTEX_SIZE);
    return done;
}

/* Angle steps per turn: 360/32700 degrees each. */
#define ANGLE_STEPS 32700
/* Offsets in a tag: pitch, yaw and roll follow the position. */
enum {
    AT_ANGLES = 6,
    YAW = AT_ANGLES + 2
};

static bool transform_tag(lm_edit *edit, const lm_edit_transformation *to, const char *what,
                          uint32_t index, uint8_t *bytes) {
    int16_t steps[3];
    for (int axis = 0; axis < 3; axis++) {
        const double from = lm_get_s16(bytes + (size_t)2 * (size_t)to->from[axis]) * to->scale;
        const double value =
            (to->negative[axis] ? -from : from) + to->move[axis] / (double)LM_VERTEX_MESH_STEP;
        if (!lm_edit_round(edit, to, value, (double)LM_VERTEX_MESH_STEP, what, index, &steps[axis]))
            return false;
    }
    for (size_t axis = 0; axis < 3; axis++)
        lm_put_u16(bytes + 2 * axis, (uint16_t)steps[axis]);
    int yaw = lm_get_s16(bytes + YAW) + to->quarters * (ANGLE_STEPS / 4);
    if (to->quarters > 0 && yaw > ANGLE_STEPS / 2)
        yaw -= ANGLE_STEPS;
    lm_put_u16(bytes + YAW, (uint16_t)yaw);
    return true;
}

static void turn_tag(uint8_t *bytes, const lm_vec3 axis[3]) {
    int16_t angles[3];
    lm_nearest_angles(axis, ANGLE_STEPS, angles);
    for (size_t i = 0; i < 3; i++)
        lm_put_u16(bytes + AT_ANGLES + 2 * i, (uint16_t)angles[i]);
}

/* ---- Repairs -------------------------------------------------------------------------------- */

/* Replaces the entries of a table that are not below the number of rows. */
static bool mend_table(const lm_edit *edit, const lm_mdc_rows *rows, const lm_part *part,
                       int16_t instead, void *made) {
    const lm_mdc *mdc = part->document;
    const int32_t of = lm_number(part->owner, rows->count);
    const bool read = of > 0 && lm_lump_data(lm_lump_at(part->header, rows->table), part->owner);
    uint8_t *entry = read ? lm_copy_lump(edit, part, rows->table, made) : NULL;
    for (int32_t f = 0; entry && f < mdc->num_frames; f++, entry += LM_MDC_FRAME_INDEX_SIZE) {
        const int32_t row = lm_get_s16(entry);
        if (row >= of || (row < 0 && instead == 0))
            lm_put_u16(entry, (uint16_t)instead);
    }
    return entry || !read;
}

static bool mend_rows(const lm_edit *edit, const lm_part *part, void *made) {
    const lm_mdc_surface *surface = part->owner;
    return surface->num_vertices == 0 ||
           (mend_table(edit, &lm_mdc_base_rows, part, 0, made) &&
            mend_table(edit, &lm_mdc_comp_rows, part, LM_MDC_NO_COMP_FRAME, made));
}

/* ---- The editor ----------------------------------------------------------------------------- */

static const lm_vertex_mesh_edit_tables tables = {
    .tables = {.names = {[LM_EDIT_SKINS] = LM_EDIT_NAMES(lm_mdc_surface, shaders, num_shaders,
                                                         .room = LM_MDC_NAME_SIZE),
                         [LM_EDIT_FRAMES] = LM_EDIT_NAMES(lm_mdc, frames, num_frames,
                                                          .at = LM_VERTEX_MESH_FRAME_NAME,
                                                          .room = LM_MDC_FRAME_NAME_SIZE),
                         [LM_EDIT_SURFACES] = {.count = offsetof(lm_mdc, num_surfaces),
                                               .at = offsetof(lm_mdc_surface, name),
                                               .room = LM_MDC_NAME_SIZE},
                         [LM_EDIT_TAGS] = LM_EDIT_NAMES(lm_mdc, tag_names, num_tags,
                                                        .room = LM_MDC_TAG_NAME_SIZE),
                         [LM_EDIT_HEADER] = {.at = offsetof(lm_mdc, name),
                                             .room = LM_MDC_NAME_SIZE}},
               .fits = lm_vertex_mesh_fits,
               .select_frames = select_frames,
               .append_frames = append_frames},
    .num_vertices = offsetof(lm_mdc_surface, num_vertices),
    .triangles = offsetof(lm_mdc_surface, triangles),
    .st = offsetof(lm_mdc_surface, st),
    .vertices = offsetof(lm_mdc_surface, base_vertices),
    .differences = offsetof(lm_mdc_surface, comp_vertices),
    .tags = offsetof(lm_mdc, tags),
    .rows = rows,
    .difference = difference,
    .own_rows = own_rows,
    .find_difference = find_difference,
    .transform_differences = transform_differences,
    .transform_tag = transform_tag,
    .turn_tag = turn_tag,
    .mend_rows = mend_rows,
    .share_rows = lm_mdc_share_rows,
};

const lm_editor lm_mdc_editor = LM_VERTEX_MESH_EDITOR(lm_mdc_kind, tables);
