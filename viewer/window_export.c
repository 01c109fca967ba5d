/* The export dialog, and the jobs that write its files. */
#include "exports.h"
#include "lerpmesh/encode.h"
#include "text.h"
#include "window_private.h"

#include <string.h>

#define POLL 100       /* milliseconds between updates of the progress */
#define SHEET_SIZE 256 /* pixels of each image of a sheet */
#define TURN_IMAGES 72 /* of a turntable, 5 degrees each */
#define TURN_RATE 24   /* images per second */

/* ---- Kinds --------------------------------------------------------------------------------- */

/* The kinds in the dialog's list: those before the models, then all formats. */
static export_options kind_at(guint index) {
    return index < EXPORT_MODEL ? (export_options){.kind = index}
                                : (export_options){.kind = EXPORT_MODEL,
                                                   .format = lm_encoder_at(index - EXPORT_MODEL)};
}

static GtkStringList *list_kinds(void) {
    const char *const names[] = {_("Picture (PNG)"),
                                 _("Clip (WebP)"),
                                 _("Turntable (WebP)"),
                                 _("Sheet of all clips (PNG)"),
                                 _("glTF (GLB)"),
                                 _("The current pose (OBJ)"),
                                 _("With a skeleton, for games (IQM)"),
                                 NULL};
    GtkStringList *list = gtk_string_list_new(names);
    for (uint32_t i = 0; lm_encoder_at(i); i++) {
        const lm_format_info *format = lm_encoder_at(i);
        g_autofree char *name = g_ascii_strup(format->name, -1);
        gtk_string_list_take(list, g_strconcat(name, TEXT_SEPARATOR, format->game, NULL));
    }
    return list;
}

/* Adds what the window shows. */
static void add_view(const ViewerWindow *w, export_options *o) {
    const stage_options *stage = viewer_stage_options(w->stage);
    const lm_gl_camera camera = viewer_stage_camera(w->stage);
    o->with_skeleton = stage->bones;
    o->clip = w->clip;
    o->torso = document_torso_clip(w->doc, window_torso(w));
    o->play = w->play;
    o->azimuth = camera.azimuth;
    o->elevation = camera.elevation;
    o->eye = stage->eye;
    o->shade = stage->render.shade;
    o->show = stage->render.show;
    o->images = TURN_IMAGES;
    o->rate = TURN_RATE;
}

/* Sets the size of the images: that of the stage, or a small one for a sheet. */
static void set_size(const ViewerWindow *w, export_options *o) {
    if (o->kind == EXPORT_SHEET)
        o->width = o->height = SHEET_SIZE;
    else
        viewer_stage_size(w->stage, &o->width, &o->height);
}

/* ---- The dialog ---------------------------------------------------------------------------- */

typedef struct export_dialog {
    ViewerWindow *w;
    document *doc;
    GtkWidget *window, *kind, *sizes, *width, *height, *transparent, *more_row, *more;
    GtkWidget *turn_row, *images, *rate; /* of a turntable */
    GtkWidget *facts, *progress, *start;
    export_progress *running; /* the export of this dialog; NULL: none */
    guint timer;              /* shows its progress */
} export_dialog;

/* Ends the export, if there is one. */
static void stop(export_dialog *d) {
    if (d->running)
        g_atomic_int_set(&d->running->stopped, 1);
    g_clear_pointer(&d->running, g_atomic_rc_box_release);
    g_clear_handle_id(&d->timer, g_source_remove);
}

static void free_dialog(gpointer user) {
    export_dialog *d = user;
    stop(d);
    document_unref(d->doc);
    g_free(d);
}

static void show_facts(export_dialog *d, const char *text) {
    gtk_label_set_text(GTK_LABEL(d->facts), text);
    gtk_widget_set_visible(d->facts, *text != '\0');
}

/* Ends the export, and lets the user start another one. */
static void reset(export_dialog *d, const char *reason) {
    stop(d);
    gtk_widget_set_visible(d->progress, FALSE);
    gtk_widget_set_sensitive(d->start, TRUE);
    show_facts(d, reason);
}

static export_dialog *dialog_of(GtkWidget *window) {
    return g_object_get_data(G_OBJECT(window), "dialog");
}

static guint selected(const export_dialog *d) {
    return gtk_drop_down_get_selected(GTK_DROP_DOWN(d->kind));
}

static export_options read_options(const export_dialog *d) {
    export_options o = kind_at(selected(d));
    add_view(d->w, &o);
    o.width = (uint32_t)gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(d->width));
    o.height = (uint32_t)gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(d->height));
    o.images = (uint32_t)gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(d->images));
    o.rate = gtk_spin_button_get_value(GTK_SPIN_BUTTON(d->rate));
    o.transparent = gtk_check_button_get_active(GTK_CHECK_BUTTON(d->transparent));
    o.more = (char *)gtk_editable_get_text(GTK_EDITABLE(d->more)); /* new_job copies it */
    return o;
}

/* ---- Jobs ---------------------------------------------------------------------------------- */

/* Writes a file, or finds the losses of a format. */
typedef struct export_job {
    window_job base;
    GWeakRef dialog; /* its window; empty if there is none */
    document *doc;
    export_options options;
    char *path; /* NULL: only the losses */
    export_progress *progress;
    char *message; /* NULL: success */
    bool possible; /* the format can hold the model */
} export_job;

static void clear_job(window_job *base) {
    export_job *job = (export_job *)base;
    g_weak_ref_clear(&job->dialog);
    document_unref(job->doc);
    g_atomic_rc_box_release(job->progress);
    g_free(job->options.more);
    g_free(job->path);
    g_free(job->message);
}

static export_job *new_job(document *doc, GtkWidget *dialog, const export_options *options) {
    export_job *job = g_new0(export_job, 1);
    job->base.clear = clear_job;
    g_weak_ref_init(&job->dialog, dialog);
    job->doc = document_ref(doc);
    job->options = *options;
    job->options.more = g_strdup(options->more);
    job->progress = g_atomic_rc_box_new0(export_progress);
    return job;
}

static void run_export(window_job *base) {
    export_job *job = (export_job *)base;
    job->message = export_write(job->doc, &job->options, job->path, job->progress);
}

static bool is_in_use(GtkApplication *application) {
    for (GList *i = gtk_application_get_windows(application); i; i = i->next)
        if (gtk_window_is_active(i->data))
            return true;
    return false;
}

/* Tells a user who meanwhile works in another program that the file is written, or why it is not.
 */
static void notify(ViewerWindow *w, const export_job *job) {
    GtkApplication *application = gtk_window_get_application(GTK_WINDOW(w));
    g_autofree char *file = g_path_get_basename(job->path), *shown = g_filename_display_name(file);
    g_autofree char *text = g_strdup_printf(TEXT_SAVED, shown);
    if (job->options.kind == EXPORT_PICTURE || is_in_use(application) ||
        g_atomic_int_get(&job->progress->stopped))
        return;
    g_autoptr(GNotification) message = g_notification_new(TEXT_PROGRAM);
    g_notification_set_body(message, job->message ? job->message : text);
    g_application_send_notification(G_APPLICATION(application), "export", message);
}

/* An error stays in the dialog, which then can be used again. */
static void export_finished(ViewerWindow *w, window_job *base) {
    export_job *job = (export_job *)base;
    window_set_playing(w, w->play_requested);
    notify(w, job);
    g_autoptr(GtkWidget) window = g_weak_ref_get(&job->dialog);
    export_dialog *d = window ? dialog_of(window) : NULL;
    if (d && d->running != job->progress) /* it was stopped */
        d = NULL;
    else if (d && job->message) {
        reset(d, job->message);
    } else if (!g_atomic_int_get(&job->progress->stopped)) {
        window_show_result(w, job->path, job->message);
    }
    if (d && !job->message)
        gtk_window_destroy(GTK_WINDOW(window));
}

static gboolean show_progress(gpointer user) {
    export_dialog *d = user;
    const gint permille = g_atomic_int_get(&d->running->permille);
    GtkProgressBar *bar = GTK_PROGRESS_BAR(d->progress);
    if (permille > 0)
        gtk_progress_bar_set_fraction(bar, permille / 1000.0);
    else
        gtk_progress_bar_pulse(bar);
    return G_SOURCE_CONTINUE;
}

/* The stage draws a picture at once; a thread does all else. `d` NULL: without a dialog. */
static void start_export(ViewerWindow *w, export_dialog *d, document *doc,
                         const export_options *options, const char *path) {
    const char *extension = export_extension(options);
    g_autofree char *lower = g_ascii_strdown(path, -1);
    g_autofree char *suffix = g_strconcat(".", extension, NULL);
    export_job *job = new_job(doc, d ? d->window : NULL, options);
    job->path = g_str_has_suffix(lower, suffix) ? g_strdup(path) : g_strconcat(path, suffix, NULL);
    job->base.run = run_export;
    job->base.done = export_finished;
    if (d) {
        d->running = g_atomic_rc_box_acquire(job->progress);
        gtk_widget_set_sensitive(d->start, FALSE);
    }
    if (export_has_size(options) && viewer_stage_is_software(w->stage))
        window_set_playing(w, false); /* the images need the CPUs that the model on screen takes */
    if (options->kind == EXPORT_PICTURE) {
        job->message = window_write_picture(w, job->path, options->width, options->height,
                                            options->transparent);
        export_finished(w, &job->base);
        clear_job(&job->base);
        g_free(job);
        return;
    }
    if (d) {
        show_facts(d, "");
        gtk_widget_set_visible(d->progress, TRUE);
        gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(d->progress), 0);
        d->timer = g_timeout_add(POLL, show_progress, d);
    }
    window_run(w, &job->base);
}

void window_export_as(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    const char *path;
    guint kind;
    g_variant_get(parameter, "(u&s)", &kind, &path);
    if (!w->doc || (kind >= EXPORT_MODEL && !lm_encoder_at(kind - EXPORT_MODEL)))
        return;
    export_options options = kind_at(kind);
    add_view(w, &options);
    set_size(w, &options);
    start_export(w, NULL, w->doc, &options, path);
}

/* ---- Losses -------------------------------------------------------------------------------- */

static void run_losses(window_job *base) {
    export_job *job = (export_job *)base;
    job->message = export_losses(job->doc, &job->options, &job->possible);
}

static void losses_found(ViewerWindow *w, window_job *base) {
    export_job *job = (export_job *)base;
    g_autoptr(GtkWidget) window = g_weak_ref_get(&job->dialog);
    export_dialog *d = window ? dialog_of(window) : NULL;
    const char *more = d ? gtk_editable_get_text(GTK_EDITABLE(d->more)) : NULL;
    if (d && kind_at(selected(d)).format == job->options.format &&
        g_strcmp0(more, job->options.more) == 0) {
        show_facts(d, job->message);
        gtk_widget_set_sensitive(d->start, job->possible);
    }
}

/* Shows what a format of a game loses. */
static void find_losses(export_dialog *d) {
    const export_options o = read_options(d);
    gtk_widget_set_sensitive(d->start, o.kind != EXPORT_MODEL);
    show_facts(d, o.kind == EXPORT_MODEL ? _("Finding out what the format cannot store…") : "");
    if (o.kind != EXPORT_MODEL)
        return;
    export_job *job = new_job(d->doc, d->window, &o);
    job->base.run = run_losses;
    job->base.done = losses_found;
    window_run(d->w, &job->base);
}

/* Other options may make a model possible. */
static void options_changed(export_dialog *d) {
    gtk_widget_set_sensitive(d->start, !d->running);
}

static void kind_selected(GtkDropDown *down, GParamSpec *spec, export_dialog *d) {
    export_options o = kind_at(selected(d));
    set_size(d->w, &o);
    d->w->export_kind = selected(d);
    gtk_widget_set_visible(d->sizes, export_has_size(&o));
    gtk_widget_set_visible(d->turn_row, o.kind == EXPORT_TURNTABLE);
    gtk_widget_set_visible(d->more_row, !export_has_size(&o));
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(d->width), o.width);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(d->height), o.height);
    find_losses(d);
}

/* ---- Choosing the file --------------------------------------------------------------------- */

/* Returns "cobra-tris-run.webp". */
static char *suggest_name(const export_dialog *d, const export_options *o) {
    const document_clip *clip = &d->doc->clips[o->clip];
    const char *more = o->kind == EXPORT_CLIP        ? clip->name
                       : o->kind == EXPORT_TURNTABLE ? "turntable"
                       : o->kind == EXPORT_SHEET     ? "sheet"
                                                     : NULL;
    g_autofree char *title =
        g_strconcat(d->doc->file_name, more ? "-" : "", more ? more : "", NULL);
    return g_strconcat(g_strdelimit(title, "/\\:*?\"<>| ", '-'), ".", export_extension(o), NULL);
}

static void file_chosen(GtkNativeDialog *chooser, int response, GtkWidget *window) {
    export_dialog *d = dialog_of(window);
    g_autofree char *path = window_answer(chooser, response);
    const export_options options = read_options(d);
    if (path && !d->running)
        start_export(d->w, d, d->doc, &options, path);
}

static void choose_file(GtkButton *button, export_dialog *d) {
    const export_options options = read_options(d);
    GtkFileChooserNative *chooser =
        gtk_file_chooser_native_new(_("Export"), GTK_WINDOW(d->window),
                                    GTK_FILE_CHOOSER_ACTION_SAVE, _("_Export"), TEXT_CANCEL);
    g_autofree char *name = suggest_name(d, &options);
    window_start_near(GTK_FILE_CHOOSER(chooser), d->doc);
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(chooser), name);
    window_show_chooser(chooser, G_OBJECT(d->window), G_CALLBACK(file_chosen));
}

/* Cancels an export, or closes the dialog. */
static void cancel(GtkButton *button, export_dialog *d) {
    if (!d->running) {
        gtk_window_destroy(GTK_WINDOW(d->window));
        return;
    }
    reset(d, TEXT_STOPPED);
}

void window_ask_export(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    if (!w->doc)
        return;
    GtkWidget *stop;
    export_dialog *d = g_new0(export_dialog, 1);
    const dialog_widget widgets[] = {
        {"export_dialog", &d->window}, {"kind", &d->kind},     {"sizes", &d->sizes},
        {"width", &d->width},          {"height", &d->height}, {"transparent", &d->transparent},
        {"turn_row", &d->turn_row},    {"images", &d->images}, {"rate", &d->rate},
        {"more_row", &d->more_row},    {"more", &d->more},     {"facts", &d->facts},
        {"progress", &d->progress},    {"start", &d->start},   {"cancel", &stop}};
    window_build_dialog(w, "export.ui", widgets, G_N_ELEMENTS(widgets), d, free_dialog);
    d->w = w;
    d->doc = document_ref(w->doc);
    g_autoptr(GtkStringList) kinds = list_kinds();
    gtk_drop_down_set_model(GTK_DROP_DOWN(d->kind), G_LIST_MODEL(kinds));
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(d->images), TURN_IMAGES);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(d->rate), TURN_RATE);
    gtk_drop_down_set_selected(GTK_DROP_DOWN(d->kind), w->export_kind);
    g_signal_connect(d->kind, "notify::selected", G_CALLBACK(kind_selected), d);
    g_signal_connect_swapped(d->more, "activate", G_CALLBACK(find_losses), d);
    g_signal_connect_swapped(d->more, "changed", G_CALLBACK(options_changed), d);
    g_signal_connect(d->start, "clicked", G_CALLBACK(choose_file), d);
    g_signal_connect(stop, "clicked", G_CALLBACK(cancel), d);
    kind_selected(NULL, NULL, d);
    gtk_window_present(GTK_WINDOW(d->window));
}
