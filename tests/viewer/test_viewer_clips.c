/* Tests edits of clips in the viewer, and the clips files of copies. */

#include <glib/gstdio.h>

#include "edits.h"
#include "internals.h"
#include "viewer_support.h"
#include "window_private.h"

static const char cfg[] = "// clips of Tick\r\nsex f\r\n0\t12  12 10 // stand (rest)\r\n"
                          "12 8 8 10 // run\r\n20 9 0 10 // jump\r\n29 1 1 10 // wave\r\n";

/* ---- Helpers ------------------------------------------------------------------------------- */

/* Returns the path of a file that does not exist. */
static char *fresh_file(const char *name) {
    char *path = scratch_file(name);
    g_unlink(path);
    return path;
}

static void write_text(const char *path, const char *text) {
    assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void expect_text(const char *path, const char *text) {
    g_autofree char *found = NULL;
    assert_true(g_file_get_contents(path, &found, NULL, NULL));
    assert_string_equal(found, text);
}

/* Tick with an animation.cfg in a folder of its own. */
static char *make_folder(const char *folder) {
    char *name = g_strdup_printf("%s/tick.md2", folder), *path = make_tick(name, "models/a.pcx");
    g_autofree char *parent = g_path_get_dirname(path),
                    *clips = g_build_filename(parent, "animation.cfg", NULL);
    write_text(clips, cfg);
    g_free(name);
    return path;
}

static void change(ViewerWindow *window, const char *target) {
    g_autofree char *action = g_strdup_printf("win.change-clip(%s)", target);
    act(window, action);
}

static void expect_clip(ViewerWindow *window, uint32_t index, const char *name, uint32_t first,
                        uint32_t count, double fps, uint32_t loop) {
    const document_clip *clip = &window->doc->clips[index];
    assert_string_equal(clip->name, name);
    assert_int_equal(clip->clip.first, first);
    assert_int_equal(clip->clip.count, count);
    assert_true((float)fps == clip->clip.fps);
    assert_int_equal(clip->clip.loop_frames, loop);
}

/* ---- Tests --------------------------------------------------------------------------------- */

/* A new name renames frames. Other values make a clips file; undo removes it. */
TEST(test_frame_names) {
    g_autofree char *path = make_tick("edits/n.md2", "models/a.pcx"),
                    *copy = fresh_file("edits/n2.md2");
    g_autofree char *renamed = fresh_file("edits/n3.md2"),
                    *clips = fresh_file("edits/n2.md2.framegroups");
    g_autofree char *none = fresh_file("edits/n3.md2.framegroups");
    OWNED(ViewerWindow) *window = open_window(760, 540);
    open_path(window, path);
    expect_clip(window, 0, "stand", 0, 12, 10, 12);
    change(window, "(uint32 0, 'rest', uint32 0, uint32 11, 10.0, true)");
    expect_clip(window, 0, "rest", 0, 12, 10, 12); /* the name alone would not loop */
    assert_int_equal(g_hash_table_size(window->request.edited), 2);
    act(window, "win.undo");
    change(window, "(uint32 0, 'idle', uint32 0, uint32 11, 10.0, true)");
    expect_clip(window, 0, "idle", 0, 12, 10, 12);
    assert_int_equal(g_hash_table_size(window->request.edited), 1);
    save_to(window, renamed);
    expect_equal_files(path, renamed, false);
    assert_false(g_file_test(none, G_FILE_TEST_EXISTS));
    act(window, "win.undo");
    change(window, "(uint32 0, 'stand', uint32 0, uint32 11, 10.0, true)"); /* the same */
    assert_false(is_enabled(window, "win.undo"));
    window_select_clip(window, 1);
    change(window, "(uint32 1, 'run', uint32 13, uint32 18, 12.5, false)");
    expect_clip(window, 1, "run", 13, 6, 12.5, 0);
    assert_int_equal(window->clip, 1);
    expect_title(window, "• n.md2");
    change(window, "(uint32 1, 'trot', uint32 13, uint32 18, 12.5, false)");
    expect_clip(window, 1, "trot", 13, 6, 12.5, 0);
    assert_int_equal(window->clip, 1);
    act(window, "win.undo");
    act(window, "win.undo");
    expect_clip(window, 1, "run", 12, 8, 10, 8);
    assert_null(window->request.edited);
    act(window, "win.redo");
    save_to(window, copy);
    expect_title(window, "n.md2");
    expect_equal_files(path, copy, true);
    expect_text(clips, "// first frame, number of frames, frames per second, loop\n"
                       "0 12 10 1 // stand\n13 6 12.5 0 // run\n20 9 10 0 // jump\n"
                       "29 4 10 0 // pain1\n33 4 10 0 // pain2\n37 12 10 0 // wave\n");
    open_path(window, copy);
    expect_clip(window, 1, "run", 13, 6, 12.5, 0);
}

/* Changes a line of an animation.cfg, which goes to the folder of the copy. */
TEST(test_clips_file) {
    g_autofree char *path = make_folder("edits/cfg"), *near = fresh_file("edits/cfg/copy.md2");
    g_autofree char *far = fresh_file("edits/far/tick.md2"),
                    *own = scratch_file("edits/cfg/animation.cfg");
    g_autofree char *clips = fresh_file("edits/far/animation.cfg"),
                    *folder = g_path_get_dirname(far);
    static const char changed[] = "// clips of Tick\r\nsex f\r\n0\t12  12 10 // stand (rest)\r\n"
                                  "12 8 8 10 // run\r\n21 8 0 10 // hop\r\n29 1 1 10 // wave\r\n";
    g_mkdir_with_parents(folder, 0755);
    OWNED(ViewerWindow) *window = open_window(760, 540);
    open_path(window, path);
    expect_clip(window, 2, "jump", 20, 9, 10, 0);
    change(window, "(uint32 2, 'hop', uint32 21, uint32 28, 10.0, false)");
    expect_clip(window, 2, "hop", 21, 8, 10, 0);
    change(window, "(uint32 2, 'two words', uint32 21, uint32 28, 10.0, false)");
    assert_true(error_is_shown(window));
    change(window, "(uint32 2, 'hop', uint32 22, uint32 20, 10.0, false)");
    change(window, "(uint32 2, 'hop', uint32 21, uint32 4000000000, 10.0, false)");
    change(window, "(uint32 99, 'hop', uint32 21, uint32 22, 10.0, false)");
    expect_clip(window, 2, "hop", 21, 8, 10, 0);
    save_to(window, near); /* animation.cfg is the original */
    assert_true(error_is_shown(window));
    assert_false(g_file_test(near, G_FILE_TEST_EXISTS));
    expect_text(own, cfg);
    save_to(window, far);
    expect_equal_files(path, far, true);
    expect_text(clips, changed);
    expect_text(own, cfg);
    write_text(clips, "other");
    act(window, "win.undo");
    act(window, "win.redo");
    save_to(window, far); /* asks about the clips file */
    answer(window, GTK_RESPONSE_CANCEL);
    expect_text(clips, "other");
    save_to(window, far);
    answer(window, GTK_RESPONSE_ACCEPT);
    expect_text(clips, changed);
    window_drop_edits(window);
}

/* Replaces the original clips file only, and not if another program has changed it. */
TEST(test_replace) {
    g_autofree char *path = make_folder("edits/rep"),
                    *clips = scratch_file("edits/rep/animation.cfg");
    g_autofree char *before = scratch_file("edits/rep/before");
    GStatBuf was, is;
    copy_file(path, before);
    OWNED(ViewerWindow) *window = open_window(760, 540);
    open_path(window, path);
    assert_int_equal(g_stat(path, &was), 0);
    change(window, "(uint32 1, 'run', uint32 12, uint32 19, 20.0, true)");
    const guint loads = window->generation;
    write_text(clips, "0 1 1 1 // other\n");
    WAIT_FOR(window, window->generation != loads);
    act(window, "win.replace-original");
    answer(window, GTK_RESPONSE_ACCEPT);
    assert_true(error_is_shown(window));
    expect_text(clips, "0 1 1 1 // other\n");
    write_text(clips, cfg);
    act(window, "win.replace-original");
    answer(window, GTK_RESPONSE_ACCEPT);
    expect_equal_files(path, before, true);
    assert_int_equal(g_stat(path, &is), 0);
    assert_true(was.st_ino == is.st_ino); /* was not written */
    expect_text(clips, "// clips of Tick\r\nsex f\r\n0\t12  12 10 // stand (rest)\r\n"
                       "12 8 8 20 // run\r\n20 9 0 10 // jump\r\n29 1 1 10 // wave\r\n");
    expect_clip(window, 1, "run", 12, 8, 20, 8);
    assert_null(window->edits);
}

/* Copies the sample player into a folder of the tests. Returns its path. */
static char *make_player(const char *folder) {
    static const char *const names[] = {"lower.md3", "upper.md3", "head.md3", "animation.cfg",
                                        "lower_default.skin"};
    char *path = scratch_file(folder);
    assert_int_equal(g_mkdir_with_parents(path, 0755), 0);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *from = g_strconcat("samples/models/players/tick/", names[i], NULL);
        g_autofree char *to = g_strconcat(folder, "/", names[i], NULL);
        copy_sample(from, to);
    }
    return path;
}

static uint32_t find_clip(ViewerWindow *window, const char *name) {
    for (uint32_t i = 0; i < window->doc->num_clips; i++)
        if (strcmp(window->doc->clips[i].name, name) == 0)
            return i;
    fail_msg("there is no %s", name);
    return 0;
}

static void set_rate(ViewerWindow *window, const char *name, double fps) {
    const uint32_t index = find_clip(window, name);
    const lm_clip clip = window->doc->clips[index].clip;
    g_autofree char *target = g_strdup_printf("(uint32 %u, '%s', uint32 %u, uint32 %u, %g.0, %s)",
                                              index, name, clip.first, clip.first + clip.count - 1,
                                              fps, clip.loop_frames ? "true" : "false");
    change(window, target);
    expect_clip(window, index, name, clip.first, clip.count, fps, clip.loop_frames);
}

/* The legs and the torso share the file, whose offset stays. The copy of the opened part has it. */
TEST(test_player) {
    g_autofree char *player = make_player("edits/models/players/p1");
    g_autofree char *path = g_build_filename(player, "lower.md3", NULL);
    g_autofree char *out = fresh_file("edits/p1"), *copy = g_build_filename(out, "lower.md3", NULL);
    g_mkdir_with_parents(out, 0755);
    OWNED(ViewerWindow) *window = open_window(760, 540);
    open_path(window, path);
    set_rate(window, "TORSO_ATTACK", 33);
    set_rate(window, "LEGS_RUN", 31);
    g_unlink(copy);
    g_autofree char *clips = g_build_filename(out, "animation.cfg", NULL);
    g_unlink(clips);
    save_to(window, copy);
    expect_title(window, "p1");
    expect_equal_files(path, copy, true);
    assert_true(g_file_test(clips, G_FILE_TEST_EXISTS));
}

/* Every part of a player can be edited; a copy writes the changed files into a folder. */
TEST(test_parts) {
    g_autofree char *player = make_player("edits/models/players/p2"),
                    *out = scratch_file("edits/p2");
    g_autofree char *before = g_build_filename(player, "upper.md3", NULL);
    g_autofree char *upper = g_build_filename(out, "upper.md3", NULL);
    g_autofree char *head = g_build_filename(out, "head.md3", NULL);
    g_autofree char *clips = g_build_filename(out, "animation.cfg", NULL);
    lm_error error;
    g_mkdir_with_parents(out, 0755);
    g_unlink(upper), g_unlink(head), g_unlink(clips);
    OWNED(ViewerWindow) *window = open_window(760, 540);
    open_path(window, player);
    for (uint32_t part = 1; part < 3; part++) {
        const edit_step step = {.kind = EDIT_NAME,
                                .list = LM_EDIT_SKINS,
                                .name = (char *)(part == 1 ? "models/u.tga" : "models/h.tga")};
        assert_true(window_add_step(window, part, &step, &error));
        settle(window);
        assert_string_equal(
            document_scene(window->doc)->parts[part].model->surfaces[0].materials[0].name,
            step.name);
    }
    set_rate(window, "TORSO_ATTACK", 33);
    act(window, "win.undo");
    act(window, "win.undo");
    act(window, "win.redo");
    act(window, "win.redo");
    expect_title(window, "• p2");
    save_to(window, player); /* the originals */
    assert_true(error_is_shown(window));
    save_to(window, out);
    expect_title(window, "p2");
    assert_int_equal(count_files(out), 3);
    expect_equal_files(before, upper, false);
    act(window, "win.undo"); /* the clips */
    assert_true(g_file_set_contents(head, "other", -1, NULL));
    save_to(window, out); /* asks about the other two */
    answer(window, GTK_RESPONSE_CANCEL);
    expect_text(head, "other");
    save_to(window, out);
    answer(window, GTK_RESPONSE_ACCEPT);
    act(window, "win.replace-original");
    answer(window, GTK_RESPONSE_ACCEPT);
    expect_equal_files(before, upper, true);
    assert_null(window->edits);
}

/* Two changed files of one name cannot go to one folder. */
TEST(test_same_names) {
    char *one = scratch_file("edits/t1"), *two = scratch_file("edits/t2");
    char *out = scratch_file("edits/t3"), *copied = fresh_file("edits/t3/tick.md2");
    g_mkdir_with_parents(one, 0755), g_mkdir_with_parents(two, 0755);
    g_mkdir_with_parents(out, 0755);
    char *path = make_tick("edits/t1/tick.md2", "models/a.pcx");
    char *other = make_tick("edits/t2/tick.md2", "models/a.pcx");
    char *attach = g_strdup_printf("win.attach(('', '%s'))", other);
    const edit_step step = {.kind = EDIT_NAME, .list = LM_EDIT_SKINS, .name = (char *)"models/b"};
    lm_error error;
    ViewerWindow *window = open_window(760, 540);
    open_path(window, path);
    act(window, attach);
    assert_int_equal(document_scene(window->doc)->num_parts, 2);
    for (uint32_t part = 0; part < 2; part++) {
        assert_true(window_add_step(window, part, &step, &error));
        settle(window);
    }
    save_to(window, out);
    assert_non_null(strstr(error_text(window), "tick.md2"));
    assert_int_equal(count_files(out), 0);
    act(window, "win.undo"); /* only the opened model is left, whose copy is a file */
    assert_true(copies_are_one(window->edits, path));
    window_drop_edits(window);
    close_window(window);
    g_free(copied), g_free(attach), g_free(other), g_free(path), g_free(out), g_free(two),
        g_free(one);
}

/* F2 in the list of clips opens the dialog; a rate that it rounds stays. */
TEST(test_dialog) {
    g_autofree char *path = make_folder("edits/dialog");
    g_autofree char *clips = scratch_file("edits/dialog/animation.cfg");
    write_text(clips, "0 12 3 12.34567 // stand\n");
    OWNED(ViewerWindow) *window = open_window(760, 540);
    open_path(window, path);
    gtk_widget_child_focus(window->clip_list, GTK_DIR_TAB_FORWARD);
    act(window, "win.edit-focused");
    GtkWidget *editor = find_dialog(window);
    assert_non_null(editor);
    AT_END(drop_screenshot) screenshot image = take_widget_screenshot(editor, "edit-clip");
    GtkSpinButton *first = GTK_SPIN_BUTTON(find_widget(editor, "first"));
    GtkSpinButton *last = GTK_SPIN_BUTTON(find_widget(editor, "last"));
    assert_int_equal(gtk_spin_button_get_value_as_int(last), 11);
    gtk_spin_button_set_value(first, 20); /* the last frame follows */
    assert_int_equal(gtk_spin_button_get_value_as_int(last), 20);
    gtk_spin_button_set_value(first, 2);
    gtk_spin_button_set_value(last, 9);
    gtk_spin_button_update(GTK_SPIN_BUTTON(find_widget(editor, "rate")));
    gtk_editable_set_text(GTK_EDITABLE(find_widget(editor, "name")), "two words");
    g_signal_emit_by_name(find_widget(editor, "apply"), "clicked");
    assert_true(gtk_widget_get_visible(find_widget(editor, "message")));
    gtk_editable_set_text(GTK_EDITABLE(find_widget(editor, "name")), "rest");
    g_signal_emit_by_name(find_widget(editor, "apply"), "clicked");
    settle(window);
    assert_null(find_dialog(window));
    expect_clip(window, 0, "rest", 2, 8, (double)12.34567f, 3);
    window_select_clip(window, 1); /* all frames */
    act(window, "win.edit-clip");
    assert_null(find_dialog(window));
    assert_true(error_is_shown(window));
    window_drop_edits(window);
}

/* The names under which lerpmesh finds the clips file of a copy. */
TEST(test_names) {
    static const char *const names[][3] = {
        {"a/tick.md2.framegroups", "b/x.md2", "b/x.md2.framegroups"},
        {"a/tick.framegroups", "b/x.md2", "b/x.md2.framegroups"},
        {"a/tick.anm", "b/x.md2", "b/x.anm"},
        {"a/Animation.CFG", "b/x.md3", "b/Animation.CFG"},
        {"p.pk3:models/animation.cfg", "b/x.md3", "b/animation.cfg"},
        {"tick.anm", "x", "./x.anm"}};
    OWNED(shared_vfs) *from = shared_vfs_new();
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *found = copy_clips_path(from->vfs, names[i][0], names[i][1]);
        assert_string_equal(found, names[i][2]);
    }
}

TEST_GROUP(start_viewer, end_viewer)
