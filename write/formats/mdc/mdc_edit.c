/* Editing MDC: shaders of surfaces, frames, tags. */
#include "formats/mdc/mdc_write.h"
#include "formats/vertex_mesh/vertex_mesh_edit.h"

static void *read(const void *data, size_t size, const lm_memory *memory, lm_error *error) {
    return lm_mdc_read(data, size, memory, error);
}

static void free_document(void *document) {
    lm_mdc_free(document);
}

static bool write(const lm_edit *edit, lm_buffer *out, lm_error *error) {
    return lm_write_kept(&lm_mdc_kind, edit->file, edit->document, edit->origins, out, error);
}

/* A document that is only looked at is not changed by it. */
static lm_mesh_lists lists_of(const void *document, uint32_t surface) {
    lm_mdc *mdc = (lm_mdc *)document;
    lm_mesh_lists lists = {.owned = mdc->owned,
                           .header = mdc->name,
                           .frames = &mdc->frames,
                           .num_frames = mdc->num_frames,
                           .num_surfaces = mdc->num_surfaces,
                           .tags = {.lump = &mdc->tag_names,
                                    .count = mdc->num_tags,
                                    .stride = LM_MDC_TAG_NAME_SIZE,
                                    .room = LM_MDC_TAG_NAME_SIZE}};
    if (surface < (uint32_t)mdc->num_surfaces) {
        lists.surface = mdc->surfaces[surface].name;
        lists.shaders = &mdc->surfaces[surface].shaders;
        lists.num_shaders = &mdc->surfaces[surface].num_shaders;
    }
    return lists;
}

static uint32_t count(const void *document, lm_edit_list list, uint32_t surface,
                      lm_edit_walk *walk) {
    const lm_mesh_lists lists = lists_of(document, surface);
    (void)walk;
    return lm_mesh_count(&lists, list);
}

static const uint8_t *name(const void *document, lm_edit_list list, uint32_t surface,
                           uint32_t index, lm_edit_walk *walk, size_t *room) {
    const lm_mesh_lists lists = lists_of(document, list == LM_EDIT_SURFACES ? index : surface);
    (void)walk;
    return lm_mesh_name(&lists, list, index, room);
}

static bool put_name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                     const uint8_t *field) {
    const lm_mesh_lists lists =
        lists_of(edit->document, list == LM_EDIT_SURFACES ? index : surface);
    return lm_mesh_put_name(&lists, list, index, field);
}

/* ---- Selecting ----------------------------------------------------------------------------- */

static bool select_surfaces(lm_edit *edit, const uint32_t *indices, uint32_t count) {
    lm_mdc *mdc = edit->document;
    lm_mdc_surface *picked = lm_own(mdc->owned, NULL, (uint64_t)count + 1, sizeof *picked);
    const uint32_t *origins = lm_mesh_pick_origins(edit, mdc->owned, indices, count);
    if (!picked || !origins)
        return false;
    for (uint32_t i = 0; i < count; i++)
        picked[i] = mdc->surfaces[indices[i]];
    mdc->surfaces = picked;
    mdc->num_surfaces = (int32_t)count;
    edit->origins = origins;
    return true;
}

static bool select_tags(lm_mdc *mdc, const uint32_t *indices, uint32_t count) {
    const uint8_t *names =
        lm_pick(mdc->owned, mdc->tag_names, LM_MDC_TAG_NAME_SIZE, indices, count);
    const uint8_t *tags =
        lm_pick_in_groups(mdc->owned, mdc->tags, LM_MDC_TAG_SIZE, (uint32_t)mdc->num_frames,
                          (uint32_t)mdc->num_tags, indices, count);
    if (!names || !tags)
        return false;
    mdc->tag_names = names;
    mdc->tags = tags;
    mdc->num_tags = (int32_t)count;
    return true;
}

/* Rows of vertices and the table that says which of them each frame uses. */
typedef struct lm_mdc_rows {
    const uint8_t *lump;
    size_t size;          /* of a row */
    int32_t count;        /* of rows */
    const uint8_t *table; /* NULL: absent */
    int32_t (*entry)(const lm_mdc_surface *surface, int32_t frame);
} lm_mdc_rows;

/* What is to be known of rows: an array each, of one allocation. */
enum {
    ROW_WAS_USED,
    ROW_IS_USED,
    ROW_PLACE, /* among those that stay */
    ROW_KEPT,  /* which those are */
    NUM_ROW_ARRAYS
};

/* The rows that stay: all but those that only frames used that go. Returns how many. */
static uint32_t keep_rows(const lm_mdc_surface *surface, const lm_mdc_rows *rows,
                          uint32_t num_frames, const uint32_t *indices, uint32_t count,
                          uint32_t *arrays) {
    const size_t num = (size_t)rows->count;
    uint32_t *was = arrays + ROW_WAS_USED * num, *is = arrays + ROW_IS_USED * num, kept = 0;
    for (uint32_t i = 0; i < num_frames; i++) {
        const int32_t row = rows->entry(surface, (int32_t)i);
        if (row >= 0 && row < rows->count)
            was[row] = 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        const int32_t row = rows->entry(surface, (int32_t)indices[i]);
        if (row >= 0 && row < rows->count)
            is[row] = 1;
    }
    for (uint32_t row = 0; row < num; row++) {
        arrays[ROW_PLACE * num + row] = kept;
        if (is[row] || !was[row])
            arrays[ROW_KEPT * num + kept++] = row;
    }
    return kept;
}

static bool pick_table(const lm_mdc *mdc, lm_mdc_rows *rows, const uint32_t *indices,
                       uint32_t count, uint8_t **table) {
    *table = rows->table ? lm_pick(mdc->owned, rows->table, LM_MDC_FRAME_INDEX_SIZE, indices, count)
                         : NULL;
    return !rows->table == !*table;
}

/* The rows and the table of the frames that are picked. Rows without bytes, of which a file may
 * claim any number, stay. */
static bool pick_rows(const lm_mdc *mdc, const lm_mdc_surface *surface, lm_mdc_rows *rows,
                      const uint32_t *indices, uint32_t count) {
    const size_t num = (size_t)rows->count;
    uint8_t *table;
    if (!pick_table(mdc, rows, indices, count, &table))
        return false;
    rows->table = table;
    if (rows->size == 0)
        return true;
    uint32_t *arrays = lm_own(mdc->owned, NULL, num + 1, NUM_ROW_ARRAYS * sizeof *arrays);
    if (!arrays)
        return false;
    memset(arrays, 0, num * NUM_ROW_ARRAYS * sizeof *arrays);
    const uint32_t kept =
        keep_rows(surface, rows, (uint32_t)mdc->num_frames, indices, count, arrays);
    for (uint32_t i = 0; table && i < count; i++) {
        const int32_t row = rows->entry(surface, (int32_t)indices[i]);
        if (row >= 0 && row < rows->count)
            lm_mdc_put_frame_index(table + (size_t)i * LM_MDC_FRAME_INDEX_SIZE,
                                   (int32_t)arrays[ROW_PLACE * num + (size_t)row]);
    }
    rows->lump = lm_pick(mdc->owned, rows->lump, rows->size, arrays + ROW_KEPT * num, kept);
    rows->count = (int32_t)kept;
    return rows->lump != NULL;
}

static bool pick_surface(const lm_mdc *mdc, lm_mdc_surface *s, const uint32_t *indices,
                         uint32_t count) {
    const size_t vertices = (size_t)s->num_vertices;
    lm_mdc_rows base = {s->base_vertices, vertices * LM_MDC_BASE_VERTEX_SIZE, s->num_base_frames,
                        s->frame_base_frames, lm_mdc_get_frame_base_frame};
    lm_mdc_rows comp = {s->comp_vertices, vertices * LM_MDC_COMP_VERTEX_SIZE, s->num_comp_frames,
                        s->frame_comp_frames, lm_mdc_get_frame_comp_frame};
    const lm_mdc_surface was = *s;
    if (!pick_rows(mdc, &was, &base, indices, count) ||
        !pick_rows(mdc, &was, &comp, indices, count))
        return false;
    s->base_vertices = base.lump;
    s->num_base_frames = base.count;
    s->frame_base_frames = base.table;
    s->comp_vertices = comp.lump;
    s->num_comp_frames = comp.count;
    s->frame_comp_frames = comp.table;
    return true;
}

static bool select_frames(lm_mdc *mdc, const uint32_t *indices, uint32_t count) {
    const size_t tags_size = (size_t)mdc->num_tags * LM_MDC_TAG_SIZE;
    const uint8_t *frames = lm_pick(mdc->owned, mdc->frames, LM_MDC_FRAME_SIZE, indices, count);
    const uint8_t *tags = lm_pick(mdc->owned, mdc->tags, tags_size, indices, count);
    lm_mdc_surface *surfaces =
        lm_own(mdc->owned, NULL, (uint64_t)mdc->num_surfaces + 1, sizeof *surfaces);
    bool done = frames && tags && surfaces;
    for (int32_t s = 0; done && s < mdc->num_surfaces; s++) {
        surfaces[s] = mdc->surfaces[s];
        done = pick_surface(mdc, &surfaces[s], indices, count);
    }
    if (!done)
        return false;
    mdc->surfaces = surfaces;
    mdc->frames = frames;
    mdc->tags = tags;
    mdc->num_frames = (int32_t)count;
    return true;
}

static bool select_items(lm_edit *edit, lm_edit_list list, uint32_t surface,
                         const uint32_t *indices, uint32_t count) {
    lm_mdc *mdc = edit->document;
    const lm_mesh_lists lists = lists_of(mdc, surface);
    if (list == LM_EDIT_SKINS)
        return lm_mesh_pick_shaders(&lists, indices, count);
    if (list == LM_EDIT_SURFACES)
        return select_surfaces(edit, indices, count);
    return list == LM_EDIT_TAGS ? select_tags(mdc, indices, count)
                                : select_frames(mdc, indices, count);
}

static bool add_skin(lm_edit *edit, uint32_t surface, const uint8_t *field) {
    const lm_mesh_lists lists = lists_of(edit->document, surface);
    return lm_mesh_add_shader(&lists, field);
}

const lm_editor lm_mdc_editor = {
    .read = read,
    .free = free_document,
    .write = write,
    .lists = 1 << LM_EDIT_SKINS | 1 << LM_EDIT_FRAMES | 1 << LM_EDIT_SURFACES | 1 << LM_EDIT_TAGS |
             1 << LM_EDIT_HEADER,
    .count = count,
    .name = name,
    .put_name = put_name,
    .select = select_items,
    .add_skin = add_skin,
    .skin_room = LM_MDC_NAME_SIZE,
    .append = lm_mdc_append,
    .trim = lm_mdc_trim,
    .place = lm_mdc_place,
    .add_tag = lm_mdc_add_tag,
    .move_tag = lm_mdc_move_tag,
    .put_normals = lm_mdc_put_normals,
    .bounds = lm_mdc_bounds,
};
