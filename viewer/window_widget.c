/* The window widget: creation, layout and disposal. */
#include "window_private.h"

#include "display_text.h"
#include "list.h"
#include "rows.h"
#include "text.h"

#include <string.h>

#define MAX_LISTED 5 /* in the list where nothing is open */
#define MAX_RECENT 12
#define MAX_FOLDER 40 /* characters of a folder's path, of which the end stays */

G_DEFINE_TYPE(ViewerWindow, viewer_window, GTK_TYPE_APPLICATION_WINDOW)

/* ---- Recent files: a menu, and a list where nothing is open * -------------------------------- */

/* Returns a file's folder: "~/baseq3", "…quake3/baseq3". */
static char *short_folder(const char *path) {
    const char *home = g_get_home_dir();
    g_autofree char *folder = g_path_get_dirname(path);
    size_t length = strlen(home);
    bool inside = strncmp(folder, home, length) == 0 && (!folder[length] || folder[length] == '/');
    g_autofree char *from_home =
        inside ? g_strconcat("~", folder + length, NULL) : g_strdup(folder);
    glong count = g_utf8_strlen(from_home, -1);
    return count > MAX_FOLDER
               ? g_strconcat(TEXT_ELLIPSIS, g_utf8_offset_to_pointer(from_home, count - MAX_FOLDER),
                             NULL)
               : g_strdup(from_home);
}

/* Returns a label that shows underscores; a single one would mark a mnemonic. */
static char *recent_label(const char *name, const char *folder) {
    g_autofree char *text = g_strdup_printf(TEXT_RECENT_FILE, name, folder);
    g_auto(GStrv) parts = g_strsplit(text, "_", -1);
    return g_strjoinv("__", parts);
}

/* Adds a file to the menu, and to the list unless that is NULL. Returns false for other files. */
static bool add_recent(GMenu *menu, GtkWidget *list, GtkRecentInfo *info) {
    const char *name = gtk_recent_info_get_display_name(info);
    g_autofree char *path = g_filename_from_uri(gtk_recent_info_get_uri(info), NULL, NULL);
    bool shown = path && g_utf8_validate(path, -1, NULL);
    if (shown) {
        g_autofree char *folder = short_folder(path), *label = recent_label(name, folder);
        g_autoptr(GMenuItem) item = g_menu_item_new(label, NULL);
        g_menu_item_set_action_and_target(item, "win.open-path", "s", path);
        g_menu_append_item(menu, item);
        if (list)
            rows_add_action(list, name, folder, "win.open-path", path);
    }
    return shown;
}

static int compare_recent(gconstpointer a, gconstpointer b) {
    return g_date_time_compare(gtk_recent_info_get_modified((GtkRecentInfo *)b),
                               gtk_recent_info_get_modified((GtkRecentInfo *)a));
}

static void fill_recent(ViewerWindow *w) {
    g_autoptr(GMenu) menu = g_menu_new();
    GList *items =
        g_list_sort(gtk_recent_manager_get_items(gtk_recent_manager_get_default()), compare_recent);
    int count = 0;
    rows_clear(w->recent_box);
    GtkWidget *list = rows_add_group(w->recent_box, _("Recent files"));
    for (GList *i = items; i && count < MAX_RECENT; i = i->next)
        if (gtk_recent_info_has_application(i->data, "lerpmesh-viewer") &&
            gtk_recent_info_exists(i->data))
            count += add_recent(menu, count < MAX_LISTED ? list : NULL, i->data);
    g_list_free_full(items, (GDestroyNotify)gtk_recent_info_unref);
    gtk_widget_set_visible(w->recent_box, count > 0);
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(w->recent_button), G_MENU_MODEL(menu));
    gtk_widget_set_sensitive(w->recent_button, count > 0);
}

/* ---- Dropped files --------------------------------------------------------------------------- */

static gboolean dropped(GtkDropTarget *target, const GValue *value, double x, double y,
                        ViewerWindow *w) {
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    for (GSList *file = g_value_get_boxed(value); file; file = file->next) {
        char *path = g_file_get_path(file->data);
        if (path)
            g_ptr_array_add(paths, path);
    }
    bool any = paths->len > 0;
    g_ptr_array_add(paths, NULL);
    viewer_window_open(w, (const char *const *)paths->pdata);
    return any;
}

/* ---- The widget ------------------------------------------------------------------------------ */

static gboolean change_timeline(GtkRange *range, GtkScrollType scroll, double value,
                                ViewerWindow *w) {
    window_change_state(w, "seek", g_variant_new_double(value));
    return TRUE;
}

static void stage_failed(ViewerStage *stage, const char *message, ViewerWindow *w) {
    window_show_error(w, message, NULL, false);
}

static void close_banner(GtkInfoBar *banner, int response, ViewerWindow *w) {
    window_hide_error(w);
}

/* The window manager can change this too. */
static void fullscreen_changed(ViewerWindow *w, GParamSpec *spec, gpointer user) {
    bool full = gtk_window_is_fullscreen(GTK_WINDOW(w));
    window_set_state(w, "fullscreen", g_variant_new_boolean(full));
    window_set_full(w, full);
}

static void close_again(ViewerWindow *w, gpointer data) {
    gtk_window_close(GTK_WINDOW(w));
}

static gboolean closing(ViewerWindow *w, gpointer user) {
    if (window_ask_unsaved(w, close_again, NULL, NULL))
        return TRUE;
    window_remember(w);
    return FALSE;
}

static void set_dark(ViewerWindow *w) {
    gboolean dark = FALSE;
    g_autofree char *theme = NULL;
    g_object_get(gtk_widget_get_settings(GTK_WIDGET(w)), "gtk-application-prefer-dark-theme", &dark,
                 "gtk-theme-name", &theme, NULL);
    viewer_stage_options(w->stage)->dark = dark || (theme && g_str_has_suffix(theme, "-dark"));
    viewer_stage_redraw(w->stage);
}

static void dispose(GObject *object) {
    ViewerWindow *w = VIEWER_WINDOW(object);
    if (w->stage) {
        g_signal_handlers_disconnect_by_data(gtk_widget_get_settings(GTK_WIDGET(w)), w);
        g_signal_handlers_disconnect_by_data(gtk_recent_manager_get_default(), w);
        window_set_playing(w, false);
        window_stop_skeleton(w);
        g_clear_handle_id(&w->status_timer, g_source_remove);
        g_clear_handle_id(&w->spinner_timer, g_source_remove);
        g_clear_handle_id(&w->bar_timer, g_source_remove);
        g_clear_handle_id(&w->adapt_idle, g_source_remove);
        g_clear_handle_id(&w->tick_idle, g_source_remove);
        window_load_end(w);
        window_end_grid(w);
        w->stage = NULL;
    }
    gtk_widget_dispose_template(GTK_WIDGET(w), VIEWER_TYPE_WINDOW);
    G_OBJECT_CLASS(viewer_window_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    document_unref(VIEWER_WINDOW(object)->doc);
    g_weak_ref_clear(&VIEWER_WINDOW(object)->attach_dialog);
    edits_free(VIEWER_WINDOW(object)->edits);
    G_OBJECT_CLASS(viewer_window_parent_class)->finalize(object);
}

#define BIND(name) gtk_widget_class_bind_template_child(widget, ViewerWindow, name)

static void bind_children(GtkWidgetClass *widget) {
    BIND(title), BIND(subtitle), BIND(step_buttons), BIND(screenshot_button), BIND(banner),
        BIND(banner_text), BIND(banner_details), BIND(details_button), BIND(repair_button);
    BIND(empty_state), BIND(formats), BIND(recent_box), BIND(spinner), BIND(stage_slot),
        BIND(uv_slot), BIND(uv_surface), BIND(status), BIND(torso);
    BIND(timeline), BIND(frame_label), BIND(play_button), BIND(speed), BIND(mode);
    BIND(body), BIND(panes), BIND(sidebar), BIND(pages), BIND(clip_page), BIND(model_page);
    BIND(shade), BIND(playback_box), BIND(display_box), BIND(info_box), BIND(problem_page),
        BIND(problem_summary), BIND(recent_button);
    BIND(search_bar), BIND(search_progress), BIND(texture_bar), BIND(texture_text);
    BIND(controls), BIND(controls_slot), BIND(bar), BIND(bar_slot);
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
    GTK_WIDGET_CLASS(viewer_window_parent_class)->size_allocate(widget, width, height, baseline);
    window_allocated(VIEWER_WINDOW(widget), width);
}

static void viewer_window_class_init(ViewerWindowClass *class) {
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);
    G_OBJECT_CLASS(class)->dispose = dispose;
    G_OBJECT_CLASS(class)->finalize = finalize;
    widget->size_allocate = size_allocate;
    gtk_widget_class_set_template_from_resource(widget, "/org/lerpmesh/Viewer/window.ui");
    bind_children(widget);
}

/* Names the button that closes an info bar, which GTK does not. */
static void name_close_button(GtkWidget *bar) {
    GtkWidget *revealer = gtk_widget_get_first_child(bar);
    GtkWidget *button = gtk_widget_get_last_child(gtk_revealer_get_child(GTK_REVEALER(revealer)));
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _("Close"), -1);
}

static GtkWidget *add_list(GtkWidget *page, const char *action, const char *label) {
    GtkWidget *list = viewer_list_new(action, label);
    gtk_box_append(GTK_BOX(page), list);
    return list;
}

static void viewer_window_init(ViewerWindow *w) {
    gtk_widget_init_template(GTK_WIDGET(w));
    g_autofree char *formats = display_formats(", ");
    g_autofree char *all = g_strdup_printf(TEXT_FORMATS, formats);
    gtk_label_set_text(GTK_LABEL(w->formats), all);
    name_close_button(w->banner);
    w->request.listed = DOCUMENT_ANY_SKIN;
    static const lm_clip still = {.name = "", .count = 1, .fps = LM_DEFAULT_FPS};
    w->play = (lm_playback){.clip = &still, .speed = 1, .playing = true};
    w->play_requested = true;
    w->monitors = g_ptr_array_new_with_free_func(g_object_unref);
    w->list_monitors = g_ptr_array_new_with_free_func(g_object_unref);
    w->stage = VIEWER_STAGE(viewer_stage_new(&w->play));
    w->uv_view = VIEWER_UV_VIEW(viewer_uv_view_new());
    gtk_overlay_set_child(GTK_OVERLAY(w->stage_slot), GTK_WIDGET(w->stage));
    gtk_box_append(GTK_BOX(w->uv_slot), GTK_WIDGET(w->uv_view));
    w->clip_list = add_list(w->clip_page, "win.clip", TEXT_CLIPS);
    gtk_box_reorder_child_after(GTK_BOX(w->clip_page), w->clip_list, NULL);
    w->skin_list = viewer_list_new("win.skin", TEXT_SKINS);
    viewer_list_show_all(w->skin_list);
    rows_add_framed(w->display_box, TEXT_SKINS, w->skin_list);
    window_add_rows(w);
    w->model_list = add_list(w->model_page, "win.model", TEXT_MODELS);
    w->model_search = viewer_list_search(w->model_list, _("Search models"));
    gtk_widget_add_css_class(w->model_search, "search");
    g_signal_connect_swapped(w->model_search, "search-changed", G_CALLBACK(window_fill_models), w);
    gtk_box_prepend(GTK_BOX(w->model_page), w->model_search);
    w->problem_list = add_list(w->problem_page, "win.problem", TEXT_PROBLEMS);
    g_signal_connect(w->stage, "failed", G_CALLBACK(stage_failed), w);
    g_signal_connect(w->timeline, "change-value", G_CALLBACK(change_timeline), w);
    g_signal_connect(w->banner, "response", G_CALLBACK(close_banner), w);
    window_hide_error(w);
    GtkSettings *theme = gtk_widget_get_settings(GTK_WIDGET(w));
    g_signal_connect_swapped(theme, "notify", G_CALLBACK(set_dark), w);
    g_signal_connect_swapped(gtk_recent_manager_get_default(), "changed", G_CALLBACK(fill_recent),
                             w);
    window_add_grid(w);
    window_add_actions(w);
    window_enable(w);
    fill_recent(w);
    GtkDropTarget *target = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
    g_signal_connect(target, "drop", G_CALLBACK(dropped), w);
    gtk_widget_add_controller(GTK_WIDGET(w), GTK_EVENT_CONTROLLER(target));
    window_watch_mouse(w);
    set_dark(w);
    g_signal_connect(w, "notify::fullscreened", G_CALLBACK(fullscreen_changed), NULL);
    g_signal_connect(w, "close-request", G_CALLBACK(closing), NULL);
    window_restore(w);
    gtk_widget_grab_focus(GTK_WIDGET(w->stage));
}

GtkWidget *viewer_window_new(GtkApplication *application, const char *const *games) {
    ViewerWindow *w = g_object_new(VIEWER_TYPE_WINDOW, "application", application, NULL);
    w->games_given = games && games[0];
    if (w->games_given)
        w->request.games = g_strdupv((char **)(void *)games);
    return GTK_WIDGET(w);
}
