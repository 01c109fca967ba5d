/* Playback: the clock, the timeline and the frame label. */
#include "window_private.h"

#include "display_text.h"
#include "list.h"
#include "text.h"

#include <math.h>

/* ---- The current time ------------------------------------------------------------------------ */

static char *frame_text(ViewerWindow *w) {
    const lm_model *model = document_scene(w->doc)->parts[w->doc->clips[w->clip].part].model;
    double position = lm_playback_position(&w->play);
    uint32_t count = w->play.clip->count;
    uint32_t shown = (uint32_t)CLAMP(floor(position + 0.5), 0, (double)count - 1);
    uint32_t frame = w->play.clip->first + shown;
    g_autofree char *name = display_text(model->frames[frame].name);
    return g_strdup_printf("%u/%u %s", shown + 1, count, name);
}

void window_show_time(ViewerWindow *w) {
    viewer_stage_redraw(w->stage);
    if (!w->doc)
        return;
    g_autofree char *text = frame_text(w);
    double position = CLAMP(lm_playback_position(&w->play), 0, (double)w->play.clip->count - 1);
    gtk_label_set_text(GTK_LABEL(w->frame_label), text);
    gtk_range_set_value(GTK_RANGE(w->timeline), position);
    window_set_state(w, "seek", g_variant_new_double(position));
}

/* ---- The clock ----------------------------------------------------------------------------- */

static lm_playback clock_of(ViewerWindow *w) {
    return w->doc ? document_clock(w->doc, w->clip, viewer_stage_torso(w->stage), &w->play)
                  : w->play;
}

static gboolean end_tick(gpointer user) {
    ((ViewerWindow *)user)->tick_idle = 0;
    return G_SOURCE_REMOVE;
}

/* A main loop calls idle functions only if nothing is to be drawn. A machine that draws more slowly
 * than its display would never call any, and screen readers would not find the program, because GTK
 * registers it in one. So a tick draws only if the idle function of the last one was called. */
static gboolean tick(GtkWidget *widget, GdkFrameClock *frames, gpointer user) {
    ViewerWindow *w = user;
    gint64 now = gdk_frame_clock_get_frame_time(frames);
    if (w->tick_idle != 0)
        return G_SOURCE_CONTINUE;
    w->tick_idle = g_idle_add(end_tick, w);
    lm_playback clock = clock_of(w);
    const bool moved = lm_playback_advance(&clock, (double)(now - w->last_tick) * 1e-6);
    w->play.seconds = clock.seconds;
    w->play.playing = clock.playing;
    if (moved)
        window_show_time(w);
    w->last_tick = now;
    if (w->play.playing)
        return G_SOURCE_CONTINUE;
    w->tick = 0;
    window_set_playing(w, false);
    return G_SOURCE_REMOVE;
}

/* A single frame without animated shaders needs no ticks, so nothing is redrawn. */
void window_set_playing(ViewerWindow *w, bool playing) {
    lm_playback clock = clock_of(w);
    lm_playback_set(&clock, clock.mode, clock.backwards, playing);
    w->play.seconds = clock.seconds;
    w->play.playing = clock.playing;
    bool moves =
        playing && w->doc &&
        (MAX(w->play.clip->count, clock.clip->count) > 1 || document_has_animated_shaders(w->doc));
    if (moves && w->tick == 0) {
        GdkFrameClock *frames = gtk_widget_get_frame_clock(GTK_WIDGET(w->stage));
        w->last_tick = frames ? gdk_frame_clock_get_frame_time(frames) : g_get_monotonic_time();
        w->tick = gtk_widget_add_tick_callback(GTK_WIDGET(w->stage), tick, w, NULL);
    } else if (!moves && w->tick != 0) {
        gtk_widget_remove_tick_callback(GTK_WIDGET(w->stage), w->tick);
        w->tick = 0;
    }
    viewer_stage_redraw(w->stage); /* a still image is drawn with more samples */
    window_set_state(w, "play", g_variant_new_boolean(playing));
    gtk_button_set_icon_name(GTK_BUTTON(w->play_button), playing ? "media-playback-pause-symbolic"
                                                                 : "media-playback-start-symbolic");
    gtk_accessible_update_property(GTK_ACCESSIBLE(w->play_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   playing ? _("Pause") : _("Play"), -1);
}

void window_select_clip(ViewerWindow *w, uint32_t clip) {
    if (!w->doc || clip >= w->doc->num_clips)
        return;
    w->clip = clip;
    w->play.clip = &w->doc->clips[clip].clip;
    w->play.seconds = 0;
    viewer_stage_set_clip(w->stage, clip);
    viewer_list_select(w->clip_list, clip);
    gtk_range_set_range(GTK_RANGE(w->timeline), 0, MAX((double)w->play.clip->count - 1, 0.001));
    gtk_widget_set_sensitive(w->timeline, w->play.clip->count > 1);
    window_set_state(w, "clip", g_variant_new_uint32(clip));
    window_set_playing(w, w->play.playing);
    window_show_time(w);
}

void window_request_playing(ViewerWindow *w, bool playing) {
    w->play_requested = playing;
    window_set_playing(w, playing);
}

void window_play_clip(ViewerWindow *w, uint32_t clip) {
    window_select_clip(w, clip);
    window_request_playing(w, true);
}
