#include "commands.h"
#include "input.h"
#include "lerpmesh/export.h"
#include "output.h"
#include "text.h"

typedef struct uv_context {
    tool_load_settings settings;
    tool_output output;
} uv_context;

static void write_picture(tool_job *job, const tool_output *output, lm_buffer *picture) {
    lm_buffer path = {0};
    if (tool_output_path(job, output, &path, NULL))
        tool_output_write(job, (const char *)path.data, picture);
    lm_buffer_free(&path);
}

static void uv_file(tool_job *job, const void *user) {
    const uv_context *context = user;
    tool_input input;
    lm_error error;
    if (!tool_input_open(job, &context->settings, &input, &error)) {
        tool_fail_error(job, &error, false);
        return;
    }
    lm_buffer picture = {0};
    if (!lm_uv_svg_write(input.model, &picture, &error))
        tool_fail_error(job, &error, false);
    else if (context->output.kind == TOOL_TO_STDOUT) {
        job->out = picture;
        picture = (lm_buffer){0};
    } else
        write_picture(job, &context->output, &picture);
    lm_buffer_free(&picture);
    tool_input_close(&input);
}

static bool read_output(const tool_args *args, tool_output *output) {
    if (!tool_output_read(args, output))
        return false;
    output->extension = ".svg";
    if (output->kind == TOOL_TO_FILE && !tool_same_text(tool_extension(output->path), ".svg"))
        return tool_usage(args, "the picture is an SVG: name it .svg, not %s", output->path);
    return true;
}

static int run_uv(const tool_args *args) {
    uv_context context = {0};
    int status = TOOL_USAGE;
    if (tool_load_settings_read(args, &context.settings) && read_output(args, &context.output)) {
        /* Clips do not show in the picture. */
        context.settings.no_clip_files = true;
        status = tool_output_prepare(&context.output);
        if (status == TOOL_DONE)
            status =
                tool_batch_run(&(tool_batch){.args = args, .work = uv_file, .context = &context});
    }
    tool_load_settings_free(&context.settings);
    return status;
}

static const tool_option options[] = {TOOL_OUTPUT, TOOL_TOPOLOGY,  TOOL_REPAIR, TOOL_FORCE,
                                      TOOL_JOBS,   TOOL_MAX_INPUT, TOOL_QUIET,  TOOL_HELP};

const tool_command tool_uv = {
    .name = "uv",
    .usage = "[options] FILE... [-o OUT]",
    .summary = "draw the texture coordinates as an SVG picture",
    .about = "Draws the unwrapped triangles over the skin's rectangle, each surface in its own\n"
             "colour. Without -o the SVG goes to standard output; -o DIR/ takes several files.",
    .options = options,
    .num_options = TOOL_COUNT_OF(options),
    .expand = TOOL_EXPAND_MEMBERS,
    .examples = "  lerpmesh uv tris.md2 -o uv.svg\n"
                "  lerpmesh uv --topology glcommands tris.md2 -o glcommands.svg\n"
                "  lerpmesh uv *.mdc -o pictures/\n",
    .run = run_uv,
};
