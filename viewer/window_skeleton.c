/* The skeleton: a worker thread finds it, with a bar that shows the progress and can cancel it. */
#include "window_private.h"

#include "display_text.h"
#include "text.h"

#define POLL 100 /* milliseconds between updates of the bar */

/* The state that the thread and the window share. */
typedef struct skeleton_search {
    gint permille; /* finished */
    gint stopped;
} skeleton_search;

typedef struct skeleton_job {
    window_job base;
    document *doc;
    skeleton_search *search;
    lm_skeleton *found[LM_MAX_PARTS];
    bool complete;
    lm_error error; /* unless it is complete */
} skeleton_job;

static bool report(void *user, double share) {
    skeleton_search *search = user;
    g_atomic_int_set(&search->permille, (gint)(share * 1000));
    return !g_atomic_int_get(&search->stopped);
}

static void run_search(window_job *base) {
    skeleton_job *job = (skeleton_job *)base;
    const lm_skeleton_options options = {.progress = report, .user = job->search};
    job->complete = skeletons_find(document_scene(job->doc), &options, job->found, &job->error);
}

static void clear_search(window_job *base) {
    skeleton_job *job = (skeleton_job *)base;
    skeletons_free(job->found, LM_MAX_PARTS);
    document_unref(job->doc);
    g_atomic_rc_box_release(job->search);
}

/* ---- Results --------------------------------------------------------------------------------- */

/* Returns the first refusal or warning of a part that moves; otherwise the number of joints and the
 * error. */
static char *describe(const document *d, lm_skeleton *const *found) {
    uint32_t joints = 0;
    double error = 0;
    for (uint32_t i = 0; i < document_scene(d)->num_parts; i++) {
        if (document_scene(d)->num_parts > 1 && found[i]->num_frames == 1)
            continue;
        if (found[i]->verdict != LM_SKELETON_ACCEPTED) {
            g_autofree char *reason = display_text(found[i]->reason);
            return found[i]->verdict == LM_SKELETON_REFUSED
                       ? g_strdup_printf(TEXT_NO_SKELETON, reason)
                       : g_strdup_printf(TEXT_SKELETON_WARNING, reason);
        }
        joints += found[i]->num_joints;
        error = MAX(error, found[i]->all.rms_error);
    }
    return g_strdup_printf(TEXT_SKELETON(joints), joints, error);
}

static void end_search(ViewerWindow *w) {
    g_clear_handle_id(&w->search_timer, g_source_remove);
    g_clear_pointer(&w->search, g_atomic_rc_box_release);
    gtk_widget_set_visible(w->search_bar, FALSE);
}

void window_stop_skeleton(ViewerWindow *w) {
    if (!w->search)
        return;
    g_atomic_int_set(&((skeleton_search *)w->search)->stopped, 1);
    end_search(w);
}

static void search_finished(ViewerWindow *w, window_job *base) {
    skeleton_job *job = (skeleton_job *)base;
    if (w->search != job->search) /* it was cancelled */
        return;
    end_search(w);
    if (!job->complete) {
        window_set_state(w, "skeleton", g_variant_new_boolean(FALSE));
        g_autofree char *failure = display_message(job->error.code, job->error.message);
        window_show_error(w, failure, NULL, false);
        return;
    }
    g_autofree char *text = describe(job->doc, job->found);
    window_show_status(w, text);
    document_set_skeletons(job->doc, job->found);
    viewer_stage_redraw(w->stage);
}

/* ---- Searching ------------------------------------------------------------------------------- */

static gboolean show_progress(gpointer user) {
    ViewerWindow *w = user;
    skeleton_search *search = w->search;
    gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(w->search_progress),
                                  g_atomic_int_get(&search->permille) / 1000.0);
    return G_SOURCE_CONTINUE;
}

void window_find_skeleton(ViewerWindow *w) {
    window_stop_skeleton(w);
    if (!w->doc || w->doc->skeletons[0])
        return;
    skeleton_job *job = g_new0(skeleton_job, 1);
    job->base = (window_job){.run = run_search, .done = search_finished, .clear = clear_search};
    job->doc = document_ref(w->doc);
    job->search = g_atomic_rc_box_new0(skeleton_search);
    w->search = g_atomic_rc_box_acquire(job->search);
    w->search_timer = g_timeout_add(POLL, show_progress, w);
    gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(w->search_progress), 0);
    gtk_widget_set_visible(w->search_bar, TRUE);
    window_run(w, &job->base);
}
