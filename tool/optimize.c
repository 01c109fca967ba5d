#include "batch.h"
#include "lerpmesh/encode.h"

#include <float.h>
#include <string.h>

typedef struct optimize_settings {
    tool_output output;
    lm_optimize_options options;
    lm_assets_options search; /* for shader scripts */
} optimize_settings;

typedef struct optimized {
    tool_rewriting r;
    lm_optimize_options options;
    lm_optimize_report *report;
    lm_buffer sidecar; /* the path of a file that refers to the vertices; empty: none */
    lm_order_risk risk;
    const char *risky; /* the texture with the risk */
} optimized;

/* ---- Results --------------------------------------------------------------------------------- */

static void note_gain(tool_job *job, const lm_optimize_gain *gain) {
    if (gain->bytes > 0 && gain->count > 0)
        tool_note(job, "  %s: %u fewer, %lld bytes saved", gain->step, (unsigned)gain->count,
                  (long long)gain->bytes);
    else if (gain->bytes > 0)
        tool_note(job, "  %s: %lld bytes saved", gain->step, (long long)gain->bytes);
    else if (gain->bytes < 0)
        tool_note(job, "  missing tables: %lld bytes added", -(long long)gain->bytes);
}

static void note_order(tool_job *job, const optimized *done) {
    if (done->options.keep_numbers)
        tool_note(job, "  order: kept, because %s refers to the vertices by number",
                  (const char *)done->sidecar.data);
    if (done->options.keep_draw_order)
        tool_note(job, "  order: kept, because the shader \"%s\" %s", done->risky,
                  done->risk == LM_ORDER_BLENDED ? "is blended"
                                                 : "was not found and may be blended");
}

static void report(tool_job *job, const char *written, const optimized *done) {
    const lm_optimize_report *r = done->report;
    const char *wrote = written ? "wrote " : "", *colon = written ? ": " : "";
    const double before = (double)r->size_before, less = (double)(r->size_before - r->size_after);
    written = written ? written : "";
    if (done->r.same)
        tool_note(job, "%s%s%s%zu bytes, unchanged", wrote, written, colon, r->size_after);
    else
        tool_note(job, "%s%s%s%zu bytes before, %zu now (%.1f%% less)", wrote, written, colon,
                  r->size_before, r->size_after, before > 0 ? 100 * less / before : 0);
    for (uint32_t i = 0; i < r->num_gains; i++)
        note_gain(job, &r->gains[i]);
    if (r->max_error > 0)
        tool_note(job, "  maximum error of vertices: %.3g units", r->max_error);
    note_order(job, done);
    if (r->transforms_after < r->transforms_before)
        tool_note(job, "  order: %.2f vertices transformed per triangle, %.2f before",
                  (double)r->transforms_after / r->num_triangles,
                  (double)r->transforms_before / r->num_triangles);
}

static void write_json(tool_job *job, const char *written, const optimized *done) {
    const lm_optimize_report *r = done->report;
    lm_json json = tool_json_begin(job);
    lmi_json_path(&json, "written", written);
    lmi_json_string(&json, "format", r->format);
    lmi_json_integer(&json, "size_before", (int64_t)r->size_before);
    lmi_json_integer(&json, "size_after", (int64_t)r->size_after);
    lmi_json_open(&json, "gains", '{');
    for (uint32_t i = 0; i < r->num_gains; i++) {
        lmi_json_open(&json, r->gains[i].step, '{');
        lmi_json_integer(&json, "count", r->gains[i].count);
        lmi_json_integer(&json, "bytes", r->gains[i].bytes);
        lmi_json_close(&json);
    }
    lmi_json_close(&json);
    lmi_json_integer(&json, "num_triangles", r->num_triangles);
    lmi_json_integer(&json, "transforms_before", (int64_t)r->transforms_before);
    lmi_json_integer(&json, "transforms_after", (int64_t)r->transforms_after);
    lmi_json_double(&json, "max_error", r->max_error);
    lmi_json_string(&json, "kept_for_sidecar",
                    done->options.keep_numbers ? (const char *)done->sidecar.data : NULL);
    lmi_json_string(&json, "kept_for_shader", done->options.keep_draw_order ? done->risky : NULL);
    tool_json_end(&json);
}

/* ---- The command ---------------------------------------------------------------------------- */

/* Finds out whether the order of the triangles may be visible. A model that cannot be opened,
 * even with repairs, cannot be optimized either. */
static bool find_risk(tool_job *job, const lm_assets_options *search, optimized *done) {
    lm_assets_options options = *search;
    const lm_given_file given = {
        .path = job->path, .data = done->r.file.data, .size = done->r.file.size};
    lm_error error;
    options.files = &given;
    options.num_files = 1;
    lm_assets *assets = lm_assets_open(job->vfs, job->path, &options, &error);
    const char *name = "";
    if (assets && assets->scene)
        done->risk = lmi_order_risk_of(assets, &name);
    done->risky = lmi_arena_text(job->arena, name, strlen(name));
    const bool found = assets && (assets->scene || error.code != LM_CODE_OUT_OF_MEMORY);
    lm_assets_free(assets);
    return found && done->risky;
}

/* Decides what must keep its order. */
static bool find_order(tool_job *job, const optimize_settings *settings, optimized *done) {
    done->options = settings->options;
    if (!lmi_order_sidecar(job->vfs, job->path, &done->sidecar) ||
        !find_risk(job, &settings->search, done))
        return tool_fail_memory(job);
    const bool keep = !tool_has(job->args, LM_OPTION_REORDER);
    done->options.keep_numbers = keep && done->sidecar.size > 0;
    done->options.keep_draw_order = keep && done->risk != LM_ORDER_INVISIBLE;
    return true;
}

/* Names the options that have no effect on a format, unless files of all formats were found. */
static void note_unused(tool_job *job, const char *format) {
    static const struct {
        lm_option_id option;
        const char *format, *of;
    } list[] = {{LM_OPTION_MAX_ERROR, "mdc", "base frames"},
                {LM_OPTION_STRIPS, "md2", "GL commands"}};
    for (size_t i = 0; i < sizeof list / sizeof *list && !job->tree && !job->quiet; i++)
        if (tool_has(job->args, list[i].option) && strcmp(format, list[i].format) != 0)
            tool_note(job, "--%s has no effect: %s files have no %s",
                      lmi_option_about(list[i].option)->name, format, list[i].of);
}

static void optimize_file(tool_job *job, const void *user) {
    const optimize_settings *settings = user;
    const tool_output *output = &settings->output;
    optimized done = {0};
    const lm_buffer *file = &done.r.file;
    lm_error error;
    if (tool_target_open(job, output, &done.r) && find_order(job, settings, &done) &&
        (lm_optimize(file->data, file->size, &done.options, &done.r.result, &done.report, &error) ||
         tool_fail_error(job, &error)) &&
        tool_target_write(job, output, &done.r)) {
        note_unused(job, done.report->format);
        (job->json ? write_json : report)(job, tool_target_written(output, &done.r), &done);
        if (done.sidecar.size > 0 && !done.options.keep_numbers && !done.r.same)
            tool_warn(job, "%s refers to the vertices by their old numbers; it no longer fits",
                      (const char *)done.sidecar.data);
    }
    lm_optimize_report_free(done.report);
    lm_buffer_free(&done.sidecar);
    tool_target_close(&done.r);
}

static int run_optimize(const tool_args *args) {
    optimize_settings settings = {.search = {.images = LM_IMAGES_FOUND}};
    const lm_encode_options *encode = &args->settings->options.encode;
    if (!tool_open_options_read(args, &settings.search) ||
        !tool_target_read(args, &settings.output))
        return TOOL_USAGE;
    settings.search.clips = "none";
    settings.search.load.repair = true;
    settings.options.strips = encode->strips;
    settings.options.max_error = encode->max_error;
    settings.options.repair = tool_has(args, LM_OPTION_REPAIR);
    settings.options.one_frame = tool_has(args, LM_OPTION_STATIC);
    const int status = tool_batch_run(
        &(tool_batch){.args = args,
                      .work = optimize_file,
                      .context = &settings,
                      .done = tool_has(args, LM_OPTION_DRY_RUN) ? "examined" : "optimized",
                      .output = &settings.output});
    return tool_repack_write(&settings.output, status);
}

const tool_command tool_optimize = {
    .name = "optimize",
    .usage = "[options] FILE|DIR|ARCHIVE... -o OUT|--in-place|-n",
    .summary = "make models smaller without loss",
    .about =
        "Makes models smaller without loss: removes unused vertices, merges vertices that are\n"
        "equal in every frame, stores equal frames of an MDC once, makes longer strips of MD2's\n"
        "GL commands, and orders triangles for the vertex cache. Nothing is quantised again: the\n"
        "result is read back, and must draw the same in every frame. No file becomes larger.\n"
        "Triangles keep their order if their surface may be blended, according to the shader\n"
        "scripts of the game, and if there is a .mdx file for the model.\n"
        "With --max-error, MDC may lose accuracy: base frames become compressed ones.",
    .usual = {LM_OPTION_OUTPUT, LM_OPTION_IN_PLACE, LM_OPTION_BACKUP, LM_OPTION_DRY_RUN,
              LM_OPTION_GAME, LM_OPTION_SKIP_EXISTING, LM_OPTION_MAX_ERROR, LM_OPTION_STATIC,
              LM_OPTION_REORDER, LM_OPTION_REPAIR, LM_OPTION_FORCE, LM_OPTION_JSON,
              LM_OPTION_VERBOSE},
    .expand = TOOL_EXPAND_FOLDERS,
    .examples = "  lerpmesh optimize tris.md2 -o small.md2\n"
                "  lerpmesh optimize models/ -o smaller/\n"
                "  lerpmesh optimize --in-place --backup baseq2/players\n"
                "  lerpmesh optimize --json spider.mdc -o small.mdc | jq .size_after\n",
    .run = run_optimize,
};
