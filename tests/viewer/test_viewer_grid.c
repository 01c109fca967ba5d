/* Tests the grid of thumbnails on a display without a screen. */

#include "archive_maker.h"
#include "grid.h"
#include "viewer_support.h"

/* ---- Widgets of the grid --------------------------------------------------------------------- */

static GtkWidget *grid_of(ViewerWindow *window) {
    return find_type(GTK_WIDGET(window), g_type_from_name("ViewerGrid"));
}

static GtkWidget *view_of(ViewerWindow *window) {
    return find_type(grid_of(window), g_type_from_name("GtkGridView"));
}

static bool grid_is_shown(ViewerWindow *window) {
    return gtk_widget_get_mapped(grid_of(window));
}

static GtkWidget *search_of(ViewerWindow *window) {
    return widget(window, "grid_search");
}

/* Returns a cell's holder, which has the focus, by its place in the grid. */
static GtkWidget *holder_at(ViewerWindow *window, guint place) {
    GtkWidget *holder = gtk_widget_get_first_child(view_of(window));
    for (; holder && place > 0; place--)
        holder = gtk_widget_get_next_sibling(holder);
    return holder;
}

/* Returns the texts of the first cells in view, "a.md2 c.md2"; of their captions: "49 frames …". */
static char *texts(ViewerWindow *window, bool captions) {
    GString *all = g_string_new(NULL);
    GtkWidget *holder = gtk_widget_get_first_child(view_of(window));
    for (; holder; holder = gtk_widget_get_next_sibling(holder)) {
        GtkWidget *cell = gtk_widget_get_first_child(holder), *caption;
        if (!cell || gtk_widget_get_width(cell) == 0 || !gtk_widget_get_child_visible(holder))
            continue;
        caption = gtk_widget_get_last_child(cell);
        GtkWidget *label = captions ? caption : gtk_widget_get_prev_sibling(caption);
        g_string_append_printf(all, "%s%s", all->len > 0 ? ", " : "",
                               gtk_label_get_text(GTK_LABEL(label)));
    }
    return g_string_free(all, FALSE);
}

static void expect_texts(ViewerWindow *window, bool captions, const char *expected) {
    g_autofree char *shown = texts(window, captions);
    assert_string_equal(shown, expected);
}

static bool has_thumbnail(ViewerWindow *window, guint place) {
    GtkWidget *picture = find_type(holder_at(window, place), g_type_from_name("GtkPicture"));
    return gtk_picture_get_paintable(GTK_PICTURE(picture)) != NULL;
}

/* Returns whether the cell has an icon in place of a thumbnail. */
static bool has_icon(ViewerWindow *window, guint place, const char *name) {
    GtkWidget *mark = find_type(holder_at(window, place), g_type_from_name("GtkImage"));
    return gtk_widget_get_visible(mark) &&
           g_str_equal(gtk_image_get_icon_name(GTK_IMAGE(mark)), name);
}

static void search(ViewerWindow *window, const char *text, guint count) {
    gtk_editable_set_text(GTK_EDITABLE(search_of(window)), text);
    WAIT_FOR(window, viewer_grid_count_shown(grid_of(window)) == count);
}

/* ---- Models ---------------------------------------------------------------------------------- */

#define SHORT "md2: the file has only 4 bytes, but its header needs 68 (byte 0)"

/* Makes a folder: a model with a warning, one that is damaged, and others of different sizes,
 * frames and triangles. Returns its path. */
static char *mixed_folder(void) {
    char *folder = fresh_folder("mixed");
    g_autofree char *damaged = g_build_filename(folder, "b.md2", NULL);
    g_free(make_tick("mixed/d10.md2", "E:\\tick\\skin.pcx"));
    copy_sample("samples/tick_head.mdc", "mixed/a.mdc");
    copy_sample("samples/tick_torch.mdl", "mixed/D9.mdl");
    assert_true(g_file_set_contents(damaged, "IDP2", 4, NULL));
    return folder;
}

static ViewerWindow *open_grid(const char *path, int width, int height) {
    ViewerWindow *window = open_window(width, height);
    set(window, "thumbnails", "true");
    open_path(window, path);
    return window;
}

/* The grid opens no model. It shows all of them by name, with thumbnails, and marks the damaged
 * one. */
TEST(test_folder) {
    g_autofree char *folder = mixed_folder();
    OWNED(ViewerWindow) *window = open_grid(folder, 760, 540);
    assert_true(grid_is_shown(window));
    assert_false(error_is_shown(window));
    expect_title(window, "mixed");
    expect_label(window, "grid_count", "4 models");
    expect_texts(window, false, "a.mdc, b.md2, D9.mdl, d10.md2");
    assert_true(has_thumbnail(window, 0) && has_thumbnail(window, 2) && has_thumbnail(window, 3));
    assert_false(has_thumbnail(window, 1));
    assert_true(has_icon(window, 1, "dialog-warning-symbolic"));
    assert_false(has_icon(window, 0, "dialog-warning-symbolic"));
    assert_false(is_enabled(window, "win.screenshot")); /* the model is not shown */
    g_free(take_window_screenshot(window, "window-grid").pixels);
}

/* The picture of the documentation: a player comes as a whole, before single models. */
TEST(test_picture_of_docs) {
    g_autofree char *folder = source_file("samples");
    OWNED(ViewerWindow) *window = open_grid(folder, 750, 530);
    expect_title(window, "samples");
    assert_true(has_thumbnail(window, 0) && has_thumbnail(window, 1) && has_thumbnail(window, 2));
    g_free(take_window_screenshot(window, "window-docs-grid").pixels);
}

/* Cells have names, and the facts or the damage as descriptions. */
TEST(test_names) {
    g_autofree char *folder = mixed_folder();
    OWNED(ViewerWindow) *window = open_grid(folder, 760, 540);
    expect_property(holder_at(window, 0), GTK_ACCESSIBLE_PROPERTY_LABEL, "a.mdc");
    expect_property(holder_at(window, 1), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, SHORT);
    expect_property(holder_at(window, 2), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                    "7 frames \xc2\xb7 176 triangles \xc2\xb7 19.0\xc2\xa0kB");
}

TEST(test_orders) {
    static const char *const orders[][3] = {
        {"'size'", "d10.md2, a.mdc, D9.mdl, b.md2",
         "121.8\xc2\xa0kB, 55.4\xc2\xa0kB, 19.0\xc2\xa0kB, damaged"},
        {"'frames'", "d10.md2, a.mdc, D9.mdl, b.md2", "49 frames, 42 frames, 7 frames, damaged"},
        {"'triangles'", "d10.md2, a.mdc, D9.mdl, b.md2",
         "888 triangles, 472 triangles, 176 triangles, damaged"},
        {"'problems'", "b.md2, d10.md2, a.mdc, D9.mdl",
         "damaged, 1 problem, No problems found, No problems found"},
        {"'name'", "a.mdc, b.md2, D9.mdl, d10.md2", "42 frames, damaged, 7 frames, 49 frames"},
        {"'folder'", "a.mdc, b.md2, D9.mdl, d10.md2", "42 frames, damaged, 7 frames, 49 frames"}};
    g_autofree char *folder = mixed_folder();
    OWNED(ViewerWindow) *window = open_grid(folder, 760, 540);
    GtkWidget *sort = widget(window, "grid_sort");
    for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
        set(window, "sort", orders[i][0]);
        expect_texts(window, false, orders[i][1]);
        expect_texts(window, true, orders[i][2]);
    }
    gtk_drop_down_set_selected(GTK_DROP_DOWN(sort), 5);
    settle(window);
    expect_texts(window, false, orders[3][1]);
    set(window, "sort", "'colour'"); /* is ignored */
    expect_texts(window, false, orders[3][1]);
}

/* The folder below the one that is opened is in captions, tooltips, the order and the search. */
TEST(test_folders) {
    g_autofree char *folder = fresh_folder("nested");
    copy_sample("samples/tick_torch.mdl", "nested/lamps/small/a.mdl");
    copy_sample("samples/tick_torch.mdl", "nested/Chairs/c.mdl");
    copy_sample("samples/tick_torch.mdl", "nested/b.mdl");
    OWNED(ViewerWindow) *window = open_grid(folder, 760, 540);
    expect_texts(window, false, "a.mdl, b.mdl, c.mdl");
    expect_texts(window, true, "lamps/small, 7 frames, Chairs");
    const char *tip = gtk_widget_get_tooltip_text(gtk_widget_get_first_child(holder_at(window, 0)));
    assert_true(g_str_has_prefix(tip, "a.mdl\nlamps/small\n7 frames"));
    set(window, "sort", "'folder'");
    expect_texts(window, false, "b.mdl, c.mdl, a.mdl");
    set(window, "sort", "'size'");
    expect_texts(window, true, "19.0\xc2\xa0kB, 19.0\xc2\xa0kB, 19.0\xc2\xa0kB");
    set(window, "sort", "'name'");
    search(window, "chairs", 1);
    expect_texts(window, false, "c.mdl");
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as widgets are nested
static GtkWidget *label_in(GtkWidget *root, const char *text) {
    GtkWidget *found = GTK_IS_LABEL(root) && gtk_widget_get_mapped(root) &&
                               strcmp(gtk_label_get_text(GTK_LABEL(root)), text) == 0
                           ? root
                           : NULL;
    for (GtkWidget *child = gtk_widget_get_first_child(root); child && !found;
         child = gtk_widget_get_next_sibling(child))
        found = label_in(child, text);
    return found;
}

/* A search without results says so in place of the grid, and of the list. */
TEST(test_nothing_found) {
    g_autofree char *folder = mixed_folder();
    OWNED(ViewerWindow) *window = open_grid(folder, 760, 540);
    search(window, "d1", 1);
    assert_null(label_in(grid_of(window), "Nothing found"));
    search(window, "xyz", 0);
    assert_non_null(label_in(grid_of(window), "Nothing found"));
    g_free(take_window_screenshot(window, "window-grid-nothing").pixels);
    act(window, "win.model(uint32 0)");
    set(window, "page", "'models'");
    assert_non_null(label_in(widget(window, "model_page"), "Nothing found"));
    search(window, "", 4);
    assert_null(label_in(widget(window, "model_page"), "Nothing found"));
    act(window, "win.back");
    assert_null(label_in(grid_of(window), "Nothing found"));
}

static guint selected_in(ViewerWindow *window) {
    GtkSelectionModel *model = gtk_grid_view_get_model(GTK_GRID_VIEW(view_of(window)));
    return gtk_single_selection_get_selected(GTK_SINGLE_SELECTION(model));
}

static void select_in(ViewerWindow *window, guint position) {
    GtkSelectionModel *model = gtk_grid_view_get_model(GTK_GRID_VIEW(view_of(window)));
    gtk_single_selection_set_selected(GTK_SINGLE_SELECTION(model), position);
}

/* After a search, Escape keeps the model that was selected in it. If none was, the one that was
 * selected before is selected again. */
TEST(test_selection_after_search) {
    g_autofree char *folder = mixed_folder();
    OWNED(ViewerWindow) *window = open_grid(folder, 760, 540);
    select_in(window, 2); /* D9.mdl */
    search(window, "b.md2", 1);
    g_signal_emit_by_name(search_of(window), "stop-search");
    search(window, "", 4);
    assert_int_equal(selected_in(window), 2);
    search(window, "xyz", 0);
    search(window, "", 4);
    assert_int_equal(selected_in(window), 2);
    search(window, "md2", 2);
    select_in(window, 1); /* d10.md2 */
    search(window, "", 4);
    assert_int_equal(selected_in(window), 3);
}

/* The grid and the list have the same search. */
TEST(test_search) {
    g_autofree char *folder = mixed_folder();
    OWNED(ViewerWindow) *window = open_grid(folder, 760, 540);
    search(window, ".MD2", 2);
    expect_texts(window, false, "b.md2, d10.md2");
    search(window, "d1", 1);
    expect_label(window, "grid_count", "1 of 4 models");
    g_signal_emit_by_name(search_of(window), "activate"); /* Enter */
    settle(window);
    expect_title(window, "d10.md2");
    assert_false(is_enabled(window, "win.next"));
    act(window, "win.back");
    g_signal_emit_by_name(search_of(window), "stop-search"); /* Escape */
    search(window, "", 4);
    assert_true(is_enabled(window, "win.next"));
}

/* Enter opens a model, Escape returns to it in the grid. */
TEST(test_enter_and_escape) {
    g_autofree char *folder = mixed_folder();
    OWNED(ViewerWindow) *window = open_grid(folder, 760, 540);
    assert_non_null(gtk_widget_get_focus_child(view_of(window)));
    gtk_widget_child_focus(view_of(window), GTK_DIR_RIGHT);
    gtk_widget_child_focus(view_of(window), GTK_DIR_RIGHT);
    assert_true(gtk_widget_activate(gtk_widget_get_focus_child(view_of(window))));
    settle(window);
    assert_false(grid_is_shown(window));
    expect_title(window, "D9.mdl");
    assert_true(gtk_widget_get_mapped(widget(window, "sidebar")));
    act(window, "win.back");
    assert_true(grid_is_shown(window));
    expect_title(window, "mixed");
    assert_ptr_equal(gtk_widget_get_focus_child(view_of(window)), holder_at(window, 2));
    assert_false(gtk_widget_get_mapped(widget(window, "sidebar")));
    act(window, "win.model(uint32 0)"); /* is open already */
    assert_false(grid_is_shown(window));
    expect_title(window, "D9.mdl");
}

/* A model that cannot be opened leaves the grid as it is, and tells why. */
TEST(test_damaged) {
    g_autofree char *folder = mixed_folder();
    OWNED(ViewerWindow) *window = open_grid(folder, 700, 500);
    act(window, "win.model(uint32 2)");
    assert_non_null(strstr(error_text(window), "b.md2"));
    assert_true(grid_is_shown(window));
    act(window, "win.model(uint32 1)");
    assert_false(error_is_shown(window));
    assert_false(grid_is_shown(window));
}

/* The user's choice decides how folders open; one model opens as itself. */
TEST(test_toggle) {
    g_autofree char *folder = mixed_folder(), *model = g_build_filename(folder, "D9.mdl", NULL);
    OWNED(ViewerWindow) *window = open_window(700, 500);
    assert_false(grid_is_shown(window));
    open_path(window, folder);
    assert_false(grid_is_shown(window));
    expect_title(window, "D9.mdl");
    act(window, "win.back"); /* the user did not choose the grid */
    assert_false(grid_is_shown(window));
    act(window, "win.thumbnails");
    assert_true(grid_is_shown(window) && is_on(window, "thumbnails"));
    act(window, "win.thumbnails");
    assert_false(grid_is_shown(window) || is_on(window, "thumbnails"));
    expect_title(window, "D9.mdl");
    act(window, "win.thumbnails");
    open_path(window, model);
    assert_false(grid_is_shown(window));
    open_path(window, folder);
    assert_true(grid_is_shown(window));
    act(window, "win.next");
    assert_false(grid_is_shown(window));
    close_window(window);
    window = open_grid(folder, 700, 500);
    act(window, "win.thumbnails"); /* opens the first model */
    expect_title(window, "D9.mdl");
}

/* Tab enters the grid once, and leaves it. */
TEST(test_one_stop) {
    g_autofree char *folder = mixed_folder();
    OWNED(ViewerWindow) *window = open_grid(folder, 760, 540);
    GtkWidget *view = view_of(window);
    gtk_widget_child_focus(GTK_WIDGET(window), GTK_DIR_TAB_BACKWARD);
    assert_null(gtk_widget_get_focus_child(view));
    gtk_widget_child_focus(GTK_WIDGET(window), GTK_DIR_TAB_FORWARD);
    assert_ptr_equal(gtk_widget_get_focus_child(view), holder_at(window, 0));
    gtk_widget_child_focus(GTK_WIDGET(window), GTK_DIR_TAB_FORWARD);
    assert_null(gtk_widget_get_focus_child(view));
}

/* ---- Many models ----------------------------------------------------------------------------- */

/* Makes an archive of `count` models. Returns its path. */
static char *archive_of(guint count) {
    g_autofree char *from = source_file("samples/tick_torch.mdl");
    blob file = blob_read(from);
    packed_file *packed = g_new0(packed_file, count);
    for (guint i = 0; i < count; i++)
        packed[i] = (packed_file){.name = g_strdup_printf("models/%u.mdl", i),
                                  .data = file.data,
                                  .size = file.size,
                                  .deflate = true};
    blob archive = make_pk3(packed, count);
    char *name = g_strdup_printf("many-%u.pk3", count), *path = scratch_file(name);
    assert_true(g_file_set_contents(path, (const char *)archive.data, (gssize)archive.size, NULL));
    for (guint i = 0; i < count; i++)
        g_free((char *)packed[i].name);
    blob_free(&archive), blob_free(&file), g_free(packed), g_free(name);
    return path;
}

/* Counts the thumbnails that are drawn of an archive. */
static guint count_drawn_of(guint count) {
    g_autofree char *path = archive_of(count);
    OWNED(ViewerWindow) *window = open_grid(path, 640, 480);
    assert_int_equal(viewer_grid_count_shown(grid_of(window)), count);
    guint drawn = thumbnails_count_drawn(viewer_grid_thumbnails(grid_of(window)));
    return drawn;
}

/* Only cells in view get thumbnails, however many models there are. */
TEST(test_only_cells_in_view) {
    const guint once = count_drawn_of(40);
    assert_in_range(once, 3, 12);
    assert_int_equal(count_drawn_of(80), once);
    assert_int_equal(count_drawn_of(160), once);
}

static void scroll(ViewerWindow *window, double to) {
    GtkAdjustment *scroll = gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(view_of(window)));
    gtk_adjustment_set_value(scroll, to);
    settle(window);
    settle(window);
}

/* The grid begins at the cell of the model that was shown, with the keyboard's focus. */
TEST(test_begins_at_model) {
    g_autofree char *path = archive_of(80);
    OWNED(ViewerWindow) *window = open_window(640, 480);
    open_path(window, path);
    for (int i = 0; i < 50; i++)
        act(window, "win.next");
    g_autofree char *title = g_strdup(gtk_label_get_text(GTK_LABEL(widget(window, "title"))));
    act(window, "win.thumbnails");
    settle(window);
    GtkWidget *focus = gtk_root_get_focus(GTK_ROOT(window));
    assert_true(gtk_widget_is_ancestor(focus, view_of(window)));
    GtkWidget *label = find_type(focus, GTK_TYPE_LABEL);
    assert_string_equal(gtk_label_get_text(GTK_LABEL(label)), title);
}

/* Scrolling draws the cells that come into view; those that were drawn stay. */
TEST(test_scrolling) {
    g_autofree char *path = archive_of(80);
    OWNED(ViewerWindow) *window = open_grid(path, 640, 480);
    thumbnails *drawn = viewer_grid_thumbnails(grid_of(window));
    const guint first = thumbnails_count_drawn(drawn);
    scroll(window, 3000);
    const guint second = thumbnails_count_drawn(drawn);
    assert_in_range(second, first + 3, first + 12);
    scroll(window, 0);
    assert_int_equal(thumbnails_count_drawn(drawn), second);
    assert_int_equal(thumbnails_count_kept(drawn), second);
    assert_true(has_thumbnail(window, 0));
    set(window, "thumbnails", "false");
    set(window, "thumbnails", "true");
    assert_int_equal(thumbnails_count_drawn(drawn), second);
}

/* ---- The list -------------------------------------------------------------------------------- */

/* After a model of the grid, the next one is the next one there: in its order, with its search. */
TEST(test_order_of_next) {
    g_autofree char *folder = mixed_folder();
    OWNED(ViewerWindow) *window = open_grid(folder, 760, 540);
    set(window, "sort", "'frames'"); /* d10, a, D9, b */
    act(window, "win.model(uint32 3)");
    expect_title(window, "d10.md2");
    act(window, "win.next");
    expect_title(window, "a.mdc");
    act(window, "win.next");
    expect_title(window, "D9.mdl");
    act(window, "win.previous");
    act(window, "win.previous");
    expect_title(window, "d10.md2");
    act(window, "win.back");
    search(window, "d1", 1);
    act(window, "win.model(uint32 3)");
    assert_false(is_enabled(window, "win.next"));
    search(window, "", 4);
    act(window, "win.model(uint32 0)"); /* in the panel's list, which has its own order */
    act(window, "win.next");
    expect_title(window, "a.mdc");
}

static bool has_facts(ViewerWindow *window, guint place) {
    GtkWidget *cell = gtk_widget_get_first_child(holder_at(window, place));
    return *gtk_label_get_text(GTK_LABEL(gtk_widget_get_last_child(cell))) != '\0';
}

/* The rows without facts begin with those in view. */
TEST(test_view_first) {
    g_autofree char *path = archive_of(160);
    OWNED(ViewerWindow) *window = open_grid(path, 640, 480);
    grid_model models[160];
    guint rows[160];
    assert_true(has_facts(window, 0));
    assert_int_equal(viewer_grid_unknown(grid_of(window), rows, 160), 0);
    for (guint i = 0; i < 160; i++)
        models[i] = (grid_model){.path = g_strdup_printf("%u", i), .title = "a", .detail = ""};
    OWNED(shared_vfs) *vfs = shared_vfs_new();
    viewer_grid_set_models(grid_of(window), models, 160, vfs, NULL);
    viewer_grid_select(grid_of(window), 100);
    settle(window);
    settle(window);
    assert_int_equal(viewer_grid_unknown(grid_of(window), rows, 160), 160);
    assert_in_range(rows[0], 90, 100);
    assert_int_equal(rows[159], 159);
    const model_facts facts = {.frames = 1};
    viewer_grid_set_facts(grid_of(window), rows, &facts, 1);
    assert_int_equal(viewer_grid_unknown(grid_of(window), rows, 1), 1);
    assert_in_range(rows[0], 91, 101);
    for (guint i = 0; i < 160; i++)
        g_free((char *)models[i].path);
}

/* Waits until the grid has noticed a change of its folder. */
static void wait_for_count(ViewerWindow *window, guint count) {
    WAIT_FOR(window, viewer_grid_count_shown(grid_of(window)) == count);
}

/* The grid follows its folder: new, removed and changed models. The selection stays. */
TEST(test_changed_folder) {
    g_autofree char *folder = mixed_folder(), *added = g_build_filename(folder, "c.mdl", NULL);
    g_autofree char *damaged = g_build_filename(folder, "b.md2", NULL);
    OWNED(ViewerWindow) *window = open_grid(folder, 760, 540);
    viewer_grid_select(grid_of(window), 0); /* D9.mdl */
    settle(window);
    copy_sample("samples/tick_torch.mdl", "mixed/c.mdl");
    wait_for_count(window, 5);
    expect_label(window, "grid_count", "5 models");
    expect_texts(window, false, "a.mdc, b.md2, c.mdl, D9.mdl, d10.md2");
    assert_true(has_thumbnail(window, 2) && has_facts(window, 2));
    viewer_grid_activate(grid_of(window));
    settle(window);
    expect_title(window, "D9.mdl");
    act(window, "win.back");
    copy_file(added, damaged); /* is a model now, although not of the type of its name */
    WAIT_FOR(window, !has_icon(window, 1, "dialog-warning-symbolic"));
    assert_true(has_thumbnail(window, 1));
    remove(added);
    wait_for_count(window, 4);
    act(window, "win.model(uint32 0)");
    copy_sample("samples/tick_torch.mdl", "mixed/c.mdl"); /* also while a model is shown */
    act(window, "win.reload");
    act(window, "win.back");
    wait_for_count(window, 5);
    remove(added);
}

/* An archive that changes is read again, at once with "reload". */
TEST(test_changed_archive) {
    g_autofree char *three = archive_of(3), *two = archive_of(2),
                    *path = scratch_file("changed.pk3");
    copy_file(three, path);
    OWNED(ViewerWindow) *window = open_grid(path, 640, 480);
    assert_int_equal(viewer_grid_count_shown(grid_of(window)), 3);
    copy_file(two, path);
    wait_for_count(window, 2);
    copy_file(three, path);
    assert_true(is_enabled(window, "win.reload"));
    gtk_widget_activate_action(GTK_WIDGET(window), "win.reload", NULL);
    settle(window);
    assert_int_equal(viewer_grid_count_shown(grid_of(window)), 3);
    assert_true(has_facts(window, 2));
}

/* ---- Thumbnails alone ------------------------------------------------------------------------ */

static void count_call(void *user, const char *path) {
    (void)path;
    ++*(guint *)user;
}

static void wait_for(thumbnails *t) {
    for (int i = 0; i < 20000 && thumbnails_is_busy(t); i++)
        run_shortly();
    assert_false(thumbnails_is_busy(t));
}

/* The memory of thumbnails has a bound. Files that cannot be drawn have no thumbnail. */
TEST(test_bound) {
    const uint32_t size = 1024; /* eight fill the memory */
    g_autofree char *tick = source_file("samples/tick_torch.mdl"),
                    *missing = scratch_file("missing.md2");
    static const char dots[] = "./././././././././././";
    g_autofree char *folder = g_path_get_dirname(tick);
    OWNED(shared_vfs) *vfs = shared_vfs_new();
    guint calls = 0;
    thumbnails *t = thumbnails_new(count_call, &calls);
    GdkTexture *texture;
    thumbnails_want(t, (const char *const[]){tick, NULL}); /* belongs to nothing yet */
    assert_false(thumbnails_is_busy(t));
    thumbnails_reset(t, vfs, NULL, size);
    thumbnails_want(t, (const char *const[]){tick, missing, NULL});
    wait_for(t);
    assert_int_equal(calls, 2);
    assert_true(thumbnails_find(t, tick, &texture) && texture);
    assert_int_equal(gdk_texture_get_width(texture), size);
    assert_true(thumbnails_find(t, missing, &texture) && !texture);
    for (guint i = 0; i < 10; i++) { /* the same file by other paths */
        g_autofree char *path =
            g_strdup_printf("%s/%.*stick_torch.mdl", folder, (int)i * 2 + 2, dots);
        thumbnails_want(t, (const char *const[]){path, NULL});
        wait_for(t);
    }
    assert_int_equal(calls, 12);
    assert_in_range(thumbnails_count_kept(t), 7, 8);
    assert_false(thumbnails_find(t, tick, &texture));
    thumbnails_reset(t, vfs, NULL, 64);
    thumbnails_want(t, (const char *const[]){tick, NULL});
    wait_for(t);
    assert_true(thumbnails_find(t, tick, &texture) && texture);
    assert_int_equal(gdk_texture_get_width(texture), 64);
    thumbnails_want(t, (const char *const[]){missing, NULL});
    thumbnails_want(t, (const char *const[]){NULL}); /* is not wanted any more, or drawn already */
    wait_for(t);
    thumbnails_free(t);
}

static GdkTexture *draw_again(thumbnails *t, shared_vfs *vfs, const char *path) {
    GdkTexture *texture;
    thumbnails_reset(t, vfs, NULL, 64);
    thumbnails_want(t, (const char *const[]){path, NULL});
    wait_for(t);
    assert_true(thumbnails_find(t, path, &texture) && texture);
    return g_object_ref(texture);
}

/* After a rest without work, the thread opens a new context and draws the same. */
TEST(test_rest) {
    g_autofree char *tick = source_file("samples/tick_torch.mdl");
    OWNED(shared_vfs) *vfs = shared_vfs_new();
    guint calls = 0;
    thumbnails *t = thumbnails_new(count_call, &calls);
    uint32_t before[64 * 64], after[64 * 64];
    GdkTexture *first = draw_again(t, vfs, tick);
    g_usleep(2500 * 1000);
    GdkTexture *second = draw_again(t, vfs, tick);
    gdk_texture_download(first, (guchar *)before, 64 * 4);
    gdk_texture_download(second, (guchar *)after, 64 * 4);
    assert_memory_equal(before, after, sizeof before);
    g_object_unref(first), g_object_unref(second);
    thumbnails_free(t);
}

/* A lock that stops allocations, or the allocation that fails. */
typedef struct slow {
    GMutex lock;
    gint calls, fail_at;
} slow;

static void *slow_alloc(void *user, size_t size) {
    slow *s = user;
    g_mutex_lock(&s->lock);
    g_mutex_unlock(&s->lock);
    return g_atomic_int_add(&s->calls, 1) + 1 == s->fail_at ? NULL : malloc(size);
}

static void *slow_realloc(void *user, void *pointer, size_t old_size, size_t new_size) {
    slow *s = user;
    (void)old_size;
    return g_atomic_int_add(&s->calls, 1) + 1 == s->fail_at ? NULL : realloc(pointer, new_size);
}

static void slow_free(void *user, void *pointer, size_t size) {
    (void)user, (void)size;
    free(pointer);
}

static lm_allocator allocator_of(slow *s) {
    return (lm_allocator){slow_alloc, slow_realloc, slow_free, s};
}

static shared_vfs *slow_vfs(slow *s) {
    const lm_memory memory = {.allocator = allocator_of(s)};
    shared_vfs *vfs = g_atomic_rc_box_new0(shared_vfs);
    vfs->vfs = lm_vfs_new(&memory, NULL);
    assert_non_null(vfs->vfs);
    return vfs;
}

/* Freeing thumbnails, as a window does that closes, does not wait for the one that is drawn. */
TEST(test_slow_thumbnail) {
    g_autofree char *tick = source_file("samples/tick_torch.mdl");
    slow s = {.calls = 0};
    guint calls = 0;
    g_mutex_init(&s.lock);
    shared_vfs *vfs = slow_vfs(&s);
    thumbnails *t = thumbnails_new(count_call, &calls);
    thumbnails_reset(t, vfs, NULL, 64);
    g_mutex_lock(&s.lock);
    thumbnails_want(t, (const char *const[]){tick, tick, NULL});
    for (int i = 0; i < 20000 && thumbnails_count_drawn(t) == 0; i++)
        g_usleep(1000);
    assert_int_equal(thumbnails_count_drawn(t), 1);
    thumbnails_free(t); /* would wait forever */
    g_mutex_unlock(&s.lock);
    thumbnails_end();
    assert_int_equal(calls, 0);
    shared_vfs_unref(vfs);
    g_mutex_clear(&s.lock);
}

/* Facts with a failing allocation are correct, or have a reason. A thumbnail is drawn, or not. */
TEST(test_failing_allocations) {
    g_autofree char *tick = source_file("samples/tick_torch.mdl");
    slow s = {.fail_at = 0};
    guint calls = 0, failures = 0;
    g_mutex_init(&s.lock);
    thumbnails *t = thumbnails_new(count_call, &calls);
    for (bool failed = true; failed; s.fail_at++) {
        s.calls = 0;
        const gint fail_at = s.fail_at;
        s.fail_at = 0;
        OWNED(shared_vfs) *vfs = slow_vfs(&s);
        s.fail_at = s.calls + fail_at;
        model_facts facts = model_facts_read(vfs->vfs, tick, false);
        failed = fail_at == 0 || s.calls >= s.fail_at;
        assert_true(facts.damage || (facts.frames == 7 && facts.triangles == 176));
        assert_true(fail_at > 0 || !facts.damage);
        failures += facts.damage != NULL;
        model_facts_clear(&facts);
        s.fail_at = s.calls + fail_at;
        thumbnails_reset(t, vfs, NULL, 32);
        thumbnails_want(t, (const char *const[]){tick, NULL});
        wait_for(t);
        s.fail_at = fail_at;
    }
    assert_in_range(failures, 3, 1000);
    thumbnails_free(t);
    thumbnails_end();
    g_mutex_clear(&s.lock);
}

TEST_GROUP(start_viewer, end_viewer)
