/* Fixes, new names, undo and redo. */
#include "display_text.h"
#include "text.h"
#include "window_private.h"

#include <string.h>

#define MAX_CLIPS ((size_t)1 << 20) /* bytes of a clips file */

/* ---- Steps --------------------------------------------------------------------------------- */

/* Shows the edited bytes. */
static void show_edited(ViewerWindow *w) {
    g_clear_pointer(&w->request.edited, g_hash_table_unref);
    w->request.edited = edits_table(w->edits);
    window_enable_edits(w);
    window_load(w);
}

void window_show_failure(ViewerWindow *w, const lm_error *error) {
    char *text = display_message(error->code, error->message);
    window_show_error(w, text, NULL, false);
    g_free(text);
}

/* Adds the file of a part to the edits. */
static guint add_model(ViewerWindow *w, uint32_t part) {
    const lm_asset *asset = &w->doc->assets->assets[part];
    GBytes *bytes = g_bytes_new(asset->file.data, asset->file.size);
    const guint index = edits_add_file(w->edits, asset->path, bytes, false);
    g_bytes_unref(bytes);
    return index;
}

/* Adds the clips file of a part to the edits. */
static bool add_clips(ViewerWindow *w, uint32_t part, guint *index, lm_error *error) {
    const lm_asset *asset = &w->doc->assets->assets[part];
    char *path = document_clips_path(w->doc, part);
    lm_file file = {0};
    GBytes *text = NULL;
    bool read = true;
    if (asset->clips && !edits_has_file(w->edits, path)) {
        read = lm_vfs_read(w->doc->shared_vfs->vfs, path, MAX_CLIPS, &file, error);
        text = read ? g_bytes_new(file.data, file.size) : NULL;
        lm_file_free(&file);
    }
    if (read)
        *index = edits_add_file(w->edits, path, text, true);
    g_clear_pointer(&text, g_bytes_unref);
    g_free(path);
    return read;
}

bool window_add_step(ViewerWindow *w, uint32_t part, const edit_step *step, lm_error *error) {
    edit_step complete = *step;
    /* While another model loads, or if it could not be read, the old one is only shown. */
    if (g_strcmp0(w->doc->request.path, w->request.path) != 0)
        return lm_fail_plain(error, LM_CODE_OK, "%s", TEXT_NOT_EDITABLE);
    if (!w->edits)
        w->edits = edits_new();
    add_model(w, document_own_part(w->doc)); /* a copy of clips alone has it, too */
    complete.model = add_model(w, part);
    if ((step->kind == EDIT_CLIP && !add_clips(w, part, &complete.clips, error)) ||
        !edits_add(w->edits, &complete, error))
        return false;
    show_edited(w);
    return true;
}

void window_fix(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    const uint32_t row = g_variant_get_uint32(parameter);
    const char *sentence = w->doc ? document_fix(w->doc, row) : NULL;
    lm_error error;
    if (!sentence)
        return;
    char *text = g_strdup(sentence);
    const edit_step step = {.kind = EDIT_FIX, .problem = *document_problem(w->doc, row)};
    const problem_row *at = &g_array_index(w->doc->problems.rows, problem_row, row);
    if (window_add_step(w, at->part, &step, &error))
        window_show_status(w, text);
    else
        window_show_failure(w, &error);
    g_free(text);
}

void window_undo(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    lm_error error;
    const bool undo = strcmp(g_action_get_name(G_ACTION(action)), "undo") == 0;
    if ((undo ? edits_undo : edits_redo)(w->edits, &error))
        show_edited(w);
}

void window_rename(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    edit_step step = {.kind = EDIT_NAME};
    lm_error error;
    const char *name;
    guint list;
    g_variant_get(parameter, "(uuu&s)", &list, &step.surface, &step.index, &name);
    step.list = (lm_edit_list)MIN(list, (guint)LM_NUM_EDIT_LISTS);
    step.name = (char *)name;
    if (w->doc && !window_add_step(w, document_own_part(w->doc), &step, &error))
        window_show_failure(w, &error);
}

/* ---- The dialog of names --------------------------------------------------------------------- */

typedef struct names_dialog {
    ViewerWindow *w;
    GtkWidget *window, *items, *entry, *message;
    GArray *names; /* named_part */
} names_dialog;

/* A name in the file of a part. */
typedef struct named_part {
    uint32_t part;
    edit_step step;
} named_part;

static void free_names(gpointer user) {
    names_dialog *d = user;
    for (guint i = 0; i < d->names->len; i++)
        g_free(g_array_index(d->names, named_part, i).step.name);
    g_array_unref(d->names);
    g_free(d);
}

/* Returns "Skin: NAME", for several parts after the name of the part. */
static char *name_text(names_dialog *d, uint32_t part, lm_edit_list list, const char *name) {
    char *text = display_text(name);
    const char *kind = list == LM_EDIT_SKINS  ? TEXT_NAME_OF_SKIN
                       : list == LM_EDIT_TAGS ? TEXT_NAME_OF_TAG
                                              : TEXT_NAME_OF_CLIP;
    char *row = g_strdup_printf(kind, text);
    const document *doc = d->w->doc;
    char *all = document_scene(doc)->num_parts > 1
                    ? g_strdup_printf(TEXT_SURFACE_OF, doc->part_names[part], row)
                    : g_strdup(row);
    g_free(row);
    g_free(text);
    return all;
}

static void list_names(names_dialog *d, uint32_t part, lm_edit *edit, lm_edit_list list,
                       GtkStringList *shown) {
    const uint32_t surfaces =
        lm_edit_by_surface(edit, list) ? lm_edit_count(edit, LM_EDIT_SURFACES, 0) : 1;
    char name[LM_EDIT_NAME_SIZE];
    for (uint32_t s = 0; s < surfaces; s++)
        for (uint32_t i = 0; i < lm_edit_count(edit, list, s); i++) {
            if (!lm_edit_name(edit, list, s, i, name))
                continue;
            named_part named = {part,
                                {.kind = EDIT_NAME,
                                 .list = list,
                                 .surface = s,
                                 .index = i,
                                 .name = g_strdup(name)}};
            g_array_append_val(d->names, named);
            gtk_string_list_take(shown, name_text(d, part, list, name));
        }
}

static named_part *selected_name(names_dialog *d) {
    guint row = gtk_drop_down_get_selected(GTK_DROP_DOWN(d->items));
    return row < d->names->len ? &g_array_index(d->names, named_part, row) : NULL;
}

static void name_selected(GtkDropDown *down, GParamSpec *spec, names_dialog *d) {
    const named_part *name = selected_name(d);
    char *text = name ? g_utf8_make_valid(name->step.name, -1) : g_strdup("");
    gtk_editable_set_text(GTK_EDITABLE(d->entry), text);
    g_free(text);
}

static void apply_name(GtkWidget *widget, names_dialog *d) {
    const named_part *name = selected_name(d);
    lm_error error;
    if (!name || !d->w->doc)
        return;
    edit_step step = name->step;
    step.name = (char *)gtk_editable_get_text(GTK_EDITABLE(d->entry));
    if (window_add_step(d->w, name->part, &step, &error)) {
        gtk_window_destroy(GTK_WINDOW(d->window));
        return;
    }
    char *text = display_message(error.code, error.message);
    gtk_label_set_text(GTK_LABEL(d->message), text);
    g_free(text);
}

/* Lists the names of all parts. Clips of a clips file are not among them. */
static GtkStringList *fill_names(names_dialog *d) {
    GtkStringList *shown = gtk_string_list_new(NULL);
    const lm_assets *assets = d->w->doc->assets;
    lm_error error;
    bool with_clips = false;
    char *failure = NULL;
    for (uint32_t part = 0; part < assets->scene->num_parts; part++) {
        const lm_asset *asset = &assets->assets[part];
        lm_edit *edit = lm_edit_open(asset->file.data, asset->file.size, NULL, &error);
        if (edit) {
            list_names(d, part, edit, LM_EDIT_SKINS, shown);
            list_names(d, part, edit, LM_EDIT_TAGS, shown);
            if (!asset->clips)
                list_names(d, part, edit, LM_EDIT_CLIPS, shown);
        } else {
            g_free(failure);
            failure = display_message(error.code, error.message);
        }
        with_clips = with_clips || asset->clips;
        lm_edit_free(edit);
    }
    gtk_label_set_text(GTK_LABEL(d->message), failure      ? failure
                                              : with_clips ? TEXT_CLIPS_OF_FILE
                                                           : "");
    g_free(failure);
    return shown;
}

void window_edit_names(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    if (!w->doc)
        return;
    GtkWidget *rename;
    names_dialog *d = g_new0(names_dialog, 1);
    const dialog_widget widgets[] = {{"names_dialog", &d->window},
                                     {"items", &d->items},
                                     {"name", &d->entry},
                                     {"message", &d->message},
                                     {"rename", &rename}};
    window_build_dialog(w, "names.ui", widgets, G_N_ELEMENTS(widgets), d, free_names);
    d->w = w;
    d->names = g_array_new(FALSE, FALSE, sizeof(named_part));
    GtkStringList *shown = fill_names(d);
    gtk_drop_down_set_model(GTK_DROP_DOWN(d->items), G_LIST_MODEL(shown));
    g_object_unref(shown);
    g_signal_connect(d->items, "notify::selected", G_CALLBACK(name_selected), d);
    g_signal_connect(rename, "clicked", G_CALLBACK(apply_name), d);
    name_selected(NULL, NULL, d);
    gtk_window_present(GTK_WINDOW(d->window));
}
