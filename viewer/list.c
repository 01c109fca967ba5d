#include "list.h"

#include <string.h>

static GtkLabel *add_label(GtkWidget *box, const char *class) {
    GtkWidget *label = gtk_label_new(NULL);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    if (class) {
        gtk_widget_add_css_class(label, class);
        gtk_widget_add_css_class(label, "caption");
    }
    gtk_box_append(GTK_BOX(box), label);
    return GTK_LABEL(label);
}

static void set_up(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    (void)factory, (void)user;
    gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
    add_label(box, NULL);
    add_label(box, "dim-label");
    gtk_list_item_set_child(item, box);
}

static void bind(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user) {
    GtkWidget *box = gtk_list_item_get_child(item);
    GtkWidget *title = gtk_widget_get_first_child(box);
    GtkWidget *detail = gtk_widget_get_last_child(box);
    const char *row = gtk_string_object_get_string(gtk_list_item_get_item(item));
    const char *tab = strchr(row, '\t');
    char *front = tab ? g_strndup(row, (gsize)(tab - row)) : g_strdup(row);
    (void)factory, (void)user;
    gtk_label_set_text(GTK_LABEL(title), front);
    gtk_label_set_text(GTK_LABEL(detail), tab ? tab + 1 : "");
    gtk_widget_set_visible(detail, tab != NULL);
    g_free(front);
}

static void activated(GtkListView *view, guint position, gpointer action) {
    gtk_widget_activate_action(GTK_WIDGET(view), action, "u", position);
}

GtkWidget *viewer_list_new(const char *action, const char *label) {
    GtkStringList *rows = gtk_string_list_new(NULL);
    GtkSingleSelection *selection = gtk_single_selection_new(G_LIST_MODEL(rows));
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    gtk_single_selection_set_autoselect(selection, FALSE);
    gtk_single_selection_set_can_unselect(selection, TRUE);
    g_signal_connect(factory, "setup", G_CALLBACK(set_up), NULL);
    g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
    GtkWidget *view = gtk_list_view_new(GTK_SELECTION_MODEL(selection), factory);
    gtk_list_view_set_single_click_activate(GTK_LIST_VIEW(view), TRUE);
    gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
    gtk_widget_add_css_class(view, "navigation-sidebar");
    g_signal_connect(view, "activate", G_CALLBACK(activated), (gpointer)action);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), view);
    gtk_widget_set_vexpand(scrolled, TRUE);
    return scrolled;
}

static GtkSingleSelection *selection_of(GtkWidget *list) {
    GtkWidget *view = gtk_scrolled_window_get_child(GTK_SCROLLED_WINDOW(list));
    return GTK_SINGLE_SELECTION(gtk_list_view_get_model(GTK_LIST_VIEW(view)));
}

void viewer_list_set_rows(GtkWidget *list, const char *const *rows) {
    GtkStringList *model = GTK_STRING_LIST(gtk_single_selection_get_model(selection_of(list)));
    gtk_string_list_splice(model, 0, g_list_model_get_n_items(G_LIST_MODEL(model)), rows);
}

/* An older GTK shows the row only when told so by the list's own action. */
void viewer_list_select(GtkWidget *list, guint row) {
    GtkSingleSelection *selection = selection_of(list);
    if (row >= g_list_model_get_n_items(G_LIST_MODEL(selection)))
        row = GTK_INVALID_LIST_POSITION;
    gtk_single_selection_set_selected(selection, row);
    if (row != GTK_INVALID_LIST_POSITION)
        gtk_widget_activate_action(gtk_scrolled_window_get_child(GTK_SCROLLED_WINDOW(list)),
                                   "list.scroll-to-item", "u", row);
}
