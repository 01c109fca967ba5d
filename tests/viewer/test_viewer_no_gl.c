/* Tests the viewer where OpenGL does not work, neither in its window nor for thumbnails. */

#include "grid.h"
#include "viewer_support.h"

static GtkWidget *grid_of(ViewerWindow *window) {
    return find_type(GTK_WIDGET(window), g_type_from_name("ViewerGrid"));
}

static char *samples(void) {
    char *model = scratch_file("no-gl/a.mdl"), *folder = g_path_get_dirname(model);
    copy_sample("samples/tick_torch.mdl", "no-gl/a.mdl");
    copy_sample("samples/tick_torch.mdl", "no-gl/b.mdl");
    g_free(model);
    return folder;
}

/* The grid has names, facts, icons in place of thumbnails, and the reason. */
TEST(test_grid) {
    g_autofree char *folder = samples();
    OWNED(ViewerWindow) *window = open_window(760, 540);
    set(window, "thumbnails", "true");
    open_path(window, folder);
    GtkWidget *view = find_type(grid_of(window), g_type_from_name("GtkGridView"));
    GtkWidget *cell = gtk_widget_get_first_child(gtk_widget_get_first_child(view));
    GtkWidget *caption = gtk_widget_get_last_child(cell);
    GtkWidget *mark = find_type(cell, g_type_from_name("GtkImage"));
    GtkWidget *notice = gtk_widget_get_first_child(grid_of(window));
    assert_string_equal(gtk_label_get_text(GTK_LABEL(gtk_widget_get_prev_sibling(caption))),
                        "a.mdl");
    assert_string_equal(gtk_label_get_text(GTK_LABEL(caption)), "7 frames");
    assert_true(gtk_widget_get_mapped(mark));
    assert_string_equal(gtk_image_get_icon_name(GTK_IMAGE(mark)), "image-missing-symbolic");
    assert_true(gtk_widget_get_mapped(notice));
    assert_true(g_str_has_prefix(gtk_label_get_text(GTK_LABEL(notice)), "There are no thumbnails"));
    act(window, "win.model(uint32 1)");
    expect_title(window, "b.mdl");
    act(window, "win.next");
    expect_title(window, "a.mdl");
}

TEST_GROUP(start_viewer, end_viewer)

int main(void) {
    g_setenv("GDK_DEBUG", "gl-disable", TRUE);
    g_setenv("__EGL_VENDOR_LIBRARY_DIRS", "/nowhere", TRUE);
    return run_test_list();
}
