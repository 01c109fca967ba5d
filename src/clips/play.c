#include "clips/clip_names.h"
#include "core/options.h"
#include "core/text.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- Clips of the caller -------------------------------------------------------------------- */

/* Returns true if the times of a clip's frames increase and are finite. */
static bool times_increase(const lm_clip *clip) {
    for (uint32_t i = 0; i < clip->count; i++)
        if (!(clip->times[i] < clip->times[i + 1]))
            return false;
    return isfinite(clip->times[0]) && isfinite(clip->times[clip->count]);
}

static const char *fault_of_clip(const lm_clip *clip) {
    if (!clip->name)
        return "has no name";
    if (clip->count == 0)
        return "has no frames";
    if (clip->loop_frames > clip->count)
        return "has loop_frames above count";
    if ((unsigned)clip->source > LM_CLIP_FILE)
        return "has an unknown source";
    if (!(clip->fps > 0) || (!clip->times && !isfinite(clip->fps)))
        return "has a rate that is not a finite number above 0";
    return clip->times && !times_increase(clip) ? "has times that do not increase" : NULL;
}

bool lmi_clip_valid(const lm_clip *clip, uint32_t num_frames, const char *of, uint32_t index,
                    lm_error *error) {
    const char *fault = fault_of_clip(clip);
    if (fault)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s %u %s", of, (unsigned)index, fault);
    if (clip->first >= num_frames || clip->count > num_frames - clip->first)
        return lm_fail_plain(
            error, LM_CODE_BAD_ARGUMENT, "%s %u has frames %u to %llu, but there are %u", of,
            (unsigned)index, (unsigned)clip->first,
            (unsigned long long)clip->first + clip->count - 1, (unsigned)num_frames);
    return LM_RESERVED_VALID(clip, error, "%s %u", of, (unsigned)index);
}

/* ---- Playing a clip ------------------------------------------------------------------------- */

/* A clip during playback: `frames` frames, the last `loop` of which repeat. */
typedef struct playback {
    uint32_t frames;
    uint32_t loop;
    bool ping_pong;
} playback;

static playback playback_of(const lm_clip *clip, lm_play_mode mode) {
    playback play = {clip->count, 0, mode == LM_PLAY_PING_PONG};
    if (mode == LM_PLAY_LOOP)
        play.loop = clip->count;
    else if (mode != LM_PLAY_ONCE && mode != LM_PLAY_PING_PONG)
        play.loop = clip->loop_frames < clip->count ? clip->loop_frames : clip->count;
    return play;
}

/* ---- Frames of different durations -----------------------------------------------------------
 *
 * The following functions use the clip's own unit: frames if all have the same duration, otherwise
 * seconds. */

/* Returns the start of frame `index`; for `count`, the end of the last frame. */
static double begin_of(const lm_clip *clip, uint32_t index) {
    return clip->times ? (double)clip->times[index] - (double)clip->times[0] : (double)index;
}

static double from_seconds(const lm_clip *clip, double seconds) {
    return clip->times ? seconds : seconds * (double)clip->fps;
}

static double to_seconds(const lm_clip *clip, double units) {
    return clip->times ? units : units / (double)clip->fps;
}

/* Returns the frame shown at a time within the clip, with its elapsed fraction. */
static double frame_at(const lm_clip *clip, double units) {
    uint32_t low = 0, high = clip->count - 1;
    if (!clip->times)
        return units;
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if (begin_of(clip, middle) <= units)
            low = middle;
        else
            high = middle - 1;
    }
    double begin = begin_of(clip, low), length = begin_of(clip, low + 1) - begin;
    double part = length > 0 ? (units - begin) / length : 0;
    return (double)low + (part < 1 ? part : 1);
}

/* The inverse of frame_at. */
static double begin_at(const lm_clip *clip, double frame) {
    if (!clip->times)
        return frame;
    uint32_t index = frame < clip->count ? (uint32_t)frame : clip->count - 1;
    double begin = begin_of(clip, index), length = begin_of(clip, index + 1) - begin;
    return begin + (frame - (double)index) * length;
}

/* ---- Playing -------------------------------------------------------------------------------- */

/* Returns the remainder with the sign of the divisor. Returns 0 for a tiny negative value, which
 * would round up to `period`, and for infinity. */
static double wrap(double value, double period) {
    double rest = fmod(value, period);
    rest = rest < 0 ? rest + period : rest;
    return rest < period ? rest : 0;
}

/* Returns the position within the clip after `played`. From the start of the last frame on, a loop
 * moves towards its first frame. */
static double position_of(const lm_clip *clip, const playback *play, double played) {
    double last = begin_of(clip, play->frames - 1), end = begin_of(clip, play->frames);
    if (play->ping_pong) {
        if (played <= 0 || last == 0)
            return 0;
        double turn = wrap(played, 2 * last);
        return turn <= last ? turn : 2 * last - turn;
    }
    if (play->loop == play->frames)
        return wrap(played, end);
    if (played <= 0)
        return 0;
    if (play->loop == 0)
        return played < last ? played : last;
    double intro = begin_of(clip, play->frames - play->loop);
    return played < intro ? played : intro + wrap(played - intro, end - intro);
}

void lm_clip_pose(const lm_clip *clip, double seconds, lm_play_mode mode, bool backwards,
                  lm_pose *out) {
    playback play = playback_of(clip, mode);
    if (clip->count == 0) {
        *out = (lm_pose){0, 0, 0, false};
        return;
    }
    double played = isfinite(seconds) ? from_seconds(clip, seconds) : 0;
    double position = frame_at(clip, position_of(clip, &play, played));
    uint32_t a = (uint32_t)position;
    a = a < play.frames ? a : play.frames - 1;
    float t = (float)(position - (double)a);
    uint32_t b = a + 1;
    if (b >= play.frames)
        b = play.loop ? play.frames - play.loop : a;
    if (clip->backwards != backwards) {
        a = clip->count - 1 - a;
        b = clip->count - 1 - b;
    }
    t = a == b || t <= 0 ? 0 : t; /* no negative zero */
    *out = (lm_pose){clip->first + a, clip->first + b, t, clip->hidden};
}

const lm_clip *lm_model_find_clip(const lm_model *model, const char *name) {
    if (!model || !name)
        return NULL;
    uint32_t found =
        lmi_find_name(model->clips, model->num_clips, sizeof *model->clips, name, strlen(name));
    return found == LM_NO_NAME ? NULL : &model->clips[found];
}

/* Returns the distance of a name from that of a standing clip: 0 for an exact match, 3 for none. */
static unsigned rest_rank(const char *name) {
    static const char *const words[] = {"stand", "idle"};
    unsigned best = 3;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        size_t size = strlen(words[w]), length = strlen(name);
        for (size_t at = 0; at + size <= length; at++)
            if (lmi_same_letters(name + at, words[w], size)) {
                unsigned rank = at > 0 ? 2 : length > size ? 1 : 0;
                best = rank < best ? rank : best;
            }
    }
    return best;
}

const lm_clip *lmi_rest_clip(const lm_clip *clips, uint32_t num_clips) {
    const lm_clip *rest = NULL;
    unsigned best = UINT_MAX;
    for (uint32_t i = 0; i < num_clips && best > 0; i++) {
        unsigned rank = rest_rank(clips[i].name);
        if (rank < best) {
            rest = &clips[i];
            best = rank;
        }
    }
    return rest;
}

double lm_clip_duration(const lm_clip *clip, lm_play_mode mode) {
    playback play = playback_of(clip, mode);
    if (clip->count == 0)
        return 0;
    double end = begin_of(clip, play.loop ? play.frames : play.frames - 1);
    return to_seconds(clip, play.ping_pong ? 2 * end : end);
}

/* ---- Time and frames ------------------------------------------------------------------------ */

double lmi_frames_at(double seconds, bool loops, double fps) {
    return fmax(floor(seconds * fps + 0.5) + !loops, 1);
}

/* Returns the number of frames that repeat after the last one; 1 if the clip does not loop, because
 * its last frame stays. */
static uint32_t repeated(const lm_clip *clip) {
    playback play = playback_of(clip, LM_PLAY_AS_CLIP);
    return play.loop ? play.loop : 1;
}

double lm_clip_seconds(const lm_clip *clip, double frames) {
    double turns = 0, loop = repeated(clip);
    if (clip->count == 0)
        return 0;
    if (!clip->times)
        return to_seconds(clip, frames);
    if (frames > clip->count)
        turns = ceil((frames - clip->count) / loop);
    double turn = begin_of(clip, clip->count) - begin_of(clip, clip->count - (uint32_t)loop);
    return begin_at(clip, frames - turns * loop) + turns * turn;
}

double lmi_clip_frames(const lm_clip *clip, double seconds) {
    double turns = 0, end = begin_of(clip, clip->count);
    uint32_t loop = repeated(clip);
    if (!clip->times)
        return from_seconds(clip, seconds);
    double turn = end - begin_of(clip, clip->count - loop);
    if (seconds > end && turn > 0)
        turns = ceil((seconds - end) / turn);
    return frame_at(clip, seconds - turns * turn) + turns * loop;
}
