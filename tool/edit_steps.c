#include "edit.h"

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
    tool_fail_error(job, error, job->json);
    return false;
}

static bool starve(tool_job *job) {
    lm_error error;
    lm_fail_plain(&error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    tool_fail_error(job, &error, job->json);
    return false;
}

/* ---- What is named ------------------------------------------------------------------------- */

/* Elements of a list, in the order in which they were named. */
typedef struct picked {
    uint32_t *list;
    size_t count, capacity;
    bool failed; /* for want of memory */
} picked;

static void pick(picked *p, uint32_t index) {
    if (p->count == p->capacity) {
        const size_t capacity = p->capacity ? 2 * p->capacity : 64;
        uint32_t *grown = realloc(p->list, capacity * sizeof *grown);
        p->failed = p->failed || !grown;
        if (!grown)
            return;
        p->list = grown;
        p->capacity = capacity;
    }
    p->list[p->count++] = index;
}

/* "7", or "40-45". */
static bool parse_range(const char *word, uint64_t *first, uint64_t *last) {
    char number[16];
    const size_t length = strcspn(word, "-");
    if (length >= sizeof number)
        return false;
    memcpy(number, word, length);
    number[length] = '\0';
    if (!tool_parse_uint(number, INT32_MAX, first))
        return false;
    *last = *first;
    return word[length] == '\0' ||
           (tool_parse_uint(word + length + 1, INT32_MAX, last) && *last >= *first);
}

/* One word of a list: a name, a number or a range of them. */
static bool pick_word(tool_job *job, lm_edit *edit, lm_edit_list list, uint32_t surface,
                      const char *word, picked *p) {
    uint64_t first, last;
    uint32_t index, clip_count;
    lm_error error = {.code = LM_CODE_OK};
    if (!parse_range(word, &first, &last)) {
        if (lm_edit_find(edit, list, surface, word, &index, &error))
            pick(p, index);
        else if (error.code == LM_CODE_BAD_ARGUMENT)
            return misfit(job, "there is no %s \"%s\"", lm_edit_item_name(list), word);
        return accept(job, error.code == LM_CODE_OK, &error);
    }
    if (list == LM_EDIT_CLIPS && !lm_edit_clip(edit, (uint32_t)last, &index, &clip_count, &error) &&
        error.code != LM_CODE_BAD_ARGUMENT)
        return accept(job, false, &error);
    const uint32_t count = lm_edit_count(edit, list, surface);
    if (last >= count)
        return misfit(job, "there is no %s %u: there are %u", lm_edit_item_name(list),
                      (unsigned)last, (unsigned)count);
    for (uint64_t i = first; i <= last; i++)
        pick(p, (uint32_t)i);
    return true;
}

static bool pick_words(tool_job *job, lm_edit *edit, lm_edit_list list, uint32_t surface,
                       const char *words, picked *p) {
    bool found = true;
    while (found && *words) {
        const size_t length = strcspn(words, ",");
        char *word = tool_copy(words, length);
        p->failed = p->failed || !word;
        found = word && (length == 0 || pick_word(job, edit, list, surface, word, p));
        free(word);
        words += length + (words[length] == ',');
    }
    if (p->failed)
        starve(job);
    return found && !p->failed;
}

/* Puts clips' frames in their place, one clip behind the other. */
static bool take_frames(tool_job *job, lm_edit *edit, picked *p) {
    picked frames = {0};
    bool done = true;
    for (size_t i = 0; done && i < p->count; i++) {
        uint32_t first, count = 0;
        lm_error error;
        done = accept(job, lm_edit_clip(edit, p->list[i], &first, &count, &error), &error);
        for (uint32_t k = 0; k < count; k++)
            pick(&frames, first + k);
    }
    free(p->list);
    *p = frames;
    return done && (!p->failed || starve(job));
}

/* "SURFACE:REST": which surface it is, by name or number; REST. Without a ':' all is REST, or, if
 * `alone`, the surface. */
static bool split_surface(tool_job *job, lm_edit *edit, const char *text, bool alone,
                          uint32_t *surface, const char **rest) {
    const char *colon = strrchr(text, ':');
    *rest = colon ? colon + 1 : alone ? text + strlen(text) : text;
    if (!colon && !alone)
        return misfit(job, "say of which surface: SURFACE:%s", text);
    picked one = {0};
    char *name = tool_copy(text, colon ? (size_t)(colon - text) : strlen(text));
    bool found = name && pick_words(job, edit, LM_EDIT_SURFACES, 0, name, &one);
    if (!name)
        starve(job);
    else if (found && one.count != 1)
        found = misfit(job, "there is no surface \"%s\"", name);
    *surface = one.count == 1 ? one.list[0] : UINT32_MAX;
    free(name);
    free(one.list);
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
                split_surface(job, edit, where, true, &surface, &rest);
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
        const bool found = where && split_surface(job, edit, where, true, &surface, &rest);
        if (!where)
            starve(job);
        free(where);
        if (!found || surface == UINT32_MAX)
            return found;
        path = equals + 1;
    }
    return accept(job, lm_edit_add_skin(edit, surface, path, &error), &error);
}

/* All that is picked, or all that is not, in the order of the file. */
static bool take_in_order(picked *p, uint32_t all, bool named) {
    bool *met = calloc((size_t)all + 1, sizeof *met);
    for (size_t i = 0; met && i < p->count; i++)
        met[p->list[i]] = true;
    p->count = 0;
    for (uint32_t i = 0; met && i < all; i++)
        if (met[i] == named)
            pick(p, i);
    free(met);
    return met && !p->failed;
}

static bool select_picked(tool_job *job, lm_edit *edit, lm_edit_list list, uint32_t surface,
                          const picked *p) {
    static const uint32_t none;
    lm_error error;
    return accept(
        job,
        lm_edit_select(edit, list, surface, p->list ? p->list : &none, (uint32_t)p->count, &error),
        &error);
}

/* --keep, --drop, --order: of clips their frames. */
static bool run_select(tool_job *job, lm_edit *edit, const edit_step *step) {
    const lm_edit_list list = step->list == LM_EDIT_CLIPS ? LM_EDIT_FRAMES : step->list;
    picked p = {0};
    uint32_t surface = 0;
    const char *words = step->text;
    if (!lm_edit_has(edit, step->list))
        return misfit(job, "%s has no %s", lm_edit_format(edit)->name,
                      lm_edit_list_name(step->list));
    bool done = !lm_edit_by_surface(edit, step->list) ||
                split_surface(job, edit, step->text, false, &surface, &words);
    done = done && (surface == UINT32_MAX || pick_words(job, edit, step->list, surface, words, &p));
    done = done && (step->list != LM_EDIT_CLIPS || take_frames(job, edit, &p));
    if (done && surface != UINT32_MAX) {
        const uint32_t all = lm_edit_count(edit, list, surface);
        if (step->option != TOOL_ORDER && !take_in_order(&p, all, step->option == TOOL_KEEP)) {
            done = starve(job);
        }
        if (done && p.count == 0 && list == LM_EDIT_FRAMES)
            done = misfit(job, "no frame would be left");
        else
            done = done && select_picked(job, edit, list, surface, &p);
    }
    free(p.list);
    return done;
}

/* Turns frames of `order` around, from one to another. */
static void turn(uint32_t *order, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint32_t kept = order[first + i];
        order[first + i] = order[first + count - 1 - i];
        order[first + count - 1 - i] = kept;
    }
}

/* Each of the clips by itself: none takes the place of another. */
static bool turn_clips(tool_job *job, lm_edit *edit, const char *words, uint32_t *order) {
    picked clips = {0};
    bool done = pick_words(job, edit, LM_EDIT_CLIPS, 0, words, &clips);
    for (size_t i = 0; done && i < clips.count; i++) {
        uint32_t first = 0, count = 0;
        lm_error error;
        done = accept(job, lm_edit_clip(edit, clips.list[i], &first, &count, &error), &error);
        turn(order, first, count);
    }
    free(clips.list);
    return done;
}

static bool run_reverse(tool_job *job, lm_edit *edit, const edit_step *step) {
    picked order = {0};
    const uint32_t all = lm_edit_count(edit, LM_EDIT_FRAMES, 0);
    bool done = true;
    for (uint32_t i = 0; i < all; i++)
        pick(&order, i);
    if (order.failed || !order.list) /* a model has frames */
        done = starve(job);
    else if (strcmp(step->text, "all") == 0)
        turn(order.list, 0, all);
    else
        done = turn_clips(job, edit, step->text, order.list);
    done = done && select_picked(job, edit, LM_EDIT_FRAMES, 0, &order);
    free(order.list);
    return done;
}

/* The clips behind an @ of another model, or all of it. */
static bool keep_clips(tool_job *job, lm_edit *other, const char *clips) {
    picked p = {0};
    const bool done = pick_words(job, other, LM_EDIT_CLIPS, 0, clips, &p) &&
                      take_frames(job, other, &p) &&
                      (p.count > 0 || misfit(job, "--append: there is no such clip")) &&
                      (p.count == 0 || select_picked(job, other, LM_EDIT_FRAMES, 0, &p));
    free(p.list);
    return done;
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

static bool run_move_tag(tool_job *job, lm_edit *edit, const edit_step *step) {
    lm_error error;
    picked tags = {0};
    char *name = tool_copy(step->text, strcspn(step->text, "="));
    if (!name)
        starve(job);
    bool done = name && pick_words(job, edit, LM_EDIT_TAGS, 0, name, &tags);
    for (size_t i = 0; done && i < tags.count; i++)
        done = accept(job, lm_edit_move_tag(edit, tags.list[i], &step->vector, &error), &error);
    free(name);
    free(tags.list);
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
