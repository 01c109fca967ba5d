#include "formats/edit_document.h"

/* ---- Lumps --------------------------------------------------------------------------------- */

uint8_t *lmi_own_lump(lm_arena *arena, const uint8_t *lump, size_t size) {
    uint8_t *own = lmi_arena_piece(arena, lump, size);
    return own ? own : lmi_join_lumps(arena, lump, size, NULL, 0);
}

/* Selects the same elements from each of `groups` groups of `of` elements. */
static uint8_t *pick_in_groups(lm_arena *arena, const uint8_t *lump, size_t element, size_t groups,
                               size_t of, const uint32_t *indices, uint32_t count) {
    uint8_t *picked = lmi_arena_alloc(arena, (uint64_t)groups * count, element);
    for (size_t g = 0; picked && g < groups; g++)
        for (size_t i = 0; i < count && element > 0; i++)
            memcpy(picked + (g * count + i) * element, lump + (g * of + indices[i]) * element,
                   element);
    return picked;
}

uint8_t *lmi_pick(lm_arena *arena, const uint8_t *lump, size_t element, const uint32_t *indices,
                  uint32_t count) {
    return pick_in_groups(arena, lump, element, 1, 0, indices, count);
}

uint8_t *lmi_join_lumps(lm_arena *arena, const uint8_t *a, size_t size_a, const uint8_t *b,
                        size_t size_b) {
    uint8_t *joined = lmi_arena_alloc(arena, (uint64_t)size_a + size_b, 1);
    if (joined && size_a > 0)
        memcpy(joined, a, size_a);
    if (joined && size_b > 0)
        memcpy(joined + size_a, b, size_b);
    return joined;
}

bool lmi_begin_renumbering(lm_arena *arena, int32_t of, lm_renumbered *numbers) {
    const size_t size = (size_t)of + 1;
    uint32_t *memory = lmi_arena_alloc(arena, size, 2 * sizeof *memory + sizeof(bool));
    if (!memory)
        return false;
    *numbers =
        (lm_renumbered){.of = (uint32_t)of, .new_indices = memory, .old_indices = memory + size};
    numbers->used = (bool *)(memory + 2 * size);
    memset(numbers->used, 0, size * sizeof(bool));
    return true;
}

void lmi_end_renumbering(lm_renumbered *numbers) {
    for (uint32_t i = 0; i < numbers->of; i++) {
        numbers->new_indices[i] = numbers->count;
        if (numbers->used[i])
            numbers->old_indices[numbers->count++] = i;
    }
}

bool lmi_put_as(const lm_editor *editor, const void *document, lm_buffer *out, lm_error *error) {
    return editor->put ? editor->put(document, out, error)
                       : lmi_put_document(editor->kind, document, out, error);
}

bool lmi_equal_as(const lm_editor *editor, const void *a, const void *b) {
    return editor->equal ? editor->equal(a, b) : lmi_equal_documents(editor->kind, a, b);
}

/* ---- Parts --------------------------------------------------------------------------------- */

lm_arena *lmi_edit_arena(const lm_edit *edit) {
    return lmi_arena_of(edit->document);
}

const lm_header_lump *lmi_lump_at(const lm_header *header, size_t data) {
    size_t i = 0;
    while (header->lumps.list[i].data != data)
        i++;
    return &header->lumps.list[i];
}

/* Returns the part of a document that has a list, or the list's names. */
static lm_part part_with(const lm_edit *edit, const void *document, lm_edit_list list,
                         uint32_t surface) {
    const lm_part file = lmi_document_part(edit->editor->kind->header, document);
    return lmi_edit_by_surface(edit, list) ? lmi_surface_part(&file, surface) : file;
}

/* ---- Changes ------------------------------------------------------------------------------- */

void *lmi_copy_document(const lm_document_kind *kind, const void *document) {
    const lm_header_lump *chain = lmi_chain_of(kind->header);
    lm_arena *arena = lmi_arena_of(document);
    uint8_t *made = lmi_join_lumps(arena, document, kind->header->struct_size, NULL, 0);
    const size_t size =
        chain ? (size_t)lmi_num_surfaces(kind->header, document) * chain->chain->struct_size : 0;
    uint8_t *surfaces =
        made && chain ? lmi_join_lumps(arena, lmi_lump_data(chain, document), size, NULL, 0) : NULL;
    if (made && chain)
        lmi_set_lump_data(chain, made, surfaces);
    return !chain || surfaces ? made : NULL;
}

void *lmi_begin_change(const lm_edit *edit) {
    return lmi_copy_document(edit->editor->kind, edit->document);
}

bool lmi_commit_change(lm_edit *edit, const void *made) {
    memcpy(edit->document, made, edit->editor->kind->header->struct_size);
    return true;
}

void *lmi_new_surface(const lm_edit *edit, void *made, uint32_t index) {
    return lmi_surface_of(edit->editor->kind->header, made, index);
}

uint8_t *lmi_copy_lump(const lm_edit *edit, const lm_part *part, size_t data, void *made) {
    const lm_header_lump *lump = lmi_lump_at(part->header, data);
    uint8_t *copy = lmi_join_lumps(lmi_edit_arena(edit), lmi_lump_data(lump, part->owner),
                                   lmi_part_size(part, lump), NULL, 0);
    lmi_set_lump_data(lump, made, copy);
    return copy;
}

/* Returns true if a count of a part's lump is this member, of the document or of the part
 * itself. */
static bool counts(const lm_part *part, lm_count_member count, size_t member, bool of_document) {
    const bool whose = count.of_document || part->owner == part->document;
    return count.member == member && member != 0 && whose == of_document;
}

/* The shape of a lump that follows a count: `groups` times `of` elements. */
typedef struct lumps_rows {
    bool follows;
    size_t groups, of, element;
} lumps_rows;

static lumps_rows rows_of(const lm_part *part, const lm_header_lump *lump, size_t member,
                          bool of_document) {
    const lm_extent extent = lmi_part_extent(part, lump);
    const size_t groups = (size_t)lmi_lump_groups(lump, part->document, part->owner);
    const size_t in_group = groups > 0 ? (size_t)extent.count / groups : 0;
    if (lump->chain || !lmi_lump_data(lump, part->owner))
        return (lumps_rows){.follows = false};
    if (counts(part, lump->groups, member, of_document))
        return (lumps_rows){true, 1, groups, in_group * extent.element};
    return (lumps_rows){counts(part, lump->count, member, of_document), groups, in_group,
                        extent.element};
}

bool lmi_select_counted(const lm_edit *edit, const lm_part *part, size_t count_member,
                        bool of_document, const uint32_t *indices, uint32_t count, void *made) {
    for (size_t i = 0; i < part->header->lumps.count; i++) {
        const lm_header_lump *lump = &part->header->lumps.list[i];
        const lumps_rows rows = rows_of(part, lump, count_member, of_document);
        uint8_t *picked =
            rows.follows ? pick_in_groups(lmi_edit_arena(edit), lmi_lump_data(lump, part->owner),
                                          rows.element, rows.groups, rows.of, indices, count)
                         : NULL;
        if (rows.follows && !picked)
            return false;
        if (picked)
            lmi_set_lump_data(lump, made, picked);
    }
    if ((part->owner == part->document) == of_document)
        lmi_set_number(made, count_member, (int32_t)count);
    return true;
}

/* Copies the number of frames to surfaces that repeat it. */
static void put_surface_frames(const lm_edit *edit, void *made) {
    const lm_edit_tables *tables = edit->editor->tables;
    const int32_t frames = lmi_number(made, tables->names[LM_EDIT_FRAMES].count);
    const uint32_t count = lmi_num_surfaces(edit->editor->kind->header, made);
    for (uint32_t s = 0; tables->surface_frames && s < count; s++)
        lmi_set_number(lmi_new_surface(edit, made, s), tables->surface_frames, frames);
}

/* ---- Names --------------------------------------------------------------------------------- */

uint32_t lmi_described_count(const lm_edit *edit, lm_edit_list list, uint32_t surface) {
    const lm_edit_names *names = &edit->editor->tables->names[list];
    return names->count == 0
               ? names->room > 0
               : (uint32_t)lmi_number(part_with(edit, edit->document, list, surface).owner,
                                      names->count);
}

const uint8_t *lmi_described_name_in(const lm_edit *edit, const void *document, lm_edit_list list,
                                     uint32_t surface, uint32_t index) {
    const lm_edit_names *names = &edit->editor->tables->names[list];
    const lm_part part = part_with(edit, document, list, surface);
    if (list == LM_EDIT_SURFACES)
        return (const uint8_t *)lmi_surface_part(&part, index).owner + names->at;
    if (names->lump == 0)
        return (const uint8_t *)part.owner + names->at;
    const lm_header_lump *lump = lmi_lump_at(part.header, names->lump);
    return lmi_lump_data(lump, part.owner) + names->at +
           index * lmi_part_extent(&part, lump).element;
}

const uint8_t *lmi_described_name(lm_edit *edit, lm_edit_list list, uint32_t surface,
                                  uint32_t index, size_t *room) {
    *room = edit->editor->tables->names[list].room;
    return lmi_described_name_in(edit, edit->document, list, surface, index);
}

bool lmi_described_put_name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                            const uint8_t *field) {
    const lm_edit_names *names = &edit->editor->tables->names[list];
    const lm_part part = part_with(edit, edit->document, list, surface);
    uint8_t *owner = lmi_edit_by_surface(edit, list)
                         ? lmi_new_surface(edit, edit->document, surface)
                     : list == LM_EDIT_SURFACES ? lmi_new_surface(edit, edit->document, index)
                                                : edit->document;
    if (names->lump == 0) {
        memcpy(owner + names->at, field, names->room);
        return true;
    }
    const lm_header_lump *lump = lmi_lump_at(part.header, names->lump);
    uint8_t *own = lmi_own_lump(lmi_edit_arena(edit), lmi_lump_data(lump, part.owner),
                                lmi_part_size(&part, lump));
    if (!own)
        return false;
    const lumps_rows rows = rows_of(&part, lump, names->count, part.owner == part.document);
    for (size_t g = 0; g < rows.groups; g++)
        memcpy(own + (g * rows.of + index) * rows.element + names->at, field, names->room);
    lmi_set_lump_data(lump, owner, own);
    return true;
}

/* ---- Selecting ----------------------------------------------------------------------------- */

/* Selects surfaces, and records the original index of each. */
static bool select_surfaces(lm_edit *edit, const uint32_t *indices, uint32_t count) {
    const lm_header_lump *chain = lmi_chain_of(edit->editor->kind->header);
    lm_arena *arena = lmi_edit_arena(edit);
    uint32_t *origins = lmi_arena_alloc(arena, (uint64_t)count + 1, sizeof *origins);
    uint8_t *picked = lmi_pick(arena, lmi_lump_data(chain, edit->document),
                               chain->chain->struct_size, indices, count);
    if (!origins || !picked)
        return false;
    for (uint32_t i = 0; i < count; i++)
        origins[i] = edit->origins ? edit->origins[indices[i]] : indices[i];
    lmi_set_lump_data(chain, edit->document, picked);
    lmi_set_number(edit->document, chain->count.member, (int32_t)count);
    edit->origins = origins;
    return true;
}

/* Selects from a list of the document, and from the surfaces' parts of it. */
static bool select_everywhere(lm_edit *edit, lm_edit_list list, const uint32_t *indices,
                              uint32_t count) {
    const lm_edit_tables *tables = edit->editor->tables;
    const size_t member = tables->names[list].count;
    const lm_part file = lmi_edit_part(edit);
    void *made = lmi_begin_change(edit);
    bool done = made && lmi_select_counted(edit, &file, member, true, indices, count, made);
    for (uint32_t s = 0; done && s < lmi_num_surfaces(file.header, file.document); s++) {
        const lm_part part = lmi_surface_part(&file, s);
        void *surface = lmi_new_surface(edit, made, s);
        done = lmi_select_counted(edit, &part, member, true, indices, count, surface) &&
               (list != LM_EDIT_FRAMES || !tables->select_frames ||
                tables->select_frames(edit, part.owner, surface, count));
    }
    if (!done)
        return false;
    put_surface_frames(edit, made);
    return lmi_commit_change(edit, made);
}

bool lmi_described_select(lm_edit *edit, lm_edit_list list, uint32_t surface,
                          const uint32_t *indices, uint32_t count) {
    if (list == LM_EDIT_SURFACES)
        return select_surfaces(edit, indices, count);
    if (!lmi_edit_by_surface(edit, list))
        return select_everywhere(edit, list, indices, count);
    const lm_part part = part_with(edit, edit->document, list, surface);
    return lmi_select_counted(edit, &part, edit->editor->tables->names[list].count, false, indices,
                              count, lmi_new_surface(edit, edit->document, surface));
}

/* ---- Adding -------------------------------------------------------------------------------- */

bool lmi_add_named(const lm_edit *edit, lm_edit_list list, uint32_t surface, const uint8_t *field,
                   void *made) {
    const lm_edit_names *names = &edit->editor->tables->names[list];
    const lm_part part = part_with(edit, edit->document, list, surface);
    const int32_t count = lmi_number(part.owner, names->count);
    for (size_t i = 0; i < part.header->lumps.count; i++) {
        const lm_header_lump *lump = &part.header->lumps.list[i];
        if (!counts(&part, lump->count, names->count, part.owner == part.document))
            continue;
        /* Copy the lump with one more element, of zeros, at the end of each group. */
        const uint8_t *data = lmi_lump_data(lump, part.owner);
        const size_t groups = (size_t)lmi_lump_groups(lump, part.document, part.owner);
        const size_t element = lmi_part_extent(&part, lump).element, row = (size_t)count * element;
        uint8_t *longer = lmi_arena_zeros(lmi_edit_arena(edit), groups, row + element);
        if (!longer)
            return false;
        for (size_t g = 0; g < groups; g++) {
            uint8_t *to = longer + g * (row + element);
            if (row > 0)
                memcpy(to, data + g * row, row);
            if (lump->data == names->lump)
                memcpy(to + row + names->at, field, names->room);
        }
        lmi_set_lump_data(lump, made, longer);
    }
    lmi_set_number(made, names->count, count + 1);
    return true;
}

bool lmi_described_add_skin(lm_edit *edit, uint32_t surface, const uint8_t *field) {
    void *made = lmi_begin_change(edit);
    if (!made)
        return false;
    void *owner =
        lmi_edit_by_surface(edit, LM_EDIT_SKINS) ? lmi_new_surface(edit, made, surface) : made;
    return lmi_add_named(edit, LM_EDIT_SKINS, surface, field, owner) &&
           lmi_commit_change(edit, made);
}

/* ---- Appending ----------------------------------------------------------------------------- */

/* Joins the lumps of two parts that follow the number of frames. The format's hook joins lumps that
 * may be absent. */
static bool join_parts(const lm_edit *edit, const lm_part *part, const lm_part *other, void *made) {
    const size_t member = edit->editor->tables->names[LM_EDIT_FRAMES].count;
    for (size_t i = 0; i < part->header->lumps.count; i++) {
        const lm_header_lump *lump = &part->header->lumps.list[i];
        if (lump->needed || lump->chain ||
            (!counts(part, lump->groups, member, true) && !counts(part, lump->count, member, true)))
            continue;
        uint8_t *joined = lmi_join_lumps(
            lmi_edit_arena(edit), lmi_lump_data(lump, part->owner), lmi_part_size(part, lump),
            lmi_lump_data(lump, other->owner), lmi_part_size(other, lump));
        if (!joined)
            return false;
        lmi_set_lump_data(lump, made, joined);
    }
    return true;
}

bool lmi_described_append(lm_edit *edit, const void *other) {
    const lm_edit_tables *tables = edit->editor->tables;
    const size_t member = tables->names[LM_EDIT_FRAMES].count;
    const lm_part ours = lmi_edit_part(edit), theirs = lmi_document_part(ours.header, other);
    if (!tables->fits(edit, other))
        return false;
    void *made = lmi_begin_change(edit);
    bool done = made && join_parts(edit, &ours, &theirs, made);
    for (uint32_t s = 0; done && s < lmi_num_surfaces(ours.header, ours.document); s++) {
        const lm_part part = lmi_surface_part(&ours, s), match = lmi_surface_part(&theirs, s);
        void *surface = lmi_new_surface(edit, made, s);
        done = join_parts(edit, &part, &match, surface) &&
               (!tables->append_frames || tables->append_frames(edit, s, surface, other));
    }
    if (!done)
        return false;
    lmi_set_number(made, member, lmi_number(made, member) + lmi_number(other, member));
    put_surface_frames(edit, made);
    return lmi_commit_change(edit, made);
}
