#include "gltf.h"

#include "core/names.h"

#include <math.h>
#include <string.h>

/* A clip as stored in the extras. */
typedef struct lm_im_clip_source {
    lm_clip clip; /* its name is NULL for frames that belong to no clip */
    const lm_im_animation *animation;
    bool still;   /* nothing moved, so that it got no animation */
    bool removed; /* from a weapon, which plays another row instead */
} lm_im_clip_source;

const char **lmi_im_strings_of(importing *im, lm_im_ref array, uint32_t *count) {
    *count = lmi_im_count(array);
    const char **texts = lmi_arena_zeros(im->arena, *count, sizeof *texts);
    uint32_t i = 0;
    for (lm_im_ref e = lmi_im_first(array); texts && e; e = lmi_im_next(array, e))
        if (!(texts[i++] = lmi_im_string(im, e)))
            return NULL;
    return texts;
}

static bool integer_of(lm_im_ref object, const char *name, uint32_t most, uint32_t *out) {
    uint64_t number;
    if (!lmi_im_integer(lmi_im_member(object, name), &number) || number > most)
        return false;
    *out = (uint32_t)number;
    return true;
}

/* The animations by their names. */
typedef struct lm_im_named {
    const lm_im_gltf *gltf;
    lm_names names; /* 1 + index; IM_NONE: several have it */
    struct {
        double first, last; /* its keys [s]; 0 lies between them */
    } *times;               /* [num_animations] */
} lm_im_named;

static bool name_animations(importing *im, const lm_im_gltf *gltf, lm_im_named *out) {
    *out = (lm_im_named){.gltf = gltf, .names.arena = &im->scratch};
    out->times = lmi_arena_zeros(&im->scratch, gltf->num_animations, sizeof *out->times);
    for (uint32_t i = 0; out->times && i < gltf->num_animations; i++) {
        const lm_im_animation *animation = &gltf->animations[i];
        lm_name *name = lmi_names_put(&out->names, animation->name);
        if (!name)
            return false;
        name->number = name->number == 0 ? i + 1 : IM_NONE;
        for (uint32_t k = 0; k < animation->num_channels; k++) {
            const lm_im_channel *c = &animation->channels[k];
            out->times[i].first = fmin(out->times[i].first, (double)c->times[0]);
            out->times[i].last = fmax(out->times[i].last, (double)c->times[c->num_keys - 1]);
        }
    }
    return out->times != NULL;
}

/* Returns the animation of that name; NULL if none or several have it. */
static const lm_im_animation *find_animation(const lm_im_named *named, lm_im_ref name) {
    const lm_name *found = name->kind == IM_STRING
                               ? lmi_names_find_part(&named->names, name->text, name->length)
                               : NULL;
    return found && found->number != IM_NONE ? &named->gltf->animations[found->number - 1] : NULL;
}

/* Reads a clip's times: increasing, one more than frames. clip->times stays NULL if the file has
 * none. */
static bool read_times(importing *im, lm_im_ref array, lm_clip *clip, bool *fits) {
    if (!array)
        return true;
    *fits = *fits && lmi_im_count(array) == clip->count + 1;
    float *times =
        *fits ? lmi_arena_zeros(im->arena, clip->count + (uint64_t)1, sizeof *times) : NULL;
    clip->times = times;
    double number, last = -1;
    for (lm_im_ref e = lmi_im_first(array); times && e; e = lmi_im_next(array, e)) {
        *fits = *fits && lmi_im_number(e, &number) && number > last && number < 1e6;
        last = *fits ? number : last;
        *times++ = (float)last;
    }
    return !*fits || clip->times;
}

/* Returns true if the animation is as long as the clip that refers to it. Those of a weapon may
 * differ by a frame: other programs round the times of several rates to one. */
static bool matches_clip(const lm_im_named *named, const lm_im_clip_source *source,
                         bool is_weapon) {
    const lm_clip *clip = &source->clip;
    const size_t index = (size_t)(source->animation - named->gltf->animations);
    return named->times[index].first >= 0 &&
           fabs(named->times[index].last - lm_clip_seconds(clip, lmi_im_last_key(clip))) <=
               (is_weapon ? 1 : 0.01) / (double)clip->fps;
}

static bool read_clip(importing *im, const lm_im_named *named, lm_im_ref ref, uint32_t num_frames,
                      bool is_weapon, lm_im_clip_source *out, bool *fits) {
    const lm_im_ref name = lmi_im_member(ref, "name");
    const lm_im_ref animation = lmi_im_member(ref, "animation");
    const lm_im_ref backwards = lmi_im_member(ref, "backwards");
    lm_clip *clip = &out->clip;
    double fps = 0;
    *fits = integer_of(ref, "first", num_frames, &clip->first) &&
            integer_of(ref, "count", num_frames - clip->first, &clip->count) && clip->count > 0 &&
            lmi_im_number(lmi_im_member(ref, "fps"), &fps) && fps >= 1e-3 && fps <= 1e6;
    if (!*fits)
        return true;
    clip->fps = (float)fps;
    clip->source = LM_CLIP_FILE;
    clip->backwards = lmi_im_is_true(backwards);
    clip->animated_barrels = (uint8_t)lmi_im_bits(lmi_im_member(ref, "animatedBarrels"));
    clip->animated_weapon = lmi_im_is_true(lmi_im_member(ref, "animatedWeapon"));
    clip->hidden_barrels = (uint8_t)lmi_im_bits(lmi_im_member(ref, "hiddenBarrels"));
    if (!integer_of(ref, "loop", clip->count, &clip->loop_frames))
        clip->loop_frames = 0;
    if ((name && !(clip->name = lmi_im_string(im, name))) ||
        !read_times(im, lmi_im_member(ref, "times"), clip, fits))
        return false;
    out->animation = animation ? find_animation(named, animation) : NULL;
    out->still = !animation;
    out->removed = is_weapon && animation && !out->animation;
    *fits = *fits &&
            (!animation || out->removed || (out->animation && matches_clip(named, out, is_weapon)));
    return true;
}

/* Returns the first frame from `f` on that is not shown yet, whose entry in `next` is itself. Those
 * of other frames lead there. */
static uint32_t next_unseen(uint32_t *next, uint32_t f) {
    for (; next[f] != f; f = next[f])
        next[f] = next[next[f]];
    return f;
}

/* Finds the moment that shows each frame, best in a clip that hides no barrel. Returns false if a
 * frame is never shown. `next`: [num_frames + 1] for next_unseen. */
static bool find_moments(const lm_im_clip_source *sources, uint32_t count, uint32_t num_frames,
                         lm_im_moment *moments, uint32_t *next) {
    for (uint32_t f = 0; f <= num_frames; f++)
        next[f] = f;
    for (uint64_t i = 0; i < 2 * (uint64_t)count; i++) {
        const lm_im_clip_source *source = &sources[i % count];
        const lm_clip *clip = &source->clip;
        if (i < count && clip->hidden_barrels)
            continue;
        for (uint32_t f; (f = next_unseen(next, clip->first)) < clip->first + clip->count;) {
            const uint32_t k = f - clip->first, shown = clip->backwards ? clip->count - 1 - k : k;
            /* rounded to float, like a key's time */
            moments[f] = (lm_im_moment){source->animation, (float)lm_clip_seconds(clip, shown), 0};
            next[f] = f + 1;
        }
    }
    return next_unseen(next, 0) == num_frames;
}

/* Lets each frame of a weapon's hand that no clip shows repeat the one before it. */
static void fill_moments(uint32_t num_frames, lm_im_moment *moments, const uint32_t *next) {
    for (uint32_t f = 1; f < num_frames; f++)
        if (next[f] == f)
            moments[f] = moments[f - 1];
}

/* Leaves out the frames that no clip shows: those of a model with bones, or of clips that were not
 * exported. Returns the number of the others. */
static uint32_t leave_unseen(lm_im_extras *extras, lm_clip *clips, uint32_t num_frames,
                             lm_im_moment *moments, uint32_t *next) {
    uint32_t kept = 0;
    for (uint32_t f = 0; f < num_frames; f++) {
        if (next[f] == f)
            continue;
        moments[kept] = moments[f];
        extras->frame_names[kept] = extras->frame_names[f];
        next[f] = kept++; /* its new number */
    }
    for (uint32_t i = 0; i < extras->num_clips; i++)
        clips[i].first = next[clips[i].first];
    return kept;
}

static bool read_clips(importing *im, const lm_im_gltf *gltf, lm_im_ref list, uint32_t num_frames,
                       lm_im_extras *extras) {
    const uint32_t count = lmi_im_count(list);
    lm_im_clip_source *sources = lmi_arena_zeros(im->arena, count, sizeof *sources);
    lm_clip *clips = lmi_arena_zeros(im->arena, count, sizeof *clips);
    bool *still = lmi_arena_zeros(im->arena, count, sizeof *still);
    const lm_im_animation **animations = lmi_arena_zeros(im->arena, count, sizeof *animations);
    lm_im_moment *moments = lmi_arena_zeros(im->arena, num_frames, sizeof *moments);
    uint32_t *next = lmi_arena_alloc(&im->scratch, num_frames + (uint64_t)1, sizeof *next);
    uint32_t num_sources = 0, played = 0, named = 0;
    bool fits = true, all_fit = true;
    lm_im_named by_name;
    if (!sources || !clips || !still || !animations || !moments || !next ||
        !name_animations(im, gltf, &by_name))
        return false;
    for (lm_im_ref e = lmi_im_first(list); e; e = lmi_im_next(list, e)) {
        lm_im_clip_source *source = &sources[num_sources];
        *source = (lm_im_clip_source){0};
        if (!read_clip(im, &by_name, e, num_frames, extras->is_weapon, source, &fits))
            return false;
        all_fit = all_fit && fits;
        if (source->removed)
            continue;
        num_sources++;
        played += source->animation != NULL;
        still[named] = source->still;
        animations[named] = source->animation;
        if (source->clip.name)
            clips[named++] = source->clip;
    }
    extras->clips = clips;
    extras->still = still;
    extras->animations = animations;
    extras->num_clips = named;
    if (!all_fit || played != gltf->num_animations)
        return true;
    if (!find_moments(sources, num_sources, num_frames, moments, next)) {
        if (extras->is_weapon)
            fill_moments(num_frames, moments, next);
        else
            num_frames = leave_unseen(extras, clips, num_frames, moments, next);
    }
    extras->moments = moments;
    extras->num_frames = num_frames;
    return true;
}

uint32_t lmi_im_bits(lm_im_ref value) {
    uint64_t bits;
    return lmi_im_integer(value, &bits) && bits <= UINT32_MAX ? (uint32_t)bits : 0;
}

int32_t lmi_im_flags_of(lm_im_ref object, const char *name) {
    return (int32_t)lmi_im_bits(lmi_im_member(object, name));
}

/* Reads an array of `count` numbers; others stay 0. */
static void read_numbers(lm_im_ref array, int count, double *out) {
    double numbers[6] = {0};
    int i = 0;
    for (lm_im_ref e = lmi_im_first(array); e && i < count; e = lmi_im_next(array, e), i++)
        if (!lmi_im_number(e, &numbers[i]))
            return;
    if (i == count)
        memcpy(out, numbers, (size_t)count * sizeof *out);
}

static bool read_skins(importing *im, lm_im_ref object, lm_im_extras *extras) {
    const lm_im_ref size = lmi_im_member(object, "skinSize");
    const lm_im_ref width = lmi_im_first(size);
    const lm_im_ref height = width ? lmi_im_next(size, width) : 0;
    uint64_t numbers[2];
    extras->skins = lmi_im_strings_of(im, lmi_im_member(object, "skins"), &extras->num_skins);
    if (height && lmi_im_integer(width, &numbers[0]) && lmi_im_integer(height, &numbers[1]) &&
        numbers[0] <= INT16_MAX && numbers[1] <= INT16_MAX) {
        extras->skin_width = (uint32_t)numbers[0];
        extras->skin_height = (uint32_t)numbers[1];
    }
    return extras->skins != NULL;
}

bool lmi_im_read_extras(importing *im, const lm_im_gltf *gltf, lm_im_extras *extras) {
    const lm_im_ref scenes = lmi_im_member(gltf->root, "scenes");
    const lm_im_ref object = lmi_im_member(lmi_im_first(scenes), "extras");
    const lm_im_ref frames = lmi_im_member(object, "frames");
    const lm_im_ref clips = lmi_im_member(object, "clips");
    uint32_t num_frames = lmi_im_count(frames);
    *extras = (lm_im_extras){.model = lmi_im_string(im, lmi_im_member(object, "model")),
                             .flags = lmi_im_flags_of(object, "flags"),
                             .synctype = lmi_im_flags_of(object, "synctype")};
    const char *axes = lmi_im_string(im, lmi_im_member(object, "axes"));
    double grid[6] = {0};
    extras->is_weapon = lmi_im_member(object, "hand") != 0;
    extras->model_axes = axes && strcmp(axes, "model") == 0;
    if (!lmi_im_number(lmi_im_member(object, "unit"), &extras->unit) || !(extras->unit > 0))
        extras->unit = (double)LM_METRES_PER_UNIT;
    read_numbers(lmi_im_member(object, "eye"), 3, extras->eye);
    read_numbers(lmi_im_member(object, "grid"), 6, grid);
    for (int i = 0; i < 6; i++)
        extras->grid[i] = (float)grid[i];
    extras->empty = lmi_im_member(object, "emptySurfaces");
    if (num_frames == 0 || num_frames > LM_MAX_IMPORT_FRAMES || lmi_im_count(clips) == 0)
        return extras->model && axes;
    extras->frame_names = lmi_im_strings_of(im, frames, &num_frames);
    return extras->model && axes && extras->frame_names &&
           read_clips(im, gltf, clips, num_frames, extras) &&
           (extras->num_frames == 0 || read_skins(im, object, extras));
}
