/* Editing and optimizing MDC, and its writer: frames refer to a base frame and a compressed frame.
 * Tags have names apart from their transforms, which are integers. */
#include "encode/encoding.h"
#include "formats/mdc/mdc_write.h"
#include "formats/vertex_mesh/vertex_mesh_write.h"
#include "lerpmesh/base.h"
#include "lerpmesh/mesh.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"

static int32_t base_of(const lm_mdc_surface *surface, int32_t frame) {
    return lmi_mdc_get_frame_base_frame(surface, frame);
}

/* Returns -1 for none. Without compressed frames, the table is not read. */
static int32_t comp_of(const lm_mdc_surface *surface, int32_t frame) {
    return surface->num_comp_frames > 0 ? lmi_mdc_get_frame_comp_frame(surface, frame) : -1;
}

/* Rows of vertices, and the table with the row of each frame. */
typedef struct mdc_rows {
    uint16_t lump, count, table; /* offsetof in a surface */
    int32_t (*entry)(const lm_mdc_surface *surface, int32_t frame);
} mdc_rows;

#define ROWS(lump, number, table, entry)                               \
    {offsetof(lm_mdc_surface, lump), offsetof(lm_mdc_surface, number), \
     offsetof(lm_mdc_surface, table), entry}

static const mdc_rows base_rows = ROWS(base_vertices, num_base_frames, frame_base_frames, base_of);
static const mdc_rows comp_rows = ROWS(comp_vertices, num_comp_frames, frame_comp_frames, comp_of);

static lm_vertex_mesh_rows rows(const void *surface, int32_t frame) {
    return (lm_vertex_mesh_rows){base_of(surface, frame), comp_of(surface, frame)};
}

/* ---- Selecting frames ----------------------------------------------------------------------- */

static void mark_used(const mdc_rows *rows, const lm_mdc_surface *surface, uint32_t num_frames,
                      bool is, lm_renumbered *numbers) {
    for (uint32_t i = 0; i < num_frames; i++) {
        const int32_t row = rows->entry(surface, (int32_t)i);
        if (row >= 0 && (uint32_t)row < numbers->of)
            numbers->used[row] = is;
    }
}

/* Removes the rows that only deselected frames used. */
static bool pick_rows(const lm_edit *edit, const mdc_rows *rows, const lm_mdc_surface *old,
                      lm_mdc_surface *made, uint32_t num_frames) {
    const lm_mdc *mdc = edit->document;
    const lm_part part = {&lmi_mdc_surface_header, mdc, old};
    const lm_header_lump *table = lmi_lump_at(part.header, rows->table);
    lm_renumbered numbers;
    if (!lmi_begin_renumbering(lmi_arena_of(mdc), lmi_number(old, rows->count), &numbers))
        return false;
    memset(numbers.used, true, numbers.of);
    mark_used(rows, old, (uint32_t)mdc->num_frames, false, &numbers);
    mark_used(rows, made, num_frames, true, &numbers);
    lmi_end_renumbering(&numbers);
    uint8_t *entries = lmi_arena_piece(lmi_arena_of(mdc), lmi_lump_data(table, made),
                                       (size_t)num_frames * LM_MDC_FRAME_INDEX_SIZE);
    for (uint32_t i = 0; entries && i < num_frames; i++) {
        const int32_t row = rows->entry(made, (int32_t)i);
        if (row >= 0 && (uint32_t)row < numbers.of)
            lmi_put_u16(entries + (size_t)i * LM_MDC_FRAME_INDEX_SIZE,
                        (uint16_t)numbers.new_indices[row]);
    }
    return lmi_select_counted(edit, &part, rows->count, false, numbers.old_indices, numbers.count,
                              made);
}

static bool select_frames(const lm_edit *edit, const void *old, void *made, uint32_t count) {
    const lm_mdc_surface *surface = old;
    return surface->num_vertices == 0 || (pick_rows(edit, &base_rows, old, made, count) &&
                                          pick_rows(edit, &comp_rows, old, made, count));
}

/* ---- Frames of another file ----------------------------------------------------------------- */

/* Joins the rows and tables of both surfaces: the other's rows follow. */
static bool join_rows(const lm_edit *edit, const mdc_rows *rows, const lm_mdc *other,
                      const lm_mdc_surface *theirs, lm_mdc_surface *made) {
    const lm_mdc *mdc = edit->document;
    const lm_part part = {&lmi_mdc_surface_header, mdc, made};
    const lm_part match = {&lmi_mdc_surface_header, other, theirs};
    const lm_header_lump *lump = lmi_lump_at(part.header, rows->lump);
    const int32_t ours = lmi_number(made, rows->count), more = lmi_number(theirs, rows->count);
    uint8_t *joined =
        lmi_join_lumps(lmi_arena_of(mdc), lmi_lump_data(lump, made), lmi_part_size(&part, lump),
                       lmi_lump_data(lump, theirs), lmi_part_size(&match, lump));
    uint8_t *table =
        lmi_arena_alloc(lmi_arena_of(mdc), (uint64_t)mdc->num_frames + (uint64_t)other->num_frames,
                        LM_MDC_FRAME_INDEX_SIZE);
    if (!joined || !table)
        return false;
    uint8_t *at = table;
    for (int32_t f = 0; f < mdc->num_frames; f++, at += LM_MDC_FRAME_INDEX_SIZE)
        lmi_put_u16(at, (uint16_t)rows->entry(made, f));
    for (int32_t f = 0; f < other->num_frames; f++, at += LM_MDC_FRAME_INDEX_SIZE) {
        const int32_t row = rows->entry(theirs, f);
        lmi_put_u16(at, (uint16_t)(row < 0 ? LM_MDC_NO_COMP_FRAME : row + ours));
    }
    lmi_set_lump_data(lump, made, joined);
    lmi_set_lump_data(lmi_lump_at(part.header, rows->table), made, table);
    lmi_set_number(made, rows->count, ours + more);
    return true;
}

static bool append_frames(lm_edit *edit, uint32_t index, void *made, const void *document) {
    const lm_mdc *other = document;
    lm_mdc_surface *s = made;
    const lm_mdc_surface *theirs = &other->surfaces[index];
    if (s->num_base_frames > INT16_MAX - theirs->num_base_frames ||
        s->num_comp_frames > INT16_MAX - theirs->num_comp_frames)
        return lmi_call_fail(edit->call, LM_CODE_LIMIT,
                             "surface %u would have more than %d base frames or compressed frames",
                             (unsigned)index, INT16_MAX);
    return join_rows(edit, &base_rows, other, theirs, s) &&
           join_rows(edit, &comp_rows, other, theirs, s);
}

/* ---- Moved vertices ------------------------------------------------------------------------- */

static bool find_difference(lm_vec3 units, uint8_t bytes[3]) {
    const float bias = -(float)LM_DELTA_BIAS * LM_MDC_COMP_STEP, step = LM_MDC_COMP_STEP;
    return lmi_find_bytes(units, (lm_vec3){step, step, step}, (lm_vec3){bias, bias, bias}, bytes);
}

/* Returns true if the vertices of a frame that move fit its compressed frame. */
static bool fits_differences(const lm_mdc_surface *s, const lm_moves *moves, uint32_t surface,
                             uint32_t frame) {
    const uint32_t count = (uint32_t)s->num_vertices;
    const uint8_t *base =
        s->base_vertices + (size_t)base_of(s, (int32_t)frame) * count * LM_VERTEX_MESH_VERTEX_SIZE;
    bool fits = true;
    for (uint32_t v = 0; fits && v < count; v++) {
        const lm_vec3 from = lmi_vertex_mesh_get_position(base + v * LM_VERTEX_MESH_VERTEX_SIZE);
        const lm_vec3 to = lmi_moved_position(moves, surface, frame, v);
        uint8_t bytes[3];
        fits = !lmi_moves_vertex(moves, surface, frame, v) ||
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
        own[f] = lmi_moves_surface(moves, surface, (uint32_t)f) &&
                 (shared > 1 || (comp >= 0 && !fits_differences(s, moves, surface, (uint32_t)f)));
        count += own[f];
    }
    return count;
}

/* Writes the table of a surface's base or compressed frames in full. */
static uint8_t *copy_table(const lm_edit *edit, const mdc_rows *rows, lm_mdc_surface *made) {
    const lm_mdc *mdc = edit->document;
    uint8_t *table =
        lmi_arena_alloc(lmi_arena_of(mdc), (uint64_t)mdc->num_frames, LM_MDC_FRAME_INDEX_SIZE);
    for (int32_t f = 0; table && f < mdc->num_frames; f++)
        lmi_put_u16(table + (size_t)f * LM_MDC_FRAME_INDEX_SIZE, (uint16_t)rows->entry(made, f));
    if (table)
        lmi_set_lump_data(lmi_lump_at(&lmi_mdc_surface_header, rows->table), made, table);
    return table;
}

static bool add_bases(lm_edit *edit, const lm_moves *moves, uint32_t index, const bool *own,
                      uint32_t count, lm_mdc_surface *made) {
    const lm_mdc *mdc = edit->document;
    const lm_mesh_surface *old = &moves->old->surfaces[index];
    const size_t size = (size_t)made->num_vertices * LM_VERTEX_MESH_VERTEX_SIZE;
    uint8_t *bases =
        lmi_arena_alloc(lmi_arena_of(mdc), (uint64_t)made->num_base_frames + count, size);
    uint8_t *base_table = copy_table(edit, &base_rows, made);
    uint8_t *comp_table = copy_table(edit, &comp_rows, made);
    if (!bases || !base_table || !comp_table)
        return false;
    memcpy(bases, made->base_vertices, (size_t)made->num_base_frames * size);
    made->base_vertices = bases;
    for (uint32_t f = 0; f < (uint32_t)mdc->num_frames; f++) {
        if (!own[f])
            continue;
        const int32_t row = made->num_base_frames++;
        uint8_t *out = bases + (size_t)row * size;
        /* Write the vertices as they are, which are rounded if the frame was compressed. */
        for (uint32_t v = 0; v < old->num_vertices; v++, out += LM_VERTEX_MESH_VERTEX_SIZE) {
            const lm_vec3 p = lmi_moved_position(moves, index, f, v);
            const lm_vec3 normal = lmi_vec3_at(old->normals, (size_t)f * old->num_vertices + v);
            if (!lmi_vertex_mesh_move_vertex(&p, &normal, out))
                return lmi_vertex_mesh_fail_range(edit, index, f, v);
        }
        lmi_put_u16(base_table + (size_t)f * LM_MDC_FRAME_INDEX_SIZE, (uint16_t)row);
        lmi_put_u16(comp_table + (size_t)f * LM_MDC_FRAME_INDEX_SIZE,
                    (uint16_t)LM_MDC_NO_COMP_FRAME);
    }
    return true;
}

static bool own_rows(lm_edit *edit, const lm_part *part, uint32_t index, const lm_moves *moves,
                     void *made) {
    const lm_mdc *mdc = edit->document;
    const lm_mdc_surface *s = part->owner;
    uint32_t *users =
        lmi_arena_zeros(lmi_arena_of(mdc),
                        (uint64_t)s->num_base_frames + (uint64_t)s->num_comp_frames, sizeof *users);
    bool *own = lmi_arena_alloc(lmi_arena_of(mdc), (uint64_t)mdc->num_frames, sizeof *own);
    if (!users || !own)
        return false;
    const uint32_t count = find_owners(mdc, s, moves, index, users, own);
    if (count > (uint32_t)(INT16_MAX - s->num_base_frames))
        return lmi_call_fail(edit->call, LM_CODE_LIMIT,
                             "surface %u would have more than %d base frames", (unsigned)index,
                             INT16_MAX);
    return add_bases(edit, moves, index, own, count, made);
}

/* ---- Transforming --------------------------------------------------------------------------- */

static lm_vec3 difference(const uint8_t *v) {
    return (lm_vec3){(float)(v[0] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP,
                     (float)(v[1] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP,
                     (float)(v[2] - LM_DELTA_BIAS) * LM_MDC_COMP_STEP};
}

/* Rotates a difference's bytes. The largest positive step has no negative counterpart. */
static bool transform_offset(lm_edit *edit, const lm_edit_transformation *to, uint32_t surface,
                             const uint8_t *normals, uint8_t *bytes) {
    const uint8_t from[3] = {bytes[0], bytes[1], bytes[2]};
    for (int axis = 0; axis < 2; axis++) {
        const int step = from[to->from[axis]] - LM_DELTA_BIAS;
        const int transformed = LM_DELTA_BIAS + (to->negative[axis] ? -step : step);
        if (transformed < 0 && !to->round)
            return lmi_call_fail(
                edit->call, LM_CODE_ROUNDING,
                "surface %u: an offset of %g units cannot be reversed; the largest is %g",
                (unsigned)surface, step * (double)LM_MDC_COMP_STEP,
                LM_DELTA_BIAS * (double)LM_MDC_COMP_STEP);
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
    uint8_t *comp = lmi_copy_lump(edit, part, comp_rows.lump, made);
    bool done = comp != NULL;
    lmi_edit_rotate_normals(to, lm_normal_table(LM_NUM_NORMALS_256), LM_NUM_NORMALS_256,
                            lmi_nearest_normal_256, normals);
    for (size_t i = 0; done && to->quarters > 0 && i < count; i++)
        done = transform_offset(edit, to, index, normals, comp + i * LM_MDC_COMP_VERTEX_SIZE);
    return done;
}

/* Offsets in a tag: pitch, yaw and roll follow the position. */
enum {
    AT_ANGLES = 6,
    YAW = AT_ANGLES + 2
};

static bool transform_tag(lm_edit *edit, const lm_edit_transformation *to, const char *what,
                          uint32_t index, uint8_t *bytes) {
    int16_t steps[3];
    for (int axis = 0; axis < 3; axis++) {
        const double from = lmi_get_s16(bytes + (size_t)2 * (size_t)to->from[axis]) * to->scale;
        const double value =
            (to->negative[axis] ? -from : from) + to->move[axis] / (double)LM_VERTEX_MESH_STEP;
        if (!lmi_edit_round(edit, to, value, (double)LM_VERTEX_MESH_STEP, what, index,
                            &steps[axis]))
            return false;
    }
    for (size_t axis = 0; axis < 3; axis++)
        lmi_put_u16(bytes + 2 * axis, (uint16_t)steps[axis]);
    int yaw = lmi_get_s16(bytes + YAW) + to->quarters * (LM_MDC_ANGLE_STEPS / 4);
    if (to->quarters > 0 && yaw > LM_MDC_ANGLE_STEPS / 2)
        yaw -= LM_MDC_ANGLE_STEPS;
    lmi_put_u16(bytes + YAW, (uint16_t)yaw);
    return true;
}

static void turn_tag(uint8_t *bytes, const lm_vec3 axis[3]) {
    int16_t angles[3];
    lmi_nearest_angles(axis, LM_MDC_ANGLE_STEPS, angles);
    for (size_t i = 0; i < 3; i++)
        lmi_put_u16(bytes + AT_ANGLES + 2 * i, (uint16_t)angles[i]);
}

/* ---- Repairs -------------------------------------------------------------------------------- */

/* Replaces the entries of a table that are not below the number of rows. */
static bool mend_table(const lm_edit *edit, const mdc_rows *rows, const lm_part *part,
                       int16_t instead, void *made) {
    const lm_mdc *mdc = part->document;
    const int32_t of = lmi_number(part->owner, rows->count);
    const bool read = of > 0 && lmi_lump_data(lmi_lump_at(part->header, rows->table), part->owner);
    uint8_t *entry = read ? lmi_copy_lump(edit, part, rows->table, made) : NULL;
    for (int32_t f = 0; entry && f < mdc->num_frames; f++, entry += LM_MDC_FRAME_INDEX_SIZE) {
        const int32_t row = lmi_get_s16(entry);
        if (row >= of || (row < 0 && instead == 0))
            lmi_put_u16(entry, (uint16_t)instead);
    }
    return entry || !read;
}

static bool mend_rows(const lm_edit *edit, const lm_part *part, void *made) {
    const lm_mdc_surface *surface = part->owner;
    return surface->num_vertices == 0 ||
           (mend_table(edit, &base_rows, part, 0, made) &&
            mend_table(edit, &comp_rows, part, LM_MDC_NO_COMP_FRAME, made));
}

/* ---- Optimizing ------------------------------------------------------------------------------ */

/* Stores each used row once, in the order of first use. */
static bool share(lm_optimizing *o, const mdc_rows *rows, lm_mdc_surface *s, uint32_t num_frames) {
    const lm_header_lump *lump = lmi_lump_at(&lmi_mdc_surface_header, rows->lump);
    const uint32_t all = (uint32_t)lmi_number(s, rows->count);
    const uint8_t *old = lmi_lump_data(lump, s);
    const size_t size = (size_t)s->num_vertices * lump->element;
    uint32_t count = 0, *numbers = lmi_unused_numbers(&o->arena, all);
    uint32_t *firsts = lmi_arena_alloc(&o->arena, all, sizeof *firsts);
    uint8_t *out = lmi_arena_alloc(&o->arena, all, size);
    uint8_t *table = lmi_arena_alloc(&o->arena, num_frames, LM_MDC_FRAME_INDEX_SIZE);
    if (!numbers || !firsts || !out || !table ||
        !lmi_mdc_find_equal_rows(old, size, all, firsts, o->heap))
        return false;
    for (uint32_t f = 0; f < num_frames; f++) {
        const int32_t row = all > 0 ? rows->entry(s, (int32_t)f) : -1;
        uint32_t *number = row >= 0 ? &numbers[firsts[row]] : NULL;
        if (number && *number == LM_UNUSED) {
            memcpy(out + count * size, old + firsts[row] * size, size);
            *number = count++;
        }
        lmi_mdc_put_frame_index(table + (size_t)f * LM_MDC_FRAME_INDEX_SIZE,
                                number ? (int32_t)*number : LM_MDC_NO_COMP_FRAME);
    }
    lmi_optimize_gained(o, LM_OPTIMIZE_FRAMES, all - count, size);
    lmi_set_lump_data(lump, s, out);
    lmi_set_lump_data(lmi_lump_at(&lmi_mdc_surface_header, rows->table), s, table);
    lmi_set_number(s, rows->count, (int32_t)count);
    return true;
}

static bool share_rows(lm_optimizing *o, void *surface, uint32_t num_frames) {
    return share(o, &base_rows, surface, num_frames) && share(o, &comp_rows, surface, num_frames);
}

static const lm_vertex_mesh_edit_tables tables = {
    .tables = {.names = LM_VERTEX_MESH_NAMES(lm_mdc, lm_mdc_surface, tag_names),
               .fits = lmi_vertex_mesh_fits,
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
    .transform_differences = transform_differences,
    .own_rows = own_rows,
    .find_difference = find_difference,
    .transform_tag = transform_tag,
    .turn_tag = turn_tag,
    .mend_rows = mend_rows,
    .share_rows = share_rows,
};

const lm_editor lmi_mdc_editor = LM_VERTEX_MESH_EDITOR(lmi_mdc_kind, tables);

/* ---- Frames of a re-encoded document -------------------------------------------------------- */

/* Replaces vertices and frames; names, flags, shaders and tags stay. */
static bool mdc_adopt(void *document, const void *from) {
    lm_mdc *mdc = document;
    const lm_mdc *other = from;
    bool same = mdc->num_frames == other->num_frames && mdc->num_surfaces == other->num_surfaces;
    for (int32_t i = 0; same && i < mdc->num_surfaces; i++)
        same = mdc->surfaces[i].num_triangles == other->surfaces[i].num_triangles;
    mdc->frames = same ? other->frames : mdc->frames;
    for (int32_t i = 0; same && i < mdc->num_surfaces; i++) {
        const lm_mdc_surface old = mdc->surfaces[i];
        lm_mdc_surface *s = &mdc->surfaces[i];
        *s = other->surfaces[i];
        memcpy(s->name, old.name, sizeof s->name);
        s->ident = old.ident;
        s->flags = old.flags;
        s->num_shaders = old.num_shaders;
        s->shaders = old.shaders;
    }
    return same;
}

const lm_writer lmi_mdc_writer = {
    .format = &lmi_format_mdc,
    .encode = lmi_mdc_encode,
    .edit = &lmi_mdc_editor,
    .optimize = lmi_vertex_mesh_optimize,
    .adopt = mdc_adopt,
};
