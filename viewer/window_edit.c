/* Edits: fixes, new names, clips, undo and redo. */
#include "display_text.h"
#include "text.h"
#include "window_private.h"

#include <math.h>
#include <string.h>

#define MAX_CLIPS ((size_t)1 << 20) /* bytes of a clips file */
#define RATE_STEP 0.0005            /* a difference that the dialog does not show */

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Shows the edited bytes. */
static void show_edited(ViewerWindow *w) {
    g_clear_pointer(&w->request.edited, g_hash_table_unref);
    w->request.edited = edits_table(w->edits);
    window_enable_edits(w);
    window_load(w);
}

static void show_failure(ViewerWindow *w, const lm_error *error) {
    g_autofree char *text = display_message(error->code, error->message);
    window_show_error(w, text, NULL, false);
}

/* Adds the file of a part to the edits. */
static guint add_model(ViewerWindow *w, uint32_t part) {
    const lm_asset *asset = &w->doc->assets->assets[part];
    g_autoptr(GBytes) bytes = g_bytes_new(asset->data, asset->size);
    return edits_add_file(w->edits, asset->path, bytes, false);
}

/* Adds the clips file of a part to the edits. */
static bool add_clips(ViewerWindow *w, uint32_t part, guint *index, lm_error *error) {
    const lm_asset *asset = &w->doc->assets->assets[part];
    g_autofree char *path = document_clips_path(w->doc, part);
    lm_buffer file = {0};
    g_autoptr(GBytes) text = NULL;
    bool read = true;
    if (asset->clips && !edits_has_file(w->edits, path)) {
        read = lm_vfs_read(w->doc->shared_vfs->vfs, path, MAX_CLIPS, &file, error);
        text = read ? g_bytes_new(file.data, file.size) : NULL;
        lm_buffer_free(&file);
    }
    if (read)
        *index = edits_add_file(w->edits, path, text, true);
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
    g_autofree char *text = g_strdup(sentence);
    const edit_step step = {.kind = EDIT_FIX, .problem = *document_problem(w->doc, row)};
    const problem_row *at = &g_array_index(w->doc->problems.rows, problem_row, row);
    if (window_add_step(w, at->part, &step, &error))
        window_show_status(w, text);
    else
        show_failure(w, &error);
}

void window_undo(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    const bool undo = strcmp(g_action_get_name(G_ACTION(action)), "undo") == 0;
    if ((undo ? edits_undo : edits_redo)(w->edits))
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
        show_failure(w, &error);
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
    g_autofree char *text = display_text(name);
    const char *kind = list == LM_EDIT_SKINS  ? TEXT_NAME_OF_SKIN
                       : list == LM_EDIT_TAGS ? _("Tag: %s")
                                              : _("Clip: %s");
    g_autofree char *row = g_strdup_printf(kind, text);
    const document *doc = d->w->doc;
    return document_scene(doc)->num_parts > 1
               ? g_strdup_printf(TEXT_SURFACE_OF, doc->part_names[part], row)
               : g_strdup(row);
}

static void list_names(names_dialog *d, uint32_t part, lm_edit *edit, lm_edit_list list,
                       GtkStringList *shown) {
    uint32_t surfaces = 0, count = 0;
    char name[LM_EDIT_NAME_SIZE];
    if (list == LM_EDIT_SKINS) /* MD3, MDC: of each surface */
        lm_edit_count(edit, LM_EDIT_SURFACES, 0, &surfaces, NULL);
    for (uint32_t s = 0; s < MAX(surfaces, 1u); s++) {
        lm_edit_count(edit, list, s, &count, NULL);
        for (uint32_t i = 0; i < count; i++) {
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
}

static named_part *selected_name(names_dialog *d) {
    guint row = gtk_drop_down_get_selected(GTK_DROP_DOWN(d->items));
    return row < d->names->len ? &g_array_index(d->names, named_part, row) : NULL;
}

static void name_selected(GtkDropDown *down, GParamSpec *spec, names_dialog *d) {
    const named_part *name = selected_name(d);
    g_autofree char *text = name ? g_utf8_make_valid(name->step.name, -1) : g_strdup("");
    gtk_editable_set_text(GTK_EDITABLE(d->entry), text);
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
    g_autofree char *text = display_message(error.code, error.message);
    gtk_label_set_text(GTK_LABEL(d->message), text);
}

/* Lists the names of all parts. Clips of a clips file are not among them. */
static GtkStringList *fill_names(names_dialog *d) {
    GtkStringList *shown = gtk_string_list_new(NULL);
    const lm_assets *assets = d->w->doc->assets;
    lm_error error;
    bool with_clips = false;
    g_autofree char *failure = NULL;
    for (uint32_t part = 0; part < assets->scene->num_parts; part++) {
        const lm_asset *asset = &assets->assets[part];
        lm_edit *edit = lm_edit_open(asset->data, asset->size, NULL, &error);
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
    gtk_label_set_text(GTK_LABEL(d->message),
                       failure ? failure
                       : with_clips
                           ? _("A clips file defines the clips. Change them on the Clips page.")
                           : "");
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
    g_autoptr(GtkStringList) shown = fill_names(d);
    gtk_drop_down_set_model(GTK_DROP_DOWN(d->items), G_LIST_MODEL(shown));
    g_signal_connect(d->items, "notify::selected", G_CALLBACK(name_selected), d);
    g_signal_connect(rename, "clicked", G_CALLBACK(apply_name), d);
    name_selected(NULL, NULL, d);
    gtk_window_present(GTK_WINDOW(d->window));
}

/* ---- Clips ----------------------------------------------------------------------------------- */

/* The values of a clip that a user edits. */
typedef struct clip_values {
    const char *name;
    uint32_t first, last; /* frames of the model */
    double fps;
    bool loops;
} clip_values;

static clip_values values_of(const lm_clip *clip) {
    return (clip_values){clip->name, clip->first, clip->first + clip->count - 1, (double)clip->fps,
                         clip->loop_frames > 0};
}

/* Returns the clip with the values. */
static lm_clip with_values(const lm_clip *from, const clip_values *to) {
    lm_clip clip = *from;
    clip.name = to->name;
    clip.first = to->first;
    clip.count = to->last < to->first ? 0 : to->last - to->first + 1;
    if (fabs(to->fps - (double)from->fps) >= RATE_STEP)
        clip.fps = (float)to->fps;
    const bool all = from->loop_frames == 0 || from->loop_frames == from->count;
    clip.loop_frames = !to->loops                              ? 0
                       : all || from->loop_frames > clip.count ? clip.count
                                                               : from->loop_frames;
    return clip;
}

static bool same_numbers(const lm_clip *a, const lm_clip *b) {
    return a->first == b->first && a->count == b->count && a->fps == b->fps &&
           a->loop_frames == b->loop_frames;
}

static bool reads_as(const lm_edit *edit, const lm_clip *clip) {
    lm_buffer file = {0};
    lm_error error;
    const bool written = lm_edit_write(edit, &file, &error);
    lm_model *model = written ? lm_load_memory(file.data, file.size, NULL, &error) : NULL;
    const lm_clip *found = model ? lm_model_find_clip(model, clip->name) : NULL;
    const bool same = found && same_numbers(found, clip);
    lm_model_free(model);
    lm_buffer_free(&file);
    return same;
}

/* Returns whether other names of frames make the clip: its name decides whether it loops. `index`
 * is that of the clip in the edit. */
static bool names_suffice(const document *d, const document_clip *from, const lm_clip *next,
                          uint32_t *index) {
    const lm_asset *file = &d->assets->assets[from->part];
    lm_error error;
    lm_edit *edit = lm_edit_open(file->data, file->size, NULL, &error);
    const bool suffice =
        edit && lm_edit_find(edit, LM_EDIT_CLIPS, 0, from->clip.name, index, &error) &&
        lm_edit_rename(edit, LM_EDIT_CLIPS, 0, *index, next->name, &error) && reads_as(edit, next);
    lm_edit_free(edit);
    return suffice;
}

/* Makes the step that gives a clip of the document these values. If other names of
 * frames make the clip, the step renames them; otherwise it changes the clips file. A clip that
 * repeats its last frames keeps their number. The step borrows the names. Returns false if no value
 * differs. */
static bool clip_step(const document *d, uint32_t clip, const clip_values *to, edit_step *step) {
    const document_clip *from = &d->clips[clip];
    const lm_clip next = with_values(&from->clip, to);
    const bool renamed = strcmp(next.name, from->clip.name) != 0;
    const bool same = same_numbers(&next, &from->clip);
    *step = (edit_step){.kind = EDIT_NAME, .list = LM_EDIT_CLIPS, .name = (char *)next.name};
    if (same && !renamed)
        return false;
    if (same && !d->assets->assets[from->part].clips && names_suffice(d, from, &next, &step->index))
        return true;
    *step = (edit_step){.kind = EDIT_CLIP,
                        .name = (char *)from->clip.name,
                        .clip = next,
                        .num_frames = document_scene(d)->parts[from->part].model->num_frames};
    return true;
}

/* ---- The dialog of a clip -------------------------------------------------------------------- */

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
        show_failure(w, &error);
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
    g_autofree char *text =
        there ? display_message(error.code, error.message) : g_strdup(TEXT_CLIP_NOT_EDITABLE);
    gtk_label_set_text(GTK_LABEL(d->message), text);
    gtk_widget_set_visible(d->message, TRUE);
}

/* A clip ends at its first frame or later. */
static void first_changed(clip_dialog *d) {
    double lower, upper;
    gtk_spin_button_get_range(GTK_SPIN_BUTTON(d->last), &lower, &upper);
    gtk_spin_button_set_range(GTK_SPIN_BUTTON(d->last), (double)frame_in(d->first), upper);
}

static void fill(clip_dialog *d) {
    const document_clip *clip = &d->w->doc->clips[d->clip];
    const clip_values values = values_of(&clip->clip);
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
