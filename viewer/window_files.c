/* File dialogs, and the files that the window writes. */
#include "internals.h"
#include "text.h"
#include "window_private.h"

#include <string.h>

/* ---- Opening ------------------------------------------------------------------------------- */

static void open_answered(GtkNativeDialog *dialog, int response, ViewerWindow *w) {
    if (response == GTK_RESPONSE_ACCEPT) {
        GListModel *files = gtk_file_chooser_get_files(GTK_FILE_CHOOSER(dialog));
        guint count = g_list_model_get_n_items(files);
        char **paths = g_new0(char *, count + 1);
        for (guint i = 0, n = 0; i < count; i++) {
            GFile *file = g_list_model_get_item(files, i);
            char *path = g_file_get_path(file);
            if (path)
                paths[n++] = path;
            g_object_unref(file);
        }
        viewer_window_open(w, (const char *const *)paths);
        g_strfreev(paths);
        g_object_unref(files);
    }
    g_object_unref(dialog);
}

static void add_filter(GtkFileChooser *chooser, const char *name, const char *const *suffixes) {
    GtkFileFilter *filter = gtk_file_filter_new();
    gtk_file_filter_set_name(filter, name);
    for (; suffixes && *suffixes; suffixes++)
        gtk_file_filter_add_suffix(filter, *suffixes);
    if (!suffixes)
        gtk_file_filter_add_pattern(filter, "*");
    gtk_file_chooser_add_filter(chooser, filter);
    g_object_unref(filter);
}

static void show_dialog(ViewerWindow *w, GtkFileChooserNative *dialog, GCallback answered) {
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    g_signal_connect_object(dialog, "response", answered, w, 0);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

void window_ask_open(GSimpleAction *action, GVariant *parameter, gpointer user) {
    static const char *const archives[] = {"pak", "pk3", "zip", NULL};
    ViewerWindow *w = user;
    GPtrArray *suffixes = g_ptr_array_new();
    for (uint32_t i = 0; i < lm_format_count(); i++)
        g_ptr_array_add(suffixes, (void *)lm_format_at(i)->extension);
    for (size_t i = 0; i < G_N_ELEMENTS(archives); i++) /* including the NULL */
        g_ptr_array_add(suffixes, (void *)archives[i]);
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        TEXT_OPEN_TITLE, GTK_WINDOW(w), GTK_FILE_CHOOSER_ACTION_OPEN, TEXT_OPEN, TEXT_CANCEL);
    (void)action, (void)parameter;
    gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(dialog), TRUE);
    add_filter(GTK_FILE_CHOOSER(dialog), TEXT_MODELS_AND_ARCHIVES,
               (const char *const *)suffixes->pdata);
    g_ptr_array_unref(suffixes);
    add_filter(GTK_FILE_CHOOSER(dialog), TEXT_ALL_FILES, NULL);
    show_dialog(w, dialog, G_CALLBACK(open_answered));
}

/* Returns the selected path, NULL: none, and frees the dialog. Free it with g_free. */
static char *answer_of(GtkNativeDialog *dialog, int response) {
    char *path = NULL;
    if (response == GTK_RESPONSE_ACCEPT) {
        GFile *file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
        path = g_file_get_path(file);
        g_object_unref(file);
    }
    g_object_unref(dialog);
    return path;
}

static void game_answered(GtkNativeDialog *dialog, int response, ViewerWindow *w) {
    char *path = answer_of(dialog, response);
    if (path)
        window_set_game(w, path);
    g_free(path);
}

/* Starts the dialog in the current game folder. */
static void show_game(const ViewerWindow *w, GtkFileChooser *chooser) {
    const char *folder = w->request.games ? w->request.games[0]
                         : w->doc         ? w->doc->assets->game
                                          : NULL;
    if (folder && lm_vfs_is_folder(w->shared_vfs->vfs, folder)) {
        GFile *file = g_file_new_for_path(folder);
        gtk_file_chooser_set_current_folder(chooser, file, NULL);
        g_object_unref(file);
    }
}

void window_ask_game(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        TEXT_GAME_FOLDER, GTK_WINDOW(w), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, TEXT_SELECT,
        TEXT_CANCEL);
    (void)action, (void)parameter;
    show_game(w, GTK_FILE_CHOOSER(dialog));
    show_dialog(w, dialog, G_CALLBACK(game_answered));
}

/* ---- Screenshots --------------------------------------------------------------------------- */

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

/* `error` NULL: the file was written. */
static void show_result(ViewerWindow *w, const char *path, const char *error) {
    char *shown = g_filename_display_name(path);
    char *message = g_strdup_printf(TEXT_SAVED, shown);
    if (error)
        window_show_error(w, error, NULL, false);
    else
        window_show_status(w, message);
    g_free(message);
    g_free(shown);
}

static void take_screenshot(ViewerWindow *w, const char *path) {
    char *error = viewer_stage_screenshot(w->stage, path);
    show_result(w, path, error);
    g_free(error);
}

void window_screenshot_to(GSimpleAction *action, GVariant *parameter, gpointer user) {
    (void)action;
    take_screenshot(user, g_variant_get_string(parameter, NULL));
}

void window_screenshot(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    (void)action, (void)parameter;
    if (!w->doc)
        return;
    char *path = unused_name(w);
    take_screenshot(w, path);
    g_free(path);
}

/* ---- Exporting ----------------------------------------------------------------------------- */

typedef struct export_job {
    window_job base;
    document *doc;
    char *path;
    bool with_skeleton;
    char *message; /* NULL: success */
} export_job;

static void clear_export(window_job *base) {
    export_job *job = (export_job *)base;
    document_unref(job->doc);
    g_free(job->path);
    g_free(job->message);
}

static void run_export(window_job *base) {
    export_job *job = (export_job *)base;
    job->message = document_export(job->doc, job->path, job->with_skeleton);
}

static void export_finished(ViewerWindow *w, window_job *base) {
    export_job *job = (export_job *)base;
    show_result(w, job->path, job->message);
}

/* Appends .glb unless the name already ends with it. */
static char *with_glb_extension(const char *path) {
    return g_str_has_suffix(path, ".glb") || g_str_has_suffix(path, ".GLB")
               ? g_strdup(path)
               : g_strconcat(path, ".glb", NULL);
}

static void export_to(ViewerWindow *w, const char *path) {
    if (!w->doc)
        return;
    export_job *job = g_new0(export_job, 1);
    job->base = (window_job){.run = run_export, .done = export_finished, .clear = clear_export};
    job->doc = document_ref(w->doc);
    job->with_skeleton = viewer_stage_options(w->stage)->bones;
    job->path = with_glb_extension(path);
    window_run(w, &job->base);
}

void window_export_to(GSimpleAction *action, GVariant *parameter, gpointer user) {
    (void)action;
    export_to(user, g_variant_get_string(parameter, NULL));
}

static void export_answered(GtkNativeDialog *dialog, int response, ViewerWindow *w) {
    char *path = answer_of(dialog, response);
    if (path)
        export_to(w, path);
    g_free(path);
}

void window_ask_export(GSimpleAction *action, GVariant *parameter, gpointer user) {
    static const char *const suffixes[] = {"glb", NULL};
    ViewerWindow *w = user;
    (void)action, (void)parameter;
    if (!w->doc)
        return;
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        TEXT_EXPORT_TITLE, GTK_WINDOW(w), GTK_FILE_CHOOSER_ACTION_SAVE, TEXT_EXPORT, TEXT_CANCEL);
    char *name = g_strdup_printf("%s.glb", w->doc->file_name);
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
    add_filter(GTK_FILE_CHOOSER(dialog), TEXT_BINARY_GLTF, suffixes);
    show_dialog(w, dialog, G_CALLBACK(export_answered));
    g_free(name);
}
