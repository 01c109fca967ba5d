/* Tests the viewer on a display without a screen: its drawing and its window. */
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"
#include "viewer_support.h"

/* ---- Drawing ------------------------------------------------------------------------------- */

TEST(test_equals_render) {
    OWNED(ViewerWindow) *window = open_tick();
    set(window, "clip", "1");
    act(window, "win.view::front");
    set(window, "seek", "3.0");
    screenshot shown = take_screenshot(window, "front");
    g_autofree char *size = g_strdup_printf("%ux%u", shown.width, shown.height);
    g_autofree char *model = source_file("samples/tick.md2");
    g_autofree char *out = scratch_file("run-{frame:04}.png"),
                    *third = scratch_file("run-0003.png");
    run_lerpmesh((const char *const[]){"render", model, "--clip", "run", "--size", size, "--view",
                                       "front", "--force", "-o", out, NULL});
    screenshot expected = read_screenshot(third);
    assert_true(count_drawn(&expected) > 5000);
    expect_same(shown, expected);
}

TEST(test_playback) {
    OWNED(ViewerWindow) *window = open_tick();
    set(window, "clip", "1");
    set(window, "mode", "'once'"); /* so it never returns to its start, on any machine */
    set(window, "speed", "0.3");
    set(window, "seek", "0.0");
    screenshot before = take_screenshot(window, "run");
    gtk_widget_activate_action(GTK_WIDGET(window), "win.play", NULL);
    assert_true(is_on(window, "play"));
    WAIT_FOR(window, gtk_range_get_value(GTK_RANGE(widget(window, "timeline"))) > 0.2);
    set(window, "play", "false");
    before = expect_change(window, before, "run-later");
    set(window, "seek", "2.5");
    before = expect_change(window, before, "run-between");
    set(window, "interpolate", "false");
    before = expect_change(window, before, "run-frame");
    act(window, "win.step(3)");
    g_free(expect_change(window, before, "run-stepped").pixels);
}

TEST(test_shading_and_overlays) {
    static const char *const shades[] = {"'texture'", "'normals'", "'wire'", "'uv'", "'lit'"};
    static const char *const overlays[] = {"edges", "box", "grid", "axes"};
    OWNED(ViewerWindow) *window = open_tick();
    screenshot before = take_screenshot(window, "lit");
    for (size_t i = 0; i < G_N_ELEMENTS(shades); i++) {
        g_autofree char *name = g_strdup_printf("shade-%zu", i);
        set(window, "shade", shades[i]);
        before = expect_change(window, before, name);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(overlays); i++) {
        set(window, overlays[i], "true");
        before = expect_change(window, before, overlays[i]);
    }
    set(window, "shadow", "false");
    g_free(expect_change(window, before, "no-shadow").pixels);
}

static bool is_edge(const unsigned char *pixel) {
    return pixel[2] > pixel[0] + 60 && pixel[2] > 120;
}

/* Over a filled model, the edges of the wireframe are visible. */
TEST(test_edges) {
    OWNED(ViewerWindow) *window = open_tick();
    unsigned wire_pixels = 0, both = 0;
    set(window, "shade", "'wire'");
    AT_END(drop_screenshot) screenshot wire = take_screenshot(window, "edges-wireframe");
    set(window, "shade", "'lit'");
    set(window, "edges", "true");
    AT_END(drop_screenshot) screenshot over = take_screenshot(window, "edges-over");
    for (size_t i = 0; i < (size_t)wire.width * wire.height; i++)
        if (is_edge(wire.pixels + 4 * i)) {
            wire_pixels++;
            both += is_edge(over.pixels + 4 * i);
        }
    if (wire_pixels < 1000 || both < wire_pixels / 5 * 4)
        fail_msg("%u of %u edge pixels are visible", both, wire_pixels);
}

/* Selecting a clip frames it, unless the user moved the camera. */
TEST(test_camera_fits_clip) {
    OWNED(ViewerWindow) *window = open_tick();
    set(window, "clip", "2"); /* he jumps */
    set(window, "seek", "0.0");
    screenshot selected = take_screenshot(window, "clip-selected");
    act(window, "win.reset-camera");
    expect_same(selected, take_screenshot(window, "clip-fitted"));
    act(window, "win.zoom(1.5)");
    set(window, "clip", "0");
    set(window, "seek", "0.0");
    screenshot moved = take_screenshot(window, "clip-moved");
    act(window, "win.reset-camera");
    g_free(expect_change(window, moved, "clip-fitted-again").pixels);
}

/* Fails unless a column of 30 pixels at an edge is the same. */
static void expect_same_edge(const screenshot *a, const screenshot *b, unsigned x) {
    for (size_t y = 0; y < a->height; y++)
        assert_memory_equal(a->pixels + 4 * (y * a->width + x), b->pixels + 4 * (y * a->width + x),
                            4 * 30);
}

/* The grid lies below the whole clip. It neither moves nor grows. */
TEST(test_grid_is_below_clip) {
    OWNED(ViewerWindow) *window = open_tick();
    set(window, "grid", "true");
    set(window, "clip", "2"); /* he jumps */
    set(window, "seek", "0.0");
    AT_END(drop_screenshot) screenshot before = take_screenshot(window, "ground-0");
    for (int i = 1; i < 4; i++) {
        act(window, "win.step(1)");
        AT_END(drop_screenshot) screenshot now = take_screenshot(window, "ground-later");
        expect_same_edge(&now, &before, 0);
        expect_same_edge(&now, &before, now.width - 30);
    }
}

static char *frame_label_text(ViewerWindow *window) {
    return g_strdup(gtk_label_get_text(GTK_LABEL(widget(window, "frame_label"))));
}

/* Counts the pixels in the middle of the stage that differ between two screenshots of the
 * window. */
static unsigned count_changed(const screenshot *a, const screenshot *b) {
    unsigned changed = 0;
    for (size_t y = 100; y < a->height - 120; y++)
        for (size_t x = 50; x < a->width - 390; x++)
            changed += memcmp(a->pixels + 4 * (y * a->width + x),
                              b->pixels + 4 * (y * b->width + x), 4) != 0;
    return changed;
}

/* If the CPU draws, a moving model is not multisampled; a resting one in the same pose is. */
TEST(test_samples_at_rest) {
    OWNED(ViewerWindow) *window = open_tick();
    bool same = false;
    set(window, "interpolate", "false");
    set(window, "speed", "0.05");
    for (int i = 0; i < 20 && !same; i++) {
        set(window, "clip", "1");
        AT_END(drop_screenshot)
        screenshot moving = take_widget_screenshot(GTK_WIDGET(window), "window-moving");
        g_autofree char *before = frame_label_text(window);
        set(window, "play", "false");
        g_autofree char *after = frame_label_text(window);
        AT_END(drop_screenshot)
        screenshot still = take_widget_screenshot(GTK_WIDGET(window), "window-still");
        same = strcmp(before, after) == 0;
        unsigned changed = count_changed(&moving, &still);
        if (same && (changed < 200 || changed > 20000))
            fail_msg("%u pixels differ between the moving and the resting model", changed);
    }
    assert_true(same);
}

TEST(test_camera) {
    static const char *const views[] = {"front", "side", "back", "top", "iso"};
    OWNED(ViewerWindow) *window = open_tick();
    screenshot home = take_screenshot(window, "home"), before = take_screenshot(window, "home");
    act(window, "win.rotate((40.0, 10.0))");
    before = expect_change(window, before, "turned");
    act(window, "win.zoom(2.0)");
    before = expect_change(window, before, "zoomed");
    for (size_t i = 0; i < G_N_ELEMENTS(views); i++) {
        g_autofree char *action = g_strdup_printf("win.view::%s", views[i]);
        g_autofree char *name = g_strdup_printf("view-%s", views[i]);
        act(window, action);
        before = expect_change(window, before, name);
        assert_true(difference(&before, &home) > 1);
    }
    g_free(before.pixels);
    act(window, "win.reset-camera");
    expect_same(home, take_screenshot(window, "home-again"));
}

/* ---- The window ---------------------------------------------------------------------- */

static unsigned brightness(const screenshot *p) {
    return p->pixels[0] + (unsigned)p->pixels[1] + p->pixels[2];
}

TEST(test_dark_theme) {
    OWNED(ViewerWindow) *window = open_tick();
    GtkSettings *settings = gtk_widget_get_settings(GTK_WIDGET(window));
    AT_END(drop_screenshot) screenshot light = take_screenshot(window, "light");
    g_object_set(settings, "gtk-application-prefer-dark-theme", TRUE, NULL);
    set(window, "uv", "true");
    set(window, "uv", "false");
    AT_END(drop_screenshot)
    screenshot dark = take_screenshot(window, "dark"),
               image = take_window_screenshot(window, "window-dark");
    g_object_set(settings, "gtk-application-prefer-dark-theme", FALSE, NULL);
    assert_true(brightness(&dark) < brightness(&light) / 2);
}

TEST(test_shortcuts) {
    OWNED(ViewerWindow) *window = open_tick();
    act(window, "win.show-help-overlay");
    GtkWindow *help =
        GTK_WINDOW(gtk_application_window_get_help_overlay(GTK_APPLICATION_WINDOW(window)));
    assert_true(gtk_widget_get_visible(GTK_WIDGET(help)));
    screenshot image = take_widget_screenshot(GTK_WIDGET(help), "window-shortcuts");
    assert_true(count_drawn(&image) > 5000);
    g_free(image.pixels);
    gtk_widget_set_visible(GTK_WIDGET(help), FALSE);
}

/* Returns whether the file of the shortcuts window has a key. */
static bool has_key(const char *file, const char *key) {
    g_auto(GStrv) pieces = g_strsplit(file, "name=\"accelerator\">", -1);
    GdkModifierType wanted_state, state;
    guint wanted, value;
    bool found = false;
    assert_true(gtk_accelerator_parse(key, &wanted, &wanted_state));
    for (char **piece = pieces + 1; *piece && !found; piece++) {
        GString *names = g_string_new_len(*piece, (gssize)strcspn(*piece, "<"));
        g_string_replace(names, "&lt;", "<", 0);
        g_string_replace(names, "&gt;", ">", 0);
        g_auto(GStrv) keys = g_strsplit(names->str, " ", -1);
        for (char **each = keys; *each; each++)
            found = found || (gtk_accelerator_parse(*each, &value, &state) && value == wanted &&
                              state == wanted_state);
        g_string_free(names, TRUE);
    }
    return found;
}

/* The key that the menu shows for an action, its first one, is that of the shortcuts window. */
TEST(test_keys_of_menu) {
    static const char *const actions[] = {
        "win.open",       "win.open-folder",      "win.reload",       "win.export",
        "win.undo",       "win.save-copy",        "win.edit-focused", "win.copy-picture",
        "win.screenshot", "win.thumbnails",       "win.sidebar",      "win.fullscreen",
        "window.close",   "win.show-help-overlay"};
    OWNED(ViewerWindow) *window = open_tick();
    g_autofree char *path = source_file("viewer/ui/shortcuts.ui"), *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    for (size_t i = 0; i < G_N_ELEMENTS(actions); i++) {
        g_auto(GStrv) keys = gtk_application_get_accels_for_action(
            gtk_window_get_application(GTK_WINDOW(window)), actions[i]);
        assert_non_null(keys[0]);
        if (!has_key(text, keys[0]))
            fail_msg("%s is not in the window of shortcuts", keys[0]);
    }
}

/* The screenshot in docs/guides/viewer.md. */
TEST(test_documentation_screenshot) {
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *path = source_file("samples/tick.md2");
    open_path(window, path);
    set(window, "play", "false");
    set(window, "clip", "5");
    set(window, "seek", "4.0");
    act(window, "win.view::iso");
    act(window, "win.rotate((-25.0, -12.0))");
    act(window, "win.zoom(0.93)");
    g_usleep(300000); /* so that it rests and is drawn at full quality */
    settle(window);
    AT_END(drop_screenshot) screenshot image = take_window_screenshot(window, "window-docs");
    assert_true(count_drawn(&image) > 20000);
}

/* Returns whether a screen reader has a label for a usable widget. */
static bool is_labelled(GtkWidget *widget) {
    GtkAccessible *accessible = GTK_ACCESSIBLE(widget);
    return gtk_test_accessible_has_property(accessible, GTK_ACCESSIBLE_PROPERTY_LABEL) ||
           gtk_test_accessible_has_relation(accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY) ||
           (GTK_IS_BUTTON(widget) && gtk_button_get_label(GTK_BUTTON(widget))) ||
           (GTK_IS_CHECK_BUTTON(widget) && gtk_check_button_get_label(GTK_CHECK_BUTTON(widget)));
}

/* Returns true for widgets of our own, false for their internal ones. */
static bool is_ours(GtkWidget *widget) {
    return GTK_IS_CHECK_BUTTON(widget) || GTK_IS_MENU_BUTTON(widget) || GTK_IS_DROP_DOWN(widget) ||
           GTK_IS_SCALE(widget) || GTK_IS_SPIN_BUTTON(widget) || GTK_IS_LIST_VIEW(widget) ||
           GTK_IS_GL_AREA(widget) || GTK_IS_SWITCH(widget) || GTK_IS_COLUMN_VIEW(widget) ||
           (GTK_IS_BUTTON(widget) && gtk_actionable_get_action_name(GTK_ACTIONABLE(widget)));
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as widgets are nested
static unsigned expect_labels(GtkWidget *widget) {
    unsigned count = 0;
    if (is_ours(widget)) {
        if (!is_labelled(widget))
            fail_msg("a %s (%s) has no label", G_OBJECT_TYPE_NAME(widget),
                     gtk_widget_get_tooltip_text(widget));
        return 1;
    }
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child;
         child = gtk_widget_get_next_sibling(child))
        count += expect_labels(child);
    return count;
}

/* Tab reaches the widgets in order. */
static unsigned count_focused(ViewerWindow *window) {
    GHashTable *seen = g_hash_table_new(NULL, NULL);
    for (int i = 0; i < 100; i++) {
        gtk_widget_child_focus(GTK_WIDGET(window), GTK_DIR_TAB_FORWARD);
        g_hash_table_add(seen, gtk_window_get_focus(GTK_WINDOW(window)));
    }
    unsigned count = g_hash_table_size(seen);
    g_hash_table_unref(seen);
    return count;
}

TEST(test_labels_and_focus) {
    OWNED(ViewerWindow) *window = open_tick();
    assert_true(expect_labels(GTK_WIDGET(window)) > 30);
    assert_true(count_focused(window) > 15);
}

/* ---- Problems ------------------------------------------------------------------------------ */

TEST(test_problems) {
    OWNED(ViewerWindow) *window = open_tick();
    set(window, "uv", "true");
    screenshot before = take_screenshot(window, "no-problem");
    act(window, "win.problem(uint32 1)"); /* seams */
    before = expect_change(window, before, "problem-seams");
    screenshot image = take_window_screenshot(window, "window-problem");
    act(window, "win.problem(uint32 0)"); /* frame 29 */
    before = expect_change(window, before, "problem-frame");
    expect_state(window, "seek", "29.0");
    g_free(image.pixels), g_free(before.pixels);
}

/* ---- Unusual models -------------------------------------------------------------------------- */

static void open_blob(ViewerWindow *window, blob file, const char *name) {
    char *path = scratch_file(name);
    assert_true(g_file_set_contents(path, (const char *)file.data, (gssize)file.size, NULL));
    open_path(window, path);
    if (error_is_shown(window))
        fail_msg("%s", error_text(window));
    char *shown = g_path_get_basename(path);
    expect_title(window, shown);
    g_free(shown);
    g_free(take_screenshot(window, "unusual").pixels);
    g_free(path), blob_free(&file);
}

TEST(test_unusual_models) {
    OWNED(ViewerWindow) *window = open_window(700, 500);
    set(window, "uv", "true");
    set(window, "edges", "true");
    set(window, "grid", "true");
    set(window, "tags", "true");
    open_blob(window, make_md2(&(md2_shape){0, 1, 0, 0, 1, true}), "unusual/point.md2");
    open_blob(window, make_md3(&(md3_shape){.num_frames = 1}), "unusual/empty.md3");
    open_blob(window, make_md3(&(md3_shape){.num_frames = 3, .num_tags = 4}), "unusual/tags.md3");
    open_blob(window, make_md3(&(md3_shape){1, 0, 1, 5000, 2000, 0}), "unusual/many.md3");
}

/* ---- Empty stages and slow files ----------------------------------------------------------- */

TEST(test_missing_file) {
    OWNED(ViewerWindow) *window = open_window(700, 500);
    g_autofree char *nothing = scratch_file("nothing/at-all.md2");
    screenshot image = take_window_screenshot(window, "window-empty");
    g_free(image.pixels);
    open_path(window, nothing);
    assert_non_null(strstr(error_text(window), "at-all.md2"));
    static const char *const disabled[] = {"win.play",    "win.screenshot", "win.export",
                                           "win.step(1)", "win.next-clip",  "win.previous-clip"};
    for (size_t i = 0; i < G_N_ELEMENTS(disabled); i++)
        assert_false(is_enabled(window, disabled[i]));
    act(window, "win.view::top"); /* these have no effect */
    act(window, "win.problem(uint32 3)");
    act(window, "win.reload");
    set(window, "gl-commands", "true");
    set(window, "uv", "true");
}

/* Writes a sample into a pipe with a waiting reader. */
static gpointer feed(gpointer pipe) {
    g_autofree char *head = source_file("samples/tick_head.mdc"), *bytes = NULL;
    gsize size;
    assert_true(g_file_get_contents(head, &bytes, &size, NULL));
    FILE *out = fopen(pipe, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(out);
    return NULL;
}

/* The window stays responsive while a model is read; the test controls how slowly. */
TEST(test_responsive_while_loading) {
    OWNED(ViewerWindow) *window = open_tick();
    g_autofree char *head = scratch_file("tick_head.mdc");
    unlink(head); /* left by an earlier run */
    assert_int_equal(mkfifo(head, 0600), 0);
    set(window, "clip", "1");
    viewer_window_open(window, (const char *const[]){head, NULL});
    screenshot before = take_screenshot(window, "reading");
    for (int i = 0; i < 200; i++)
        g_main_context_iteration(NULL, FALSE);
    gtk_widget_activate_action(GTK_WIDGET(window), "win.step", "i", 3);
    before = expect_change(window, before, "still-reading");
    assert_true(viewer_window_is_busy(window));
    expect_title(window, "tick.md2");
    GThread *feeder = g_thread_new("feeder", feed, head);
    settle(window);
    g_thread_join(feeder);
    expect_title(window, "tick_head.mdc");
    g_free(before.pixels);
}

TEST(test_close_while_loading) {
    g_autofree char *path = source_file("samples/tick.md2");
    for (int i = 0; i < 3; i++) {
        OWNED(ViewerWindow) *window = open_window(640, 480);
        viewer_window_open(window, (const char *const[]){path, NULL});
    }
}

TEST(test_hidden_window) {
    OWNED(ViewerWindow) *window = open_tick();
    gtk_widget_set_visible(GTK_WIDGET(window), FALSE);
    g_autofree char *head = source_file("samples/tick_head.mdc");
    viewer_window_open(window, (const char *const[]){head, NULL});
    while (viewer_window_is_busy(window))
        g_main_context_iteration(NULL, TRUE);
    gtk_window_present(GTK_WINDOW(window));
    settle(window);
    AT_END(drop_screenshot) screenshot after = take_screenshot(window, "shown-again");
    assert_true(count_drawn(&after) > 5000);
}

TEST_GROUP(start_viewer, end_viewer)
