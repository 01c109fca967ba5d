#include "rows.h"

#include "list.h"

#include <stdbool.h>

#define MAX_HEIGHT 320 /* pixels of a table; a longer table scrolls */

/* ---- Groups ---------------------------------------------------------------------------------- */

GtkWidget *rows_heading(const char *title, int level) {
    GtkWidget *label =
        g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_HEADING, "label", title,
                     "xalign", 0.0, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, NULL);
    gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_LEVEL, level, -1);
    gtk_widget_add_css_class(label, level == 1 ? "title-4" : "heading");
    return label;
}

static void add_framed(GtkWidget *box, GtkWidget *group, const char *title, GtkWidget *child) {
    gtk_widget_add_css_class(group, "group");
    gtk_box_append(GTK_BOX(group), rows_heading(title, 2));
    gtk_box_append(GTK_BOX(group), child);
    gtk_widget_add_css_class(child, "boxed");
    gtk_widget_set_overflow(child, GTK_OVERFLOW_HIDDEN);
    gtk_accessible_update_property(GTK_ACCESSIBLE(child), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    gtk_box_append(GTK_BOX(box), group);
}

void rows_add_framed(GtkWidget *box, const char *title, GtkWidget *child) {
    add_framed(box, viewer_list_stop(), title, child);
}

static GtkWidget *new_list(void) {
    return g_object_new(GTK_TYPE_LIST_BOX, "selection-mode", GTK_SELECTION_NONE, NULL);
}

GtkWidget *rows_add_group(GtkWidget *box, const char *title) {
    GtkWidget *list = new_list();
    rows_add_framed(box, title, list);
    return list;
}

GtkWidget *rows_add_controls(GtkWidget *box, const char *title) {
    GtkWidget *list = new_list();
    add_framed(box, gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), title, list);
    return list;
}

void rows_clear(GtkWidget *box) {
    for (GtkWidget *child; (child = gtk_widget_get_first_child(box));)
        gtk_box_remove(GTK_BOX(box), child);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static GtkWidget *add_label(GtkWidget *box, const char *text, double xalign) {
    GtkWidget *label = g_object_new(GTK_TYPE_LABEL, "label", text, "xalign", xalign, "wrap-mode",
                                    PANGO_WRAP_WORD_CHAR, NULL);
    gtk_box_append(GTK_BOX(box), label);
    return label;
}

/* Appends a row of which the control, not the row, has the focus. */
static GtkWidget *add_row(GtkWidget *list, GtkOrientation orientation, const char *name) {
    GtkWidget *box = gtk_box_new(orientation, 0);
    GtkWidget *row = g_object_new(GTK_TYPE_LIST_BOX_ROW, "focusable", FALSE, "activatable", FALSE,
                                  "child", box, NULL);
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

GtkWidget *rows_add_control(GtkWidget *list, const char *name, GtkWidget *control) {
    GtkWidget *row = add_row(list, GTK_ORIENTATION_HORIZONTAL, name), *box = box_of(row);
    gtk_widget_set_hexpand(gtk_widget_get_first_child(box), TRUE);
    gtk_widget_set_valign(control, GTK_ALIGN_CENTER);
    gtk_accessible_update_property(GTK_ACCESSIBLE(control), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                   -1);
    gtk_box_append(GTK_BOX(box), control);
    return row;
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
    GtkWidget *control = gtk_switch_new(), *row = rows_add_control(list, name, control);
    add_keys(control);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(control), action);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(row), action);
    gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), TRUE);
    gtk_widget_set_tooltip_text(row, tooltip);
}

/* A screen reader names the value by its row. */
void rows_add_value(GtkWidget *list, const char *name, const char *value) {
    GtkWidget *row = add_row(list, GTK_ORIENTATION_HORIZONTAL, name);
    GtkWidget *label = add_label(box_of(row), value, 1);
    g_object_set(label, "hexpand", TRUE, "wrap", TRUE, "selectable", TRUE, "justify",
                 GTK_JUSTIFY_RIGHT, NULL);
    gtk_widget_add_css_class(label, "value");
    gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, value,
                                   -1);
}

GtkWidget *rows_add_text(GtkWidget *list, const char *text, const char *detail) {
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

void rows_add_action(GtkWidget *list, const char *text, const char *detail, const char *action,
                     const char *target) {
    GtkWidget *row = rows_add_text(list, text, detail);
    gtk_actionable_set_action_target(GTK_ACTIONABLE(row), "s", target); /* before the action */
    gtk_actionable_set_action_name(GTK_ACTIONABLE(row), action);
    gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), TRUE);
    gtk_widget_set_focusable(row, TRUE);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void set_up_number(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user) {
    gtk_list_item_set_child(item, g_object_new(GTK_TYPE_LABEL, "xalign", 1.0, "selectable", TRUE,
                                               "css-classes",
                                               (const char *const[]){"numeric", NULL}, NULL));
}

static void set_up_text(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user) {
    set_up_number(factory, item, user);
    gtk_label_set_xalign(GTK_LABEL(gtk_list_item_get_child(item)), 0);
}

static void bind_cell(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column) {
    const char *row = gtk_string_object_get_string(gtk_list_item_get_item(item));
    g_auto(GStrv) cells = g_strsplit(row, "\t", -1);
    if (GPOINTER_TO_UINT(column) < g_strv_length(cells))
        gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)),
                           cells[GPOINTER_TO_UINT(column)]);
}

static void add_column(GtkColumnView *view, const char *heading, bool number, guint index) {
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", number ? G_CALLBACK(set_up_number) : G_CALLBACK(set_up_text),
                     NULL);
    g_signal_connect(factory, "bind", G_CALLBACK(bind_cell), GUINT_TO_POINTER(index));
    g_autoptr(GtkColumnViewColumn) column = gtk_column_view_column_new(heading, factory);
    gtk_column_view_column_set_resizable(column, !number);
    gtk_column_view_column_set_expand(column, !number);
    gtk_column_view_append_column(view, column);
}

/* Aligns the headings of numbers with the numbers, for which GTK has no function. */
static void align_headings(GtkWidget *view, const char *layout) {
    GtkWidget *heading = gtk_widget_get_first_child(gtk_widget_get_first_child(view));
    for (; heading && *layout; heading = gtk_widget_get_next_sibling(heading), layout++) {
        GtkWidget *label = heading;
        while (label && !GTK_IS_LABEL(label))
            label = gtk_widget_get_first_child(label);
        if (label && *layout == 'r') {
            gtk_widget_set_hexpand(label, TRUE);
            gtk_label_set_xalign(GTK_LABEL(label), 1);
        }
    }
}

GtkWidget *rows_new_table(const char *const *headings, const char *layout,
                          const char *const *rows) {
    GListModel *model = G_LIST_MODEL(gtk_string_list_new(rows));
    GtkWidget *view = gtk_column_view_new(GTK_SELECTION_MODEL(gtk_no_selection_new(model)));
    for (guint i = 0; headings[i]; i++)
        add_column(GTK_COLUMN_VIEW(view), headings[i], layout[i] == 'r', i);
    align_headings(view, layout);
    gtk_widget_add_css_class(view, "data-table");
    return g_object_new(GTK_TYPE_SCROLLED_WINDOW, "child", view, "propagate-natural-height", TRUE,
                        "max-content-height", MAX_HEIGHT, NULL);
}
