#include "grid.h"

#include "list.h"
#include "text.h"

/* The width and the height of a thumbnail; in device pixels times the scale. */
#define PICTURE 128
#define CELL 156 /* the least width of a cell, with its margins */
#define MAX_COLUMNS 24

/* ---- Models ---------------------------------------------------------------------------------- */

struct _ViewerGridItem {
    GObject parent;
    guint row;
    char *path, *title, *detail;
    char *name_key, *folder_key; /* order titles and folders, case-insensitive */
    bool known;                  /* it has facts */
    bool current;                /* they have been read since the models were set */
    model_facts facts;
    GtkWidget *cell; /* NULL: no cell shows it */
};

#define VIEWER_TYPE_GRID_ITEM (viewer_grid_item_get_type())
G_DECLARE_FINAL_TYPE(ViewerGridItem, viewer_grid_item, VIEWER, GRID_ITEM, GObject)
G_DEFINE_TYPE(ViewerGridItem, viewer_grid_item, G_TYPE_OBJECT)

static void finalize_item(GObject *object) {
    ViewerGridItem *item = VIEWER_GRID_ITEM(object);
    g_free(item->path);
    g_free(item->title);
    g_free(item->detail);
    g_free(item->name_key);
    g_free(item->folder_key);
    model_facts_clear(&item->facts);
    G_OBJECT_CLASS(viewer_grid_item_parent_class)->finalize(object);
}

static void viewer_grid_item_class_init(ViewerGridItemClass *class) {
    G_OBJECT_CLASS(class)->finalize = finalize_item;
}

static void viewer_grid_item_init(ViewerGridItem *item) {}

/* Returns a key that orders texts, case-insensitive. */
static char *key_of(const char *text) {
    g_autofree char *valid = g_utf8_make_valid(text, -1), *folded = g_utf8_casefold(valid, -1);
    return g_utf8_collate_key_for_filename(folded, -1);
}

static ViewerGridItem *new_item(guint row, const grid_model *model) {
    ViewerGridItem *item = g_object_new(VIEWER_TYPE_GRID_ITEM, NULL);
    item->row = row;
    item->path = g_strdup(model->path);
    item->title = g_strdup(model->title);
    item->detail = g_strdup(model->detail);
    g_autofree char *folder = g_path_get_dirname(model->path);
    item->name_key = key_of(model->title);
    item->folder_key = key_of(folder);
    item->facts.damage = g_strdup(model->problem);
    return item;
}

/* Returns what the search compares, as in the list. */
static char *searchable(ViewerGridItem *item, gpointer user) {
    return g_strjoin("\t", item->title, item->detail, NULL);
}

/* ---- The widget ------------------------------------------------------------------------------ */

struct _ViewerGrid {
    GtkBox parent;
    const char *action;
    GtkWidget *view, *list, *notice; /* the list has the view */
    GtkAdjustment *scroll;
    GListStore *all; /* by row */
    GtkFilter *filter;
    GtkSorter *sorter;
    GtkSingleSelection *shown; /* filtered and sorted */
    grid_order order;
    thumbnails *thumbnails;
    int target;   /* the row to select after the next frame; -1: none */
    int focus;    /* the row to focus after another frame; -1: none */
    guint before; /* the position that was selected then: the user may choose another one */
    bool is_searched;
    int chosen;   /* the row that was selected before the search, or opened since; -1: none */
    int found;    /* the row that the search itself selected; -1: none */
    gulong paint; /* the handler that looks at the cells after the next frame */
};

#define VIEWER_TYPE_GRID (viewer_grid_get_type())
G_DECLARE_FINAL_TYPE(ViewerGrid, viewer_grid, VIEWER, GRID, GtkBox)
G_DEFINE_TYPE(ViewerGrid, viewer_grid, GTK_TYPE_BOX)

/* ---- Order ----------------------------------------------------------------------------------- */

static uint64_t weight(const ViewerGridItem *item, grid_order order) {
    const model_facts *facts = &item->facts;
    switch (order) {
    case GRID_BY_SIZE:
        return facts->size;
    case GRID_BY_FRAMES:
        return facts->frames;
    case GRID_BY_TRIANGLES:
        return facts->triangles;
    case GRID_BY_PROBLEMS:
        return facts->damage ? UINT64_MAX : facts->problems;
    case GRID_BY_NAME:
    case GRID_BY_FOLDER:
        break;
    }
    return 0;
}

static int compare(const void *a, const void *b, void *user) {
    const ViewerGridItem *x = a, *y = b;
    const ViewerGrid *grid = user;
    const uint64_t left = weight(x, grid->order), right = weight(y, grid->order);
    if (left != right)
        return left > right ? -1 : 1;
    const int folders = grid->order == GRID_BY_FOLDER ? strcmp(x->folder_key, y->folder_key) : 0;
    const int names = strcmp(x->name_key, y->name_key);
    return folders ? folders : names ? names : x->row < y->row ? -1 : x->row > y->row;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* The children of a cell. */
typedef struct cell_parts {
    GtkWidget *picture, *mark, *title, *caption;
} cell_parts;

static cell_parts parts_of(GtkWidget *cell) {
    GtkWidget *frame = gtk_widget_get_first_child(cell);
    GtkWidget *picture = gtk_widget_get_first_child(frame),
              *title = gtk_widget_get_next_sibling(frame);
    return (cell_parts){picture, gtk_widget_get_next_sibling(picture), title,
                        gtk_widget_get_next_sibling(title)};
}

static GtkWidget *new_label(const char *class) {
    GtkWidget *label = g_object_new(GTK_TYPE_LABEL, "ellipsize", PANGO_ELLIPSIZE_MIDDLE, "hexpand",
                                    TRUE, "max-width-chars", 1, NULL); /* as wide as the cell */
    if (class) {
        gtk_widget_add_css_class(label, class);
        gtk_widget_add_css_class(label, "dim-label");
    }
    return label;
}

static void set_up(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user) {
    GtkWidget *cell = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
    GtkWidget *frame = gtk_overlay_new(), *picture = gtk_picture_new(), *mark = gtk_image_new();
    gtk_widget_set_size_request(cell, CELL - 12, -1);
    gtk_widget_set_size_request(picture, PICTURE, PICTURE);
    gtk_widget_set_halign(frame, GTK_ALIGN_CENTER);
    gtk_widget_add_css_class(frame, "thumbnail");
    gtk_widget_set_overflow(frame, GTK_OVERFLOW_HIDDEN);
    gtk_image_set_pixel_size(GTK_IMAGE(mark), 32);
    gtk_widget_set_halign(mark, GTK_ALIGN_CENTER);
    gtk_widget_set_valign(mark, GTK_ALIGN_CENTER);
    gtk_overlay_set_child(GTK_OVERLAY(frame), picture);
    gtk_overlay_add_overlay(GTK_OVERLAY(frame), mark);
    gtk_box_append(GTK_BOX(cell), frame);
    gtk_box_append(GTK_BOX(cell), new_label(NULL));
    gtk_box_append(GTK_BOX(cell), new_label("caption"));
    gtk_list_item_set_child(item, cell);
}

/* Returns "198 frames · 1,200 triangles · 302 kB". */
static char *describe_facts(const model_facts *facts) {
    g_autofree char *frames = g_strdup_printf(TEXT_FRAMES(facts->frames), facts->frames);
    g_autofree char *triangles =
        g_strdup_printf(TEXT_TRIANGLES(facts->triangles), facts->triangles);
    g_autofree char *size = g_format_size(facts->size);
    g_autofree char *problems =
        g_strdup_printf(TEXT_PROBLEMS_FOUND(facts->problems), facts->problems);
    return g_strjoin(TEXT_SEPARATOR, frames, triangles, size, facts->problems > 0 ? problems : NULL,
                     NULL);
}

/* Returns the line below the title: the number that the grid is sorted by. By name or folder, it is
 * the detail, or the number of frames. */
static char *caption_of(const ViewerGridItem *item, grid_order order) {
    const model_facts *facts = &item->facts;
    if (order <= GRID_BY_FOLDER && *item->detail)
        return g_strdup(item->detail);
    if (facts->damage || !item->known)
        return g_strdup(facts->damage ? TEXT_DAMAGED : "");
    if (order == GRID_BY_SIZE)
        return g_format_size(facts->size);
    if (order == GRID_BY_TRIANGLES)
        return g_strdup_printf(TEXT_TRIANGLES(facts->triangles), facts->triangles);
    if (order == GRID_BY_PROBLEMS)
        return facts->problems > 0
                   ? g_strdup_printf(TEXT_PROBLEMS_FOUND(facts->problems), facts->problems)
                   : g_strdup(TEXT_NO_PROBLEMS);
    return g_strdup_printf(TEXT_FRAMES(facts->frames), facts->frames);
}

static void show_text(const ViewerGrid *grid, const ViewerGridItem *item, const cell_parts *parts) {
    g_autofree char *caption = caption_of(item, grid->order);
    g_autofree char *facts = item->known ? describe_facts(&item->facts) : g_strdup("");
    const char *more = item->facts.damage ? item->facts.damage : facts;
    g_autofree char *tip = g_strjoin("\n", item->title, *item->detail ? item->detail : more,
                                     *item->detail && *more ? more : NULL, NULL);
    gtk_label_set_text(GTK_LABEL(parts->title), item->title);
    gtk_label_set_text(GTK_LABEL(parts->caption), caption);
    gtk_widget_set_tooltip_text(item->cell, g_strchomp(tip));
    g_autofree char *description =
        g_strjoin(*item->detail && *more ? TEXT_SEPARATOR : "", item->detail, more, NULL);
    viewer_list_describe(gtk_widget_get_parent(item->cell), item->title, description);
}

/* Shows the item in its cell, if it has one. A damaged model, and one that cannot be drawn, have an
 * icon instead of a thumbnail. */
static void show(ViewerGrid *grid, const ViewerGridItem *item) {
    if (!item->cell)
        return;
    GdkTexture *texture = NULL;
    const bool damaged = item->facts.damage != NULL;
    const bool drawn = thumbnails_find(grid->thumbnails, item->path, &texture);
    const cell_parts parts = parts_of(item->cell);
    gtk_picture_set_paintable(GTK_PICTURE(parts.picture), damaged ? NULL : GDK_PAINTABLE(texture));
    gtk_image_set_from_icon_name(GTK_IMAGE(parts.mark),
                                 damaged ? "dialog-warning-symbolic" : "image-missing-symbolic");
    gtk_widget_set_visible(parts.mark, damaged || (drawn && !texture));
    if (damaged)
        gtk_widget_add_css_class(parts.mark, "mark");
    else
        gtk_widget_remove_css_class(parts.mark, "mark");
    show_text(grid, item, &parts);
}

/* ---- Cells in view --------------------------------------------------------------------------- */

/* Returns the item of a cell in view; NULL: none. Some cells never had a place, others had one. */
static ViewerGridItem *item_in_view(const ViewerGrid *grid, GtkWidget *holder) {
    GtkWidget *cell = gtk_widget_get_first_child(holder);
    ViewerGridItem *item = cell ? g_object_get_data(G_OBJECT(cell), "item") : NULL;
    graphene_rect_t bounds;
    if (!item || gtk_widget_get_width(cell) == 0 || !gtk_widget_get_child_visible(holder) ||
        !gtk_widget_compute_bounds(holder, gtk_widget_get_parent(grid->view), &bounds))
        return NULL;
    const double top = (double)bounds.origin.y, bottom = top + (double)bounds.size.height;
    return bottom > 0 && top < gtk_adjustment_get_page_size(grid->scroll) ? item : NULL;
}

/* Returns the items of the cells in view, not referenced. GTK also makes cells for others. */
static GPtrArray *items_in_view(const ViewerGrid *grid) {
    GPtrArray *items = g_ptr_array_new();
    const bool mapped = gtk_widget_get_mapped((GtkWidget *)grid);
    GtkWidget *holder = mapped ? gtk_widget_get_first_child(grid->view) : NULL;
    for (; holder; holder = gtk_widget_get_next_sibling(holder)) {
        ViewerGridItem *item = item_in_view(grid, holder);
        if (item)
            g_ptr_array_add(items, item);
    }
    return items;
}

/* Wants the thumbnails of the cells in view. */
static void look(ViewerGrid *grid) {
    g_autoptr(GPtrArray) items = items_in_view(grid), paths = g_ptr_array_new();
    for (guint i = 0; i < items->len; i++) {
        const ViewerGridItem *item = items->pdata[i];
        if (!item->facts.damage)
            g_ptr_array_add(paths, item->path);
    }
    g_ptr_array_add(paths, NULL);
    thumbnails_want(grid->thumbnails, (const char *const *)paths->pdata);
}

/* Returns the position of a row's cell; GTK_INVALID_LIST_POSITION: the search hides it. */
static guint position_of(const ViewerGrid *grid, guint row) {
    const guint count = g_list_model_get_n_items(G_LIST_MODEL(grid->shown));
    guint position = GTK_INVALID_LIST_POSITION;
    for (guint i = 0; i < count && position == GTK_INVALID_LIST_POSITION; i++) {
        g_autoptr(ViewerGridItem) item = g_list_model_get_item(G_LIST_MODEL(grid->shown), i);
        if (item->row == row)
            position = i;
    }
    return position;
}

static void stop_looking(ViewerGrid *grid) {
    GdkFrameClock *clock = gtk_widget_get_frame_clock(GTK_WIDGET(grid));
    if (grid->paint && clock)
        g_signal_handler_disconnect(clock, grid->paint);
    grid->paint = 0;
}

/* Moves the keyboard's focus from any cell to that of a row in view. */
static void focus_row(const ViewerGrid *grid, int row) {
    GtkRoot *root = gtk_widget_get_root(grid->view);
    GtkWidget *focus = root ? gtk_root_get_focus(root) : NULL;
    GtkWidget *holder = gtk_widget_get_first_child(grid->view);
    if (!focus || !gtk_widget_is_ancestor(focus, grid->view))
        return;
    for (; holder; holder = gtk_widget_get_next_sibling(holder)) {
        const ViewerGridItem *item = item_in_view(grid, holder);
        if (item && item->row == (guint)row)
            gtk_widget_grab_focus(holder);
    }
}

static void painted(GdkFrameClock *clock, ViewerGrid *grid);

/* Looks at the cells after the next frame, when they have their places. */
static void look_soon(ViewerGrid *grid) {
    GdkFrameClock *clock = gtk_widget_get_frame_clock(GTK_WIDGET(grid));
    if (grid->paint || !clock || !gtk_widget_get_mapped(GTK_WIDGET(grid)))
        return;
    grid->paint = g_signal_connect(clock, "after-paint", G_CALLBACK(painted), grid);
    gtk_widget_queue_draw(GTK_WIDGET(grid));
}

static void painted(GdkFrameClock *clock, ViewerGrid *grid) {
    const int columns = gtk_widget_get_width(grid->view) / CELL; /* more need more cells */
    stop_looking(grid);
    gtk_grid_view_set_max_columns(GTK_GRID_VIEW(grid->view), (guint)CLAMP(columns, 1, MAX_COLUMNS));
    const bool chosen = gtk_single_selection_get_selected(grid->shown) != grid->before;
    const guint position = grid->target < 0 || chosen ? GTK_INVALID_LIST_POSITION
                                                      : position_of(grid, (guint)grid->target);
    if (grid->focus >= 0 && !chosen)
        focus_row(grid, grid->focus);
    grid->focus = -1;
    if (position != GTK_INVALID_LIST_POSITION) {
        gtk_single_selection_set_selected(grid->shown, position);
        /* Older versions of GTK scroll to the item only through the view's own action. */
        gtk_widget_activate_action(grid->view, "list.scroll-to-item", "u", position);
        grid->before = position;
        grid->focus = grid->target; /* its cell has its place after another frame */
        look_soon(grid);
    }
    grid->target = -1;
    look(grid);
}

static void map(GtkWidget *widget) {
    GTK_WIDGET_CLASS(viewer_grid_parent_class)->map(widget);
    look_soon(VIEWER_GRID(widget));
}

static void unmap(GtkWidget *widget) {
    GTK_WIDGET_CLASS(viewer_grid_parent_class)->unmap(widget);
    stop_looking(VIEWER_GRID(widget));
    look(VIEWER_GRID(widget)); /* wants nothing */
}

/* Shows why there are no thumbnails, if there can be none. */
static void show_notice(ViewerGrid *grid) {
    const char *problem = thumbnails_problem(grid->thumbnails);
    if (!problem || gtk_widget_get_visible(grid->notice))
        return;
    g_autofree char *text = g_strdup_printf(TEXT_NO_THUMBNAILS, problem);
    gtk_label_set_text(GTK_LABEL(grid->notice), text);
    gtk_widget_set_visible(grid->notice, TRUE);
}

static void drawn(void *user, const char *path) {
    ViewerGrid *grid = user;
    show_notice(grid);
    GtkWidget *holder = gtk_widget_get_first_child(grid->view);
    for (; holder; holder = gtk_widget_get_next_sibling(holder)) {
        GtkWidget *cell = gtk_widget_get_first_child(holder);
        const ViewerGridItem *item = cell ? g_object_get_data(G_OBJECT(cell), "item") : NULL;
        if (item && strcmp(item->path, path) == 0)
            show(grid, item);
    }
}

static void bind(GtkSignalListItemFactory *factory, GtkListItem *listed, ViewerGrid *grid) {
    ViewerGridItem *item = gtk_list_item_get_item(listed);
    item->cell = gtk_list_item_get_child(listed);
    g_object_set_data(G_OBJECT(item->cell), "item", item);
    show(grid, item);
    look_soon(grid);
}

static void unbind(GtkSignalListItemFactory *factory, GtkListItem *listed, ViewerGrid *grid) {
    ViewerGridItem *item = gtk_list_item_get_item(listed);
    GtkWidget *cell = gtk_list_item_get_child(listed);
    g_object_set_data(G_OBJECT(cell), "item", NULL);
    if (item->cell == cell)
        item->cell = NULL;
}

/* ---- Creation -------------------------------------------------------------------------------- */

static void dispose(GObject *object) {
    ViewerGrid *grid = VIEWER_GRID(object);
    g_clear_pointer(&grid->thumbnails, thumbnails_free);
    g_clear_object(&grid->all);
    G_OBJECT_CLASS(viewer_grid_parent_class)->dispose(object);
}

static void viewer_grid_class_init(ViewerGridClass *class) {
    G_OBJECT_CLASS(class)->dispose = dispose;
    GTK_WIDGET_CLASS(class)->map = map;
    GTK_WIDGET_CLASS(class)->unmap = unmap;
}

/* Shows the items through the filter and the sorter. */
static void add_models(ViewerGrid *grid) {
    GtkExpression *text = gtk_cclosure_expression_new(G_TYPE_STRING, NULL, 0, NULL,
                                                      G_CALLBACK(searchable), NULL, NULL);
    grid->all = g_list_store_new(VIEWER_TYPE_GRID_ITEM);
    grid->filter = GTK_FILTER(gtk_string_filter_new(text));
    grid->sorter = GTK_SORTER(gtk_custom_sorter_new(compare, grid, NULL));
    GtkFilterListModel *filtered =
        gtk_filter_list_model_new(g_object_ref(G_LIST_MODEL(grid->all)), grid->filter);
    grid->shown = gtk_single_selection_new(
        G_LIST_MODEL(gtk_sort_list_model_new(G_LIST_MODEL(filtered), grid->sorter)));
}

static void activated(GtkGridView *view, guint position, ViewerGrid *grid) {
    g_autoptr(ViewerGridItem) item = g_list_model_get_item(G_LIST_MODEL(grid->shown), position);
    grid->chosen = (int)item->row;
    gtk_widget_activate_action(GTK_WIDGET(view), grid->action, "u", item->row);
}

static void viewer_grid_init(ViewerGrid *grid) {
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(set_up), NULL);
    g_signal_connect(factory, "bind", G_CALLBACK(bind), grid);
    g_signal_connect(factory, "unbind", G_CALLBACK(unbind), grid);
    gtk_orientable_set_orientation(GTK_ORIENTABLE(grid), GTK_ORIENTATION_VERTICAL);
    grid->notice =
        g_object_new(GTK_TYPE_LABEL, "visible", FALSE, "wrap", TRUE, "xalign", 0.0, NULL);
    gtk_widget_add_css_class(grid->notice, "controls");
    gtk_box_append(GTK_BOX(grid), grid->notice);
    grid->target = grid->focus = grid->chosen = grid->found = -1;
    grid->thumbnails = thumbnails_new(drawn, grid);
    add_models(grid);
    grid->view = gtk_grid_view_new(GTK_SELECTION_MODEL(grid->shown), factory);
    gtk_grid_view_set_single_click_activate(GTK_GRID_VIEW(grid->view), TRUE);
    g_signal_connect(grid->view, "activate", G_CALLBACK(activated), grid);
}

GtkWidget *viewer_grid_new(const char *action, const char *label) {
    ViewerGrid *grid = g_object_new(VIEWER_TYPE_GRID, NULL);
    grid->action = action;
    grid->list = viewer_list_wrap(grid->view, label);
    gtk_box_append(GTK_BOX(grid), grid->list);
    grid->scroll = gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(grid->view));
    g_signal_connect_swapped(grid->scroll, "value-changed", G_CALLBACK(look_soon), grid);
    g_signal_connect_swapped(grid->scroll, "changed", G_CALLBACK(look_soon), grid);
    return GTK_WIDGET(grid);
}

/* ---- Content --------------------------------------------------------------------------------- */

/* Returns the items by their paths, not referenced. */
static GHashTable *items_by_path(const ViewerGrid *grid) {
    GHashTable *items = g_hash_table_new(g_str_hash, g_str_equal);
    GListModel *all = G_LIST_MODEL(grid->all);
    for (guint i = 0; i < g_list_model_get_n_items(all); i++) {
        g_autoptr(ViewerGridItem) item = g_list_model_get_item(all, i);
        g_hash_table_insert(items, item->path, item);
    }
    return items;
}

/* Returns the item of a model that was there before, or a new one. */
static ViewerGridItem *item_for(GHashTable *before, guint row, const grid_model *model) {
    ViewerGridItem *item = g_hash_table_lookup(before, model->path);
    if (!item || strcmp(item->title, model->title) != 0 || strcmp(item->detail, model->detail) != 0)
        return new_item(row, model);
    g_hash_table_remove(before, model->path);
    item->row = row;
    item->current = false;
    return g_object_ref(item);
}

void viewer_grid_set_models(GtkWidget *widget, const grid_model *models, guint count,
                            shared_vfs *vfs, const char *const *games) {
    ViewerGrid *grid = VIEWER_GRID(widget);
    g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(g_object_unref);
    g_autoptr(GHashTable) before = items_by_path(grid);
    const guint num_before = g_hash_table_size(before);
    for (guint i = 0; i < count; i++)
        g_ptr_array_add(items, item_for(before, i, &models[i]));
    const bool others = g_hash_table_size(before) == num_before;
    thumbnails_reset(grid->thumbnails, vfs, games,
                     (uint32_t)(PICTURE * gtk_widget_get_scale_factor(widget)));
    g_list_store_splice(grid->all, 0, g_list_model_get_n_items(G_LIST_MODEL(grid->all)),
                        items->pdata, count);
    if (others)
        gtk_single_selection_set_selected(grid->shown, 0);
    look_soon(grid);
}

/* Appends the row of an item without current facts, unless it is listed. Returns their number. */
static guint add_unknown(const ViewerGridItem *item, guint *rows, guint count) {
    for (guint i = 0; i < count; i++)
        if (rows[i] == item->row)
            return count;
    rows[count] = item->row;
    return count + !item->current;
}

guint viewer_grid_unknown(GtkWidget *widget, guint *rows, guint capacity) {
    ViewerGrid *grid = VIEWER_GRID(widget);
    g_autoptr(GPtrArray) seen = items_in_view(grid);
    GListModel *all = G_LIST_MODEL(grid->all);
    const guint num_models = g_list_model_get_n_items(all);
    guint count = 0;
    for (guint i = 0; i < seen->len && count < capacity; i++)
        count = add_unknown(seen->pdata[i], rows, count);
    for (guint i = 0; i < num_models && count < capacity; i++) {
        g_autoptr(ViewerGridItem) item = g_list_model_get_item(all, i);
        count = add_unknown(item, rows, count);
    }
    return count;
}

void viewer_grid_set_facts(GtkWidget *widget, const guint *rows, const model_facts *facts,
                           guint count) {
    ViewerGrid *grid = VIEWER_GRID(widget);
    for (guint i = 0; i < count; i++) {
        g_autoptr(ViewerGridItem) item = g_list_model_get_item(G_LIST_MODEL(grid->all), rows[i]);
        model_facts_clear(&item->facts);
        item->facts = facts[i];
        item->facts.damage = g_strdup(facts[i].damage);
        item->known = item->current = true;
        show(grid, item);
    }
    look_soon(grid);
    if (grid->order > GRID_BY_FOLDER)
        gtk_sorter_changed(grid->sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

void viewer_grid_sort(GtkWidget *widget, grid_order order) {
    ViewerGrid *grid = VIEWER_GRID(widget);
    guint count = g_list_model_get_n_items(G_LIST_MODEL(grid->all));
    grid->order = order;
    gtk_sorter_changed(grid->sorter, GTK_SORTER_CHANGE_DIFFERENT);
    for (guint i = 0; i < count; i++) { /* the captions */
        g_autoptr(ViewerGridItem) item = g_list_model_get_item(G_LIST_MODEL(grid->all), i);
        show(grid, item);
    }
}

static int selected_row(const ViewerGrid *grid) {
    const ViewerGridItem *item = gtk_single_selection_get_selected_item(grid->shown);
    return item ? (int)item->row : -1;
}

/* After the search, the model is selected that the user selected last. */
void viewer_grid_search(GtkWidget *widget, const char *text) {
    ViewerGrid *grid = VIEWER_GRID(widget);
    const bool was_searched = grid->is_searched;
    const int selected = selected_row(grid);
    grid->is_searched = *text != '\0';
    if (!was_searched || selected != grid->found)
        grid->chosen = selected;
    gtk_string_filter_set_search(GTK_STRING_FILTER(grid->filter), text);
    viewer_list_set_searched(grid->list, grid->is_searched);
    grid->found = selected_row(grid);
    if (was_searched && !grid->is_searched && grid->chosen >= 0)
        viewer_grid_select(widget, grid->chosen);
}

guint viewer_grid_count_shown(GtkWidget *widget) {
    return g_list_model_get_n_items(G_LIST_MODEL(VIEWER_GRID(widget)->shown));
}

guint viewer_grid_step(GtkWidget *widget, guint row, int step) {
    ViewerGrid *grid = VIEWER_GRID(widget);
    const guint count = viewer_grid_count_shown(widget), at = position_of(grid, row);
    const guint begin = at < count ? at : step > 0 ? count - 1 : 0;
    if (count == 0 || (count == 1 && at == 0))
        return GTK_INVALID_LIST_POSITION;
    g_autoptr(ViewerGridItem) item = g_list_model_get_item(
        G_LIST_MODEL(grid->shown), (begin + (step > 0 ? 1 : count - 1)) % count);
    return item->row;
}

void viewer_grid_select(GtkWidget *widget, int row) {
    ViewerGrid *grid = VIEWER_GRID(widget);
    grid->target = row;
    grid->before = gtk_single_selection_get_selected(grid->shown);
    look_soon(grid);
}

void viewer_grid_activate(GtkWidget *widget) {
    ViewerGrid *grid = VIEWER_GRID(widget);
    const guint position = gtk_single_selection_get_selected(grid->shown);
    if (position != GTK_INVALID_LIST_POSITION)
        g_signal_emit_by_name(grid->view, "activate", position);
}

void viewer_grid_focus(GtkWidget *widget) {
    gtk_widget_grab_focus(VIEWER_GRID(widget)->view);
}

thumbnails *viewer_grid_thumbnails(GtkWidget *widget) {
    return VIEWER_GRID(widget)->thumbnails;
}

bool viewer_grid_is_busy(GtkWidget *widget) {
    ViewerGrid *grid = VIEWER_GRID(widget);
    return grid->paint != 0 || thumbnails_is_busy(grid->thumbnails);
}
