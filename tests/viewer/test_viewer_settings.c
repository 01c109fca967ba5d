/* Tests what the viewer remembers between its windows: in its own file, and by GSettings. */

#include "viewer_support.h"
#include "window_private.h"

static char *settings_file(void) {
    return g_build_filename(g_get_user_config_dir(), "lerpmesh-viewer", "settings.ini", NULL);
}

/* Closes a window as a user does. */
static void close_by_user(ViewerWindow *window) {
    gtk_window_close(GTK_WINDOW(window));
    for (int i = 0; i < 200 && g_main_context_pending(NULL); i++)
        g_main_context_iteration(NULL, FALSE);
}

static ViewerWindow *open_remembering(void) {
    return open_window(0, 0);
}

/* A game folder stays with the models that it was chosen for. */
TEST(test_games) {
    g_autofree char *model = scratch_file("settings/models-of/a.md2"),
                    *game = scratch_file("settings/game/x");
    g_autofree char *other = scratch_file("settings/models-of-another/a.md2");
    g_autofree char *folder = g_path_get_dirname(game);
    OWNED(ViewerWindow) *window = open_remembering();
    copy_sample("samples/tick.md2", "settings/models-of/a.md2");
    copy_sample("samples/tick.md2", "settings/models-of-another/a.md2");
    copy_sample("samples/tick.pcx", "settings/game/players/tick/tick.pcx");
    open_path(window, model);
    AT_END(drop_screenshot) screenshot bare = take_screenshot(window, "settings-bare");
    gtk_widget_activate_action(GTK_WIDGET(window), "win.game", "s", folder);
    settle(window);
    close_by_user(window);
    window = open_remembering();
    open_still(window, model);
    AT_END(drop_screenshot) screenshot found = take_screenshot(window, "settings-found");
    open_path(window, other);
    set(window, "seek", "0.0");
    AT_END(drop_screenshot) screenshot without = take_screenshot(window, "settings-other");
    assert_true(difference(&found, &without) > SAME);
}

static const char *const changes[][2] = {
    {"sidebar", "false"},  {"page", "'models'"},     {"uv", "true"},         {"shade", "'normals'"},
    {"edges", "true"},     {"box", "true"},          {"grid", "true"},       {"axes", "true"},
    {"tags", "true"},      {"shadow", "false"},      {"mode", "'loop'"},     {"speed", "0.5"},
    {"two-sided", "true"}, {"interpolate", "false"}, {"thumbnails", "true"}, {"sort", "'size'"}};

TEST(test_window) {
    OWNED(ViewerWindow) *window = open_window(1100, 700);
    int width, height;
    for (size_t i = 0; i < G_N_ELEMENTS(changes); i++)
        set(window, changes[i][0], changes[i][1]);
    set(window, "skeleton", "true"); /* is not remembered */
    close_by_user(window);
    window = open_remembering();
    gtk_window_get_default_size(GTK_WINDOW(window), &width, &height);
    assert_int_equal(width, 1100);
    assert_int_equal(height, 700);
    for (size_t i = 0; i < G_N_ELEMENTS(changes); i++)
        expect_state(window, changes[i][0], changes[i][1]);
    assert_false(gtk_widget_get_visible(widget(window, "sidebar")));
    assert_int_equal(gtk_drop_down_get_selected(GTK_DROP_DOWN(widget(window, "shade"))), 2);
    expect_state(window, "skeleton", "false");
}

static int panel_width(ViewerWindow *window) {
    return gtk_widget_get_width(widget(window, "sidebar"));
}

/* The panel keeps its width over several runs, also if its window was narrow or full at the end. */
TEST(test_panel_width) {
    OWNED(ViewerWindow) *window = open_window(1100, 700);
    g_autofree char *tick = source_file("samples/tick.md2");
    set(window, "sidebar", "true");
    open_path(window, tick);
    GtkPaned *panes = GTK_PANED(widget(window, "panes"));
    int first = panel_width(window);
    gtk_paned_set_position(panes, gtk_paned_get_position(panes) - 90);
    settle(window);
    assert_int_equal(panel_width(window), first + 90);
    for (int i = 0; i < 3; i++) {
        close_by_user(window);
        window = open_window(1100, 700);
        open_path(window, tick);
        assert_int_equal(panel_width(window), first + 90);
        if (i == 1)
            gtk_window_set_default_size(GTK_WINDOW(window), 650, 700);
        settle(window), settle(window);
    }
    panes = GTK_PANED(widget(window, "panes"));
    gtk_paned_set_position(panes, 10000); /* it can become smaller again */
    settle(window);
    assert_in_range(panel_width(window), 200, first);
}

/* Damaged settings are ignored one by one. */
TEST(test_damaged_settings) {
    char *path = settings_file();
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        g_free(path);
        return; /* GSettings checks types itself */
    }
    assert_true(g_file_set_contents(path,
                                    "[settings]\nwidth='a'\nheight=-5\nspeed=900.0\nshade='x'\n"
                                    "page=[\nedges=1\ngrid=true\ngames=[('a', 1)]\n",
                                    -1, NULL));
    ViewerWindow *window = open_remembering();
    expect_state(window, "speed", "1.0");
    expect_state(window, "shade", "'lit'");
    expect_state(window, "page", "'clips'");
    expect_state(window, "edges", "false");
    expect_state(window, "grid", "true");
    close_window(window);
    assert_true(g_file_set_contents(path, "\xff\xfe[", 3, NULL));
    window = open_remembering();
    expect_state(window, "grid", "false");
    close_by_user(window); /* writes a valid file */
    window = open_remembering();
    expect_state(window, "grid", "false");
    close_window(window);
    g_free(path);
}

TEST(test_types) {
    settings *s = settings_open();
    settings_set(s, "speed", g_variant_new_double(2));
    settings_set(s, "folder", g_variant_new_bytestring("/a\xff'b"));
    settings_close(s);
    s = settings_open();
    assert_null(settings_get(s, "speed", G_VARIANT_TYPE_STRING));
    assert_null(settings_get(s, "unknown", G_VARIANT_TYPE_STRING));
    GVariant *speed = settings_get(s, "speed", G_VARIANT_TYPE_DOUBLE);
    assert_true(g_variant_get_double(speed) == 2);
    GVariant *folder = settings_get(s, "folder", G_VARIANT_TYPE_BYTESTRING);
    assert_string_equal(g_variant_get_bytestring(folder), "/a\xff'b");
    g_variant_unref(folder);
    g_variant_unref(speed);
    settings_close(s);
}

TEST_GROUP(start_viewer, end_viewer)
