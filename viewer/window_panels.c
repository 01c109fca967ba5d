/* The side panel. */
#include "window_private.h"

#include "display_text.h"
#include "folder.h"
#include "internals.h"
#include "list.h"
#include "rows.h"
#include "text.h"

#include <string.h>

/* ---- Clips, skins, models ------------------------------------------------------------------ */

static void set_rows(GtkWidget *list, GPtrArray *rows) {
    g_ptr_array_add(rows, NULL);
    viewer_list_set_rows(list, (const char *const *)rows->pdata);
    g_ptr_array_unref(rows);
}

/* Returns "run", a tab, and "12 frames · 10 fps · plays once". */
static char *clip_row(const document_clip *c) {
    g_autofree char *frames = g_strdup_printf(TEXT_FRAMES(c->clip.count), c->clip.count);
    g_autofree char *fps = g_strdup_printf(TEXT_FPS, (double)c->clip.fps);
    const char *mode = c->clip.backwards     ? _("plays backwards")
                       : c->clip.loop_frames ? NULL
                                             : _("plays once");
    g_autofree char *facts = g_strjoin(TEXT_SEPARATOR, frames, fps, mode, NULL);
    return g_strdup_printf("%s\t%s", c->name, facts);
}

static void fill_clips(ViewerWindow *w) {
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < w->doc->num_clips; i++)
        g_ptr_array_add(rows, clip_row(&w->doc->clips[i]));
    set_rows(w->clip_list, rows);
    viewer_list_select(w->clip_list, w->clip);
}

uint32_t window_torso(const ViewerWindow *w) {
    guint row = gtk_drop_down_get_selected(GTK_DROP_DOWN(w->torso));
    return row == GTK_INVALID_LIST_POSITION ? 0 : row;
}

void window_select_torso(ViewerWindow *w, uint32_t row) {
    const char *name = w->doc ? document_torso_clip(w->doc, row) : NULL;
    if (!name && row > 0)
        return;
    viewer_stage_set_torso(w->stage, name);
    window_set_state(w, "torso", g_variant_new_uint32(row));
    gtk_drop_down_set_selected(GTK_DROP_DOWN(w->torso), row);
    window_set_playing(w, w->play.playing); /* the torso may move although the legs do not */
}

/* Lists the torso's clips, and selects the one that it plays. */
static void fill_torso(ViewerWindow *w) {
    g_autoptr(GtkStringList) names = gtk_string_list_new((const char *[]){_("As the legs"), NULL});
    g_autofree char *playing = g_strdup(viewer_stage_torso(w->stage));
    uint32_t selected = 0;
    for (uint32_t row = 1; document_torso_clip(w->doc, row); row++) {
        gtk_string_list_take(names, display_text(document_torso_clip(w->doc, row)));
        if (g_strcmp0(document_torso_clip(w->doc, row), playing) == 0)
            selected = row;
    }
    gtk_drop_down_set_model(GTK_DROP_DOWN(w->torso), G_LIST_MODEL(names));
    window_select_torso(w, selected);
    gtk_widget_set_visible(w->torso, document_torso(w->doc) != LM_NO_PART);
}

static void fill_skins(ViewerWindow *w) {
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < w->doc->skins->num_choices; i++)
        g_ptr_array_add(rows, display_text(w->doc->skins->choices[i].name));
    set_rows(w->skin_list, rows);
    viewer_list_select(w->skin_list, w->doc->skins->current);
    window_set_state(w, "skin", g_variant_new_uint32(w->doc->skins->current));
}

/* Returns v_NAME for the path of a hand v_NAME_hand; NULL: it is the body of a player. Free it with
 * g_free. */
static char *weapon_title(lm_vfs *vfs, const char *path) {
    static const char end[] = "_hand";
    const size_t length = strlen(end);
    size_t stem;
    const char *name = lmi_vfs_stem(vfs, path, &stem);
    g_autofree char *own = g_strndup(name, stem > length ? stem - length : 0);
    return stem > length && g_ascii_strncasecmp(name + stem - length, end, length) == 0
               ? display_text(own)
               : NULL;
}

/* Returns the path of a model in its archive, or below the folder of the list. */
static const char *path_in_list(const ViewerWindow *w, const char *path) {
    const size_t archive = lmi_vfs_archive_length(w->shared_vfs->vfs, path);
    const size_t list = w->list_path ? strlen(w->list_path) : 0;
    if (archive > 0)
        return path + archive + 1;
    const char *below = list > 0 && g_str_has_prefix(path, w->list_path) ? path + list : path;
    return below == path || (*below != '/' && below[-1] != '/') ? path : below + strspn(below, "/");
}

/* Returns a model's title, a tab, and "player" or "weapon" and its folder in the list as the
 * detail; if it cannot be read, another tab and the reason. */
static char *model_row(const ViewerWindow *w, const folder_model *model) {
    lm_vfs *vfs = w->shared_vfs->vfs;
    const char *path = model->path;
    bool player = model->player;
    const char *inside = path_in_list(w, path), *slash = strrchr(inside, '/');
    g_autofree char *folder = g_strndup(inside, slash ? (size_t)(slash - inside) : 0);
    g_autofree char *weapon = player ? weapon_title(vfs, path) : NULL;
    g_autofree char *name = weapon   ? g_strdup(weapon)
                            : player ? display_folder(vfs, path)
                                     : display_title(vfs, path);
    const char *kind = weapon ? TEXT_WEAPON : player ? TEXT_PLAYER : "";
    g_autofree char *where = display_text(folder);
    const char *separator = player && *where ? TEXT_SEPARATOR : "";
    g_autofree char *detail = g_strconcat(kind, separator, where, NULL);
    bool more = *detail || model->problem;
    return g_strjoin("\t", name, more ? detail : NULL, model->problem, NULL);
}

char *window_model_text(ViewerWindow *w, guint row) {
    return model_row(w, &g_array_index(w->list, folder_model, row));
}

guint window_model_row(ViewerWindow *w) {
    int index = w->request.path ? folder_index(w->list, w->request.path) : -1;
    return index < 0 ? GTK_INVALID_LIST_POSITION : (guint)index;
}

/* Of the models' problems, only the requested model's changes. */
void window_fill_models(ViewerWindow *w) {
    guint count = w->list ? w->list->len : 0, current = window_model_row(w);
    if (w->listed != w->list) {
        GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
        for (guint i = 0; i < count; i++)
            g_ptr_array_add(rows, window_model_text(w, i));
        set_rows(w->model_list, rows);
        w->listed = w->list;
    } else if (current < count) {
        g_autofree char *row = window_model_text(w, current);
        viewer_list_set_row(w->model_list, current, row);
    }
    viewer_list_select(w->model_list, current);
    bool others = viewer_list_step(w->model_list, current, 1) != GTK_INVALID_LIST_POSITION;
    window_set_enabled(w, "next", others);
    window_set_enabled(w, "previous", others);
}

/* ---- Problems ------------------------------------------------------------------------------ */

static const lm_diagnostic *problem_at(const document *d, uint32_t index) {
    return g_ptr_array_index(d->problems.order, index);
}

/* Returns "3 errors", "1 warning", ... */
static char *count_text(uint32_t count, lm_severity severity) {
    return g_strdup_printf(severity == LM_SEVERITY_ERROR     ? TEXT_ERRORS(count)
                           : severity == LM_SEVERITY_WARNING ? TEXT_WARNINGS(count)
                                                             : TEXT_NOTES(count),
                           count);
}

/* Returns "3 errors · 1 warning · 0 notes". */
static char *counts_text(uint32_t errors, uint32_t warnings, uint32_t notes) {
    char *texts[] = {count_text(errors, LM_SEVERITY_ERROR),
                     count_text(warnings, LM_SEVERITY_WARNING),
                     count_text(notes, LM_SEVERITY_NOTE)};
    char *counts = g_strjoin(TEXT_SEPARATOR, texts[0], texts[1], texts[2], NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    return counts;
}

/* Returns "Legs – lower.md3", a tab and "2 errors · 1 warning · 0 notes". */
static char *part_row_text(const document *d, uint32_t part) {
    const lm_report *r = d->reports[part];
    g_autofree char *counts = r && r->num_problems > 0
                                  ? counts_text(r->num_errors, r->num_warnings, r->num_notes)
                                  : g_strdup(TEXT_NO_PROBLEMS);
    g_autofree char *file = display_name(d->shared_vfs->vfs, d->assets->assets[part].path);
    return g_strdup_printf("%s – %s\t%s", d->part_names[part], file, counts);
}

/* Returns "CODE", a tab and "3 errors · select to see all" for a group, and "SENTENCE", a tab and
 * "error · CODE" for a single problem, with its fix, and after the name of a file that is no model.
 * In other languages than English, the title is the code's meaning, and CODE or SENTENCE is the
 * first line of the detail. */
static char *problem_row_text(const document *d, const problem_row *row, const char *fix) {
    if (row->kind == PROBLEM_PART)
        return part_row_text(d, row->part);
    const lm_diagnostic *p = problem_at(d, row->first);
    bool group = row->kind == PROBLEM_CODE;
    const char *code = lm_code_name(p->code), *meaning = display_meaning(p->code);
    g_autofree char *name = group ? g_strdup(code) : display_text(p->text);
    g_autofree char *count = group ? count_text(row->count, p->severity) : NULL;
    const char *severity = p->severity == LM_SEVERITY_ERROR     ? _("error")
                           : p->severity == LM_SEVERITY_WARNING ? _("warning")
                                                                : _("note");
    g_autofree char *file =
        row->part == LM_NO_PART ? display_name(d->shared_vfs->vfs, p->subject) : NULL;
    g_autofree char *facts = group  ? g_strjoin(TEXT_SEPARATOR, count, _("select to see all"), NULL)
                             : file ? g_strjoin(TEXT_SEPARATOR, file, severity, code, NULL)
                                    : g_strjoin(TEXT_SEPARATOR, severity, code, NULL);
    g_autofree char *detail = g_strjoin("\n", meaning ? name : facts, meaning ? facts : NULL, NULL);
    return g_strjoin("\t", meaning ? meaning : name, detail, fix ? "" : NULL, fix, NULL);
}

/* Shows the counts over all parts and other files. */
static void show_summary(ViewerWindow *w) {
    uint32_t errors = 0, warnings = 0, notes = 0;
    for (guint i = 0; i < w->doc->problems.rows->len; i++) {
        if (g_array_index(w->doc->problems.rows, problem_row, i).part != LM_NO_PART)
            continue;
        const lm_severity severity = document_problem(w->doc, i)->severity;
        errors += severity == LM_SEVERITY_ERROR;
        warnings += severity == LM_SEVERITY_WARNING;
        notes += severity == LM_SEVERITY_NOTE;
    }
    for (uint32_t i = 0; i < document_scene(w->doc)->num_parts; i++) {
        const lm_report *report = w->doc->reports[i];
        errors += report ? report->num_errors : 0;
        warnings += report ? report->num_warnings : 0;
        notes += report ? report->num_notes : 0;
    }
    bool any = w->doc->problems.order->len > 0;
    g_autofree char *counts = counts_text(errors, warnings, notes);
    g_autofree char *summary =
        any ? g_strjoin("\n", counts, _("Select a problem to see its location."), NULL)
            : g_strdup(TEXT_NO_PROBLEMS);
    GtkStackPage *page = gtk_stack_get_page(GTK_STACK(w->pages), w->problem_page);
    gtk_label_set_text(GTK_LABEL(w->problem_summary), summary);
    g_autofree char *title = errors + warnings > 0
                                 ? g_strdup_printf(TEXT_PROBLEMS_COUNT, errors + warnings)
                                 : g_strdup(TEXT_PROBLEMS);
    gtk_stack_page_set_title(page, title);
    gtk_stack_page_set_needs_attention(page, errors + warnings > 0);
}

static void fill_problems(ViewerWindow *w) {
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < w->doc->problems.rows->len; i++)
        g_ptr_array_add(
            rows, problem_row_text(w->doc, &g_array_index(w->doc->problems.rows, problem_row, i),
                                   document_fix(w->doc, i)));
    set_rows(w->problem_list, rows);
    viewer_list_select(w->problem_list, GTK_INVALID_LIST_POSITION);
    show_summary(w);
}

#define MAX_MARKS 50000 /* highlighted triangles: more would cover the model */

/* Appends the triangles of a row's problems. Returns the first frame of a problem. */
static uint32_t locate_row(const document *d, const problem_row *row, GArray *triangles) {
    uint32_t frame = LM_NO_FRAME;
    for (uint32_t i = 0; i < row->count; i++) {
        uint32_t found = problem_locate(document_scene(d)->parts[row->part].model,
                                        problem_at(d, row->first + i), triangles);
        frame = frame == LM_NO_FRAME ? found : frame;
    }
    return frame;
}

/* Shows the problem's frame, if it has one, and highlights its triangles in both views. */
void window_show_problem(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    const uint32_t row = g_variant_get_uint32(parameter);
    if (!w->doc || row >= w->doc->problems.rows->len)
        return;
    const problem_row *shown = &g_array_index(w->doc->problems.rows, problem_row, row);
    g_autoptr(GArray) triangles = g_array_new(FALSE, FALSE, sizeof(lm_diagnostic_triangle));
    const uint32_t part = shown->part == LM_NO_PART ? 0 : shown->part;
    uint32_t frame = shown->part == LM_NO_PART ? LM_NO_FRAME : locate_row(w->doc, shown, triangles);
    if (frame != LM_NO_FRAME) {
        window_select_clip(w, document_all_frames(w->doc, part));
        window_change_state(w, "seek", g_variant_new_double((double)frame));
    }
    g_array_set_size(triangles, MIN(triangles->len, MAX_MARKS));
    viewer_stage_mark(w->stage, part, triangles);
    if (triangles->len > 0) {
        uint32_t surface = g_array_index(triangles, lm_diagnostic_triangle, 0)
                               .surface; /* of the part; then among those of all parts */
        for (uint32_t i = 0; i < part; i++)
            surface += document_scene(w->doc)->parts[i].model->num_surfaces;
        gtk_drop_down_set_selected(GTK_DROP_DOWN(w->uv_surface), surface);
    }
    viewer_uv_view_mark(w->uv_view, part, triangles);
    viewer_list_select(w->problem_list, row);
    if (triangles->len == 0 && frame == LM_NO_FRAME && shown->count > 0)
        window_show_status(w, _("This problem has no location on the model."));
}

/* ---- Texture coordinates ------------------------------------------------------------------- */

void window_show_surface(ViewerWindow *w, uint32_t row) {
    uint32_t part, surface;
    if (!w->doc || !document_surface(w->doc, row, &part, &surface))
        return;
    viewer_uv_view_show(w->uv_view, w->doc, part, surface);
    window_set_state(w, "uv-surface", g_variant_new_uint32(row));
    gtk_drop_down_set_selected(GTK_DROP_DOWN(w->uv_surface), row);
}

/* Returns "l_boots"; of several parts, "Legs: l_boots". */
static char *surface_text(const document *d, uint32_t part, uint32_t surface) {
    const lm_scene *scene = document_scene(d);
    g_autofree char *name = display_text(scene->parts[part].model->surfaces[surface].name);
    const char *shown = *name ? name : "-";
    return scene->num_parts > 1 ? g_strdup_printf(TEXT_SURFACE_OF, d->part_names[part], shown)
                                : g_strdup(shown);
}

static void fill_surfaces(ViewerWindow *w) {
    GtkStringList *names = gtk_string_list_new(NULL);
    uint32_t part, surface, count = 0;
    for (; document_surface(w->doc, count, &part, &surface); count++) {
        gtk_string_list_take(names, surface_text(w->doc, part, surface));
    }
    gtk_drop_down_set_model(GTK_DROP_DOWN(w->uv_surface), G_LIST_MODEL(names));
    gtk_widget_set_visible(w->uv_surface, count > 1);
    g_object_unref(names);
    viewer_uv_view_mark(w->uv_view, 0, NULL);
    viewer_uv_view_show(w->uv_view, w->doc, 0, 0);
    window_show_surface(w, 0);
}

/* Disables the actions that need a model while there is none, or the grid hides it. */
void window_enable(ViewerWindow *w) {
    static const char *const actions[] = {"play",          "step",       "seek",
                                          "next-clip",     "screenshot", "export",
                                          "previous-clip", "ask-attach", "copy-picture"};
    for (size_t i = 0; i < G_N_ELEMENTS(actions); i++)
        window_set_enabled(w, actions[i], w->doc && !w->grid_is_shown);
    window_show_sidebar(w);
    window_fill_models(w);
}

void window_enable_edits(ViewerWindow *w) {
    window_set_enabled(w, "undo", edits_can_undo(w->edits));
    window_set_enabled(w, "redo", edits_can_redo(w->edits));
    window_set_enabled(w, "save-copy", edits_can_undo(w->edits));
    window_set_enabled(w, "replace-original", edits_can_undo(w->edits));
    window_set_enabled(w, "edit-names", w->doc);
    window_set_enabled(w, "edit-focused", w->doc);
    window_set_enabled(w, "edit-clip", w->doc);
}

/* Shows the frames of a single model, and the parts of several: each has frames of its own. */
void window_show_title(ViewerWindow *w) {
    const lm_model *model = document_model(w->doc);
    uint32_t triangles = document_count(w->doc, LM_NO_PART).triangles;
    uint32_t parts = document_scene(w->doc)->num_parts;
    g_autofree char *format = g_ascii_strup(model->format, -1);
    g_autofree char *frames =
        parts > 1 ? g_strdup_printf(TEXT_PARTS(parts), parts)
                  : g_strdup_printf(TEXT_FRAMES(model->num_frames), model->num_frames);
    g_autofree char *faces = g_strdup_printf(TEXT_TRIANGLES(triangles), triangles);
    g_autofree char *facts = g_strjoin(TEXT_SEPARATOR, format, frames, faces, NULL);
    g_autofree char *title = edits_unsaved(w->edits) ? g_strdup_printf(TEXT_EDITED, w->doc->title)
                                                     : g_strdup(w->doc->title);
    gtk_label_set_text(GTK_LABEL(w->title), title);
    gtk_label_set_text(GTK_LABEL(w->subtitle), facts);
    gtk_widget_set_visible(w->subtitle, TRUE);
    gtk_window_set_title(GTK_WINDOW(w), title);
}

void window_fill_panels(ViewerWindow *w) {
    window_enable(w);
    fill_clips(w);
    fill_torso(w);
    fill_skins(w);
    w->is_described = false;
    window_fill_info(w);
    fill_problems(w);
    fill_surfaces(w);
}

/* ---- Controls ------------------------------------------------------------------------------ */

void window_add_rows(ViewerWindow *w) {
    GtkWidget *playback = rows_add_controls(w->playback_box, _("Playback"));
    GtkWidget *surface = rows_add_controls(w->display_box, _("Surface"));
    GtkWidget *overlays = rows_add_controls(w->display_box, _("Show"));
    GtkWidget *model = rows_add_controls(w->display_box, TEXT_MODEL_VIEW);
    const struct {
        GtkWidget *list;
        const char *name, *action, *tooltip;
    } rows[] = {
        {playback, _("Backwards"), "win.backwards", NULL},
        {playback, _("Interpolate"), "win.interpolate", _("Blend between frames")},
        {surface, _("Edges"), "win.edges", NULL},
        {surface, _("Double-sided"), "win.two-sided", NULL},
        {overlays, _("Shadow"), "win.shadow", NULL},
        {overlays, _("Grid"), "win.grid", NULL},
        {overlays, _("Axes"), "win.axes", NULL},
        {overlays, _("Bounding box"), "win.box", NULL},
        {overlays, TEXT_TAGS, "win.tags", NULL},
        {overlays, _("Skeleton"), "win.skeleton",
         _("Find a skeleton and show it; glTF is then exported with it")},
        {overlays, _("UV map"), "win.uv", NULL},
        {model, _("Attachments"), "win.attachments",
         _("Show the weapon and the head from the model's folder")},
        {model, TEXT_GL_COMMANDS, "win.gl-commands",
         _("Draw an MD2's strips and fans instead of its triangles")},
    };
    rows_add_control(playback, _("When it ends"), w->mode);
    GtkWidget *torso = rows_add_control(playback, TEXT_TORSO, w->torso);
    g_object_bind_property(w->torso, "visible", torso, "visible", G_BINDING_SYNC_CREATE);
    rows_add_control(playback, _("Speed"), w->speed);
    rows_add_control(surface, _("Shading"), w->shade);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        rows_add_switch(rows[i].list, rows[i].name, rows[i].action, rows[i].tooltip);
}
