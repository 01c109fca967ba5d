/* Tests models that the user attaches to tags. */

#include "viewer_support.h"
#include "window_private.h"

/* ---- Lists ----------------------------------------------------------------------------------- */

static void assert_list(char **list, const char *expected) {
    g_autofree char *joined = g_strjoinv(" ", list);
    assert_string_equal(joined, expected);
}

/* Takes the place of `list`, which is freed. */
static char **with(char **list, const char *tag, const char *path, char **paths) {
    char **changed = attachments_with(list, tag, path, paths);
    g_strfreev(list);
    return changed;
}

static char **without(char **list, const char *path) {
    char **changed = attachments_without(list, path);
    g_strfreev(list);
    return changed;
}

TEST(test_lists) {
    char *paths[] = {(char *)"w/gun.md3", (char *)"w/gun_barrel.md3", (char *)"w/axe.md3", NULL};
    char **list = with(NULL, "tag_weapon", "w/gun.md3", paths);
    assert_list(list, "tag_weapon w/gun.md3 tag_barrel w/gun_barrel.md3");
    list = with(list, "", "flag.md2", NULL);
    list = with(list, "tag_WEAPON", "w/axe.md3", paths); /* takes the gun's place */
    assert_list(list, " flag.md2 tag_WEAPON w/axe.md3");
    list = with(list, "tag_head", "hat", paths); /* no extension */
    list = without(list, "w/axe.md3");
    assert_list(list, " flag.md2 tag_head hat");
    list = without(without(list, "flag.md2"), "hat");
    assert_null(list[0]);
    list = with(list, "t", "w/gun.md3", paths);
    list = without(list, "w/gun.md3");
    assert_null(list[0]);
    g_strfreev(list);
}

TEST(test_weapons_come_first) {
    char *paths[] = {(char *)"q3/models/flags/flag.md3",
                     (char *)"q3/models/players/a/lower.md3",
                     (char *)"q3/models/weapons2/axe/axe.md3",
                     (char *)"q3/models/weapons2/axe/axe_hand.md3",
                     (char *)"q2/players/a/tris.md2",
                     (char *)"q2/players/a/w_bfg.md2",
                     (char *)"q2/players/b/w_bfg.md2",
                     (char *)"q2/players/a/weapon.md2",
                     NULL};
    OWNED(shared_vfs) *vfs = shared_vfs_new();
    const char *shown[] = {"q2/players/a/tris.md2", NULL};
    char **list = attachments_at_hand(vfs->vfs, paths, shown);
    assert_int_equal(g_strv_length(list), 7);
    assert_string_equal(list[0], paths[2]);
    assert_string_equal(list[1], paths[5]);
    assert_string_equal(list[2], paths[7]);
    assert_string_equal(list[3], paths[0]);
    g_strfreev(list);
    list = attachments_at_hand(vfs->vfs, NULL, shown);
    assert_null(list[0]);
    g_strfreev(list);
}

/* A hand lacks the pieces of its weapon that the scene has not, but no piece of another one. */
TEST(test_pieces_come_first) {
    char *paths[] = {(char *)"w/v_gun.mdc",         (char *)"w/v_gun_barrel2.md3",
                     (char *)"w/v_gun_hand.mdc",    (char *)"w/v_guns_barrel.mdc",
                     (char *)"w/v_gun_barrel8.mdc", (char *)"other/v_gun_barrel.mdc",
                     (char *)"w/V_GUN_flash.mdc",   NULL};
    OWNED(shared_vfs) *vfs = shared_vfs_new();
    const char *shown[] = {"w/v_gun_hand.mdc", "w/v_gun.mdc", NULL};
    char **list = attachments_at_hand(vfs->vfs, paths, shown);
    assert_list(list, "w/v_gun_barrel2.md3 w/V_GUN_flash.mdc w/v_gun.mdc w/v_guns_barrel.mdc "
                      "w/v_gun_barrel8.mdc other/v_gun_barrel.mdc");
    g_strfreev(list);
}

/* The weapons of the folders models/weapons and models/weapons2, or of all archives of a folder. */
TEST(test_weapons_of_the_game) {
    static const char *const gun[][2] = {{"models/weapons2/gun/gun.mdl", "samples/tick_torch.mdl"},
                                         {NULL, NULL}};
    static const char *const flag[][2] = {{"models/flags/flag.mdl", "samples/tick_torch.mdl"},
                                          {NULL, NULL}};
    g_autofree char *body = scratch_file("q3/models/players/t/x.mdc");
    g_autofree char *guns = scratch_file("q3/pak1.pk3"), *flags = scratch_file("q3/pak0.pk3");
    g_autofree char *other = g_strconcat(flags, ":models/players/t/x.mdc", NULL);
    OWNED(shared_vfs) *vfs = shared_vfs_new();
    copy_sample("samples/tick_head.mdc", "q3/models/players/t/x.mdc");
    copy_sample("samples/tick_torch.mdl", "q3/models/weapons2/a/a.mdl");
    copy_sample("samples/tick_torch.mdl", "q3/models/weapons2/a/a_hand.mdl");
    pack(guns, gun);
    pack(flags, flag);
    char **loose = attachments_weapons(vfs->vfs, body);
    assert_int_equal(g_strv_length(loose), 1);
    assert_true(g_str_has_suffix(loose[0], "/q3/models/weapons2/a/a.mdl"));
    char **packed = attachments_weapons(vfs->vfs, other);
    assert_int_equal(g_strv_length(packed), 1);
    assert_true(g_str_has_suffix(packed[0], "/q3/pak1.pk3:models/weapons2/gun/gun.mdl"));
    char **none = attachments_weapons(vfs->vfs, "/nowhere/a.pk3:models/players/x.md3");
    assert_null(none[0]);
    g_strfreev(none), g_strfreev(loose), g_strfreev(packed);
}

/* ---- The window ------------------------------------------------------------------------------ */

#define PLAYER "samples/models/players/tick"

static ViewerWindow *open_player(void) {
    ViewerWindow *window = open_sample(PLAYER);
    set(window, "seek", "0.0");
    return window;
}

static void attach(ViewerWindow *window, const char *tag, const char *sample) {
    g_autofree char *path = source_file(sample);
    g_autofree char *action = g_strdup_printf("win.attach(('%s', '%s'))", tag, path);
    act(window, action);
}

static void detach(ViewerWindow *window, const char *sample) {
    g_autofree char *path = source_file(sample), *action = g_strdup_printf("win.detach::%s", path);
    act(window, action);
}

/* A model appears at its tag, takes another one's place, and disappears again. */
TEST(test_attach_and_detach) {
    OWNED(ViewerWindow) *window = open_player();
    screenshot alone = take_screenshot(window, "attach-none");
    attach(window, "tag_weapon", "samples/tick_torch.mdl");
    screenshot torch = take_screenshot(window, "attach-torch");
    assert_true(difference(&alone, &torch) > SAME);
    attach(window, "tag_weapon", "samples/tick_head.mdc");
    torch = expect_change(window, torch, "attach-head");
    detach(window, "samples/tick_head.mdc");
    expect_same(take_screenshot(window, "attach-none-again"), alone);
    assert_false(error_is_shown(window));
    g_free(torch.pixels);
}

/* Another model begins without attached ones. */
TEST(test_another_model_begins_alone) {
    OWNED(ViewerWindow) *window = open_player();
    g_autofree char *path = source_file(PLAYER), *tick = source_file("samples/tick.md2");
    screenshot alone = take_screenshot(window, "attach-first");
    attach(window, "tag_weapon", "samples/tick_torch.mdl");
    open_path(window, tick);
    open_path(window, path);
    set(window, "seek", "0.0");
    expect_same(take_screenshot(window, "attach-first-again"), alone);
}

/* What cannot be attached is reported, and not tried again. */
TEST(test_failures) {
    static const char *const bad[][2] = {{"tag_weapon", "samples/missing.md3"},
                                         {"tag_none", "samples/tick_torch.mdl"},
                                         {"tag_weapon", "samples/tick.pcx"}};
    OWNED(ViewerWindow) *window = open_player();
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        attach(window, bad[i][0], bad[i][1]);
        assert_true(error_is_shown(window));
        act(window, "win.reload");
        assert_false(error_is_shown(window));
    }
}

/* ---- The dialog ------------------------------------------------------------------------------ */

static guint rows_of(GtkWidget *dialog, const char *id) {
    return g_list_model_get_n_items(
        gtk_drop_down_get_model(GTK_DROP_DOWN(find_widget(dialog, id))));
}

/* Lists the tags of all parts and the models of the folder, attaches one, and removes it again. */
TEST(test_dialog) {
    g_autofree char *folder = scratch_file("attach/models");
    copy_sample("samples/tick_head.mdc", "attach/models/body.mdc");
    copy_sample("samples/tick.pcx", "attach/models/tick.pcx");
    copy_sample("samples/tick_torch.mdl", "attach/models/weapons2/torch/torch.mdl");
    copy_sample("samples/tick_torch.mdl", "attach/models/another.mdl");
    g_autofree char *body = g_build_filename(folder, "body.mdc", NULL);
    OWNED(ViewerWindow) *window = open_window(760, 540);
    assert_false(is_enabled(window, "win.ask-attach"));
    open_path(window, folder);
    g_autofree char *open = g_strdup_printf("win.open-path::%s", body);
    act(window, open);
    act(window, "win.model(uint32 1)");
    set(window, "play", "false");
    set(window, "seek", "0.0");
    screenshot alone = take_screenshot(window, "attach-dialog-none");
    GtkWidget *dialog = open_dialog(window, "win.ask-attach");
    assert_true(rows_of(dialog, "tag") >= 2);
    assert_true(rows_of(dialog, "model") >= 1);
    assert_false(gtk_widget_get_visible(find_widget(dialog, "attached")));
    g_free(take_widget_screenshot(dialog, "attach-dialog").pixels);
    click(window, find_widget(dialog, "add")); /* the dialog stays open */
    settle(window);
    AT_END(drop_screenshot) screenshot both = take_screenshot(window, "attach-dialog-one");
    assert_true(difference(&alone, &both) > SAME);
    GtkWidget *list = find_widget(dialog, "attached");
    assert_true(gtk_widget_get_visible(list));
    g_free(take_widget_screenshot(dialog, "attach-dialog-list").pixels);
    click(window, find_type(list, GTK_TYPE_BUTTON));
    settle(window);
    assert_false(gtk_widget_get_visible(list));
    gtk_window_destroy(GTK_WINDOW(dialog));
    settle(window);
    expect_same(take_screenshot(window, "attach-dialog-removed"), alone);
}

static const char *selected(GtkWidget *dialog, const char *id) {
    return gtk_string_object_get_string(
        gtk_drop_down_get_selected_item(GTK_DROP_DOWN(find_widget(dialog, id))));
}

#define WEAPON "samples/models/weapons2/winder/v_winder_hand.mdc"

/* The dialog suggests the pieces of a weapon one after another, each at its tag. Together they are
 * the weapon. */
TEST(test_pieces_of_a_weapon) {
    static const char *const rows[][2] = {
        {"v_winder.mdc", "tag_weapon"},
        {"v_winder_barrel2.mdc", "tag_barrel2"}, /* the first barrel comes along */
        {"v_winder_flash.mdc", "v_winder:tag_flash"}};
    OWNED(ViewerWindow) *window = open_sample(WEAPON);
    set(window, "seek", "0.0");
    screenshot weapon = take_screenshot(window, "weapon");
    set(window, "attachments", "false");
    set(window, "seek", "0.0");
    GtkWidget *dialog = open_dialog(window, "win.ask-attach");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_string_equal(selected(dialog, "model"), rows[i][0]);
        assert_string_equal(selected(dialog, "tag"), rows[i][1]);
        if (i + 1 < G_N_ELEMENTS(rows))
            click(window, find_widget(dialog, "add"));
        settle(window);
    }
    gtk_window_destroy(GTK_WINDOW(dialog));
    settle(window);
    expect_same(take_screenshot(window, "weapon-of-pieces"), weapon);
    assert_false(error_is_shown(window));
}

/* ---- The player's view ------------------------------------------------------------------------
 */

static bool is_at_eye(ViewerWindow *window) {
    return viewer_stage_options(window->stage)->eye;
}

/* The view from the eye lasts until the camera moves, or a model is opened that is no weapon. */
TEST(test_eye) {
    OWNED(ViewerWindow) *window = open_sample(WEAPON);
    g_autofree char *gun = source_file("samples/models/weapons2/winder/v_winder.mdc"),
                    *other = source_file("samples/tick_head.mdc");
    set(window, "seek", "0.0");
    screenshot home = take_screenshot(window, "eye-home");
    act(window, "win.view::eye");
    screenshot eye = take_screenshot(window, "eye");
    assert_true(difference(&home, &eye) > SAME);
    act(window, "win.rotate((0.0, 0.0))");
    expect_same(take_screenshot(window, "eye-left"), home);
    act(window, "win.view::eye");
    open_path(window, gun); /* which opens the same weapon */
    set(window, "seek", "0.0");
    expect_same(take_screenshot(window, "eye-again"), eye);
    open_path(window, other);
    assert_false(is_at_eye(window));
    act(window, "win.view::eye");
    assert_true(is_at_eye(window)); /* any model may be seen from there */
    act(window, "win.fit");
    assert_false(is_at_eye(window));
}

TEST_GROUP(start_viewer, end_viewer)
