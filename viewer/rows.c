#include "rows.h"

#include "list.h"
#include "text.h"

#include <stdbool.h>
#include <string.h>

#define MAX_HEIGHT 320 /* pixels of a table; a longer table scrolls */
#define LINE 42        /* characters of a row of a table, for its natural height */

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

/* What a table's rows show. */
typedef struct table {
    char **headings;
    char *layout;
} table;

static void free_table(gpointer user) {
    table *t = user;
    g_strfreev(t->headings);
    g_free(t->layout);
    g_free(t);
}

static void set_up(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *title = add_label(box, "", 0), *detail = add_label(box, "", 0);
    g_object_set(title, "wrap", TRUE, "selectable", TRUE, "max-width-chars", LINE, NULL);
    g_object_set(detail, "wrap", TRUE, "selectable", TRUE, "max-width-chars", LINE, NULL);
    gtk_widget_add_css_class(detail, "dim-label");
    gtk_widget_add_css_class(detail, "caption");
    gtk_widget_add_css_class(detail, "numeric");
    gtk_list_item_set_child(item, box);
}

/* Returns "Triangles 12 · Vertices 9" and a line for each text, without the title. */
static char *detail_of(const table *t, char **cells, guint title) {
    GString *detail = g_string_new(NULL);
    for (guint i = 0; cells[i] && t->headings[i]; i++) {
        const bool line = t->layout[i] == 'l';
        if (i != title && *cells[i])
            g_string_append_printf(detail, "%s%s\u00a0%s",
                                   detail->len == 0 ? ""
                                   : line           ? "\n"
                                                    : TEXT_SEPARATOR,
                                   t->headings[i], cells[i]);
    }
    return g_string_free(detail, FALSE);
}

static void bind(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user) {
    const table *t = user;
    GtkWidget *box = gtk_list_item_get_child(item), *title = gtk_widget_get_first_child(box),
              *detail = gtk_widget_get_last_child(box);
    const char *row = gtk_string_object_get_string(gtk_list_item_get_item(item));
    g_auto(GStrv) cells = g_strsplit(row, "\t", -1);
    const guint named = (guint)strcspn(t->layout, "l");
    g_autofree char *more = detail_of(t, cells, named);
    gtk_label_set_text(GTK_LABEL(title), cells[named]);
    gtk_label_set_text(GTK_LABEL(detail), more);
    gtk_widget_set_visible(detail, *more != '\0');
    viewer_list_describe(gtk_widget_get_parent(box), cells[named], more);
}

GtkWidget *rows_new_table(const char *const *headings, const char *layout,
                          const char *const *rows) {
    GListModel *model = G_LIST_MODEL(gtk_string_list_new(rows));
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    table *t = g_new(table, 1);
    *t = (table){g_strdupv((char **)(void *)headings), g_strdup(layout)};
    g_object_set_data_full(G_OBJECT(factory), "table", t, free_table);
    g_signal_connect(factory, "setup", G_CALLBACK(set_up), NULL);
    g_signal_connect(factory, "bind", G_CALLBACK(bind), t);
    GtkWidget *view = gtk_list_view_new(GTK_SELECTION_MODEL(gtk_no_selection_new(model)), factory);
    gtk_widget_add_css_class(view, "data-table");
    return g_object_new(GTK_TYPE_SCROLLED_WINDOW, "child", view, "hscrollbar-policy",
                        GTK_POLICY_NEVER, "propagate-natural-height", TRUE, "max-content-height",
                        MAX_HEIGHT, NULL);
}
