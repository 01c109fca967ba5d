/* What every call of editing does: it fails with a sentence, or tells what it changed. */
#include "edit/editing.h"

#include "core/report.h"
#include "core/text.h"

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

bool lm_edit_fail(lm_edit *edit, lm_code code, const char *sentence, ...) {
    char text[LM_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, sentence);
    lm_text_fit(text, sizeof text, sentence, arguments);
    va_end(arguments);
    edit->failed = true;
    return lm_fail_plain(edit->error, code, "%s: %s", edit->info->name, text);
}

bool lm_edit_pass(lm_edit *edit, const lm_error *error) {
    edit->failed = true;
    if (edit->error)
        *edit->error = *error;
    return false;
}

void lm_edit_begin(lm_edit *edit, lm_error *error) {
    edit->error = error;
    edit->failed = false;
    edit->num_noted = edit->num_changes;
    edit->num_plans = 0;
    edit->under_way = true;
    edit->walk = (lm_edit_walk){.known = false};
}

bool lm_edit_end(lm_edit *edit, bool done) {
    if (!done && !edit->failed)
        lm_fail_plain(edit->error, LM_CODE_OUT_OF_MEMORY, "%s: out of memory while editing",
                      edit->info->name);
    if (done)
        edit->num_changes = edit->num_noted;
    edit->error = NULL;
    edit->under_way = false;
    return done;
}

lm_edit_walk *lm_edit_walking(lm_edit *edit) {
    if (!edit->under_way)
        edit->walk = (lm_edit_walk){.known = false};
    return &edit->walk;
}

static bool keep_text(lm_edit *edit, const char *text, const char **kept) {
    const size_t size = text ? strlen(text) + 1 : 0;
    char *copy = text ? lm_arena_alloc(&edit->arena, size, 1) : NULL;
    if (copy)
        memcpy(copy, text, size);
    *kept = copy;
    return !text || copy;
}

bool lm_edit_note(lm_edit *edit, const char *what, const char *before, const char *after) {
    lm_edit_change change;
    if (!keep_text(edit, what, &change.what) || !keep_text(edit, before, &change.before) ||
        !keep_text(edit, after, &change.after) ||
        !lm_arena_grow(&edit->arena, &edit->changes, &edit->max_changes, edit->num_noted + 1,
                       sizeof *edit->changes))
        return false;
    edit->changes[edit->num_noted++] = change;
    return true;
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
        return lm_edit_fail(edit, LM_CODE_BAD_ARGUMENT, "this format has no %s",
                            (unsigned)list < LM_NUM_EDIT_LISTS ? words[list].list : "such list");
    const uint32_t count = lm_edit_count(edit, LM_EDIT_SURFACES, 0);
    if (lm_edit_by_surface(edit, list) && surface >= count)
        return lm_edit_fail(edit, LM_CODE_BAD_ARGUMENT, "there is no surface %u: there are %u",
                            (unsigned)surface, (unsigned)count);
    return true;
}

bool lm_edit_has_item(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index) {
    if (!lm_edit_has_list(edit, list, surface) ||
        (list == LM_EDIT_CLIPS && !lm_edit_know_clips(edit)))
        return false;
    const uint32_t count = lm_edit_count(edit, list, surface);
    return index < count ||
           lm_edit_fail(edit, LM_CODE_BAD_ARGUMENT, "there is no %s %u: there are %u",
                        words[list].item, (unsigned)index, (unsigned)count);
}

const lm_edit_change *lm_edit_changes(const lm_edit *edit, uint32_t *count) {
    *count = (uint32_t)edit->num_changes;
    return edit->changes;
}
