/* The side panel, and the recent files. */
#include "window_private.h"

#include "display_text.h"
#include "folder.h"
#include "internals.h"
#include "list.h"
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
    char *frames = g_strdup_printf(TEXT_FRAMES(c->clip.count), c->clip.count);
    char *fps = g_strdup_printf(TEXT_FPS, (double)c->clip.fps);
    const char *mode = c->clip.backwards     ? TEXT_PLAYS_BACKWARDS
                       : c->clip.loop_frames ? NULL
                                             : TEXT_PLAYS_ONCE;
    char *facts = g_strjoin(TEXT_SEPARATOR, frames, fps, mode, NULL);
    char *row = g_strdup_printf("%s\t%s", c->name, facts);
    g_free(facts);
    g_free(fps);
    g_free(frames);
    return row;
}

static void fill_clips(ViewerWindow *w) {
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < w->doc->num_clips; i++) {
        g_ptr_array_add(rows, clip_row(&w->doc->clips[i]));
    }
    set_rows(w->clip_list, rows);
    viewer_list_select(w->clip_list, w->clip);
}

static void fill_skins(ViewerWindow *w) {
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < w->doc->skins->num_choices; i++)
        g_ptr_array_add(rows, display_text(w->doc->skins->choices[i].name));
    set_rows(w->skin_list, rows);
    viewer_list_select(w->skin_list, w->doc->skins->current);
    window_set_state(w, "skin", g_variant_new_uint32(w->doc->skins->current));
}

/* Returns a model's title, a tab, and "player" and its folder in an archive as the detail; if it
 * cannot be read, another tab and the reason. */
static char *model_row(lm_vfs *vfs, const folder_model *model) {
    const char *path = model->path;
    bool player = model->player;
    size_t length = lm_vfs_archive_length(vfs, path);
    const char *inside = length > 0 ? path + length + 1 : path;
    const char *slash = strrchr(inside, '/');
    char *folder = g_strndup(inside, slash && length > 0 ? (size_t)(slash - inside) : 0);
    char *name = player ? display_folder(vfs, path) : display_title(vfs, path);
    char *where = display_text(folder);
    const char *separator = player && *where ? TEXT_SEPARATOR : "";
    char *detail = g_strconcat(player ? TEXT_PLAYER : "", separator, where, NULL);
    bool more = *detail || model->problem;
    char *row = g_strjoin("\t", name, more ? detail : NULL, model->problem, NULL);
    g_free(detail);
    g_free(where);
    g_free(name);
    g_free(folder);
    return row;
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
            g_ptr_array_add(
                rows, model_row(w->shared_vfs->vfs, &g_array_index(w->list, folder_model, i)));
        set_rows(w->model_list, rows);
        w->listed = w->list;
    } else if (current < count) {
        char *row = model_row(w->shared_vfs->vfs, &g_array_index(w->list, folder_model, current));
        viewer_list_set_row(w->model_list, current, row);
        g_free(row);
    }
    viewer_list_select(w->model_list, current);
    bool others = viewer_list_step(w->model_list, current, 1) != GTK_INVALID_LIST_POSITION;
    window_set_enabled(w, "next", others);
    window_set_enabled(w, "previous", others);
}

/* ---- Info and problems --------------------------------------------------------------------- */

static void fill_info(ViewerWindow *w) {
    GtkTextBuffer *buffer = gtk_text_view_get_buffer(GTK_TEXT_VIEW(w->info_text));
    GString *text = g_string_new(w->doc->info);
    if (w->doc->diagnostics_text[0])
        g_string_append_printf(text, "\n  %s\n%s", TEXT_DIAGNOSTICS, w->doc->diagnostics_text);
    char *valid = g_utf8_make_valid(text->str, (gssize)text->len);
    gtk_text_buffer_set_text(buffer, valid, -1);
    g_free(valid);
    g_string_free(text, TRUE);
}

static const lm_diagnostic *problem_at(const document *d, uint32_t index) {
    return &d->report->problems[g_array_index(d->problems.order, uint32_t, index)];
}

/* Returns "3 errors", "1 warning", ... */
static char *count_text(uint32_t count, lm_severity severity) {
    return g_strdup_printf(severity == LM_ERROR     ? TEXT_ERRORS(count)
                           : severity == LM_WARNING ? TEXT_WARNINGS(count)
                                                    : TEXT_NOTES(count),
                           count);
}

static const char *severity_text(lm_severity severity) {
    return severity == LM_ERROR ? TEXT_ERROR : severity == LM_WARNING ? TEXT_WARNING : TEXT_NOTE;
}

/* Returns "CODE", a tab and "3 errors · select to see all" for a group, and "MESSAGE", a tab and
 * "error · CODE" for a single problem. */
static char *problem_row_text(const document *d, const problem_row *row) {
    const lm_diagnostic *p = problem_at(d, row->first);
    bool group = row->count > 1;
    const char *code = lm_code_name(p->code);
    char *title = group ? g_strdup(code) : display_text(p->text);
    char *count = group ? count_text(row->count, p->severity) : NULL;
    char *detail = group ? g_strjoin(TEXT_SEPARATOR, count, TEXT_SELECT_GROUP, NULL)
                         : g_strjoin(TEXT_SEPARATOR, severity_text(p->severity), code, NULL);
    char *text = g_strjoin("\t", title, detail, NULL);
    g_free(detail);
    g_free(count);
    g_free(title);
    return text;
}

static char *summary_of(const lm_report *report) {
    if (!report || report->num_problems == 0)
        return g_strdup(TEXT_NO_PROBLEMS);
    char *errors = count_text(report->num_errors, LM_ERROR);
    char *warnings = count_text(report->num_warnings, LM_WARNING);
    char *notes = count_text(report->num_notes, LM_NOTE);
    char *counts = g_strjoin(TEXT_SEPARATOR, errors, warnings, notes, NULL);
    char *summary = g_strjoin("\n", counts, TEXT_SELECT_PROBLEM, NULL);
    g_free(counts);
    g_free(notes);
    g_free(warnings);
    g_free(errors);
    return summary;
}

static void fill_problems(ViewerWindow *w) {
    const lm_report *report = w->doc->report;
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < w->doc->problems.rows->len; i++)
        g_ptr_array_add(
            rows, problem_row_text(w->doc, &g_array_index(w->doc->problems.rows, problem_row, i)));
    set_rows(w->problem_list, rows);
    viewer_list_select(w->problem_list, GTK_INVALID_LIST_POSITION);
    char *summary = summary_of(report);
    gtk_label_set_text(GTK_LABEL(w->problem_summary), summary);
    GtkStackPage *page = gtk_stack_get_page(GTK_STACK(w->pages), w->problem_page);
    gtk_stack_page_set_needs_attention(page,
                                       report && report->num_errors + report->num_warnings > 0);
    g_free(summary);
}

#define MAX_MARKS 50000 /* highlighted triangles: more would cover the model */

/* Appends the triangles of a row's problems. Returns the first frame of a problem. */
static uint32_t locate_row(const document *d, const problem_row *row, GArray *triangles) {
    uint32_t frame = LM_NO_FRAME;
    for (uint32_t i = 0; i < row->count; i++) {
        uint32_t found =
            problem_locate(document_model(d), problem_at(d, row->first + i), triangles);
        frame = frame == LM_NO_FRAME ? found : frame;
    }
    return frame;
}

/* Shows the problem's frame, if it has one, and highlights its triangles in both views. */
void window_show_problem(ViewerWindow *w, uint32_t row) {
    if (!w->doc || row >= w->doc->problems.rows->len)
        return;
    GArray *triangles = g_array_new(FALSE, FALSE, sizeof(lm_diagnostic_triangle));
    uint32_t frame =
        locate_row(w->doc, &g_array_index(w->doc->problems.rows, problem_row, row), triangles);
    const lm_diagnostic_triangle *all = (const lm_diagnostic_triangle *)(void *)triangles->data;
    if (frame != LM_NO_FRAME) {
        window_select_clip(w, w->doc->num_clips - 1); /* all frames */
        window_change_state(w, "seek", g_variant_new_double((double)frame));
    }
    g_array_set_size(triangles, MIN(triangles->len, MAX_MARKS));
    viewer_stage_mark(w->stage, all, triangles->len);
    if (triangles->len > 0)
        gtk_drop_down_set_selected(GTK_DROP_DOWN(w->uv_surface), all->surface);
    viewer_uv_view_mark(w->uv_view, all, triangles->len);
    viewer_list_select(w->problem_list, row);
    if (triangles->len == 0 && frame == LM_NO_FRAME)
        window_show_status(w, TEXT_NO_LOCATION);
    g_array_unref(triangles);
}

/* ---- Texture coordinates ------------------------------------------------------------------- */

void window_show_surface(ViewerWindow *w, uint32_t surface) {
    if (!w->doc || surface >= document_model(w->doc)->num_surfaces)
        return;
    viewer_uv_view_show(w->uv_view, w->doc, surface);
    window_set_state(w, "uv-surface", g_variant_new_uint32(surface));
    gtk_drop_down_set_selected(GTK_DROP_DOWN(w->uv_surface), surface);
}

static void fill_surfaces(ViewerWindow *w) {
    const lm_model *model = document_model(w->doc);
    GtkStringList *names = gtk_string_list_new(NULL);
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        char *name = display_text(model->surfaces[i].name);
        gtk_string_list_append(names, *name ? name : "-");
        g_free(name);
    }
    gtk_drop_down_set_model(GTK_DROP_DOWN(w->uv_surface), G_LIST_MODEL(names));
    gtk_widget_set_visible(w->uv_surface, model->num_surfaces > 1);
    g_object_unref(names);
    viewer_uv_view_mark(w->uv_view, NULL, 0);
    viewer_uv_view_show(w->uv_view, w->doc, 0);
    window_set_state(w, "uv-surface", g_variant_new_uint32(0));
}

/* Disables the actions that need a model while there is none. */
void window_enable(ViewerWindow *w) {
    static const char *const actions[] = {"play",       "step",         "seek",   "next-clip",
                                          "screenshot", "copy-picture", "export", "previous-clip"};
    for (size_t i = 0; i < G_N_ELEMENTS(actions); i++)
        window_set_enabled(w, actions[i], w->doc);
    window_fill_models(w);
}

void window_fill_panels(ViewerWindow *w) {
    window_enable(w);
    fill_clips(w);
    fill_skins(w);
    fill_info(w);
    fill_problems(w);
    fill_surfaces(w);
}

/* ---- Recent files -------------------------------------------------------------------------- */

#define MAX_RECENT 12

#define MAX_FOLDER 40 /* characters of a folder's path, of which the end stays */

/* Returns a file's folder: "~/baseq3", "…quake3/baseq3". */
static char *short_folder(const char *path) {
    const char *home = g_get_home_dir();
    char *folder = g_path_get_dirname(path);
    size_t length = strlen(home);
    bool inside = strncmp(folder, home, length) == 0 && (!folder[length] || folder[length] == '/');
    char *from_home = inside ? g_strconcat("~", folder + length, NULL) : g_strdup(folder);
    glong count = g_utf8_strlen(from_home, -1);
    char *out = count > MAX_FOLDER
                    ? g_strconcat(TEXT_ELLIPSIS,
                                  g_utf8_offset_to_pointer(from_home, count - MAX_FOLDER), NULL)
                    : g_strdup(from_home);
    g_free(from_home);
    g_free(folder);
    return out;
}

/* Returns a label that shows underscores; a single one would mark a mnemonic. */
static char *recent_label(const char *name, const char *path) {
    char *folder = short_folder(path), *text = g_strdup_printf(TEXT_RECENT_FILE, name, folder);
    char **parts = g_strsplit(text, "_", -1), *label = g_strjoinv("__", parts);
    g_strfreev(parts);
    g_free(text);
    g_free(folder);
    return label;
}

static void add_recent(GMenu *menu, GtkRecentInfo *info) {
    char *path = g_filename_from_uri(gtk_recent_info_get_uri(info), NULL, NULL);
    if (path && g_utf8_validate(path, -1, NULL)) {
        char *label = recent_label(gtk_recent_info_get_display_name(info), path);
        GMenuItem *item = g_menu_item_new(label, NULL);
        g_free(label);
        g_menu_item_set_action_and_target(item, "win.open-path", "s", path);
        g_menu_append_item(menu, item);
        g_object_unref(item);
    }
    g_free(path);
}

static int compare_recent(gconstpointer a, gconstpointer b) {
    return g_date_time_compare(gtk_recent_info_get_modified((GtkRecentInfo *)b),
                               gtk_recent_info_get_modified((GtkRecentInfo *)a));
}

void window_fill_recent(ViewerWindow *w) {
    GMenu *menu = g_menu_new();
    GList *items =
        g_list_sort(gtk_recent_manager_get_items(gtk_recent_manager_get_default()), compare_recent);
    for (GList *i = items; i && g_menu_model_get_n_items(G_MENU_MODEL(menu)) < MAX_RECENT;
         i = i->next)
        if (gtk_recent_info_has_application(i->data, "lerpmesh-viewer") &&
            gtk_recent_info_exists(i->data))
            add_recent(menu, i->data);
    g_list_free_full(items, (GDestroyNotify)gtk_recent_info_unref);
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(w->recent_button), G_MENU_MODEL(menu));
    gtk_widget_set_sensitive(w->recent_button, g_menu_model_get_n_items(G_MENU_MODEL(menu)) > 0);
    g_object_unref(menu);
}
