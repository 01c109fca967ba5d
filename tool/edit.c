/* `lerpmesh edit`: its options are steps that change a file one after the other. */
#include "lerpmesh/edit.h"
#include "batch.h"
#include "describe.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The edit of one file. */
typedef struct edit_run {
    tool_job *job;
    lm_edit *edit;
    /* If the file was not named itself, missing elements are skipped; else `pass` is NULL. */
    bool missing, *pass;
    lm_error error;
} edit_run;

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

/* Handles a library result. Some elements may have been skipped. */
static bool accept(edit_run *r, bool done) {
    r->job->inapplicable = r->job->inapplicable || r->missing;
    r->missing = false;
    return done || fail_step(r);
}

/* ---- Placeholders ---------------------------------------------------------------------------- */

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
    const char *stem = lmi_vfs_stem(job->vfs, job->path, &length);
    const bool named = strcmp(job->path, "-") != 0;
    const bool known = named && lmi_vfs_path_in_game(job->vfs, job->path, &text);
    if (!known && !text.failed && job->tree)
        lm_buffer_text(&text, job->tree);
    const bool found = known || text.failed || text.size > 0 || (named && !needs_folder);
    char *path = tool_take_text(job->arena, &text);
    char *slash = path ? strrchr(path, '/') : NULL;
    *name = lmi_arena_text(job->arena, stem, length);
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

/* ---- Changes of a file ----------------------------------------------------------------------- */

/* Makes a change, or checks it without an edit. Messages name options with their hyphens. */
static bool set(lm_edit *edit, lm_option_id option, const char *value, bool *missing,
                lm_error *error) {
    char name[40];
    snprintf(name, sizeof name, "--%s", lmi_option_about(option)->name);
    return lm_edit_set(edit, name, value, missing, error);
}

/* Appends another model's frames: those of some clips, or all. */
static bool append(edit_run *r, lm_edit *other, const char *clips) {
    const char *list = clips ? lmi_arena_printf(r->job->arena, "clips:%s", clips) : NULL;
    if (clips && !list)
        return false;
    return accept(r, (!clips || lm_edit_set(other, "order", list, r->pass, &r->error)) &&
                         lm_edit_append(r->edit, other, &r->error));
}

/* Uses the clips of the file next to a model. Sets the file's path; NULL: there is none. */
static bool use_clips(tool_job *job, const char *path, const lm_buffer *file, lm_edit *edit,
                      const char **clips_path) {
    const lm_given_file given = {.path = path, .data = file->data, .size = file->size};
    lm_error error;
    return lmi_edit_use_clips_of(job->vfs, &given, edit, job->arena, clips_path, &error) ||
           tool_fail_error(job, &error);
}

/* FILE, or FILE@CLIPS if there is no file of that name. */
static bool append_file(edit_run *r, const char *text) {
    tool_job *job = r->job;
    lm_buffer file = {0};
    const char *path = text, *clips = NULL, *at = strrchr(text, '@'), *unused;
    bool read = lm_vfs_read(job->vfs, path, job->max_input, &file, &r->error);
    if (!read && at) {
        path = lmi_arena_text(job->arena, text, (size_t)(at - text));
        clips = at + 1;
        read = path && lm_vfs_read(job->vfs, path, job->max_input, &file, &r->error);
    }
    if (!read)
        return tool_fail_error(job, &r->error);
    lm_edit *other = lm_edit_open(file.data, file.size, NULL, &r->error);
    const bool done =
        !other ? fail_step(r)
               : (!clips || use_clips(job, path, &file, other, &unused)) && append(r, other, clips);
    lm_edit_free(other);
    lm_buffer_free(&file);
    return done;
}

/* Returns whether an option's value has a pattern, into which placeholders are filled literally. */
static bool has_pattern(lm_option_id option, const char *value) {
    const char *kind = option == LM_OPTION_RENAME ? strchr(value, ':') : NULL;
    return option == LM_OPTION_PATH ||
           (kind && kind[1] == 's' && kind[2] && strchr("/#|,;!@%~:", kind[2]));
}

/* Returns whether the codes of --fix name damage, which is repaired when the file is read. */
static bool names_damage(const char *codes) {
    unsigned number;
    for (size_t length; *codes; codes += length + (codes[length] == ',')) {
        length = strcspn(codes, ",");
        if (lmi_word_in("all damage", codes, length, &number))
            return true;
    }
    return false;
}

static bool change(edit_run *r, lm_option_id option, const char *value) {
    const bool pattern = has_pattern(option, value);
    if (option == LM_OPTION_APPEND)
        return append_file(r, value);
    if ((pattern || option == LM_OPTION_NAME || option == LM_OPTION_SET_SKIN ||
         option == LM_OPTION_ADD_SKIN) &&
        !(value = fill_in(r, value, pattern)))
        return false;
    uint32_t before, after;
    lm_edit_changes(r->edit, &before);
    const bool done = set(r->edit, option, value, r->pass, &r->error);
    lm_edit_changes(r->edit, &after);
    if (done && option == LM_OPTION_FIX && after == before && !names_damage(value) &&
        !r->job->tree && !r->job->quiet)
        tool_note(r->job, "--fix %s: there is nothing to fix", value);
    return accept(r, done);
}

/* ---- Options --------------------------------------------------------------------------------- */

static bool is_change(lm_option_id option) {
    return option >= LM_OPTION_PATH && option <= LM_OPTION_REMOVE_UNUSED;
}

static bool is_permission(lm_option_id option) {
    return option == LM_OPTION_ROUND || option == LM_OPTION_REENCODE;
}

/* Checks the values of changes. Reports mistakes and returns false. */
static bool check_changes(const tool_args *args) {
    size_t count = 0;
    lm_error error;
    for (size_t i = 0; i < args->num_given; i++) {
        const lm_option_id option = args->given[i].option;
        if (!is_change(option))
            continue;
        count += !is_permission(option);
        if (option != LM_OPTION_APPEND && !set(NULL, option, args->given[i].value, NULL, &error) &&
            !(error.code == LM_CODE_ROUNDING && tool_has(args, LM_OPTION_REENCODE)))
            return tool_usage(args, "%s", error.message);
    }
    return count > 0 || args->num_inputs == 0 ||
           tool_usage(args, "missing change, for example: --path 's#^models/#players/#'");
}

/* An edited file. */
typedef struct edited {
    tool_rewriting r;
    lm_edit *edit;
    const lm_edit_change *changes;
    uint32_t num_changes;
} edited;

/* ---- Changes --------------------------------------------------------------------------------- */

static void print_quoted(lm_buffer *out, const char *text) {
    lm_buffer_text(out, "\"");
    lmi_text_harmless(out, text);
    lm_buffer_text(out, "\"");
}

static void print_change(const lm_edit_change *change, lm_buffer *out) {
    lmi_text_harmless(out, change->what);
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
    lmi_json_string(&json, "format", lm_edit_format(e->edit)->name);
    lmi_json_open(&json, "changes", '[');
    for (uint32_t i = 0; i < e->num_changes; i++) {
        lmi_json_open(&json, NULL, '{');
        lmi_json_string(&json, "what", e->changes[i].what);
        lmi_json_string(&json, "before", e->changes[i].before);
        lmi_json_string(&json, "after", e->changes[i].after);
        lmi_json_close(&json);
    }
    lmi_json_close(&json);
    lmi_json_integer(&json, "size_before", (int64_t)e->r.file.size);
    lmi_json_integer(&json, "size_after", (int64_t)e->r.result.size);
    lmi_json_bool(&json, "same", e->r.same);
    lmi_json_path(&json, "written", written);
    tool_json_end(&json);
}

static bool fixes_damage(const tool_args *args) {
    const char *codes;
    for (size_t at = 0; (codes = tool_next_value(args, LM_OPTION_FIX, &at));)
        if (names_damage(codes))
            return true;
    return false;
}

/* ---- The command --------------------------------------------------------------------------- */

static bool begins(const tool_given *given, const char *with) {
    return strncmp(given->value, with, strlen(with)) == 0;
}

static bool selects_frames(const tool_given *given) {
    return (given->option == LM_OPTION_KEEP || given->option == LM_OPTION_DROP ||
            given->option == LM_OPTION_ORDER) &&
           (begins(given, "clips:") || begins(given, "frames:"));
}

static bool renames_clips(const tool_given *given) {
    return given->option == LM_OPTION_RENAME && begins(given, "clips:");
}

static bool any(const tool_args *args, bool (*is)(const tool_given *given)) {
    size_t i = 0;
    while (i < args->num_given && !is(&args->given[i]))
        i++;
    return i < args->num_given;
}

/* Uses the clips of the file next to the model, and warns if it no longer fits afterwards. */
static bool use_own_clips(tool_job *job, const edited *e) {
    const bool selects = any(job->args, selects_frames), renames = any(job->args, renames_clips);
    const char *path = NULL;
    if ((selects || renames || tool_has(job->args, LM_OPTION_REVERSE)) &&
        !use_clips(job, job->path, &e->r.file, e->edit, &path))
        return false;
    /* convert writes no others */
    const bool writes = path && lmi_compare_letters(lmi_vfs_extension(job->vfs, path), ".cfg") == 0;
    if (path && selects)
        tool_warn(job, "%s counts the frames as they were before%s", path,
                  writes
                      ? "; lerpmesh convert --clip LIST --write-clips selects clips and writes it"
                      : "");
    if (path && renames)
        tool_warn(job, "%s names its clips as before; only their frames are renamed", path);
    return true;
}

static bool make(tool_job *job, edited *e) {
    const tool_args *args = job->args;
    lm_error error;
    const lm_load_options options = {.repair = fixes_damage(args)};
    e->edit = lm_edit_open(e->r.file.data, e->r.file.size, &options, &error);
    if (!e->edit)
        return tool_fail_error(job, &error);
    if (!use_own_clips(job, e))
        return false;
    edit_run r = {.job = job, .edit = e->edit};
    r.pass =
        job->tree ? &r.missing : NULL; /* in a file that was found, missing elements are skipped */
    for (int permissions = 1; permissions >= 0; permissions--) /* these apply to all changes */
        for (size_t i = 0; i < args->num_given; i++) {
            const lm_option_id option = args->given[i].option;
            if (is_change(option) && is_permission(option) == (permissions == 1) &&
                !change(&r, option, args->given[i].value))
                return false;
        }
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
                      lmi_count_nouns(e->num_changes, "changes").text, e->r.file.size,
                      e->r.result.size);
        else
            tool_note(job, "unchanged");
    }
}

static void edit_file(tool_job *job, const void *user) {
    const tool_output *output = user;
    edited e = {0};
    if (tool_target_open(job, output, &e.r) && make(job, &e) &&
        tool_target_write(job, output, &e.r))
        report(job, output, &e);
    lm_edit_free(e.edit);
    tool_target_close(&e.r);
}

static int run_edit(const tool_args *args) {
    tool_output output;
    if (!check_changes(args) || !tool_target_read(args, &output))
        return TOOL_USAGE;
    const int status = tool_batch_run(
        &(tool_batch){.args = args,
                      .work = edit_file,
                      .context = &output,
                      .done = tool_has(args, LM_OPTION_DRY_RUN) ? "examined" : "edited",
                      .output = &output});
    return tool_repack_write(&output, status);
}

const tool_command tool_edit = {
    .name = "edit",
    .usage = "[options] FILE|DIR|ARCHIVE... -o OUT|--in-place|-n",
    .summary = "change skins, names, frames and more, and no other byte",
    .about =
        "Applies the changes in the order of the options and keeps every other byte: nothing is\n"
        "decoded and quantised again. A KIND is skins, frames, clips, surfaces or tags. A LIST\n"
        "has names, numbers and ranges: run,stand or 0-39,46. Patterns are those of sed -E. The\n"
        "result is read back and checked before it replaces a file. If all inputs are in one\n"
        "archive, OUT.pk3 or OUT.pak becomes an archive with all its files. --fix damage removes\n"
        "damage first; without it, damage that no engine notices stays.",
    .usual = {LM_OPTION_OUTPUT, LM_OPTION_IN_PLACE, LM_OPTION_DRY_RUN, LM_OPTION_PATH,
              LM_OPTION_FIX, LM_OPTION_SET_SKIN, LM_OPTION_RENAME, LM_OPTION_KEEP, LM_OPTION_DROP,
              LM_OPTION_EDIT_SCALE, LM_OPTION_ROTATE, LM_OPTION_MOVE},
    .expand = TOOL_EXPAND_FOLDERS,
    .examples = "  lerpmesh edit tris.md2 --path 's#^models/#players/#' -o new.md2\n"
                "  lerpmesh edit --dry-run --path 's#\\.pcx$#.tga#' baseq2/players\n"
                "  lerpmesh edit --dry-run --fix all baseq2\n"
                "  lerpmesh edit --in-place --backup --rename clips:stand=idle tris.md2\n"
                "  lerpmesh edit body.md3 --set-skin h_head=models/x/head.tga -o body2.md3\n"
                "  lerpmesh edit tris.md2 --keep clips:stand,run --reverse run -o short.md2\n",
    .run = run_edit,
};
