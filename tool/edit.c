/* `lerpmesh edit`: its options are steps that change a file one after the other. */
#include "lerpmesh/edit.h"
#include "batch.h"
#include "describe.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct edit_steps {
    size_t count;
    struct edit_step *list;
} edit_steps;

/* The edit of one file. */
typedef struct edit_run {
    tool_job *job;
    lm_edit *edit;
    /* If the file was not named itself, missing elements are skipped; else `pass` is NULL. */
    bool missing, *pass;
    lm_error error;
} edit_run;

typedef struct edit_step edit_step;
struct edit_step {
    bool (*run)(edit_run *r, const edit_step *step);
    bool (*plain)(lm_edit *edit, lm_error *error); /* for an option without a value */
    lm_option_id option;
    const char *option_name;
    lm_edit_list list;
    const char *text;         /* the value, without KIND: if it has one */
    const char *left, *right; /* before and after its '='; NULL: it has none */
    lm_edit_transform transform;
    bool exact;    /* `transform` can express it */
    bool reencode; /* if the edit is impossible otherwise, re-encode as `recast` describes */
    lm_edit_reencode reencoding;
    lm_vec3 vector;
    lm_edit_tag tag;
    bool codes[LM_NUM_CODES]; /* to fix, if there is a text */
};

/* ---- Errors ---------------------------------------------------------------------------------- */

/* Handles an error. A missing element fails the job, unless the file was not named itself. */
static bool fail_step(edit_run *r) {
    tool_job *job = r->job;
    if (r->error.code != LM_CODE_BAD_ARGUMENT)
        return tool_fail_error(job, &r->error);
    if (tool_inapplicable(job, "%s", r->error.message))
        return true;
    tool_mark(job, LM_CODE_BAD_ARGUMENT, TOOL_CODE_FAILED);
    if (job->json)
        tool_write_failure(job, &r->error);
    return false;
}

LM_PRINTF(2, 3) static bool fail_argument(edit_run *r, const char *sentence, ...) {
    char text[LM_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, sentence);
    vsnprintf(text, sizeof text, sentence, arguments);
    va_end(arguments);
    lm_fail_plain(&r->error, LM_CODE_BAD_ARGUMENT, "%s", text);
    return fail_step(r);
}

/* Handles a library result. Some elements may have been skipped. */
static bool accept(edit_run *r, bool done) {
    r->job->inapplicable = r->job->inapplicable || r->missing;
    r->missing = false;
    return done || fail_step(r);
}

/* Finds the elements that `words` name, at most `max`. */
static bool pick(edit_run *r, lm_edit *edit, lm_edit_list list, const char *words,
                 uint32_t *indices, uint32_t max, uint32_t *count) {
    *count = 0;
    return accept(r, lm_edit_pick(edit, list, 0, words, r->pass, indices, max, count, &r->error));
}

/* Splits "SURFACE:REST" into the surface, by name or number, and REST. Without a ':' it is all
 * SURFACE. UINT32_MAX: there is no such surface. */
static bool split_surface(edit_run *r, const char *text, uint32_t *surface, const char **rest) {
    uint32_t count, index;
    const char *colon = strrchr(text, ':'), *end = colon ? colon : text + strlen(text);
    const char *name = lm_arena_text(r->job->arena, text, (size_t)(end - text));
    *rest = colon ? colon + 1 : end;
    *surface = UINT32_MAX;
    if (!name || !pick(r, r->edit, LM_EDIT_SURFACES, name, &index, 1, &count))
        return false;
    if (count != 1)
        return fail_argument(r, "there is no surface \"%s\"", name);
    *surface = index;
    return true;
}

/* ---- Placeholders -----------------------------------------------------------------------------
 */

/* Appends text that a pattern takes literally. */
static void append_literal(lm_buffer *out, const char *text) {
    for (; *text; text++)
        lm_buffer_printf(out, "%s%c", ispunct((unsigned char)*text) ? "\\" : "", *text);
}

/* Finds the file's name and its folder in its game, which only a text with {dir} needs. Both end up
 * in the job's arena. */
static bool find_places(edit_run *r, bool needs_folder, const char **folder, const char **name) {
    tool_job *job = r->job;
    lm_buffer text = {0};
    size_t length;
    const char *stem = lm_vfs_stem(job->vfs, job->path, &length);
    const bool named = strcmp(job->path, "-") != 0;
    const bool known = named && lm_vfs_path_in_game(job->vfs, job->path, &text);
    if (!known && !text.failed && job->tree)
        lm_buffer_text(&text, job->tree);
    const bool found = known || text.failed || text.size > 0 || (named && !needs_folder);
    char *path = tool_take_text(job->arena, &text);
    char *slash = path ? strrchr(path, '/') : NULL;
    *name = lm_arena_text(job->arena, stem, length);
    if (!path || !*name)
        return false;
    if (!found)
        return tool_fail_code(job, LM_CODE_BAD_ARGUMENT,
                              "{dir} is not known: the path has no models/ or players/");
    *(slash ? slash : path) = '\0';
    *folder = path;
    return true;
}

/* Returns the text with the file's folder for {dir} (and without a slash after it if the folder is
 * the game's) and its name for {name}. NULL: the job failed. */
static const char *fill_in(edit_run *r, const char *text, bool pattern) {
    void (*append)(lm_buffer *, const char *) = pattern ? append_literal : lm_buffer_text;
    const char *folder = "", *name = "";
    lm_buffer out = {0};
    const bool needs_folder = strstr(text, "{dir}") != NULL;
    if (!needs_folder && !strstr(text, "{name}"))
        return text;
    if (!find_places(r, needs_folder, &folder, &name))
        return NULL;
    while (*text)
        if (strncmp(text, "{dir}", 5) == 0) {
            append(&out, folder);
            text += 5 + (!*folder && text[5] == '/');
        } else if (strncmp(text, "{name}", 6) == 0) {
            append(&out, name);
            text += 6;
        } else {
            lm_buffer_append(&out, text++, 1);
        }
    return tool_take_text(r->job->arena, &out);
}

/* ---- Steps --------------------------------------------------------------------------------- */

static bool run_plain(edit_run *r, const edit_step *step) {
    return accept(r, step->plain(r->edit, &r->error));
}

static bool run_pattern(edit_run *r, const edit_step *step) {
    const char *text = fill_in(r, step->text, true);
    return text && accept(r, lm_edit_substitute(r->edit, step->list, text, NULL, &r->error));
}

static bool run_name(edit_run *r, const edit_step *step) {
    const char *text = fill_in(r, step->text, false);
    return text && accept(r, lm_edit_rename(r->edit, LM_EDIT_HEADER, 0, 0, text, &r->error));
}

/* OLD=NEW, where OLD is an element's name or number. */
static bool run_rename(edit_run *r, const edit_step *step) {
    uint64_t number;
    uint32_t index = 0;
    if (lm_parse_uint(step->left, INT32_MAX, &number))
        index = (uint32_t)number;
    else if (!lm_edit_find(r->edit, step->list, 0, step->left, &index, &r->error))
        return r->error.code == LM_CODE_BAD_ARGUMENT
                   ? fail_argument(r, "there is no %s \"%s\"", lm_edit_item_name(step->list),
                                   step->left)
                   : fail_step(r);
    return accept(r, lm_edit_rename(r->edit, step->list, 0, index, step->right, &r->error));
}

/* N=PATH or SURFACE:N=PATH; SURFACE=PATH for the surface's first skin. */
static bool run_set_skin(edit_run *r, const edit_step *step) {
    uint32_t surface = 0;
    uint64_t index = 0;
    const char *rest = step->left;
    const bool by_surface = lm_edit_by_surface(r->edit, LM_EDIT_SKINS);
    const bool found = !by_surface || split_surface(r, step->left, &surface, &rest);
    if (!found || surface == UINT32_MAX)
        return found;
    if (*rest && !lm_parse_uint(rest, INT32_MAX, &index))
        return fail_argument(r, "--set-skin takes %s, where N is a number, not \"%s\"",
                             by_surface ? "SURFACE:N=PATH" : "N=PATH", step->left);
    const char *path = fill_in(r, step->right, false);
    return path && accept(r, lm_edit_rename(r->edit, LM_EDIT_SKINS, surface, (uint32_t)index, path,
                                            &r->error));
}

/* PATH, or SURFACE=PATH. */
static bool run_add_skin(edit_run *r, const edit_step *step) {
    uint32_t surface = 0;
    const char *rest;
    const bool by_surface = lm_edit_by_surface(r->edit, LM_EDIT_SKINS);
    if (by_surface && !step->left)
        return fail_argument(r, "--add-skin needs a surface for this format: SURFACE=%s",
                             step->text);
    const bool found = !by_surface || split_surface(r, step->left, &surface, &rest);
    if (!found || surface == UINT32_MAX)
        return found;
    const char *path = fill_in(r, by_surface ? step->right : step->text, false);
    return path && accept(r, lm_edit_add_skin(r->edit, surface, path, &r->error));
}

/* --keep, --drop, --order. Choosing clips chooses their frames. */
static bool run_select(edit_run *r, const edit_step *step) {
    const lm_edit_choice choice = step->option == LM_OPTION_KEEP   ? LM_EDIT_KEEP
                                  : step->option == LM_OPTION_DROP ? LM_EDIT_DROP
                                                                   : LM_EDIT_ORDER;
    return accept(r, lm_edit_choose(r->edit, step->list, choice, step->text, r->pass, &r->error));
}

static bool run_reverse(edit_run *r, const edit_step *step) {
    return accept(r, lm_edit_reverse(r->edit, step->text, r->pass, &r->error));
}

/* Appends another model's frames: those of some clips, or all. */
static bool append(edit_run *r, lm_edit *other, const char *clips) {
    uint32_t count;
    if (clips && !pick(r, other, LM_EDIT_CLIPS, clips, NULL, 0, &count))
        return false;
    if (clips && count == 0)
        return fail_argument(r, "--append: there is no such clip");
    if (clips &&
        !accept(r, lm_edit_choose(other, LM_EDIT_CLIPS, LM_EDIT_ORDER, clips, r->pass, &r->error)))
        return false;
    return accept(r, lm_edit_append(r->edit, other, &r->error));
}

/* FILE, or FILE@CLIPS if there is no file of that name. */
static bool run_append(edit_run *r, const edit_step *step) {
    tool_job *job = r->job;
    lm_file file;
    const char *clips = NULL, *at = strrchr(step->text, '@');
    bool read = lm_vfs_read(job->vfs, step->text, job->max_input, &file, &r->error);
    if (!read && at) {
        const char *path = lm_arena_text(job->arena, step->text, (size_t)(at - step->text));
        clips = at + 1;
        read = path && lm_vfs_read(job->vfs, path, job->max_input, &file, &r->error);
    }
    if (!read)
        return tool_fail_error(job, &r->error);
    lm_edit *other = lm_edit_open(file.data, file.size, NULL, &r->error);
    const bool done = other ? append(r, other, clips) : fail_step(r);
    lm_edit_free(other);
    lm_file_free(&file);
    return done;
}

/* Transforms the model exactly. If that is impossible and --reencode is given, re-encodes it. */
static bool run_transform(edit_run *r, const edit_step *step) {
    return (step->exact && lm_edit_set_transform(r->edit, &step->transform, &r->error)) ||
           accept(r, step->reencode && lm_edit_encode(r->edit, &step->reencoding, NULL, &r->error));
}

static bool run_add_tag(edit_run *r, const edit_step *step) {
    return accept(r, lm_edit_add_tag(r->edit, step->left, &step->tag, &r->error));
}

static bool run_move_tag(edit_run *r, const edit_step *step) {
    uint32_t count;
    if (!pick(r, r->edit, LM_EDIT_TAGS, step->left, NULL, 0, &count))
        return false;
    uint32_t *tags = lm_arena_zeros(r->job->arena, count + (size_t)1, sizeof *tags);
    bool done = tags && pick(r, r->edit, LM_EDIT_TAGS, step->left, tags, count, &count);
    for (uint32_t i = 0; done && i < count; i++)
        done = accept(r, lm_edit_move_tag(r->edit, tags[i], &step->vector, &r->error));
    return done;
}

/* Fixes a problem. A fix of all names, bounds or normals leaves nothing for the next problem of its
 * code. */
static bool fix(edit_run *r, const lm_diagnostic *problem, bool fixed[LM_NUM_CODES]) {
    const lm_code code =
        problem->code == LM_CODE_BAD_BOUNDS ? LM_CODE_OUTSIDE_BOUNDS : problem->code;
    const bool single = code == LM_CODE_SKIN_PATH || code == LM_CODE_HEADER_NAME;
    if (fixed[code] || !lm_edit_can_fix(r->edit, problem, NULL))
        return true;
    fixed[code] = !single;
    return accept(r, lm_edit_fix(r->edit, problem, &r->error));
}

/* Fixes the problems of the file as the earlier steps made it. */
static bool run_fix(edit_run *r, const edit_step *step) {
    bool fixed[LM_NUM_CODES] = {false};
    const lm_check_options all = {.max_per_code = UINT32_MAX};
    lm_buffer file = {0};
    lm_report *report = lm_edit_write(r->edit, &file, &r->error)
                            ? lm_check_memory(file.data, file.size, &all, &r->error)
                            : NULL;
    bool done = report || fail_step(r);
    for (uint32_t i = 0; report && done && i < report->num_problems; i++)
        if (!step->text || step->codes[report->problems[i].code])
            done = fix(r, &report->problems[i], fixed);
    lm_report_free(report);
    lm_buffer_free(&file);
    return done;
}

/* ---- Options --------------------------------------------------------------------------------- */

/* Reads the list before the colon ("frames:", "frame:"), and moves the text past it. */
static bool read_what(const tool_args *args, edit_step *step) {
    const size_t length = strcspn(step->text, ":");
    for (int i = 0; step->text[length] == ':' && i < LM_NUM_EDIT_LISTS; i++)
        if (i != LM_EDIT_HEADER &&
            (lm_is_word(step->text, length, lm_edit_list_name((lm_edit_list)i)) ||
             lm_is_word(step->text, length, lm_edit_item_name((lm_edit_list)i)))) {
            step->list = (lm_edit_list)i;
            step->text += length + 1;
            return true;
        }
    return tool_usage(args,
                      "--%s takes KIND:%s, where KIND is skins, frames, clips, surfaces or "
                      "tags, not \"%s\"",
                      step->option_name, step->option == LM_OPTION_RENAME ? "OLD=NEW" : "LIST",
                      step->text);
}

/* Reports a wrong value. Returns false. */
static bool refuse(const tool_args *args, const edit_step *step, const char *takes) {
    return tool_usage(args, "--%s takes %s, not \"%s\"", step->option_name, takes, step->text);
}

/* Finds the texts before and after the '='; the former is a copy. */
static bool split(const tool_args *args, edit_step *step) {
    const char *equals = strchr(step->text, '=');
    if (equals) {
        step->left = lm_arena_text(args->arena, step->text, (size_t)(equals - step->text));
        step->right = equals + 1;
    }
    return !lm_arena_failed(args->arena);
}

static bool read_pattern(const tool_args *args, edit_step *step) {
    lm_error error;
    step->run = run_pattern;
    return lm_edit_check_substitution(step->text, &error) || tool_usage(args, "%s", error.message);
}

static bool read_rename(const tool_args *args, edit_step *step) {
    if (!read_what(args, step))
        return false;
    if (step->text[0] == 's' && step->text[1] && strchr("/#|,;!@%~:", step->text[1]))
        return read_pattern(args, step);
    if (step->list == LM_EDIT_SKINS)
        return tool_usage(args, "--rename does not apply to skins; use --set-skin or --path");
    return split(args, step) &&
           (step->left || refuse(args, step, "KIND:OLD=NEW or KIND:s/RE/NEW/"));
}

static bool read_fix(const tool_args *args, edit_step *step) {
    const char *wrong = step->text ? tool_read_codes(step->text, step->codes) : NULL;
    return !wrong ||
           tool_usage(args, "--fix takes codes that check reports, such as name-junk, not \"%s\"",
                      wrong);
}

static bool read_set_skin(const tool_args *args, edit_step *step) {
    return split(args, step) && (step->left || refuse(args, step, "N=PATH, or SURFACE:N=PATH"));
}

/* Parses "X,Y,Z". */
static bool parse_vector(const char *text, lm_vec3 *out) {
    double numbers[3];
    if (!lm_parse_doubles(text, 3, numbers))
        return false;
    *out = (lm_vec3){(float)numbers[0], (float)numbers[1], (float)numbers[2]};
    return true;
}

static bool read_tag(const tool_args *args, edit_step *step) {
    return split(args, step) && ((step->left && parse_vector(step->right, &step->vector)) ||
                                 refuse(args, step, "NAME=X,Y,Z"));
}

/* Reads NAME=X,Y,Z or NAME=X,Y,Z,follow or NAME=X,Y,Z,follow@FRAME. */
static bool read_new_tag(const tool_args *args, edit_step *step) {
    static const char word[] = ",follow";
    uint64_t frame = 0;
    if (!split(args, step))
        return false;
    const char *right = step->left ? step->right : "", *follow = strstr(right, word);
    const char *rest = follow ? follow + sizeof word - 1 : "";
    const char *vector =
        lm_arena_text(args->arena, right, follow ? (size_t)(follow - right) : strlen(right));
    const bool sound =
        vector && parse_vector(vector, &step->tag.origin) &&
        (*rest == '\0' || (*rest == '@' && lm_parse_uint(rest + 1, UINT32_MAX, &frame)));
    step->tag.follows = follow != NULL;
    step->tag.frame = (uint32_t)frame;
    return sound || (vector && refuse(args, step, "NAME=X,Y,Z or NAME=X,Y,Z,follow@FRAME"));
}

static bool read_transform(const tool_args *args, edit_step *step) {
    double number;
    step->exact = true;
    step->reencode = tool_has(args, LM_OPTION_REENCODE);
    step->transform.round = tool_has(args, LM_OPTION_ROUND);
    if (step->option == LM_OPTION_MOVE) {
        const bool sound = parse_vector(step->text, &step->transform.move);
        step->reencoding.move = step->transform.move;
        return sound || refuse(args, step, "X,Y,Z");
    }
    const bool sound = lm_parse_double(step->text, &number) && fabs(number) <= 1e6;
    if (step->option == LM_OPTION_ROTATE) {
        if (!sound)
            return refuse(args, step, "degrees, at most 1000000");
        step->reencoding.degrees = number;
        step->exact = (double)(int)(number / 90) * 90 == number;
        step->transform.quarter_turns = step->exact ? (int)(number / 90) : 0;
        return step->exact || step->reencode ||
               tool_usage(
                   args,
                   "--rotate takes 90, 180, 270 or -90 degrees; other angles need --reencode");
    }
    if (!sound || !((float)number > 0))
        return tool_usage(args,
                          "--%s needs a number greater than 0 and at most 1000000, not \"%s\"",
                          step->option_name, step->text);
    if (step->option == LM_OPTION_EDIT_FPS) {
        step->exact = false;
        step->reencoding.fps = number;
        return step->reencode ||
               tool_usage(args, "--fps resamples the frames, which needs --reencode");
    }
    step->transform.scale = (float)number;
    step->reencoding.scale = number;
    return true;
}

/* The options that are steps; `read` may change `run`. */
static const struct kind {
    lm_option_id option;
    bool (*read)(const tool_args *args, edit_step *step);
    bool (*run)(edit_run *r, const edit_step *step);
    bool (*plain)(lm_edit *edit, lm_error *error);
} kinds[] = {
    {LM_OPTION_PATH, read_pattern, run_pattern, NULL},
    {LM_OPTION_FIX, read_fix, run_fix, NULL},
    {LM_OPTION_SET_SKIN, read_set_skin, run_set_skin, NULL},
    {LM_OPTION_ADD_SKIN, split, run_add_skin, NULL},
    {LM_OPTION_RENAME, read_rename, run_rename, NULL},
    {LM_OPTION_NAME, NULL, run_name, NULL},
    {LM_OPTION_KEEP, read_what, run_select, NULL},
    {LM_OPTION_DROP, read_what, run_select, NULL},
    {LM_OPTION_ORDER, read_what, run_select, NULL},
    {LM_OPTION_REVERSE, NULL, run_reverse, NULL},
    {LM_OPTION_APPEND, NULL, run_append, NULL},
    {LM_OPTION_ADD_TAG, read_new_tag, run_add_tag, NULL},
    {LM_OPTION_MOVE_TAG, read_tag, run_move_tag, NULL},
    {LM_OPTION_EDIT_SCALE, read_transform, run_transform, NULL},
    {LM_OPTION_ROTATE, read_transform, run_transform, NULL},
    {LM_OPTION_MOVE, read_transform, run_transform, NULL},
    {LM_OPTION_EDIT_FPS, read_transform, run_transform, NULL},
    {LM_OPTION_REMOVE_UNUSED, NULL, run_plain, lm_edit_remove_unused},
    {LM_OPTION_COMPUTE_NORMALS, NULL, run_plain, lm_edit_compute_normals},
    {LM_OPTION_COMPUTE_BOUNDS, NULL, run_plain, lm_edit_compute_bounds},
    {LM_NO_OPTION, NULL, NULL, NULL},
};

/* Reads the options that are steps. Reports mistakes and returns false. */
static bool read_steps(const tool_args *args, edit_steps *steps) {
    *steps =
        (edit_steps){.list = lm_arena_zeros(args->arena, args->num_given + 1, sizeof(edit_step))};
    for (size_t i = 0; steps->list && i < args->num_given; i++) {
        const tool_given *given = &args->given[i];
        const struct kind *kind = kinds;
        while (kind->option && kind->option != given->option)
            kind++;
        if (!kind->option)
            continue;
        edit_step *step = &steps->list[steps->count++];
        *step = (edit_step){.run = kind->run,
                            .plain = kind->plain,
                            .option = given->option,
                            .option_name = lm_option_about(given->option)->name,
                            .text = given->value};
        if (kind->read && !kind->read(args, step))
            return false;
    }
    return steps->list &&
           (steps->count > 0 || args->num_inputs == 0 || tool_has(args, LM_OPTION_REPAIR) ||
            tool_usage(args, "missing change, for example: --path 's#^models/#players/#'"));
}

typedef struct edit_settings {
    edit_steps steps;
    tool_output output;
} edit_settings;

/* The edit of one file. */
typedef struct edited {
    tool_rewriting r;
    lm_edit *edit;
    const lm_edit_change *changes;
    uint32_t num_changes;
} edited;

/* ---- Changes --------------------------------------------------------------------------------- */

static void print_quoted(lm_buffer *out, const char *text) {
    lm_buffer_text(out, "\"");
    lm_text_harmless(out, text);
    lm_buffer_text(out, "\"");
}

static void print_change(const lm_edit_change *change, lm_buffer *out) {
    lm_text_harmless(out, change->what);
    lm_buffer_text(out, ": ");
    if (change->before)
        print_quoted(out, change->before);
    if (change->before && change->after)
        lm_buffer_text(out, " -> ");
    if (change->after)
        print_quoted(out, change->after);
    lm_buffer_text(out, !change->before ? ", new\n" : !change->after ? ", removed\n" : "\n");
}

static void print_changes(const tool_job *job, const edited *e, lm_buffer *out) {
    for (uint32_t i = 0; i < e->num_changes; i++) {
        tool_begin_line(job, out);
        print_change(&e->changes[i], out);
    }
    tool_begin_line(job, out);
    if (e->r.same)
        lm_buffer_text(out, "unchanged\n");
    else
        lm_buffer_printf(out, "%zu bytes -> %zu bytes\n", e->r.file.size, e->r.result.size);
}

static void write_json(tool_job *job, const char *written, const edited *e) {
    lm_json json = tool_json_begin(job);
    lm_json_string(&json, "format", lm_edit_format(e->edit)->name);
    lm_json_open(&json, "changes", '[');
    for (uint32_t i = 0; i < e->num_changes; i++) {
        lm_json_open(&json, NULL, '{');
        lm_json_string(&json, "what", e->changes[i].what);
        lm_json_string(&json, "before", e->changes[i].before);
        lm_json_string(&json, "after", e->changes[i].after);
        lm_json_close(&json);
    }
    lm_json_close(&json);
    lm_json_integer(&json, "size_before", (int64_t)e->r.file.size);
    lm_json_integer(&json, "size_after", (int64_t)e->r.result.size);
    lm_json_bool(&json, "same", e->r.same);
    lm_json_string(&json, "written", written);
    tool_json_end(&json);
}

/* ---- The command --------------------------------------------------------------------------- */

static bool make(tool_job *job, const edit_steps *steps, edited *e) {
    lm_error error;
    const lm_load_options options = {.repair = tool_has(job->args, LM_OPTION_REPAIR)};
    e->edit = lm_edit_open(e->r.file.data, e->r.file.size, &options, &error);
    if (!e->edit)
        return tool_fail_error(job, &error);
    edit_run r = {.job = job, .edit = e->edit};
    r.pass =
        job->tree ? &r.missing : NULL; /* in a file that was found, missing elements are skipped */
    for (size_t i = 0; i < steps->count; i++)
        if (!steps->list[i].run(&r, &steps->list[i]))
            return false;
    if (!lm_edit_write(e->edit, &e->r.result, &error))
        return tool_fail_error(job, &error);
    e->changes = lm_edit_changes(e->edit, &e->num_changes);
    return true;
}

static void report(tool_job *job, const tool_output *output, const edited *e) {
    const char *written = tool_target_written(output, &e->r);
    if (job->json) {
        write_json(job, written, e);
    } else if (output->kind == TOOL_TO_NOTHING) {
        print_changes(job, e, &job->out);
    } else if (!job->quiet) {
        if (tool_has(job->args, LM_OPTION_VERBOSE))
            print_changes(job, e, &job->log);
        if (written)
            tool_note(job, "wrote %s: %s, %zu bytes before, %zu now", written,
                      lm_count_nouns(e->num_changes, "changes").text, e->r.file.size,
                      e->r.result.size);
        else
            tool_note(job, "unchanged");
    }
}

static void edit_file(tool_job *job, const void *user) {
    const edit_settings *settings = user;
    edited e = {0};
    if (tool_target_open(job, &settings->output, &e.r) && make(job, &settings->steps, &e) &&
        tool_target_write(job, &settings->output, &e.r))
        report(job, &settings->output, &e);
    lm_edit_free(e.edit);
    tool_target_close(&e.r);
}

static int run_edit(const tool_args *args) {
    edit_settings settings;
    if (!read_steps(args, &settings.steps) || !tool_target_read(args, &settings.output))
        return TOOL_USAGE;
    const int status = tool_batch_run(
        &(tool_batch){.args = args,
                      .work = edit_file,
                      .context = &settings,
                      .done = tool_has(args, LM_OPTION_DRY_RUN) ? "examined" : "edited",
                      .output = &settings.output});
    return tool_repack_write(&settings.output, status);
}

const tool_command tool_edit = {
    .name = "edit",
    .usage = "[options] FILE|DIR|ARCHIVE... -o OUT|--in-place|--dry-run",
    .summary = "change skins, names, frames and more, and no other byte",
    .about =
        "Applies the changes in the order of the options and keeps every other byte: nothing is\n"
        "decoded and quantised again. A KIND is skins, frames, clips, surfaces or tags. A LIST\n"
        "has names, numbers and ranges: run,stand or 0-39,46. Patterns are those of sed -E. The\n"
        "result is read back and checked before it replaces a file. If all inputs are in one\n"
        "archive, OUT.pk3 or OUT.pak becomes an archive with all its files. --repair removes\n"
        "damage first; without it, damage that no engine notices stays.",
    .usual = {LM_OPTION_OUTPUT, LM_OPTION_IN_PLACE, LM_OPTION_DRY_RUN, LM_OPTION_PATH,
              LM_OPTION_FIX, LM_OPTION_SET_SKIN, LM_OPTION_RENAME, LM_OPTION_KEEP, LM_OPTION_DROP,
              LM_OPTION_EDIT_SCALE, LM_OPTION_ROTATE, LM_OPTION_MOVE},
    .expand = TOOL_EXPAND_FOLDERS,
    .examples = "  lerpmesh edit tris.md2 --path 's#^models/#players/#' -o new.md2\n"
                "  lerpmesh edit --dry-run --path 's#\\.pcx$#.tga#' baseq2/players\n"
                "  lerpmesh edit --dry-run --fix baseq2\n"
                "  lerpmesh edit --in-place --backup --rename clip:stand=idle tris.md2\n"
                "  lerpmesh edit body.md3 --set-skin h_head=models/x/head.tga -o body2.md3\n"
                "  lerpmesh edit tris.md2 --keep clips:stand,run --reverse run -o short.md2\n",
    .run = run_edit,
};
