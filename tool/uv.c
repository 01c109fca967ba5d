#include "batch.h"
#include "describe.h"
#include "lerpmesh/export.h"
#include "lerpmesh/image.h"

#include <string.h>

typedef struct uv_context {
    lm_assets_options options;
    tool_output output;
    const char *surface; /* the value of --surface, or NULL */
    bool exact, png;
} uv_context;

/* ---- Surfaces -------------------------------------------------------------------------------- */

/* All surfaces of a scene, as those of its first model. */
typedef struct uv_surfaces {
    lm_model model;
    uint32_t *textures; /* [model.num_surfaces]; LM_NO_TEXTURE: none */
} uv_surfaces;

/* A texture and the surfaces that use it; without a texture, all surfaces that use none. */
typedef struct uv_choice {
    uint32_t texture; /* LM_NO_TEXTURE: none */
    bool *surfaces;   /* [model->num_surfaces] */
    uint32_t num_others;
    const char *other; /* a surface that uses another texture */
} uv_choice;

static uint32_t texture_of(const lm_scene_part *part, uint32_t surface) {
    return part->num_skins > 0 ? part->skins[part->skin].materials[surface].texture : LM_NO_TEXTURE;
}

static bool gather(const lm_scene *scene, lm_arena *arena, uv_surfaces *all) {
    uint64_t count = 0;
    for (uint32_t p = 0; p < scene->num_parts; p++)
        count += scene->parts[p].model->num_surfaces;
    lm_surface *surfaces = lmi_arena_alloc(arena, count, sizeof *surfaces);
    all->textures = lmi_arena_alloc(arena, count, sizeof *all->textures);
    if (!surfaces || !all->textures)
        return false;
    all->model = *scene->parts[0].model;
    all->model.surfaces = surfaces;
    all->model.num_surfaces = 0;
    for (uint32_t p = 0; p < scene->num_parts; p++)
        for (uint32_t i = 0; i < scene->parts[p].model->num_surfaces; i++) {
            all->textures[all->model.num_surfaces] = texture_of(&scene->parts[p], i);
            surfaces[all->model.num_surfaces++] = scene->parts[p].model->surfaces[i];
        }
    return true;
}

/* Returns the texture that most triangles use; LM_NO_TEXTURE if there is none. `counts`: a zero for
 * each. */
static uint32_t find_skin(const lm_scene *scene, const uv_surfaces *all, uint64_t *counts) {
    uint32_t best = LM_NO_TEXTURE;
    for (uint32_t i = 0; i < all->model.num_surfaces; i++)
        if (all->textures[i] != LM_NO_TEXTURE)
            counts[all->textures[i]] += all->model.surfaces[i].num_triangles;
    for (uint32_t t = 0; t < scene->num_textures; t++)
        if (counts[t] > (best == LM_NO_TEXTURE ? 0 : counts[best]))
            best = t;
    return best;
}

static bool fail_surface(tool_job *job, const lm_model *model, const char *name) {
    lm_guess guess = {.word = name};
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        lmi_guess_try(&guess, model->surfaces[i].name);
    if (guess.best)
        return tool_inapplicable(job, "there is no surface \"%s\"; did you mean \"%s\"?", name,
                                 guess.best);
    return tool_inapplicable(job, "there is no surface \"%s\"; lerpmesh info lists the surfaces",
                             name);
}

/* Returns false if the job failed, or the model does not have the requested surface. */
static bool choose(tool_job *job, const char *name, const lm_scene *scene, const uv_surfaces *all,
                   uv_choice *choice) {
    const lm_surface *surfaces = all->model.surfaces;
    const uint32_t num_surfaces = all->model.num_surfaces;
    uint32_t wanted = 0;
    while (wanted < num_surfaces && name && strcmp(surfaces[wanted].name, name) != 0)
        wanted++;
    uint64_t *counts = lmi_arena_zeros(job->arena, scene->num_textures + (size_t)1, sizeof *counts);
    *choice = (uv_choice){.surfaces = lmi_arena_zeros(job->arena, num_surfaces + (size_t)1,
                                                      sizeof *choice->surfaces)};
    if (!counts || !choice->surfaces)
        return false;
    if (name && wanted == num_surfaces) {
        job->unwritten = fail_surface(job, &all->model, name);
        return false;
    }
    choice->texture = name ? all->textures[wanted] : find_skin(scene, all, counts);
    for (uint32_t i = 0; i < num_surfaces; i++) {
        const bool is_chosen = name && choice->texture == LM_NO_TEXTURE
                                   ? i == wanted
                                   : all->textures[i] == choice->texture;
        choice->surfaces[i] = is_chosen;
        choice->num_others += !is_chosen;
        if (!is_chosen && !choice->other)
            choice->other = surfaces[i].name;
    }
    return true;
}

/* ---- Drawing ------------------------------------------------------------------------------- */

/* Encodes the skin as a file, which SVG needs. */
static bool make_file(lm_scene_texture *skin, lm_buffer *png, lm_error *error) {
    if (skin->mime)
        return true;
    if (!lm_pixels_write(skin->pixels, skin->width, skin->height, LM_PIXELS_PNG, NULL, png, error))
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
                 lm_uv_write(model, &options, svg, NULL, error);
    lm_buffer_free(&png);
    return drawn;
}

static bool draw_png(const lm_model *model, lm_uv_options options, lm_buffer *png,
                     lm_error *error) {
    lm_buffer pixels = {0};
    lm_uv_result size;
    options.pixels = true;
    bool drawn =
        lm_uv_write(model, &options, &pixels, &size, error) &&
        lm_pixels_write(pixels.data, size.width, size.height, LM_PIXELS_PNG, NULL, png, error);
    lm_buffer_free(&pixels);
    return drawn;
}

static void draw(tool_job *job, const uv_context *context, const lm_scene *scene,
                 const lm_model *model, const uv_choice *choice) {
    const bool has_skin = choice->texture != LM_NO_TEXTURE;
    lm_scene_texture skin = has_skin ? scene->textures[choice->texture] : (lm_scene_texture){0};
    const lm_uv_options options = {
        .skin = has_skin ? &skin : NULL, .exact = context->exact, .surfaces = choice->surfaces};
    const char *path;
    lm_buffer image = {0};
    lm_error error;
    if (!(context->png ? draw_png(model, options, &image, &error)
                       : draw_svg(model, &skin, options, &image, &error)))
        tool_fail_error(job, &error);
    else if (tool_output_path(job, &context->output, &path))
        tool_output_put(job, path, &image);
    lm_buffer_free(&image);
}

static void uv_file(tool_job *job, const void *user) {
    const uv_context *context = user;
    uv_surfaces all;
    uv_choice choice;
    lm_assets *assets = tool_open(job, &context->options, false);
    if (!assets)
        return;
    tool_report_textures(job, assets, LM_SEVERITY_WARNING);
    if (gather(assets->scene, job->arena, &all) &&
        choose(job, context->surface, assets->scene, &all, &choice)) {
        if (choice.num_others > 0 && !context->surface)
            tool_note(job,
                      "%u of %u surfaces use other textures and are not drawn; --surface %s draws "
                      "over its texture",
                      choice.num_others, all.model.num_surfaces, choice.other);
        draw(job, context, assets->scene, &all.model, &choice);
    }
    lm_assets_free(assets);
}

/* Chooses the format by --format or the output's name, which must agree. */
static bool read_format(const tool_args *args, uv_context *context) {
    tool_output *output = &context->output;
    const char *extension = lmi_vfs_extension(args->vfs, output->path);
    const bool is_png = lmi_compare_letters(extension, ".png") == 0,
               is_svg = lmi_compare_letters(extension, ".svg") == 0;
    unsigned format = is_png && output->kind == TOOL_TO_FILE;
    if (!tool_word(args, LM_OPTION_UV_FORMAT, &format))
        return false;
    context->png = format == 1;
    output->extension = context->png ? ".png" : ".svg";
    if (output->kind == TOOL_TO_FILE && !is_png && !is_svg)
        return tool_output_misnamed(output, ".svg or .png");
    if (output->kind == TOOL_TO_FILE && is_png != context->png)
        return tool_usage(args, "%s does not match --format %s", output->path,
                          tool_value(args, LM_OPTION_UV_FORMAT));
    return !context->png || !tool_output_is_blocked(output);
}

static int run_uv(const tool_args *args) {
    uv_context context = {.options.images = LM_IMAGES_PIXELS,
                          .exact = tool_has(args, LM_OPTION_EXACT),
                          .surface = tool_value(args, LM_OPTION_SURFACE)};
    if (!tool_open_options_read(args, &context.options) ||
        !tool_output_read(args, &context.output) || !read_format(args, &context))
        return TOOL_USAGE;
    context.options.clips = "none";
    return tool_batch_run(&(tool_batch){.args = args,
                                        .work = uv_file,
                                        .context = &context,
                                        .done = "drawn",
                                        .output = &context.output});
}

const tool_command tool_uv = {
    .name = "uv",
    .usage = "[options] FILE|DIR|ARCHIVE... [-o OUT]",
    .summary = "draw the texture coordinates over the skin, as SVG or PNG",
    .about =
        "Draws the unwrapped triangles over the skin that most of them use, each surface in its\n"
        "own colour. --surface draws over the skin of that surface. A player's folder is drawn as\n"
        "one model. Without -o, SVG goes to standard output; -o DIR/ takes several files. --exact\n"
        "draws only the skin's rectangle, as a template to paint on; a PNG then has the skin's "
        "size.",
    .usual = {LM_OPTION_OUTPUT, LM_OPTION_UV_FORMAT, LM_OPTION_EXACT, LM_OPTION_SURFACE,
              LM_OPTION_SKIN, LM_OPTION_GAME, LM_OPTION_PALETTE, LM_OPTION_TOPOLOGY,
              LM_OPTION_REPAIR, LM_OPTION_FORCE, LM_OPTION_JOBS, LM_OPTION_VERBOSE},
    .expand = TOOL_EXPAND_PLAYERS,
    .examples = "  lerpmesh uv tris.md2 -o uv.svg\n"
                "  lerpmesh uv --exact tris.md2 -o uv.png\n"
                "  lerpmesh uv --surface h_eyes head.md3 -o eyes.png\n"
                "  lerpmesh uv --topology glcommands tris.md2 -o glcommands.svg\n"
                "  lerpmesh uv --format png pak0.pk3 -o images/\n",
    .run = run_uv,
};
