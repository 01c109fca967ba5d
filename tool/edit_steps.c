#include "edit.h"

#include "open.h"
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What cannot be ------------------------------------------------------------------------ */

/* What is named is not there: a failure, but in a file that was found it is passed over. */
LM_PRINTF(2, 3) static bool misfit(tool_job *job, const char *sentence, ...) {
    lm_error error;
    char text[LM_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, sentence);
    vsnprintf(text, sizeof text, sentence, arguments);
    va_end(arguments);
    if (tool_misfit(job, "%s", text))
        return true;
    lm_fail_plain(&error, LM_CODE_BAD_ARGUMENT, "%s", text);
    tool_mark(job, error.code, TOOL_CODE_FAILED);
    if (job->json)
        tool_write_failure(job, &error);
    return false;
}

/* What the library says: what is not there is passed over likewise; what cannot be is a failure. */
static bool accept(tool_job *job, bool done, const lm_error *error) {
    if (done)
        return true;
    if (error->code == LM_CODE_BAD_ARGUMENT)
        return misfit(job, "%s", error->message);
    const lm_error hinted = tool_with_hint(error);
    tool_fail_error(job, &hinted, job->json);
    return false;
}

static bool starve(tool_job *job) {
    lm_error error;
    lm_fail_plain(&error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    tool_fail_error(job, &error, job->json);
    return false;
}

/* Where elements that are not there are passed over: in a file that was found. */
static bool *may_miss(const tool_job *job, bool *missing) {
    return job->tree ? missing : NULL;
}

/* What was done by words, of which some may have been passed over. */
static bool accept_words(tool_job *job, bool done, const bool *missing, const lm_error *error) {
    job->misfit = job->misfit || *missing;
    return accept(job, done, error);
}

/* "SURFACE:REST": which surface it is, by name or number; REST. Without a ':' all is the surface.
 * UINT32_MAX: there is none. */
static bool split_surface(tool_job *job, lm_edit *edit, const char *text, uint32_t *surface,
                          const char **rest) {
    lm_error error;
    bool missing = false;
    uint32_t count = 0, index;
    const char *colon = strrchr(text, ':');
    *rest = colon ? colon + 1 : text + strlen(text);
    *surface = UINT32_MAX;
    char *name = tool_copy(text, colon ? (size_t)(colon - text) : strlen(text));
    bool found = name != NULL;
    if (!name)
        starve(job);
    else
        found = accept_words(job,
                             lm_edit_pick(edit, LM_EDIT_SURFACES, 0, name, may_miss(job, &missing),
                                          &index, 1, &count, &error),
                             &missing, &error);
    if (found && count == 1)
        *surface = index;
    else if (found)
        found = misfit(job, "there is no surface \"%s\"", name);
    free(name);
    return found;
}

/* ---- Steps --------------------------------------------------------------------------------- */

static bool run_pattern(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error;
    return accept(job, lm_edit_substitute(edit, step->list, step->text, NULL, &error), &error);
}

static bool run_name(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error;
    return accept(job, lm_edit_rename(edit, LM_EDIT_HEADER, 0, 0, step->text, &error), &error);
}

/* OLD=NEW, of an element by name or number. */
static bool run_rename(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error;
    uint64_t number;
    uint32_t index = 0;
    const char *equals = strchr(step->text, '=');
    char *old = tool_copy(step->text, (size_t)(equals - step->text));
    bool done = old != NULL;
    if (!old)
        starve(job);
    else if (tool_parse_uint(old, INT32_MAX, &number))
        index = (uint32_t)number;
    else if (!lm_edit_find(edit, step->list, 0, old, &index, &error)) {
        done = error.code == LM_CODE_BAD_ARGUMENT
                   ? misfit(job, "there is no %s \"%s\"", lm_edit_item_name(step->list), old)
                   : accept(job, false, &error);
        free(old);
        return done;
    }
    free(old);
    return done &&
           accept(job, lm_edit_rename(edit, step->list, 0, index, equals + 1, &error), &error);
}

/* N=PATH, or SURFACE:N=PATH, or SURFACE=PATH for its first. */
static bool run_set_skin(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error;
    uint32_t surface = 0;
    uint64_t index = 0;
    const char *equals = strchr(step->text, '='), *rest;
    char *where = tool_copy(step->text, (size_t)(equals - step->text));
    if (!where) {
        return starve(job);
    }
    rest = where;
    bool done = !lm_edit_by_surface(edit, LM_EDIT_SKINS) ||
                split_surface(job, edit, where, &surface, &rest);
    if (done && surface != UINT32_MAX) {
        if (*rest && !tool_parse_uint(rest, INT32_MAX, &index))
            done = misfit(job, "a skin has a number: --set-skin %s, not \"%s\"",
                          lm_edit_by_surface(edit, LM_EDIT_SKINS) ? "SURFACE:N=PATH" : "N=PATH",
                          where);
        else
            done = accept(
                job,
                lm_edit_rename(edit, LM_EDIT_SKINS, surface, (uint32_t)index, equals + 1, &error),
                &error);
    }
    free(where);
    return done;
}

/* PATH, or SURFACE=PATH. */
static bool run_add_skin(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error;
    uint32_t surface = 0;
    const char *path = step->text, *equals = strchr(path, '='), *rest;
    if (lm_edit_by_surface(edit, LM_EDIT_SKINS)) {
        if (!equals)
            return misfit(job, "say to which surface: --add-skin SURFACE=%s", path);
        char *where = tool_copy(path, (size_t)(equals - path));
        const bool found = where && split_surface(job, edit, where, &surface, &rest);
        if (!where)
            starve(job);
        free(where);
        if (!found || surface == UINT32_MAX)
            return found;
        path = equals + 1;
    }
    return accept(job, lm_edit_add_skin(edit, surface, path, &error), &error);
}

/* --keep, --drop, --order: of clips their frames. */
static bool run_select(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error;
    bool missing = false;
    const lm_edit_choice choice = step->option == TOOL_KEEP   ? LM_EDIT_KEEP
                                  : step->option == TOOL_DROP ? LM_EDIT_DROP
                                                              : LM_EDIT_ORDER;
    return accept_words(
        job, lm_edit_choose(edit, step->list, choice, step->text, may_miss(job, &missing), &error),
        &missing, &error);
}

static bool run_reverse(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error;
    bool missing = false;
    return accept_words(job, lm_edit_reverse(edit, step->text, may_miss(job, &missing), &error),
                        &missing, &error);
}

/* The clips behind an @ of another model, or all of it. */
static bool keep_clips(tool_job *job, lm_edit *other, const char *clips) {
    lm_error error;
    bool missing = false, *pass = may_miss(job, &missing);
    uint32_t count = 0;
    const bool found = accept_words(
        job, lm_edit_pick(other, LM_EDIT_CLIPS, 0, clips, pass, NULL, 0, &count, &error), &missing,
        &error);
    if (found && count == 0)
        return misfit(job, "--append: there is no such clip");
    return found &&
           accept(job, lm_edit_choose(other, LM_EDIT_CLIPS, LM_EDIT_ORDER, clips, pass, &error),
                  &error);
}

/* FILE, or FILE@CLIPS if there is no file of that name. */
static bool run_append(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error;
    lm_file file;
    const char *at = strrchr(step->text, '@');
    char *path = tool_copy(step->text, strlen(step->text));
    if (!path) {
        return starve(job);
    }
    bool read = lm_disk_read(job->disk, path, job->max_input, &file, &error);
    const bool part = !read && at;
    if (part) {
        path[at - step->text] = '\0';
        read = lm_disk_read(job->disk, path, job->max_input, &file, &error);
    }
    free(path);
    if (!read) {
        tool_fail_error(job, &error, job->json);
        return false;
    }
    lm_edit *other = lm_edit_open(file.data, file.size, NULL, &error);
    bool done = accept(job, other != NULL, &error);
    if (other)
        done = (!part || keep_clips(job, other, at + 1)) &&
               accept(job, lm_edit_append(edit, other, &error), &error);
    lm_edit_free(other);
    lm_file_free(&file);
    return done;
}

/* As the document can be changed; where it cannot, and that was asked for, encoded anew. */
static bool run_place(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error = {0};
    if (step->exact && lm_edit_set_place(edit, &step->place, &error))
        return true;
    return accept(job, step->reencode && lm_edit_encode(edit, &step->recast, NULL, &error), &error);
}

static bool run_add_tag(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error;
    char *name = tool_copy(step->text, strcspn(step->text, "="));
    if (!name) {
        return starve(job);
    }
    const bool done = accept(job, lm_edit_add_tag(edit, name, &step->vector, &error), &error);
    free(name);
    return done;
}

static bool move_tags(tool_job *job, lm_edit *edit, const char *name, const lm_vec3 *by) {
    lm_error error;
    bool missing = false, *pass = may_miss(job, &missing);
    uint32_t count = 0;
    bool done =
        accept_words(job, lm_edit_pick(edit, LM_EDIT_TAGS, 0, name, pass, NULL, 0, &count, &error),
                     &missing, &error);
    uint32_t *tags = calloc(count + (size_t)1, sizeof *tags);
    if (!tags)
        done = starve(job);
    done = done && lm_edit_pick(edit, LM_EDIT_TAGS, 0, name, pass, tags, count, &count, &error);
    for (uint32_t i = 0; done && i < count; i++)
        done = accept(job, lm_edit_move_tag(edit, tags[i], by, &error), &error);
    free(tags);
    return done;
}

static bool run_move_tag(tool_job *job, lm_edit *edit, const edit_step *step) {
    char *name = tool_copy(step->text, strcspn(step->text, "="));
    const bool done = name ? move_tags(job, edit, name, &step->vector) : starve(job);
    free(name);
    return done;
}

static bool run_normals(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error;
    (void)step;
    return accept(job, lm_edit_compute_normals(edit, &error), &error);
}

static bool run_bounds(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error;
    (void)step;
    return accept(job, lm_edit_compute_bounds(edit, &error), &error);
}

static bool run_trim(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error;
    (void)step;
    return accept(job, lm_edit_trim(edit, &error), &error);
}

/* ---- Reading them -------------------------------------------------------------------------- */

/* "frames:", "frame:": which list is meant, and what follows. */
static bool read_what(const tool_args *args, const char *option, edit_step *step) {
    const size_t length = strcspn(step->text, ":");
    for (int i = 0; step->text[length] == ':' && i < LM_NUM_EDIT_LISTS; i++) {
        const char *list = lm_edit_list_name((lm_edit_list)i);
        const char *item = lm_edit_item_name((lm_edit_list)i);
        if (i != LM_EDIT_HEADER &&
            ((strlen(list) == length && !memcmp(step->text, list, length)) ||
             (strlen(item) == length && !memcmp(step->text, item, length)))) {
            step->list = (lm_edit_list)i;
            step->text += length + 1;
            return true;
        }
    }
    return tool_usage(args,
                      "--%s takes WHAT:%s, where WHAT is skins, frames, clips, surfaces or "
                      "tags, not \"%s\"",
                      option, step->option == TOOL_RENAME ? "OLD=NEW" : "LIST", step->text);
}

static bool read_pattern(const tool_args *args, edit_step *step) {
    lm_error error;
    step->run = run_pattern;
    return lm_edit_check_substitution(step->text, &error) || tool_usage(args, "%s", error.message);
}

static bool read_rename(const tool_args *args, edit_step *step) {
    if (!read_what(args, "rename", step))
        return false;
    if (step->text[0] == 's' && step->text[1] && strchr("/#|,;!@%~:", step->text[1]))
        return read_pattern(args, step);
    step->run = run_rename;
    if (step->list == LM_EDIT_SKINS)
        return tool_usage(args, "a skin is given a path by --set-skin, or by --path");
    return strchr(step->text, '=') ||
           tool_usage(args, "--rename takes WHAT:OLD=NEW or WHAT:s/RE/NEW/, not \"%s\"",
                      step->text);
}

/* "X,Y,Z" */
static bool parse_vector(const char *text, lm_vec3 *out) {
    double numbers[3];
    bool sound = true;
    for (int i = 0; sound && i < 3; i++) {
        char word[128] = "";
        const size_t length = strcspn(text, ",");
        if (length < sizeof word)
            memcpy(word, text, length);
        sound = tool_parse_double(word, &numbers[i]) && (text[length] == ',') == (i < 2);
        text += length + (i < 2);
    }
    if (sound)
        *out = (lm_vec3){(float)numbers[0], (float)numbers[1], (float)numbers[2]};
    return sound;
}

static bool read_tag(const tool_args *args, edit_step *step) {
    const char *equals = strchr(step->text, '=');
    step->run = step->option == TOOL_ADD_TAG ? run_add_tag : run_move_tag;
    return (equals && parse_vector(equals + 1, &step->vector)) ||
           tool_usage(args, "--%s takes NAME=X,Y,Z, not \"%s\"",
                      step->option == TOOL_ADD_TAG ? "add-tag" : "move-tag", step->text);
}

static bool read_rotation(const tool_args *args, double degrees, edit_step *step) {
    step->recast.degrees = degrees;
    step->exact = (double)(int)(degrees / 90) * 90 == degrees;
    if (!step->exact && !step->reencode)
        return tool_usage(
            args, "--rotate turns by quarters, 90, 180, 270 or -90 degrees; other turns need "
                  "the model encoded anew: --reencode allows that");
    step->place.quarter_turns = step->exact ? (int)(degrees / 90) : 0;
    return true;
}

static bool read_place(const tool_args *args, edit_step *step) {
    double number;
    step->run = run_place;
    step->exact = true;
    step->reencode = tool_has(args, TOOL_REENCODE);
    step->place.round = tool_has(args, TOOL_ROUND);
    if (step->option == TOOL_MOVE) {
        const bool sound = parse_vector(step->text, &step->place.move);
        step->recast.move = step->place.move;
        return sound || tool_usage(args, "--move takes X,Y,Z, not \"%s\"", step->text);
    }
    const bool sound = tool_parse_double(step->text, &number) && fabs(number) <= 1e6;
    if (step->option == TOOL_ROTATE)
        return sound ? read_rotation(args, number, step)
                     : tool_usage(args, "--rotate takes degrees, 1000000 at most, not \"%s\"",
                                  step->text);
    if (!sound || !((float)number > 0))
        return tool_usage(args, "--%s needs a number greater than 0, 1000000 at most, not \"%s\"",
                          step->option == TOOL_EDIT_FPS ? "fps" : "scale", step->text);
    if (step->option == TOOL_EDIT_FPS) {
        step->exact = false;
        step->recast.fps = number;
        return step->reencode ||
               tool_usage(args,
                          "--fps makes frames between those that there are, which need the model "
                          "encoded anew: --reencode allows that");
    }
    step->place.scale = (float)number;
    step->recast.scale = number;
    return true;
}

static bool read_step(const tool_args *args, edit_step *step) {
    switch (step->option) {
    case TOOL_APPEND:
        step->run = run_append;
        return true;
    case TOOL_ADD_TAG:
    case TOOL_MOVE_TAG:
        return read_tag(args, step);
    case TOOL_EDIT_SCALE:
    case TOOL_ROTATE:
    case TOOL_MOVE:
    case TOOL_EDIT_FPS:
        return read_place(args, step);
    case TOOL_COMPUTE_NORMALS:
        step->run = run_normals;
        return true;
    case TOOL_COMPUTE_BOUNDS:
        step->run = run_bounds;
        return true;
    case TOOL_TRIM:
        step->run = run_trim;
        return true;
    case TOOL_PATH:
        step->list = LM_EDIT_SKINS;
        return read_pattern(args, step);
    case TOOL_SET_SKIN:
        step->run = run_set_skin;
        return strchr(step->text, '=') ||
               tool_usage(args, "--set-skin takes N=PATH, or SURFACE:N=PATH, not \"%s\"",
                          step->text);
    case TOOL_ADD_SKIN:
        step->run = run_add_skin;
        return true;
    case TOOL_RENAME:
        return read_rename(args, step);
    case TOOL_NAME:
        step->run = run_name;
        return true;
    case TOOL_REVERSE:
        step->run = run_reverse;
        return true;
    default:
        step->run = run_select;
        return read_what(args,
                         step->option == TOOL_KEEP   ? "keep"
                         : step->option == TOOL_DROP ? "drop"
                                                     : "order",
                         step);
    }
}

static bool is_step(tool_option option) {
    static const tool_option options[] = {
        TOOL_PATH, TOOL_SET_SKIN, TOOL_ADD_SKIN,        TOOL_RENAME,     TOOL_NAME,
        TOOL_KEEP, TOOL_DROP,     TOOL_ORDER,           TOOL_REVERSE,    TOOL_APPEND,
        TOOL_MOVE, TOOL_ROTATE,   TOOL_ADD_TAG,         TOOL_EDIT_SCALE, TOOL_COMPUTE_BOUNDS,
        TOOL_TRIM, TOOL_MOVE_TAG, TOOL_COMPUTE_NORMALS, TOOL_EDIT_FPS};
    size_t i = 0;
    while (i < sizeof options / sizeof *options && options[i] != option)
        i++;
    return i < sizeof options / sizeof *options;
}

bool edit_steps_read(const tool_args *args, edit_steps *steps) {
    *steps = (edit_steps){.list = calloc(args->num_given + 1, sizeof *steps->list)};
    if (!steps->list) {
        tool_usage(args, "out of memory");
        return false;
    }
    for (size_t i = 0; i < args->num_given; i++) {
        if (!is_step(args->given[i].option))
            continue;
        edit_step *step = &steps->list[steps->count++];
        *step = (edit_step){.option = args->given[i].option, .text = args->given[i].value};
        if (!read_step(args, step))
            return false;
    }
    return steps->count > 0 || args->num_inputs == 0 ||
           tool_usage(args, "say what to change, for example: --path 's#^models/#players/#'");
}

void edit_steps_free(edit_steps *steps) {
    free(steps->list);
}

bool edit_steps_run(tool_job *job, const edit_steps *steps, lm_edit *edit) {
    for (size_t i = 0; i < steps->count; i++)
        if (!steps->list[i].run(job, edit, &steps->list[i]))
            return false;
    return true;
}
