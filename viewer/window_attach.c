/* The dialog of attached models. */
#include "attachments.h"
#include "display_text.h"
#include "folder.h"
#include "text.h"
#include "window_private.h"

/* ---- Actions --------------------------------------------------------------------------------- */

/* Returns the paths of the window's list, terminated by NULL; free it with g_strfreev. */
static char **paths_of(const ViewerWindow *w) {
    const guint count = w->list ? w->list->len : 0;
    char **paths = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++)
        paths[i] = g_strdup(g_array_index(w->list, folder_model, i).path);
    return paths;
}

/* Takes the list, and loads the model again. */
static void set_attached(ViewerWindow *w, char **attached) {
    g_strfreev(w->request.attached);
    w->request.attached = attached;
    window_load(w);
}

static void attach(ViewerWindow *w, const char *tag, const char *path) {
    g_auto(GStrv) paths = paths_of(w);
    set_attached(w, attachments_with(w->request.attached, tag, path, paths));
}

void window_attach(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    const char *tag, *path;
    g_variant_get(parameter, "(&s&s)", &tag, &path);
    if (w->doc)
        attach(w, tag, path);
}

void window_detach(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    set_attached(w,
                 attachments_without(w->request.attached, g_variant_get_string(parameter, NULL)));
}

/* ---- The dialog ---------------------------------------------------------------------------- */

typedef struct attach_dialog {
    ViewerWindow *w;
    document *doc;
    GtkWidget *window, *attached, *tag, *model, *add;
    char **tags;   /* of the rows; one more row has none */
    char **models; /* of the rows */
} attach_dialog;

static void free_dialog(gpointer user) {
    attach_dialog *d = user;
    document_unref(d->doc);
    g_strfreev(d->tags);
    g_strfreev(d->models);
    g_free(d);
}

static attach_dialog *dialog_of(GtkWidget *window) {
    return g_object_get_data(G_OBJECT(window), "dialog");
}

static void fill_attached(attach_dialog *d);

static void remove_clicked(GtkButton *button, attach_dialog *d) {
    const char *path = g_object_get_data(G_OBJECT(button), "path");
    g_action_group_activate_action(G_ACTION_GROUP(d->w), "detach", g_variant_new_string(path));
    fill_attached(d);
}

static GtkWidget *attached_row(attach_dialog *d, const char *tag, const char *path) {
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    g_autofree char *name = display_name(d->doc->shared_vfs->vfs, path), *where = display_text(tag);
    g_autofree char *label = g_strdup_printf(TEXT_REMOVE_MODEL, name);
    GtkWidget *title = g_object_new(GTK_TYPE_LABEL, "label", name, "hexpand", TRUE, "xalign", 0.0,
                                    "ellipsize", PANGO_ELLIPSIZE_MIDDLE, NULL);
    GtkWidget *at = gtk_label_new(where);
    GtkWidget *button = gtk_button_new_from_icon_name("list-remove-symbolic");
    gtk_widget_add_css_class(at, "dim-label");
    gtk_widget_add_css_class(button, "flat");
    gtk_widget_set_tooltip_text(button, label);
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                   -1);
    g_object_set_data_full(G_OBJECT(button), "path", g_strdup(path), g_free);
    g_signal_connect(button, "clicked", G_CALLBACK(remove_clicked), d);
    gtk_box_append(GTK_BOX(row), title);
    gtk_box_append(GTK_BOX(row), at);
    gtk_box_append(GTK_BOX(row), button);
    return row;
}

static void fill_attached(attach_dialog *d) {
    char **attached = d->w->request.attached;
    for (GtkWidget *row; (row = gtk_widget_get_first_child(d->attached));)
        gtk_list_box_remove(GTK_LIST_BOX(d->attached), row);
    for (size_t i = 0; attached && attached[i]; i += 2)
        gtk_list_box_append(GTK_LIST_BOX(d->attached),
                            attached_row(d, attached[i], attached[i + 1]));
    gtk_widget_set_visible(d->attached, attached && attached[0]);
}

/* Attaches a model at the selected tag, and ends the dialog. */
static void attach_and_close(attach_dialog *d, const char *path) {
    const char *tag = d->tags[gtk_drop_down_get_selected(GTK_DROP_DOWN(d->tag))];
    attach(d->w, tag ? tag : "", path);
    gtk_window_destroy(GTK_WINDOW(d->window));
}

static void add_clicked(GtkButton *button, attach_dialog *d) {
    attach_and_close(d, d->models[gtk_drop_down_get_selected(GTK_DROP_DOWN(d->model))]);
}

static void file_chosen(GtkNativeDialog *chooser, int response, GtkWidget *window) {
    g_autofree char *path = window_answer(chooser, response);
    if (path)
        attach_and_close(dialog_of(window), path);
}

static void choose_clicked(GtkButton *button, attach_dialog *d) {
    GtkFileChooserNative *chooser =
        gtk_file_chooser_native_new(TEXT_ATTACH_TITLE, GTK_WINDOW(d->window),
                                    GTK_FILE_CHOOSER_ACTION_OPEN, TEXT_ATTACH, TEXT_CANCEL);
    window_start_near(GTK_FILE_CHOOSER(chooser), d->doc);
    window_show_chooser(chooser, G_OBJECT(d->window), G_CALLBACK(file_chosen));
}

static void fill_tags(attach_dialog *d) {
    g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
    d->tags = attachments_tags(document_scene(d->doc));
    for (char **tag = d->tags; *tag; tag++)
        gtk_string_list_take(names, display_text(*tag));
    gtk_string_list_append(names, TEXT_NO_TAG);
    gtk_drop_down_set_model(GTK_DROP_DOWN(d->tag), G_LIST_MODEL(names));
}

static const char *body_of(const document *doc) {
    return doc->assets->assets[0].path;
}

/* Returns the paths of the window's list and those of weapons, each once. NULL: no weapons. */
static char **paths_with(const ViewerWindow *w, char **weapons) {
    char **own = paths_of(w);
    GPtrArray *all = g_ptr_array_new();
    for (size_t i = 0; own[i]; i++)
        g_ptr_array_add(all, own[i]);
    g_free(own);
    for (size_t i = 0; weapons && weapons[i]; i++)
        if (!g_ptr_array_find_with_equal_func(all, weapons[i], g_str_equal, NULL))
            g_ptr_array_add(all, g_strdup(weapons[i]));
    g_ptr_array_add(all, NULL);
    return (char **)g_ptr_array_free(all, FALSE);
}

/* Lists the models at hand, with weapons; NULL: none yet. A search finds any part of a name. */
static void fill_models(attach_dialog *d, char **weapons) {
    g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
    g_autoptr(GtkExpression) text =
        gtk_property_expression_new(GTK_TYPE_STRING_OBJECT, NULL, "string");
    g_auto(GStrv) paths = paths_with(d->w, weapons);
    g_strfreev(d->models);
    d->models = attachments_at_hand(paths, body_of(d->doc));
    for (char **path = d->models; *path; path++)
        gtk_string_list_take(names, display_title(d->doc->shared_vfs->vfs, *path));
    gtk_drop_down_set_expression(GTK_DROP_DOWN(d->model), text);
    gtk_drop_down_set_model(GTK_DROP_DOWN(d->model), G_LIST_MODEL(names));
    gtk_widget_set_sensitive(d->model, d->models[0] != NULL);
    gtk_widget_set_sensitive(d->add, d->models[0] != NULL);
}

/* ---- Weapons of the game --------------------------------------------------------------------- */

typedef struct weapons_job {
    window_job base;
    GWeakRef dialog; /* its window */
    document *doc;
    char **weapons; /* the result */
} weapons_job;

static void clear_weapons(window_job *base) {
    weapons_job *job = (weapons_job *)base;
    g_weak_ref_clear(&job->dialog);
    document_unref(job->doc);
    g_strfreev(job->weapons);
}

static void find_weapons(window_job *base) {
    weapons_job *job = (weapons_job *)base;
    job->weapons = attachments_weapons(job->doc->shared_vfs->vfs, body_of(job->doc));
}

static void weapons_found(ViewerWindow *w, window_job *base) {
    weapons_job *job = (weapons_job *)base;
    g_autoptr(GtkWidget) window = g_weak_ref_get(&job->dialog);
    if (window && job->weapons[0])
        fill_models(dialog_of(window), job->weapons);
}

void window_ask_attach(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    if (!w->doc)
        return;
    GtkWidget *choose;
    attach_dialog *d = g_new0(attach_dialog, 1);
    const dialog_widget widgets[] = {
        {"attach_dialog", &d->window}, {"attached", &d->attached}, {"tag", &d->tag},
        {"model", &d->model},          {"add", &d->add},           {"choose", &choose}};
    window_build_dialog(w, "attach.ui", widgets, G_N_ELEMENTS(widgets), d, free_dialog);
    d->w = w;
    d->doc = document_ref(w->doc);
    fill_attached(d);
    fill_tags(d);
    fill_models(d, NULL);
    weapons_job *job = g_new0(weapons_job, 1);
    job->base = (window_job){.run = find_weapons, .done = weapons_found, .clear = clear_weapons};
    g_weak_ref_init(&job->dialog, d->window);
    job->doc = document_ref(d->doc);
    window_run(w, &job->base);
    g_signal_connect(d->add, "clicked", G_CALLBACK(add_clicked), d);
    g_signal_connect(choose, "clicked", G_CALLBACK(choose_clicked), d);
    gtk_window_present(GTK_WINDOW(d->window));
}
