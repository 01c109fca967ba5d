#include "batch.h"
#include "commands.h"
#include "describe.h"
#include "open.h"

typedef struct info_context {
    tool_wishes wishes;
    bool json, verbose;
} info_context;

static void info_file(tool_job *job, const void *user) {
    const info_context *context = user;
    lm_assets *assets = tool_open(job, &context->wishes, context->json);
    if (!assets)
        return;
    /* What is odd about a texture's name stands in the list. */
    const tool_wishes errors = {.quiet = true};
    tool_tell_textures(job, assets, &errors, LM_WARNING);
    lm_error error;
    if (!context->json)
        lm_describe(assets, 0, context->verbose, &job->out);
    else if (!lm_describe_json(assets, 0, &job->out, &error))
        tool_fail_error(job, &error, true);
    lm_assets_free(assets);
}

static int run_info(const tool_args *args) {
    info_context context = {.json = tool_has(args, TOOL_JSON),
                            .verbose = tool_has(args, TOOL_VERBOSE)};
    int status = TOOL_USAGE;
    context.wishes.options.pictures = LM_PICTURES_FOUND;
    if (tool_wishes_read(args, &context.wishes))
        status = tool_batch_run(&(tool_batch){.args = args,
                                              .work = info_file,
                                              .context = &context,
                                              .done = "read",
                                              .blank_lines = !context.json});
    tool_wishes_free(&context.wishes);
    return status;
}

static const tool_option options[] = {TOOL_JSON,    TOOL_VERBOSE,   TOOL_CLIPS, TOOL_GAME,
                                      TOOL_SKIN,    TOOL_REPAIR,    TOOL_QUIRK, TOOL_JOBS,
                                      TOOL_SUMMARY, TOOL_MAX_INPUT, TOOL_QUIET, TOOL_HELP};

const tool_command tool_info = {
    .name = "info",
    .usage = "[options] FILE|DIR|ARCHIVE...",
    .summary = "show what is in a model: frames, clips, surfaces, skins, tags",
    .about = "Shows what is in each model: format and size, frames and their bounds, clips,\n"
             "surfaces, skins, tags, GL commands, and what is odd. -v lists every frame.\n"
             "Of each texture it says where it was found, or where it was looked for.\n"
             "A clip file beside the model is used if there is one: tris.md2.framegroups,\n"
             "tris.framegroups or animation.cfg.",
    .options = options,
    .num_options = TOOL_COUNT_OF(options),
    .expand = TOOL_EXPAND_FOLDERS,
    .examples = "  lerpmesh info tris.md2\n"
                "  lerpmesh info --json models/*.mdc | jq .surfaces\n"
                "  lerpmesh info pak0.pk3:models/leg.mdc 'pak0.pak:models/**/*.md2'\n",
    .run = run_info,
};
