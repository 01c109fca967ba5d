/* Adding and moving tags. */
#include "core/report.h"
#include "edit/editing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool finite_vector(lm_edit *edit, const lm_vec3 *v) {
    return (isfinite(v->x) && isfinite(v->y) && isfinite(v->z)) ||
           lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "a tag's position must be finite");
}

static void print_vector(const lm_vec3 *v, const char *word, char text[80]) {
    snprintf(text, 80, "%s %g, %g, %g", word, (double)v->x, (double)v->y, (double)v->z);
}

bool lm_edit_put_tag(lm_edit *edit, const char *name, const lm_edit_tag *tag,
                     const lm_transform *poses) {
    uint8_t field[LM_EDIT_NAME_SIZE] = {0};
    char what[LM_EDIT_WHAT_SIZE], text[112 + LM_EDIT_NAME_SIZE], position[80];
    if (!finite_vector(edit, &tag->origin) ||
        !lm_edit_fit(edit, "the name", name, strlen(name), 64, field))
        return false;
    lm_edit_what(edit, LM_EDIT_TAGS, 0, lm_edit_count(edit, LM_EDIT_TAGS, 0), what);
    print_vector(&tag->origin, "at", position);
    snprintf(text, sizeof text, "%.64s %s%s", name, position,
             tag->follows ? ", following the surface" : "");
    return lm_edit_note(edit, what, NULL, text) && edit->editor->add_tag(edit, field, poses);
}

static bool move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by) {
    char what[LM_EDIT_WHAT_SIZE], name[LM_EDIT_NAME_SIZE], text[80];
    if (!lm_edit_has_item(edit, LM_EDIT_TAGS, 0, tag) || !finite_vector(edit, by))
        return false;
    if (by->x == 0 && by->y == 0 && by->z == 0)
        return true;
    lm_edit_what(edit, LM_EDIT_TAGS, 0, tag, what);
    lm_edit_name(edit, LM_EDIT_TAGS, 0, tag, name);
    print_vector(by, "moved by", text);
    return lm_edit_note(edit, what, name, text) && edit->editor->move_tag(edit, tag, by);
}

bool lm_edit_move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by, lm_error *error) {
    lm_edit_begin(edit, error);
    return lm_edit_end(edit, move_tag(edit, tag, by));
}
