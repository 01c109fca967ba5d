#include "batch.h"
#include "commands.h"
#include "lerpmesh/export.h"
#include "lerpmesh/image.h"
#include "open.h"
#include "output.h"
#include "text.h"

#include <string.h>

typedef struct uv_context {
    tool_wishes wishes;
    tool_output output;
    bool exact, png;
} uv_context;

static void write_picture(tool_job *job, const tool_output *output, lm_buffer *picture) {
    lm_buffer path = {0};
    if (tool_output_path(job, output, &path, NULL))
        tool_output_write(job, (const char *)path.data, picture->data, picture->size);
    lm_buffer_free(&path);
}

/* The texture that most triangles wear, LM_NO_TEXTURE if none does. */
static uint32_t find_skin(const lm_scene *scene) {
    const lm_scene_part *part = &scene->parts[0];
    uint32_t best = LM_NO_TEXTURE, most = 0;
    for (uint32_t t = 0; t < scene->num_textures; t++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < part->model->num_surfaces && part->num_skins > 0; i++)
            if (part->skins[part->skin].materials[i].texture == t)
                count += part->model->surfaces[i].num_triangles;
        if (count > most) {
            best = t;
            most = count;
        }
    }
    return best;
}

/* An SVG takes the skin as a file. */
static bool make_file(lm_scene_texture *skin, lm_buffer *png, lm_error *error) {
    if (skin->mime)
        return true;
    if (!lm_pixels_write_png(skin->pixels, skin->width, skin->height, png, error))
        return false;
    skin->mime = "image/png";
    skin->data = png->data;
    skin->size = png->size;
    return true;
}

static bool draw_svg(const lm_model *model, lm_scene_texture *skin, lm_uv_options options,
                     lm_buffer *svg, lm_error *error) {
    lm_buffer png = {0};
    bool drawn = (!options.skin || make_file(skin, &png, error)) &&
                 lm_uv_svg_write(model, &options, svg, error);
    lm_buffer_free(&png);
    return drawn;
}

static bool draw_png(const lm_model *model, lm_uv_options options, lm_buffer *png,
                     lm_error *error) {
    lm_buffer pixels = {0};
    uint32_t width, height;
    bool drawn = lm_uv_draw(model, &options, &pixels, &width, &height, error) &&
                 lm_pixels_write_png(pixels.data, width, height, png, error);
    lm_buffer_free(&pixels);
    return drawn;
}

static void draw(tool_job *job, const uv_context *context, const lm_scene *scene) {
    const tool_output *output = &context->output;
    const lm_model *model = scene->parts[0].model;
    const uint32_t index = find_skin(scene);
    const bool dressed = index != LM_NO_TEXTURE;
    lm_scene_texture skin = dressed ? scene->textures[index] : (lm_scene_texture){0};
    const lm_uv_options options = {dressed ? &skin : NULL, context->exact};
    lm_buffer picture = {0};
    lm_error error;
    if (!(context->png ? draw_png(model, options, &picture, &error)
                       : draw_svg(model, &skin, options, &picture, &error)))
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
    if (tool_output_skips(job, &context->output))
        return;
    lm_assets *assets = tool_open(job, &context->wishes, false);
    if (!assets)
        return;
    tool_tell_textures(job, assets, &context->wishes, LM_WARNING);
    draw(job, context, assets->scene);
    lm_assets_free(assets);
}

/* By --format, or by the output's name; both must agree. */
static bool read_format(const tool_args *args, uv_context *context) {
    tool_output *output = &context->output;
    const char *name = tool_value(args, TOOL_UV_FORMAT);
    const char *extension = lm_disk_extension(args->disk, output->path);
    bool is_png = tool_same_text(extension, ".png"), is_svg = tool_same_text(extension, ".svg");
    if (name && strcmp(name, "png") != 0 && strcmp(name, "svg") != 0)
        return tool_usage(args, "--format is svg or png, not \"%s\"", name);
    context->png = name ? strcmp(name, "png") == 0 : is_png && output->kind == TOOL_TO_FILE;
    output->extension = context->png ? ".png" : ".svg";
    if (output->kind == TOOL_TO_FILE && !is_png && !is_svg)
        return tool_usage(args, "%s: end the name with .svg or .png", output->path);
    if (output->kind == TOOL_TO_FILE && is_png != context->png)
        return tool_usage(args, "%s does not fit --format %s", output->path, name);
    return !context->png || !tool_output_floods(output);
}

static int run_uv(const tool_args *args) {
    uv_context context = {.exact = tool_has(args, TOOL_EXACT)};
    int status = TOOL_USAGE;
    context.wishes.options.pictures = LM_PICTURES_PIXELS;
    bool read = tool_wishes_read(args, &context.wishes) &&
                tool_output_read(args, &context.output) && read_format(args, &context);
    context.wishes.options.clips = "none";
    if (read) {
        status = tool_output_prepare(&context.output);
        if (status == TOOL_DONE)
            status = tool_batch_run(&(tool_batch){.args = args,
                                                  .work = uv_file,
                                                  .context = &context,
                                                  .done = "drawn",
                                                  .writes = true});
    }
    tool_output_free(&context.output);
    tool_wishes_free(&context.wishes);
    return status;
}

static const tool_option options[] = {TOOL_OUTPUT,  TOOL_UV_FORMAT,     TOOL_EXACT,     TOOL_SKIN,
                                      TOOL_GAME,    TOOL_PALETTE,       TOOL_TOPOLOGY,  TOOL_REPAIR,
                                      TOOL_FORCE,   TOOL_JOBS,          TOOL_MAX_INPUT, TOOL_QUIET,
                                      TOOL_VERBOSE, TOOL_SKIP_EXISTING, TOOL_SYNC,      TOOL_HELP};

const tool_command tool_uv = {
    .name = "uv",
    .usage = "[options] FILE|DIR|ARCHIVE... [-o OUT]",
    .summary = "draw the texture coordinates over the skin, as SVG or PNG",
    .about =
        "Draws the unwrapped triangles over the skin that most of them wear, each surface in its\n"
        "own colour. Without -o an SVG goes to standard output; -o DIR/ takes several files, and\n"
        "--format png makes pictures of them.\n"
        "--exact: the skin's rectangle and no more, to be painted over; a PNG is as large as it.",
    .options = options,
    .num_options = TOOL_COUNT_OF(options),
    .expand = TOOL_EXPAND_FOLDERS,
    .examples = "  lerpmesh uv tris.md2 -o uv.svg\n"
                "  lerpmesh uv --exact tris.md2 -o uv.png\n"
                "  lerpmesh uv --topology glcommands tris.md2 -o glcommands.svg\n"
                "  lerpmesh uv --format png pak0.pk3 -o pictures/\n",
    .run = run_uv,
};
