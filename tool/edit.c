#include "edit.h"

#include "batch.h"
#include "commands.h"
#include "describe.h"
#include "repack.h"
#include "target.h"

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
        lm_text_harmless(out, tool_shown_path(job->path));
        lm_buffer_text(out, ": ");
        print_change(&e->changes[i], out);
    }
    lm_text_harmless(out, tool_shown_path(job->path));
    if (e->r.same)
        lm_buffer_text(out, ": unchanged\n");
    else
        lm_buffer_printf(out, ": %zu bytes -> %zu bytes\n", e->r.file.size, e->r.result.size);
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
    if (!edit_steps_run(job, steps, e->edit))
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
            tool_note(job, "wrote %s: %u change%s, %zu bytes before, %zu now", written,
                      (unsigned)e->num_changes, e->num_changes == 1 ? "" : "s", e->r.file.size,
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
    if (!edit_steps_read(args, &settings.steps) || !tool_target_read(args, &settings.output))
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
