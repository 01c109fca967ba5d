/* Opening: worker threads load models, and load them again when their files change. */
#include "window_private.h"

#include "display_text.h"
#include "folder.h"
#include "internals.h"
#include "text.h"

#include <string.h>

#define RELOAD_DELAY 300 /* milliseconds: programs write a file in several steps */
#define MAX_WATCHED 256  /* folders of a list */

/* A load job, with its result. */
typedef struct load_job {
    window_job base;
    guint generation;
    char **paths; /* paths to list the models of; NULL: keep the list */
    document_request request;
    document *shown;   /* whose files have changed; NULL: the user asked for the load */
    bool prefers_grid; /* shows a folder or an archive as a grid, and opens no model */
    bool again;        /* files have changed: keeps the grid, and the model of the request */
    bool by_itself;    /* the user did not ask for it */
    bool lists_only;   /* opens no model */
    shared_vfs *shared_vfs;
    folder_listing listing; /* of the paths */
    bool browses;           /* it has models for the grid */
    document *doc;          /* NULL: see `message` */
    char *message;
    char *details;   /* the library's message, if `message` is a summary; else NULL */
    char *problem;   /* the library's message; NULL: the model was opened */
    guint skipped;   /* models of the listing before this one, which cannot be read */
    bool repairable; /* it can be opened with repairs */
} load_job;

static void clear_load(window_job *base) {
    load_job *job = (load_job *)base;
    g_strfreev(job->paths);
    folder_listing_clear(&job->listing);
    document_request_clear(&job->request);
    document_unref(job->doc);
    document_unref(job->shown);
    shared_vfs_unref(job->shared_vfs);
    g_free(job->message);
    g_free(job->details);
    g_free(job->problem);
}

/* Opens a model that cannot be read with repairs. NULL: that fails too, or was tried already. */
static document *open_repaired(const load_job *job) {
    document_request request = job->request;
    lm_error error;
    request.repair = true;
    return job->request.repair ? NULL : document_open(job->shared_vfs, &request, &error);
}

/* Returns the message for a file that ends before its last frame; NULL: it does not. */
static char *describe_cut(const document *repaired, const char *name) {
    const lm_asset *file = &repaired->assets->assets[0];
    uint32_t num_frames = document_model(repaired)->num_frames, announced = 0;
    lm_layout *layout = lm_layout_memory(file->data, file->size, NULL, NULL);
    for (uint32_t i = 0; layout && i < layout->num_lumps; i++)
        if (strcmp(layout->lumps[i].name, "frames") == 0 && layout->lumps[i].outside)
            announced = (uint32_t)MIN(layout->lumps[i].count, G_MAXUINT32);
    lm_layout_free(layout);
    return announced > num_frames
               ? g_strdup_printf(TEXT_CUT_OFF(announced), name, num_frames, announced)
               : NULL;
}

/* Sets the message and the details of a file, and finds out whether the model opens with repairs.
 */
static void describe_failure(load_job *job, const char *path, const char *message, lm_code code) {
    g_autofree char *name = display_name(job->shared_vfs->vfs, path);
    g_autofree char *text = display_text(message);
    const char *meaning = display_meaning(code);
    const bool listed = message == job->listing.message; /* without a model */
    document *repaired = listed || path != job->request.path ? NULL : open_repaired(job);
    job->repairable = repaired != NULL;
    if (listed)
        job->message = g_strdup_printf(TEXT_NO_MODELS, name);
    else if (code == LM_CODE_UNKNOWN_FORMAT)
        job->message =
            g_strdup_printf(_("\"%s\" is not a model or an archive that lerpmesh reads"), name);
    else if (repaired)
        job->message = describe_cut(repaired, name);
    job->details =
        g_str_has_prefix(text, name) ? g_strdup(text) : g_strdup_printf("%s: %s", name, text);
    if (!job->message)
        job->message = meaning ? g_strdup_printf(TEXT_MESSAGE_OF, name, meaning)
                               : g_steal_pointer(&job->details);
    job->problem = display_message(code, message);
    document_unref(repaired);
}

/* Opens the next model of a folder or an archive that can be read, after one that cannot. Notes why
 * the others cannot. */
static void open_next(load_job *job) {
    GArray *models = job->listing.models;
    guint count = job->listing.several ? models->len : 0;
    int first = folder_index(models, job->request.path);
    lm_error error;
    document_request request = document_request_copy(&job->request);
    for (guint i = 1; i < count && first >= 0 && !job->doc; i++) {
        folder_model *model = &g_array_index(models, folder_model, ((guint)first + i) % count);
        g_free(request.path);
        request.path = g_strdup(model->path);
        job->doc = document_open(job->shared_vfs, &request, &error);
        if (job->doc)
            job->skipped = i;
        else if (!model->problem)
            model->problem = display_message(error.code, error.message);
    }
    if (job->doc) {
        folder_model *bad = &g_array_index(models, folder_model, first);
        g_free(bad->problem);
        bad->problem = g_steal_pointer(&job->problem);
        g_free(job->request.path);
        job->request.path = g_steal_pointer(&request.path);
    }
    document_request_clear(&request);
}

/* Returns whether a file of the models that are shown is gone. Describes the failure, as the rest
 * of a player would open without it. */
static bool lost_a_model(load_job *job) {
    const uint32_t count = job->shown ? document_scene(job->shown)->num_parts : 0;
    for (uint32_t i = 0; i < count; i++) {
        const char *path = job->shown->assets->assets[i].path;
        lm_buffer file = {0};
        lm_error error;
        const bool read = g_file_test(path, G_FILE_TEST_EXISTS) ||
                          lm_vfs_read(job->shared_vfs->vfs, path, 0, &file, &error);
        lm_buffer_free(&file);
        if (!read) {
            describe_failure(job, path, error.message, error.code);
            return true;
        }
    }
    return false;
}

static void run_load(window_job *base) {
    load_job *job = (load_job *)base;
    lm_error error;
    if (job->paths) {
        job->listing = folder_list(job->shared_vfs->vfs, (const char *const *)job->paths);
        if (!job->again) {
            g_free(job->request.path);
            job->request.path = g_strdup(job->listing.first);
        }
    }
    if (job->lists_only)
        return;
    if (job->listing.message && !job->again) {
        describe_failure(job, job->request.path, job->listing.message, LM_CODE_OK);
        return;
    }
    job->browses =
        job->prefers_grid && !job->again && job->listing.several && job->listing.models->len > 1;
    if (job->browses || lost_a_model(job))
        return;
    job->doc = document_open(job->shared_vfs, &job->request, &error);
    if (job->doc)
        return;
    describe_failure(job, job->request.path, error.message, error.code);
    if (job->listing.several && !job->again)
        open_next(job);
}

/* ---- Changed files --------------------------------------------------------------------------- */

static void begin(ViewerWindow *w, load_job *job);
static load_job *new_load(ViewerWindow *w, const char *const *paths, bool again);

/* Lists the models again, and opens the model. */
static load_job *new_reload(ViewerWindow *w, bool lists, bool opens) {
    load_job *job = new_load(w, lists ? (const char *const *)w->list_paths : NULL, true);
    job->lists_only = !opens;
    return job;
}

/* Does not replace a load that is running. */
static gboolean reload(gpointer user) {
    ViewerWindow *w = user;
    if (w->finished != w->generation)
        return G_SOURCE_CONTINUE;
    load_job *job = new_reload(w, w->list_changed, w->document_changed && w->request.path);
    job->by_itself = true;
    if (w->doc && g_strcmp0(w->doc->request.path, w->request.path) == 0)
        job->shown = document_ref(w->doc);
    w->reload_timer = 0;
    w->list_changed = w->document_changed = false;
    begin(w, job);
    return G_SOURCE_REMOVE;
}

static void reload_soon(ViewerWindow *w, bool list) {
    w->list_changed = w->list_changed || list;
    w->document_changed = w->document_changed || !list;
    g_clear_handle_id(&w->reload_timer, g_source_remove);
    w->reload_timer = g_timeout_add(RELOAD_DELAY, reload, w);
}

static void document_changed(GFileMonitor *monitor, GFile *file, GFile *other,
                             GFileMonitorEvent event, ViewerWindow *w) {
    if (event != G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED)
        reload_soon(w, false);
}

/* Only models and archives change the list with their contents; logs do not. */
static void list_changed(GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event,
                         ViewerWindow *w) {
    g_autofree char *name = g_file_get_basename(file);
    const bool listed = event == G_FILE_MONITOR_EVENT_CREATED ||
                        event == G_FILE_MONITOR_EVENT_DELETED || lm_format_by_extension(name) ||
                        lm_archive_is(name);
    if (listed && name[0] != '.' && event != G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED)
        reload_soon(w, true);
}

static void stop_watching(ViewerWindow *w, GPtrArray *monitors) {
    for (guint i = 0; i < monitors->len; i++)
        g_signal_handlers_disconnect_by_data(monitors->pdata[i], w);
    g_ptr_array_set_size(monitors, 0);
}

static void watch(ViewerWindow *w, GPtrArray *monitors, const char *path) {
    g_autoptr(GFile) file = g_file_new_for_path(path);
    const bool exists = g_file_test(path, G_FILE_TEST_EXISTS);
    GFileMonitor *monitor = exists ? g_file_monitor(file, G_FILE_MONITOR_NONE, NULL, NULL) : NULL;
    if (monitor) {
        g_signal_connect(
            monitor, "changed",
            monitors == w->monitors ? G_CALLBACK(document_changed) : G_CALLBACK(list_changed), w);
        g_ptr_array_add(monitors, monitor);
    }
}

/* Watches the list's paths and the folders of its models, but not too many. */
static void watch_list(ViewerWindow *w) {
    g_autoptr(GHashTable) folders = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (char **path = w->list_paths; *path; path++)
        if (lmi_vfs_archive_length(w->shared_vfs->vfs, *path) == 0 || lm_archive_is(*path))
            g_hash_table_add(folders, g_strdup(*path));
    g_hash_table_add(folders, g_strdup(w->list_path));
    for (guint i = 0; i < w->list->len && g_hash_table_size(folders) < MAX_WATCHED; i++) {
        const char *path = g_array_index(w->list, folder_model, i).path;
        if (lmi_vfs_archive_length(w->shared_vfs->vfs, path) == 0)
            g_hash_table_add(folders, g_path_get_dirname(path));
    }
    stop_watching(w, w->list_monitors);
    GHashTableIter each;
    gpointer folder;
    g_hash_table_iter_init(&each, folders);
    while (g_hash_table_iter_next(&each, &folder, NULL))
        watch(w, w->list_monitors, folder);
}

/* ---- Results --------------------------------------------------------------------------------- */

/* Returns the clip with the name of the previous one; else the model's rest clip. */
static uint32_t find_clip(const document *d, const char *name) {
    const lm_clip *rest = lm_scene_rest_clip(document_scene(d));
    if (!name && rest)
        name = rest->name;
    for (uint32_t i = 0; name && i < d->num_clips; i++)
        if (strcmp(d->clips[i].name, name) == 0)
            return i;
    return 0;
}

/* Adds a document to the recent files; for a model in an archive, the archive. */
static void add_to_recent(const document *d) {
    size_t archive = lmi_vfs_archive_length(d->shared_vfs->vfs, d->request.path);
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

/* A model of one frame has no use for the Clips page, in whose place the Display page is shown
 * until a model moves again. */
static void choose_page(ViewerWindow *w) {
    const char *page = gtk_stack_get_visible_child_name(GTK_STACK(w->pages));
    const bool moves = document_moves(w->doc);
    const bool leaves = !moves && g_strcmp0(page, "clips") == 0;
    if (leaves)
        window_change_state(w, "page", g_variant_new_string("display"));
    else if (moves && w->left_clips)
        window_change_state(w, "page", g_variant_new_string("clips"));
    w->left_clips = leaves || (!moves && w->left_clips);
}

/* Shows `d` and takes the reference. False: the stage cannot show it; the old document stays. After
 * a reload, because a file changed or another skin was selected, playback continues. */
static bool adopt(ViewerWindow *w, document *d) {
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
    if (!again) {
        const bool eye = viewer_stage_options(w->stage)->eye && document_is_weapon(d);
        viewer_stage_fit(w->stage);
        viewer_stage_options(w->stage)->eye = eye;
        choose_page(w);
    }
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

static void adopt_list(ViewerWindow *w, load_job *job) {
    if (!job->listing.models || (job->again && folder_equal(w->list, job->listing.models)))
        return;
    g_clear_pointer(&w->list, g_array_unref);
    w->list = g_steal_pointer(&job->listing.models);
    g_strfreev(w->list_paths);
    w->list_paths = g_strdupv(job->paths);
    g_free(w->list_path);
    const size_t archive = lmi_vfs_archive_length(w->shared_vfs->vfs, job->paths[0]);
    w->list_path = archive > 0                              ? g_strndup(job->paths[0], archive)
                   : job->listing.several && !job->paths[1] ? g_strdup(job->paths[0])
                                                            : g_path_get_dirname(job->paths[0]);
    watch_list(w);
}

/* The model cannot be opened: the old one stays. */
static void show_failure(ViewerWindow *w, const load_job *job) {
    static char *none[] = {NULL};
    char **attached = w->doc ? w->doc->request.attached : NULL;
    char **before = attached ? attached : none;
    char **requested = job->request.attached ? job->request.attached : none;
    window_show_error(w, job->message, job->details, job->repairable);
    g_strfreev(w->request.attached); /* a model that cannot be attached is not kept */
    w->request.attached = g_strdupv(attached);
    w->error_is_of_file = g_strv_equal((const char *const *)requested, (const char *const *)before);
}

/* Shows a result that has a model, or the reason why there is none. */
static void show_result(ViewerWindow *w, load_job *job) {
    const bool opened = job->doc != NULL;
    folder_model *model = folder_find(w->list, job->request.path);
    if (model) {
        g_free(model->problem);
        model->problem = g_steal_pointer(&job->problem);
    }
    if (!opened)
        show_failure(w, job);
    if (opened && adopt(w, g_steal_pointer(&job->doc))) {
        g_auto(GStrv) sources = document_sources(w->doc);
        stop_watching(w, w->monitors);
        for (char **source = sources; *source; source++)
            watch(w, w->monitors, *source);
        if (!job->by_itself || w->error_is_of_file)
            window_hide_error(w);
    }
    window_attach_refresh(w, opened);
    window_fill_models(w);
    window_show_grid(w, w->grid_is_shown && (job->again || !opened));
    if (job->skipped > 0) {
        g_autofree char *text = g_strdup_printf(TEXT_UNREADABLE(job->skipped), job->skipped);
        window_show_status(w, text);
    }
    if (job->listing.several && !job->again && w->list && w->list->len > 1)
        window_change_state(w, "page", g_variant_new_string("models"));
}

static void show_loaded(ViewerWindow *w, load_job *job) {
    document_request_clear(&w->request);
    w->request = document_request_copy(&job->request);
    if (job->browses) { /* the grid of a folder or an archive, before any of its models */
        adopt_list(w, job);
        window_hide_error(w);
        window_fill_models(w);
        window_show_grid(w, true);
        return;
    }
    if (!job->listing.message || (!job->again && (job->doc || !job->listing.several)))
        adopt_list(w, job);
    if (!job->lists_only) {
        show_result(w, job);
        return;
    }
    window_fill_models(w);
    window_show_grid(w, w->grid_is_shown);
}

static void load_finished(ViewerWindow *w, window_job *base) {
    load_job *job = (load_job *)base;
    if (job->generation != w->generation) { /* there was a newer request */
        if (job->by_itself && job->paths)
            reload_soon(w, true);
        return;
    }
    w->finished = job->generation;
    show_loaded(w, job);
    gtk_widget_set_visible(w->empty_state, !w->doc);
}

/* `again`: files have changed, possibly archives too. */
static load_job *new_load(ViewerWindow *w, const char *const *paths, bool again) {
    if (again || !w->shared_vfs) {
        shared_vfs_unref(w->shared_vfs);
        w->shared_vfs = shared_vfs_new();
    }
    load_job *job = g_new0(load_job, 1);
    job->base = (window_job){.run = run_load, .done = load_finished, .clear = clear_load};
    job->prefers_grid = w->prefers_grid;
    job->again = again;
    job->paths = g_strdupv((char **)(void *)paths);
    job->request = document_request_copy(&w->request);
    job->shared_vfs = shared_vfs_ref(w->shared_vfs);
    return job;
}

static void begin(ViewerWindow *w, load_job *job) {
    job->generation = ++w->generation;
    gtk_widget_set_visible(w->empty_state, FALSE);
    window_run(w, &job->base);
}

/* Resets the settings that only apply to one model. */
static void reset_model_settings(ViewerWindow *w) {
    g_clear_pointer(&w->request.skin, g_free);
    g_clear_pointer(&w->request.attached, g_strfreev);
    w->request.listed = DOCUMENT_ANY_SKIN;
    w->request.repair = false;
    window_drop_edits(w);
}

static void use_game(ViewerWindow *w, const char *folder) {
    g_strfreev(w->request.games);
    w->request.games = folder ? g_strdupv((char *[]){(char *)folder, NULL}) : NULL;
}

static void open_again(ViewerWindow *w, gpointer paths) {
    viewer_window_open(w, (const char *const *)paths);
}

static void free_paths(gpointer paths) {
    g_strfreev(paths);
}

/* After the question, the changes are saved or dropped, so it is not asked again. */
void viewer_window_open(ViewerWindow *w, const char *const *paths) {
    if (!paths[0])
        return;
    if (window_is_edited(w)) {
        window_ask_unsaved(w, open_again, g_strdupv((char **)(void *)paths), free_paths);
        return;
    }
    if (!w->games_given) {
        g_autofree char *game = window_game_of(paths[0]);
        use_game(w, game);
    }
    reset_model_settings(w);
    w->from_grid = false;
    begin(w, new_load(w, paths, false));
}

static void load_again(ViewerWindow *w, gpointer path) {
    window_load_model(w, path);
}

void window_load_model(ViewerWindow *w, const char *path) {
    if (window_is_edited(w)) {
        window_ask_unsaved(w, load_again, g_strdup(path), g_free);
        return;
    }
    char *copy = g_strdup(path);
    reset_model_settings(w);
    g_free(w->request.path);
    w->request.path = copy;
    begin(w, new_load(w, NULL, false));
}

void window_load(ViewerWindow *w) {
    if (w->request.path)
        begin(w, new_load(w, NULL, false));
}

/* Reads files again that may have changed: the list, and the model unless the grid hides it. */
void window_reload(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    if (w->request.path && w->finished == w->generation)
        begin(w, new_reload(w, true, !w->grid_is_shown));
}

void window_set_game(ViewerWindow *w, const char *folder) {
    use_game(w, folder);
    w->games_given = true;
    if (w->doc) {
        g_autofree char *models = document_folder(w->doc);
        window_remember_game(models, folder);
    }
    if (w->request.path)
        begin(w, new_load(w, NULL, true));
}

gboolean viewer_window_is_busy(ViewerWindow *w) {
    return w->num_jobs > 0 || w->reload_timer > 0 || window_grid_is_busy(w);
}

void window_load_end(ViewerWindow *w) {
    w->generation++;
    g_clear_handle_id(&w->reload_timer, g_source_remove);
    if (w->monitors) {
        stop_watching(w, w->monitors);
        stop_watching(w, w->list_monitors);
    }
    g_clear_pointer(&w->monitors, g_ptr_array_unref);
    g_clear_pointer(&w->list_monitors, g_ptr_array_unref);
    document_request_clear(&w->request);
    g_clear_pointer(&w->shared_vfs, shared_vfs_unref);
    g_clear_pointer(&w->list, g_array_unref);
    g_clear_pointer(&w->list_paths, g_strfreev);
    g_clear_pointer(&w->list_path, g_free);
}
