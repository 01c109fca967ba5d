/* Playback: the clock of a clip. */
#include "core/exact.h"
#include "lerpmesh/scene.h"

#include <math.h>

void lm_playback_begin(lm_playback *p, const lm_clip *clip) {
    p->clip = *clip;
    p->seconds = 0;
}

/* Returns true if playback ends. Unknown modes are treated as the first one, as in lm_clip_pose. */
static bool ends(const lm_playback *p) {
    const bool loops = p->mode == LM_PLAY_LOOP || p->mode == LM_PLAY_PING_PONG;
    return p->mode == LM_PLAY_ONCE || (!loops && p->clip.loop_frames == 0);
}

static double end_of(const lm_playback *p) {
    return lm_clip_duration(&p->clip, p->mode);
}

void lm_playback_set_playing(lm_playback *p, bool playing) {
    if (playing && ends(p) && p->seconds >= end_of(p))
        p->seconds = 0;
    p->playing = playing;
}

bool lm_playback_advance(lm_playback *p, double elapsed) {
    if (!p->playing || !(elapsed > 0))
        return false;
    p->seconds += elapsed * (p->speed > 0 && isfinite(p->speed) ? p->speed : 1);
    if (ends(p) && p->seconds >= end_of(p)) {
        p->seconds = end_of(p);
        p->playing = false;
    }
    return true;
}

void lm_playback_pose(const lm_playback *p, const lm_clip *clip, lm_pose *out) {
    lm_clip_pose(clip, p->seconds, p->mode, p->backwards, out);
    if (p->stepped)
        out->t = 0;
}

void lm_playback_scene(const lm_playback *p, const lm_scene *scene, uint32_t part, const char *name,
                       lm_pose *poses) {
    lm_scene_pose(scene, name, p->seconds, poses);
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_clip *own = i == part ? &p->clip : lm_scene_find_clip(scene, i, name);
        if (own)
            lm_playback_pose(p, own, &poses[i]);
    }
    lm_scene_follow(scene, poses);
}

static bool runs_backwards(const lm_playback *p) {
    return p->clip.backwards != p->backwards;
}

double lm_playback_position(const lm_playback *p) {
    lm_pose pose;
    lm_clip_pose(&p->clip, p->seconds, p->mode, p->backwards, &pose);
    double step = (double)pose.frame_b - (double)pose.frame_a;
    if (fabs(step) > 1) /* wraps around a loop's end */
        step = runs_backwards(p) ? -1 : 1;
    return (double)(pose.frame_a - p->clip.first) + step * (double)pose.t;
}

void lm_playback_seek(lm_playback *p, double position) {
    double last = (double)p->clip.count - 1;
    double inside = position > 0 ? fmin(position, last) : 0; /* NaN is 0 */
    p->seconds = lm_clip_seconds(&p->clip, runs_backwards(p) ? last - inside : inside);
}

void lm_playback_step(lm_playback *p, int frames) {
    double count = (double)p->clip.count;
    double at = floor(lm_playback_position(p) + 0.5) + frames;
    p->playing = false;
    lm_playback_seek(p, at - count * floor(at / count));
}

void lm_playback_set_backwards(lm_playback *p, bool backwards) {
    double position = lm_playback_position(p);
    p->backwards = backwards;
    lm_playback_seek(p, position);
}

void lm_playback_set_mode(lm_playback *p, lm_play_mode mode) {
    double position = lm_playback_position(p);
    p->mode = mode;
    lm_playback_seek(p, position);
}
