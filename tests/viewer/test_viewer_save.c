/* Tests saving edits where it fails, or where the program is killed meanwhile. */
// NOLINTNEXTLINE(bugprone-reserved-identifier): the C library wants it
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "skipping.h"
#include "viewer_support.h"
#include "window_private.h"

/* ---- Calls that kill ------------------------------------------------------------------------- */

static int kill_at; /* the call that kills the process, counted from 1; 0: none */

static bool is_last_call(void) {
    return kill_at > 0 && --kill_at == 0;
}

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the library has its own names

/* Writes half of the bytes before the process ends. */
ssize_t write(int file, const void *bytes, size_t size) {
    if (is_last_call()) {
        syscall(SYS_write, file, bytes, size / 2);
        _exit(9);
    }
    return syscall(SYS_write, file, bytes, size);
}

int renameat(int at, const char *from, int to_at, const char *to) {
    if (is_last_call())
        _exit(9);
    return (int)syscall(SYS_renameat2, at, from, to_at, to, 0);
}

int fchmod(int file, mode_t mode) {
    if (is_last_call())
        _exit(9);
    return (int)syscall(SYS_fchmod, file, mode);
}

// NOLINTEND(readability-inconsistent-declaration-parameter-name)

/* ---- Helpers --------------------------------------------------------------------------------- */

/* Opens Tick and edits a path and a clip. */
static ViewerWindow *open_edited(const char *path) {
    ViewerWindow *window = open_window(760, 540);
    open_path(window, path);
    act(window, "win.rename((uint32 0, uint32 0, uint32 0, 'models/b.pcx'))");
    act(window, "win.change-clip((uint32 1, 'run', uint32 12, uint32 19, 20.0, true))");
    return window;
}

static void end(ViewerWindow *window) {
    window_drop_edits(window);
    close_window(window);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* A path without a name, names that no file can have, and a full device. */
TEST(test_names) {
    g_autofree char *path = make_tick("edits/s1.md2", "models/a.pcx"),
                    *folder = fresh_folder("edits/s1");
    g_autofree char *longest = g_strdup_printf("%s/%0300d", folder, 1);
    ViewerWindow *window = open_window(760, 540);
    open_path(window, path);
    act(window, "win.rename((uint32 0, uint32 0, uint32 0, 'models/b.pcx'))");
    const char *const targets[] = {"", folder, longest, "/proc/none/x.md2", "/dev/full"};
    for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
        window_hide_error(window);
        save_to(window, targets[i]);
        assert_true(error_is_shown(window));
        expect_title(window, "• s1.md2");
    }
    assert_int_equal(count_files(folder), 0);
    end(window);
}

/* A skin, a clip and a tag may not be unnamed by mistake: an empty clip is rejected, an empty path
 * is stored. */
TEST(test_empty_names) {
    char *path = make_tick("edits/s2.md2", "models/a.pcx"), found[LM_EDIT_NAME_SIZE];
    ViewerWindow *window = open_window(760, 540);
    open_path(window, path);
    act(window, "win.change-clip((uint32 1, '', uint32 12, uint32 19, 20.0, true))");
    assert_true(error_is_shown(window));
    assert_string_equal(window->doc->clips[1].name, "run");
    assert_false(edits_can_undo(window->edits));
    act(window, "win.rename((uint32 0, uint32 0, uint32 0, ''))");
    const lm_asset *file = &window->doc->assets->assets[0];
    lm_edit *edit = lm_edit_open(file->data, file->size, NULL, NULL);
    assert_true(lm_edit_name(edit, LM_EDIT_SKINS, 0, 0, found));
    assert_string_equal(found, "");
    lm_edit_free(edit);
    end(window);
    g_free(path);
}

/* A folder without the right to write. The superuser has it everywhere, so the test gives it up. */
TEST(test_read_only) {
    g_autofree char *path = make_tick("edits/s3.md2", "models/a.pcx"),
                    *folder = fresh_folder("edits/s3");
    g_autofree char *copy = g_build_filename(folder, "copy.md2", NULL);
    const uid_t user = geteuid();
    ViewerWindow *window = open_edited(path);
    assert_int_equal(g_chmod(folder, 0555), 0);
    if (user == 0)
        assert_int_equal(seteuid(65534), 0);
    save_to(window, copy);
    const bool shown = error_is_shown(window);
    if (user == 0)
        assert_int_equal(seteuid(user), 0);
    assert_int_equal(g_chmod(folder, 0755), 0);
    assert_true(shown);
    assert_int_equal(count_files(folder), 0);
    expect_title(window, "• s3.md2");
    save_to(window, copy);
    assert_int_equal(count_files(folder), 2);
    expect_title(window, "s3.md2");
    end(window);
}

/* A full disk, as a limit of the size of files: nothing is left, and an old copy stays. */
TEST(test_full_disk) {
    g_autofree char *path = make_tick("edits/s4.md2", "models/a.pcx"),
                    *folder = fresh_folder("edits/s4");
    g_autofree char *copy = g_build_filename(folder, "copy.md2", NULL);
    g_autofree char *clips = g_strconcat(copy, ".framegroups", NULL);
    struct rlimit before, small;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    ViewerWindow *window = open_edited(path);
    for (unsigned i = 0; i < 2; i++) { /* the clips file does not fit, or the model */
        small = before, small.rlim_cur = i == 0 ? 10 : 1000;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        g_action_group_activate_action(G_ACTION_GROUP(window), "save-copy-to",
                                       g_variant_new_string(copy));
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        settle(window);
        assert_true(error_is_shown(window));
        assert_int_equal(count_files(folder), 0);
        expect_title(window, "• s4.md2");
    }
    copy_file(path, copy);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    g_action_group_activate_action(G_ACTION_GROUP(window), "save-copy-to",
                                   g_variant_new_string(copy));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    settle(window);
    expect_equal_files(path, copy, true);
    assert_false(g_file_test(clips, G_FILE_TEST_EXISTS));
    end(window);
}

/* The file that a link leads to is replaced, and the link and the permissions stay. */
TEST(test_links) {
    g_autofree char *path = make_tick("edits/s5.md2", "models/a.pcx"),
                    *folder = fresh_folder("edits/s5");
    g_autofree char *target = g_build_filename(folder, "target.md2", NULL);
    g_autofree char *link = g_build_filename(folder, "link.md2", NULL);
    g_autofree char *own = g_build_filename(folder, "own.md2", NULL);
    GStatBuf info;
    copy_file(path, target);
    assert_int_equal(g_chmod(target, 0640), 0);
    assert_int_equal(symlink("target.md2", link), 0);
    assert_int_equal(symlink(path, own), 0);
    ViewerWindow *window = open_edited(path);
    save_to(window, own); /* leads to the original */
    assert_true(error_is_shown(window));
    save_to(window, link);
    assert_true(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
    expect_equal_files(path, target, false);
    expect_equal_files(link, target, true);
    assert_int_equal(g_stat(target, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    end(window);
    /* The original is a link, too. */
    window = open_edited(link);
    act(window, "win.rename((uint32 0, uint32 0, uint32 0, 'models/c.pcx'))");
    copy_file(target, own = (g_free(own), g_build_filename(folder, "before.md2", NULL)));
    act(window, "win.replace-original");
    answer(window, GTK_RESPONSE_ACCEPT);
    assert_true(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
    expect_equal_files(own, target, false);
    assert_int_equal(g_stat(target, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    end(window);
}

/* Saves in another process, which the call `at` kills. Returns its exit status. */
static int save_and_die(ViewerWindow *window, const char *path, int at) {
    int status = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        kill_at = at;
        g_action_group_activate_action(G_ACTION_GROUP(window), "save-copy-to",
                                       g_variant_new_string(path));
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* The copy is the old one or the new one, whichever call the program is killed in. */
TEST(test_killed) {
    g_autofree char *path = make_tick("edits/s6.md2", "models/a.pcx"),
                    *folder = fresh_folder("edits/s6");
    g_autofree char *copy = g_build_filename(folder, "copy.md2", NULL);
    g_autofree char *fresh = g_build_filename(folder, "fresh.md2", NULL);
    g_autofree char *clips = g_strconcat(fresh, ".framegroups", NULL), *text = NULL;
    int calls = 0, old = 0;
    ViewerWindow *window = open_edited(path);
    save_to(window, fresh);
    assert_true(g_file_get_contents(clips, &text, NULL, NULL));
    for (bool done = false; !done; calls++) {
        g_autofree char *copied = g_strconcat(copy, ".framegroups", NULL), *found = NULL;
        g_unlink(copied);
        copy_file(path, copy);
        done = save_and_die(window, copy, calls + 1) == 0;
        gsize size, size_old, size_new;
        g_autofree char *is, *was, *now;
        assert_true(g_file_get_contents(copy, &is, &size, NULL));
        assert_true(g_file_get_contents(path, &was, &size_old, NULL));
        assert_true(g_file_get_contents(fresh, &now, &size_new, NULL));
        const bool is_old = size == size_old && memcmp(is, was, size) == 0;
        assert_true(is_old || (size == size_new && memcmp(is, now, size) == 0));
        assert_true(!done || !is_old);
        old += is_old;
        if (g_file_get_contents(copied, &found, NULL, NULL))
            assert_string_equal(found, text);
        else
            assert_true(is_old); /* the clips file is written first */
    }
    assert_true(old >= 4 && calls > old);
    end(window);
}

/* Answers the file dialog: with the suggested name, or not at all. */
static void choose(int response) {
    const gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
    gint64 read = 0; /* until then, the dialog reads the folder */
    for (bool answered = false; !answered || find_chooser();) {
        assert_true(g_get_monotonic_time() < end);
        run_shortly();
        if (!find_chooser() || answered)
            continue;
        read = read ? read : g_get_monotonic_time() + G_USEC_PER_SEC / 2;
        answered = g_get_monotonic_time() > read;
        if (answered)
            gtk_dialog_response(GTK_DIALOG(find_chooser()), response);
    }
}

/* Opening another model asks; the copy is saved first, and its clips file after a question. */
TEST(test_question) {
    g_autofree char *folder = fresh_folder("edits/s7"),
                    *path = make_tick("edits/s7/a.md2", "models/a.pcx");
    g_autofree char *other = make_tick("edits/s8.md2", "models/a.pcx");
    g_autofree char *copy = g_build_filename(folder, "a-edited.md2", NULL);
    g_autofree char *clips = g_strconcat(copy, ".framegroups", NULL);
    OWNED(ViewerWindow) *window = open_edited(path);
    open_path(window, other);
    answer(window, GTK_RESPONSE_YES);
    choose(GTK_RESPONSE_CANCEL);
    expect_title(window, "• a.md2");
    assert_int_equal(count_files(folder), 1);
    assert_true(g_file_set_contents(clips, "other", -1, NULL));
    open_path(window, other);
    answer(window, GTK_RESPONSE_YES);
    choose(GTK_RESPONSE_ACCEPT);
    answer(window, GTK_RESPONSE_CANCEL);
    expect_title(window, "• a.md2");
    assert_int_equal(count_files(folder), 2);
    open_path(window, other);
    answer(window, GTK_RESPONSE_YES);
    choose(GTK_RESPONSE_ACCEPT);
    answer(window, GTK_RESPONSE_ACCEPT);
    settle(window);
    expect_title(window, "s8.md2");
    assert_int_equal(count_files(folder), 3);
    open_path(window, copy);
    assert_true(window->doc->clips[1].clip.fps == 20);
    assert_null(window->edits);
}

/* So does closing the window, which then ends. */
TEST(test_closing) {
    g_autofree char *folder = fresh_folder("edits/s9"),
                    *path = make_tick("edits/s9/a.md2", "models/a.pcx");
    ViewerWindow *window = open_edited(path);
    g_object_add_weak_pointer(G_OBJECT(window), (gpointer *)&window);
    gtk_window_close(GTK_WINDOW(window));
    settle(window);
    answer(window, GTK_RESPONSE_YES);
    choose(GTK_RESPONSE_ACCEPT);
    for (int i = 0; i < 20000 && window; i++)
        run_shortly();
    assert_null(window);
    assert_int_equal(count_files(folder), 3);
}

TEST_GROUP(start_viewer, end_viewer)
