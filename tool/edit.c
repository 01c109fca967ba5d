#include "edit.h"

#include "batch.h"
#include "commands.h"
#include "lerpmesh/describe.h"
#include "lerpmesh/json.h"
#include "output.h"
#include "system.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

typedef struct edit_settings {
    edit_steps steps;
    tool_output output;
    bool in_place, backup, dry_run, force, json, quiet, verbose;
} edit_settings;

/* One file's edit. */
typedef struct edited {
    lm_file file;
    lm_edit *edit;
    lm_buffer path; /* NUL-terminated; empty: standard output, or none */
    lm_buffer made;
    const lm_edit_change *changes;
    uint32_t num_changes;
    bool same; /* not a byte differs */
} edited;

/* ---- What changed -------------------------------------------------------------------------- */

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
    lm_buffer_text(out, !change->before ? ", new\n" : !change->after ? ", gone\n" : "\n");
}

static void print_changes(const tool_job *job, const edited *e, lm_buffer *out) {
    for (uint32_t i = 0; i < e->num_changes; i++) {
        lm_text_harmless(out, tool_shown_path(job->path));
        lm_buffer_text(out, ": ");
        print_change(&e->changes[i], out);
    }
    lm_text_harmless(out, tool_shown_path(job->path));
    if (e->same)
        lm_buffer_text(out, ": nothing changes\n");
    else
        lm_buffer_printf(out, ": %zu bytes -> %zu bytes\n", e->file.size, e->made.size);
}

static void write_json(const tool_job *job, const edit_settings *settings, const edited *e,
                       lm_buffer *out) {
    lm_json json = {.out = out};
    lm_json_open(&json, NULL, '{');
    lm_json_string(&json, "file", job->path);
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
    lm_json_integer(&json, "size_before", (int64_t)e->file.size);
    lm_json_integer(&json, "size_after", (int64_t)e->made.size);
    lm_json_bool(&json, "same", e->same);
    lm_json_string(&json, "written",
                   settings->dry_run || !e->path.size || (e->same && settings->in_place)
                       ? NULL
                       : (const char *)e->path.data);
    lm_json_close(&json);
    lm_buffer_text(out, "\n");
}

/* ---- Where it goes ------------------------------------------------------------------------- */

static bool end_path(tool_job *job, lm_buffer *path) {
    lm_buffer_append(path, "", 1);
    if (path->failed)
        tool_fail(job, "out of memory");
    return !path->failed;
}

/* The file itself, if it is one. */
static bool name_in_place(tool_job *job, lm_buffer *path) {
    if (strcmp(job->path, "-") == 0 || lm_disk_archive_length(job->disk, job->path) > 0) {
        tool_fail(job, "only a file can be edited in place: name another with -o");
        return false;
    }
    lm_buffer_text(path, job->path);
    return end_path(job, path);
}

static bool name_output(tool_job *job, const edit_settings *settings, edited *e) {
    if (settings->dry_run || (!settings->in_place && settings->output.kind == TOOL_TO_STDOUT))
        return true;
    if (settings->in_place)
        return name_in_place(job, &e->path);
    return tool_output_path(job, &settings->output, &e->path, NULL);
}

/* The file as it was, under another name. One that is there already is the only copy of something.
 */
static bool back_up(tool_job *job, const edit_settings *settings, const edited *e) {
    lm_buffer path = {0};
    lm_buffer_text(&path, job->path);
    lm_buffer_text(&path, ".bak");
    bool done = end_path(job, &path);
    const char *name = (const char *)path.data;
    if (done && !settings->force && tool_system_look(name).kind != TOOL_NOTHING) {
        tool_fail(job, "%s is there already; --force replaces it", name);
        tool_mark(job, LM_CODE_IO, TOOL_CODE_FAILED);
        done = false;
    }
    done = done && tool_output_write(job, name, e->file.data, e->file.size);
    lm_buffer_free(&path);
    return done;
}

static bool write_output(tool_job *job, const edit_settings *settings, edited *e) {
    if (settings->dry_run || (settings->in_place && e->same))
        return true;
    if (!e->path.size) {
        job->out = e->made;
        e->made = (lm_buffer){.size = job->out.size};
        return true;
    }
    const char *path = (const char *)e->path.data;
    const unsigned mode = tool_system_mode(job->path);
    bool done = (!settings->backup || back_up(job, settings, e)) &&
                tool_output_write(job, path, e->made.data, e->made.size);
    if (done && settings->in_place)
        tool_system_set_mode(path, mode);
    return done;
}

/* ---- The command --------------------------------------------------------------------------- */

static bool make(tool_job *job, const edit_settings *settings, edited *e) {
    lm_error error;
    e->edit = lm_edit_open(e->file.data, e->file.size, NULL, &error);
    if (!e->edit) {
        tool_fail_error(job, &error, settings->json);
        return false;
    }
    if (!edit_steps_run(job, &settings->steps, e->edit))
        return false;
    if (!lm_edit_write(e->edit, &e->made, &error)) {
        tool_fail_error(job, &error, settings->json);
        return false;
    }
    e->changes = lm_edit_changes(e->edit, &e->num_changes);
    e->same = e->made.size == e->file.size &&
              (e->made.size == 0 || memcmp(e->made.data, e->file.data, e->made.size) == 0);
    return true;
}

static void tell(tool_job *job, const edit_settings *settings, const edited *e) {
    if (settings->json) {
        write_json(job, settings, e, &job->out);
    } else if (settings->dry_run) {
        print_changes(job, e, &job->out);
    } else if (!settings->quiet) {
        if (settings->verbose)
            print_changes(job, e, &job->log);
        if (e->same && settings->in_place)
            tool_say(job, "nothing changes");
        else
            tool_say(job, "wrote %s: %u change%s, %zu bytes before, %zu now",
                     e->path.size ? (const char *)e->path.data : "standard output",
                     (unsigned)e->num_changes, e->num_changes == 1 ? "" : "s", e->file.size,
                     e->made.size);
    }
}

static void edit_file(tool_job *job, const void *user) {
    const edit_settings *settings = user;
    edited e = {0};
    if (!settings->in_place && !settings->dry_run && tool_output_skips(job, &settings->output))
        return;
    if (name_output(job, settings, &e) && tool_read(job, &e.file, settings->json)) {
        if (make(job, settings, &e) && write_output(job, settings, &e))
            tell(job, settings, &e);
        lm_edit_free(e.edit);
        lm_file_free(&e.file);
    }
    lm_buffer_free(&e.path);
    lm_buffer_free(&e.made);
}

static bool read_target(const tool_args *args, edit_settings *settings) {
    const bool out = tool_has(args, TOOL_OUTPUT);
    settings->in_place = tool_has(args, TOOL_IN_PLACE);
    settings->backup = tool_has(args, TOOL_BACKUP);
    settings->dry_run = tool_has(args, TOOL_DRY_RUN);
    settings->force = tool_has(args, TOOL_FORCE);
    if (args->num_inputs == 0)
        return true;
    if (out && settings->in_place)
        return tool_usage(args, "-o and --in-place cannot be combined");
    if (settings->backup && !settings->in_place)
        return tool_usage(args, "--backup is for --in-place: with -o the file stays as it is");
    if (!out && !settings->in_place && !settings->dry_run)
        return tool_usage(args, "say where to write: -o OUT or --in-place; --dry-run only looks");
    if (!out)
        return true;
    if (!tool_output_read(args, &settings->output))
        return false;
    settings->output.whole_names = true;
    settings->output.extension = "";
    if (settings->output.kind == TOOL_TO_STDOUT && settings->json && !settings->dry_run)
        return tool_usage(args, "the model and --json cannot both go to standard output");
    return settings->dry_run || !tool_output_floods(&settings->output);
}

static int run_edit(const tool_args *args) {
    edit_settings settings = {.json = tool_has(args, TOOL_JSON),
                              .quiet = tool_has(args, TOOL_QUIET),
                              .verbose = tool_has(args, TOOL_VERBOSE)};
    int status = TOOL_USAGE;
    if (edit_steps_read(args, &settings.steps) && read_target(args, &settings)) {
        const bool writes = !settings.in_place && !settings.dry_run && settings.output.args;
        status = writes ? tool_output_prepare(&settings.output) : TOOL_DONE;
        if (status == TOOL_DONE)
            status = tool_batch_run(&(tool_batch){.args = args,
                                                  .work = edit_file,
                                                  .context = &settings,
                                                  .done = settings.dry_run ? "looked at" : "edited",
                                                  .asks = "options name",
                                                  .writes = true});
    }
    tool_output_free(&settings.output);
    edit_steps_free(&settings.steps);
    return status;
}

static const tool_option options[] = {
    TOOL_OUTPUT,
    TOOL_IN_PLACE,
    TOOL_BACKUP,
    TOOL_DRY_RUN,
    TOOL_FORCE,
    TOOL_PATH,
    TOOL_SET_SKIN,
    TOOL_ADD_SKIN,
    TOOL_RENAME,
    TOOL_NAME,
    TOOL_KEEP,
    TOOL_DROP,
    TOOL_ORDER,
    TOOL_REVERSE,
    TOOL_APPEND,
    TOOL_ADD_TAG,
    TOOL_MOVE_TAG,
    TOOL_EDIT_SCALE,
    TOOL_ROTATE,
    TOOL_MOVE,
    TOOL_ROUND,
    TOOL_TRIM,
    TOOL_COMPUTE_NORMALS,
    TOOL_COMPUTE_BOUNDS,
    TOOL_JSON,
    TOOL_JOBS,
    TOOL_SUMMARY,
    TOOL_MAX_INPUT,
    TOOL_SYNC,
    TOOL_SKIP_EXISTING,
    TOOL_QUIET,
    TOOL_VERBOSE,
    TOOL_HELP,
};

const tool_command tool_edit = {
    .name = "edit",
    .usage = "[options] FILE|DIR|ARCHIVE... -o OUT",
    .summary = "change skins, names, frames and more; all other bytes stay",
    .about =
        "Changes what is named, and leaves every other byte as it is: nothing is decoded and\n"
        "quantised again. Changes are made in the order in which they stand. A LIST has names,\n"
        "numbers and ranges: run,stand; 0-39,46. Patterns are those of sed -E. What is written\n"
        "is read back first, and a file is replaced only by one that reads as was meant.",
    .options = options,
    .num_options = TOOL_COUNT_OF(options),
    .expand = TOOL_EXPAND_FOLDERS,
    .examples = "  lerpmesh edit tris.md2 --path 's#^models/#players/#' -o new.md2\n"
                "  lerpmesh edit --dry-run --path 's#\\.pcx$#.tga#' baseq2/players\n"
                "  lerpmesh edit --in-place --backup --rename clip:stand=idle tris.md2\n"
                "  lerpmesh edit body.md3 --set-skin h_head=models/x/head.tga -o body2.md3\n"
                "  lerpmesh edit tris.md2 --keep clips:stand,run --reverse run -o short.md2\n",
    .run = run_edit,
};
