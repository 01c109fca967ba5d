/* Fixes: changes that remove a problem of a check report. */
#include "core/bytes.h"
#include "core/options.h"
#include "core/report.h"
#include "core/text.h"
#include "edit/editing.h"

#include <string.h>

/* ---- Names --------------------------------------------------------------------------------- */

/* Returns true if a name has a better one: a path with slashes for backslashes, or the extension of
 * an MDC. Capital letters stay: where a file system distinguishes them, the path must have those of
 * the file. */
static bool better_name(lm_edit *edit, const lm_diagnostic *problem, lm_edit_list *list,
                        char name[LM_EDIT_NAME_SIZE], char better[LM_EDIT_NAME_SIZE]) {
    const bool path = problem->code == LM_CODE_SKIN_PATH;
    *list = path ? LM_EDIT_SKINS : LM_EDIT_HEADER;
    if (!lm_edit_name(edit, *list, problem->location.surface, path ? problem->location.index : 0,
                      name))
        return false;
    const size_t length = strlen(name);
    memcpy(better, name, length + 1);
    for (char *c = better; path && *c; c++)
        *c = *c == '\\' ? '/' : *c;
    if (!path && strcmp(edit->info->name, "mdc") == 0 && length >= 4 &&
        strcmp(name + length - 4, ".md3") == 0)
        better[length - 1] = 'c';
    return strcmp(name, better) != 0;
}

static bool plan_list(lm_edit *edit, lm_edit_list list) {
    const uint32_t surfaces =
        lmi_edit_by_surface(edit, list) ? lmi_edit_size(edit, LM_EDIT_SURFACES, 0) : 1;
    bool done = true;
    for (uint32_t s = 0; done && lmi_edit_has(edit, list) && s < surfaces; s++)
        for (uint32_t i = 0; done && i < lmi_edit_size(edit, list, s); i++)
            done = lmi_edit_plan_clean_name(edit, list, s, i);
    return done;
}

/* Clips are names of frames. */
static bool clean_names(lm_edit *edit, lm_edit_list first, lm_edit_list last, lm_error *error) {
    lmi_edit_begin(edit, error);
    const bool tags = first == LM_EDIT_TAGS;
    bool done = lmi_edit_note(edit, tags ? "names of tags" : "bytes after names",
                              tags ? "other names in later frames" : "not 0",
                              tags ? "the names of frame 0" : "0");
    for (int list = (int)first; done && list <= (int)last; list++)
        done = list == LM_EDIT_CLIPS || plan_list(edit, (lm_edit_list)list);
    done = done && (tags || !edit->editor->clean || edit->editor->clean(edit));
    return lmi_edit_end(edit, done && lmi_edit_write_plans(edit));
}

/* ---- The calls ----------------------------------------------------------------------------- */

static const char *about(lm_edit *edit, lm_code code) {
    switch (code) {
    case LM_CODE_NAME_JUNK:
        return "The bytes after the ends of all names become 0.";
    case LM_CODE_TAG_NAME:
        return lmi_edit_has(edit, LM_EDIT_TAGS)
                   ? "All tags get their names of frame 0 in the other frames, too."
                   : NULL;
    case LM_CODE_BAD_BOUNDS:
    case LM_CODE_OUTSIDE_BOUNDS:
        return edit->editor->bounds ? "The bounds of all frames become those of their vertices."
                                    : NULL;
    case LM_CODE_IDENTICAL_NORMALS:
        return edit->editor->put_normals ? "All normals are computed from the triangles." : NULL;
    default:
        return NULL;
    }
}

bool lm_edit_can_fix(lm_edit *edit, const lm_diagnostic *problem, lm_buffer *sentence) {
    char name[LM_EDIT_NAME_SIZE], better[LM_EDIT_NAME_SIZE], what[LM_EDIT_WHAT_SIZE];
    lm_edit_list list;
    if (problem->code != LM_CODE_SKIN_PATH && problem->code != LM_CODE_HEADER_NAME) {
        const char *text = about(edit, problem->code);
        if (text && sentence)
            lm_buffer_text(sentence, text);
        return text != NULL;
    }
    if (!better_name(edit, problem, &list, name, better))
        return false;
    lmi_edit_what(edit, list, problem->location.surface, problem->location.index, what);
    if (sentence)
        lm_buffer_printf(sentence, "\"%s\", the name of %s, becomes \"%s\".", name, what, better);
    return true;
}

bool lm_edit_fix(lm_edit *edit, const lm_diagnostic *problem, lm_error *error) {
    if (!LM_GIVEN(error, edit, problem))
        return false;
    char name[LM_EDIT_NAME_SIZE], better[LM_EDIT_NAME_SIZE];
    lm_edit_list list;
    if (!lm_edit_can_fix(edit, problem, NULL))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: this problem has no automatic fix",
                             lm_code_name(problem->code));
    switch (problem->code) {
    case LM_CODE_NAME_JUNK:
        return clean_names(edit, LM_EDIT_SKINS, LM_EDIT_HEADER, error);
    case LM_CODE_TAG_NAME:
        return clean_names(edit, LM_EDIT_TAGS, LM_EDIT_TAGS, error);
    case LM_CODE_IDENTICAL_NORMALS:
        return lmi_edit_compute_normals(edit, error);
    case LM_CODE_BAD_BOUNDS:
    case LM_CODE_OUTSIDE_BOUNDS:
        return lmi_edit_compute_bounds(edit, error);
    default:
        return better_name(edit, problem, &list, name, better) &&
               lm_edit_rename(edit, list, problem->location.surface,
                              list == LM_EDIT_HEADER ? 0 : problem->location.index, better, error);
    }
}
