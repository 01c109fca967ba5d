/* Tests the side panel's pages, its place and width, and the window without a model. */

#include "viewer_support.h"

#define PLAYER "samples/models/players/tick"

/* Calls `each` for all widgets of a type. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as widgets are nested
static void visit(GtkWidget *root, GType type, GPtrArray *found) {
    if (g_type_is_a(G_OBJECT_TYPE(root), type))
        g_ptr_array_add(found, root);
    for (GtkWidget *child = gtk_widget_get_first_child(root); child;
         child = gtk_widget_get_next_sibling(child))
        visit(child, type, found);
}

static GPtrArray *find_all(GtkWidget *root, GType type) {
    GPtrArray *found = g_ptr_array_new();
    visit(root, type, found);
    return found;
}

/* ---- Tabs ------------------------------------------------------------------------------------ */

static GtkStackPage *page_at(ViewerWindow *window, guint index) {
    GListModel *pages = G_LIST_MODEL(gtk_stack_get_pages(GTK_STACK(widget(window, "pages"))));
    GtkStackPage *page = g_list_model_get_item(pages, index);
    assert_non_null(page);
    g_object_unref(page);
    g_object_unref(pages);
    return page;
}

TEST(test_tabs) {
    static const char *const titles[] = {"Clips", "Display", "Models", "Information", "Problems"};
    OWNED(ViewerWindow) *window = open_tick();
    for (guint i = 0; i < G_N_ELEMENTS(titles); i++)
        assert_string_equal(gtk_stack_page_get_title(page_at(window, i)), titles[i]);
    gtk_stack_set_visible_child_name(GTK_STACK(widget(window, "pages")), "info"); /* as a click */
    expect_state(window, "page", "'info'");
}

static bool is_selected_in_view(GtkWidget *list) {
    GtkWidget *view = find_type(list, g_type_from_name("GtkListView"));
    GtkAdjustment *scroll = gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(view));
    GtkWidget *row = gtk_widget_get_first_child(view);
    while (row && !(gtk_widget_get_state_flags(row) & GTK_STATE_FLAG_SELECTED))
        row = gtk_widget_get_next_sibling(row);
    graphene_rect_t bounds;
    return row && gtk_widget_get_child_visible(row) &&
           gtk_widget_compute_bounds(row, view, &bounds) && bounds.origin.y >= 0 &&
           (double)(bounds.origin.y + bounds.size.height) <= gtk_adjustment_get_page_size(scroll);
}

/* A list in a hidden tab shows its selected row with the tab. */
TEST(test_hidden_list) {
    g_autofree char *model = scratch_file("panel/many/0.mdl"), *folder = g_path_get_dirname(model);
    OWNED(ViewerWindow) *window = open_window(760, 540);
    for (int i = 0; i < 60; i++) {
        g_autofree char *name = g_strdup_printf("panel/many/%d.mdl", i);
        copy_sample("samples/tick_torch.mdl", name);
    }
    g_free(model);
    model = g_build_filename(folder, "57.mdl", NULL);
    open_path(window, model); /* the tab was never shown */
    set(window, "page", "'models'");
    assert_true(is_selected_in_view(widget(window, "model_page")));
    set(window, "page", "'clips'");
    act(window, "win.model(uint32 2)");
    act(window, "win.model(uint32 50)");
    set(window, "page", "'models'");
    assert_true(is_selected_in_view(widget(window, "model_page")));
    act(window, "win.model(uint32 2)");
    assert_true(is_selected_in_view(widget(window, "model_page")));
}

/* The count is of errors and warnings: Tick has only notes. */
TEST(test_count_of_problems) {
    g_autofree char *tick = source_file("samples/tick.md2"), *cut = scratch_file("panel/cut.md2"),
                    *bytes = NULL;
    gsize size;
    lm_error error;
    OWNED(ViewerWindow) *window = open_window(760, 540);
    assert_true(g_file_get_contents(tick, &bytes, &size, NULL));
    assert_true(g_file_set_contents(cut, bytes, 30000, NULL));
    lm_report *report = lm_check_memory(bytes, 30000, NULL, &error);
    assert_non_null(report);
    assert_true(report->num_errors > 0);
    open_path(window, cut);
    act(window, "win.open-repaired");
    g_autofree char *title =
        g_strdup_printf("Problems (%u)", report->num_errors + report->num_warnings);
    assert_string_equal(gtk_stack_page_get_title(page_at(window, 4)), title);
    open_path(window, tick);
    assert_string_equal(gtk_stack_page_get_title(page_at(window, 4)), "Problems");
    lm_report_free(report);
}

/* ---- Information ----------------------------------------------------------------------------- */

/* Returns all texts of a page: a line for each label and for each row of a table. */
static char *texts_of(GtkWidget *page) {
    GString *texts = g_string_new("\n");
    g_autoptr(GPtrArray) labels = find_all(page, GTK_TYPE_LABEL),
                         tables = find_all(page, GTK_TYPE_LIST_VIEW);
    for (guint i = 0; i < labels->len; i++)
        g_string_append_printf(texts, "%s\n", gtk_label_get_text(labels->pdata[i]));
    for (guint i = 0; i < tables->len; i++) {
        GListModel *rows = G_LIST_MODEL(gtk_list_view_get_model(tables->pdata[i]));
        for (guint k = 0; k < g_list_model_get_n_items(rows); k++) {
            GtkStringObject *row = g_list_model_get_item(rows, k);
            g_string_append_printf(texts, "\t%s\t\n", gtk_string_object_get_string(row));
            g_object_unref(row);
        }
    }
    return g_string_free(texts, FALSE);
}

static void expect_text(const char *texts, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void expect_text(const char *texts, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (!strstr(texts, text))
        fail_msg("there is no \"%s\" in %s", text, texts);
}

static void expect_model(const char *texts, const document *d, uint32_t part) {
    const lm_model *model = document_scene(d)->parts[part].model;
    const lm_frame *last = &model->frames[model->num_frames - 1];
    g_autofree char *format = g_ascii_strup(model->format, -1);
    expect_text(texts, "\n%s\n", d->assets->assets[part].path);
    expect_text(texts, "\n%s, version %d\n", format, model->version);
    expect_text(texts, "\n%u\n", model->num_frames);
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        expect_text(texts, "\t%s\t%u\t%u\t%u\t",
                    *model->surfaces[i].name ? model->surfaces[i].name : "-",
                    model->surfaces[i].num_triangles, model->surfaces[i].num_file_vertices,
                    model->surfaces[i].num_vertices);
    for (uint32_t i = 0; i < model->num_skins; i++)
        expect_text(texts, "\t%s\t", model->skins[i]);
    for (uint32_t i = 0; i < model->num_tags; i++)
        expect_text(texts, "\t%s\t", model->tags[i].name);
    for (uint32_t i = 0; i < document_scene(d)->parts[part].num_clips; i++) {
        const lm_clip *clip = &document_scene(d)->parts[part].clips[i];
        expect_text(texts, "\t%s\t%u\t%u\t", clip->name, clip->first, clip->count);
    }
    expect_text(texts, "\t%u\t%s\t%.5g, ", model->num_frames - 1, last->name, (double)last->min.x);
}

/* An MD2, a player of three MD3s and an MDC: every name and number of every part. */
TEST(test_information) {
    static const char *const names[] = {"samples/tick.md2", PLAYER, "samples/tick_head.mdc"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        OWNED(ViewerWindow) *window = open_sample(names[i]);
        OWNED(document) *d = open_document(names[i]);
        uint32_t num_parts = document_scene(d)->num_parts;
        document_sums sums = document_count(d, LM_NO_PART);
        set(window, "page", "'info'");
        g_autofree char *texts = texts_of(widget(window, "info_box"));
        for (uint32_t part = 0; part < num_parts; part++) {
            expect_model(texts, d, part);
            if (num_parts > 1)
                expect_text(texts, "\n%s\n", d->part_names[part]);
        }
        if (num_parts > 1)
            expect_text(texts, "\tTotal\t%u\t%u\t%u\t%u\t", sums.triangles, sums.vertices,
                        sums.surfaces, sums.tags);
        assert_int_equal(strstr(texts, "Base frames") != NULL, i == 2);
    }
}

/* The page follows the model, also if it was hidden meanwhile. */
TEST(test_information_follows) {
    OWNED(ViewerWindow) *window = open_tick();
    g_autofree char *head = source_file("samples/tick_head.mdc");
    set(window, "page", "'info'");
    set(window, "page", "'clips'");
    open_path(window, head);
    set(window, "page", "'info'");
    g_autofree char *texts = texts_of(widget(window, "info_box"));
    expect_text(texts, "\t%s\t", "h_skull");
    assert_null(strstr(texts, "stand01"));
}

/* Values, names and numbers can be selected, and nothing is monospaced. */
TEST(test_selectable) {
    OWNED(ViewerWindow) *window = open_tick();
    set(window, "page", "'info'");
    GtkWidget *box = widget(window, "info_box");
    g_autoptr(GPtrArray) labels = find_all(box, GTK_TYPE_LABEL),
                         views = find_all(box, GTK_TYPE_TEXT_VIEW);
    unsigned values = 0, numbers = 0;
    for (guint i = 0; i < labels->len; i++) {
        GtkLabel *label = labels->pdata[i];
        bool value = gtk_widget_has_css_class(GTK_WIDGET(label), "value");
        bool cell = gtk_widget_has_css_class(GTK_WIDGET(label), "numeric");
        values += value;
        numbers += cell;
        if (value || cell)
            assert_true(gtk_label_get_selectable(label));
    }
    assert_int_equal(views->len, 0);
    assert_in_range(values, 6, 20);
    assert_in_range(numbers, 20, 1000);
}

/* A table has a name as a title, and below it numbers after their headings, in any width. */
TEST(test_table_rows) {
    OWNED(ViewerWindow) *window = open_sample("samples/tick_head.mdc");
    set(window, "page", "'info'");
    g_autofree char *texts = texts_of(widget(window, "info_box"));
    expect_text(texts, "\nh_skull\nTriangles\u00a0");
    expect_text(texts, " \u00b7 Vertices\u00a0");
}

/* Each group is one stop of Tab, however many rows it has. */
TEST(test_one_stop_per_group) {
    OWNED(ViewerWindow) *window = open_tick();
    GHashTable *seen = g_hash_table_new(NULL, NULL);
    set(window, "page", "'info'");
    GtkWidget *box = widget(window, "info_box");
    for (int i = 0; i < 80; i++) {
        gtk_widget_child_focus(GTK_WIDGET(window), GTK_DIR_TAB_FORWARD);
        GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));
        if (focus && gtk_widget_is_ancestor(focus, box))
            g_hash_table_add(seen, focus);
    }
    assert_int_equal(g_hash_table_size(seen),
                     6); /* file, surfaces, skins, textures, clips, frames */
    g_hash_table_unref(seen);
}

/* ---- Switches -------------------------------------------------------------------------------- */

/* A row changes the action of its switch, which shows the state and has the row's name. */
static unsigned check_switches(ViewerWindow *window, GtkWidget *page) {
    g_autoptr(GPtrArray) rows = find_all(page, GTK_TYPE_LIST_BOX_ROW);
    unsigned count = 0;
    for (guint i = 0; i < rows->len; i++) {
        g_autoptr(GPtrArray) switches = find_all(rows->pdata[i], GTK_TYPE_SWITCH),
                             labels = find_all(rows->pdata[i], GTK_TYPE_LABEL);
        if (switches->len > 0) {
            GtkSwitch *control = switches->pdata[0];
            const char *action = gtk_actionable_get_action_name(GTK_ACTIONABLE(control)) + 4;
            bool before = is_on(window, action);
            expect_property(GTK_WIDGET(control), GTK_ACCESSIBLE_PROPERTY_LABEL,
                            gtk_label_get_text(labels->pdata[0]));
            assert_int_equal(gtk_switch_get_active(control), before);
            assert_true(gtk_widget_activate(rows->pdata[i]));
            settle(window);
            assert_int_equal(is_on(window, action), !before);
            assert_int_equal(gtk_switch_get_active(control), !before);
            count++;
        }
    }
    return count;
}

TEST(test_switches) {
    static const char *const names[] = {"samples/tick.md2", PLAYER, "samples/tick_head.mdc"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        OWNED(ViewerWindow) *window = open_sample(names[i]);
        OWNED(document) *d = open_document(names[i]);
        assert_int_equal(check_switches(window, widget(window, "clip_page")), 2);
        set(window, "page", "'display'");
        assert_int_equal(check_switches(window, widget(window, "display_box")), 11);
        g_autofree char *texts = texts_of(widget(window, "display_box"));
        for (uint32_t k = 0; k < d->skins->num_choices; k++)
            expect_text(texts, "\n%s\n", d->skins->choices[k].name);
        g_autofree char *clips = texts_of(widget(window, "clip_page"));
        expect_text(clips, "\n%s\n", d->clips[0].name);
    }
}

/* ---- The first page -------------------------------------------------------------------------- */

/* A model of one frame opens on the Display page, until one moves again or the user chooses. */
TEST(test_page_of_one_frame) {
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *tick = source_file("samples/tick.md2"), *still = scratch_file("panel/s.md2");
    run_lerpmesh(
        (const char *const[]){"convert", tick, "--force", "--frames", "0", "-o", still, NULL});
    open_path(window, tick);
    set(window, "page", "'clips'");
    open_path(window, still);
    expect_state(window, "page", "'display'");
    open_path(window, tick);
    expect_state(window, "page", "'clips'");
    open_path(window, still);
    set(window, "page", "'problems'");
    open_path(window, tick);
    expect_state(window, "page", "'problems'");
    open_path(window, still);
    expect_state(window, "page", "'problems'");
    set(window, "page", "'clips'");
}

/* ---- Without a model ------------------------------------------------------------------------- */

TEST(test_empty_state) {
    OWNED(ViewerWindow) *window = open_window(760, 540), *tick = open_tick();
    static const char *const dialogs[] = {"empty_open", "empty_folder"};
    assert_true(gtk_widget_get_mapped(widget(window, "empty_state")));
    assert_false(gtk_widget_get_mapped(widget(window, "sidebar")));
    assert_false(is_enabled(window, "win.sidebar"));
    for (size_t i = 0; i < G_N_ELEMENTS(dialogs); i++) {
        click(window, widget(window, dialogs[i]));
        GtkWidget *dialog = find_dialog(window);
        assert_non_null(dialog);
        gtk_window_close(GTK_WINDOW(dialog));
        settle(window);
    }
    g_free(take_window_screenshot(window, "window-start").pixels);
    viewer_window_open(window, (const char *const[]){"/none.md2", NULL});
    assert_false(gtk_widget_get_visible(widget(window, "empty_state"))); /* while it is read */
    settle(window);
    assert_true(gtk_widget_get_mapped(widget(window, "empty_state")));
    click(window, widget(window, "empty_sample"));
    expect_title(window, "tick.md2");
    assert_false(gtk_widget_get_mapped(widget(window, "empty_state")));
    assert_true(gtk_widget_get_mapped(widget(window, "sidebar")));
    set(window, "play", "false");
    set(window, "seek", "0.0");
    set(tick, "seek", "0.0");
    expect_same(take_screenshot(tick, "tick-of-folder"),
                take_screenshot(window, "tick-of-program"));
    act(window, "win.reload");
    assert_false(error_is_shown(window));
}

/* Returns the row with that name; NULL: there is none. */
static GtkWidget *recent_row(ViewerWindow *window, const char *name) {
    g_autoptr(GPtrArray) rows = find_all(widget(window, "recent_box"), GTK_TYPE_LIST_BOX_ROW);
    GtkWidget *found = NULL;
    for (guint i = 0; i < rows->len && !found; i++) {
        g_autoptr(GPtrArray) labels = find_all(rows->pdata[i], GTK_TYPE_LABEL);
        if (strcmp(gtk_label_get_text(labels->pdata[0]), name) == 0)
            found = rows->pdata[i];
    }
    return found;
}

TEST(test_recent_rows) {
    g_autofree char *name = g_strdup_printf("row_%d.md2", g_random_int_range(0, G_MAXINT));
    g_autofree char *inside = g_build_filename("panel", name, NULL), *path = scratch_file(inside);
    OWNED(ViewerWindow) *first = open_window(700, 500), *window = open_window(760, 540);
    copy_sample("samples/tick.md2", inside);
    open_path(first, path);
    WAIT_FOR(window, recent_row(window, name));
    GtkWidget *row = recent_row(window, name);
    expect_property(row, GTK_ACCESSIBLE_PROPERTY_LABEL, name);
    assert_true(gtk_widget_activate(row));
    settle(window);
    expect_title(window, name);
    remove(path);
}

/* ---- Narrow windows -------------------------------------------------------------------------- */

/* Sets the width without the frame, which is there if no window manager draws it. */
static void resize(ViewerWindow *window, int width) {
    GtkWidget *widget = GTK_WIDGET(window);
    int outer, height, frame;
    gtk_window_get_default_size(GTK_WINDOW(window), &outer, &height);
    frame = outer - gtk_widget_get_width(widget);
    for (int i = 0; i < 100 && gtk_widget_get_width(widget) != width; i++) {
        gtk_window_set_default_size(GTK_WINDOW(window), width + frame, 480);
        settle(window);
    }
    assert_int_equal(gtk_widget_get_width(widget), width);
    settle(window);
}

static bool is_beside(ViewerWindow *window) {
    GtkWidget *parent = gtk_widget_get_parent(widget(window, "sidebar"));
    assert_true(parent == widget(window, "panes") || parent == widget(window, "body"));
    return parent == widget(window, "panes");
}

static bool is_shown(ViewerWindow *window) {
    return gtk_widget_get_mapped(widget(window, "sidebar"));
}

TEST(test_collapse) {
    OWNED(ViewerWindow) *window = open_tick();
    resize(window, 700);
    assert_true(is_beside(window) && is_shown(window));
    resize(window, 699);
    assert_true(!is_beside(window) && !is_shown(window));
    screenshot alone = take_screenshot(window, "narrow");
    set(window, "sidebar", "true"); /* over the view, which keeps its size */
    assert_true(is_shown(window));
    screenshot below = take_screenshot(window, "narrow-panel");
    assert_int_equal(below.width, alone.width);
    g_free(alone.pixels), g_free(below.pixels);
    act(window, "win.leave-fullscreen"); /* Escape */
    assert_false(is_shown(window));
    resize(window, 700);
    assert_true(is_beside(window) && is_shown(window));
    set(window, "sidebar", "false"); /* stays hidden */
    resize(window, 640);
    resize(window, 900);
    assert_true(is_beside(window) && !is_shown(window));
}

/* Below 640 pixels, buttons that keys and the menu replace leave their room to the title. */
TEST(test_title) {
    OWNED(ViewerWindow) *window = open_tick();
    resize(window, 640);
    assert_true(gtk_widget_get_mapped(widget(window, "step_buttons")));
    for (int width = 639; width > 450; width -= 89) {
        resize(window, width);
        assert_false(gtk_widget_get_mapped(widget(window, "step_buttons")));
        assert_false(gtk_widget_get_mapped(widget(window, "screenshot_button")));
        PangoLayout *title = gtk_label_get_layout(GTK_LABEL(widget(window, "title")));
        assert_false(pango_layout_is_ellipsized(title));
    }
    g_free(take_window_screenshot(window, "window-tight").pixels);
    resize(window, 700);
    assert_true(gtk_widget_get_mapped(widget(window, "screenshot_button")));
}

/* Returns whether the top of a widget is in the window, below its title. */
static bool is_inside(GtkWidget *widget, ViewerWindow *window) {
    graphene_rect_t bounds;
    assert_true(gtk_widget_compute_bounds(widget, GTK_WIDGET(window), &bounds));
    return bounds.origin.y >= 40 && bounds.origin.y + MIN(bounds.size.height, 30) <=
                                        gtk_widget_get_height(GTK_WIDGET(window));
}

/* At 640 x 480, every control of every page can be scrolled into the window. */
TEST(test_smallest_window) {
    static const char *const pages[] = {"clips", "display", "models", "info", "problems"};
    OWNED(ViewerWindow) *window = open_sample(PLAYER);
    resize(window, 640);
    set(window, "sidebar", "true");
    GtkWidget *panel = widget(window, "sidebar");
    for (size_t i = 0; i < G_N_ELEMENTS(pages); i++) {
        g_autofree char *page = g_strdup_printf("'%s'", pages[i]),
                        *name = g_strdup_printf("window-narrow-%s", pages[i]);
        set(window, "page", page);
        for (int k = 0; k < 30; k++) {
            gtk_widget_child_focus(GTK_WIDGET(window), GTK_DIR_TAB_FORWARD);
            GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));
            if (!focus || !gtk_widget_is_ancestor(focus, panel))
                continue;
            for (int tries = 0; tries < 20 && !is_inside(focus, window); tries++)
                gtk_test_widget_wait_for_draw(GTK_WIDGET(window));
            if (!is_inside(focus, window))
                fail_msg("%s: a %s is outside", pages[i], G_OBJECT_TYPE_NAME(focus));
        }
        g_free(take_window_screenshot(window, name).pixels);
    }
}

TEST_GROUP(start_viewer, end_viewer)
