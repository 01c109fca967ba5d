/* Appending frames, removing unused vertices, and editing tags and bounds. */
#include "core/report.h"
#include "edit/editing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool lm_edit_note_count(lm_edit *edit, const char *what, uint32_t before, uint32_t after) {
    char was[16], is[16];
    snprintf(was, sizeof was, "%u", (unsigned)before);
    snprintf(is, sizeof is, "%u", (unsigned)after);
    return lm_edit_note(edit, what, was, is);
}

static bool append(lm_edit *edit, const lm_edit *other) {
    if (edit->editor != other->editor)
        return lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                            "the other model is an %s: convert it first", other->info->name);
    const uint32_t ours = lm_edit_count(edit, LM_EDIT_FRAMES, 0);
    const uint32_t theirs = other->editor->count(other, LM_EDIT_FRAMES, 0);
    if (theirs > INT32_MAX - ours)
        return lm_call_fail(edit->call, LM_CODE_LIMIT, "the result would have more than %d frames",
                            INT32_MAX);
    if (!lm_edit_note_count(edit, "frames", ours, ours + theirs) ||
        !edit->editor->append(edit, other->document))
        return false;
    lm_edit_forget_clips(edit);
    return true;
}

bool lm_edit_append(lm_edit *edit, const lm_edit *other, lm_error *error) {
    lm_edit_begin(edit, error);
    return lm_edit_end(edit, append(edit, other));
}

bool lm_edit_can(lm_edit *edit, bool can, const char *what) {
    return can || lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "this format %s", what);
}

bool lm_edit_remove_unused(lm_edit *edit, lm_error *error) {
    const lm_editor *editor = edit->editor;
    lm_edit_begin(edit, error);
    return lm_edit_end(
        edit, lm_edit_can(edit, editor->trim, "does not support removing unused vertices") &&
                  editor->trim(edit));
}

/* ---- Tags ---------------------------------------------------------------------------------- */

static bool finite_vector(lm_edit *edit, const lm_vec3 *v) {
    return (isfinite(v->x) && isfinite(v->y) && isfinite(v->z)) ||
           lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "a tag's position must be finite");
}

static void print_place(const lm_vec3 *v, const char *word, char text[80]) {
    snprintf(text, 80, "%s %g, %g, %g", word, (double)v->x, (double)v->y, (double)v->z);
}

static bool add_tag(lm_edit *edit, const char *name, const lm_vec3 *origin) {
    uint8_t field[LM_EDIT_NAME_SIZE] = {0};
    char what[LM_EDIT_WHAT_SIZE], text[80 + LM_EDIT_NAME_SIZE], place[80];
    if (!lm_edit_has_list(edit, LM_EDIT_TAGS, 0) || !finite_vector(edit, origin) ||
        !lm_edit_fit(edit, "the name", name, strlen(name), 64, field))
        return false;
    lm_edit_what(edit, LM_EDIT_TAGS, 0, lm_edit_count(edit, LM_EDIT_TAGS, 0), what);
    print_place(origin, "at", place);
    snprintf(text, sizeof text, "%.64s %s", name, place);
    return lm_edit_note(edit, what, NULL, text) && edit->editor->add_tag(edit, field, origin);
}

bool lm_edit_add_tag(lm_edit *edit, const char *name, const lm_vec3 *origin, lm_error *error) {
    lm_edit_begin(edit, error);
    return lm_edit_end(edit, add_tag(edit, name, origin));
}

static bool move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by) {
    char what[LM_EDIT_WHAT_SIZE], name[LM_EDIT_NAME_SIZE], text[80];
    if (!lm_edit_has_item(edit, LM_EDIT_TAGS, 0, tag) || !finite_vector(edit, by))
        return false;
    if (by->x == 0 && by->y == 0 && by->z == 0)
        return true;
    lm_edit_what(edit, LM_EDIT_TAGS, 0, tag, what);
    lm_edit_name(edit, LM_EDIT_TAGS, 0, tag, name);
    print_place(by, "moved by", text);
    return lm_edit_note(edit, what, name, text) && edit->editor->move_tag(edit, tag, by);
}

bool lm_edit_move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by, lm_error *error) {
    lm_edit_begin(edit, error);
    return lm_edit_end(edit, move_tag(edit, tag, by));
}

bool lm_edit_compute_bounds(lm_edit *edit, lm_error *error) {
    const lm_editor *editor = edit->editor;
    lm_edit_begin(edit, error);
    return lm_edit_end(edit,
                       lm_edit_can(edit, editor->bounds, "has no bounds") && editor->bounds(edit));
}
