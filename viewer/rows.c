#include "rows.h"

#include <stdbool.h>

/* ---- Groups ---------------------------------------------------------------------------------- */

struct _ViewerGroup {
    GtkBox parent;
};

#define VIEWER_TYPE_GROUP (viewer_group_get_type())
G_DECLARE_FINAL_TYPE(ViewerGroup, viewer_group, VIEWER, GROUP, GtkBox)
G_DEFINE_TYPE(ViewerGroup, viewer_group, GTK_TYPE_BOX)

static gboolean move_focus(GtkWidget *widget, GtkDirectionType direction) {
    bool tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
    if (tab && gtk_widget_get_focus_child(widget))
        return FALSE;
    return GTK_WIDGET_CLASS(viewer_group_parent_class)->focus(widget, direction);
}

static void viewer_group_class_init(ViewerGroupClass *class) {
    GTK_WIDGET_CLASS(class)->focus = move_focus;
}

static void viewer_group_init(ViewerGroup *group) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(group), GTK_ORIENTATION_VERTICAL);
    gtk_widget_add_css_class(GTK_WIDGET(group), "group");
}

GtkWidget *rows_heading(const char *title, int level) {
    GtkWidget *label =
        g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_HEADING, "label", title,
                     "xalign", 0.0, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, NULL);
    gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_LEVEL, level, -1);
    gtk_widget_add_css_class(label, level == 1 ? "title-4" : "heading");
    return label;
}

void rows_add_framed(GtkWidget *box, const char *title, GtkWidget *child) {
    GtkWidget *group = g_object_new(VIEWER_TYPE_GROUP, NULL);
    gtk_box_append(GTK_BOX(group), rows_heading(title, 2));
    gtk_box_append(GTK_BOX(group), child);
    gtk_widget_add_css_class(child, "boxed");
    gtk_widget_set_overflow(child, GTK_OVERFLOW_HIDDEN);
    gtk_accessible_update_property(GTK_ACCESSIBLE(child), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    gtk_box_append(GTK_BOX(box), group);
}

GtkWidget *rows_add_group(GtkWidget *box, const char *title) {
    GtkWidget *list = gtk_list_box_new();
    gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
    rows_add_framed(box, title, list);
    return list;
}

void rows_clear(GtkWidget *box) {
    for (GtkWidget *child; (child = gtk_widget_get_first_child(box));)
        gtk_box_remove(GTK_BOX(box), child);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static GtkWidget *add_label(GtkWidget *box, const char *text, float xalign) {
    GtkWidget *label = gtk_label_new(text);
    gtk_label_set_xalign(GTK_LABEL(label), xalign);
    gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    gtk_box_append(GTK_BOX(box), label);
    return label;
}

/* Appends a row of which the control, not the row, has the focus. */
static GtkWidget *add_row(GtkWidget *list, GtkOrientation orientation, const char *name) {
    GtkWidget *row = gtk_list_box_row_new(), *box = gtk_box_new(orientation, 0);
    gtk_widget_set_focusable(row, FALSE);
    gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), FALSE);
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
    gtk_widget_add_css_class(box, "row");
    if (orientation == GTK_ORIENTATION_VERTICAL)
        gtk_widget_add_css_class(box, "vertical");
    gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    GtkWidget *label = add_label(box, name, 0);
    gtk_label_set_wrap(GTK_LABEL(label), orientation == GTK_ORIENTATION_VERTICAL);
    gtk_list_box_append(GTK_LIST_BOX(list), row);
    return row;
}

static GtkWidget *box_of(GtkWidget *row) {
    return gtk_list_box_row_get_child(GTK_LIST_BOX_ROW(row));
}

/* GTK's switches leave these keys to the window, where they play and reset the camera. */
static void add_keys(GtkWidget *control) {
    GtkEventController *controller = gtk_shortcut_controller_new();
    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(controller),
        gtk_shortcut_new(gtk_shortcut_trigger_parse_string("space|KP_Space|Return|KP_Enter"),
                         g_object_ref(gtk_activate_action_get())));
    gtk_widget_add_controller(control, controller);
}

void rows_add_switch(GtkWidget *list, const char *name, const char *action, const char *tooltip) {
    GtkWidget *row = add_row(list, GTK_ORIENTATION_HORIZONTAL, name), *box = box_of(row);
    GtkWidget *control = gtk_switch_new();
    gtk_widget_set_hexpand(gtk_widget_get_first_child(box), TRUE);
    gtk_widget_set_valign(control, GTK_ALIGN_CENTER);
    add_keys(control);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(control), action);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(row), action);
    gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), TRUE);
    gtk_widget_set_tooltip_text(row, tooltip);
    gtk_accessible_update_property(GTK_ACCESSIBLE(control), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                   -1);
    gtk_box_append(GTK_BOX(box), control);
}

/* A screen reader names the value by its row. */
void rows_add_value(GtkWidget *list, const char *name, const char *value) {
    GtkWidget *row = add_row(list, GTK_ORIENTATION_HORIZONTAL, name);
    GtkWidget *label = add_label(box_of(row), value, 1);
    gtk_widget_set_hexpand(label, TRUE);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_selectable(GTK_LABEL(label), TRUE);
    gtk_label_set_justify(GTK_LABEL(label), GTK_JUSTIFY_RIGHT);
    gtk_widget_add_css_class(label, "value");
    gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, value,
                                   -1);
}

static GtkWidget *add_text(GtkWidget *list, const char *text, const char *detail) {
    GtkWidget *row = add_row(list, GTK_ORIENTATION_VERTICAL, text);
    if (!detail || !*detail)
        return row;
    GtkWidget *label = add_label(box_of(row), detail, 0);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_widget_add_css_class(label, "dim-label");
    gtk_widget_add_css_class(label, "caption");
    gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, detail,
                                   -1);
    return row;
}

void rows_add_text(GtkWidget *list, const char *text, const char *detail) {
    add_text(list, text, detail);
}

void rows_add_action(GtkWidget *list, const char *text, const char *detail, const char *action,
                     const char *target) {
    GtkWidget *row = add_text(list, text, detail);
    gtk_actionable_set_action_target(GTK_ACTIONABLE(row), "s", target); /* before the action */
    gtk_actionable_set_action_name(GTK_ACTIONABLE(row), action);
    gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), TRUE);
    gtk_widget_set_focusable(row, TRUE);
}
