/* Editing MD3: shaders of surfaces, frames, tags. */
#include "formats/md3/md3_write.h"
#include "formats/vertex_mesh/vertex_mesh_edit.h"

static void *read(const void *data, size_t size, const lm_memory *memory, lm_error *error) {
    return lm_md3_read(data, size, memory, error);
}

static void free_document(void *document) {
    lm_md3_free(document);
}

static bool write(const lm_edit *edit, lm_buffer *out, lm_error *error) {
    return lm_write_kept(&lm_md3_kind, edit->file, edit->document, edit->origins, out, error);
}

/* A document that is only looked at is not changed by it. */
static lm_mesh_lists lists_of(const void *document, uint32_t surface) {
    lm_md3 *md3 = (lm_md3 *)document;
    lm_mesh_lists lists = {.owned = md3->owned,
                           .header = md3->name,
                           .frames = &md3->frames,
                           .num_frames = md3->num_frames,
                           .num_surfaces = md3->num_surfaces,
                           .tags = {.lump = &md3->tags, /* each frame repeats them */
                                    .count = md3->num_tags,
                                    .stride = LM_MD3_TAG_SIZE,
                                    .at = LM_MD3_TAG_NAME,
                                    .room = LM_MD3_NAME_SIZE,
                                    .times = md3->num_frames}};
    if (surface < (uint32_t)md3->num_surfaces) {
        lists.surface = md3->surfaces[surface].name;
        lists.shaders = &md3->surfaces[surface].shaders;
        lists.num_shaders = &md3->surfaces[surface].num_shaders;
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
    lm_md3 *md3 = edit->document;
    lm_md3_surface *picked = lm_own(md3->owned, NULL, (uint64_t)count + 1, sizeof *picked);
    const uint32_t *origins = lm_mesh_pick_origins(edit, md3->owned, indices, count);
    if (!picked || !origins)
        return false;
    for (uint32_t i = 0; i < count; i++)
        picked[i] = md3->surfaces[indices[i]];
    md3->surfaces = picked;
    md3->num_surfaces = (int32_t)count;
    edit->origins = origins;
    return true;
}

static bool select_tags(lm_md3 *md3, const uint32_t *indices, uint32_t count) {
    const uint8_t *picked =
        lm_pick_in_groups(md3->owned, md3->tags, LM_MD3_TAG_SIZE, (uint32_t)md3->num_frames,
                          (uint32_t)md3->num_tags, indices, count);
    if (!picked)
        return false;
    md3->tags = picked;
    md3->num_tags = (int32_t)count;
    return true;
}

/* What each surface has of the frames that are picked, into a table of lumps. */
static bool pick_vertices(const lm_md3 *md3, const uint32_t *indices, uint32_t count,
                          const uint8_t **rows) {
    for (int32_t s = 0; s < md3->num_surfaces; s++) {
        const lm_md3_surface *surface = &md3->surfaces[s];
        const size_t row = (size_t)surface->num_verts * LM_MD3_XYZ_NORMAL_SIZE;
        rows[s] = lm_pick(md3->owned, surface->xyz_normals, row, indices, count);
        if (!rows[s])
            return false;
    }
    return true;
}

static bool select_frames(lm_md3 *md3, const uint32_t *indices, uint32_t count) {
    const size_t tags_size = (size_t)md3->num_tags * LM_MD3_TAG_SIZE;
    const uint8_t *frames = lm_pick(md3->owned, md3->frames, LM_MD3_FRAME_SIZE, indices, count);
    const uint8_t *tags = lm_pick(md3->owned, md3->tags, tags_size, indices, count);
    const uint8_t **rows =
        lm_own(md3->owned, NULL, (uint64_t)md3->num_surfaces + 1, sizeof(uint8_t *));
    if (!frames || !tags || !rows || !pick_vertices(md3, indices, count, rows))
        return false;
    for (int32_t s = 0; s < md3->num_surfaces; s++) {
        md3->surfaces[s].xyz_normals = rows[s];
        md3->surfaces[s].num_frames = (int32_t)count;
    }
    md3->frames = frames;
    md3->tags = tags;
    md3->num_frames = (int32_t)count;
    return true;
}

static bool select_items(lm_edit *edit, lm_edit_list list, uint32_t surface,
                         const uint32_t *indices, uint32_t count) {
    lm_md3 *md3 = edit->document;
    const lm_mesh_lists lists = lists_of(md3, surface);
    if (list == LM_EDIT_SKINS)
        return lm_mesh_pick_shaders(&lists, indices, count);
    if (list == LM_EDIT_SURFACES)
        return select_surfaces(edit, indices, count);
    return list == LM_EDIT_TAGS ? select_tags(md3, indices, count)
                                : select_frames(md3, indices, count);
}

static bool add_skin(lm_edit *edit, uint32_t surface, const uint8_t *field) {
    const lm_mesh_lists lists = lists_of(edit->document, surface);
    return lm_mesh_add_shader(&lists, field);
}

const lm_editor lm_md3_editor = {
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
    .skin_room = LM_MD3_NAME_SIZE,
    .append = lm_md3_append,
    .trim = lm_md3_trim,
    .place = lm_md3_place,
    .add_tag = lm_md3_add_tag,
    .move_tag = lm_md3_move_tag,
    .put_normals = lm_md3_put_normals,
    .bounds = lm_md3_bounds,
};
