/* The grid of thumbnails: an overlay that replaces the model and the side panel. */
#include "window_private.h"

#include "display_text.h"
#include "folder.h"
#include "grid.h"
#include "list.h"
#include "text.h"

#define BATCH 64          /* models whose facts one job reads at most */
#define BATCH_TIME 200000 /* microseconds after which a job returns */

/* ---- Facts ----------------------------------------------------------------------------------- */

/* A job that reads the facts of some models. */
typedef struct facts_job {
    window_job base;
    guint generation; /* of the grid's models */
    shared_vfs *vfs;
    guint num_models, num_read;
    guint rows[BATCH];
    folder_model models[BATCH]; /* copies, without problems */
    model_facts facts[BATCH];
} facts_job;

static void run_facts(window_job *base) {
    facts_job *job = (facts_job *)base;
    const gint64 end = g_get_monotonic_time() + BATCH_TIME;
    for (guint i = 0; i < job->num_models && (i == 0 || g_get_monotonic_time() < end); i++) {
        job->facts[i] = model_facts_read(job->vfs->vfs, job->models[i].path, job->models[i].player);
        job->num_read++;
    }
}

static void clear_facts(window_job *base) {
    facts_job *job = (facts_job *)base;
    for (guint i = 0; i < job->num_models; i++) {
        g_free(job->models[i].path);
        model_facts_clear(&job->facts[i]);
    }
    shared_vfs_unref(job->vfs);
}

static void facts_read(ViewerWindow *w, window_job *base);

/* Reads facts that are not known yet, of models in view first. */
static void read_facts(ViewerWindow *w) {
    guint rows[BATCH];
    const guint count = viewer_grid_unknown(w->grid, rows, BATCH);
    if (count == 0)
        return;
    facts_job *job = g_new0(facts_job, 1);
    job->base = (window_job){.run = run_facts, .done = facts_read, .clear = clear_facts};
    job->generation = w->grid_generation;
    job->vfs = shared_vfs_ref(w->grid_vfs);
    job->num_models = count;
    for (guint i = 0; i < count; i++) {
        const folder_model *model = &g_array_index(w->gridded, folder_model, rows[i]);
        job->rows[i] = rows[i];
        job->models[i] = (folder_model){.path = g_strdup(model->path), .player = model->player};
    }
    window_run(w, &job->base);
}

/* Marks the models that cannot be opened, also in the list. */
static void note_damage(ViewerWindow *w, const facts_job *job) {
    bool any = false;
    for (guint i = 0; i < job->num_read; i++) {
        folder_model *model = &g_array_index(w->gridded, folder_model, job->rows[i]);
        if (g_strcmp0(model->problem, job->facts[i].damage) == 0)
            continue;
        any = true;
        g_free(model->problem);
        model->problem = g_strdup(job->facts[i].damage);
    }
    if (!any)
        return;
    w->listed = NULL;
    window_fill_models(w);
}

static void facts_read(ViewerWindow *w, window_job *base) {
    const facts_job *job = (facts_job *)base;
    if (job->generation != w->grid_generation)
        return;
    viewer_grid_set_facts(w->grid, job->rows, job->facts, job->num_read);
    note_damage(w, job);
    read_facts(w);
}

/* ---- Models ---------------------------------------------------------------------------------- */

static void forget_models(ViewerWindow *w) {
    w->grid_generation++;
    g_clear_pointer(&w->gridded, g_array_unref);
    g_clear_pointer(&w->grid_vfs, shared_vfs_unref);
}

/* Shows "12 of 859 models". */
static void show_count(ViewerWindow *w) {
    const guint all = w->gridded ? w->gridded->len : 0, shown = viewer_grid_count_shown(w->grid);
    g_autofree char *text = shown == all ? g_strdup_printf(TEXT_MODEL_COUNT(all), all)
                                         : g_strdup_printf(TEXT_MODELS_SHOWN(all), shown, all);
    gtk_label_set_text(GTK_LABEL(w->grid_count), text);
}

/* Fills the grid from the list, unless it has that list already. */
static void fill(ViewerWindow *w) {
    if (w->gridded == w->list && w->grid_vfs == w->shared_vfs)
        return;
    forget_models(w);
    w->gridded = g_array_ref(w->list);
    w->grid_vfs = shared_vfs_ref(w->shared_vfs);
    g_autofree grid_model *models = g_new0(grid_model, w->list->len);
    g_autofree char ***texts = g_new0(char **, w->list->len);
    for (guint i = 0; i < w->list->len; i++) {
        const folder_model *model = &g_array_index(w->list, folder_model, i);
        g_autofree char *text = window_model_text(w, i);
        texts[i] = g_strsplit(text, "\t", 3);
        models[i] =
            (grid_model){model->path, texts[i][0], texts[i][1] ? texts[i][1] : "", model->problem};
    }
    viewer_grid_set_models(w->grid, models, w->list->len, w->shared_vfs,
                           (const char *const *)w->request.games);
    for (guint i = 0; i < w->list->len; i++)
        g_strfreev(texts[i]);
    show_count(w);
    read_facts(w);
}

/* ---- The page -------------------------------------------------------------------------------- */

static void show_title(ViewerWindow *w) {
    g_autofree char *name = w->list_path ? g_path_get_basename(w->list_path) : g_strdup("");
    g_autofree char *title = display_text(name);
    gtk_label_set_text(GTK_LABEL(w->title), title);
    gtk_widget_set_visible(w->subtitle, FALSE);
    gtk_window_set_title(GTK_WINDOW(w), title);
}

void window_show_grid(ViewerWindow *w, bool shown) {
    const bool possible = w->list && w->list->len > 1;
    const bool before = w->grid_is_shown;
    w->grid_is_shown = shown && possible;
    window_set_state(w, "thumbnails",
                     g_variant_new_boolean(possible ? w->grid_is_shown : w->prefers_grid));
    if (w->grid_is_shown)
        fill(w);
    if (w->grid_is_shown == before && !before)
        return;
    gtk_widget_set_visible(w->grid_page, w->grid_is_shown);
    gtk_widget_set_visible(w->controls_slot, !w->grid_is_shown);
    window_enable(w);
    if (!w->grid_is_shown) {
        if (w->doc)
            window_show_title(w);
        gtk_widget_grab_focus(GTK_WIDGET(w->stage));
        window_set_playing(w, w->play_requested);
        return;
    }
    window_set_playing(w, false);
    show_title(w);
    if (before)
        return;
    if (w->doc)
        viewer_grid_select(w->grid, folder_index(w->list, w->doc->request.path));
    viewer_grid_focus(w->grid);
}

guint window_step_row(ViewerWindow *w, int step) {
    const guint row = window_model_row(w);
    return w->from_grid && w->gridded == w->list ? viewer_grid_step(w->grid, row, step)
                                                 : viewer_list_step(w->model_list, row, step);
}

bool window_grid_is_busy(ViewerWindow *w) {
    return w->grid_is_shown && viewer_grid_is_busy(w->grid);
}

/* ---- Signals --------------------------------------------------------------------------------- */

/* The grid and the list have the same search. */
static void searched(ViewerWindow *w) {
    viewer_grid_search(w->grid, gtk_editable_get_text(GTK_EDITABLE(w->grid_search)));
    show_count(w);
}

/* Typing in the grid searches. The entry then has the focus, as the focused cell may vanish. */
static void search_typed(ViewerWindow *w) {
    GtkEditable *text = gtk_editable_get_delegate(GTK_EDITABLE(w->grid_search));
    const bool any = *gtk_editable_get_text(text) != '\0';
    if (any && w->grid_is_shown && gtk_widget_get_focus_child(w->grid_page) == w->grid)
        gtk_text_grab_focus_without_selecting(GTK_TEXT(text));
}

static void search_stopped(ViewerWindow *w) {
    gtk_editable_set_text(GTK_EDITABLE(w->grid_search), "");
    viewer_grid_focus(w->grid);
}

void window_sort_grid(ViewerWindow *w, uint32_t order) {
    viewer_grid_sort(w->grid, (grid_order)order);
    gtk_drop_down_set_selected(GTK_DROP_DOWN(w->grid_sort), order);
}

static GtkWidget *child(GtkBuilder *builder, const char *id) {
    return GTK_WIDGET(gtk_builder_get_object(builder, id));
}

void window_add_grid(ViewerWindow *w) {
    g_autoptr(GtkBuilder) builder = gtk_builder_new_from_resource("/org/lerpmesh/Viewer/grid.ui");
    w->grid_page = child(builder, "grid_page");
    w->grid_search = child(builder, "grid_search");
    w->grid_count = child(builder, "grid_count");
    w->grid_sort = child(builder, "grid_sort");
    w->grid = viewer_grid_new("win.model", TEXT_MODELS);
    gtk_box_append(GTK_BOX(w->grid_page), w->grid);
    GtkOverlay *overlay = GTK_OVERLAY(gtk_widget_get_parent(w->controls_slot));
    gtk_overlay_add_overlay(overlay, w->grid_page);
    gtk_overlay_set_measure_overlay(overlay, w->grid_page, TRUE);
    gtk_search_entry_set_key_capture_widget(GTK_SEARCH_ENTRY(w->grid_search), w->grid_page);
    g_object_bind_property(w->model_search, "text", w->grid_search, "text",
                           G_BINDING_BIDIRECTIONAL);
    g_signal_connect_swapped(w->grid_search, "search-changed", G_CALLBACK(searched), w);
    g_signal_connect_swapped(w->grid_search, "changed", G_CALLBACK(search_typed), w);
    g_signal_connect_swapped(w->grid_search, "stop-search", G_CALLBACK(search_stopped), w);
    g_signal_connect_swapped(w->grid_search, "activate", G_CALLBACK(viewer_grid_activate), w->grid);
}

void window_end_grid(ViewerWindow *w) {
    forget_models(w);
    w->grid_is_shown = false;
}
