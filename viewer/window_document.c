/* Shows another document. */
#include "window_private.h"

#include "display_text.h"
#include "internals.h"
#include "text.h"

#include <string.h>

void window_enable_edits(ViewerWindow *w) {
    window_set_enabled(w, "undo", edits_can_undo(w->edits));
    window_set_enabled(w, "redo", edits_can_redo(w->edits));
    window_set_enabled(w, "save-copy", edits_can_undo(w->edits));
    window_set_enabled(w, "replace-original", edits_can_undo(w->edits));
    window_set_enabled(w, "edit-names", w->doc);
    window_set_enabled(w, "edit-focused", w->doc);
    window_set_enabled(w, "edit-clip", w->doc);
}

/* Shows the frames of a single model, and the parts of several: each has frames of its own. */
void window_show_title(ViewerWindow *w) {
    const lm_model *model = document_model(w->doc);
    uint32_t triangles = document_count(w->doc).triangles;
    uint32_t parts = document_scene(w->doc)->num_parts;
    g_autofree char *format = g_ascii_strup(model->format, -1);
    g_autofree char *frames =
        parts > 1 ? g_strdup_printf(TEXT_PARTS(parts), parts)
                  : g_strdup_printf(TEXT_FRAMES(model->num_frames), model->num_frames);
    g_autofree char *faces = g_strdup_printf(TEXT_TRIANGLES(triangles), triangles);
    g_autofree char *facts = g_strjoin(TEXT_SEPARATOR, format, frames, faces, NULL);
    g_autofree char *title = edits_unsaved(w->edits) ? g_strdup_printf(TEXT_EDITED, w->doc->title)
                                                     : g_strdup(w->doc->title);
    gtk_label_set_text(GTK_LABEL(w->title), title);
    gtk_label_set_text(GTK_LABEL(w->subtitle), facts);
    gtk_widget_set_visible(w->subtitle, TRUE);
    gtk_window_set_title(GTK_WINDOW(w), title);
}

/* Returns the clip with the name of the previous one; else the model's rest clip. */
static uint32_t find_clip(const document *d, const char *name) {
    const lm_clip *rest = lm_scene_rest(document_scene(d));
    if (!name && rest)
        name = rest->name;
    for (uint32_t i = 0; name && i < d->num_clips; i++)
        if (strcmp(d->clips[i].name, name) == 0)
            return i;
    return 0;
}

/* Adds a document to the recent files; for a model in an archive, the archive. */
static void add_to_recent(const document *d) {
    size_t archive = lm_vfs_archive_length(d->shared_vfs->vfs, d->request.path);
    g_autofree char *file =
        archive > 0 ? g_strndup(d->request.path, archive) : g_strdup(d->request.path);
    g_autofree char *path = g_canonicalize_filename(file, NULL);
    g_autofree char *uri = g_filename_to_uri(path, NULL, NULL);
    g_autofree char *type = g_strdup(
        archive > 0 ? "application/x-pk3" : lm_format_by_name(document_model(d)->format)->mime);
    if (uri && g_file_test(path, G_FILE_TEST_EXISTS)) {
        GtkRecentData data = {.display_name = archive > 0 ? NULL : d->title,
                              .mime_type = type,
                              .app_name = (char *)"lerpmesh-viewer",
                              .app_exec = (char *)"lerpmesh-viewer %f"};
        gtk_recent_manager_add_full(gtk_recent_manager_get_default(), uri, &data);
    }
}

/* After a reload, because a file changed or another skin was selected, playback continues. */
bool window_adopt(ViewerWindow *w, document *d) {
    document *old = w->doc;
    bool again = old && strcmp(old->request.path, d->request.path) == 0;
    g_autofree char *name = g_strdup(again ? old->clips[w->clip].name : NULL);
    uint32_t clip = find_clip(d, name);
    /* An edit may have renamed the clip. */
    if (again && name && strcmp(d->clips[clip].name, name) != 0 && d->num_clips == old->num_clips)
        clip = w->clip;
    lm_playback before = w->play;
    if (!again)
        w->play.playing = w->play_requested;
    if (!viewer_stage_show(w->stage, d, clip)) {
        document_unref(d);
        return false;
    }
    w->doc = d;
    if (!again)
        viewer_stage_set_torso(w->stage, NULL);
    window_stop_skeleton(w);
    if (viewer_stage_options(w->stage)->bones)
        window_find_skeleton(w);
    window_select_clip(w, clip);
    if (name && strcmp(d->clips[clip].name, name) == 0) {
        w->play.seconds = before.seconds;
        window_show_time(w);
    }
    if (!again)
        viewer_stage_fit(w->stage);
    gtk_widget_set_visible(w->controls, TRUE);
    window_show_title(w);
    window_enable_edits(w);
    window_fill_panels(w);
    /* Shows a diagnostic for a while, and missing textures until the user closes their bar. The
     * Information page lists all of them. */
    gtk_label_set_text(GTK_LABEL(w->texture_text), d->missing_textures ? d->missing_textures : "");
    gtk_widget_set_visible(w->texture_bar, d->missing_textures != NULL);
    if (d->notice)
        window_show_status(w, d->notice);
    add_to_recent(d);
    document_unref(old);
    return true;
}
