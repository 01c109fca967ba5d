/* The Information page: values as rows, and tables, by part. */
#include "window_private.h"

#include "display_text.h"
#include "rows.h"
#include "text.h"

#include <string.h>

/* ---- Building -------------------------------------------------------------------------------- */

/* Adds a row, and frees the value. */
static void add_value(GtkWidget *list, const char *name, char *value) {
    rows_add_value(list, name, value);
    g_free(value);
}

/* Adds a row, unless a text of a file is NULL or empty. */
static void add_shown(GtkWidget *list, const char *name, const char *text) {
    if (text && *text)
        add_value(list, name, display_text(text));
}

/* Adds a table of rows, which it frees, unless there are none. */
static void add_table(GtkWidget *box, const char *title, const char *const *headings,
                      const char *layout, GPtrArray *rows) {
    g_ptr_array_add(rows, NULL);
    if (rows->len > 1)
        rows_add_framed(box, title,
                        rows_new_table(headings, layout, (const char *const *)rows->pdata));
    g_ptr_array_unref(rows);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static char *box_text(lm_vec3 min, lm_vec3 max) {
    return g_strdup_printf(TEXT_INFO_BOX, (double)min.x, (double)min.y, (double)min.z,
                           (double)max.x, (double)max.y, (double)max.z);
}

static void add_bounds(GtkWidget *list, const lm_model *model) {
    lm_vec3 min, max;
    if (lm_model_bounds(model, 0, model->num_frames, &min, &max) != LM_CODE_OK)
        return;
    add_value(list, _("Extent"),
              g_strdup_printf(TEXT_INFO_UNITS, (double)(max.x - min.x), (double)(max.y - min.y),
                              (double)(max.z - min.z)));
    add_value(list, _("Bounds"), box_text(min, max));
}

static void add_gl_commands(GtkWidget *list, const lm_gl_commands *commands) {
    if (commands->num_integers == 0)
        return;
    g_autofree char *strips =
        g_strdup_printf(TEXT_INFO_STRIPS(commands->num_strips), commands->num_strips);
    g_autofree char *fans = g_strdup_printf(TEXT_INFO_FANS(commands->num_fans), commands->num_fans);
    add_value(list, TEXT_GL_COMMANDS, g_strjoin(TEXT_SEPARATOR, strips, fans, NULL));
}

static void add_file(GtkWidget *box, const document *d, uint32_t part) {
    const lm_asset *asset = &d->assets->assets[part];
    const lm_model *model = asset->model;
    GtkWidget *list = rows_add_group(box, _("File"));
    g_autofree char *format = g_ascii_strup(model->format, -1);
    add_shown(list, TEXT_INFO_PATH, asset->path);
    add_value(list, _("Format"), g_strdup_printf(TEXT_INFO_VERSION, format, (int)model->version));
    add_value(list, _("Size"), g_format_size_full(asset->size, G_FORMAT_SIZE_LONG_FORMAT));
    add_shown(list, TEXT_COLUMN_NAME, model->name);
    add_shown(list, _("Game"), d->assets->game);
    add_value(list, TEXT_INFO_FRAMES, g_strdup_printf("%u", model->num_frames));
    add_bounds(list, model);
    if (model->skin_width > 0)
        add_value(list, _("Skin size"),
                  g_strdup_printf(_("%u × %u pixels"), model->skin_width, model->skin_height));
    add_gl_commands(list, &model->gl_commands);
    add_shown(list, _("Clips from"), asset->clips_path);
    add_shown(list, _("Tags from"), asset->tags_path);
    add_shown(list, _("Skin from"), asset->skin_path);
    add_shown(list, _("Smoothing from"), asset->normals_path);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static char *sums_row(const char *name, document_sums sums) {
    return g_strdup_printf("%s\t%u\t%u\t%u\t%u", name, sums.triangles, sums.vertices, sums.surfaces,
                           sums.tags);
}

static void add_sums(GtkWidget *box, const document *d) {
    const char *const headings[] = {
        _("Part"), TEXT_COLUMN_TRIANGLES, TEXT_COLUMN_VERTICES, TEXT_SURFACES, TEXT_TAGS, NULL};
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < document_scene(d)->num_parts; i++)
        g_ptr_array_add(rows, sums_row(d->part_names[i], document_count(d, i)));
    g_ptr_array_add(rows, sums_row(_("Total"), document_count(d, LM_NO_PART)));
    add_table(box, TEXT_INFO_PARTS, headings, "lrrrr", rows);
}

static char *materials_of(const lm_surface *surface) {
    GString *names = g_string_new(NULL);
    for (uint32_t i = 0; i < surface->num_materials; i++) {
        g_autofree char *name = display_text(surface->materials[i].name);
        g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", name);
    }
    return g_string_free(names, FALSE);
}

static char *surface_row(const lm_surface *surface, bool has_base_frames) {
    g_autofree char *name = display_text(surface->name), *materials = materials_of(surface);
    g_autofree char *keys =
        has_base_frames ? g_strdup_printf("\t%u\t%u", surface->num_keys, surface->num_deltas)
                        : g_strdup("");
    return g_strdup_printf("%s\t%u\t%u\t%u%s\t%s", *name ? name : "-", surface->num_triangles,
                           surface->num_file_vertices, surface->num_vertices, keys, materials);
}

static void add_surfaces(GtkWidget *box, const lm_model *model) {
    const char *const plain[] = {TEXT_COLUMN_NAME,  TEXT_COLUMN_TRIANGLES, TEXT_COLUMN_VERTICES,
                                 TEXT_COLUMN_DRAWN, TEXT_COLUMN_MATERIALS, NULL};
    const char *const mdc[] = {
        TEXT_COLUMN_NAME, TEXT_COLUMN_TRIANGLES, TEXT_COLUMN_VERTICES,  TEXT_COLUMN_DRAWN,
        _("Base frames"), _("Compressed"),       TEXT_COLUMN_MATERIALS, NULL};
    bool has_base_frames = (model->features & LM_FEATURE_BASE_FRAMES) != 0;
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        g_ptr_array_add(rows, surface_row(&model->surfaces[i], has_base_frames));
    add_table(box, TEXT_SURFACES, has_base_frames ? mdc : plain,
              has_base_frames ? "lrrrrrl" : "lrrrl", rows);
}

static void add_skins(GtkWidget *box, const lm_model *model) {
    const char *const headings[] = {TEXT_COLUMN_NAME, NULL};
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < model->num_skins; i++)
        g_ptr_array_add(rows, display_text(model->skins[i]));
    add_table(box, _("Skins of the file"), headings, "l", rows);
}

/* Shows the origins in the first frame. */
static void add_tags(GtkWidget *box, const lm_model *model) {
    const char *const headings[] = {TEXT_COLUMN_NAME, TEXT_COLUMN_X, TEXT_COLUMN_Y, TEXT_COLUMN_Z,
                                    NULL};
    const lm_pose first = {0};
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < model->num_tags; i++) {
        g_autofree char *name = display_text(model->tags[i].name);
        lm_transform at = {0};
        lm_sample_tag(model, i, &first, &at);
        g_ptr_array_add(rows, g_strdup_printf("%s\t%.5g\t%.5g\t%.5g", name, (double)at.origin.x,
                                              (double)at.origin.y, (double)at.origin.z));
    }
    add_table(box, TEXT_TAGS, headings, "lrrr", rows);
}

static char *image_of(const lm_asset_texture *texture) {
    if (texture->source == LM_TEXTURE_EMBEDDED)
        return g_strdup(_("in the file"));
    if (texture->match == LM_MATCH_NOT_DRAWN)
        return g_strdup(_("not drawn"));
    return texture->path
               ? display_text(texture->path)
               : g_strdup_printf(TEXT_INFO_NOT_FOUND(texture->num_tried), texture->num_tried);
}

static char *script_of(const lm_asset_texture *texture) {
    g_autofree char *path = texture->shader ? display_text(texture->shader->path) : NULL;
    return path ? g_strdup_printf(TEXT_INFO_LINE, path, (unsigned)texture->shader->line)
                : g_strdup("");
}

static void add_textures(GtkWidget *box, const lm_asset *asset) {
    const char *const headings[] = {TEXT_COLUMN_NAME, _("Image"), _("Script"), NULL};
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < asset->num_textures; i++) {
        g_autofree char *name = display_text(asset->textures[i].name),
                        *image = image_of(&asset->textures[i]);
        g_autofree char *script = script_of(&asset->textures[i]);
        g_ptr_array_add(rows, g_strjoin("\t", name, image, script, NULL));
    }
    add_table(box, _("Textures"), headings, "lll", rows);
}

static void add_clips(GtkWidget *box, const lm_scene_part *part) {
    const char *const headings[] = {TEXT_COLUMN_NAME, _("First"),   TEXT_INFO_FRAMES,
                                    TEXT_COLUMN_FPS,  _("Seconds"), NULL};
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < part->num_clips; i++) {
        const lm_clip *clip = &part->clips[i];
        g_autofree char *name = display_text(clip->name);
        g_ptr_array_add(rows, g_strdup_printf("%s\t%u\t%u\t%.3g\t%.2f", name, clip->first,
                                              clip->count, (double)clip->fps,
                                              lm_clip_duration(clip, LM_PLAY_AS_CLIP)));
    }
    add_table(box, TEXT_CLIPS, headings, "lrrrr", rows);
}

static void add_frames(GtkWidget *box, const lm_model *model) {
    const char *const headings[] = {TEXT_FRAME_NUMBER, TEXT_COLUMN_NAME, _("Bounds"), NULL};
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < model->num_frames; i++) {
        const lm_frame *frame = &model->frames[i];
        g_autofree char *name = display_text(frame->name);
        g_autofree char *bounds = box_text(frame->min, frame->max);
        g_ptr_array_add(rows, g_strdup_printf("%u\t%s\t%s", i, *name ? name : "-", bounds));
    }
    add_table(box, TEXT_INFO_FRAMES, headings, "rlr", rows);
}

/* ---- Diagnostics ----------------------------------------------------------------------------- */

/* Warnings show their code. In other languages than English, all do, after the sentence. */
static void add_diagnostics(GtkWidget *box, const char *title, const lm_diagnostic *diagnostics,
                            uint32_t count) {
    GtkWidget *list = count > 0 ? rows_add_group(box, title) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        lm_code code = diagnostics[i].code;
        const char *meaning = display_meaning(code);
        g_autofree char *text = display_text(diagnostics[i].text);
        bool warning = code != LM_CODE_OK && lm_code_severity(code) == LM_SEVERITY_WARNING;
        g_autofree char *detail = meaning   ? g_strjoin("\n", text, lm_code_name(code), NULL)
                                  : warning ? g_strdup(lm_code_name(code))
                                            : NULL;
        rows_add_text(list, meaning ? meaning : text, detail);
    }
}

/* ---- The page -------------------------------------------------------------------------------- */

static void add_part(GtkWidget *box, const document *d, uint32_t part) {
    const lm_asset *asset = &d->assets->assets[part];
    if (document_scene(d)->num_parts > 1)
        gtk_box_append(GTK_BOX(box), rows_heading(d->part_names[part], 1));
    add_file(box, d, part);
    add_surfaces(box, asset->model);
    add_skins(box, asset->model);
    add_textures(box, asset);
    add_tags(box, asset->model);
    add_clips(box, &document_scene(d)->parts[part]);
    add_frames(box, asset->model);
    add_diagnostics(box, _("Warnings"), asset->model->warnings, asset->model->num_warnings);
    if (asset->clips)
        add_diagnostics(box, _("Warnings about the clips file"), asset->clips->warnings,
                        asset->clips->num_warnings);
}

/* Filled only while it is shown: stepping through models need not wait for it. */
void window_fill_info(ViewerWindow *w) {
    const char *page = gtk_stack_get_visible_child_name(GTK_STACK(w->pages));
    if (g_strcmp0(page, "info") != 0 || !w->doc || w->is_described)
        return;
    w->is_described = true;
    rows_clear(w->info_box);
    if (document_scene(w->doc)->num_parts > 1)
        add_sums(w->info_box, w->doc);
    for (uint32_t i = 0; i < document_scene(w->doc)->num_parts; i++)
        add_part(w->info_box, w->doc, i);
    add_diagnostics(w->info_box, _("Diagnostics"), w->doc->assets->diagnostics,
                    w->doc->assets->num_diagnostics);
}
