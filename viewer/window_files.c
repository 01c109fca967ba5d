/* Opening files, and the pictures that the window writes. */
#include "display_text.h"
#include "internals.h"
#include "lerpmesh/image.h"
#include "text.h"
#include "window_private.h"

#include <string.h>

/* ---- Opening ------------------------------------------------------------------------------- */

static void open_answered(GtkNativeDialog *dialog, int response, ViewerWindow *w) {
    if (response == GTK_RESPONSE_ACCEPT) {
        g_autoptr(GListModel) files = gtk_file_chooser_get_files(GTK_FILE_CHOOSER(dialog));
        guint count = g_list_model_get_n_items(files);
        g_auto(GStrv) paths = g_new0(char *, count + 1);
        for (guint i = 0, n = 0; i < count; i++) {
            g_autoptr(GFile) file = g_list_model_get_item(files, i);
            char *path = g_file_get_path(file);
            if (path)
                paths[n++] = path;
        }
        if (paths[0]) {
            g_autofree char *folder = g_path_get_dirname(paths[0]);
            window_remember_folder(folder);
        }
        viewer_window_open(w, (const char *const *)paths);
    }
    g_object_unref(dialog);
}

static void add_filter(GtkFileChooser *chooser, const char *name, const char *const *suffixes) {
    g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
    gtk_file_filter_set_name(filter, name);
    for (; suffixes && *suffixes; suffixes++)
        gtk_file_filter_add_suffix(filter, *suffixes);
    if (!suffixes)
        gtk_file_filter_add_pattern(filter, "*");
    gtk_file_chooser_add_filter(chooser, filter);
}

void window_ask_folder(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    GtkFileChooserNative *dialog =
        gtk_file_chooser_native_new(_("Open folder"), GTK_WINDOW(w),
                                    GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, TEXT_OPEN, TEXT_CANCEL);
    gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(dialog), TRUE);
    window_start_near(GTK_FILE_CHOOSER(dialog), w->doc);
    window_show_chooser(dialog, G_OBJECT(w), G_CALLBACK(open_answered));
}

void window_ask_open(GSimpleAction *action, GVariant *parameter, gpointer user) {
    static const char *const archives[] = {"pak", "pk3", "zip", NULL};
    ViewerWindow *w = user;
    g_autoptr(GPtrArray) suffixes = g_ptr_array_new();
    for (uint32_t i = 0; lm_format_at(i); i++)
        g_ptr_array_add(suffixes, (void *)lm_format_at(i)->extension);
    for (size_t i = 0; i < G_N_ELEMENTS(archives); i++) /* including the NULL */
        g_ptr_array_add(suffixes, (void *)archives[i]);
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        _("Open"), GTK_WINDOW(w), GTK_FILE_CHOOSER_ACTION_OPEN, TEXT_OPEN, TEXT_CANCEL);
    gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(dialog), TRUE);
    add_filter(GTK_FILE_CHOOSER(dialog), _("Models and archives"),
               (const char *const *)suffixes->pdata);
    add_filter(GTK_FILE_CHOOSER(dialog), _("All files"), NULL);
    window_start_near(GTK_FILE_CHOOSER(dialog), w->doc);
    window_show_chooser(dialog, G_OBJECT(w), G_CALLBACK(open_answered));
}

static void game_answered(GtkNativeDialog *dialog, int response, ViewerWindow *w) {
    g_autofree char *path = window_answer(dialog, response);
    if (path)
        window_set_game(w, path);
}

void window_ask_game(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        _("Game folder"), GTK_WINDOW(w), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Select"),
        TEXT_CANCEL);
    window_start_in(GTK_FILE_CHOOSER(dialog), w->request.games ? w->request.games[0]
                                              : w->doc         ? w->doc->assets->game
                                                               : NULL);
    window_show_chooser(dialog, G_OBJECT(w), G_CALLBACK(game_answered));
}

/* ---- Pictures ------------------------------------------------------------------------------ */

char *window_write_picture(ViewerWindow *w, const char *path, uint32_t width, uint32_t height,
                           bool transparent) {
    lm_error error;
    lm_buffer png = {0};
    char *message = NULL;
    g_autofree uint8_t *pixels = viewer_stage_image(w->stage, width, height, transparent, &message);
    if (pixels &&
        !(lm_pixels_write(pixels, width, height, LM_PIXELS_PNG, NULL, &png, &error) &&
          lm_file_write(&(lm_file_output){.path = path, .data = png.data, .size = png.size}, 1,
                        false, &error)))
        message = display_message(error.code, error.message);
    lm_buffer_free(&png);
    return message;
}

void window_copy_picture(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    uint32_t width, height;
    g_autofree char *message = NULL;
    viewer_stage_size(w->stage, &width, &height);
    uint8_t *pixels = viewer_stage_image(w->stage, width, height, false, &message);
    if (!pixels) {
        window_show_error(w, message, NULL, false);
        return;
    }
    const size_t stride = (size_t)width * 4;
    g_autoptr(GBytes) bytes = g_bytes_new_take(pixels, stride * height);
    g_autoptr(GdkTexture) texture =
        gdk_memory_texture_new((int)width, (int)height, GDK_MEMORY_R8G8B8A8, bytes, stride);
    gdk_clipboard_set_texture(gtk_widget_get_clipboard(GTK_WIDGET(w)), texture);
    window_show_status(w, _("The picture is in the clipboard"));
}

/* Returns "cobra-tris-3.png" in the pictures folder, with the first unused number. */
static char *unused_name(const ViewerWindow *w) {
    const char *folder = g_get_user_special_dir(G_USER_DIRECTORY_PICTURES);
    char *name = NULL;
    if (!folder || !g_file_test(folder, G_FILE_TEST_IS_DIR))
        folder = g_get_home_dir();
    for (unsigned n = 1; !name || g_file_test(name, G_FILE_TEST_EXISTS); n++) {
        g_free(name);
        name = g_strdup_printf("%s/%s-%u.png", folder, w->doc->file_name, n);
    }
    return name;
}

static void take_screenshot(ViewerWindow *w, const char *path) {
    uint32_t width, height;
    viewer_stage_size(w->stage, &width, &height);
    g_autofree char *error = window_write_picture(w, path, width, height, false);
    window_show_result(w, path, error);
}

void window_screenshot_to(GSimpleAction *action, GVariant *parameter, gpointer user) {
    take_screenshot(user, g_variant_get_string(parameter, NULL));
}

void window_screenshot(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    if (!w->doc)
        return;
    g_autofree char *path = unused_name(w);
    take_screenshot(w, path);
}
