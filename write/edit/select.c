/* Selects and reorders the elements of a list, and adds skins. */
#include "edit/editing.h"

#include <stdio.h>
#include <string.h>

/* ---- Recording changes ---------------------------------------------------------------------- */

/* Writes indices like "0-39, 46", up to `room`. */
static void list_indices(const uint32_t *indices, uint32_t count, char *text, size_t room) {
    size_t length = 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && indices[end] == indices[end - 1] + 1;)
            end++;
        const char *comma = i > 0 ? ", " : "";
        if (length + 32 > room) {
            snprintf(text + length, room - length, ", ...");
            return;
        }
        length +=
            (size_t)snprintf(text + length, room - length, "%s%u", comma, (unsigned)indices[i]);
        if (end - i > 1)
            length +=
                (size_t)snprintf(text + length, room - length, "-%u", (unsigned)indices[end - 1]);
    }
}

static bool note_removed(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index) {
    char what[LM_EDIT_WHAT_SIZE], name[LM_EDIT_NAME_SIZE];
    lm_edit_what(edit, list, surface, index, what);
    lm_edit_name(edit, list, surface, index, name);
    return lm_edit_note(edit, what, name, NULL);
}

static bool ascends(const uint32_t *indices, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        if (indices[i] <= indices[i - 1])
            return false;
    return true;
}

/* Records a selection: in one line for frames, else a line per removed element. */
static bool note_selection(lm_edit *edit, lm_edit_list list, uint32_t surface,
                           const uint32_t *indices, uint32_t count) {
    if (list == LM_EDIT_FRAMES || !ascends(indices, count)) {
        char before[32], after[200], what[LM_EDIT_WHAT_SIZE];
        const int length = snprintf(after, sizeof after, "%u: ", (unsigned)count);
        list_indices(indices, count, after + length, sizeof after - (size_t)length);
        snprintf(before, sizeof before, "%u", (unsigned)lm_edit_count(edit, list, surface));
        if (lm_edit_by_surface(edit, list))
            snprintf(what, sizeof what, "surface %u %s", (unsigned)surface,
                     lm_edit_list_name(list));
        else
            snprintf(what, sizeof what, "%s", lm_edit_list_name(list));
        return lm_edit_note(edit, what, before, after);
    }
    const uint32_t all = lm_edit_count(edit, list, surface);
    bool noted = true;
    for (uint32_t i = 0, next = 0; noted && i < all; i++)
        if (next < count && indices[next] == i)
            next++;
        else
            noted = note_removed(edit, list, surface, i);
    return noted;
}

/* ---- Selecting ----------------------------------------------------------------------------- */

static bool indices_sound(lm_edit *edit, lm_edit_list list, uint32_t surface,
                          const uint32_t *indices, uint32_t count) {
    const uint32_t all = lm_edit_count(edit, list, surface);
    uint8_t *counts = lm_arena_zeros(&edit->arena, all, 1);
    if (!counts)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (indices[i] >= all)
            return lm_edit_has_item(edit, list, surface, indices[i]);
        if (list != LM_EDIT_FRAMES && counts[indices[i]]++)
            return lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                                "%s %u is given twice; only frames may be repeated",
                                lm_edit_item_name(list), (unsigned)indices[i]);
    }
    return list != LM_EDIT_FRAMES || count > 0 ||
           lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "at least one frame must remain");
}

static bool can_select(lm_edit *edit, lm_edit_list list, uint32_t surface) {
    if (!lm_edit_has_list(edit, list, surface))
        return false;
    return (list != LM_EDIT_CLIPS && list != LM_EDIT_HEADER) ||
           lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "%s cannot be selected",
                        lm_edit_list_name(list));
}

bool lm_edit_keep(lm_edit *edit, lm_edit_list list, uint32_t surface, const uint32_t *indices,
                  uint32_t count) {
    if (!can_select(edit, list, surface) || !indices_sound(edit, list, surface, indices, count))
        return false;
    uint32_t same = 0;
    while (same < count && indices[same] == same)
        same++;
    if (same == count && count == lm_edit_count(edit, list, surface))
        return true;
    const bool done = note_selection(edit, list, surface, indices, count) &&
                      edit->editor->select(edit, list, surface, indices, count);
    if (done && list == LM_EDIT_FRAMES)
        lm_edit_forget_clips(edit);
    return done;
}

bool lm_edit_select(lm_edit *edit, lm_edit_list list, uint32_t surface, const uint32_t *indices,
                    uint32_t count, lm_error *error) {
    lm_edit_begin(edit, error);
    return lm_edit_end(edit, lm_edit_keep(edit, list, surface, indices, count));
}

/* ---- Adding -------------------------------------------------------------------------------- */

static bool add_skin(lm_edit *edit, uint32_t surface, const char *path) {
    const lm_editor *editor = edit->editor;
    uint8_t field[LM_EDIT_NAME_SIZE] = {0};
    char what[LM_EDIT_WHAT_SIZE];
    if (!lm_edit_has_list(edit, LM_EDIT_SKINS, surface))
        return false;
    if (!editor->add_skin)
        return lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                            "the skins are images inside the file: a path cannot be added");
    if (!lm_edit_fit(edit, "the path", path, strlen(path), editor->skin_room, field))
        return false;
    lm_edit_what(edit, LM_EDIT_SKINS, surface, lm_edit_count(edit, LM_EDIT_SKINS, surface), what);
    return lm_edit_note(edit, what, NULL, path) && editor->add_skin(edit, surface, field);
}

bool lm_edit_add_skin(lm_edit *edit, uint32_t surface, const char *path, lm_error *error) {
    lm_edit_begin(edit, error);
    return lm_edit_end(edit, add_skin(edit, surface, path));
}
