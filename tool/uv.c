#include "batch.h"
#include "commands.h"
#include "lerpmesh/export.h"
#include "open.h"
#include "output.h"
#include "text.h"

typedef struct uv_context {
    lm_load_options load;
    tool_output output;
} uv_context;

static void write_picture(tool_job *job, const tool_output *output, lm_buffer *picture) {
    lm_buffer path = {0};
    if (tool_output_path(job, output, &path, NULL))
        tool_output_write(job, (const char *)path.data, picture->data, picture->size);
    lm_buffer_free(&path);
}

static void draw(tool_job *job, const lm_model *model, const tool_output *output) {
    lm_buffer picture = {0};
    lm_error error;
    if (!lm_uv_svg_write(model, &picture, &error))
        tool_fail_error(job, &error, false);
    else if (output->kind == TOOL_TO_STDOUT) {
        job->out = picture;
        picture = (lm_buffer){0};
    } else
        write_picture(job, output, &picture);
    lm_buffer_free(&picture);
}

static void uv_file(tool_job *job, const void *user) {
    const uv_context *context = user;
    lm_file file;
    lm_error error;
    if (!lm_disk_read(job->disk, job->path, job->max_input, &file, &error)) {
        tool_fail_error(job, &error, false);
        return;
    }
    lm_model *model = lm_load_memory(file.data, file.size, &context->load, &error);
    if (model) {
        tool_mark_warnings(job, model);
        draw(job, model, &context->output);
    } else {
        tool_fail_error(job, &error, false);
    }
    lm_free(model);
    lm_file_close(&file);
}

static bool read_output(const tool_args *args, tool_output *output) {
    if (!tool_output_read(args, output))
        return false;
    output->extension = ".svg";
    if (output->kind == TOOL_TO_FILE &&
        !tool_same_text(lm_disk_extension(args->disk, output->path), ".svg"))
        return tool_usage(args, "the picture is an SVG: name it .svg, not %s", output->path);
    return true;
}

static int run_uv(const tool_args *args) {
    uv_context context = {0};
    int status = TOOL_USAGE;
    if (tool_load_options_read(args, &context.load) && read_output(args, &context.output)) {
        status = tool_output_prepare(&context.output);
        if (status == TOOL_DONE)
            status = tool_batch_run(&(tool_batch){.args = args,
                                                  .work = uv_file,
                                                  .context = &context,
                                                  .done = "drawn",
                                                  .writes = true});
    }
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
