/* Saving an edited model, and the question about unsaved changes. */
#include "display_text.h"
#include "internals.h"
#include "lerpmesh/files.h"
#include "text.h"
#include "window_private.h"

#include <glib/gstdio.h>
#include <string.h>

bool window_is_edited(const ViewerWindow *w) {
    return edits_unsaved(w->edits);
}

void window_drop_edits(ViewerWindow *w) {
    g_clear_pointer(&w->edits, edits_free);
    g_clear_pointer(&w->request.edited, g_hash_table_unref);
}

/* Writes a file; of a link, the one that it leads to. */
static bool write_bytes(const char *path, GBytes *bytes, lm_error *error) {
    gsize size;
    const void *data = g_bytes_get_data(bytes, &size);
    lm_buffer target = {0};
    const bool found = lmi_path_follow(path, &target) ||
                       lm_fail_plain(error, LM_CODE_OK, "%s", TEXT_OUT_OF_MEMORY);
    const bool written = found && lm_file_write(&(lm_file_output){.path = (const char *)target.data,
                                                                  .data = data,
                                                                  .size = size},
                                                1, false, error);
    lm_buffer_free(&target);
    return written;
}

/* Writes files, each of which is the old or the new one at any time. If one cannot be written,
 * those that did not exist are removed. */
static bool write_files(ViewerWindow *w, const GPtrArray *files) {
    lm_error error;
    bool written = true, is_new[2 * LM_MAX_PARTS];
    guint count = 0;
    for (; written && count < MIN(files->len, G_N_ELEMENTS(is_new)); count++) {
        const saved_file *file = g_ptr_array_index(files, count);
        is_new[count] = !g_file_test(file->path, G_FILE_TEST_EXISTS);
        written = write_bytes(file->path, file->bytes, &error);
    }
    for (guint i = 0; !written && i + 1 < count; i++)
        if (is_new[i])
            g_unlink(((saved_file *)g_ptr_array_index(files, i))->path);
    if (written) { /* folders are listed again, with the new files */
        shared_vfs_unref(w->shared_vfs);
        w->shared_vfs = shared_vfs_new();
    }
    g_autofree char *failure = written ? NULL : display_message(error.code, error.message);
    if (count > 0)
        window_show_result(w, ((saved_file *)g_ptr_array_index(files, count - 1))->path, failure);
    return written;
}

/* Returns whether both paths lead to one file. */
static bool is_same_file(const char *a, const char *b) {
    g_autofree char *x = g_canonicalize_filename(a, NULL), *y = g_canonicalize_filename(b, NULL);
    GStatBuf of_a, of_b;
    return strcmp(x, y) == 0 || (g_stat(a, &of_a) == 0 && g_stat(b, &of_b) == 0 &&
                                 of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino);
}

/* Returns whether a path is that of an original, or of the archive that it is in. */
static bool is_original(ViewerWindow *w, const char *path) {
    bool same = false;
    for (guint i = 0; !same && i < edits_num_files(w->edits); i++) {
        const char *own = edits_file(w->edits, i)->path;
        size_t archive = lmi_vfs_archive_length(w->doc->shared_vfs->vfs, own);
        g_autofree char *file = archive > 0 ? g_strndup(own, archive) : g_strdup(own);
        same = is_same_file(path, file);
    }
    return same;
}

static void show_named(ViewerWindow *w, const char *message, const char *path) {
    g_autofree char *shown = g_filename_display_basename(path);
    g_autofree char *text = g_strdup_printf(message, shown);
    window_show_error(w, text, NULL, false);
}

/* A copy never replaces an original, nor another file of the copy. */
static bool may_copy(ViewerWindow *w, const GPtrArray *files) {
    for (guint i = 0; i < files->len; i++) {
        const saved_file *file = g_ptr_array_index(files, i);
        if (is_original(w, file->path)) {
            if (file->is_asked)
                window_show_error(w, TEXT_COPY_IS_ORIGINAL, NULL, false);
            else
                show_named(w, TEXT_COPY_REPLACES, file->path);
            return false;
        }
        for (guint k = 0; k < i; k++)
            if (is_same_file(file->path, ((saved_file *)g_ptr_array_index(files, k))->path)) {
                show_named(w,
                           _("Two of the changed files have the name %s. Undo the changes of one."),
                           file->path);
                return false;
            }
    }
    return true;
}

static bool write_copy(ViewerWindow *w, const GPtrArray *files) {
    if (!write_files(w, files))
        return false;
    edits_mark_saved(w->edits);
    window_show_title(w);
    return true;
}

/* ---- The dialogs ----------------------------------------------------------------------------- */

/* A continuation after the changes are saved or discarded; `go` NULL: none. */
typedef struct unsaved {
    ViewerWindow *w;
    window_go go;
    gpointer data;
    GDestroyNotify free_data;
} unsaved;

static void clear_unsaved(void *user) {
    unsaved *u = user;
    if (u->free_data)
        u->free_data(u->data);
    g_object_unref(u->w);
}

static void release(gpointer user, GClosure *closure) {
    g_rc_box_release_full(user, clear_unsaved);
}

static void go_on(unsaved *u) {
    if (u->go)
        u->go(u->w, u->data);
}

static GtkWidget *new_question(ViewerWindow *w, const char *question, const char *more) {
    GtkWidget *dialog =
        gtk_message_dialog_new(GTK_WINDOW(w), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                               GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "%s", question);
    gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(dialog), "%s", more);
    gtk_dialog_add_button(GTK_DIALOG(dialog), TEXT_CANCEL, GTK_RESPONSE_CANCEL);
    return dialog;
}

/* A copy of which some files exist. */
typedef struct copy {
    unsaved *u;
    GPtrArray *files;
} copy;

static void free_copy(gpointer user, GClosure *closure) {
    copy *c = user;
    release(c->u, closure);
    g_ptr_array_unref(c->files);
    g_free(c);
}

static void replace_copy_answered(GtkDialog *dialog, int response, copy *c) {
    ViewerWindow *w = c->u->w;
    if (response == GTK_RESPONSE_ACCEPT && w->stage && w->edits && write_copy(w, c->files))
        go_on(c->u);
    gtk_window_destroy(GTK_WINDOW(dialog));
}

static GtkWidget *new_replace_question(ViewerWindow *w, const char *question, const char *more) {
    GtkWidget *dialog = new_question(w, question, more);
    gtk_dialog_add_button(GTK_DIALOG(dialog), TEXT_REPLACE, GTK_RESPONSE_ACCEPT);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_CANCEL);
    return dialog;
}

/* Saves a copy, and asks first about files that exist. Takes `u`. */
static void save_copy(ViewerWindow *w, const char *path, unsaved *u) {
    g_autoptr(GPtrArray) files =
        copies_at(w->doc->shared_vfs->vfs, w->edits, w->request.path, path);
    g_autofree char *existing = copies_text(files, true);
    const bool may = may_copy(w, files);
    if (may && *existing) {
        copy *c = g_new0(copy, 1);
        *c = (copy){u, g_ptr_array_ref(files)};
        GtkWidget *dialog = new_replace_question(w, _("Replace the existing files?"), existing);
        g_signal_connect_data(dialog, "response", G_CALLBACK(replace_copy_answered), c, free_copy,
                              0);
        gtk_window_present(GTK_WINDOW(dialog));
    } else {
        if (may && write_copy(w, files))
            go_on(u);
        release(u, NULL);
    }
}

static unsaved *new_unsaved(ViewerWindow *w, window_go go, gpointer data,
                            GDestroyNotify free_data) {
    unsaved *u = g_rc_box_new(unsaved);
    *u = (unsaved){g_object_ref(w), go, data, free_data};
    return u;
}

void window_save_copy_to(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    if (w->doc && edits_can_undo(w->edits))
        save_copy(w, g_variant_get_string(parameter, NULL), new_unsaved(w, NULL, NULL, NULL));
}

static void copy_chosen(GtkNativeDialog *dialog, int response, unsaved *u) {
    g_autofree char *path = window_answer(dialog, response);
    if (path && u->w->stage && edits_can_undo(u->w->edits))
        save_copy(u->w, path, g_rc_box_acquire(u));
}

/* Returns "tris-edited.md2". */
static char *suggest_name(const ViewerWindow *w) {
    size_t length;
    lm_vfs *vfs = w->doc->shared_vfs->vfs;
    const char *stem = lmi_vfs_stem(vfs, w->request.path, &length);
    g_autofree char *text = g_strdup_printf("%.*s-edited%s", (int)length, stem,
                                            lmi_vfs_extension(vfs, w->request.path));
    return g_filename_display_name(text);
}

/* Asks for a file, or for the folder of several files. */
static void ask_copy(ViewerWindow *w, unsaved *u) {
    const bool one = copies_are_one(w->edits, w->request.path);
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        one ? TEXT_SAVE_COPY_TITLE : _("Save copies in a folder"), GTK_WINDOW(w),
        one ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, TEXT_SAVE,
        TEXT_CANCEL);
    window_start_near(GTK_FILE_CHOOSER(dialog), w->doc);
    if (one) {
        g_autofree char *name = suggest_name(w);
        gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
    }
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    g_signal_connect_data(dialog, "response", G_CALLBACK(copy_chosen), u, release, 0);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

void window_save_copy(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    if (!w->doc || !edits_can_undo(w->edits))
        return;
    ask_copy(w, new_unsaved(w, NULL, NULL, NULL));
}

static void unsaved_answered(GtkDialog *dialog, int response, unsaved *u) {
    ViewerWindow *w = u->w;
    if (response == GTK_RESPONSE_YES) {
        ask_copy(w, g_rc_box_acquire(u));
    } else if (response == GTK_RESPONSE_NO) {
        window_drop_edits(w);
        go_on(u);
    }
    gtk_window_destroy(GTK_WINDOW(dialog));
}

bool window_ask_unsaved(ViewerWindow *w, window_go go, gpointer data, GDestroyNotify free_data) {
    if (!window_is_edited(w))
        return false;
    unsaved *u = new_unsaved(w, go, data, free_data);
    GtkWidget *dialog = new_question(w, TEXT_UNSAVED, w->doc->title);
    gtk_dialog_add_button(GTK_DIALOG(dialog), TEXT_DISCARD, GTK_RESPONSE_NO);
    gtk_dialog_add_button(GTK_DIALOG(dialog), TEXT_SAVE_COPY, GTK_RESPONSE_YES);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_YES);
    g_signal_connect_data(dialog, "response", G_CALLBACK(unsaved_answered), u, release, 0);
    gtk_window_present(GTK_WINDOW(dialog));
    return true;
}

/* ---- Replacing the original ------------------------------------------------------------------ */

static void replace_answered(GtkDialog *dialog, int response, ViewerWindow *w) {
    const bool replace = response == GTK_RESPONSE_ACCEPT && edits_can_undo(w->edits);
    bool untouched = true;
    g_autoptr(GPtrArray) files = copies_over_originals(w->edits);
    for (guint i = 0; i < edits_num_files(w->edits); i++) {
        const edited_file *file = edits_file(w->edits, i);
        untouched = untouched && (!edits_is_changed(file) || edits_is_untouched(file));
    }
    if (replace && !untouched) {
        window_show_error(w, TEXT_ORIGINAL_CHANGED, NULL, false);
    } else if (replace && write_files(w, files)) {
        window_drop_edits(w);
        gtk_widget_activate_action(GTK_WIDGET(w), "win.reload", NULL);
    }
    gtk_window_destroy(GTK_WINDOW(dialog));
}

void window_replace_original(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    if (!w->doc || !edits_can_undo(w->edits))
        return;
    g_autoptr(GPtrArray) files = copies_over_originals(w->edits);
    for (guint i = 0; i < files->len; i++) {
        const saved_file *file = g_ptr_array_index(files, i);
        if (lmi_vfs_archive_length(w->doc->shared_vfs->vfs, file->path) > 0) {
            window_show_error(w, _("The model is in an archive. Save a copy instead."), NULL,
                              false);
            return;
        }
    }
    g_autofree char *shown = copies_text(files, false);
    GtkWidget *dialog = new_replace_question(w, TEXT_REPLACE_QUESTION, shown);
    g_signal_connect_object(dialog, "response", G_CALLBACK(replace_answered), w, 0);
    gtk_window_present(GTK_WINDOW(dialog));
}
