/* The options of edits as users write them: checks a value, and applies it to an edit. */
#include "core/exact.h"
#include "core/report.h"
#include "core/text.h"
#include "edit/editing.h"
#include "lerpmesh/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct setting setting;

typedef struct edit_option {
    const char *name;
    bool (*set)(setting *s);                       /* an option with a value */
    bool (*plain)(lm_edit *edit, lm_error *error); /* one without */
    lm_edit_choice choice;
} edit_option;

struct setting {
    lm_edit *edit; /* NULL: only checks the value */
    const edit_option *option;
    const char *prefix; /* of names in messages: "--" or "" */
    const char *name;
    const char *value; /* without KIND: */
    char *text;        /* a copy that may be split; NULL without an edit */
    char *right;       /* the part of the text after its '=' */
    lm_edit_list list; /* of KIND: */
    bool *missing;
    lm_error *error;
};

/* ---- Values --------------------------------------------------------------------------------- */

LM_PRINTF(2, 3) static bool fail(const setting *s, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    lmi_fail_vplain(s->error, LM_CODE_BAD_ARGUMENT, sentence, arguments);
    va_end(arguments);
    return false;
}

static bool refuse(const setting *s, const char *takes) {
    return fail(s, "%s%s takes %s, not \"%s\"", s->prefix, s->name, takes, s->value);
}

static bool names_list(const char *text, size_t length, lm_edit_list list) {
    const char *name = list == LM_EDIT_HEADER ? "header" : lmi_edit_list_name(list);
    return lmi_is_word(text, length, name);
}

/* Reads "KIND:", such as "frames:" or "frame:", and moves the texts past it. */
static bool read_list(setting *s) {
    const size_t length = strcspn(s->value, ":");
    for (int i = 0; s->value[length] == ':' && i < LM_NUM_EDIT_LISTS; i++)
        if (names_list(s->value, length, (lm_edit_list)i)) {
            s->list = (lm_edit_list)i;
            s->value += length + 1;
            if (s->text)
                s->text += length + 1;
            return true;
        }
    return fail(s,
                "%s%s takes KIND:%s, where KIND is skins, frames, clips, surfaces or tags, not "
                "\"%s\"",
                s->prefix, s->name, strcmp(s->name, "rename") == 0 ? "OLD=NEW" : "LIST", s->value);
}

/* Splits the text at an '='. Returns the part of the value after it; NULL: there is none. */
static const char *split(setting *s, const char *equals) {
    if (!equals)
        return NULL;
    if (s->text) {
        s->right = s->text + (equals - s->value) + 1;
        s->right[-1] = '\0';
    }
    return equals + 1;
}

static bool read_vector(const char *text, size_t length, lm_vec3 *out) {
    double numbers[3];
    if (!text || !lmi_read_decimals(text, length, 3, numbers))
        return false;
    *out = (lm_vec3){(float)numbers[0], (float)numbers[1], (float)numbers[2]};
    return true;
}

static bool read_index(const char *word, uint32_t *index) {
    const char *end = lmi_edit_read_index(word, index);
    return end && *end == '\0';
}

/* ---- Names ---------------------------------------------------------------------------------- */

static bool substitute(const setting *s, lm_edit_list list) {
    lm_pattern pattern;
    return s->edit ? lmi_edit_substitute(s->edit, list, s->text, s->error)
                   : lmi_pattern_compile(&pattern, s->value, s->error);
}

static bool set_path(setting *s) {
    return substitute(s, LM_EDIT_SKINS);
}

static bool set_name(setting *s) {
    return !s->edit || lm_edit_rename(s->edit, LM_EDIT_HEADER, 0, 0, s->text, s->error);
}

/* Renames an element. If there is none, sets `missing`, or fails if the caller has none. */
static bool rename_item(const setting *s, lm_edit_list list, uint32_t surface, uint32_t index) {
    uint32_t count = 0;
    if (s->missing && !lm_edit_count(s->edit, list, surface, &count, s->error))
        return false;
    if (s->missing && index >= count)
        return *s->missing = true;
    return lm_edit_rename(s->edit, list, surface, index, s->right, s->error);
}

static bool set_rename(setting *s) {
    uint32_t index = 0;
    lm_error error;
    if (!read_list(s))
        return false;
    if (s->value[0] == 's' && s->value[1] && strchr("/#|,;!@%~:", s->value[1]))
        return substitute(s, s->list);
    if (s->list == LM_EDIT_SKINS)
        return fail(s, "%srename does not apply to skins; use %sset-skin or %spath", s->prefix,
                    s->prefix, s->prefix);
    if (!split(s, strchr(s->value, '=')))
        return refuse(s, "KIND:OLD=NEW or KIND:s/RE/NEW/");
    if (s->edit && !read_index(s->text, &index) &&
        !lm_edit_find(s->edit, s->list, 0, s->text, &index, &error)) {
        if (error.code != LM_CODE_BAD_ARGUMENT)
            return lm_fail_plain(s->error, error.code, "%s", error.message);
        if (!s->missing)
            return fail(s, "there is no %s \"%s\"", lmi_edit_item_name(s->list), s->text);
        index = LM_EDIT_NONE;
    }
    return !s->edit || rename_item(s, s->list, 0, index);
}

/* ---- Skins ---------------------------------------------------------------------------------- */

/* Finds the surface of "SURFACE:REST", by name or number. Without a ':' the text is SURFACE. */
static bool find_surface(const setting *s, uint32_t *surface, const char **rest) {
    char *colon = strrchr(s->text, ':');
    *rest = colon ? colon + 1 : "";
    if (colon)
        *colon = '\0';
    return lmi_edit_pick_surface(s->edit, s->text, s->missing, surface, s->error);
}

/* N=PATH or SURFACE:N=PATH; SURFACE=PATH for the surface's first skin. */
static bool set_set_skin(setting *s) {
    uint32_t surface = 0, index = 0;
    const char *rest = s->text;
    if (!split(s, strchr(s->value, '=')))
        return refuse(s, "N=PATH, or SURFACE:N=PATH");
    const bool by_surface = s->edit && lmi_edit_by_surface(s->edit, LM_EDIT_SKINS);
    if (by_surface && !find_surface(s, &surface, &rest))
        return false;
    if (s->edit && *rest && !read_index(rest, &index))
        return fail(s, "%sset-skin takes %s, where N is a number, not \"%.*s\"", s->prefix,
                    by_surface ? "SURFACE:N=PATH" : "N=PATH", (int)strcspn(s->value, "="),
                    s->value);
    return !s->edit || rename_item(s, LM_EDIT_SKINS, surface, index);
}

/* PATH, or SURFACE=PATH. */
static bool set_add_skin(setting *s) {
    uint32_t surface = 0;
    const char *rest;
    if (!s->edit)
        return true;
    if (!lmi_edit_by_surface(s->edit, LM_EDIT_SKINS))
        return lmi_edit_add_skin(s->edit, 0, s->text, s->error);
    if (!split(s, strchr(s->value, '=')))
        return fail(s, "%sadd-skin needs a surface for this format: SURFACE=%s", s->prefix,
                    s->value);
    return find_surface(s, &surface, &rest) &&
           (surface == LM_EDIT_NONE || lmi_edit_add_skin(s->edit, surface, s->right, s->error));
}

/* ---- Selecting ------------------------------------------------------------------------------ */

static bool set_selection(setting *s) {
    return read_list(s) && (!s->edit || lmi_edit_choose(s->edit, s->list, s->option->choice,
                                                        s->text, s->missing, s->error));
}

static bool set_reverse(setting *s) {
    return !s->edit || lmi_edit_reverse(s->edit, s->text, s->missing, s->error);
}

/* ---- Tags ----------------------------------------------------------------------------------- */

/* NAME=X,Y,Z or NAME=X,Y,Z,follow or NAME=X,Y,Z,follow@FRAME. */
static bool set_add_tag(setting *s) {
    static const char word[] = ",follow";
    const char *right = split(s, strrchr(s->value, '='));
    const char *follow = right ? strstr(right, word) : NULL;
    const char *rest = follow ? follow + sizeof word - 1 : "";
    const size_t length = follow ? (size_t)(follow - right) : right ? strlen(right) : 0;
    lm_edit_tag tag = {.follows = follow != NULL};
    if (!read_vector(right, length, &tag.origin) ||
        !(*rest == '\0' || (*rest == '@' && read_index(rest + 1, &tag.frame))))
        return refuse(s, "NAME=X,Y,Z or NAME=X,Y,Z,follow@FRAME");
    return !s->edit || lmi_edit_add_tag(s->edit, s->text, &tag, s->error);
}

static bool set_move_tag(setting *s) {
    const char *right = split(s, strrchr(s->value, '='));
    lm_vec3 by;
    if (!read_vector(right, right ? strlen(right) : 0, &by))
        return refuse(s, "NAME=X,Y,Z");
    return !s->edit || lmi_edit_move_tags(s->edit, s->text, &by, s->missing, s->error);
}

/* ---- Transforms ----------------------------------------------------------------------------- */

/* Transforms the model exactly. If that is impossible and `reencode` is set, re-encodes it.
 * `exact`: NULL if a transform cannot express the change. */
static bool transform(const setting *s, const lm_edit_transform *exact,
                      const lm_edit_reencode_options *options) {
    lm_edit_transform allowed = exact ? *exact : (lm_edit_transform){0};
    if (!s->edit)
        return true;
    allowed.round = s->edit->round;
    return (exact && lm_edit_set_transform(s->edit, &allowed, s->error)) ||
           (s->edit->reencode && lm_edit_reencode(s->edit, options, NULL, s->error));
}

static bool read_positive(const setting *s, float *number) {
    double value;
    const bool sound = lmi_read_decimals(s->value, strlen(s->value), 1, &value) && value <= 1e6;
    *number = sound ? (float)value : 0;
    return *number > 0 ||
           fail(s, "%s%s needs a number greater than 0 and at most 1000000, not \"%s\"", s->prefix,
                s->name, s->value);
}

/* Fails if the edit may not re-encode the model, which the change `needs`. */
static bool may_reencode(const setting *s, const char *needs) {
    return (s->edit && s->edit->reencode) ||
           lm_fail_plain(s->error, LM_CODE_ROUNDING, "%s%s %s %sreencode", s->prefix, s->name,
                         needs, s->prefix);
}

static bool set_scale(setting *s) {
    float scale;
    return read_positive(s, &scale) && transform(s, &(lm_edit_transform){.scale = scale},
                                                 &(lm_edit_reencode_options){.scale = scale});
}

static bool set_rotate(setting *s) {
    double degrees;
    if (!lmi_read_decimals(s->value, strlen(s->value), 1, &degrees) || !(fabs(degrees) <= 1e6))
        return refuse(s, "degrees, at most 1000000");
    const int quarters = (int)(degrees / 90);
    const bool exact = quarters * 90.0 == degrees;
    return (exact || may_reencode(s, "takes 90, 180, 270 or -90 degrees; other angles need")) &&
           transform(s, exact ? &(lm_edit_transform){.quarter_turns = quarters} : NULL,
                     &(lm_edit_reencode_options){.degrees = degrees});
}

static bool set_move(setting *s) {
    lm_vec3 move;
    return (read_vector(s->value, strlen(s->value), &move) || refuse(s, "X,Y,Z")) &&
           transform(s, &(lm_edit_transform){.move = move},
                     &(lm_edit_reencode_options){.move = move});
}

static bool set_fps(setting *s) {
    float fps;
    return read_positive(s, &fps) && may_reencode(s, "resamples the frames, which needs") &&
           transform(s, NULL, &(lm_edit_reencode_options){.fps = fps});
}

static bool set_normals(setting *s) {
    if (strcmp(s->value, "computed") != 0)
        return refuse(s, "the word computed");
    return !s->edit || lmi_edit_compute_normals(s->edit, s->error);
}

static bool allow_rounding(lm_edit *edit, lm_error *error) {
    (void)error;
    edit->round = true;
    return true;
}

static bool allow_reencoding(lm_edit *edit, lm_error *error) {
    (void)error;
    edit->reencode = true;
    return true;
}

/* ---- Fixes ---------------------------------------------------------------------------------- */

/* The codes of the problems that lm_edit_fix can fix. */
static const lm_code fixable[] = {
    LM_CODE_SKIN_PATH,  LM_CODE_NAME_JUNK,      LM_CODE_TAG_NAME,         LM_CODE_HEADER_NAME,
    LM_CODE_BAD_BOUNDS, LM_CODE_OUTSIDE_BOUNDS, LM_CODE_IDENTICAL_NORMALS};

/* Returns whether a problem with this code may have a fix; else fails and names those that may. */
static bool check_fixable(const setting *s, lm_code code) {
    char names[128] = "";
    size_t length = 0;
    for (size_t i = 0; i < sizeof fixable / sizeof *fixable; i++) {
        if (fixable[i] == code)
            return true;
        length += (size_t)snprintf(names + length, sizeof names - length, "%s, ",
                                   lm_code_name(fixable[i]));
    }
    return fail(s, "%sfix: %s has no fix, unlike %sand damage", s->prefix, lm_code_name(code),
                names);
}

/* Reads "CODE,CODE" or "all". The word "damage" stands for no code: lm_edit_open removes it. */
static bool read_codes(const setting *s, bool named[LM_NUM_CODES]) {
    const char *list = s->value;
    const bool all = strcmp(list, "all") == 0;
    memset(named, all, LM_NUM_CODES * sizeof *named);
    for (size_t length; !all; list += length + 1) {
        int code = 1;
        length = strcspn(list, ",");
        while (code < LM_NUM_CODES && !lmi_is_word(list, length, lm_code_name((lm_code)code)))
            code++;
        if (code == LM_NUM_CODES && !lmi_is_word(list, length, "damage"))
            return fail(s, "%sfix takes codes that check reports, such as name-junk, not \"%s\"",
                        s->prefix, list);
        if (code < LM_NUM_CODES && !check_fixable(s, (lm_code)code))
            return false;
        if (code < LM_NUM_CODES)
            named[code] = true;
        if (!list[length])
            break;
    }
    return true;
}

/* Fixes a problem. A fix of all names, bounds or normals leaves nothing for the next problem of its
 * code. */
static bool fix(const setting *s, const lm_diagnostic *problem, bool fixed[LM_NUM_CODES]) {
    const lm_code code =
        problem->code == LM_CODE_BAD_BOUNDS ? LM_CODE_OUTSIDE_BOUNDS : problem->code;
    const bool single = code == LM_CODE_SKIN_PATH || code == LM_CODE_HEADER_NAME;
    if (fixed[code] || !lm_edit_can_fix(s->edit, problem, NULL))
        return true;
    fixed[code] = !single;
    return lm_edit_fix(s->edit, problem, s->error);
}

/* Fixes the problems of the file as the earlier changes made it. */
static bool set_fix(setting *s) {
    bool named[LM_NUM_CODES], fixed[LM_NUM_CODES] = {false};
    if (!read_codes(s, named))
        return false;
    if (!s->edit)
        return true;
    const lm_check_options all = {.memory = {.allocator = s->edit->heap.allocator},
                                  .max_per_code = UINT32_MAX};
    lm_buffer file = {.allocator = all.memory.allocator};
    lm_report *report = lm_edit_write(s->edit, &file, s->error)
                            ? lm_check_memory(file.data, file.size, &all, s->error)
                            : NULL;
    bool done = report != NULL;
    for (uint32_t i = 0; done && i < report->num_problems; i++)
        if (named[report->problems[i].code])
            done = fix(s, &report->problems[i], fixed);
    lm_report_free(report);
    lm_buffer_free(&file);
    return done;
}

/* ---- The call ------------------------------------------------------------------------------- */

static const edit_option options[] = {
    {.name = "path", .set = set_path},
    {.name = "set-skin", .set = set_set_skin},
    {.name = "add-skin", .set = set_add_skin},
    {.name = "rename", .set = set_rename},
    {.name = "name", .set = set_name},
    {.name = "fix", .set = set_fix},
    {.name = "keep", .set = set_selection, .choice = LM_EDIT_KEEP},
    {.name = "drop", .set = set_selection, .choice = LM_EDIT_DROP},
    {.name = "order", .set = set_selection, .choice = LM_EDIT_ORDER},
    {.name = "reverse", .set = set_reverse},
    {.name = "add-tag", .set = set_add_tag},
    {.name = "move-tag", .set = set_move_tag},
    {.name = "scale", .set = set_scale},
    {.name = "rotate", .set = set_rotate},
    {.name = "move", .set = set_move},
    {.name = "fps", .set = set_fps},
    {.name = "round", .plain = allow_rounding},
    {.name = "reencode", .plain = allow_reencoding},
    {.name = "normals", .set = set_normals},
    {.name = "compute-bounds", .plain = lmi_edit_compute_bounds},
    {.name = "remove-unused", .plain = lmi_edit_remove_unused},
};

bool lm_edit_set(lm_edit *edit, const char *name, const char *value, bool *missing,
                 lm_error *error) {
    const edit_option *o = options, *end = o + sizeof options / sizeof *options;
    const bool hyphens = name && strncmp(name, "--", 2) == 0;
    setting s = {.edit = edit,
                 .prefix = hyphens ? "--" : "",
                 .name = hyphens ? name + 2
                         : name  ? name
                                 : "",
                 .value = value,
                 .missing = missing,
                 .error = error};
    while (o < end && strcmp(o->name, s.name) != 0)
        o++;
    if (o == end)
        return fail(&s, "there is no change \"%s%s\"", s.prefix, s.name);
    if (o->plain && value && *value)
        return fail(&s, "%s%s takes no value", s.prefix, s.name);
    if (o->plain)
        return !edit || o->plain(edit, error);
    if (!value)
        return fail(&s, "%s%s needs a value", s.prefix, s.name);
    if (edit) {
        lmi_edit_begin(edit, error);
        s.text = lmi_arena_text(&edit->arena, value, strlen(value));
        if (!lmi_edit_end(edit, s.text != NULL))
            return false;
    }
    s.option = o;
    return o->set(&s);
}
