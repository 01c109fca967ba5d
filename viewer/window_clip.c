/* The dialog that edits a clip. */
#include "clip_steps.h"
#include "display_text.h"
#include "text.h"
#include "window_private.h"

#include <string.h>

typedef struct clip_dialog {
    ViewerWindow *w;
    GtkWidget *window, *name, *first, *last, *rate, *loop, *message, *apply;
    uint32_t clip;
    char *path, *shown; /* the document's, and the clip's name as shown */
} clip_dialog;

/* Gives a clip other values. Nothing happens if they are the same. */
static bool change(ViewerWindow *w, uint32_t clip, const clip_values *to, lm_error *error) {
    edit_step step;
    if (!w->doc || clip >= w->doc->num_clips || w->doc->clips[clip].all_frames)
        return lm_fail_plain(error, LM_CODE_OK, "%s", TEXT_CLIP_NOT_EDITABLE);
    return !clip_step(w->doc, clip, to, &step) ||
           window_add_step(w, w->doc->clips[clip].part, &step, error);
}

void window_change_clip(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    clip_values to = {0};
    gboolean loops;
    guint clip;
    lm_error error;
    g_variant_get(parameter, "(u&suudb)", &clip, &to.name, &to.first, &to.last, &to.fps, &loops);
    to.loops = loops;
    if (!change(w, clip, &to, &error))
        window_show_failure(w, &error);
}

static void free_dialog(gpointer user) {
    clip_dialog *d = user;
    g_free(d->path);
    g_free(d->shown);
    g_free(d);
}

static uint32_t frame_in(GtkWidget *spin) {
    return (uint32_t)gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(spin));
}

static void apply(clip_dialog *d) {
    const document *doc = d->w->doc;
    const char *name = gtk_editable_get_text(GTK_EDITABLE(d->name));
    lm_error error;
    /* The file may have been read again meanwhile. */
    const bool there = doc && strcmp(doc->request.path, d->path) == 0 && d->clip < doc->num_clips &&
                       strcmp(doc->clips[d->clip].name, d->shown) == 0;
    clip_values to = {strcmp(name, d->shown) == 0 && there ? doc->clips[d->clip].clip.name : name,
                      frame_in(d->first), frame_in(d->last),
                      gtk_spin_button_get_value(GTK_SPIN_BUTTON(d->rate)),
                      gtk_switch_get_active(GTK_SWITCH(d->loop))};
    if (there && change(d->w, d->clip, &to, &error)) {
        gtk_window_destroy(GTK_WINDOW(d->window));
        return;
    }
    char *text =
        there ? display_message(error.code, error.message) : g_strdup(TEXT_CLIP_NOT_EDITABLE);
    gtk_label_set_text(GTK_LABEL(d->message), text);
    gtk_widget_set_visible(d->message, TRUE);
    g_free(text);
}

/* A clip ends at its first frame or later. */
static void first_changed(clip_dialog *d) {
    double lower, upper;
    gtk_spin_button_get_range(GTK_SPIN_BUTTON(d->last), &lower, &upper);
    gtk_spin_button_set_range(GTK_SPIN_BUTTON(d->last), (double)frame_in(d->first), upper);
}

static void fill(clip_dialog *d) {
    const document_clip *clip = &d->w->doc->clips[d->clip];
    const clip_values values = clip_values_of(&clip->clip);
    const double end = document_scene(d->w->doc)->parts[clip->part].model->num_frames - 1.0;
    gtk_editable_set_text(GTK_EDITABLE(d->name), clip->name);
    gtk_spin_button_set_range(GTK_SPIN_BUTTON(d->first), 0, end);
    gtk_spin_button_set_range(GTK_SPIN_BUTTON(d->last), values.first, end);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(d->first), values.first);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(d->last), values.last);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(d->rate), values.fps);
    gtk_switch_set_active(GTK_SWITCH(d->loop), values.loops);
}

void window_edit_clip(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    if (!w->doc || w->doc->clips[w->clip].all_frames) {
        window_show_error(w, TEXT_CLIP_NOT_EDITABLE, NULL, false);
        return;
    }
    clip_dialog *d = g_new0(clip_dialog, 1);
    const dialog_widget widgets[] = {{"clip_dialog", &d->window}, {"name", &d->name},
                                     {"first", &d->first},        {"last", &d->last},
                                     {"rate", &d->rate},          {"loop", &d->loop},
                                     {"message", &d->message},    {"apply", &d->apply}};
    window_build_dialog(w, "clip.ui", widgets, G_N_ELEMENTS(widgets), d, free_dialog);
    d->w = w;
    d->clip = w->clip;
    d->path = g_strdup(w->doc->request.path);
    d->shown = g_strdup(w->doc->clips[w->clip].name);
    fill(d);
    g_signal_connect_swapped(d->first, "value-changed", G_CALLBACK(first_changed), d);
    g_signal_connect_swapped(d->apply, "clicked", G_CALLBACK(apply), d);
    gtk_window_present(GTK_WINDOW(d->window));
}

/* F2: the clip in the list of clips, else the names of the file. */
void window_edit_focused(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(w));
    const bool clip =
        focus && (focus == w->clip_list || gtk_widget_is_ancestor(focus, w->clip_list));
    (clip ? window_edit_clip : window_edit_names)(action, parameter, user);
}
