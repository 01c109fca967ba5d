/* Opening: worker threads load models, and load them again when their files change. */
#include "window_private.h"

#include "display_text.h"
#include "folder.h"

#define RELOAD_DELAY 300 /* milliseconds: programs write a file in several steps */

/* A load job, with its result. */
typedef struct reading {
    window_job job;
    guint generation;
    char **paths; /* paths to list the models of; NULL: keep the list */
    document_request request;
    shared_vfs *shared_vfs;
    folder_listing listing; /* of the paths */
    document *doc;          /* NULL: see `message` */
    char *message;
    bool repairable; /* it can be opened with repairs */
} reading;

static void clear_load(window_job *job) {
    reading *r = (reading *)job;
    g_strfreev(r->paths);
    folder_listing_clear(&r->listing);
    document_request_clear(&r->request);
    document_unref(r->doc);
    shared_vfs_unref(r->shared_vfs);
    g_free(r->message);
}

/* Tries whether a model that cannot be read can be opened with repairs. */
static bool can_repair(const reading *r) {
    document_request request = r->request;
    char *message = NULL;
    request.repair = true;
    document *doc = r->request.repair ? NULL : document_open(r->shared_vfs, &request, &message);
    bool can = doc != NULL;
    document_unref(doc);
    g_free(message);
    return can;
}

static void run_load(window_job *job) {
    reading *r = (reading *)job;
    if (r->paths) {
        r->listing = folder_list(r->shared_vfs->vfs, (const char *const *)r->paths);
        r->message = g_steal_pointer(&r->listing.message);
        g_free(r->request.path);
        r->request.path = g_strdup(r->listing.first);
    }
    if (!r->message) {
        r->doc = document_open(r->shared_vfs, &r->request, &r->message);
        r->repairable = !r->doc && can_repair(r);
    }
}

/* ---- Changed files --------------------------------------------------------------------------- */

static void begin(ViewerWindow *w, const char *const *paths, bool again);

static gboolean reload(gpointer user) {
    ViewerWindow *w = user;
    w->reload_timer = 0;
    if (w->request.path)
        begin(w, NULL, true);
    return G_SOURCE_REMOVE;
}

static void changed(GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event,
                    ViewerWindow *w) {
    (void)monitor, (void)file, (void)other;
    if (event == G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED)
        return;
    g_clear_handle_id(&w->reload_timer, g_source_remove);
    w->reload_timer = g_timeout_add(RELOAD_DELAY, reload, w);
}

static void stop_watching(ViewerWindow *w) {
    for (guint i = 0; i < w->monitors->len; i++)
        g_signal_handlers_disconnect_by_data(w->monitors->pdata[i], w);
    g_ptr_array_set_size(w->monitors, 0);
}

static void watch(ViewerWindow *w) {
    char **sources = document_sources(w->doc);
    stop_watching(w);
    for (char **source = sources; *source; source++) {
        GFile *file = g_file_new_for_path(*source);
        GFileMonitor *monitor = g_file_monitor_file(file, G_FILE_MONITOR_NONE, NULL, NULL);
        if (monitor) {
            g_signal_connect(monitor, "changed", G_CALLBACK(changed), w);
            g_ptr_array_add(w->monitors, monitor);
        }
        g_object_unref(file);
    }
    g_strfreev(sources);
}

/* ---- Results --------------------------------------------------------------------------------- */

static void complain(ViewerWindow *w, const reading *r) {
    char *name = display_name(r->shared_vfs->vfs, r->request.path);
    char *message = g_str_has_prefix(r->message, name)
                        ? g_strdup(r->message)
                        : g_strdup_printf("%s: %s", name, r->message);
    window_show_error(w, message, r->repairable);
    g_free(message);
    g_free(name);
}

static void adopt_list(ViewerWindow *w, reading *r) {
    if (!r->listing.models)
        return;
    g_clear_pointer(&w->list, g_array_unref);
    w->list = g_steal_pointer(&r->listing.models);
}

static void load_finished(ViewerWindow *w, window_job *job) {
    reading *r = (reading *)job;
    if (r->generation != w->generation) /* there was a newer request */
        return;
    document_request_clear(&w->request);
    w->request = document_request_copy(&r->request);
    if (r->doc || !r->listing.several)
        adopt_list(w, r);
    if (!r->doc)
        complain(w, r);
    else if (window_adopt(w, g_steal_pointer(&r->doc)))
        watch(w);
    window_fill_models(w);
    if (r->listing.several && w->list && w->list->len > 1)
        window_change_state(w, "page", g_variant_new_string("models"));
}

/* `again`: files have changed, possibly archives too. */
static void begin(ViewerWindow *w, const char *const *paths, bool again) {
    if (again || !w->shared_vfs) {
        shared_vfs_unref(w->shared_vfs);
        w->shared_vfs = shared_vfs_new();
    }
    reading *r = g_new0(reading, 1);
    r->job = (window_job){.run = run_load, .done = load_finished, .clear = clear_load};
    r->generation = ++w->generation;
    r->paths = g_strdupv((char **)(void *)paths);
    r->request = document_request_copy(&w->request);
    r->shared_vfs = shared_vfs_ref(w->shared_vfs);
    window_run(w, &r->job);
}

/* Resets the settings that only apply to one model. */
static void reset_model_settings(ViewerWindow *w) {
    g_clear_pointer(&w->request.skin, g_free);
    w->request.listed = DOCUMENT_ANY_SKIN;
    w->request.repair = false;
}

void viewer_window_open(ViewerWindow *w, const char *const *paths) {
    if (!paths[0])
        return;
    reset_model_settings(w);
    begin(w, paths, false);
}

void window_load_model(ViewerWindow *w, const char *path) {
    char *copy = g_strdup(path);
    reset_model_settings(w);
    g_free(w->request.path);
    w->request.path = copy;
    begin(w, NULL, false);
}

void window_load(ViewerWindow *w) {
    if (w->request.path)
        begin(w, NULL, false);
}

void window_set_game(ViewerWindow *w, const char *folder) {
    g_strfreev(w->request.games);
    w->request.games = g_strdupv((char *[]){(char *)folder, NULL});
    if (w->request.path)
        begin(w, NULL, true);
}

gboolean viewer_window_is_busy(ViewerWindow *w) {
    return w->num_jobs > 0 || w->reload_timer > 0;
}

void window_load_end(ViewerWindow *w) {
    w->generation++;
    g_clear_handle_id(&w->reload_timer, g_source_remove);
    if (w->monitors)
        stop_watching(w);
    g_clear_pointer(&w->monitors, g_ptr_array_unref);
    document_request_clear(&w->request);
    g_clear_pointer(&w->shared_vfs, shared_vfs_unref);
    g_clear_pointer(&w->list, g_array_unref);
}
