/* Tests the window in German: no label of damaged models has English words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "languages.h"
#include "viewer_support.h"

/* Returns the number of labels. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as widgets are nested
static guint check_labels(GtkWidget *root) {
    guint count = GTK_IS_LABEL(root) ? 1 : 0;
    if (count)
        expect_no_english(gtk_label_get_text(GTK_LABEL(root)));
    if (gtk_widget_get_tooltip_text(root))
        expect_no_english(gtk_widget_get_tooltip_text(root));
    for (GtkWidget *child = gtk_widget_get_first_child(root); child;
         child = gtk_widget_get_next_sibling(child))
        count += check_labels(child);
    return count;
}

/* Opens a file, with repairs if it needs them, and checks a page of the side panel. */
static void check_path(ViewerWindow *window, const char *path, const char *page) {
    open_path(window, path);
    if (error_is_shown(window))
        expect_no_english(error_text(window));
    if (is_enabled(window, "win.open-repaired"))
        act(window, "win.open-repaired");
    set(window, "page", page);
    assert_true(check_labels(GTK_WIDGET(window)) > 20);
}

static void test_damaged_files(void **state) {
    static const gsize sizes[] = {0, 60, 2000, 30000};
    char *tick = source_file("samples/tick.md2"), *bytes, *none = source_file("none.md2"),
         *page = source_file("README.md"), *folder = source_file("tests/viewer");
    (void)state;
    USE_LANGUAGE("de");
    ViewerWindow *window = open_window(640, 480);
    assert_true(g_file_get_contents(tick, &bytes, NULL, NULL));
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        char *cut = scratch_file("german/cut.md2");
        assert_true(g_file_set_contents(cut, bytes, (gssize)sizes[i], NULL));
        check_path(window, cut, "'info'");
        check_path(window, cut, "'problems'");
        g_free(cut);
    }
    check_path(window, none, "'problems'");
    check_path(window, page, "'problems'");
    check_path(window, folder, "'problems'");
    close_window(window);
    g_free(bytes), g_free(folder), g_free(page), g_free(none), g_free(tick);
}

static guint check_folder(ViewerWindow *window, const char *folder) {
    char **files = corpus_files(folder);
    guint count = 0;
    for (char **model = files; *model; model++) {
        char *name = g_path_get_basename(*model);
        if (strstr(name, ".md")) {
            check_path(window, *model, "'problems'");
            count++;
        }
        g_free(name);
    }
    g_strfreev(files);
    return count;
}

static void test_corpus(void **state) {
    (void)state;
    if (!g_getenv("LERPMESH_CORPUS"))
        SKIP("LERPMESH_CORPUS is not set");
    USE_LANGUAGE("de");
    ViewerWindow *window = open_window(640, 480);
    assert_true(check_folder(window, "attack") > 5);
    assert_true(check_folder(window, "broken") > 1);
    close_window(window);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_damaged_files),
                                       cmocka_unit_test(test_corpus)};
    use_language("de"); /* before GTK reads it */
    return cmocka_run_group_tests(tests, start_viewer, end_viewer);
}
