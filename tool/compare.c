#include "batch.h"
#include "describe.h"
#include "image/studio.h"
#include "lerpmesh/mesh.h"

#include <float.h>
#include <math.h>

typedef struct compare_settings {
    lm_assets_options options;
    tool_output image; /* its path is NULL without --image */
    double tolerance;
} compare_settings;

typedef struct compared {
    const char *paths[2];
    lm_assets *assets[2];
    lm_mesh *meshes[2];
    lm_comparison *found;
} compared;

/* Opens one input, as a mesh of its first model with that model's clips. */
static bool open_side(tool_job *job, const lm_assets_options *options, compared *c, int side) {
    lm_error error;
    job->path = c->paths[side] = job->args->inputs[side].path;
    c->assets[side] = tool_open(job, options, false);
    if (!c->assets[side])
        return false;
    const lm_scene_part *part = &c->assets[side]->scene->parts[0];
    if (c->assets[side]->scene->num_parts > 1 || lmi_vfs_is_folder(job->vfs, job->path))
        tool_warn(job, "only %s is compared: name the other models to compare them",
                  c->assets[side]->assets[0].path);
    c->meshes[side] = lm_mesh_from_model(part->model, NULL, &error);
    if (!c->meshes[side])
        return tool_fail_error(job, &error);
    if (part->clips) {
        c->meshes[side]->clips = part->clips;
        c->meshes[side]->num_clips = part->num_clips;
    }
    return true;
}

/* ---- Results --------------------------------------------------------------------------------- */

static bool both_have_tags(const compared *c) {
    return c->meshes[0]->num_tags > 0 && c->meshes[1]->num_tags > 0;
}

static void print_clips(const compared *c, lm_buffer *out) {
    static const char *const headings[] = {"clip",      "frames",     "max error",    "RMS",
                                           "max angle", "mean angle", "max tag error"};
    lm_text_table table;
    lmi_text_table_begin(&table, both_have_tags(c) ? "lrrrrrr" : "lrrrrr", headings);
    for (uint32_t i = 0; i < c->found->num_clips; i++) {
        const lm_clip_distance *clip = &c->found->clips[i];
        lmi_text_cell(&table, *clip->name ? clip->name : "(all frames)");
        lmi_text_cell_printf(&table, "%u", (unsigned)clip->count);
        lmi_text_cell_printf(&table, "%.4g", clip->distance.max_distance);
        lmi_text_cell_printf(&table, "%.3g", clip->distance.rms_distance);
        lmi_text_cell_printf(&table, "%.3g", clip->distance.max_angle_error);
        lmi_text_cell_printf(&table, "%.2g", clip->distance.mean_angle_error);
        if (both_have_tags(c))
            lmi_text_cell_printf(&table, "%.4g", clip->max_tag_distance);
    }
    lmi_text_table_print(&table, "  ", out);
}

static void print_worst(const compared *c, lm_buffer *out) {
    const lm_distance *all = &c->found->all;
    const char *name = c->meshes[all->of_second]->surfaces[all->surface].name;
    lm_buffer_printf(out, "  largest at vertex %u of surface %u \"", (unsigned)all->vertex,
                     (unsigned)all->surface);
    lmi_text_harmless(out, name ? name : "");
    lm_buffer_text(out, "\" of ");
    lmi_text_harmless(out, tool_shown_path(c->paths[all->of_second]));
    lm_buffer_printf(out, ", in frames %u and %u\n", (unsigned)all->frame_a,
                     (unsigned)all->frame_b);
}

/* Returns the clip of the largest error of a tag. NULL: no tag is elsewhere. */
static const lm_clip_distance *find_worst_tag(const lm_comparison *found) {
    const lm_clip_distance *worst = NULL;
    for (uint32_t i = 0; i < found->num_clips; i++)
        if (found->clips[i].max_tag_distance > (worst ? worst->max_tag_distance : 0))
            worst = &found->clips[i];
    return worst;
}

static void print_tags(const compared *c, lm_buffer *out) {
    const lm_clip_distance *worst = find_worst_tag(c->found);
    lm_buffer_printf(out, "tags: maximum error %.4g units and %.3g degrees\n",
                     c->found->max_tag_distance, c->found->max_tag_angle_error);
    if (!worst)
        return;
    lm_buffer_text(out, "  largest at tag \"");
    lmi_text_harmless(out, c->meshes[0]->tags[worst->tag].name);
    lm_buffer_text(out, *worst->name ? "\", in clip " : "\"");
    lmi_text_harmless(out, worst->name);
    lm_buffer_printf(out, ", in frames %u and %u\n", (unsigned)(worst->first_a + worst->tag_frame),
                     (unsigned)(worst->first_b + worst->tag_frame));
}

static void print(const compared *c, lm_buffer *out) {
    const lm_comparison *found = c->found;
    const lm_distance *all = &found->all;
    lm_buffer_printf(out, "positions: maximum error %.4g units, RMS %.3g\n", all->max_distance,
                     all->rms_distance);
    if (all->max_distance > 0)
        print_worst(c, out);
    lm_buffer_printf(out, "normals: maximum error %.3g degrees, average %.3g\n",
                     all->max_angle_error, all->mean_angle_error);
    lm_buffer_printf(out, "texture coordinates: maximum error %.3g of the skin\n", found->max_st);
    if (both_have_tags(c))
        print_tags(c, out);
    for (uint32_t i = 0; i < found->num_differences; i++) {
        lm_buffer_text(out, found->differences[i].subject);
        lmi_text_line(out, ": ", found->differences[i].text);
    }
    lm_buffer_text(out, "\n");
    print_clips(c, out);
}

static void write_distance(lm_json *json, const lm_distance *d) {
    lmi_json_double(json, "max_distance", d->max_distance);
    lmi_json_double(json, "rms_distance", d->rms_distance);
    lmi_json_double(json, "max_angle_error", d->max_angle_error);
    lmi_json_double(json, "mean_angle_error", d->mean_angle_error);
    lmi_json_open(json, "worst", '{');
    lmi_json_integer(json, "file", d->of_second);
    lmi_json_integer(json, "surface", d->surface);
    lmi_json_integer(json, "vertex", d->vertex);
    lmi_json_integer(json, "frame_a", d->frame_a);
    lmi_json_integer(json, "frame_b", d->frame_b);
    lmi_json_close(json);
}

static void write(const compared *c, lm_buffer *out) {
    const lm_comparison *found = c->found;
    lm_json json = {.out = out};
    lmi_json_open(&json, NULL, '{');
    lmi_json_two_paths(&json, "files", c->paths);
    write_distance(&json, &found->all);
    lmi_json_double(&json, "max_st", found->max_st);
    lmi_json_double(&json, "max_tag_distance", found->max_tag_distance);
    lmi_json_double(&json, "max_tag_angle_error", found->max_tag_angle_error);
    lmi_json_open(&json, "clips", '[');
    for (uint32_t i = 0; i < found->num_clips; i++) {
        const lm_clip_distance *clip = &found->clips[i];
        lmi_json_open(&json, NULL, '{');
        lmi_json_string(&json, "name", clip->name);
        lmi_json_integer(&json, "first_a", clip->first_a);
        lmi_json_integer(&json, "first_b", clip->first_b);
        lmi_json_integer(&json, "count", clip->count);
        write_distance(&json, &clip->distance);
        lmi_json_double(&json, "max_tag_distance", clip->max_tag_distance);
        lmi_json_double(&json, "max_tag_angle_error", clip->max_tag_angle_error);
        if (clip->max_tag_distance > 0) {
            lmi_json_string(&json, "worst_tag", c->meshes[0]->tags[clip->tag].name);
            lmi_json_integer(&json, "worst_tag_frame", clip->tag_frame);
        }
        lmi_json_close(&json);
    }
    lmi_json_close(&json);
    lmi_json_open(&json, "differences", '[');
    for (uint32_t i = 0; i < found->num_differences; i++) {
        lmi_json_open(&json, NULL, '{');
        lmi_json_string(&json, "what", found->differences[i].subject);
        lmi_json_string(&json, "message", found->differences[i].text);
        lmi_json_close(&json);
    }
    lmi_json_close(&json);
    tool_json_end(&json);
}

/* ---- The image ------------------------------------------------------------------------------- */

static void draw(tool_job *job, const tool_output *output, const compared *c) {
    const char *path;
    lm_buffer png = {0};
    lm_error error;
    difference_models models = {.found = c->found};
    for (int side = 0; side < 2; side++) {
        models.names[side] = tool_shown_path(c->paths[side]);
        models.models[side] = c->assets[side]->scene->parts[0].model;
        models.meshes[side] = c->meshes[side];
    }
    coarse_image coarse = {.fill = 0};
    if (tool_output_path(job, output, &path) &&
        (difference_draw(&models, &png, &coarse, &error) ||
         tool_fail(job, "cannot draw the image: %s", error.message)))
        tool_output_put(job, path, &png);
    if (coarse.fill > 0)
        tool_warn(job,
                  "triangles fill an image %.0f times, more than %g times: drawn at %u x %u and "
                  "enlarged",
                  coarse.fill, coarse.max_fill, coarse.width, coarse.height);
    lm_buffer_free(&png);
}

/* ---- The command ---------------------------------------------------------------------------- */

static void compare(tool_job *job, const void *user) {
    const compare_settings *settings = user;
    compared c = {0};
    lm_error error;
    const bool opened =
        open_side(job, &settings->options, &c, 0) && open_side(job, &settings->options, &c, 1);
    if (opened)
        c.found = lm_mesh_compare(c.meshes[0], c.meshes[1], NULL, &error);
    if (opened && !c.found)
        tool_fail_error(job, &error);
    if (c.found) {
        (job->json ? write : print)(&c, &job->out);
        const double largest = fmax(c.found->all.max_distance, c.found->max_tag_distance);
        if (largest > settings->tolerance)
            tool_fail(job, "the maximum error against %s is %.4g units, more than --tolerance %g",
                      c.paths[0], largest, settings->tolerance);
        if (settings->image.path)
            draw(job, &settings->image, &c);
    }
    lm_comparison_free(c.found);
    for (int side = 0; side < 2; side++) {
        lm_mesh_free(c.meshes[side]);
        lm_assets_free(c.assets[side]);
    }
}

static int run_compare(const tool_args *args) {
    const char *image = tool_value(args, LM_OPTION_IMAGE);
    compare_settings settings = {
        .tolerance = INFINITY,
        .image = {.args = args, .path = image, .kind = TOOL_TO_FILE},
    };
    if ((args->num_inputs != 2 &&
         !tool_usage(args, "missing input: lerpmesh compare A B needs two models")) ||
        (image && lmi_compare_letters(lmi_vfs_extension(args->vfs, image), ".png") != 0 &&
         !tool_usage(args, "--image %s: end the name with .png", image)) ||
        !tool_number(args, LM_OPTION_TOLERANCE, &settings.tolerance) ||
        !tool_open_options_read(args, &settings.options))
        return TOOL_USAGE;
    settings.options.images = LM_IMAGES_NONE;
    return tool_batch_run(&(tool_batch){.args = args,
                                        .work = compare,
                                        .context = &settings,
                                        .first_only = true,
                                        .apart = settings.image.path != NULL});
}

const tool_command tool_compare = {
    .name = "compare",
    .usage = "[options] A B",
    .summary = "report the error between two models, clip by clip",
    .about =
        "Compares two models, of the same format or not: positions, normals, texture coordinates\n"
        "and tags, and lists elements of only one of them. Each vertex is compared with the one\n"
        "that stays nearest to it, so vertex order, seams and surfaces do not matter. The exit\n"
        "code is 1 if the error exceeds --tolerance. --image draws both models in the frame of\n"
        "the largest error, coloured by their distance.",
    .usual = {LM_OPTION_TOLERANCE, LM_OPTION_IMAGE, LM_OPTION_MAX_OUTPUT, LM_OPTION_JSON,
              LM_OPTION_GAME, LM_OPTION_CLIPS, LM_OPTION_NORMALS, LM_OPTION_TOPOLOGY,
              LM_OPTION_REPAIR, LM_OPTION_STRICT, LM_OPTION_MAX_INPUT},
    .expand = TOOL_EXPAND_MEMBERS,
    .examples = "  lerpmesh compare tris.md2 tris.md3\n"
                "  lerpmesh compare --tolerance 0.05 old.mdc new.mdc\n"
                "  lerpmesh compare --image where.png tris.md2 small.md2\n"
                "  lerpmesh compare --json a.md2 b.md2 | jq .max_distance\n",
    .run = run_compare,
};
