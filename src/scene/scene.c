#include "lerpmesh/scene.h"

#include "clips/clip_names.h"
#include "core/exact.h"
#include "core/options.h"
#include "core/text.h"
#include "model/pose.h"
#include "scene/check.h"

#include <math.h>
#include <string.h>

uint32_t lmi_scene_parent(const lm_scene *scene, uint32_t part) {
    return part == 0 ? LM_NO_PART : scene->parts[part].parent;
}

/* ---- Finding -------------------------------------------------------------------------------- */

uint32_t lm_model_find_tag(const lm_model *model, const char *name) {
    return model && name ? lmi_find_name(model->tags, model->num_tags, sizeof *model->tags, name,
                                         strlen(name))
                         : LM_NO_TAG;
}

static const lm_clip *find_clip(const lm_scene_part *part, const char *name, size_t length) {
    uint32_t count;
    const lm_clip *clips = lmi_scene_clips(part, &count);
    uint32_t found = lmi_find_name(clips, count, sizeof *clips, name, length);
    return found == LM_NO_NAME ? NULL : &clips[found];
}

const lm_clip *lm_scene_find_clip(const lm_scene *scene, uint32_t part, const char *name) {
    if (!scene || part >= scene->num_parts)
        return NULL;
    const lm_scene_part *p = &scene->parts[part];
    const lm_clip *found = name ? find_clip(p, name, strlen(name)) : NULL;
    while (name && !found) {
        const size_t length = strcspn(name, "+");
        found = find_clip(p, name, length);
        name = name[length] ? name + length + 1 : NULL;
    }
    return found;
}

const lm_clip *lm_scene_rest_clip(const lm_scene *scene) {
    const lm_clip *rest = scene->parts[0].idle;
    for (uint32_t i = 0; i < scene->num_parts && !rest; i++) {
        uint32_t count;
        const lm_clip *clips = lmi_scene_clips(&scene->parts[i], &count);
        rest = lmi_rest_clip(clips, count);
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
        poses[i] = (lm_pose){at_most(from->frame_a, last), at_most(from->frame_b, last), from->t,
                             from->hidden};
    }
}

void lm_scene_pose(const lm_scene *scene, const char *name, double seconds, lm_pose *poses) {
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_clip *found = lm_scene_find_clip(scene, i, name);
        const lm_clip *clip = found ? found : scene->parts[i].idle;
        poses[i] = (lm_pose){0, 0, 0, false};
        if (clip)
            lm_clip_pose(clip, seconds, LM_PLAY_AS_CLIP, false, &poses[i]);
    }
    lm_scene_follow(scene, poses);
}

/* ---- World transforms ----------------------------------------------------------------------- */

static bool check_pose(const lm_scene *scene, uint32_t part, const lm_pose *pose, lm_error *error) {
    const uint32_t count = scene->parts[part].model->num_frames;
    if (pose->frame_a >= count || pose->frame_b >= count)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "part %u has %u frames, but its pose uses frames %u and %u",
                             (unsigned)part, (unsigned)count, (unsigned)pose->frame_a,
                             (unsigned)pose->frame_b);
    return lmi_pose_sound(pose, count, false) ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                         "the pose of part %u is not between its two frames", (unsigned)part);
}

/* Returns whether a part plays a hidden clip; in a cross-fade, the nearer one counts. */
static bool is_hidden(uint32_t part, const lm_pose *from, const lm_pose *to, const float *weights) {
    return to && weights[part] > 0.5f ? to[part].hidden : from[part].hidden;
}

bool lm_scene_evaluate(const lm_scene *scene, const lm_pose *from, const lm_pose *to,
                       const float *weights, lm_transform *transforms, lm_error *error) {
    if (!LM_GIVEN(error, scene, from, transforms))
        return false;
    static const lm_transform origin = LM_TRANSFORM_IDENTITY;
    if (scene->num_parts == 0)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "the scene has no parts");
    if ((to != NULL) != (weights != NULL))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "a cross-fade needs both to and weights");
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_scene_part *part = &scene->parts[i];
        uint32_t on = lmi_scene_parent(scene, i);
        if (!check_pose(scene, i, &from[i], error) || (to && !check_pose(scene, i, &to[i], error)))
            return false;
        if (to && !(weights[i] >= 0 && weights[i] <= 1))
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "the weight of part %u is not 0 to 1",
                                 (unsigned)i);
        transforms[i] = on == LM_NO_PART ? origin : transforms[on];
        if (part->tag) {
            const lm_model *parent = scene->parts[on].model;
            uint32_t index = lm_model_find_tag(parent, part->tag);
            lm_transform tag;
            if (to)
                lm_sample_tag_blend(parent, index, &from[on], &to[on], weights[on], &tag);
            else
                lm_sample_tag(parent, index, &from[on], &tag);
            lm_transform_nest(&transforms[on], &tag, &transforms[i]);
        }
        if (is_hidden(i, from, to, weights))
            memset(transforms[i].axis, 0, sizeof transforms[i].axis);
    }
    return true;
}

/* ---- Playback: the clock of a clip ----------------------------------------------------------- */

/* Returns the clip of a playback; if it has none with frames, one that stays on frame 0. */
static const lm_clip *clip_of(const lm_playback *p) {
    static const lm_clip still = {.name = "", .count = 1, .fps = LM_DEFAULT_FPS};
    return p->clip && p->clip->count > 0 ? p->clip : &still;
}

/* Returns true if playback ends. Unknown modes are treated as the first one, as in lm_clip_pose. */
static bool ends(const lm_playback *p) {
    const bool loops = p->mode == LM_PLAY_LOOP || p->mode == LM_PLAY_PING_PONG;
    return p->mode == LM_PLAY_ONCE || (!loops && clip_of(p)->loop_frames == 0);
}

static bool has_ended(const lm_playback *p) {
    return ends(p) && p->seconds >= lm_clip_duration(clip_of(p), p->mode);
}

void lm_playback_set(lm_playback *p, lm_play_mode mode, bool backwards, bool playing) {
    if (mode != p->mode || backwards != p->backwards) {
        const double position = lm_playback_position(p);
        p->mode = mode;
        p->backwards = backwards;
        lm_playback_seek(p, position);
    }
    if (playing && !p->playing && has_ended(p))
        p->seconds = 0;
    p->playing = playing;
}

bool lm_playback_advance(lm_playback *p, double elapsed) {
    if (!p->playing || !(elapsed > 0))
        return false;
    p->seconds += elapsed * (p->speed > 0 && isfinite(p->speed) ? (double)p->speed : 1);
    if (has_ended(p)) {
        p->seconds = lm_clip_duration(clip_of(p), p->mode);
        p->playing = false;
    }
    return true;
}

void lm_playback_scene(const lm_playback *p, const lm_scene *scene, uint32_t part, const char *name,
                       lm_pose *poses) {
    lm_scene_pose(scene, name, p->seconds, poses);
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_clip *own = i == part ? clip_of(p) : lm_scene_find_clip(scene, i, name);
        if (!own)
            continue;
        lm_clip_pose(own, p->seconds, p->mode, p->backwards, &poses[i]);
        if (p->stepped)
            poses[i].t = 0;
    }
    lm_scene_follow(scene, poses);
}

static bool runs_backwards(const lm_playback *p) {
    return clip_of(p)->backwards != p->backwards;
}

double lm_playback_position(const lm_playback *p) {
    const lm_clip *clip = clip_of(p);
    lm_pose pose;
    lm_clip_pose(clip, p->seconds, p->mode, p->backwards, &pose);
    double step = (double)pose.frame_b - (double)pose.frame_a;
    if (fabs(step) > 1) /* wraps around a loop's end */
        step = runs_backwards(p) ? -1 : 1;
    return (double)(pose.frame_a - clip->first) + step * (double)pose.t;
}

void lm_playback_seek(lm_playback *p, double position) {
    double last = (double)clip_of(p)->count - 1;
    double inside = position > 0 ? fmin(position, last) : 0; /* NaN is 0 */
    p->seconds = lm_clip_seconds(clip_of(p), runs_backwards(p) ? last - inside : inside);
}

void lm_playback_step(lm_playback *p, int frames) {
    double count = (double)clip_of(p)->count;
    double at = floor(lm_playback_position(p) + 0.5) + frames;
    p->playing = false;
    lm_playback_seek(p, at - count * floor(at / count));
}
