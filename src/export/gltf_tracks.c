#include "export/gltf.h"

#include <math.h>
#include <string.h>

/* What is repeated until an animation ends has at most so many keys; then it stands. */
#define LM_MAX_REPEATED_KEYS 65536.0

/* ---- Keys -------------------------------------------------------------------------------------
 */

/* How many keys a clip has by itself. */
static uint32_t own_keys(const lm_clip *clip) {
    /* One frame alone would be an animation of no length, which some players divide by. */
    return clip->count + (clip->loop_frames > 0 || clip->count == 1);
}

static double own_end(const lm_clip *clip) {
    return lm_clip_seconds(clip, own_keys(clip) - 1);
}

float lm_gltf_key_time(const lm_gltf_track *track, uint32_t key) {
    if (track->cut && key == track->num_keys - 1)
        return (float)track->end;
    return (float)lm_clip_seconds(&track->clip, key);
}

/* The frame of a key that is not cut: a loop goes on with its last loop_frames. */
static uint32_t key_frame(const lm_clip *clip, uint32_t key) {
    if (key >= clip->count && clip->loop_frames > 0)
        key = clip->count - clip->loop_frames + (key - clip->count) % clip->loop_frames;
    else if (key >= clip->count)
        key = clip->count - 1;
    return clip->first + (clip->backwards ? clip->count - 1 - key : key);
}

lm_pose lm_gltf_key_pose(const lm_gltf_track *track, uint32_t key) {
    lm_pose pose = {0};
    if (track->cut && key == track->num_keys - 1)
        lm_clip_pose(&track->clip, track->end, LM_PLAY_AS_CLIP, false, &pose);
    else
        pose.frame_a = pose.frame_b = key_frame(&track->clip, key);
    pose.frame_a = pose.frame_a < track->last ? pose.frame_a : track->last;
    pose.frame_b = pose.frame_b < track->last ? pose.frame_b : track->last;
    return pose;
}

/* ---- Animations -------------------------------------------------------------------------------
 */

/* The first animation of each name. */
typedef struct track_table {
    uint32_t *entries; /* animation + 1, open addressing */
    size_t size;       /* a power of two */
} track_table;

static uint32_t *find_entry(const lm_gltf *g, const track_table *table, const char *name) {
    size_t i = lm_name_hash(name) & (table->size - 1);
    while (table->entries[i] && strcmp(g->track_names[table->entries[i] - 1], name) != 0)
        i = (i + 1) & (table->size - 1);
    return &table->entries[i];
}

/* The animation in which a body is to play a clip: that of the same name, if it has none there
 * yet. */
static lm_gltf_track *track_of(lm_gltf *g, const track_table *table, const char *name) {
    uint32_t *entry = find_entry(g, table, name);
    if (*entry && g->body->tracks[*entry - 1].num_keys == 0)
        return &g->body->tracks[*entry - 1];
    g->track_names[g->num_tracks++] = name;
    if (!*entry)
        *entry = g->num_tracks;
    return &g->body->tracks[g->num_tracks - 1];
}

static void list_clips(lm_gltf *g, const track_table *table) {
    const lm_export *job = &g->body->job;
    lm_clip clip;
    for (uint32_t i = 0; i < job->num_clips; i++)
        if (lm_export_clip(job, &job->clips[i], &clip))
            *track_of(g, table, clip.name) =
                (lm_gltf_track){.clip = clip, .num_keys = own_keys(&clip), .last = job->count - 1};
}

/* ---- What the others do meanwhile -------------------------------------------------------------
 */

static double end_of(const lm_gltf *g, uint32_t animation) {
    double end = 0;
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        const lm_gltf_track *track = &g->bodies[i].tracks[animation];
        if (track->num_keys > 0)
            end = fmax(end, own_end(&track->clip));
    }
    return end;
}

/* Makes a track last until the animation ends: a loop goes on, what is longer is cut. */
static void fit_track(lm_gltf_track *track, double end) {
    const double tiny = 1e-6; /* of a frame */
    double steps = lm_clip_frames(&track->clip, end);
    if (fabs(own_end(&track->clip) - end) * (double)track->clip.fps < tiny)
        return;
    uint32_t own = own_keys(&track->clip);
    bool repeats = track->clip.loop_frames > 0 && track->clip.count > 1;
    double most = repeats ? LM_MAX_REPEATED_KEYS : (double)own - 1;
    double whole = floor(steps + tiny);
    track->cut = whole < most && steps - whole > tiny;
    track->end = end;
    track->num_keys = (uint32_t)fmin(whole, most) + 1 + track->cut;
}

static void follow(const lm_gltf *g, const lm_gltf_body *body, uint32_t animation) {
    const lm_gltf_body *parent = &g->bodies[body->part->parent];
    lm_gltf_track *track = &body->tracks[animation];
    *track = parent->tracks[animation];
    track->last = track->last < body->job.count - 1 ? track->last : body->job.count - 1;
}

static void fill_animation(lm_gltf *g, uint32_t animation) {
    double end = end_of(g, animation);
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        const lm_gltf_body *body = &g->bodies[i];
        lm_gltf_track *track = &body->tracks[animation];
        const lm_clip *idle = body->part->idle;
        if (body->part->follows) {
            follow(g, body, animation);
            continue;
        }
        if (track->num_keys == 0 && idle && lm_export_clip(&body->job, idle, &track->clip)) {
            track->num_keys = own_keys(&track->clip);
            track->last = body->job.count - 1;
        }
        if (track->num_keys > 0)
            fit_track(track, end);
    }
}

/* ---- All of it --------------------------------------------------------------------------------
 */

static bool alloc_tracks(lm_gltf *g, track_table *table) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < g->scene->num_parts; i++)
        most += g->bodies[i].job.num_clips;
    if (most > UINT32_MAX / 4)
        return false;
    g->max_animations = (uint32_t)most;
    g->track_names = lm_heap_alloc(&g->heap, most, sizeof *g->track_names);
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        g->bodies[i].tracks = lm_heap_alloc(&g->heap, most, sizeof *g->bodies[i].tracks);
        if (!g->bodies[i].tracks)
            return false;
        memset(g->bodies[i].tracks, 0, (size_t)most * sizeof *g->bodies[i].tracks);
    }
    table->size = 16;
    while (table->size < 2 * most)
        table->size *= 2;
    table->entries = lm_heap_alloc(&g->heap, table->size, sizeof *table->entries);
    if (table->entries)
        memset(table->entries, 0, table->size * sizeof *table->entries);
    return g->track_names && table->entries;
}

bool lm_gltf_make_tracks(lm_gltf *g) {
    track_table table = {0};
    bool ok = alloc_tracks(g, &table);
    for (uint32_t i = 0; ok && i < g->scene->num_parts; i++) {
        g->body = &g->bodies[i];
        list_clips(g, &table);
    }
    for (uint32_t i = 0; ok && i < g->num_tracks; i++)
        fill_animation(g, i);
    lm_heap_free(&g->heap, table.entries, table.size * sizeof *table.entries);
    return ok;
}
