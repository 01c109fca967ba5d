#include "mouse.h"

#include <math.h>

#define DEGREES_PER_PIXEL 0.5f
#define ZOOM_PER_NOTCH 1.1

/* The part of a gesture that was already applied: events report totals since its beginning. */
typedef struct mouse {
    ViewerStage *stage;
    float x, y;   /* of a drag */
    double scale; /* of a pinch */
} mouse;

static void drag_begin(GtkGestureDrag *drag, double x, double y, mouse *m) {
    gtk_widget_grab_focus(GTK_WIDGET(m->stage));
    m->x = m->y = 0;
}

static void drag_update(GtkGestureDrag *drag, double x, double y, mouse *m) {
    GdkModifierType state =
        gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(drag));
    bool left = gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(drag)) == 1;
    float dx = (float)x - m->x, dy = (float)y - m->y;
    m->x = (float)x;
    m->y = (float)y;
    if (left && !(state & GDK_SHIFT_MASK))
        viewer_stage_orbit(m->stage, -dx * DEGREES_PER_PIXEL, dy * DEGREES_PER_PIXEL);
    else
        viewer_stage_pan(m->stage, dx, dy);
}

static gboolean scrolled(GtkEventControllerScroll *scroll, double dx, double dy, mouse *m) {
    viewer_stage_zoom(m->stage, pow(ZOOM_PER_NOTCH, -dy));
    return TRUE;
}

static void pinch_begin(GtkGesture *pinch, GdkEventSequence *sequence, mouse *m) {
    m->scale = 1;
}

static void pinched(GtkGestureZoom *pinch, double scale, mouse *m) {
    viewer_stage_zoom(m->stage, scale / m->scale);
    m->scale = scale;
}

void mouse_attach(ViewerStage *stage) {
    GtkGesture *drag = gtk_gesture_drag_new(), *pinch = gtk_gesture_zoom_new();
    GtkEventController *scroll =
        gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
    mouse *m = g_new0(mouse, 1);
    m->stage = stage;
    g_object_set_data_full(G_OBJECT(stage), "mouse", m, g_free);
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(drag), 0); /* any */
    g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_begin), m);
    g_signal_connect(drag, "drag-update", G_CALLBACK(drag_update), m);
    g_signal_connect(scroll, "scroll", G_CALLBACK(scrolled), m);
    g_signal_connect(pinch, "begin", G_CALLBACK(pinch_begin), m);
    g_signal_connect(pinch, "scale-changed", G_CALLBACK(pinched), m);
    gtk_widget_add_controller(GTK_WIDGET(stage), GTK_EVENT_CONTROLLER(drag));
    gtk_widget_add_controller(GTK_WIDGET(stage), scroll);
    gtk_widget_add_controller(GTK_WIDGET(stage), GTK_EVENT_CONTROLLER(pinch));
}
