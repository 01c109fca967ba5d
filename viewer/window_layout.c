/* The layout: the side panel beside the view, or over it if the window is narrow; and full screen,
 * where the model covers the screen and the mouse brings back the controls in a bar over it. */
#include "window_private.h"

#define NARROW 700     /* pixels; below, the panel is over the view */
#define TIGHT 640      /* pixels; below, buttons that keys and the menu replace are hidden */
#define MIN_WIDTH 330  /* pixels of the panel */
#define VIEW_WIDTH 310 /* pixels of the view and the handle beside the panel */
#define BAR_DELAY 2500 /* milliseconds that the bar stays after the mouse rests */

static bool is_beside(const ViewerWindow *w) {
    return gtk_widget_get_parent(w->sidebar) == w->panes;
}

/* Until the panes have a position, the panel's request decides it. */
static void request_width(ViewerWindow *w, int window_width) {
    int most = MAX(window_width - VIEW_WIDTH, MIN_WIDTH);
    int width = w->is_placed ? MIN_WIDTH : CLAMP(w->panel_width, MIN_WIDTH, most);
    gtk_widget_set_size_request(w->sidebar, width, -1);
}

/* A window that is about to be narrow squeezes the panel. */
static void note_width(ViewerWindow *w) {
    if (is_beside(w) && gtk_widget_get_width(GTK_WIDGET(w)) >= NARROW &&
        gtk_widget_get_mapped(w->sidebar) && gtk_widget_get_width(w->sidebar) > 0)
        w->panel_width = gtk_widget_get_width(w->sidebar);
}

int window_panel_width(ViewerWindow *w) {
    note_width(w);
    return w->panel_width;
}

void window_set_panel_width(ViewerWindow *w, int width, int window_width) {
    w->panel_width = width;
    request_width(w, window_width);
}

static bool is_wanted(ViewerWindow *w) {
    g_autoptr(GVariant) state = g_action_group_get_action_state(G_ACTION_GROUP(w), "sidebar");
    return g_variant_get_boolean(state);
}

void window_show_sidebar(ViewerWindow *w) {
    bool useful = !w->grid_is_shown && (w->doc || (w->list && w->list->len > 0));
    note_width(w);
    gtk_widget_set_visible(w->sidebar, useful && is_wanted(w));
    window_set_enabled(w, "sidebar", useful);
}

bool window_close_overlay(ViewerWindow *w) {
    bool open = !is_beside(w) && gtk_widget_get_visible(w->sidebar);
    if (open)
        window_change_state(w, "sidebar", g_variant_new_boolean(FALSE));
    return open;
}

/* Hides the panel after the window became narrow or full, and shows it again. */
static void update_compact(ViewerWindow *w) {
    bool compact = w->is_full || w->is_narrow, shown = is_wanted(w);
    if (compact == w->is_compact)
        return;
    w->is_compact = compact;
    w->sidebar_before = shown || (!compact && w->sidebar_before);
    window_change_state(w, "sidebar", g_variant_new_boolean(!compact && w->sidebar_before));
}

void window_fit_panel(ViewerWindow *w, int window_width) {
    bool narrow = window_width < NARROW;
    if (w->is_narrow == narrow)
        return;
    note_width(w);
    w->is_narrow = narrow;
    update_compact(w);
    g_object_ref(w->sidebar);
    if (narrow) {
        gtk_paned_set_end_child(GTK_PANED(w->panes), NULL);
        gtk_overlay_add_overlay(GTK_OVERLAY(w->body), w->sidebar);
        gtk_widget_add_css_class(w->sidebar, "overlaid");
    } else {
        gtk_overlay_remove_overlay(GTK_OVERLAY(w->body), w->sidebar);
        request_width(w, window_width);
        gtk_paned_set_end_child(GTK_PANED(w->panes), w->sidebar);
        gtk_widget_remove_css_class(w->sidebar, "overlaid");
    }
    gtk_widget_set_halign(w->sidebar, narrow ? GTK_ALIGN_END : GTK_ALIGN_FILL);
    g_object_unref(w->sidebar);
}

/* The width is fixed by the panes' position from now on, and can become smaller. */
static void place(ViewerWindow *w) {
    w->is_placed = true;
    gtk_paned_set_position(GTK_PANED(w->panes), gtk_paned_get_position(GTK_PANED(w->panes)));
    request_width(w, 0);
}

static void fit_title(ViewerWindow *w, int window_width) {
    w->is_tight = window_width < TIGHT;
    gtk_widget_set_visible(w->step_buttons, !w->is_tight);
    gtk_widget_set_visible(w->screenshot_button, !w->is_tight);
}

static gboolean adapt(gpointer user) {
    ViewerWindow *w = user;
    w->adapt_idle = 0;
    window_fit_panel(w, gtk_widget_get_width(GTK_WIDGET(w)));
    fit_title(w, gtk_widget_get_width(GTK_WIDGET(w)));
    if (!w->is_placed && is_beside(w) && gtk_widget_get_width(w->sidebar) > 0 &&
        gtk_widget_get_mapped(w->sidebar))
        place(w);
    return G_SOURCE_REMOVE;
}

/* Widgets cannot move while sizes are allocated. */
void window_allocated(ViewerWindow *w, int width) {
    bool misplaced = !w->is_placed && is_beside(w) && gtk_widget_get_mapped(w->sidebar);
    bool changed = (width < NARROW) != w->is_narrow || (width < TIGHT) != w->is_tight;
    if (w->adapt_idle == 0 && (misplaced || changed))
        w->adapt_idle = g_idle_add_full(G_PRIORITY_HIGH_IDLE, adapt, w, NULL);
}

/* ---- Full screen ----------------------------------------------------------------------------- */

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
    update_compact(w);
    gtk_widget_set_visible(w->bar, full);
    show_bar(w);
    if (!full)
        g_clear_handle_id(&w->bar_timer, g_source_remove);
}
