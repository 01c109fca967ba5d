#include "info.h"
#include "text.h"

/* A labelled line; what follows the label is appended by the caller. */
static void label(lm_buffer *out, const char *text) {
    lm_buffer_printf(out, "  %-12s ", text);
}

static void print_identity(const tool_job *job, const lm_asset *asset, lm_buffer *out) {
    const lm_model *model = asset->model;
    tool_text(out, tool_shown_path(job->path));
    lm_buffer_text(out, "\n");
    label(out, "format");
    lm_buffer_printf(out, "%s, version %d\n", model->format, (int)model->version);
    label(out, "size");
    tool_count(out, asset->file.size, "byte");
    lm_buffer_text(out, "\n");
    if (model->name[0]) {
        label(out, "name");
        tool_text(out, model->name);
        lm_buffer_text(out, "\n");
    }
}

static void print_frames(const lm_model *model, lm_buffer *out) {
    lm_vec3 min, max;
    label(out, "frames");
    lm_buffer_printf(out, "%u\n", model->num_frames);
    if (!lm_bounds(model, 0, model->num_frames, &min, &max))
        return;
    label(out, "bounds");
    lm_buffer_printf(out, "(%g %g %g) to (%g %g %g), %g x %g x %g units\n", (double)min.x,
                     (double)min.y, (double)min.z, (double)max.x, (double)max.y, (double)max.z,
                     (double)(max.x - min.x), (double)(max.y - min.y), (double)(max.z - min.z));
}

static void print_skins(const lm_model *model, lm_buffer *out) {
    if (model->skin_width > 0) {
        label(out, "skin size");
        lm_buffer_printf(out, "%u x %u pixels\n", model->skin_width, model->skin_height);
    }
    for (uint32_t i = 0; i < model->num_skins; i++) {
        label(out, i == 0 ? "skins" : "");
        tool_text(out, model->skins[i]);
        lm_buffer_text(out, "\n");
    }
}

static void print_gl_commands(const lm_gl_commands *commands, lm_buffer *out) {
    if (commands->num_integers == 0)
        return;
    label(out, "GL commands");
    tool_count(out, commands->num_integers, "integer");
    lm_buffer_text(out, ": ");
    tool_count(out, commands->num_strips, "strip");
    lm_buffer_text(out, " and ");
    tool_count(out, commands->num_fans, "fan");
    lm_buffer_text(out, ", ");
    tool_count(out, commands->num_triangles, "triangle");
    if (commands->num_triangles > 0)
        lm_buffer_printf(out, " (%.2f integers a triangle)",
                         (double)commands->num_integers / (double)commands->num_triangles);
    lm_buffer_text(out, "\n");
}

static void print_clips(const lm_scene_part *part, const char *path, lm_buffer *out) {
    static const char *const headings[] = {"name", "frames", "count", "rate", "seconds", ""};
    tool_table table;
    lm_buffer_text(out, "\n  Clips");
    if (path) {
        lm_buffer_text(out, " from ");
        tool_text(out, path);
    }
    lm_buffer_text(out, "\n");
    tool_table_begin(&table, "lrrrrl", headings);
    for (uint32_t i = 0; i < part->num_clips; i++) {
        const lm_clip *clip = &part->clips[i];
        tool_cell(&table, clip->name);
        tool_cell_format(&table, "%u-%u", clip->first, clip->first + clip->count - 1);
        tool_cell_format(&table, "%u", clip->count);
        tool_cell_float(&table, clip->fps);
        tool_cell_format(&table, "%.2f", lm_clip_duration(clip, LM_PLAY_AS_CLIP));
        tool_cell(&table, clip->times              ? "own times"
                          : clip->backwards        ? "backwards"
                          : clip->loop_frames == 0 ? "once"
                                                   : "");
    }
    tool_table_print(&table, "    ", out);
}

static void cell_materials(tool_table *table, const lm_surface *surface) {
    lm_buffer names = {0};
    for (uint32_t i = 0; i < surface->num_materials; i++) {
        lm_buffer_text(&names, i > 0 ? ", " : "");
        lm_buffer_text(&names, surface->materials[i].name);
    }
    lm_buffer_append(&names, "", 1);
    tool_cell(table, names.failed ? "" : (const char *)names.data);
    lm_buffer_free(&names);
}

static void print_surfaces(const lm_model *model, lm_buffer *out) {
    static const char *const plain[] = {"name", "vertices", "drawn", "triangles", "materials"};
    static const char *const mdc[] = {"name",        "vertices",          "drawn",    "triangles",
                                      "base frames", "compressed frames", "materials"};
    if (model->num_surfaces == 0)
        return;
    bool has_base_frames = (model->abilities & LM_ABILITY_BASE_FRAMES) != 0;
    tool_table table;
    lm_buffer_text(out, "\n  Surfaces\n");
    tool_table_begin(&table, has_base_frames ? "lrrrrrl" : "lrrrl", has_base_frames ? mdc : plain);
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        const lm_surface *surface = &model->surfaces[i];
        tool_cell(&table, surface->name[0] ? surface->name : "-");
        tool_cell_format(&table, "%u", surface->num_file_vertices);
        tool_cell_format(&table, "%u", surface->num_vertices);
        tool_cell_format(&table, "%u", surface->num_triangles);
        if (has_base_frames) {
            tool_cell_format(&table, "%u", surface->num_keys);
            tool_cell_format(&table, "%u", surface->num_deltas);
        }
        cell_materials(&table, surface);
    }
    tool_table_print(&table, "    ", out);
}

static void print_tags(const lm_model *model, lm_buffer *out) {
    if (model->num_tags == 0)
        return;
    lm_buffer_text(out, "\n  Tags\n");
    for (uint32_t i = 0; i < model->num_tags; i++) {
        lm_buffer_text(out, "    ");
        tool_text(out, model->tags[i].name);
        lm_buffer_text(out, "\n");
    }
}

static void print_every_frame(const lm_model *model, lm_buffer *out) {
    static const char *const headings[] = {"frame", "name", "min x", "y", "z", "max x", "y", "z"};
    tool_table table;
    lm_buffer_text(out, "\n  Frames\n");
    tool_table_begin(&table, "rlrrrrrr", headings);
    for (uint32_t i = 0; i < model->num_frames; i++) {
        const lm_frame *frame = &model->frames[i];
        const float bounds[] = {frame->min.x, frame->min.y, frame->min.z,
                                frame->max.x, frame->max.y, frame->max.z};
        tool_cell_format(&table, "%u", i);
        tool_cell(&table, frame->name);
        for (unsigned k = 0; k < 6; k++)
            tool_cell_format(&table, "%g", (double)bounds[k]);
    }
    tool_table_print(&table, "    ", out);
}

static void print_warning(const lm_warning *warning, lm_buffer *out) {
    lm_buffer_printf(out, "    [%s] ", lm_code_name(warning->code));
    tool_text(out, warning->message);
    if (warning->count > 1)
        lm_buffer_printf(out, " (%u times)", warning->count);
    lm_buffer_text(out, "\n");
}

static void print_warnings(const lm_asset *asset, lm_buffer *out) {
    const lm_model *model = asset->model;
    const lm_clips *clips = asset->clips;
    if (model->num_warnings == 0 && (!clips || clips->num_warnings == 0))
        return;
    lm_buffer_text(out, "\n  Warnings\n");
    for (uint32_t i = 0; i < model->num_warnings; i++)
        print_warning(&model->warnings[i], out);
    for (uint32_t i = 0; clips && i < clips->num_warnings; i++)
        print_warning(&clips->warnings[i], out);
}

void tool_info_sheet(const tool_job *job, const lm_assets *assets, bool every_frame,
                     lm_buffer *out) {
    const lm_asset *asset = &assets->assets[0];
    const lm_model *model = asset->model;
    print_identity(job, asset, out);
    print_frames(model, out);
    print_skins(model, out);
    print_gl_commands(&model->gl_commands, out);
    print_surfaces(model, out);
    print_clips(&assets->scene->parts[0], asset->clips_path, out);
    print_tags(model, out);
    tool_info_textures(assets, out);
    if (every_frame)
        print_every_frame(model, out);
    print_warnings(asset, out);
}
