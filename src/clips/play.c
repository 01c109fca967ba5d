#include "lerpmesh/clips.h"

#include <math.h>

/* A clip as it is played: `frames` of them, of which the last `loop` come again. */
typedef struct playback {
    uint32_t frames;
    uint32_t loop;
    bool ping_pong;
} playback;

static playback playback_of(const lm_clip *clip, lm_play_mode mode) {
    playback play = {clip->count, 0, mode == LM_PLAY_PING_PONG};
    if (mode == LM_PLAY_LOOP)
        play.loop = clip->count;
    else if (mode == LM_PLAY_AS_CLIP)
        play.loop = clip->loop_frames < clip->count ? clip->loop_frames : clip->count;
    return play;
}

/* Frames since the clip began; infinite if they are too many for a double. */
static double frames_played(const lm_clip *clip, double seconds) {
    return isfinite(seconds) ? seconds * (double)clip->fps : 0;
}

/* fmod with the sign of the divisor. A tiny negative value, which would round up to `period`, and
 * an infinite one are 0. */
static double wrap(double value, double period) {
    double rest = fmod(value, period);
    rest = rest < 0 ? rest + period : rest;
    return rest < period ? rest : 0;
}

/* Where within the clip's frames, 0 .. frames: from frames - 1 on towards the loop's first. */
static double position_of(const playback *play, double played) {
    double last = (double)play->frames - 1;
    if (play->ping_pong) {
        if (played <= 0 || last == 0)
            return 0;
        double turn = wrap(played, 2 * last);
        return turn <= last ? turn : 2 * last - turn;
    }
    if (play->loop == play->frames)
        return wrap(played, play->frames);
    if (played <= 0)
        return 0;
    if (play->loop == 0)
        return played < last ? played : last;
    double intro = (double)(play->frames - play->loop);
    return played < intro ? played : intro + wrap(played - intro, play->loop);
}

lm_pose lm_clip_pose(const lm_clip *clip, double seconds, lm_play_mode mode, bool backwards) {
    playback play = playback_of(clip, mode);
    double position = position_of(&play, frames_played(clip, seconds));
    uint32_t a = (uint32_t)position;
    float t = (float)(position - (double)a);
    uint32_t b = a + 1;
    if (b >= play.frames)
        b = play.loop ? play.frames - play.loop : a;
    if (clip->backwards != backwards) {
        a = clip->count - 1 - a;
        b = clip->count - 1 - b;
    }
    return (lm_pose){clip->first + a, clip->first + b, a == b ? 0 : t};
}

double lm_clip_duration(const lm_clip *clip, lm_play_mode mode) {
    playback play = playback_of(clip, mode);
    double frames = play.loop ? (double)play.frames : (double)play.frames - 1;
    return (play.ping_pong ? 2 * frames : frames) / (double)clip->fps;
}
