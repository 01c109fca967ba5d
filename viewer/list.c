#include "list.h"

#include "keys.h"

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

/* Returns the filtered rows, which the list shows. */
static GtkFilterListModel *shown_in(GtkSelectionModel *selection) {
    return GTK_FILTER_LIST_MODEL(gtk_single_selection_get_model(GTK_SINGLE_SELECTION(selection)));
}

/* Returns the index in `list` of an item of another list; GTK_INVALID_LIST_POSITION: not in it. */
static guint index_of(GListModel *list, GListModel *other, guint position) {
    gpointer item = g_list_model_get_item(other, position);
    guint count = g_list_model_get_n_items(list), index = GTK_INVALID_LIST_POSITION;
    for (guint i = 0; i < count && item && index == GTK_INVALID_LIST_POSITION; i++) {
        gpointer candidate = g_list_model_get_item(list, i);
        if (candidate == item)
            index = i;
        g_object_unref(candidate);
    }
    g_clear_object(&item);
    return index;
}

static void activated(GtkListView *view, guint position, gpointer action) {
    GtkFilterListModel *shown = shown_in(gtk_list_view_get_model(view));
    guint row = index_of(gtk_filter_list_model_get_model(shown), G_LIST_MODEL(shown), position);
    gtk_widget_activate_action(GTK_WIDGET(view), action, "u", row);
}

GtkWidget *viewer_list_new(const char *action, const char *label) {
    GtkExpression *text = gtk_property_expression_new(GTK_TYPE_STRING_OBJECT, NULL, "string");
    GtkFilterListModel *shown = gtk_filter_list_model_new(G_LIST_MODEL(gtk_string_list_new(NULL)),
                                                          GTK_FILTER(gtk_string_filter_new(text)));
    GtkSingleSelection *selection = gtk_single_selection_new(G_LIST_MODEL(shown));
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
    keys_add_to_list(view);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), view);
    gtk_widget_set_vexpand(scrolled, TRUE);
    return scrolled;
}

static GtkSelectionModel *selection_of(GtkWidget *list) {
    GtkWidget *view = gtk_scrolled_window_get_child(GTK_SCROLLED_WINDOW(list));
    return gtk_list_view_get_model(GTK_LIST_VIEW(view));
}

void viewer_list_set_rows(GtkWidget *list, const char *const *rows) {
    GListModel *all = gtk_filter_list_model_get_model(shown_in(selection_of(list)));
    gtk_string_list_splice(GTK_STRING_LIST(all), 0, g_list_model_get_n_items(all), rows);
}

/* Older versions of GTK scroll to the row only through the list's own action. */
void viewer_list_select(GtkWidget *list, guint row) {
    GtkSelectionModel *selection = selection_of(list);
    GtkFilterListModel *shown = shown_in(selection);
    guint index = index_of(G_LIST_MODEL(shown), gtk_filter_list_model_get_model(shown), row);
    gtk_single_selection_set_selected(GTK_SINGLE_SELECTION(selection), index);
    if (index != GTK_INVALID_LIST_POSITION)
        gtk_widget_activate_action(gtk_scrolled_window_get_child(GTK_SCROLLED_WINDOW(list)),
                                   "list.scroll-to-item", "u", index);
}

static void searched(GtkSearchEntry *entry, GtkFilterListModel *shown) {
    GtkFilter *filter = gtk_filter_list_model_get_filter(shown);
    gtk_string_filter_set_search(GTK_STRING_FILTER(filter),
                                 gtk_editable_get_text(GTK_EDITABLE(entry)));
}

GtkWidget *viewer_list_search(GtkWidget *list, const char *label) {
    GtkWidget *entry = gtk_search_entry_new();
    gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
    g_signal_connect_object(entry, "search-changed", G_CALLBACK(searched),
                            shown_in(selection_of(list)), 0);
    return entry;
}
