/* The banner, the status line, worker jobs, and the states of actions. */
#include "window_private.h"

/* The banner is an alert: screen readers read it when it appears. */
static void reveal(ViewerWindow *w, bool shown) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(w->banner), GTK_ACCESSIBLE_STATE_HIDDEN, !shown, -1);
    gtk_info_bar_set_revealed(GTK_INFO_BAR(w->banner), shown);
}

void window_hide_error(ViewerWindow *w) {
    reveal(w, false);
}

void window_show_error(ViewerWindow *w, const char *message, const char *details, bool repairable) {
    w->error_is_of_file = false;
    gtk_label_set_text(GTK_LABEL(w->banner_text), message);
    gtk_label_set_text(GTK_LABEL(w->banner_details), details ? details : "");
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(w->details_button), FALSE);
    gtk_widget_set_visible(w->details_button, details != NULL);
    gtk_widget_set_visible(w->repair_button, repairable);
    gtk_accessible_update_property(GTK_ACCESSIBLE(w->banner), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   message, -1);
    reveal(w, true);
}

static gboolean hide_status(gpointer user) {
    ViewerWindow *w = user;
    w->status_timer = 0;
    gtk_widget_set_visible(w->status, FALSE);
    return G_SOURCE_REMOVE;
}

void window_show_status(ViewerWindow *w, const char *message) {
    const guint seconds = 5;
    gtk_label_set_text(GTK_LABEL(w->status), message);
    gtk_widget_set_visible(w->status, TRUE);
    g_clear_handle_id(&w->status_timer, g_source_remove);
    w->status_timer = g_timeout_add_seconds(seconds, hide_status, w);
}

/* ---- Jobs ---------------------------------------------------------------------------------- */

/* Milliseconds. Most jobs are shorter, and GTK loads librsvg to draw the spinner: 8 MB. */
#define SPINNER_DELAY 400

static gboolean show_spinner(gpointer user) {
    ViewerWindow *w = user;
    w->spinner_timer = 0;
    gtk_widget_set_visible(w->spinner, TRUE);
    return G_SOURCE_REMOVE;
}

static void free_job(gpointer user) {
    window_job *job = user;
    g_weak_ref_clear(&job->window);
    job->clear(job);
    g_free(job);
}

static void run_job(GTask *task, gpointer source, gpointer user, GCancellable *cancellable) {
    window_job *job = user;
    job->run(job);
    g_task_return_boolean(task, TRUE);
}

static void end_job(GObject *source, GAsyncResult *result, gpointer user) {
    window_job *job = g_task_get_task_data(G_TASK(result));
    g_autoptr(ViewerWindow) w = g_weak_ref_get(&job->window);
    if (!w)
        return;
    if (--w->num_jobs == 0) {
        g_clear_handle_id(&w->spinner_timer, g_source_remove);
        gtk_widget_set_visible(w->spinner, FALSE);
    }
    job->done(w, job);
}

void window_run(ViewerWindow *w, window_job *job) {
    g_autoptr(GTask) task = g_task_new(NULL, NULL, end_job, NULL);
    g_weak_ref_init(&job->window, w);
    g_task_set_task_data(task, job, free_job);
    if (w->num_jobs++ == 0)
        w->spinner_timer = g_timeout_add(SPINNER_DELAY, show_spinner, w);
    g_task_run_in_thread(task, run_job);
}

/* ---- Actions ------------------------------------------------------------------------------- */

static GSimpleAction *find_action(ViewerWindow *w, const char *name) {
    return G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(w), name));
}

void window_set_state(ViewerWindow *w, const char *action, GVariant *state) {
    g_simple_action_set_state(find_action(w, action), state);
}

void window_set_enabled(ViewerWindow *w, const char *action, bool enabled) {
    g_simple_action_set_enabled(find_action(w, action), enabled);
}

void window_change_state(ViewerWindow *w, const char *action, GVariant *state) {
    g_action_group_change_action_state(G_ACTION_GROUP(w), action, state);
}
