
#include "batch.h"
#include "describe.h"

#include <string.h>

#define LISTED_PER_CODE 16u

static void print_problem(tool_job *job, const lm_diagnostic *problem, bool where) {
    lm_buffer *out = &job->out;
    const size_t begin = out->size;
    tool_begin_line(job, out);
    const size_t key = out->size;
    lm_buffer_printf(out, "%s [%s]", lm_severity_name(problem->severity),
                     lm_code_name(problem->code));
    const size_t key_end = out->size;
    lm_buffer_text(out, " ");
    lmi_text_harmless(out, problem->text);
    lm_buffer_text(out, problem->code == LM_CODE_EQUAL_FRAMES
                            ? "; lerpmesh optimize --static keeps one"
                            : tool_import_hint(job, problem->code));
    if (where && problem->location.section) {
        lm_buffer_text(out, " {");
        lmi_text_harmless(out, problem->location.section);
        lm_buffer_printf(out, ", index %u, byte %zu}", problem->location.index,
                         problem->location.offset);
    }
    lm_buffer_text(out, "\n");
    if (problem->severity < LM_SEVERITY_ERROR)
        tool_add_warning(job, out, begin, key, key_end);
}

static void print_summary(const tool_job *job, const lm_report *report, bool verbose,
                          lm_buffer *out) {
    tool_begin_line(job, out);
    lm_buffer_printf(out, "%s, %s", lmi_count_nouns(report->num_errors, "errors").text,
                     lmi_count_nouns(report->num_warnings, "warnings").text);
    if (verbose)
        lm_buffer_printf(out, ", %s", lmi_count_nouns(report->num_notes, "notes").text);
    if (report->num_problems < report->num_errors + report->num_warnings + report->num_notes)
        lm_buffer_printf(out,
                         verbose ? " (too many for memory: %u are listed)"
                                 : " (the first %u of each kind are listed; -v lists all)",
                         verbose ? (unsigned)report->num_problems : LISTED_PER_CODE);
    lm_buffer_text(out, "\n");
}

static void check_engine(tool_job *job, const lm_report *report, lm_engine engine) {
    const lm_format_info *info = report->format ? lm_format_by_name(report->format) : NULL;
    lm_buffer formats = {0};
    const bool reads = !info || lmi_engine_formats(engine, info, &formats);
    const char *names = tool_take_text(job->arena, &formats);
    if (!reads && names)
        tool_inapplicable(job, "--engine %s has limits for %s, not for %s", lm_engine_name(engine),
                          names, info->name);
}

static bool has_bones(const lm_report *report) {
    const lm_format_info *info = report->format ? lm_format_by_name(report->format) : NULL;
    return info && (info->features & LM_FEATURE_BONES);
}

/* Opens the files around a model as an engine does. NULL: it demands nothing of them, and the model
 * is no hand and has no bones: the clips of these are checked. */
static lm_assets *open_around(tool_job *job, const lm_buffer *file, const lm_report *report,
                              lm_engine engine) {
    const lm_given_file given = {.path = job->path, .data = file->data, .size = file->size};
    const lm_assets_options options = {.load = {.normals = LM_NORMALS_AUTO, .repair = true},
                                       .num_files = 1,
                                       .files = &given,
                                       .images = lmi_engine_files_of(engine) ? LM_IMAGES_FOUND
                                                                             : LM_IMAGES_NONE,
                                       .engine = engine};
    if (!lmi_engine_files_of(engine) && !has_bones(report) && !lmi_is_hand(job->vfs, job->path))
        return NULL;
    lm_assets *assets = lm_assets_open(job->vfs, job->path, &options, NULL);
    (void)lmi_arena_out_of_memory(job->arena, !assets);
    return assets;
}

/* Opens the player whose first file has bones: its skin names what it wears. */
static lm_assets *open_player(tool_job *job, const lm_report *report) {
    const char *player = job->args->inputs[job->index].player;
    const lm_assets_options options = {.load.repair = true,
                                       .clips = "none",
                                       .images = LM_IMAGES_NONE,
                                       .max_input = job->args->settings->options.open.max_input};
    if (!player || !has_bones(report))
        return NULL;
    lm_assets *assets = lm_assets_open(job->vfs, player, &options, NULL);
    (void)lmi_arena_out_of_memory(job->arena, !assets);
    return assets;
}

/* Prints errors first, each severity in the order of the file. Prints notes only with --verbose. */
static void print(tool_job *job, const lm_report *report) {
    const bool verbose = tool_has(job->args, LM_OPTION_VERBOSE);
    tool_mark_report(job, report);
    if (job->json) {
        lm_json json = tool_json_begin(job);
        lmi_describe_report(report, &json);
        tool_json_end(&json);
    } else {
        for (int severity = LM_SEVERITY_ERROR;
             severity >= (int)(verbose ? LM_SEVERITY_NOTE : LM_SEVERITY_WARNING); severity--)
            for (uint32_t i = 0; i < report->num_problems; i++)
                if ((int)report->problems[i].severity == severity)
                    print_problem(job, &report->problems[i], verbose);
        print_summary(job, report, verbose, &job->out);
    }
    if (report->num_errors > 0)
        job->status = TOOL_FAILED;
}

static void check_file(tool_job *job, const void *user) {
    const lm_check_options *options = user;
    lm_buffer file = {0};
    lm_error error;
    if (!tool_read(job, &file))
        return;
    lm_report *report = lm_check_memory(file.data, file.size, options, &error);
    if (!report) {
        tool_fail_error(job, &error);
    } else {
        lm_assets *around = open_around(job, &file, report, options->engine);
        lm_report all = *report;
        const lm_error *reason = around && !around->scene ? lmi_assets_reason(around) : NULL;
        /* A damaged model has errors of its own. */
        if (reason && lmi_engine_files_of(options->engine) &&
            (report->num_errors == 0 || reason->code == LM_CODE_OUT_OF_MEMORY))
            tool_fail_error(job, reason);
        if (around)
            lmi_assets_add_problems(around, job->arena, &all);
        lm_assets *player = open_player(job, report);
        if (player)
            lmi_assets_add_missing(player, job->arena, &all);
        print(job, &all);
        check_engine(job, report, options->engine);
        lm_assets_free(around);
        lm_assets_free(player);
    }
    lm_report_free(report);
    lm_buffer_free(&file);
}

static int run_check(const tool_args *args) {
    const bool all = tool_has(args, LM_OPTION_VERBOSE) || tool_has(args, LM_OPTION_JSON);
    lm_check_options options = {.max_per_code = all ? UINT32_MAX : LISTED_PER_CODE,
                                .strict = tool_has(args, LM_OPTION_STRICT),
                                .engine = args->settings->options.encode.engine};
    return tool_batch_run(
        &(tool_batch){.args = args, .work = check_file, .context = &options, .done = "checked"});
}

const tool_command tool_check = {
    .name = "check",
    .usage = "[options] FILE|DIR|ARCHIVE...",
    .summary = "list every problem of a model",
    .about =
        "Lists every problem of each file. Errors are problems that any reader must reject, or\n"
        "for which the engine of --engine does not show the model. Warnings are problems for\n"
        "some programs. With --strict, damage that no engine notices is an error too. A file\n"
        "lists at most 16 problems of each kind. If many files have the same warning, the first\n"
        "3 files show it. -v lists everything, with section and byte, and notes too. The exit\n"
        "code is 1 if a file has errors.",
    .usual = {LM_OPTION_ENGINE, LM_OPTION_STRICT, LM_OPTION_JSON, LM_OPTION_VERBOSE, LM_OPTION_JOBS,
              LM_OPTION_SUMMARY, LM_OPTION_MAX_INPUT, LM_OPTION_QUIET},
    .expand = TOOL_EXPAND_FOLDERS,
    .examples = "  lerpmesh check tris.md2\n"
                "  lerpmesh check --engine quake2 baseq2/players pak0.pak\n"
                "  lerpmesh check --json *.mdc | jq .counts.errors\n",
    .run = run_check,
};
