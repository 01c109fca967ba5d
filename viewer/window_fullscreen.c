/* Full screen: the model covers the screen. The mouse brings back the controls, in a bar over it.
 */
#include "window_private.h"

#define BAR_DELAY 2500 /* milliseconds that the bar stays after the mouse rests */

static bool is_used(GtkWidget *bar) {
    return (gtk_widget_get_state_flags(bar) & GTK_STATE_FLAG_PRELIGHT) ||
           gtk_widget_get_focus_child(bar);
}

static gboolean hide_bar(gpointer user) {
    ViewerWindow *w = user;
    if (is_used(w->bar))
        return G_SOURCE_CONTINUE;
    w->bar_timer = 0;
    gtk_revealer_set_reveal_child(GTK_REVEALER(w->bar), FALSE);
    gtk_widget_set_cursor_from_name(GTK_WIDGET(w), "none");
    return G_SOURCE_REMOVE;
}

static void show_bar(ViewerWindow *w) {
    gtk_revealer_set_reveal_child(GTK_REVEALER(w->bar), TRUE);
    gtk_widget_set_cursor(GTK_WIDGET(w), NULL);
    g_clear_handle_id(&w->bar_timer, g_source_remove);
    w->bar_timer = g_timeout_add(BAR_DELAY, hide_bar, w);
}

/* GTK also reports motion when widgets move below a resting mouse. */
static void moved(GtkEventControllerMotion *motion, double x, double y, ViewerWindow *w) {
    bool same = x == w->mouse_x && y == w->mouse_y;
    w->mouse_x = x;
    w->mouse_y = y;
    if (!same && w->is_full)
        show_bar(w);
}

void window_watch_mouse(ViewerWindow *w) {
    GtkEventController *motion = gtk_event_controller_motion_new();
    gtk_event_controller_set_propagation_phase(motion, GTK_PHASE_CAPTURE);
    g_signal_connect(motion, "motion", G_CALLBACK(moved), w);
    gtk_widget_add_controller(GTK_WIDGET(w), motion);
}

static void move_controls(ViewerWindow *w, GtkWidget *from, GtkWidget *to) {
    g_object_ref(w->controls);
    gtk_box_remove(GTK_BOX(from), w->controls);
    gtk_box_append(GTK_BOX(to), w->controls);
    g_object_unref(w->controls);
}

void window_set_full(ViewerWindow *w, bool full) {
    if (w->is_full == full)
        return;
    w->is_full = full;
    if (full) {
        window_close_overlay(w);
        move_controls(w, w->controls_slot, w->bar_slot);
        gtk_widget_grab_focus(GTK_WIDGET(w->stage));
    } else {
        move_controls(w, w->bar_slot, w->controls_slot);
    }
    window_update_compact(w);
    gtk_widget_set_visible(w->bar, full);
    show_bar(w);
    if (!full)
        g_clear_handle_id(&w->bar_timer, g_source_remove);
}
