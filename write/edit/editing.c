/* Functions that every editing call uses: they begin and end a call, and record changes. */
#include "edit/editing.h"

#include <stdio.h>
#include <string.h>

static const struct list_words {
    const char *list, *item;
} words[LM_NUM_EDIT_LISTS] = {
    [LM_EDIT_SKINS] = {"skins", "skin"}, [LM_EDIT_FRAMES] = {"frames", "frame"},
    [LM_EDIT_CLIPS] = {"clips", "clip"}, [LM_EDIT_SURFACES] = {"surfaces", "surface"},
    [LM_EDIT_TAGS] = {"tags", "tag"},    [LM_EDIT_HEADER] = {"name in the header", "name"},
};

const char *lm_edit_list_name(lm_edit_list list) {
    return (unsigned)list < LM_NUM_EDIT_LISTS ? words[list].list : "unknown";
}

const char *lm_edit_item_name(lm_edit_list list) {
    return (unsigned)list < LM_NUM_EDIT_LISTS ? words[list].item : "unknown";
}

void lm_edit_begin(lm_edit *edit, lm_error *error) {
    edit->call->error = error;
    edit->call->status = LM_DONE;
    lm_heap_forget_limit(&edit->heap); /* the previous call may have reached it */
    edit->num_noted = edit->num_changes;
    edit->num_plans = 0;
    edit->walk = (lm_edit_walk){0};
}

bool lm_edit_end(lm_edit *edit, bool done) {
    lm_call *call = edit->call;
    if (call->status == LM_NO_MEMORY)
        lm_fail_plain(call->error, LM_CODE_OUT_OF_MEMORY, "%s: out of memory while editing",
                      call->name);
    if (done)
        edit->num_changes = edit->num_noted;
    call->error = NULL;
    return done;
}

static bool copy_text(lm_edit *edit, const char *text, const char **copy) {
    *copy = text ? lm_arena_text(&edit->arena, text, strlen(text)) : NULL;
    return !text || *copy;
}

bool lm_edit_note(lm_edit *edit, const char *what, const char *before, const char *after) {
    lm_edit_change change;
    if (!copy_text(edit, what, &change.what) || !copy_text(edit, before, &change.before) ||
        !copy_text(edit, after, &change.after) ||
        !lm_arena_grow(&edit->arena, &edit->changes, &edit->max_changes, edit->num_noted + 1,
                       sizeof *edit->changes))
        return false;
    edit->changes[edit->num_noted++] = change;
    return true;
}

bool lm_edit_note_count(lm_edit *edit, const char *what, uint32_t before, uint32_t after) {
    char was[16], is[16];
    snprintf(was, sizeof was, "%u", (unsigned)before);
    snprintf(is, sizeof is, "%u", (unsigned)after);
    return lm_edit_note(edit, what, was, is);
}

void lm_edit_what(const lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                  char what[LM_EDIT_WHAT_SIZE]) {
    if (lm_edit_by_surface(edit, list))
        snprintf(what, LM_EDIT_WHAT_SIZE, "surface %u %s %u", (unsigned)surface, words[list].item,
                 (unsigned)index);
    else if (list == LM_EDIT_HEADER)
        snprintf(what, LM_EDIT_WHAT_SIZE, "%s", words[list].list);
    else
        snprintf(what, LM_EDIT_WHAT_SIZE, "%s %u", words[list].item, (unsigned)index);
}

bool lm_edit_has(const lm_edit *edit, lm_edit_list list) {
    const lm_edit_list shown = list == LM_EDIT_CLIPS ? LM_EDIT_FRAMES : list;
    return (unsigned)list < LM_NUM_EDIT_LISTS && edit->editor->lists >> shown & 1;
}

bool lm_edit_by_surface(const lm_edit *edit, lm_edit_list list) {
    return list == LM_EDIT_SKINS && lm_edit_has(edit, LM_EDIT_SURFACES);
}

bool lm_edit_has_list(lm_edit *edit, lm_edit_list list, uint32_t surface) {
    if (!lm_edit_has(edit, list))
        return lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "this format has no %s",
                            (unsigned)list < LM_NUM_EDIT_LISTS ? words[list].list : "such list");
    const uint32_t count = lm_edit_count(edit, LM_EDIT_SURFACES, 0);
    if (lm_edit_by_surface(edit, list) && surface >= count)
        return lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                            "there is no surface %u: the model has %u", (unsigned)surface,
                            (unsigned)count);
    return true;
}

bool lm_edit_has_item(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index) {
    if (!lm_edit_has_list(edit, list, surface))
        return false;
    const uint32_t count = lm_edit_count(edit, list, surface);
    if (index < count || edit->call->status != LM_DONE)
        return edit->call->status == LM_DONE;
    return lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "there is no %s %u: the model has %u",
                        words[list].item, (unsigned)index, (unsigned)count);
}

bool lm_edit_can(lm_edit *edit, bool can, const char *what) {
    return can || lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "this format %s", what);
}

bool lm_edit_fit(lm_edit *edit, const char *what, const char *text, size_t length, size_t room,
                 uint8_t *field) {
    if (length >= room)
        return lm_call_fail(edit->call, LM_CODE_LIMIT,
                            "%s \"%.80s\" has %zu bytes, but its field holds %zu", what, text,
                            length, room - 1);
    memcpy(field, text, length);
    return true;
}

const lm_edit_change *lm_edit_changes(const lm_edit *edit, uint32_t *count) {
    *count = (uint32_t)edit->num_changes;
    return edit->changes;
}
