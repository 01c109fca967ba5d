/* Saving an edited model, and the question about unsaved changes. */
#include "internals.h"
#include "lerpmesh/files.h"
#include "message_text.h"
#include "text.h"
#include "window_private.h"

#include <glib/gstdio.h>
#include <string.h>

bool window_is_edited(const ViewerWindow *w) {
    return edits_unsaved(w->edits);
}

void window_drop_edits(ViewerWindow *w) {
    g_clear_pointer(&w->edits, edits_free);
    g_clear_pointer(&w->request.edited, g_bytes_unref);
}

static bool write_file(ViewerWindow *w, const char *path) {
    gsize size;
    lm_error error;
    const void *data = g_bytes_get_data(edits_bytes(w->edits), &size);
    const bool written = lm_file_write(path, data, size, &error);
    char *failure = written ? NULL : message_text(error.message);
    window_show_result(w, path, failure);
    g_free(failure);
    return written;
}

/* Returns whether both paths lead to one file. */
static bool is_same_file(const char *a, const char *b) {
    char *x = g_canonicalize_filename(a, NULL), *y = g_canonicalize_filename(b, NULL);
    GStatBuf of_a, of_b;
    const bool same =
        strcmp(x, y) == 0 || (g_stat(a, &of_a) == 0 && g_stat(b, &of_b) == 0 &&
                              of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino);
    g_free(x), g_free(y);
    return same;
}

/* Saves a copy. Never writes to the model's own file, or to the archive that it is in. */
static bool save_copy(ViewerWindow *w, const char *path) {
    const char *own = w->request.path;
    size_t archive = lm_vfs_archive_length(w->doc->shared_vfs->vfs, own);
    char *file = archive > 0 ? g_strndup(own, archive) : g_strdup(own);
    const bool same = is_same_file(path, file);
    g_free(file);
    if (same) {
        window_show_error(w, TEXT_COPY_IS_ORIGINAL, NULL, false);
        return false;
    }
    if (!write_file(w, path))
        return false;
    edits_mark_saved(w->edits);
    window_show_title(w);
    return true;
}

void window_save_copy_to(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    (void)action;
    if (w->doc && edits_bytes(w->edits))
        save_copy(w, g_variant_get_string(parameter, NULL));
}

/* ---- The dialogs ----------------------------------------------------------------------------- */

/* A continuation after the changes are saved or discarded; `go` NULL: none. */
typedef struct unsaved {
    ViewerWindow *w;
    window_go go;
    gpointer data;
    GDestroyNotify free_data;
} unsaved;

static void free_unsaved(gpointer user, GClosure *closure) {
    unsaved *u = user;
    (void)closure;
    if (u->free_data)
        u->free_data(u->data);
    g_object_unref(u->w);
    g_free(u);
}

static void go_on(unsaved *u) {
    if (u->go)
        u->go(u->w, u->data);
}

static void copy_chosen(GtkNativeDialog *dialog, int response, unsaved *u) {
    char *path = window_answer(dialog, response);
    if (path && u->w->stage && edits_bytes(u->w->edits) && save_copy(u->w, path))
        go_on(u);
    g_free(path);
}

/* Returns "tris-edited.md2". */
static char *suggest_name(const ViewerWindow *w) {
    size_t length;
    lm_vfs *vfs = w->doc->shared_vfs->vfs;
    const char *stem = lm_vfs_stem(vfs, w->request.path, &length);
    char *text =
        g_strdup_printf("%.*s-edited%s", (int)length, stem, lm_vfs_extension(vfs, w->request.path));
    char *valid = g_filename_display_name(text);
    g_free(text);
    return valid;
}

static void ask_copy(ViewerWindow *w, unsaved *u) {
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        TEXT_SAVE_COPY_TITLE, GTK_WINDOW(w), GTK_FILE_CHOOSER_ACTION_SAVE, TEXT_SAVE, TEXT_CANCEL);
    char *name = suggest_name(w);
    window_start_near(GTK_FILE_CHOOSER(dialog), w->doc);
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
    g_free(name);
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    g_signal_connect_data(dialog, "response", G_CALLBACK(copy_chosen), u, free_unsaved, 0);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

void window_save_copy(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    (void)action, (void)parameter;
    if (!w->doc || !edits_bytes(w->edits))
        return;
    unsaved *u = g_new0(unsaved, 1);
    u->w = g_object_ref(w);
    ask_copy(w, u);
}

static void unsaved_answered(GtkDialog *dialog, int response, unsaved *u) {
    ViewerWindow *w = u->w;
    if (response == GTK_RESPONSE_YES) {
        unsaved *then = g_memdup2(u, sizeof *u);
        g_object_ref(w);
        u->free_data = NULL; /* the copy owns the data */
        ask_copy(w, then);
    } else if (response == GTK_RESPONSE_NO) {
        window_drop_edits(w);
        go_on(u);
    }
    gtk_window_destroy(GTK_WINDOW(dialog));
}

static GtkWidget *new_question(ViewerWindow *w, const char *question, const char *more) {
    GtkWidget *dialog =
        gtk_message_dialog_new(GTK_WINDOW(w), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                               GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "%s", question);
    gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(dialog), "%s", more);
    gtk_dialog_add_button(GTK_DIALOG(dialog), TEXT_CANCEL, GTK_RESPONSE_CANCEL);
    return dialog;
}

bool window_ask_unsaved(ViewerWindow *w, window_go go, gpointer data, GDestroyNotify free_data) {
    if (!window_is_edited(w))
        return false;
    unsaved *u = g_new0(unsaved, 1);
    *u = (unsaved){g_object_ref(w), go, data, free_data};
    GtkWidget *dialog = new_question(w, TEXT_UNSAVED, w->doc->title);
    gtk_dialog_add_button(GTK_DIALOG(dialog), TEXT_DISCARD, GTK_RESPONSE_NO);
    gtk_dialog_add_button(GTK_DIALOG(dialog), TEXT_SAVE_COPY, GTK_RESPONSE_YES);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_YES);
    g_signal_connect_data(dialog, "response", G_CALLBACK(unsaved_answered), u, free_unsaved, 0);
    gtk_window_present(GTK_WINDOW(dialog));
    return true;
}

/* ---- Replacing the original ------------------------------------------------------------------ */

static void replace_answered(GtkDialog *dialog, int response, ViewerWindow *w) {
    const bool replace = response == GTK_RESPONSE_ACCEPT && edits_bytes(w->edits);
    if (replace && !edits_begin_at(w->edits, w->request.path)) {
        window_show_error(w, TEXT_ORIGINAL_CHANGED, NULL, false);
    } else if (replace && write_file(w, w->request.path)) {
        window_drop_edits(w);
        gtk_widget_activate_action(GTK_WIDGET(w), "win.reload", NULL);
    }
    gtk_window_destroy(GTK_WINDOW(dialog));
}

void window_replace_original(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    (void)action, (void)parameter;
    if (!w->doc || !edits_bytes(w->edits))
        return;
    if (lm_vfs_archive_length(w->doc->shared_vfs->vfs, w->request.path) > 0) {
        window_show_error(w, TEXT_IN_ARCHIVE, NULL, false);
        return;
    }
    char *shown = g_filename_display_name(w->request.path);
    GtkWidget *dialog = new_question(w, TEXT_REPLACE_QUESTION, shown);
    g_free(shown);
    gtk_dialog_add_button(GTK_DIALOG(dialog), TEXT_REPLACE, GTK_RESPONSE_ACCEPT);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_CANCEL);
    g_signal_connect_object(dialog, "response", G_CALLBACK(replace_answered), w, 0);
    gtk_window_present(GTK_WINDOW(dialog));
}
