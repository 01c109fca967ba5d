/* Tests edits in the viewer: fixes, new names, undo, redo, copies and unsaved changes. */

#include "edits.h"
#include "viewer_support.h"
#include "window_private.h"

/* ---- Helpers ------------------------------------------------------------------------------- */

static void expect_skin(ViewerWindow *window, const char *name) {
    char found[LM_EDIT_NAME_SIZE];
    const lm_asset *file = &window->doc->assets->assets[0];
    OWNED(lm_edit) *edit = lm_edit_open(file->data, file->size, NULL, NULL);
    assert_true(lm_edit_name(edit, LM_EDIT_SKINS, 0, 0, found));
    assert_string_equal(found, name);
}

/* Returns the row of the first problem with a fix; UINT32_MAX: there is none. */
static uint32_t fixable_row(ViewerWindow *window) {
    for (uint32_t i = 0; i < window->doc->problems.rows->len; i++)
        if (document_fix(window->doc, i))
            return i;
    return UINT32_MAX;
}

static void act_on_row(ViewerWindow *window, uint32_t row) {
    g_autofree char *action = g_strdup_printf("win.fix(uint32 %u)", row);
    act(window, action);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* Fix, undo, redo, a copy: the original stays, and the copy has no such problem. */
TEST(test_fix) {
    g_autofree char *path = make_tick("edits/a.md2", "models\\Tick.PCX"),
                    *copy = scratch_file("edits/b.md2");
    g_autofree char *before = scratch_file("edits/before.md2");
    copy_file(path, before);
    OWNED(ViewerWindow) *window = open_window(760, 540);
    open_path(window, path);
    set(window, "play", "false");
    set(window, "page", "'problems'");
    expect_skin(window, "models\\Tick.PCX");
    uint32_t row = fixable_row(window);
    assert_true(row != UINT32_MAX);
    assert_non_null(strstr(document_fix(window->doc, row), "models/Tick.PCX"));
    AT_END(drop_screenshot) screenshot image = take_window_screenshot(window, "window-fix");
    assert_false(is_enabled(window, "win.undo"));
    act_on_row(window, row);
    expect_skin(window, "models/Tick.PCX");
    expect_title(window, "• a.md2");
    assert_int_equal(fixable_row(window), UINT32_MAX);
    act(window, "win.undo");
    expect_skin(window, "models\\Tick.PCX");
    expect_title(window, "a.md2");
    assert_null(window->request.edited);
    act(window, "win.redo");
    expect_skin(window, "models/Tick.PCX");
    save_to(window, path); /* never the original */
    assert_true(error_is_shown(window));
    save_to(window, copy);
    expect_title(window, "a.md2");
    expect_equal_files(path, before, true);
    open_path(window, copy);
    expect_skin(window, "models/Tick.PCX");
    assert_int_equal(fixable_row(window), UINT32_MAX);
}

/* A new path finds its texture at once. */
TEST(test_rename) {
    char *path = make_tick("edits/c.md2", "models/missing/none.pcx"), *wrong;
    ViewerWindow *window = open_window(760, 540);
    open_path(window, path);
    act(window, "win.rename((uint32 0, uint32 0, uint32 0, 'models/tick.pcx'))");
    expect_skin(window, "models/tick.pcx");
    assert_int_equal(window->doc->assets->assets[0].textures[0].match != LM_MATCH_NONE, true);
    assert_string_equal(window->doc->assets->assets[0].textures[0].name, "models/tick.pcx");
    wrong = g_strdup_printf("win.rename((uint32 0, uint32 0, uint32 0, '%0100d'))", 1);
    act(window, wrong); /* too long */
    assert_true(error_is_shown(window));
    expect_skin(window, "models/tick.pcx");
    act(window, "win.rename((uint32 99, uint32 9, uint32 9, 'a'))");
    assert_true(error_is_shown(window));
    act(window, "win.rename((uint32 2, uint32 0, uint32 0, 'rest'))");
    assert_string_equal(window->doc->clips[0].name, "rest");
    act(window, "win.undo");
    act(window, "win.undo");
    assert_null(window->request.edited);
    act(window, "win.redo");
    expect_skin(window, "models/tick.pcx");
    window_drop_edits(window);
    close_window(window);
    g_free(wrong), g_free(path);
}

/* Opening another model asks first. */
TEST(test_unsaved) {
    g_autofree char *path = make_tick("edits/d.md2", "models\\A.pcx"),
                    *other = make_tick("edits/e.md2", "a/b");
    OWNED(ViewerWindow) *window = open_window(760, 540);
    open_path(window, path);
    act_on_row(window, fixable_row(window));
    open_path(window, other);
    expect_title(window, "• d.md2");
    answer(window, GTK_RESPONSE_CANCEL);
    expect_title(window, "• d.md2");
    gtk_window_close(GTK_WINDOW(window));
    settle(window);
    answer(window, GTK_RESPONSE_CANCEL);
    expect_title(window, "• d.md2");
    open_path(window, other);
    answer(window, GTK_RESPONSE_NO);
    expect_title(window, "e.md2");
    assert_null(window->edits);
    assert_false(is_enabled(window, "win.undo"));
}

/* The original is replaced only after the question; a folder without write access keeps it. */
TEST(test_replace) {
    g_autofree char *path = make_tick("edits/f.md2", "models\\A.pcx"),
                    *before = scratch_file("edits/g.md2");
    g_autofree char *sample = source_file("samples/tick.md2");
    copy_file(path, before);
    OWNED(ViewerWindow) *window = open_window(760, 540);
    open_path(window, path);
    act_on_row(window, fixable_row(window));
    act(window, "win.replace-original");
    answer(window, GTK_RESPONSE_CANCEL);
    expect_equal_files(path, before, true);
    save_to(window, "/proc/none/x.md2");
    assert_true(error_is_shown(window));
    expect_title(window, "• f.md2");
    copy_sample("samples/tick.md2", "edits/f.md2"); /* by another program */
    act(window, "win.replace-original");
    answer(window, GTK_RESPONSE_ACCEPT);
    expect_equal_files(path, sample, true);
    expect_title(window, "• f.md2");
    copy_file(before, path);
    act(window, "win.replace-original");
    answer(window, GTK_RESPONSE_ACCEPT);
    expect_equal_files(path, before, false);
    expect_title(window, "f.md2");
    expect_skin(window, "models/A.pcx");
    assert_false(is_enabled(window, "win.undo"));
}

/* If another model cannot be read, the shown one is not written over its file. */
TEST(test_other_path) {
    g_autofree char *path = make_tick("edits/i.md2", "models\\A.pcx"),
                    *bad = scratch_file("edits/j.md2");
    assert_true(g_file_set_contents(bad, "IDP2", 4, NULL));
    OWNED(ViewerWindow) *window = open_window(760, 540);
    open_path(window, path);
    open_path(window, bad);
    expect_title(window, "i.md2");
    act_on_row(window, fixable_row(window));
    assert_null(window->edits);
    assert_true(error_is_shown(window));
}

TEST(test_names_dialog) {
    g_autofree char *path = make_tick("edits/h.md2", "models/a.pcx");
    OWNED(ViewerWindow) *window = open_window(760, 540);
    open_path(window, path);
    act(window, "win.edit-names");
    GtkWidget *dialog = find_dialog(window);
    assert_non_null(dialog);
    screenshot image = take_widget_screenshot(dialog, "edit-names");
    g_free(image.pixels);
    gtk_window_destroy(GTK_WINDOW(dialog));
}

TEST_GROUP(start_viewer, end_viewer)
