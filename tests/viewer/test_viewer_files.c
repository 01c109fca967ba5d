/* Tests the viewer on a display without a screen: valid and damaged files, and its output. */

#include "archive_maker.h"
#include "skipping.h"
#include "viewer_support.h"

/* ---- Lists of models ----------------------------------------------------------------------- */

TEST(test_folder) {
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *first = scratch_file("folder/a2.md2");
    copy_sample("samples/tick.md2", "folder/a2.md2");
    copy_sample("samples/tick_head.mdc", "folder/a10.mdc");
    copy_sample("samples/tick.md2", "folder/B.md2");
    copy_sample("samples/tick.pcx", "folder/tick.pcx");
    open_path(window, first);
    expect_title(window, "a2.md2");
    act(window, "win.next");
    expect_title(window, "a10.mdc");
    act(window, "win.next");
    act(window, "win.next"); /* wraps around */
    expect_title(window, "a2.md2");
    act(window, "win.previous");
    expect_title(window, "B.md2");
    act(window, "win.model(uint32 1)");
    expect_title(window, "a10.mdc");
}

TEST(test_archive) {
    static const char *const members[][2] = {{"models/tick.md2", "samples/tick.md2"},
                                             {"models/tick_head.mdc", "samples/tick_head.mdc"},
                                             {"models/tick.pcx", "samples/tick.pcx"},
                                             {NULL, NULL}};
    g_autofree char *path = scratch_file("tick.pk3");
    g_autofree char *member = g_strdup_printf("%s:models/tick_head.mdc", path);
    OWNED(ViewerWindow) *window = open_window(760, 540);
    pack(path, members);
    open_still(window, path);
    expect_title(window, "tick.md2");
    expect_state(window, "page", "'models'"); /* to select from */
    g_free(take_window_screenshot(window, "window-archive").pixels);
    screenshot skinned = take_screenshot(window, "archive");
    assert_true(count_drawn(&skinned) > 5000);
    act(window, "win.next");
    expect_title(window, "tick_head.mdc");
    open_path(window, member);
    expect_title(window, "tick_head.mdc");
    act(window, "win.previous");
    expect_title(window, "tick.md2");
    expect_same(skinned, take_screenshot(window, "archive-again"));
}

/* A script of UFO: Alien Invasion is a folder of what the game shows together. */
TEST(test_script) {
    static const char text[] = "menu_model one { model tick need two }\n"
                               "menu_model two { model tick }\n";
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *script = scratch_file("base/ufos/a.ufo"),
                    *second = g_strconcat(script, "/two", NULL);
    g_autofree char *folder = g_path_get_dirname(script);
    copy_sample("samples/tick.md2", "base/models/tick.md2");
    assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
    assert_true(g_file_set_contents(script, text, -1, NULL));
    open_path(window, script);
    expect_title(window, "one");
    act(window, "win.next");
    expect_title(window, "two");
    open_path(window, second);
    expect_title(window, "two");
}

static GtkListView *list_of_models(ViewerWindow *window) {
    GtkWidget *page = widget(window, "model_page");
    return GTK_LIST_VIEW(find_type(page, GTK_TYPE_LIST_VIEW));
}

/* Types a search and waits until the list shows `count` models. */
static void search(ViewerWindow *window, const char *text, guint count) {
    GtkWidget *page = widget(window, "model_page");
    GListModel *rows = G_LIST_MODEL(gtk_list_view_get_model(list_of_models(window)));
    gtk_editable_set_text(GTK_EDITABLE(find_type(page, GTK_TYPE_SEARCH_ENTRY)), text);
    WAIT_FOR(window, g_list_model_get_n_items(rows) == count);
}

/* The list shows the models that match a search; selecting one opens it. */
TEST(test_search) {
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *first = scratch_file("folder/a2.md2"); /* of test_folder */
    open_path(window, first);
    set(window, "page", "'models'");
    search(window, "", 3);
    search(window, "B.md", 1);
    g_signal_emit_by_name(list_of_models(window), "activate", 0);
    settle(window);
    expect_title(window, "B.md2");
}

/* Next and previous visit only the models that the search shows. */
TEST(test_steps_obey_search) {
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *first = scratch_file("folder/a2.md2"); /* of test_folder */
    open_path(window, first);
    search(window, "A", 2);
    act(window, "win.next");
    expect_title(window, "a10.mdc");
    act(window, "win.next"); /* without B.md2 */
    expect_title(window, "a2.md2");
    search(window, "B.md", 1);
    act(window, "win.previous"); /* from a model that is not shown */
    expect_title(window, "B.md2");
    assert_false(is_enabled(window, "win.next"));
    search(window, "nothing", 0);
    assert_false(is_enabled(window, "win.previous"));
    search(window, "", 3);
    assert_true(is_enabled(window, "win.next"));
    act(window, "win.previous");
    expect_title(window, "a10.mdc");
}

/* Tab enters a list once, and leaves it. */
TEST(test_list_is_one_stop) {
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *first = scratch_file("folder/a2.md2"); /* of test_folder */
    open_path(window, first);
    act(window, "win.next");
    expect_title(window, "a10.mdc");
    set(window, "page", "'models'");
    GtkWidget *page = widget(window, "model_page");
    GtkWidget *list = GTK_WIDGET(list_of_models(window));
    gtk_widget_grab_focus(find_type(page, GTK_TYPE_SEARCH_ENTRY));
    assert_true(gtk_widget_child_focus(GTK_WIDGET(window), GTK_DIR_TAB_FORWARD));
    assert_non_null(gtk_widget_get_focus_child(list));
    gtk_widget_activate(gtk_widget_get_focus_child(list)); /* the current model, not the first */
    settle(window);
    expect_title(window, "a10.mdc");
    gtk_widget_child_focus(GTK_WIDGET(window), GTK_DIR_UP);
    assert_non_null(gtk_widget_get_focus_child(list));
    gtk_widget_child_focus(GTK_WIDGET(window), GTK_DIR_TAB_FORWARD);
    assert_null(gtk_widget_get_focus_child(list));
    gtk_widget_child_focus(GTK_WIDGET(window), GTK_DIR_TAB_BACKWARD);
    assert_non_null(gtk_widget_get_focus_child(list));
    gtk_widget_child_focus(GTK_WIDGET(window), GTK_DIR_TAB_BACKWARD);
    assert_null(gtk_widget_get_focus_child(list));
    assert_non_null(gtk_widget_get_focus_child(page)); /* the search */
}

/* Checks a row of the list of models: its title, a tab and its subtitle. */
static void expect_row(ViewerWindow *window, guint row, const char *text) {
    GListModel *rows = G_LIST_MODEL(gtk_list_view_get_model(list_of_models(window)));
    GtkStringObject *item = g_list_model_get_item(rows, row);
    assert_non_null(item);
    assert_string_equal(gtk_string_object_get_string(item), text);
    g_object_unref(item);
}

TEST(test_model_rows) {
    OWNED(ViewerWindow) *window = open_window(700, 500);
    g_autofree char *path = scratch_file("rows/zebra.md2");
    copy_sample("samples/tick.md2", "rows/zebra.md2");
    copy_sample("samples/tick.md2", "rows/tris.md2");
    copy_sample("samples/tick.md2", "rows/weapon.md2");
    copy_sample("samples/tick_head.mdc", "rows/v_gun.mdc");
    copy_sample("samples/tick_head.mdc", "rows/v_gun_hand.mdc");
    open_path(window, path);
    expect_row(window, 0, "rows\tplayer");
    expect_row(window, 1, "v_gun.mdc");
    expect_row(window, 2, "v_gun\tweapon");
    expect_row(window, 3, "rows \xe2\x80\x93 weapon.md2");
    expect_row(window, 4, "zebra.md2");
}

/* Saves a screenshot and expects that name in the folder for pictures. */
static void expect_screenshot(ViewerWindow *window, const char *name) {
    g_autofree char *path = g_build_filename(g_get_home_dir(), name, NULL);
    remove(path);
    act(window, "win.screenshot");
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        fail_msg("there is no %s", path);
    remove(path);
}

/* A named path opens, or the viewer reports why not. It opens nothing else instead. */
TEST(test_only_named_model_opens) {
    static const char *const members[][2] = {{"models/ammo/grenade.md2", "samples/tick.md2"},
                                             {"players/bob/tris.md2", "samples/tick.md2"},
                                             {"players/bob/weapon.md2", "samples/tick_head.mdc"},
                                             {NULL, NULL}};
    OWNED(ViewerWindow) *window = open_window(700, 500);
    GtkWidget *repair = widget(window, "repair_button");
    g_autofree char *valid = scratch_file("named/a.md2"), *missing = scratch_file("named/b.md2");
    g_autofree char *archive = scratch_file("named.pk3");
    g_autofree char *player = g_strdup_printf("%s:players/bob", archive);
    g_autofree char *unknown = g_strdup_printf("%s:players/unknown", archive);
    copy_sample("samples/tick.md2", "named/a.md2");
    pack(archive, members);
    open_path(window, missing);
    assert_non_null(strstr(error_text(window), "b.md2"));
    assert_false(gtk_widget_get_visible(repair)); /* there is nothing to repair */
    expect_title(window, "lerpmesh viewer");
    act(window, "win.next"); /* the other models of the folder are listed nevertheless */
    expect_title(window, "a.md2");
    open_path(window, player);
    expect_title(window, "bob \xe2\x80\x93 tris.md2");
    expect_screenshot(window, "bob-tris-1.png");
    open_path(window, unknown);
    assert_non_null(strstr(error_text(window), "unknown"));
    expect_title(window, "bob \xe2\x80\x93 tris.md2");
    open_path(window, archive); /* players come first */
    expect_title(window, "bob \xe2\x80\x93 tris.md2");
    expect_row(window, 0, "bob\tplayer \xc2\xb7 players/bob");
    expect_row(window, 1, "grenade.md2\tmodels/ammo");
    act(window, "win.next");
    expect_title(window, "grenade.md2");
    expect_screenshot(window, "grenade-1.png");
}

/* ---- Dialogs ------------------------------------------------------------------------------- */

/* Returns the widget of that name in any window; NULL: none. */
static GtkWidget *find_in_windows(const char *id) {
    GListModel *windows = gtk_window_get_toplevels();
    GtkWidget *found = NULL;
    for (guint i = 0; i < g_list_model_get_n_items(windows) && !found; i++) {
        GtkWidget *window = g_list_model_get_item(windows, i);
        found = find_widget(window, id);
        g_object_unref(window);
    }
    return found;
}

static bool chooser_is_in(GtkWidget *chooser, GFile *folder) {
    GFile *current = gtk_file_chooser_get_current_folder(GTK_FILE_CHOOSER(chooser));
    bool same = current && g_file_equal(current, folder);
    g_clear_object(&current);
    return same;
}

/* Fails unless a dialog shows that folder. Cancels the dialog. */
static void expect_chooser_in(ViewerWindow *window, const char *path) {
    GFile *folder = g_file_new_for_path(path);
    settle(window);
    GtkWidget *chooser = find_chooser();
    assert_non_null(chooser);
    WAIT_FOR(window, chooser_is_in(chooser, folder));
    gtk_dialog_response(GTK_DIALOG(chooser), GTK_RESPONSE_CANCEL);
    settle(window);
    g_object_unref(folder);
}

/* Selects a folder in the dialog that is shown. */
static void answer_chooser(ViewerWindow *window, const char *path) {
    GFile *folder = g_file_new_for_path(path);
    settle(window);
    GtkWidget *chooser = find_chooser();
    assert_non_null(chooser);
    gtk_file_chooser_set_file(GTK_FILE_CHOOSER(chooser), folder, NULL);
    for (int i = 0; i < 10; i++)
        settle(window);
    gtk_dialog_response(GTK_DIALOG(chooser), GTK_RESPONSE_ACCEPT);
    settle(window);
    g_object_unref(folder);
}

/* Textures are found below the parent of models/, or below the selected folder. */
TEST(test_game_folder) {
    OWNED(ViewerWindow) *window = open_window(700, 500);
    static const char skin[] = "textures/tick.pcx";
    g_autofree char *model = make_tick("game/models/monsters/tick.md2", skin);
    g_autofree char *plain = make_tick("elsewhere/tick.md2", skin);
    g_autofree char *game = scratch_file("game");
    copy_sample("samples/tick.pcx", "game/textures/tick.pcx");
    open_still(window, plain);
    GtkWidget *bar = widget(window, "texture_bar"); /* without a time limit */
    assert_true(gtk_widget_get_mapped(bar));
    assert_false(gtk_widget_get_visible(widget(window, "status")));
    expect_label(window, "texture_text",
                 "Texture \"textures/tick.pcx\" not found (14 paths tried)");
    g_free(take_window_screenshot(window, "window-texture").pixels);
    screenshot bare = take_screenshot(window, "game-none"), guessed;
    open_path(window, model);
    set(window, "seek", "0.0");
    guessed = take_screenshot(window, "game-guessed");
    assert_false(gtk_widget_get_visible(bar));
    assert_true(difference(&bare, &guessed) > SAME);
    open_path(window, plain);
    assert_true(gtk_widget_get_mapped(bar));
    click(window, widget(window, "game_button"));
    answer_chooser(window, game);
    set(window, "seek", "0.0");
    assert_false(gtk_widget_get_visible(bar));
    expect_same(guessed, take_screenshot(window, "game-chosen"));
    g_free(bare.pixels);
}

/* Returns whether a label of the menu begins with the name and ends with the folder. */
static bool is_recent(ViewerWindow *window, const char *name, const char *folder) {
    GtkWidget *button = widget(window, "recent_button");
    GMenuModel *menu = gtk_menu_button_get_menu_model(GTK_MENU_BUTTON(button));
    bool found = false;
    for (int i = 0; i < g_menu_model_get_n_items(menu) && !found; i++) {
        g_autofree char *label = NULL;
        g_menu_model_get_item_attribute(menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label);
        found = label && g_str_has_prefix(label, name) && g_str_has_suffix(label, folder);
    }
    return found;
}

TEST(test_recent) {
    OWNED(ViewerWindow) *window = open_window(700, 500);
    int number = g_random_int_range(0, G_MAXINT);
    g_autofree char *name = g_strdup_printf("recent_%d.md2", number);
    char *label = g_strdup_printf("recent__%d.md2 \xe2\x80\x93 ", number); /* no mnemonic */
    g_autofree char *inside = g_build_filename("recent", name, NULL), *path = scratch_file(inside);
    static const char folder[] = "/viewer-scratch/recent";
    copy_sample("samples/tick.md2", inside);
    open_path(window, path);
    WAIT_FOR(window, is_recent(window, label, folder));
    remove(path);
    g_free(label);
}

/* Dialogs for files begin in the folder of the model or of its archive. */
TEST(test_dialogs_begin_near_model) {
    static const char *const members[][2] = {{"models/a.md2", "samples/tick.md2"}, {NULL, NULL}};
    OWNED(ViewerWindow) *window = open_window(700, 500);
    g_autofree char *plain = scratch_file("near/plain/a.md2"),
                    *archive = scratch_file("near/packed/a.pk3");
    char *paths[] = {plain, archive};
    copy_sample("samples/tick.md2", "near/plain/a.md2");
    pack(archive, members);
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autofree char *folder = g_path_get_dirname(paths[i]);
        open_path(window, paths[i]);
        act(window, "win.export");
        g_signal_emit_by_name(find_in_windows("start"), "clicked");
        expect_chooser_in(window, folder);
        gtk_window_destroy(GTK_WINDOW(find_in_windows("export_dialog")));
        act(window, "win.open");
        expect_chooser_in(window, folder);
    }
}

/* A folder can be opened by a dialog. */
TEST(test_open_folder) {
    OWNED(ViewerWindow) *window = open_window(700, 500);
    g_autofree char *first = scratch_file("folder/a2.md2"), *folder = g_path_get_dirname(first);
    act(window, "win.open-folder");
    answer_chooser(window, folder);
    expect_title(window, "B.md2"); /* a folder's models are in byte order */
    expect_row(window, 2, "a2.md2");
}

/* ---- Errors -------------------------------------------------------------------------------- */

/* Makes a copy of Tick with a triangle that uses a vertex far beyond the last. */
static char *make_damaged(void) {
    char *from = source_file("samples/tick.md2"), *to = scratch_file("damaged/tick_damaged.md2");
    AT_END(blob_free) blob file = blob_read(from);
    put16(&file, get32(&file, 52), 65000); /* ofs_tris */
    assert_true(g_file_set_contents(to, (const char *)file.data, (gssize)file.size, NULL));
    g_free(from);
    return to;
}

TEST(test_damaged_archive) {
    OWNED(ViewerWindow) *window = open_window(700, 500);
    g_autofree char *path = scratch_file("damaged/short.pak"),
                    *empty = scratch_file("damaged/empty/x");
    g_autofree char *folder = g_path_get_dirname(empty);
    assert_true(g_file_set_contents(path, "PACK\xff\xff", 6, NULL));
    open_path(window, path);
    assert_non_null(strstr(error_text(window), "short.pak"));
    assert_null(strstr(error_text(window), "format"));
    open_path(window, folder);
    assert_non_null(strstr(error_text(window), "contains no models"));
}

/* Closes the banner and waits until the stage has its former height. */
static void close_banner(ViewerWindow *window, const screenshot *before) {
    GtkWidget *banner = widget(window, "banner");
    gtk_info_bar_response(GTK_INFO_BAR(banner), GTK_RESPONSE_CLOSE);
    assert_false(error_is_shown(window));
    for (int i = 0; i < 50; i++) {
        screenshot now = take_screenshot(window, "closing");
        bool same = now.height == before->height;
        g_free(now.pixels);
        if (same)
            return;
        settle(window);
    }
    fail_msg("the banner stays open");
}

TEST(test_damaged) {
    OWNED(ViewerWindow) *window = open_tick();
    g_autofree char *damaged = make_damaged();
    screenshot before = take_screenshot(window, "valid");
    open_path(window, damaged);
    assert_non_null(strstr(error_text(window), "triangle 0 uses vertex 65000"));
    expect_title(window, "tick.md2");
    screenshot image = take_window_screenshot(window, "window-damaged");
    g_free(image.pixels);
    close_banner(window, &before);
    expect_same(before, take_screenshot(window, "still-valid"));
    open_path(window, damaged);
    assert_true(gtk_widget_get_visible(widget(window, "repair_button")));
    act(window, "win.open-repaired");
    assert_false(error_is_shown(window));
    expect_title(window, "tick_damaged.md2");
}

/* Returns the widget of a list's row with that tooltip; NULL: none. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as widgets are nested
static GtkWidget *find_tooltip(GtkWidget *root, const char *tooltip) {
    GtkWidget *found = g_strcmp0(gtk_widget_get_tooltip_text(root), tooltip) == 0 ? root : NULL;
    for (GtkWidget *child = gtk_widget_get_first_child(root); child && !found;
         child = gtk_widget_get_next_sibling(child))
        found = find_tooltip(child, tooltip);
    return found;
}

/* The row has a mark, whose reason is its tooltip and its accessible description. */
static void expect_marked(ViewerWindow *window, const char *name, const char *reason) {
    GtkWidget *row = find_tooltip(GTK_WIDGET(list_of_models(window)), reason);
    assert_non_null(row);
    GtkWidget *mark =
        gtk_widget_get_prev_sibling(gtk_widget_get_last_child(row)); /* before "Fix" */
    assert_true(gtk_widget_get_visible(mark));
    expect_property(gtk_widget_get_parent(row), GTK_ACCESSIBLE_PROPERTY_LABEL, name);
    expect_property(gtk_widget_get_parent(row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, reason);
}

#define SHORT "md2: the file has only 4 bytes, but its header needs 68 (byte 0)"

/* Damaged models of a folder are listed and marked; the first good one is shown. */
TEST(test_damaged_in_folder) {
    static const char *const bad[] = {"partly/a.md2", "partly/b.md2", "partly/d.md2"};
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *good = scratch_file("partly/c.md2"), *folder = g_path_get_dirname(good);
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autofree char *path = scratch_file(bad[i]);
        assert_true(g_file_set_contents(path, "IDP2", 4, NULL));
    }
    copy_sample("samples/tick.md2", "partly/c.md2");
    open_path(window, folder);
    expect_title(window, "c.md2");
    assert_false(error_is_shown(window));
    expect_label(window, "status", "2 models cannot be read; they are marked in the list");
    g_free(take_window_screenshot(window, "window-partly").pixels);
    expect_row(window, 0, "a.md2\t\t" SHORT);
    expect_row(window, 1, "b.md2\t\t" SHORT);
    expect_row(window, 2, "c.md2");
    expect_row(window, 3, "d.md2"); /* not opened yet */
    expect_marked(window, "a.md2", SHORT);
    act(window, "win.next");
    assert_non_null(strstr(error_text(window), "d.md2"));
    expect_row(window, 3, "d.md2\t\t" SHORT);
    search(window, "header", 0); /* does not search the reasons */
    search(window, "", 4);
    copy_sample("samples/tick_head.mdc", "partly/d.md2");
    act(window, "win.reload");
    expect_title(window, "d.md2");
    expect_row(window, 3, "d.md2");
    remove(good);
}

/* An archive of which no model can be read is listed too. */
TEST(test_damaged_in_archive) {
    static const char *const members[][2] = {
        {"models/a.md2", "README.md"}, {"models/b.md2", "samples/tick.md2"}, {NULL, NULL}};
    static const char *const none[][2] = {{"models/a.md2", "README.md"}, {NULL, NULL}};
    OWNED(ViewerWindow) *window = open_window(700, 500);
    g_autofree char *archive = scratch_file("partly.pk3"), *bad = scratch_file("none.pk3");
    pack(archive, members);
    pack(bad, none);
    open_path(window, archive);
    expect_title(window, "b.md2");
    expect_row(window, 0, "a.md2\tmodels\tfile: this is not a supported model format (byte 0)");
    expect_marked(window, "a.md2", "file: this is not a supported model format (byte 0)");
    expect_label(window, "status", "1 model cannot be read; it is marked in the list");
    open_path(window, bad);
    assert_non_null(strstr(error_text(window), "a.md2"));
    expect_row(window, 0, "a.md2\tmodels\tfile: this is not a supported model format (byte 0)");
}

/* Opens the first `size` bytes of a sample as NAME, and expects the message and the library's
 * message behind the "Details" button. */
static void expect_failure(ViewerWindow *window, const char *sample, gsize size, const char *name,
                           const char *message, const char *details) {
    g_autofree char *from = source_file(sample), *path = scratch_file(name), *bytes = NULL;
    GtkWidget *button = widget(window, "details_button");
    GtkWidget *label = widget(window, "banner_details");
    gsize length;
    assert_true(g_file_get_contents(from, &bytes, &length, NULL));
    assert_true(g_file_set_contents(path, bytes, (gssize)MIN(size, length), NULL));
    open_path(window, path);
    assert_string_equal(error_text(window), message);
    assert_true(gtk_widget_get_visible(button));
    assert_false(gtk_widget_get_visible(label));
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button), TRUE);
    assert_true(gtk_widget_get_visible(label));
    assert_non_null(strstr(gtk_label_get_text(GTK_LABEL(label)), details));
    g_free(take_window_screenshot(window, "window-details").pixels);
}

TEST(test_summaries_of_failures) {
    OWNED(ViewerWindow) *window = open_window(700, 500);
    GtkWidget *repair = widget(window, "repair_button");
    expect_failure(window, "README.md", 500, "failures/README.md",
                   "\"README.md\" is not a model or an archive that lerpmesh reads",
                   "this is not a supported model format (byte 0)");
    assert_false(gtk_widget_get_visible(repair));
    expect_failure(window, "samples/tick.md2", 30000, "failures/cut.md2",
                   "\"cut.md2\" is cut off: 8 of 49 frames can be shown",
                   "49 frames need bytes 12940 to 107803, but the file ends at 30000");
    assert_true(gtk_widget_get_visible(repair));
}

/* Compares a row's text, and its detail; NULL: it has none. */
static void expect_row_text(GtkWidget *list, int index, const char *text, const char *detail) {
    GtkListBoxRow *row = gtk_list_box_get_row_at_index(GTK_LIST_BOX(list), index);
    assert_non_null(row);
    GtkWidget *box = gtk_list_box_row_get_child(row), *first = gtk_widget_get_first_child(box);
    GtkWidget *last = gtk_widget_get_last_child(box);
    assert_non_null(strstr(gtk_label_get_text(GTK_LABEL(first)), text));
    assert_int_equal(last != first, detail != NULL);
    if (detail)
        assert_string_equal(gtk_label_get_text(GTK_LABEL(last)), detail);
}

/* Each diagnostic has a row, with its code if it is a warning. */
TEST(test_info_diagnostics) {
    g_autofree char *unsafe = make_tick("unsafe.md2", "E:\\tick\\skin.pcx");
    OWNED(ViewerWindow) *window = open_window(400, 300);
    open_path(window, unsafe);
    set(window, "page", "'info'");
    GtkWidget *group = gtk_widget_get_last_child(widget(window, "info_box"));
    GtkWidget *list = gtk_widget_get_last_child(group);
    assert_string_equal(gtk_label_get_text(GTK_LABEL(gtk_widget_get_first_child(group))),
                        "Diagnostics");
    expect_row_text(list, 0, "E:\\tick", "unsafe-path");
    expect_row_text(list, 1, "texture \"", NULL);
}

/* ---- Files that change --------------------------------------------------------------------- */

/* Waits until the stage shows something else. */
static void await_reload(ViewerWindow *window, const char *name, const screenshot *before) {
    gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
    for (;;) {
        g_main_context_iteration(NULL, FALSE);
        settle(window);
        screenshot now = take_screenshot(window, name);
        double d = difference(&now, before);
        g_free(now.pixels);
        if (d > 1)
            return;
        if (g_get_monotonic_time() > end)
            fail_msg("%s: the change was not noticed", name);
    }
}

TEST(test_reloads) {
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *path = scratch_file("changing/model.md2"),
                    *skin = scratch_file("changing/tick.pcx");
    copy_sample("samples/tick.md2", "changing/model.md2");
    copy_sample("samples/tick.pcx", "changing/tick.pcx");
    open_still(window, path);
    act(window, "win.rotate((25.0, 0.0))");
    AT_END(drop_screenshot) screenshot before = take_screenshot(window, "unchanged");
    write_red(skin); /* images are recognised by their contents */
    await_reload(window, "changed-skin", &before);
    copy_sample("samples/tick_head.mdc", "changing/model.md2");
    copy_sample("samples/tick.pcx", "changing/tick.pcx");
    await_reload(window, "changed-model", &before);
    assert_false(error_is_shown(window));
    remove(path);
    WAIT_FOR(window, error_is_shown(window));
    assert_non_null(strstr(error_text(window), "model.md2"));
}

/* A file of a player that is deleted is announced as a deleted model is: the player stays. */
TEST(test_deleted_part) {
    static const char *const files[] = {"lower.md3", "upper.md3", "head.md3", "animation.cfg"};
    g_autofree char *folder = fresh_folder("lost/models/players/tick"),
                    *upper = g_build_filename(folder, "upper.md3", NULL);
    OWNED(ViewerWindow) *window = open_window(760, 540);
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *from = g_build_filename("samples/models/players/tick", files[i], NULL),
                        *to = g_build_filename("lost/models/players/tick", files[i], NULL);
        copy_sample(from, to);
    }
    open_path(window, folder);
    expect_title(window, "tick");
    remove(upper);
    WAIT_FOR(window, error_is_shown(window));
    assert_true(g_str_has_prefix(error_text(window), "upper.md3: cannot open "));
    expect_title(window, "tick");
    copy_sample("samples/models/players/tick/upper.md3", "lost/models/players/tick/upper.md3");
    WAIT_FOR(window, !error_is_shown(window));
    remove(upper);
    WAIT_FOR(window, error_is_shown(window));
    act(window, "win.reload"); /* which the user wants */
    assert_false(error_is_shown(window));
    expect_title(window, "tick \xe2\x80\x93 lower.md3");
}

/* The problem of a script is a row of the Problems page with the script's name, and no message. */
TEST(test_problem_of_script) {
    static const char bad[] = "models/players/tick/tick\n{\n{\nmap models/none.tga\n}\n}\n";
    g_autofree char *folder = fresh_folder("scripted/scripts"),
                    *script = g_build_filename(folder, "bad.shader", NULL);
    OWNED(ViewerWindow) *window = open_window(760, 540);
    assert_true(g_file_set_contents(script, bad, -1, NULL));
    copy_sample("samples/models/players/tick/lower.md3", "scripted/models/players/tick/lower.md3");
    copy_sample("samples/models/players/tick/lower_default.skin",
                "scripted/models/players/tick/lower_default.skin");
    g_autofree char *model = scratch_file("scripted/models/players/tick/lower.md3");
    open_path(window, model);
    assert_null(strstr(gtk_label_get_text(GTK_LABEL(widget(window, "status"))), "shader"));
    set(window, "page", "'problems'");
    GListModel *rows = G_LIST_MODEL(gtk_list_view_get_model(
        GTK_LIST_VIEW(find_type(widget(window, "problem_page"), g_type_from_name("GtkListView")))));
    const guint last = g_list_model_get_n_items(rows) - 1;
    g_autoptr(GtkStringObject) row = g_list_model_get_item(rows, last);
    assert_string_equal(gtk_string_object_get_string(row),
                        "line 1: shader models/players/tick/tick: image models/none.tga not found; "
                        "the games reject the shader\tbad.shader \xc2\xb7 warning \xc2\xb7 "
                        "shader-image");
    act(window, "win.problem(uint32 0)");
    g_autofree char *select = g_strdup_printf("win.problem(uint32 %u)", last);
    act(window, select);
    expect_label(window, "status", "This problem has no location on the model.");
    g_free(take_window_screenshot(window, "window-script").pixels);
}

/* A reload after a changed file keeps an error that is not about the file, and ends one that is. */
TEST(test_errors_and_reloads) {
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *path = scratch_file("error/model.md2"), *skin = scratch_file("error/tick.pcx");
    copy_sample("samples/tick.md2", "error/model.md2");
    copy_sample("samples/tick.pcx", "error/tick.pcx");
    open_still(window, path);
    gtk_widget_activate_action(GTK_WIDGET(window), "win.screenshot-to", "s", "/dev/null/x.png");
    assert_true(error_is_shown(window));
    for (int i = 0; i < 10; i++) /* until the banner has its size */
        settle(window);
    AT_END(drop_screenshot) screenshot before = take_screenshot(window, "before-error");
    write_red(skin);
    await_reload(window, "after-error", &before);
    assert_true(error_is_shown(window));
    act(window, "win.reload"); /* which the user wants */
    assert_false(error_is_shown(window));
    assert_true(g_file_set_contents(path, "IDP2", 4, NULL));
    WAIT_FOR(window, error_is_shown(window));
    copy_sample("samples/tick.md2", "error/model.md2");
    WAIT_FOR(window, !error_is_shown(window));
}

TEST(test_archive_changes) {
    static const char *const tick[][2] = {{"a.md2", "samples/tick.md2"}, {NULL, NULL}};
    static const char *const head[][2] = {{"a.md2", "samples/tick_head.mdc"}, {NULL, NULL}};
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *path = scratch_file("changing.pk3");
    pack(path, tick);
    open_path(window, path);
    expect_title(window, "a.md2");
    set(window, "play", "false");
    AT_END(drop_screenshot) screenshot before = take_screenshot(window, "archive-before");
    pack(path, head); /* models are recognised by their contents */
    await_reload(window, "archive-changed", &before);
    assert_false(error_is_shown(window));
}

/* ---- Output -------------------------------------------------------------------------------- */

TEST(test_export) {
    OWNED(ViewerWindow) *window = open_tick();
    g_autofree char *path = scratch_file("tick.glb"), *expected = scratch_file("expected/tick.glb");
    g_autofree char *model = source_file("samples/tick.md2");
    remove(path);
    gtk_widget_activate_action(GTK_WIDGET(window), "win.export-as", "(us)", 4, path);
    settle(window);
    run_lerpmesh((const char *const[]){"convert", model, "--force", "-o", expected, NULL});
    expect_equal_files(path, expected, true);
    gtk_widget_activate_action(GTK_WIDGET(window), "win.export-as", "(us)", 4, "/dev/null/at.glb");
    settle(window);
    assert_non_null(strstr(error_text(window), "/dev/null"));
}

/* Switching the skeleton on finds it, draws it and exports with it; off ends a search. */
TEST(test_skeleton) {
    OWNED(ViewerWindow) *window = open_tick();
    g_autofree char *path = scratch_file("bones.glb"),
                    *expected = scratch_file("expected/bones.glb");
    g_autofree char *model = source_file("samples/tick.md2");
    remove(path);
    set(window, "play", "false");
    screenshot plain = take_screenshot(window, "without-bones");
    g_action_group_change_action_state(G_ACTION_GROUP(window), "skeleton",
                                       g_variant_new_boolean(TRUE));
    assert_true(gtk_widget_get_visible(widget(window, "search_bar")));
    set(window, "skeleton", "false");
    assert_false(gtk_widget_get_visible(widget(window, "search_bar")));
    screenshot cancelled = take_screenshot(window, "cancelled-bones");
    assert_memory_equal(plain.pixels, cancelled.pixels, (size_t)4 * plain.width * plain.height);
    set(window, "skeleton", "true");
    plain = expect_change(window, plain, "bones");
    assert_false(gtk_widget_get_visible(widget(window, "search_bar")));
    gtk_widget_activate_action(GTK_WIDGET(window), "win.export-as", "(us)", 4, path);
    settle(window);
    run_lerpmesh(
        (const char *const[]){"convert", model, "--force", "--skeleton", "-o", expected, NULL});
    expect_equal_files(path, expected, true);
    set(window, "skeleton", "false");
    expect_same(cancelled, take_screenshot(window, "bones-off"));
    act(window, "win.reload"); /* a new document, whose search the window's end stops */
    g_action_group_change_action_state(G_ACTION_GROUP(window), "skeleton",
                                       g_variant_new_boolean(TRUE));
    g_free(plain.pixels);
}

/* ---- Real models --------------------------------------------------------------------------- */

static unsigned open_all(ViewerWindow *window, const char *folder, bool valid) {
    char **files = corpus_files(folder);
    unsigned count = 0;
    for (char **model = files; *model; model++, count++) {
        g_autofree char *name = g_path_get_basename(*model),
                        *shot = g_strdup_printf("corpus-%s", name);
        open_path(window, *model);
        assert_true(error_is_shown(window) != valid);
        AT_END(drop_screenshot) screenshot drawn = take_screenshot(window, shot);
        assert_true(count_drawn(&drawn) > 200);
    }
    g_strfreev(files);
    return count;
}

TEST(test_corpus) {
    if (!g_getenv("LERPMESH_CORPUS"))
        SKIP("LERPMESH_CORPUS is not set");
    OWNED(ViewerWindow) *window = open_window(800, 600);
    assert_true(open_all(window, "md2", true) + open_all(window, "mdc", true) +
                    open_all(window, "md3", true) >
                10);
    assert_true(open_all(window, "broken", false) > 0);
}

TEST_GROUP(start_viewer, end_viewer)
