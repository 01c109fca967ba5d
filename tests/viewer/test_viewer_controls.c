/* Tests the viewer's controls: an action and its widget always show the same state, whichever is
 * used. */

#include "viewer_support.h"

/* ---- Choices ------------------------------------------------------------------------------- */

/* Sets each choice in turn by the action, then the first by the widget. */
static void check_words(ViewerWindow *window, const char *action, const char *const *words) {
    GtkDropDown *down = GTK_DROP_DOWN(widget(window, action));
    guint count = g_list_model_get_n_items(gtk_drop_down_get_model(down));
    assert_int_equal(count, g_strv_length((char **)words));
    for (guint i = count; i-- > 0;) {
        set(window, action, words[i]);
        expect_state(window, action, words[i]);
        assert_int_equal(gtk_drop_down_get_selected(down), i);
    }
    gtk_drop_down_set_selected(down, 1);
    settle(window);
    expect_state(window, action, words[1]);
    set(window, action, "'nonsense'");
    expect_state(window, action, words[1]);
}

TEST(test_mode_and_shade) {
    static const char *const modes[] = {"'clip'", "'loop'", "'once'", "'ping-pong'", NULL};
    static const char *const shades[] = {"'lit'", "'texture'", "'normals'", "'wire'", "'uv'", NULL};
    OWNED(ViewerWindow) *window = open_tick();
    check_words(window, "mode", modes);
    check_words(window, "shade", shades);
    act(window, "win.next-shade");
    expect_state(window, "shade", "'normals'");
    set(window, "shade", "'uv'");
    act(window, "win.next-shade");
    expect_state(window, "shade", "'lit'");
}

/* ---- Numbers ------------------------------------------------------------------------------- */

TEST(test_speed) {
    OWNED(ViewerWindow) *window = open_tick();
    GtkSpinButton *spin = GTK_SPIN_BUTTON(widget(window, "speed"));
    set(window, "speed", "2.0");
    assert_true(gtk_spin_button_get_value(spin) == 2);
    gtk_spin_button_set_value(spin, 0.5);
    settle(window);
    expect_state(window, "speed", "0.5");
    act(window, "win.scale-speed(4.0)");
    expect_state(window, "speed", "2.0");
    for (int i = 0; i < 8; i++)
        act(window, "win.scale-speed(10.0)");
    expect_state(window, "speed", "8.0");
    for (int i = 0; i < 8; i++)
        act(window, "win.scale-speed(0.01)");
    expect_state(window, "speed", "0.05");
    set(window, "speed", "-1.0");
    set(window, "speed", "1e9");
    expect_state(window, "speed", "0.05");
}

/* The timeline shows the position; dragging it changes the position. */
TEST(test_timeline) {
    OWNED(ViewerWindow) *window = open_tick();
    GtkRange *timeline = GTK_RANGE(widget(window, "timeline"));
    set(window, "clip", "1");
    set(window, "seek", "2.5");
    assert_true(gtk_range_get_value(timeline) == 2.5);
    screenshot before = take_screenshot(window, "timeline");
    gboolean handled = FALSE;
    g_signal_emit_by_name(timeline, "change-value", GTK_SCROLL_JUMP, 6.0, &handled);
    settle(window);
    expect_state(window, "seek", "6.0");
    before = expect_change(window, before, "timeline-dragged");
    act(window, "win.step(-1)");
    expect_state(window, "seek", "5.0");
    set(window, "backwards", "true"); /* the position stays */
    expect_state(window, "seek", "5.0");
    set(window, "seek", "99.0");
    expect_state(window, "seek", "7.0");
    g_free(before.pixels);
}

/* ---- Lists --------------------------------------------------------------------------------- */

/* Returns the selected row of the first list below a widget. */
static guint selected_row(GtkWidget *root) {
    if (GTK_IS_LIST_VIEW(root))
        return gtk_single_selection_get_selected(
            GTK_SINGLE_SELECTION(gtk_list_view_get_model(GTK_LIST_VIEW(root))));
    guint row = GTK_INVALID_LIST_POSITION;
    for (GtkWidget *child = gtk_widget_get_first_child(root);
         child && row == GTK_INVALID_LIST_POSITION; child = gtk_widget_get_next_sibling(child))
        row = selected_row(child);
    return row;
}

TEST(test_clip_list_follows) {
    OWNED(ViewerWindow) *window = open_tick();
    GtkWidget *page = widget(window, "clip_page");
    assert_int_equal(selected_row(page), 0);
    act(window, "win.next-clip");
    act(window, "win.next-clip");
    assert_int_equal(selected_row(page), 2);
    act(window, "win.previous-clip");
    assert_int_equal(selected_row(page), 1);
    set(window, "clip", "4");
    assert_int_equal(selected_row(page), 4);
}

/* Selecting a clip plays it, also after another one ended; stepping pauses. */
TEST(test_selected_clip_plays) {
    OWNED(ViewerWindow) *window = open_tick();
    set(window, "mode", "'loop'");
    set(window, "speed", "8.0");
    set(window, "clip", "1");
    assert_true(is_on(window, "play"));
    set(window, "mode", "'once'");
    WAIT_FOR(window, !is_on(window, "play"));
    set(window, "mode", "'loop'");
    act(window, "win.next-clip");
    assert_true(is_on(window, "play"));
    set(window, "mode", "'once'");
    WAIT_FOR(window, !is_on(window, "play"));
    set(window, "mode", "'loop'");
    act(window, "win.next"); /* playback was not paused: the next model plays */
    assert_true(is_on(window, "play"));
    act(window, "win.step(1)");
    act(window, "win.next");
    assert_false(is_on(window, "play"));
}

/* A player opens in its idle clip, although the first of its clips is a death. */
TEST(test_player_opens_in_idle_clip) {
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *clips = scratch_file("idle/animation.cfg"),
                    *lower = scratch_file("idle/lower.mdc");
    g_autoptr(GString) text = g_string_new(NULL);
    copy_sample("samples/tick_head.mdc", "idle/lower.mdc");
    for (int i = 0; i < 25; i++) /* of animation.cfg, those for the legs; the idle one is 15 */
        g_string_append_printf(text, "%d 1 0 10\n", i);
    assert_true(g_file_set_contents(clips, text->str, (gssize)text->len, NULL));
    open_path(window, lower);
    expect_state(window, "clip", "15");
    assert_int_equal(selected_row(widget(window, "clip_page")), 15);
}

TEST(test_model_list_follows) {
    OWNED(ViewerWindow) *window = open_tick();
    GtkWidget *page = widget(window, "model_page");
    guint first = selected_row(page);
    assert_true(first != GTK_INVALID_LIST_POSITION);
    act(window, "win.next");
    assert_true(selected_row(page) != first);
    act(window, "win.previous");
    assert_int_equal(selected_row(page), first);
}

/* ---- The window ---------------------------------------------------------------------------- */

TEST(test_sidebar) {
    OWNED(ViewerWindow) *window = open_tick();
    screenshot with_sidebar = take_screenshot(window, "with-sidebar");
    set(window, "sidebar", "false");
    AT_END(drop_screenshot) screenshot without_sidebar = take_screenshot(window, "without-sidebar");
    assert_true(without_sidebar.width > with_sidebar.width + 100 &&
                without_sidebar.height == with_sidebar.height);
    set(window, "sidebar", "true");
    expect_same(with_sidebar, take_screenshot(window, "sidebar-again"));
}

TEST(test_tags_and_sides) {
    OWNED(ViewerWindow) *window = open_sample("samples/tick_head.mdc");
    act(window, "win.view::front");
    act(window, "win.rotate((0.0, -60.0))"); /* into the neck */
    screenshot before = take_screenshot(window, "head");
    set(window, "tags", "true");
    before = expect_change(window, before, "head-tags");
    set(window, "two-sided", "true");
    assert_true(is_on(window, "two-sided"));
    g_free(before.pixels);
}

/* Shows the texture coordinates of another surface, by action and by widget. */
TEST(test_surfaces) {
    OWNED(ViewerWindow) *window = open_sample("samples/tick_head.mdc");
    set(window, "uv", "true");
    GtkDropDown *down = GTK_DROP_DOWN(widget(window, "uv_surface"));
    screenshot first = take_window_screenshot(window, "uv-first");
    assert_int_equal(g_list_model_get_n_items(gtk_drop_down_get_model(down)), 4);
    set(window, "uv-surface", "2");
    assert_int_equal(gtk_drop_down_get_selected(down), 2);
    AT_END(drop_screenshot) screenshot third = take_window_screenshot(window, "uv-third");
    assert_true(difference(&first, &third) > 0.02);
    set(window, "uv-surface", "4"); /* does not exist */
    assert_int_equal(gtk_drop_down_get_selected(down), 2);
    gtk_drop_down_set_selected(down, 0);
    settle(window);
    expect_same(first, take_window_screenshot(window, "uv-first-again"));
}

/* The error is an alert, named after its message, and hidden while there is none. */
TEST(test_roles) {
    OWNED(ViewerWindow) *window = open_window(700, 500);
    GtkAccessible *banner = GTK_ACCESSIBLE(widget(window, "banner"));
    assert_int_equal(gtk_accessible_get_accessible_role(banner), GTK_ACCESSIBLE_ROLE_ALERT);
    assert_null(gtk_test_accessible_check_state(banner, GTK_ACCESSIBLE_STATE_HIDDEN, TRUE));
    open_path(window, "/nowhere/a.md2");
    assert_null(gtk_test_accessible_check_state(banner, GTK_ACCESSIBLE_STATE_HIDDEN, FALSE));
    expect_property(widget(window, "banner"), GTK_ACCESSIBLE_PROPERTY_LABEL, error_text(window));
    gtk_info_bar_response(GTK_INFO_BAR(banner), GTK_RESPONSE_CLOSE);
    assert_null(gtk_test_accessible_check_state(banner, GTK_ACCESSIBLE_STATE_HIDDEN, TRUE));
    assert_int_equal(gtk_accessible_get_accessible_role(GTK_ACCESSIBLE(widget(window, "status"))),
                     GTK_ACCESSIBLE_ROLE_STATUS);
    expect_property(widget(window, "speed"), GTK_ACCESSIBLE_PROPERTY_LABEL, "Speed");
}

/* A file above the window highlights the stage. GTK sets this state. */
TEST(test_drop_is_highlighted) {
    OWNED(ViewerWindow) *window = open_tick();
    screenshot before = take_window_screenshot(window, "window-no-drop");
    gtk_widget_set_state_flags(GTK_WIDGET(window), GTK_STATE_FLAG_DROP_ACTIVE, FALSE);
    settle(window);
    AT_END(drop_screenshot) screenshot after = take_window_screenshot(window, "window-drop");
    assert_true(difference(&before, &after) > 5);
    gtk_widget_unset_state_flags(GTK_WIDGET(window), GTK_STATE_FLAG_DROP_ACTIVE);
    settle(window);
    expect_same(before, take_window_screenshot(window, "window-no-drop-again"));
}

/* Fitting keeps the direction of the view. */
TEST(test_fit) {
    OWNED(ViewerWindow) *window = open_tick();
    act(window, "win.rotate((40.0, 10.0))");
    act(window, "win.fit");
    screenshot fitted = take_screenshot(window, "fitted");
    act(window, "win.zoom(3.0)");
    AT_END(drop_screenshot) screenshot near = take_screenshot(window, "near");
    assert_true(difference(&fitted, &near) > 5);
    act(window, "win.fit");
    expect_same(fitted, take_screenshot(window, "fitted-again"));
}

TEST_GROUP(start_viewer, end_viewer)
