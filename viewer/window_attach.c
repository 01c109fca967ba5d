/* Models that the user attaches to tags, and their dialog. */
#include "window_private.h"

#include "display_text.h"
#include "internals.h"
#include "text.h"

#include <string.h>

#define BARREL_TAG "tag_barrel"

/* ---- Lists ----------------------------------------------------------------------------------- */

static void add_pair(GPtrArray *list, const char *tag, const char *path) {
    g_ptr_array_add(list, g_strdup(tag));
    g_ptr_array_add(list, g_strdup(path));
}

static char **end_list(GPtrArray *list) {
    g_ptr_array_add(list, NULL);
    return (char **)g_ptr_array_free(list, FALSE);
}

/* Returns "shotgun_barrel.md3" for "shotgun.md3". Free it with g_free. */
static char *barrel_of(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? g_strdup_printf("%.*s_barrel%s", (int)(dot - path), path, dot) : g_strdup("");
}

char **attachments_without(char **list, const char *path) {
    GPtrArray *kept = g_ptr_array_new();
    g_autofree char *barrel = barrel_of(path);
    for (size_t i = 0; list && list[i]; i += 2)
        if (strcmp(list[i + 1], path) != 0 && strcmp(list[i + 1], barrel) != 0)
            add_pair(kept, list[i], list[i + 1]);
    return end_list(kept);
}

/* Returns the list without the model at a tag. */
static char **without_tag(char **list, const char *tag) {
    for (size_t i = 0; list && list[i]; i += 2)
        if (g_ascii_strcasecmp(list[i], tag) == 0)
            return attachments_without(list, list[i + 1]);
    return g_strdupv(list);
}

char **attachments_with(char **list, const char *tag, const char *path, char **paths) {
    g_auto(GStrv) others = without_tag(list, tag);
    g_autofree char *barrel = barrel_of(path);
    GPtrArray *with = g_ptr_array_new();
    for (size_t i = 0; others && others[i]; i += 2)
        add_pair(with, others[i], others[i + 1]);
    add_pair(with, tag, path);
    if (paths && g_strv_contains((const char *const *)paths, barrel))
        add_pair(with, BARREL_TAG, barrel);
    return end_list(with);
}

/* ---- Models at hand -------------------------------------------------------------------------- */

/* Parts of weapons that the games attach to them, or show in the player's view. */
static bool is_part_of_weapon(const char *name) {
    static const char *const ends[] = {"_hand.", "_flash.", "_barrel.", "_view.", "_1.", "_2."};
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
        if (strstr(name, ends[i]))
            return true;
    return false;
}

static bool is_weapon(const char *path, const char *body) {
    g_autofree char *folder = g_path_get_dirname(path), *other = g_path_get_dirname(body);
    g_autofree char *lower = g_ascii_strdown(path, -1), *name = g_path_get_basename(lower);
    const bool own = strcmp(folder, other) == 0 &&
                     (g_str_has_prefix(name, "weapon") || g_str_has_prefix(name, "w_"));
    return own ||
           ((strstr(lower, "weapons/") || strstr(lower, "weapons2/")) && !is_part_of_weapon(name));
}

/* Returns the tag that holds the model at a path if the body is a hand or another model of the same
 * weapon; NULL: it is not. Free it with g_free. */
static char *tag_of_piece(lm_vfs *vfs, const char *path, const char *body) {
    char tag[LM_PATH_SIZE];
    return lmi_weapon_tag(vfs, path, body, tag, sizeof tag) ? g_strdup(tag) : NULL;
}

/* Returns the place of a path in the list. */
static unsigned rank_of(lm_vfs *vfs, const char *path, const char *const *shown) {
    g_autofree char *tag = tag_of_piece(vfs, path, shown[0]);
    return tag && !g_strv_contains(shown, path) ? 0 : is_weapon(path, shown[0]) ? 1 : 2;
}

char **attachments_at_hand(lm_vfs *vfs, char **paths, const char *const *shown) {
    GPtrArray *ranked[3];
    for (size_t rank = 0; rank < G_N_ELEMENTS(ranked); rank++)
        ranked[rank] = g_ptr_array_new();
    for (size_t i = 0; paths && paths[i]; i++)
        if (strcmp(paths[i], shown[0]) != 0)
            g_ptr_array_add(ranked[rank_of(vfs, paths[i], shown)], g_strdup(paths[i]));
    for (size_t rank = 1; rank < G_N_ELEMENTS(ranked); rank++)
        g_ptr_array_extend_and_steal(ranked[0], ranked[rank]);
    return end_list(ranked[0]);
}

/* Adds the weapons of an archive or a folder. */
static void add_weapons(lm_vfs *vfs, const char *path, const char *body, GPtrArray *out) {
    lm_path_list *models = lm_vfs_list(vfs, path, LM_LIST_MODELS, NULL);
    for (uint32_t i = 0; models && i < models->num_paths; i++) {
        const char *model = models->paths[i].path;
        if (!models->paths[i].problem && is_weapon(model, body) &&
            !g_ptr_array_find_with_equal_func(out, model, g_str_equal, NULL))
            g_ptr_array_add(out, g_strdup(model));
    }
    lm_path_list_free(models);
}

static void add_weapons_of_archives(lm_vfs *vfs, const char *folder, const char *body,
                                    GPtrArray *out) {
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (lm_archive_is(path))
            add_weapons(vfs, path, body, out);
    }
}

char **attachments_weapons(lm_vfs *vfs, const char *body) {
    static const char *const folders[] = {"weapons", "weapons2"};
    GPtrArray *out = g_ptr_array_new();
    const size_t archive = lmi_vfs_archive_length(vfs, body);
    const char *models = archive > 0 ? NULL : g_strrstr(body, "/models/");
    if (archive > 0) {
        g_autofree char *path = g_strndup(body, archive), *folder = g_path_get_dirname(path);
        add_weapons_of_archives(vfs, folder, body, out);
    }
    for (size_t i = 0; models && i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *path =
            g_strdup_printf("%.*s/models/%s", (int)(models - body), body, folders[i]);
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            add_weapons(vfs, path, body, out);
    }
    return end_list(out);
}

/* Returns how many models of a scene have a tag. */
static uint32_t count_tags(const lm_scene *scene, const char *name) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->num_parts; i++)
        count += lm_model_find_tag(scene->parts[i].model, name) != LM_NO_TAG;
    return count;
}

char **attachments_tags(const lm_scene *scene) {
    GPtrArray *tags = g_ptr_array_new();
    for (unsigned rest = 0; rest < 2; rest++)
        for (uint32_t i = 0; i < scene->num_parts; i++)
            for (uint32_t k = 0; k < scene->parts[i].model->num_tags; k++) {
                const char *name = scene->parts[i].model->tags[k].name;
                g_autofree char *tag = count_tags(scene, name) > 1
                                           ? g_strconcat(scene->parts[i].name, ":", name, NULL)
                                           : g_strdup(name);
                const bool weapon = strstr(name, "weapon") != NULL;
                if (weapon == (rest == 0) &&
                    !g_ptr_array_find_with_equal_func(tags, tag, g_str_equal, NULL))
                    g_ptr_array_add(tags, g_steal_pointer(&tag));
            }
    return end_list(tags);
}

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
    char **tags;    /* of the rows; one more row has none */
    char **models;  /* of the rows */
    char **weapons; /* of the game; NULL: not found yet */
} attach_dialog;

static void free_dialog(gpointer user) {
    attach_dialog *d = user;
    document_unref(d->doc);
    g_strfreev(d->tags);
    g_strfreev(d->models);
    g_strfreev(d->weapons);
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

static const char *selected_tag(const attach_dialog *d) {
    const guint row = gtk_drop_down_get_selected(GTK_DROP_DOWN(d->tag));
    return d->tags[row] ? d->tags[row] : "";
}

/* Attaches a model at the selected tag. window_attach_refresh goes on. */
static void attach_chosen(attach_dialog *d, const char *path) {
    attach(d->w, selected_tag(d), path);
    fill_attached(d);
}

static void add_clicked(GtkButton *button, attach_dialog *d) {
    attach_chosen(d, d->models[gtk_drop_down_get_selected(GTK_DROP_DOWN(d->model))]);
}

static void file_chosen(GtkNativeDialog *chooser, int response, GtkWidget *window) {
    g_autofree char *path = window_answer(chooser, response);
    if (path)
        attach_chosen(dialog_of(window), path);
}

static void choose_clicked(GtkButton *button, attach_dialog *d) {
    GtkFileChooserNative *chooser =
        gtk_file_chooser_native_new(_("Attach a model"), GTK_WINDOW(d->window),
                                    GTK_FILE_CHOOSER_ACTION_OPEN, _("_Attach"), TEXT_CANCEL);
    window_start_near(GTK_FILE_CHOOSER(chooser), d->doc);
    window_show_chooser(chooser, G_OBJECT(d->window), G_CALLBACK(file_chosen));
}

/* Selects the row of a tag, if there is one. The row of a tag that only one model has lacks the
 * model's name. */
static void select_tag(attach_dialog *d, const char *tag) {
    const char *colon = strrchr(tag, ':');
    for (unsigned plain = 0; plain < 2; plain++)
        for (guint row = 0; d->tags[row]; row++)
            if (strcmp(d->tags[row], plain && colon ? colon + 1 : tag) == 0) {
                gtk_drop_down_set_selected(GTK_DROP_DOWN(d->tag), row);
                return;
            }
}

/* Lists the scene's tags. The selected one stays. */
static void fill_tags(attach_dialog *d) {
    g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
    g_autofree char *selected = g_strdup(d->tags ? selected_tag(d) : "");
    g_strfreev(d->tags);
    d->tags = attachments_tags(document_scene(d->doc));
    for (char **tag = d->tags; *tag; tag++)
        gtk_string_list_take(names, display_text(*tag));
    gtk_string_list_append(names, TEXT_NO_TAG);
    gtk_drop_down_set_model(GTK_DROP_DOWN(d->tag), G_LIST_MODEL(names));
    select_tag(d, selected);
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

/* A piece of a weapon has its tag. */
static void model_selected(GtkDropDown *down, GParamSpec *spec, attach_dialog *d) {
    const guint row = gtk_drop_down_get_selected(down);
    g_autofree char *tag =
        row == GTK_INVALID_LIST_POSITION
            ? NULL
            : tag_of_piece(d->doc->shared_vfs->vfs, d->models[row], body_of(d->doc));
    if (tag)
        select_tag(d, tag);
}

/* Lists the models at hand. A search finds any part of a name. */
static void fill_models(attach_dialog *d) {
    g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
    g_autoptr(GtkExpression) text =
        gtk_property_expression_new(GTK_TYPE_STRING_OBJECT, NULL, "string");
    g_auto(GStrv) paths = paths_with(d->w, d->weapons);
    const char *shown[LM_MAX_PARTS + 1] = {NULL};
    for (uint32_t i = 0; i < document_scene(d->doc)->num_parts; i++)
        shown[i] = d->doc->assets->assets[i].path;
    char **models = attachments_at_hand(d->doc->shared_vfs->vfs, paths, shown);
    for (char **path = models; *path; path++)
        gtk_string_list_take(names, display_title(d->doc->shared_vfs->vfs, *path));
    gtk_drop_down_set_model(GTK_DROP_DOWN(d->model), NULL);
    g_strfreev(d->models);
    d->models = models;
    gtk_drop_down_set_expression(GTK_DROP_DOWN(d->model), text);
    gtk_drop_down_set_model(GTK_DROP_DOWN(d->model), G_LIST_MODEL(names));
    gtk_widget_set_sensitive(d->model, d->models[0] != NULL);
    gtk_widget_set_sensitive(d->add, d->models[0] != NULL);
    model_selected(GTK_DROP_DOWN(d->model), NULL, d);
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
    if (!window || !job->weapons[0])
        return;
    dialog_of(window)->weapons = g_steal_pointer(&job->weapons);
    fill_models(dialog_of(window));
}

void window_attach_refresh(ViewerWindow *w, bool opened) {
    g_autoptr(GtkWidget) window = g_weak_ref_get(&w->attach_dialog);
    if (!window)
        return;
    attach_dialog *d = dialog_of(window);
    if (!opened || strcmp(w->doc->request.path, d->doc->request.path) != 0) {
        gtk_window_destroy(GTK_WINDOW(window)); /* the window has a message, or another model */
        return;
    }
    document_unref(d->doc);
    d->doc = document_ref(w->doc);
    fill_attached(d);
    fill_tags(d);
    fill_models(d);
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
    g_weak_ref_set(&w->attach_dialog, d->window);
    fill_attached(d);
    fill_tags(d);
    fill_models(d);
    g_signal_connect(d->model, "notify::selected", G_CALLBACK(model_selected), d);
    weapons_job *job = g_new0(weapons_job, 1);
    job->base = (window_job){.run = find_weapons, .done = weapons_found, .clear = clear_weapons};
    g_weak_ref_init(&job->dialog, d->window);
    job->doc = document_ref(d->doc);
    window_run(w, &job->base);
    g_signal_connect(d->add, "clicked", G_CALLBACK(add_clicked), d);
    g_signal_connect(choose, "clicked", G_CALLBACK(choose_clicked), d);
    gtk_window_present(GTK_WINDOW(d->window));
}
