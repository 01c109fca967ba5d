/* Chooses the times at which an animation is sampled. */
#include "bake.h"

#include <math.h>

/* Keys count as evenly spaced if they deviate by at most this fraction of their distance. */
#define EVEN 0.01
/* Fewer keys per second are key poses of a motion, not its frames. */
#define FEWEST_KEYS 5.0

/* Returns true if every key of a channel lies on a frame. */
static bool is_even(const lm_im_channel *c, double first, double fps) {
    for (uint32_t i = 0; i < c->num_keys; i++) {
        const double frames = ((double)c->times[i] - first) * fps;
        if (fabs(frames - floor(frames + 0.5)) > EVEN)
            return false;
    }
    return true;
}

/* Rounds a rate to 1/100 fps if it is close: key times are floats, and most rates are whole
 * numbers. */
static double round_rate(double fps) {
    const double rounded = floor(fps * 100 + 0.5) / 100;
    return fabs(rounded - fps) < 1e-4 * fps ? rounded : fps;
}

/* Returns the rate of the channel with the most keys, if all keys of the animation fit it;
 * otherwise 0. */
static double rate_of_keys(const lm_im_animation *animation, double first) {
    const lm_im_channel *most = NULL;
    for (uint32_t i = 0; i < animation->num_channels; i++)
        if (!most || animation->channels[i].num_keys > most->num_keys)
            most = &animation->channels[i];
    if (!most || most->num_keys < 2)
        return 0;
    const double seconds = (double)most->times[most->num_keys - 1] - (double)most->times[0];
    const double fps = round_rate((most->num_keys - 1) / seconds);
    for (uint32_t i = 0; i < animation->num_channels; i++)
        if (!animation->channels[i].shares_times && !is_even(&animation->channels[i], first, fps))
            return 0;
    return fps >= FEWEST_KEYS && fps <= 1000 ? fps : 0;
}

void lm_im_span_of(const importing *im, const lm_im_animation *animation, lm_im_span *span) {
    *span = (lm_im_span){.num_frames = 1};
    for (uint32_t i = 0; i < animation->num_channels; i++) {
        const lm_im_channel *c = &animation->channels[i];
        const double first = (double)c->times[0], last = (double)c->times[c->num_keys - 1];
        span->first = i == 0 || first < span->first ? first : span->first;
        span->last = i == 0 || last > span->last ? last : span->last;
    }
    span->fps = (double)im->options->fps;
    if (!(span->fps > 0))
        span->fps = rate_of_keys(animation, span->first);
    if (!(span->fps > 0))
        span->fps = (double)LM_DEFAULT_FPS;
    const double frames = floor((span->last - span->first) * span->fps + 0.5) + 1;
    span->num_frames =
        frames < LM_MAX_IMPORT_FRAMES + 1.0 ? (uint32_t)frames : LM_MAX_IMPORT_FRAMES + 1;
}
