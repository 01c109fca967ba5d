#include "list.h"

#include "text.h"

#include <string.h>

static void add_label(GtkWidget *box, const char *const *classes) {
    gtk_box_append(GTK_BOX(box),
                   g_object_new(GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "wrap-mode",
                                PANGO_WRAP_WORD_CHAR, "css-classes", classes, NULL));
}

/* ---- The widget ---------------------------------------------------------------------------- */

struct _ViewerList {
    GtkBox parent;
    GtkWidget *view;    /* NULL: it holds something else */
    GtkWidget *nothing; /* in place of the view if a search finds nothing */
    bool is_searched;
    guint row;      /* the current one, which is marked */
    bool misplaced; /* a row was selected while the list was hidden, and cannot scroll */
};

#define VIEWER_TYPE_LIST (viewer_list_get_type())
G_DECLARE_FINAL_TYPE(ViewerList, viewer_list, VIEWER, LIST, GtkBox)
G_DEFINE_TYPE(ViewerList, viewer_list, GTK_TYPE_BOX)

static GtkWidget *selected_item(GtkWidget *view) {
    GtkWidget *item = gtk_widget_get_first_child(view);
    while (item && !(gtk_widget_get_state_flags(item) & GTK_STATE_FLAG_SELECTED))
        item = gtk_widget_get_next_sibling(item);
    return item;
}

/* Tab enters the list at the current row, and leaves it from any row. Before 4.12, GTK's own lists
 * stop at every row. */
static gboolean move_focus(GtkWidget *widget, GtkDirectionType direction) {
    bool tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
    if (tab && gtk_widget_get_focus_child(widget))
        return FALSE;
    GtkWidget *view = VIEWER_LIST(widget)->view, *item = tab && view ? selected_item(view) : NULL;
    if (item && gtk_widget_grab_focus(item))
        return TRUE;
    return GTK_WIDGET_CLASS(viewer_list_parent_class)->focus(widget, direction);
}

/* Older versions of GTK scroll to a row only through the list's own action. */
static void scroll_to_selected(ViewerList *list) {
    GtkSelectionModel *model = gtk_list_view_get_model(GTK_LIST_VIEW(list->view));
    const guint selected = gtk_single_selection_get_selected(GTK_SINGLE_SELECTION(model));
    list->misplaced = !gtk_widget_get_mapped(GTK_WIDGET(list));
    if (selected != GTK_INVALID_LIST_POSITION)
        gtk_widget_activate_action(list->view, "list.scroll-to-item", "u", selected);
}

/* Waits until the rows have their places, a frame after the list has. */
static gboolean place(GtkWidget *widget, GdkFrameClock *clock, gpointer user) {
    ViewerList *list = VIEWER_LIST(widget);
    if (gtk_widget_get_height(list->view) == 0)
        return G_SOURCE_CONTINUE;
    scroll_to_selected(list);
    return G_SOURCE_REMOVE;
}

static void map(GtkWidget *widget) {
    GTK_WIDGET_CLASS(viewer_list_parent_class)->map(widget);
    if (VIEWER_LIST(widget)->misplaced)
        gtk_widget_add_tick_callback(widget, place, NULL, NULL);
}

static void viewer_list_class_init(ViewerListClass *class) {
    GTK_WIDGET_CLASS(class)->focus = move_focus;
    GTK_WIDGET_CLASS(class)->map = map;
}

static void viewer_list_init(ViewerList *list) {}

/* ---- Rows ---------------------------------------------------------------------------------- */

static guint row_of(GtkFilterListModel *shown, guint position);

static void fix_clicked(GtkButton *button, GtkListItem *item) {
    GtkWidget *view = gtk_widget_get_ancestor(GTK_WIDGET(button), GTK_TYPE_LIST_VIEW);
    GtkSelectionModel *selection = gtk_list_view_get_model(GTK_LIST_VIEW(view));
    GListModel *shown =
        G_LIST_MODEL(gtk_single_selection_get_model(GTK_SINGLE_SELECTION(selection)));
    const guint row = row_of(GTK_FILTER_LIST_MODEL(shown), gtk_list_item_get_position(item));
    gtk_widget_activate_action(view, "win.fix", "u", row);
}

static void set_up(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user) {
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *box = g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "valign",
                                  GTK_ALIGN_CENTER, "hexpand", TRUE, NULL);
    GtkWidget *mark = gtk_image_new_from_icon_name("dialog-warning-symbolic");
    add_label(box, (const char *const[]){NULL});
    add_label(box, (const char *const[]){"dim-label", "caption", NULL});
    gtk_widget_add_css_class(mark, "mark");
    gtk_box_append(GTK_BOX(row), box);
    gtk_box_append(GTK_BOX(row), mark);
    GtkWidget *fix = gtk_button_new_with_label(TEXT_FIX);
    gtk_widget_set_valign(fix, GTK_ALIGN_CENTER);
    g_signal_connect(fix, "clicked", G_CALLBACK(fix_clicked), item);
    gtk_box_append(GTK_BOX(row), fix);
    gtk_list_item_set_child(item, row);
}

void viewer_list_describe(GtkWidget *item, const char *title, const char *description) {
    GtkAccessible *accessible = GTK_ACCESSIBLE(item);
    gtk_accessible_update_property(accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    if (*description)
        gtk_accessible_update_property(accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description,
                                       -1);
    else
        gtk_accessible_reset_property(accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

static void bind(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user) {
    GtkWidget *row = gtk_list_item_get_child(item), *box = gtk_widget_get_first_child(row);
    GtkWidget *title = gtk_widget_get_first_child(box), *detail = gtk_widget_get_last_child(box);
    g_auto(GStrv) parts =
        g_strsplit(gtk_string_object_get_string(gtk_list_item_get_item(item)), "\t", 4);
    guint count = g_strv_length(parts);
    const char *first = count > 0 ? parts[0] : "", *second = count > 1 ? parts[1] : "";
    const char *problem = count > 2 && *parts[2] ? parts[2] : NULL;
    GtkWidget *fix = gtk_widget_get_last_child(row);
    gtk_label_set_text(GTK_LABEL(title), first);
    gtk_label_set_text(GTK_LABEL(detail), second);
    gtk_widget_set_visible(detail, *second != '\0');
    gtk_widget_set_visible(gtk_widget_get_prev_sibling(fix), problem != NULL);
    gtk_widget_set_visible(fix, count > 3);
    gtk_widget_set_tooltip_text(fix, count > 3 ? parts[3] : NULL);
    gtk_widget_set_tooltip_text(row, problem);
    viewer_list_describe(gtk_widget_get_parent(row), first, problem ? problem : second);
}

/* Returns the filtered rows, which the list shows. */
static GtkFilterListModel *shown_in(GtkSelectionModel *selection) {
    return GTK_FILTER_LIST_MODEL(gtk_single_selection_get_model(GTK_SINGLE_SELECTION(selection)));
}

/* Returns the index in `list` of an item of another list; GTK_INVALID_LIST_POSITION: not in it. */
static guint index_of(GListModel *list, GListModel *other, guint position) {
    g_autoptr(GObject) item = g_list_model_get_item(other, position);
    for (guint i = 0; item && i < g_list_model_get_n_items(list); i++) {
        g_autoptr(GObject) candidate = g_list_model_get_item(list, i);
        if (candidate == item)
            return i;
    }
    return GTK_INVALID_LIST_POSITION;
}

static guint row_of(GtkFilterListModel *shown, guint position) {
    return index_of(gtk_filter_list_model_get_model(shown), G_LIST_MODEL(shown), position);
}

static void activated(GtkListView *view, guint position, gpointer action) {
    GtkFilterListModel *shown = shown_in(gtk_list_view_get_model(view));
    gtk_widget_activate_action(GTK_WIDGET(view), action, "u", row_of(shown, position));
}

/* Returns what the search compares: a row without its problem. */
static char *searchable(gpointer item, const char *row, gpointer user) {
    const char *tab = strchr(row, '\t'), *problem = tab ? strchr(tab + 1, '\t') : NULL;
    return problem ? g_strndup(row, (gsize)(problem - row)) : g_strdup(row);
}

static GtkSelectionModel *new_model(void) {
    GtkExpression *string = gtk_property_expression_new(GTK_TYPE_STRING_OBJECT, NULL, "string");
    GtkExpression *text = gtk_cclosure_expression_new(G_TYPE_STRING, NULL, 1, &string,
                                                      G_CALLBACK(searchable), NULL, NULL);
    GtkFilterListModel *shown = gtk_filter_list_model_new(G_LIST_MODEL(gtk_string_list_new(NULL)),
                                                          GTK_FILTER(gtk_string_filter_new(text)));
    GtkSingleSelection *selection = gtk_single_selection_new(G_LIST_MODEL(shown));
    gtk_single_selection_set_autoselect(selection, FALSE);
    gtk_single_selection_set_can_unselect(selection, TRUE);
    return GTK_SELECTION_MODEL(selection);
}

static gboolean activate_focused(GtkWidget *view, GVariant *arguments, gpointer user) {
    GtkWidget *item = gtk_widget_get_focus_child(view);
    return item && gtk_widget_activate(item);
}

/* Space activates a row. GTK only selects it, which would mark a row that is not shown. */
static void add_space(GtkWidget *view) {
    GtkEventController *controller = gtk_shortcut_controller_new();
    gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE);
    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(controller),
        gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_space, 0),
                         gtk_callback_action_new(activate_focused, NULL, NULL)));
    gtk_widget_add_controller(view, controller);
}

GtkWidget *viewer_list_stop(void) {
    return g_object_new(VIEWER_TYPE_LIST, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
}

/* Shows the view, or that a search finds nothing. */
static void show_found(ViewerList *list) {
    g_autoptr(GListModel) model = NULL;
    g_object_get(list->view, "model", &model, NULL);
    const bool found = !list->is_searched || g_list_model_get_n_items(model) > 0;
    gtk_widget_set_visible(gtk_widget_get_first_child(GTK_WIDGET(list)), found);
    gtk_widget_set_visible(list->nothing, !found);
}

static GtkWidget *new_nothing(void) {
    GtkWidget *box =
        g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 12, "valign",
                     GTK_ALIGN_CENTER, "vexpand", TRUE, "visible", FALSE, NULL);
    GtkWidget *image = g_object_new(GTK_TYPE_IMAGE, "icon-name", "edit-find-symbolic", "pixel-size",
                                    64, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
    GtkWidget *text = g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS,
                                   "label", _("Nothing found"), "wrap", TRUE, NULL);
    gtk_widget_add_css_class(image, "dim-label");
    gtk_widget_add_css_class(text, "title-4");
    gtk_box_append(GTK_BOX(box), image);
    gtk_box_append(GTK_BOX(box), text);
    return box;
}

GtkWidget *viewer_list_wrap(GtkWidget *view, const char *label) {
    ViewerList *list = VIEWER_LIST(viewer_list_stop());
    g_autoptr(GListModel) model = NULL;
    list->view = view;
    list->nothing = new_nothing();
    gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
    add_space(view);
    gtk_box_append(GTK_BOX(list),
                   g_object_new(GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_NEVER,
                                "child", view, "hexpand", TRUE, "vexpand", TRUE, NULL));
    gtk_box_append(GTK_BOX(list), list->nothing);
    g_object_get(view, "model", &model, NULL);
    g_signal_connect_object(model, "items-changed", G_CALLBACK(show_found), list,
                            G_CONNECT_SWAPPED);
    return GTK_WIDGET(list);
}

void viewer_list_set_searched(GtkWidget *list, bool is_searched) {
    VIEWER_LIST(list)->is_searched = is_searched;
    show_found(VIEWER_LIST(list));
}

void viewer_list_show_all(GtkWidget *list) {
    g_object_set(gtk_widget_get_first_child(list), "vscrollbar-policy", GTK_POLICY_NEVER, "vexpand",
                 FALSE, NULL);
}

static GtkSelectionModel *selection_of(GtkWidget *list) {
    return gtk_list_view_get_model(GTK_LIST_VIEW(VIEWER_LIST(list)->view));
}

static GListModel *all_rows(GtkWidget *list) {
    return gtk_filter_list_model_get_model(shown_in(selection_of(list)));
}

void viewer_list_set_rows(GtkWidget *list, const char *const *rows) {
    GListModel *all = all_rows(list);
    gtk_string_list_splice(GTK_STRING_LIST(all), 0, g_list_model_get_n_items(all), rows);
}

void viewer_list_set_row(GtkWidget *list, guint row, const char *text) {
    GtkStringList *all = GTK_STRING_LIST(all_rows(list));
    const char *before = gtk_string_list_get_string(all, row);
    if (before && strcmp(before, text) != 0)
        gtk_string_list_splice(all, row, 1, (const char *const[]){text, NULL});
}

static void mark_current(ViewerList *list) {
    GtkSelectionModel *selection = selection_of(GTK_WIDGET(list));
    GListModel *all = all_rows(GTK_WIDGET(list));
    guint index = index_of(G_LIST_MODEL(shown_in(selection)), all, list->row);
    gtk_single_selection_set_selected(GTK_SINGLE_SELECTION(selection), index);
}

void viewer_list_select(GtkWidget *list, guint row) {
    VIEWER_LIST(list)->row = row;
    mark_current(VIEWER_LIST(list));
    scroll_to_selected(VIEWER_LIST(list));
}

GtkWidget *viewer_list_new(const char *action, const char *label) {
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(set_up), NULL);
    g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
    GtkWidget *view = gtk_list_view_new(new_model(), factory);
    gtk_list_view_set_single_click_activate(GTK_LIST_VIEW(view), TRUE);
    gtk_widget_add_css_class(view, "navigation-sidebar");
    g_signal_connect(view, "activate", G_CALLBACK(activated), (gpointer)action);
    GtkWidget *list = viewer_list_wrap(view, label);
    /* The mouse marks the row below it; after it left, the current one is marked again. */
    GtkEventController *mouse = gtk_event_controller_motion_new();
    g_signal_connect_swapped(mouse, "leave", G_CALLBACK(mark_current), list);
    gtk_widget_add_controller(view, mouse);
    VIEWER_LIST(list)->row = GTK_INVALID_LIST_POSITION;
    return list;
}

/* ---- Search -------------------------------------------------------------------------------- */

static void searched(GtkSearchEntry *entry, GtkWidget *list) {
    GtkFilter *filter = gtk_filter_list_model_get_filter(shown_in(selection_of(list)));
    const char *text = gtk_editable_get_text(GTK_EDITABLE(entry));
    gtk_string_filter_set_search(GTK_STRING_FILTER(filter), text);
    viewer_list_set_searched(list, *text != '\0');
}

GtkWidget *viewer_list_search(GtkWidget *list, const char *label) {
    GtkWidget *entry = gtk_search_entry_new();
    g_object_set(entry, "placeholder-text", label, NULL);
    gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
    g_signal_connect_object(entry, "search-changed", G_CALLBACK(searched), list, 0);
    return entry;
}

guint viewer_list_step(GtkWidget *list, guint row, int step) {
    guint count = g_list_model_get_n_items(all_rows(list));
    guint at = row < count ? row : step > 0 ? count - 1 : 0;
    GtkFilter *filter = gtk_filter_list_model_get_filter(shown_in(selection_of(list)));
    for (guint i = 0; i < count; i++) {
        at = (at + (step > 0 ? 1 : count - 1)) % count;
        g_autoptr(GObject) item = g_list_model_get_item(all_rows(list), at);
        if (at != row && gtk_filter_match(filter, item))
            return at;
    }
    return GTK_INVALID_LIST_POSITION;
}
