#include "clips/clip_names.h"
#include "export/gltf.h"
#include "mesh/mesh_make.h"

#include <math.h>
#include <string.h>

/* Repeated clips have at most this many keys in an animation; then the model stays still. */
#define LM_MAX_REPEATED_KEYS 65536.0
#define TINY 1e-6 /* in keys and frames: what rounding of a time may add */

/* ---- Keys ----------------------------------------------------------------------------------- */

/* Returns the number of keys of a clip that is played once. */
static uint32_t own_keys(const lm_clip *clip) {
    /* A single key would be an animation without length, by which some players divide. */
    return clip->count + (clip->loop_frames > 0 || clip->count == 1);
}

static double time_of(const lm_gltf_track *track, uint32_t key) {
    if (track->cut && key == track->num_keys - 1)
        return track->end;
    return track->rate > 0 ? key / (double)track->rate : lm_clip_seconds(&track->clip, key);
}

float lmi_gltf_key_time(const lm_gltf_track *track, uint32_t key) {
    return (float)time_of(track, key);
}

/* Returns the frame of a whole key. A loop continues with its last loop_frames. */
static uint32_t key_frame(const lm_clip *clip, uint32_t key) {
    if (key >= clip->count && clip->loop_frames > 0)
        key = clip->count - clip->loop_frames + (key - clip->count) % clip->loop_frames;
    else if (key >= clip->count)
        key = clip->count - 1;
    return clip->first + (clip->backwards ? clip->count - 1 - key : key);
}

lm_pose lmi_gltf_key_pose(const lm_gltf_track *track, uint32_t key) {
    lm_pose pose = {0};
    const bool is_own = track->rate == 0 && !(track->cut && key == track->num_keys - 1);
    const double seconds = is_own ? 0 : time_of(track, key);
    const double at = is_own ? key : lmi_clip_frames(&track->clip, seconds), whole = round(at);
    if (is_own || fabs(at - whole) < TINY)
        pose.frame_a = pose.frame_b = key_frame(&track->clip, (uint32_t)whole);
    else
        lm_clip_pose(&track->clip, seconds, LM_PLAY_AS_CLIP, false, &pose);
    pose.frame_a = lmi_least(pose.frame_a, track->last);
    pose.frame_b = lmi_least(pose.frame_b, track->last);
    return pose;
}

/* ---- Animations ----------------------------------------------------------------------------- */

static void play(const lm_gltf_body *body, const lm_clip *clip, uint32_t number,
                 lm_gltf_track *track) {
    *track = (lm_gltf_track){.clip = *clip,
                             .rate = clip->count > 1 ? body->g->options->fps : 0,
                             .num_keys = own_keys(clip),
                             .last = body->job.count - 1,
                             .number = number & INT32_MAX};
}

/* Adds a clip to the first animation of its name in which the body plays nothing yet, or else to a
 * new one. */
static bool add_clip(lm_gltf_body *body, lm_names *names, const lm_clip *clip, uint32_t number) {
    lm_gltf *g = body->g;
    lm_name *name = lmi_names_put(names, clip->name);
    if (!name)
        return false;
    uint32_t animation = name->number;
    if (animation == 0 || body->tracks[animation - 1].num_keys > 0) {
        g->track_names[g->num_tracks++] = clip->name;
        animation = g->num_tracks;
    }
    name->number = name->number > 0 ? name->number : animation;
    g->num_hidden += clip->hidden;
    play(body, clip, number, &body->tracks[animation - 1]);
    return true;
}

/* ---- Frames in no clip ------------------------------------------------------------------------
 *
 * Clips from a file need not cover all frames. Each run of other frames becomes an animation, too;
 * otherwise no program would show it. */

/* Returns true if all frames of a single model are exported, and the caller has not chosen clips.
 * Not for a model with bones: between the rows of its table are only the ways from one to the
 * next. */
static bool plays_leftovers(const lm_gltf *g) {
    return g->scene->num_parts == 1 && g->options->common.num_frames == 0 &&
           g->options->common.num_clips == 0 && !g->bodies[0].job.still &&
           g->bodies[0].job.num_clips > 0 && !g->bodies[0].job.model->bones;
}

static bool list_leftovers(lm_gltf_body *body, lm_names *names) {
    const uint32_t count = body->job.count;
    uint8_t *in_clip = lmi_arena_zeros(&body->g->arena, count, 1);
    if (!in_clip)
        return false;
    for (uint32_t i = 0; i < body->g->num_tracks; i++)
        memset(in_clip + body->tracks[i].clip.first, 1, body->tracks[i].clip.count);
    uint32_t number = body->job.num_clips;
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && in_clip[end] == in_clip[first];)
            end++;
        if (in_clip[first])
            continue;
        lm_clip clip = {.first = first, .count = end - first, .fps = LM_DEFAULT_FPS};
        clip.name = end - first > 1
                        ? lmi_arena_printf(&body->g->arena, "frames %u-%u", (unsigned)first,
                                           (unsigned)end - 1)
                        : lmi_arena_printf(&body->g->arena, "frame %u", (unsigned)first);
        body->g->num_leftovers++;
        if (!clip.name || !add_clip(body, names, &clip, number++))
            return false;
    }
    return true;
}

/* Plays all exported frames of a skeleton that no clip shows. Without an animation they would be
 * lost, unlike morph targets. */
static bool play_all(lm_gltf *g, lm_names *names) {
    lm_gltf_body *body = &g->bodies[0];
    const lm_clip all = {.name = "all", .count = body->job.count, .fps = LM_DEFAULT_FPS};
    return g->num_tracks > 0 || !body->skeleton || body->job.count < 2 ||
           add_clip(body, names, &all, body->job.num_clips);
}

/* Returns the animation to put first, because most programs show that one: the scene's idle clip,
 * if it is exported, else the clip at rest. */
static uint32_t find_rest(const lm_gltf *g, lm_clip *named) {
    const lm_clip *idle = g->bodies[0].part->idle;
    for (uint32_t i = 0; i < g->num_tracks; i++) {
        named[i] = (lm_clip){.name = g->track_names[i]};
        if (idle && strcmp(named[i].name, idle->name) == 0)
            return i;
    }
    return (uint32_t)(lmi_rest_clip(named, g->num_tracks) - named);
}

static bool put_rest_first(lm_gltf *g) {
    lm_clip *named = lmi_arena_alloc(&g->arena, g->num_tracks, sizeof *named);
    if (!named)
        return false;
    if (g->num_tracks == 0)
        return true;
    uint32_t rest = find_rest(g, named);
    const char *name = g->track_names[rest];
    memmove(g->track_names + 1, g->track_names, rest * sizeof *g->track_names);
    g->track_names[0] = name;
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        lm_gltf_track *tracks = g->bodies[i].tracks, track = tracks[rest];
        memmove(tracks + 1, tracks, rest * sizeof *tracks);
        tracks[0] = track;
    }
    return true;
}

/* ---- Other bodies during an animation ------------------------------------------------------- */

/* Fits a track to the animation's length: repeats loops, and cuts longer clips. */
static bool fit_track(lm_gltf *g, lm_gltf_track *track, double end) {
    const lm_clip *clip = &track->clip;
    const bool repeats = clip->loop_frames > 1; /* repeating a single frame changes nothing */
    const double own = own_keys(clip) - 1;
    double most = repeats ? LM_MAX_REPEATED_KEYS : own;
    if (track->rate > 0) {
        end = repeats ? end : fmin(end, lm_clip_seconds(clip, own));
        most = LM_MAX_MESH_FRAMES;
    }
    const double steps = track->rate > 0 ? end * (double)track->rate : lmi_clip_frames(clip, end);
    const double whole = floor(steps + TINY);
    if (track->rate > 0 && whole > most)
        return lmi_call_fail(&g->heap.call, LM_CODE_LIMIT,
                             "the clip \"%s\" has %g keys at %g per second; the maximum is %u",
                             clip->name, whole, (double)track->rate, LM_MAX_MESH_FRAMES);
    track->cut = whole < most && steps - whole > TINY;
    track->end = end;
    track->num_keys = (uint32_t)fmin(whole, most) + 1 + track->cut;
    return true;
}

static bool fill_animation(lm_gltf *g, uint32_t animation) {
    double end = 0;
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        const lm_gltf_track *track = &g->bodies[i].tracks[animation];
        if (track->num_keys > 0)
            end = fmax(end, lm_clip_seconds(&track->clip, own_keys(&track->clip) - 1));
    }
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        const lm_gltf_body *body = &g->bodies[i];
        lm_gltf_track *track = &body->tracks[animation];
        const lm_clip *idle = body->part->idle;
        if (body->part->follows) {
            *track = g->bodies[body->part->parent].tracks[animation];
            track->last = lmi_least(track->last, body->job.count - 1);
            continue;
        }
        lm_clip clip;
        if (track->num_keys == 0 && idle && lmi_export_clip(&body->job, idle, &clip))
            play(body, &clip, 0, track);
        if (track->num_keys > 0 && !fit_track(g, track, end))
            return false;
    }
    return true;
}

/* Checks the keys of all animations: clips may be resampled and repeated. */
static bool check_keys(lm_gltf *g) {
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        uint64_t keys = 0;
        for (uint32_t k = 0; k < g->num_tracks; k++)
            keys += g->bodies[i].tracks[k].num_keys;
        if (keys > LM_MAX_MESH_FRAMES)
            return lmi_call_fail(&g->heap.call, LM_CODE_LIMIT,
                                 "the animations have %llu keys; the limit is %u",
                                 (unsigned long long)keys, LM_MAX_MESH_FRAMES);
    }
    return true;
}

/* ---- Tracks --------------------------------------------------------------------------------- */

static bool alloc_tracks(lm_gltf *g) {
    uint64_t most = 1; /* of play_all */
    for (uint32_t i = 0; i < g->scene->num_parts; i++)
        most += g->bodies[i].job.num_clips;
    if (plays_leftovers(g)) /* two runs have a frame of a clip between them */
        most += g->bodies[0].job.count / 2 + 1;
    if (most > UINT32_MAX / 4)
        return lmi_call_end(&g->heap.call, LM_NO_MEMORY);
    g->track_names = lmi_arena_alloc(&g->arena, most, sizeof *g->track_names);
    g->written_names = lmi_arena_zeros(&g->arena, most, sizeof *g->written_names);
    for (uint32_t i = 0; i < g->scene->num_parts; i++)
        g->bodies[i].tracks = lmi_arena_zeros(&g->arena, most, sizeof *g->bodies->tracks);
    return !lmi_arena_failed(&g->arena);
}

bool lmi_gltf_make_tracks(lm_gltf *g) {
    lm_names names = {.arena = &g->arena};
    if (!alloc_tracks(g))
        return false;
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        const lm_export *job = &g->bodies[i].job;
        lm_clip clip;
        const bool still = i > 0 && job->model->num_frames == 1; /* no animation is its own */
        if (!lmi_call_join(&g->heap.call,
                           lmi_check_clip_frames(job->clips, job->num_clips, job->model->num_frames,
                                                 g->heap.call.error)))
            return false;
        for (uint32_t k = 0; k < job->num_clips; k++)
            if (lmi_export_clip(job, &job->clips[k], &clip) &&
                !(still && !lmi_names_find(&names, clip.name)) &&
                !add_clip(&g->bodies[i], &names, &clip, k))
                return false;
    }
    if (plays_leftovers(g) && !list_leftovers(&g->bodies[0], &names))
        return false;
    if (!play_all(g, &names) || !put_rest_first(g))
        return false;
    for (uint32_t i = 0; i < g->num_tracks; i++)
        if (!fill_animation(g, i))
            return false;
    return check_keys(g);
}
