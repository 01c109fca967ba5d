/* Dialogs: those of .ui files, those that choose files, and their results. */
#include "text.h"
#include "window_private.h"

void window_build_dialog(ViewerWindow *w, const char *file, const dialog_widget *widgets,
                         size_t count, gpointer data, GDestroyNotify free_data) {
    g_autofree char *path = g_strconcat("/org/lerpmesh/Viewer/", file, NULL);
    g_autoptr(GtkBuilder) builder = gtk_builder_new_from_resource(path);
    GtkEventController *keys = gtk_shortcut_controller_new();
    for (size_t i = 0; i < count; i++)
        *widgets[i].place = GTK_WIDGET(gtk_builder_get_object(builder, widgets[i].name));
    GtkWidget *dialog = *widgets[0].place;
    g_object_set_data_full(G_OBJECT(dialog), "dialog", data, free_data);
    gtk_window_set_transient_for(GTK_WINDOW(dialog), GTK_WINDOW(w));
    gtk_window_set_modal(GTK_WINDOW(dialog), TRUE);
    gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(keys),
                                         gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0),
                                                          gtk_named_action_new("window.close")));
    gtk_widget_add_controller(dialog, keys);
}

void window_show_chooser(GtkFileChooserNative *dialog, GObject *owner, GCallback answered) {
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    g_signal_connect_object(dialog, "response", answered, owner, 0);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

void window_start_in(GtkFileChooser *chooser, const char *folder) {
    if (folder && g_file_test(folder, G_FILE_TEST_IS_DIR)) {
        g_autoptr(GFile) file = g_file_new_for_path(folder);
        gtk_file_chooser_set_current_folder(chooser, file, NULL);
    }
}

void window_start_near(GtkFileChooser *chooser, const document *doc) {
    g_autofree char *folder = doc ? document_folder(doc) : window_last_folder();
    window_start_in(chooser, folder);
}

char *window_answer(GtkNativeDialog *dialog, int response) {
    char *path = NULL;
    if (response == GTK_RESPONSE_ACCEPT) {
        g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
        path = g_file_get_path(file);
    }
    g_object_unref(dialog);
    return path;
}

void window_show_result(ViewerWindow *w, const char *path, const char *error) {
    g_autofree char *shown = g_filename_display_name(path);
    g_autofree char *message = g_strdup_printf(TEXT_SAVED, shown);
    if (error)
        window_show_error(w, error, NULL, false);
    else
        window_show_status(w, message);
}
