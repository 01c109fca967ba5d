#include "shots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SHOTS 100000

/* The clip of --clip: that of the first part which has one of this name; of several names that of
 * them which lasts longest. */
static const lm_clip *find_clip(tool_job *job, const char *name, const lm_scene *scene) {
    const lm_clip *found = NULL;
    if (!tool_check_clip(job, scene, name, strlen(name)))
        return NULL;
    for (uint32_t p = 0; p < scene->num_parts; p++) {
        const lm_clip *clip = lm_scene_find_clip(scene, p, name);
        if (clip && (!found || (strcmp(clip->name, found->name) != 0 &&
                                lm_clip_duration(clip, LM_PLAY_AS_CLIP) >
                                    lm_clip_duration(found, LM_PLAY_AS_CLIP))))
            found = clip;
    }
    return found;
}

static bool check_frames(tool_job *job, const render_settings *settings, const lm_model *model) {
    uint32_t last = model->num_frames - 1;
    if (settings->has_frames && settings->last_frame > last)
        tool_fail(job, "there are no frames %u-%u: the last frame is %u", settings->first_frame,
                  settings->last_frame, last);
    else if (settings->has_frame && settings->frame > (double)last)
        tool_fail(job, "there is no frame %g: the last frame is %u", settings->frame, last);
    else
        return true;
    return false;
}

/* What is played with --frames, else of a model that stands still at rest: those, or all frames. */
static lm_clip plan_frames(const render_settings *settings, const lm_model *model) {
    lm_clip clip = {.name = "", .count = model->num_frames, .fps = LM_DEFAULT_FPS};
    if (settings->has_frames) {
        clip.first = settings->first_frame;
        clip.count = settings->last_frame - settings->first_frame + 1;
    }
    return clip;
}

static bool make_room(tool_job *job, shot_list *list, double count) {
    if (count > MAX_SHOTS) {
        tool_fail(job, "%.0f pictures are too many; at most %d are drawn", count, MAX_SHOTS);
        return false;
    }
    list->num_shots = count < 1 ? 1 : (uint32_t)count;
    list->shots = calloc(list->num_shots, sizeof *list->shots);
    if (!list->shots)
        tool_fail(job, "out of memory");
    return list->shots != NULL;
}

static void plan_turns(const render_settings *settings, shot_list *list) {
    for (uint32_t i = 0; i < list->num_shots && settings->turntable > 0; i++)
        list->shots[i].azimuth = 360.0f * (float)i / (float)list->num_shots;
}

/* One moment: alone, or from all sides. */
static bool plan_still(tool_job *job, const render_settings *settings, const studio_shot *moment,
                       shot_list *list) {
    if (!make_room(job, list, settings->turntable))
        return false;
    for (uint32_t i = 0; i < list->num_shots; i++)
        list->shots[i] = *moment;
    list->rate = settings->rate > 0 ? settings->rate : (double)LM_DEFAULT_FPS;
    plan_turns(settings, list);
    return true;
}

/* A picture a frame, or at the rate of --rate; with a turntable, as many as that has. `name`: of
 * the clip that all parts play; NULL: the first part alone plays `clip`. */
static bool plan_played(tool_job *job, const render_settings *settings, const lm_clip *clip,
                        const char *name, shot_list *list) {
    double rate = settings->rate > 0 ? settings->rate : (double)clip->fps;
    bool loops = clip->loop_frames > 0;
    double duration = lm_clip_duration(clip, loops ? LM_PLAY_LOOP : LM_PLAY_ONCE);
    double count = floor(duration * rate + 1e-3) + (loops ? 0 : 1);
    if (!make_room(job, list, settings->turntable > 0 ? settings->turntable : count))
        return false;
    for (uint32_t i = 0; i < list->num_shots; i++) {
        list->shots[i] = (studio_shot){.clip = name, .seconds = i / rate};
        lm_clip_pose(clip, i / rate, LM_PLAY_AS_CLIP, false, &list->shots[i].pose);
    }
    list->rate = rate;
    plan_turns(settings, list);
    return true;
}

bool shots_plan(tool_job *job, const render_settings *settings, const lm_scene *scene,
                shot_list *list) {
    const lm_model *model = scene->parts[0].model;
    const lm_clip *named = NULL;
    *list = (shot_list){0};
    if (!check_frames(job, settings, model) ||
        (settings->clip && !(named = find_clip(job, settings->clip, scene))))
        return false;
    if (named && (settings->has_time || !render_is_animated(settings)))
        return plan_still(job, settings,
                          &(studio_shot){.clip = settings->clip, .seconds = settings->time}, list);
    if (named)
        return plan_played(job, settings, named, settings->clip, list);
    bool still = !render_is_animated(settings) || settings->has_frame ||
                 (settings->turntable > 0 && !settings->has_frames);
    if (still) {
        const lm_clip *rest = settings->has_frame ? NULL : lm_scene_rest(scene);
        studio_shot shot = {.clip = rest ? rest->name : NULL};
        lm_pose_at(model, settings->frame, &shot.pose);
        return plan_still(job, settings, &shot, list);
    }
    const lm_clip *rest = settings->has_frames ? NULL : lm_scene_rest(scene);
    if (rest && rest->count > 1)
        return plan_played(job, settings, rest, rest->name, list);
    lm_clip clip = plan_frames(settings, model);
    return plan_played(job, settings, &clip, NULL, list);
}

void shots_free(shot_list *list) {
    free(list->shots);
}
