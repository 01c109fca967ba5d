#include "table.h"

#include <stdbool.h>

#define MAX_HEIGHT 320 /* pixels; a longer table scrolls */

static void set_up_number(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user) {
    GtkWidget *label = gtk_label_new(NULL);
    gtk_label_set_xalign(GTK_LABEL(label), 1);
    gtk_label_set_selectable(GTK_LABEL(label), TRUE);
    gtk_widget_add_css_class(label, "numeric");
    gtk_list_item_set_child(item, label);
}

static void set_up_text(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user) {
    set_up_number(factory, item, user);
    gtk_label_set_xalign(GTK_LABEL(gtk_list_item_get_child(item)), 0);
}

static void bind(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column) {
    const char *row = gtk_string_object_get_string(gtk_list_item_get_item(item));
    char **cells = g_strsplit(row, "\t", -1);
    if (GPOINTER_TO_UINT(column) < g_strv_length(cells))
        gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)),
                           cells[GPOINTER_TO_UINT(column)]);
    g_strfreev(cells);
}

static void add_column(GtkColumnView *view, const char *heading, bool number, guint index) {
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", number ? G_CALLBACK(set_up_number) : G_CALLBACK(set_up_text),
                     NULL);
    g_signal_connect(factory, "bind", G_CALLBACK(bind), GUINT_TO_POINTER(index));
    GtkColumnViewColumn *column = gtk_column_view_column_new(heading, factory);
    gtk_column_view_column_set_resizable(column, !number);
    gtk_column_view_column_set_expand(column, !number);
    gtk_column_view_append_column(view, column);
    g_object_unref(column);
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

GtkWidget *table_new(const char *const *headings, const char *layout, const char *const *rows) {
    GListModel *model = G_LIST_MODEL(gtk_string_list_new(rows));
    GtkWidget *view = gtk_column_view_new(GTK_SELECTION_MODEL(gtk_no_selection_new(model)));
    for (guint i = 0; headings[i]; i++)
        add_column(GTK_COLUMN_VIEW(view), headings[i], layout[i] == 'r', i);
    align_headings(view, layout);
    gtk_widget_add_css_class(view, "data-table");
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), view);
    gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(scrolled), TRUE);
    gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(scrolled), MAX_HEIGHT);
    return scrolled;
}
