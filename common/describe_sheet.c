/* Descriptions of opened models as text. */
#include "describe.h"

#include <string.h>

static void print_labelled(lm_buffer *out, const char *text, const char *value) {
    lm_buffer_printf(out, "  %-12s ", text);
    lmi_text_line(out, "", value);
}

static void print_identity(const lm_asset *asset, const char *game, lm_buffer *out) {
    const lm_model *model = asset->model;
    lmi_text_line(out, "", strcmp(asset->path, "-") == 0 ? "standard input" : asset->path);
    const lm_format_info *info = lm_format_by_name(model->format);
    const bool variant = info && info->variant_ident && model->version == info->variant_version;
    lm_buffer_printf(out, "  format       %s, %s%sversion %d\n", model->format,
                     variant ? info->variant_ident : "", variant ? ", " : "", (int)model->version);
    lm_buffer_printf(out, "  size         %s\n", lmi_count_nouns(asset->size, "bytes").text);
    if (model->name[0])
        print_labelled(out, "name", model->name);
    if (game) {
        lm_buffer_text(out, "  game         ");
        lmi_text_harmless(out, game);
        lm_buffer_text(out, " (from the model's path)\n");
    }
}

static void print_frames(const lm_model *model, lm_buffer *out) {
    lm_vec3 min, max;
    lm_buffer_printf(out, "  frames       %u\n", model->num_frames);
    if (model->bones)
        lm_buffer_printf(out, "  bones        %u\n", (unsigned)model->bones->num_bones);
    if (model->num_surfaces == 0 ||
        lm_model_bounds(model, 0, model->num_frames, &min, &max) != LM_CODE_OK)
        return;
    lm_buffer_printf(out, "  bounds       (%g %g %g) to (%g %g %g), %g x %g x %g units\n",
                     (double)min.x, (double)min.y, (double)min.z, (double)max.x, (double)max.y,
                     (double)max.z, (double)(max.x - min.x), (double)(max.y - min.y),
                     (double)(max.z - min.z));
}

static void print_skins(const lm_model *model, lm_buffer *out) {
    if (model->skin_width > 0)
        lm_buffer_printf(out, "  skin size    %u x %u pixels\n", model->skin_width,
                         model->skin_height);
    for (uint32_t i = 0; i < model->num_skins; i++) {
        const lm_embedded_skin *group = model->embedded_skins ? &model->embedded_skins[i] : NULL;
        lm_buffer_printf(out, "  %-12s ", i == 0 ? "skins" : "");
        lmi_text_harmless(out, model->skins[i]);
        if (group && group->times)
            lm_buffer_printf(out, "  group of %s, ends of images in seconds:",
                             lmi_count_nouns(group->num_images, "images").text);
        for (uint32_t k = 1; group && group->times && k <= group->num_images; k++)
            lm_buffer_printf(out, " %g", (double)group->times[k]);
        lm_buffer_text(out, "\n");
    }
}

static void print_gl_commands(const lm_gl_commands *commands, lm_buffer *out) {
    if (commands->num_integers == 0)
        return;
    lm_buffer_printf(out, "  GL commands  %s: %s and %s, %s",
                     lmi_count_nouns(commands->num_integers, "integers").text,
                     lmi_count_nouns(commands->num_strips, "strips").text,
                     lmi_count_nouns(commands->num_fans, "fans").text,
                     lmi_count_nouns(commands->num_triangles, "triangles").text);
    if (commands->num_triangles > 0)
        lm_buffer_printf(out, " (%.2f integers per triangle)",
                         (double)commands->num_integers / (double)commands->num_triangles);
    lm_buffer_text(out, "\n");
}

/* Appends "WHAT 1, 3" for the barrels of a weapon whose bits are set. */
static void add_barrels(lm_buffer *out, const char *what, unsigned bits) {
    const char *before = out->size > 0 ? "; " : "";
    for (unsigned i = 0; bits >> i; i++)
        if (bits >> i & 1) {
            lm_buffer_printf(out, "%s%s%u", before, what, i + 1);
            before = ", ";
            what = "";
        }
}

/* Tells how a clip plays, and what moves and is hidden of a weapon. */
static void cell_play(lm_text_table *table, const lm_clip *clip) {
    lm_buffer text = {0};
    lm_buffer_text(&text, clip->hidden             ? "not drawn"
                          : clip->times            ? "own times"
                          : clip->backwards        ? "plays backwards"
                          : clip->loop_frames == 0 ? "plays once"
                                                   : "");
    add_barrels(&text, "moves barrel ", clip->animated_barrels);
    if (clip->animated_weapon)
        lm_buffer_printf(&text, "%smoves the weapon", text.size > 0 ? "; " : "");
    add_barrels(&text, "hides barrel ", clip->hidden_barrels);
    lm_buffer_append(&text, "", 1);
    table->cells.failed = table->cells.failed || text.failed;
    lmi_text_cell(table, text.failed ? "" : (const char *)text.data);
    lm_buffer_free(&text);
}

static void print_clips(const lm_scene_part *part, const char *path, lm_buffer *out) {
    static const char *const headings[] = {"name", "frames", "count", "fps", "seconds", ""};
    lm_text_table table;
    if (part->num_clips == 0)
        return;
    lmi_text_line(out, path ? "\n  Clips from " : "\n  Clips", path ? path : "");
    lmi_text_table_begin(&table, "lrrrrl", headings);
    for (uint32_t i = 0; i < part->num_clips; i++) {
        const lm_clip *clip = &part->clips[i];
        lmi_text_cell(&table, clip->name);
        lmi_text_cell_printf(&table, "%u-%u", clip->first, clip->first + clip->count - 1);
        lmi_text_cell_printf(&table, "%u", clip->count);
        lmi_text_cell_float(&table, clip->fps);
        lmi_text_cell_printf(&table, "%.2f", lm_clip_duration(clip, LM_PLAY_AS_CLIP));
        cell_play(&table, clip);
    }
    lmi_text_table_print(&table, "    ", out);
}

static void cell_materials(lm_text_table *table, const lm_surface *surface) {
    lm_buffer names = {0};
    for (uint32_t i = 0; i < surface->num_materials; i++) {
        lm_buffer_text(&names, i > 0 ? ", " : "");
        lm_buffer_text(&names, surface->materials[i].name);
    }
    lm_buffer_append(&names, "", 1);
    if (names.failed)
        table->cells.failed = true;
    else
        lmi_text_cell(table, (const char *)names.data);
    lm_buffer_free(&names);
}

static void print_surfaces(const lm_model *model, lm_buffer *out) {
    static const char *const plain[] = {"name", "vertices", "drawn", "triangles", "materials"};
    static const char *const mdc[] = {"name",        "vertices",          "drawn",    "triangles",
                                      "base frames", "compressed frames", "materials"};
    if (model->num_surfaces == 0)
        return;
    bool has_base_frames = (model->features & LM_FEATURE_BASE_FRAMES) != 0;
    lm_text_table table;
    lm_buffer_text(out, "\n  Surfaces\n");
    lmi_text_table_begin(&table, has_base_frames ? "lrrrrrl" : "lrrrl",
                         has_base_frames ? mdc : plain);
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        const lm_surface *surface = &model->surfaces[i];
        lmi_text_cell(&table, surface->name[0] ? surface->name : "-");
        lmi_text_cell_printf(&table, "%u", surface->num_file_vertices);
        lmi_text_cell_printf(&table, "%u", surface->num_vertices);
        lmi_text_cell_printf(&table, "%u", surface->num_triangles);
        if (has_base_frames) {
            lmi_text_cell_printf(&table, "%u", surface->num_keys);
            lmi_text_cell_printf(&table, "%u", surface->num_deltas);
        }
        cell_materials(&table, surface);
    }
    lmi_text_table_print(&table, "    ", out);
}

static void print_tags(const lm_model *model, const char *path, lm_buffer *out) {
    if (model->num_tags == 0)
        return;
    lmi_text_line(out, path ? "\n  Tags from " : "\n  Tags", path ? path : "");
    for (uint32_t i = 0; i < model->num_tags; i++)
        lmi_text_line(out, "    ", model->tags[i].name);
}

static void print_every_frame(const lm_model *model, lm_buffer *out) {
    static const char *const headings[] = {"frame", "name", "min x", "y", "z", "max x", "y", "z"};
    lm_text_table table;
    lm_buffer_text(out, "\n  Frames\n");
    lmi_text_table_begin(&table, "rlrrrrrr", headings);
    for (uint32_t i = 0; i < model->num_frames; i++) {
        const lm_frame *frame = &model->frames[i];
        const float bounds[] = {frame->min.x, frame->min.y, frame->min.z,
                                frame->max.x, frame->max.y, frame->max.z};
        lmi_text_cell_printf(&table, "%u", i);
        lmi_text_cell(&table, frame->name);
        for (unsigned k = 0; k < 6; k++)
            lmi_text_cell_printf(&table, "%g", (double)bounds[k]);
    }
    lmi_text_table_print(&table, "    ", out);
}

static void print_warning(const lm_diagnostic *warning, lm_buffer *out) {
    lm_buffer_printf(out, "    [%s] ", lm_code_name(warning->code));
    lmi_text_harmless(out, warning->text);
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

/* Prints the models of a scene and the tags that hold them. */
static void print_parts(const lm_assets *assets, lm_buffer *out) {
    static const char *const headings[] = {"file", "tag", "of"};
    const lm_scene *scene = assets->scene;
    lm_text_table table;
    lm_buffer_text(out, "\n  Parts\n");
    lmi_text_table_begin(&table, "lll", headings);
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_scene_part *part = &scene->parts[i];
        lmi_text_cell(&table, assets->assets[i].path);
        lmi_text_cell(&table, i > 0 && part->tag ? part->tag : "");
        lmi_text_cell(&table, i > 0 ? scene->parts[part->parent].name : "");
    }
    lmi_text_table_print(&table, "    ", out);
}

/* Prints the names of a player's skins, of which its .skin files are the only list. */
static void print_player_skins(const lm_assets *assets, lm_buffer *out) {
    lm_skin_choices *skins = lm_assets_list_skins(assets, NULL);
    lm_buffer_text(out, "\n  Skins\n");
    for (uint32_t i = 0; skins && i < skins->num_choices; i++)
        lmi_text_line(out, i == skins->current ? "  * " : "    ", skins->choices[i].name);
    out->failed = out->failed || !skins;
    lm_skin_choices_free(skins);
}

void lmi_describe(const lm_assets *assets, uint32_t part, bool every_frame, lm_buffer *out) {
    const lm_asset *asset = &assets->assets[part];
    const lm_model *model = asset->model;
    print_identity(asset, assets->game, out);
    print_frames(model, out);
    print_skins(model, out);
    if (asset->normals_path)
        print_labelled(out, "smoothing", asset->normals_path);
    print_gl_commands(&model->gl_commands, out);
    if (part == 0 && assets->scene->num_parts > 1)
        print_parts(assets, out);
    if (part == 0 && asset->skin_path && model->bones)
        print_player_skins(assets, out);
    print_surfaces(model, out);
    print_clips(&assets->scene->parts[part], asset->clips_path, out);
    print_tags(model, asset->tags_path, out);
    lmi_describe_textures(assets, part, every_frame, out);
    if (every_frame)
        print_every_frame(model, out);
    print_warnings(asset, out);
}
