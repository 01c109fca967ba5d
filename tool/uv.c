#include "batch.h"
#include "commands.h"
#include "lerpmesh/export.h"
#include "lerpmesh/image.h"
#include "open.h"
#include "output.h"
#include "text.h"

typedef struct uv_context {
    tool_wishes wishes;
    tool_output output;
    bool exact;
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

static void draw(tool_job *job, const uv_context *context, const lm_scene *scene) {
    const tool_output *output = &context->output;
    lm_buffer picture = {0}, png = {0};
    lm_error error;
    lm_scene_texture skin = {0};
    uint32_t index = find_skin(scene);
    if (index != LM_NO_TEXTURE) {
        skin = scene->textures[index];
        if (!skin.mime &&
            !lm_pixels_write_png(skin.pixels, skin.width, skin.height, &png, &error)) {
            tool_fail_error(job, &error, false);
            return;
        }
        if (!skin.mime) {
            skin.mime = "image/png";
            skin.data = png.data;
            skin.size = png.size;
        }
    }
    const lm_uv_options options = {skin.mime ? &skin : NULL, context->exact};
    if (!lm_uv_svg_write(scene->parts[0].model, &options, &picture, &error))
        tool_fail_error(job, &error, false);
    else if (output->kind == TOOL_TO_STDOUT) {
        job->out = picture;
        picture = (lm_buffer){0};
    } else
        write_picture(job, output, &picture);
    lm_buffer_free(&picture);
    lm_buffer_free(&png);
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
    uv_context context = {.exact = tool_has(args, TOOL_EXACT)};
    int status = TOOL_USAGE;
    context.wishes.options.pictures = LM_PICTURES_PIXELS;
    bool read = tool_wishes_read(args, &context.wishes) && read_output(args, &context.output);
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
    tool_wishes_free(&context.wishes);
    return status;
}

static const tool_option options[] = {TOOL_OUTPUT,        TOOL_EXACT,     TOOL_SKIN,   TOOL_GAME,
                                      TOOL_PALETTE,       TOOL_TOPOLOGY,  TOOL_REPAIR, TOOL_FORCE,
                                      TOOL_JOBS,          TOOL_MAX_INPUT, TOOL_QUIET,  TOOL_VERBOSE,
                                      TOOL_SKIP_EXISTING, TOOL_HELP};

const tool_command tool_uv = {
    .name = "uv",
    .usage = "[options] FILE|DIR|ARCHIVE... [-o OUT]",
    .summary = "draw the texture coordinates as an SVG picture",
    .about =
        "Draws the unwrapped triangles over the skin that most of them wear, each surface in its\n"
        "own colour. Without -o the SVG goes to standard output; -o DIR/ takes several files.\n"
        "--exact: the skin's rectangle and no more, to be painted over.",
    .options = options,
    .num_options = TOOL_COUNT_OF(options),
    .expand = TOOL_EXPAND_FOLDERS,
    .examples = "  lerpmesh uv tris.md2 -o uv.svg\n"
                "  lerpmesh uv --topology glcommands tris.md2 -o glcommands.svg\n"
                "  lerpmesh uv pak0.pk3 -o pictures/\n",
    .run = run_uv,
};
