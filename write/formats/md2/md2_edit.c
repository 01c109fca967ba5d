/* Editing MD2: a skin is a path, a frame a block of bytes. */
#include "formats/md2/md2_write.h"

static void *read(const void *data, size_t size, const lm_memory *memory, lm_error *error) {
    return lm_md2_read(data, size, memory, error);
}

static void free_document(void *document) {
    lm_md2_free(document);
}

static bool write(const lm_edit *edit, lm_buffer *out, lm_error *error) {
    return lm_write_kept(&lm_md2_kind, edit->file, edit->document, NULL, out, error);
}

static uint32_t count(const void *document, lm_edit_list list, uint32_t surface,
                      lm_edit_walk *walk) {
    (void)walk;
    const lm_md2 *md2 = document;
    (void)surface;
    return (uint32_t)(list == LM_EDIT_SKINS    ? md2->num_skins
                      : list == LM_EDIT_FRAMES ? md2->num_frames
                                               : 0);
}

static lm_name_array names_of(lm_md2 *md2, lm_edit_list list) {
    if (list == LM_EDIT_SKINS)
        return (lm_name_array){.lump = &md2->skins,
                               .count = md2->num_skins,
                               .stride = LM_MD2_SKIN_SIZE,
                               .room = LM_MD2_SKIN_SIZE};
    return (lm_name_array){.lump = &md2->frames,
                           .count = md2->num_frames,
                           .stride = (size_t)md2->framesize,
                           .at = LM_MD2_FRAME_NAME,
                           .room = LM_MD2_FRAME_NAME_SIZE};
}

static const uint8_t *name(const void *document, lm_edit_list list, uint32_t surface,
                           uint32_t index, lm_edit_walk *walk, size_t *room) {
    (void)walk;
    lm_md2 md2 = *(const lm_md2 *)document;
    const lm_name_array names = names_of(&md2, list);
    (void)surface;
    *room = names.room;
    return lm_name_field(&names, index);
}

static bool put_name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                     const uint8_t *field) {
    lm_md2 *md2 = edit->document;
    const lm_name_array names = names_of(md2, list);
    (void)surface;
    return lm_put_name_field(md2->owned, &names, index, field);
}

static bool select_items(lm_edit *edit, lm_edit_list list, uint32_t surface,
                         const uint32_t *indices, uint32_t count) {
    lm_md2 *md2 = edit->document;
    const bool skins = list == LM_EDIT_SKINS;
    const lm_name_array names = names_of(md2, list);
    const uint8_t *picked = lm_pick(md2->owned, *names.lump, names.stride, indices, count);
    (void)surface;
    if (!picked)
        return false;
    *names.lump = picked;
    *(skins ? &md2->num_skins : &md2->num_frames) = (int32_t)count;
    return true;
}

static bool add_skin(lm_edit *edit, uint32_t surface, const uint8_t *field) {
    lm_md2 *md2 = edit->document;
    uint8_t *skins =
        lm_lengthen(md2->owned, md2->skins, LM_MD2_SKIN_SIZE, (uint32_t)md2->num_skins);
    (void)surface;
    if (!skins)
        return false;
    memcpy(skins + (size_t)md2->num_skins++ * LM_MD2_SKIN_SIZE, field, LM_MD2_SKIN_SIZE);
    md2->skins = skins;
    return true;
}

/* Whether triangles have the same vertices; where they lie on the skin does not matter. */
static bool same_vertices(const lm_md2 *a, const lm_md2 *b) {
    bool same = true;
    for (int32_t i = 0; same && i < a->num_tris; i++)
        same = memcmp(a->tris + (size_t)i * LM_MD2_TRIANGLE_SIZE,
                      b->tris + (size_t)i * LM_MD2_TRIANGLE_SIZE, 6) == 0;
    return same;
}

static bool append(lm_edit *edit, const void *document) {
    lm_md2 *md2 = edit->document;
    const lm_md2 *other = document;
    const size_t size = (size_t)md2->framesize;
    if (other->num_xyz != md2->num_xyz || other->num_tris != md2->num_tris ||
        !same_vertices(md2, other))
        return lm_edit_fail(
            edit, LM_CODE_BAD_ARGUMENT,
            "the other model's triangles (%d of %d vertices) are not this one's (%d of "
            "%d): its frames do not fit",
            (int)other->num_tris, (int)other->num_xyz, (int)md2->num_tris, (int)md2->num_xyz);
    if (other->framesize != md2->framesize)
        return lm_edit_fail(edit, LM_CODE_BAD_ARGUMENT,
                            "the other model's frames have %d bytes, this one's %d",
                            (int)other->framesize, (int)md2->framesize);
    const uint8_t *frames = lm_join_lumps(md2->owned, md2->frames, (size_t)md2->num_frames * size,
                                          other->frames, (size_t)other->num_frames * size);
    if (!frames)
        return false;
    md2->frames = frames;
    md2->num_frames += other->num_frames;
    return true;
}

const lm_editor lm_md2_editor = {
    .read = read,
    .free = free_document,
    .write = write,
    .lists = 1 << LM_EDIT_SKINS | 1 << LM_EDIT_FRAMES,
    .count = count,
    .name = name,
    .put_name = put_name,
    .select = select_items,
    .add_skin = add_skin,
    .skin_room = LM_MD2_SKIN_SIZE,
    .append = append,
    .trim = lm_md2_trim,
    .place = lm_md2_place,
    .put_normals = lm_md2_put_normals,
};
