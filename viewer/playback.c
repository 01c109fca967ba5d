#include "playback.h"

#include <math.h>

void playback_begin(playback *p, const lm_clip *clip) {
    p->clip = *clip;
    p->seconds = 0;
}

static bool ends(const playback *p) {
    return p->mode == LM_PLAY_ONCE || (p->mode == LM_PLAY_AS_CLIP && p->clip.loop_frames == 0);
}

static double end_of(const playback *p) {
    return lm_clip_duration(&p->clip, p->mode);
}

void playback_set_playing(playback *p, bool playing) {
    if (playing && ends(p) && p->seconds >= end_of(p))
        p->seconds = 0;
    p->playing = playing;
}

bool playback_advance(playback *p, double elapsed) {
    if (!p->playing || !(elapsed > 0))
        return false;
    p->seconds += elapsed * p->speed;
    if (ends(p) && p->seconds >= end_of(p)) {
        p->seconds = end_of(p);
        p->playing = false;
    }
    return true;
}

lm_pose playback_pose(const playback *p, const lm_clip *clip) {
    lm_pose pose;
    lm_clip_pose(clip, p->seconds, p->mode, p->backwards, &pose);
    if (!p->interpolate)
        pose.t = 0;
    return pose;
}

static bool runs_backwards(const playback *p) {
    return p->clip.backwards != p->backwards;
}

double playback_position(const playback *p) {
    lm_pose pose;
    lm_clip_pose(&p->clip, p->seconds, p->mode, p->backwards, &pose);
    double step = (double)pose.frame_b - (double)pose.frame_a;
    if (fabs(step) > 1) /* around the end of a loop */
        step = runs_backwards(p) ? -1 : 1;
    return (double)(pose.frame_a - p->clip.first) + step * (double)pose.t;
}

void playback_seek(playback *p, double position) {
    double last = (double)p->clip.count - 1;
    double inside = position > 0 ? fmin(position, last) : 0; /* NaN is 0 */
    p->seconds = lm_clip_seconds(&p->clip, runs_backwards(p) ? last - inside : inside);
}

void playback_step(playback *p, int frames) {
    double count = (double)p->clip.count;
    double at = floor(playback_position(p) + 0.5) + frames;
    p->playing = false;
    playback_seek(p, at - count * floor(at / count));
}

void playback_set_backwards(playback *p, bool backwards) {
    double position = playback_position(p);
    p->backwards = backwards;
    playback_seek(p, position);
}

void playback_set_mode(playback *p, lm_play_mode mode) {
    double position = playback_position(p);
    p->mode = mode;
    playback_seek(p, position);
}
