#include "batch.h"
#include "describe.h"

/* Names the option for models whose tags are in a file of their own: other models go there. */
static void print_use_of_tags(const lm_assets *assets, lm_buffer *out) {
    const lm_asset *asset = &assets->assets[0];
    if (!asset->tags_path || assets->scene->num_parts > 1)
        return;
    lm_buffer_text(out,
                   "\n  Attachments\n    none; convert and render attach a model with --attach ");
    lmi_text_harmless(out, asset->model->tags[0].name);
    lm_buffer_text(out, "=MODEL\n");
}

static void print(tool_job *job, const lm_assets *assets, uint32_t part) {
    lm_error error;
    const lm_asset *asset = &assets->assets[part];
    lm_report *report = lm_check_memory(asset->data, asset->size, NULL, &error);
    if (!report || (job->json && !lmi_describe_json(assets, part, report, &job->out, &error))) {
        tool_fail_error(job, &error);
    } else {
        tool_mark_report(job, report);
        if (!job->json) {
            lmi_describe(assets, part, tool_has(job->args, LM_OPTION_VERBOSE), &job->out);
            print_use_of_tags(assets, &job->out);
            if (report->num_errors + report->num_warnings > 0)
                lm_buffer_printf(&job->out, "\n  Problems\n    %s, %s; lerpmesh check lists them\n",
                                 lmi_count_nouns(report->num_errors, "errors").text,
                                 lmi_count_nouns(report->num_warnings, "warnings").text);
        }
    }
    lm_report_free(report);
}

static void info_file(tool_job *job, const void *options) {
    lm_assets *assets = tool_open(job, options);
    if (!assets)
        return;
    /* The list of textures already shows the warnings about their names. */
    tool_report_textures(job, assets, LM_SEVERITY_ERROR);
    for (uint32_t part = 0; part < assets->scene->num_parts; part++) {
        if (part > 0 && !job->json)
            lm_buffer_text(&job->out, "\n");
        print(job, assets, part);
    }
    lm_assets_free(assets);
}

static int run_info(const tool_args *args) {
    lm_assets_options options = {.images = LM_IMAGES_FOUND};
    if (!tool_open_options_read(args, &options))
        return TOOL_USAGE;
    return tool_batch_run(&(tool_batch){.args = args,
                                        .work = info_file,
                                        .context = &options,
                                        .done = "read",
                                        .blank_lines = !tool_has(args, LM_OPTION_JSON)});
}

const tool_command tool_info = {
    .name = "info",
    .usage = "[options] FILE|DIR|ARCHIVE...",
    .summary = "show a model's format, frames, clips, surfaces, skins and tags",
    .about =
        "Shows each model's format, size, frames, bounds, clips, surfaces, skins, tags, GL\n"
        "commands and warnings, and counts the problems that check lists. For each texture,\n"
        "shows the file that was found, or how many paths were tried. -v lists every frame and\n"
        "every path. Clips come from a file in the model's folder if there is one:\n"
        "tris.md2.framegroups, tris.framegroups, tris.anm or animation.cfg. An MD2's tags come\n"
        "from tris.tag.",
    .usual = {LM_OPTION_JSON, LM_OPTION_VERBOSE, LM_OPTION_CLIPS, LM_OPTION_GAME, LM_OPTION_SKIN,
              LM_OPTION_REPAIR, LM_OPTION_STRICT, LM_OPTION_JOBS, LM_OPTION_SUMMARY,
              LM_OPTION_MAX_INPUT, LM_OPTION_QUIET},
    .expand = TOOL_EXPAND_FOLDERS,
    .examples = "  lerpmesh info tris.md2\n"
                "  lerpmesh info --json models/*.mdc | jq .surfaces\n"
                "  lerpmesh info pak0.pk3:models/leg.mdc 'pak0.pak:models/**/*.md2'\n",
    .run = run_info,
};
