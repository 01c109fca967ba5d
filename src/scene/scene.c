#include "lerpmesh/scene.h"

#include "clips/clip_names.h"
#include "core/exact.h"
#include "core/text.h"
#include "scene/check.h"

#include <math.h>
#include <string.h>

uint32_t lm_scene_parent(const lm_scene *scene, uint32_t part) {
    return part == 0 ? LM_NO_PART : scene->parts[part].parent;
}

/* ---- Finding -------------------------------------------------------------------------------- */

uint32_t lm_find_tag(const lm_model *model, const char *name) {
    return lm_find_name(model->tags, model->num_tags, sizeof *model->tags, name, strlen(name));
}

uint32_t lm_scene_find_tag(const lm_scene *scene, const char *name, const char **tag) {
    for (uint32_t part = scene->num_parts; part-- > 0;) {
        const lm_model *model = scene->parts[part].model;
        uint32_t found = lm_find_tag(model, name);
        if (found == LM_NO_TAG)
            continue;
        *tag = model->tags[found].name;
        return part;
    }
    return LM_NO_PART;
}

static const lm_clip *find_clip(const lm_scene_part *part, const char *name, size_t length) {
    uint32_t count;
    const lm_clip *clips = lm_scene_clips(part, &count);
    uint32_t found = lm_find_name(clips, count, sizeof *clips, name, length);
    return found == LM_NO_NAME ? NULL : &clips[found];
}

const lm_clip *lm_scene_find_clip(const lm_scene *scene, uint32_t part, const char *name) {
    const lm_scene_part *p = &scene->parts[part];
    const lm_clip *found = name ? find_clip(p, name, strlen(name)) : NULL;
    while (name && !found) {
        const size_t length = strcspn(name, "+");
        found = find_clip(p, name, length);
        name = name[length] ? name + length + 1 : NULL;
    }
    return found;
}

const lm_clip *lm_scene_rest(const lm_scene *scene) {
    const lm_clip *rest = scene->parts[0].idle;
    for (uint32_t i = 0; i < scene->num_parts && !rest; i++) {
        uint32_t count;
        const lm_clip *clips = lm_scene_clips(&scene->parts[i], &count);
        rest = lm_rest_clip(clips, count);
    }
    return rest;
}

/* ---- Time ----------------------------------------------------------------------------------- */

static uint32_t at_most(uint32_t value, uint32_t most) {
    return value < most ? value : most;
}

void lm_scene_follow(const lm_scene *scene, lm_pose *poses) {
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_scene_part *part = &scene->parts[i];
        if (!part->follows)
            continue;
        uint32_t last = part->model->num_frames - 1;
        const lm_pose *from = &poses[part->parent];
        poses[i] = (lm_pose){at_most(from->frame_a, last), at_most(from->frame_b, last), from->t};
    }
}

static void pose_part(const lm_scene_part *part, const lm_clip *clip, double seconds,
                      lm_pose *pose) {
    clip = clip ? clip : part->idle;
    *pose = (lm_pose){0, 0, 0};
    if (clip)
        lm_clip_pose(clip, seconds, LM_PLAY_AS_CLIP, false, pose);
}

void lm_scene_pose(const lm_scene *scene, const char *name, double seconds, lm_pose *poses) {
    for (uint32_t i = 0; i < scene->num_parts; i++)
        pose_part(&scene->parts[i], lm_scene_find_clip(scene, i, name), seconds, &poses[i]);
    lm_scene_follow(scene, poses);
}

void lm_scene_pose_parts(const lm_scene *scene, const lm_clip *const *clips, const double *seconds,
                         lm_pose *poses) {
    for (uint32_t i = 0; i < scene->num_parts; i++)
        pose_part(&scene->parts[i], clips[i], seconds[i], &poses[i]);
    lm_scene_follow(scene, poses);
}

/* ---- World transforms ----------------------------------------------------------------------- */

static bool is_sound(const lm_model *model, const lm_pose *pose) {
    return pose->frame_a < model->num_frames && pose->frame_b < model->num_frames && pose->t >= 0 &&
           pose->t <= 1;
}

/* Computes the world transforms of all parts. If `to` is NULL, all parts are in the poses
 * `from`. */
static lm_code evaluate(const lm_scene *scene, const lm_pose *from, const lm_pose *to,
                        const float *weights, lm_transform *transforms) {
    static const lm_transform origin = LM_TRANSFORM_IDENTITY;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_scene_part *part = &scene->parts[i];
        uint32_t on = lm_scene_parent(scene, i);
        lm_transform tag;
        if (!is_sound(part->model, &from[i]) ||
            (to && (!is_sound(part->model, &to[i]) || !(weights[i] >= 0 && weights[i] <= 1))))
            return LM_CODE_BAD_ARGUMENT;
        transforms[i] = on == LM_NO_PART ? origin : transforms[on];
        if (!part->tag)
            continue;
        const lm_model *parent = scene->parts[on].model;
        uint32_t index = lm_find_tag(parent, part->tag);
        lm_code code = to ? lm_tag_blend(parent, index, &from[on], &to[on], weights[on], &tag)
                          : lm_sample_tag(parent, index, &from[on], &tag);
        if (code != LM_CODE_OK)
            return code;
        lm_transform_nest(&transforms[on], &tag, &transforms[i]);
    }
    return LM_CODE_OK;
}

lm_code lm_scene_evaluate(const lm_scene *scene, const lm_pose *poses, lm_transform *transforms) {
    return evaluate(scene, poses, NULL, NULL, transforms);
}

lm_code lm_scene_evaluate_blend(const lm_scene *scene, const lm_pose *from, const lm_pose *to,
                                const float *weights, lm_transform *transforms) {
    return evaluate(scene, from, to, weights, transforms);
}

/* ---- Playback: the clock of a clip ----------------------------------------------------------- */

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
