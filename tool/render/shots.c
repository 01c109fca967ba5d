#include "shots.h"

#include <string.h>

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
        return tool_fail(job, "there are no frames %u-%u: the last frame is %u",
                         settings->first_frame, settings->last_frame, last);
    return !settings->has_frame || settings->frame <= (double)last ||
           tool_fail(job, "there is no frame %g: the last frame is %u", settings->frame, last);
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

static bool plan(const render_settings *settings, const lm_scene *scene, const lm_clip *named,
                 shot_list *list, lm_error *error) {
    const lm_model *model = scene->parts[0].model;
    if (named && (settings->has_time || !render_is_animated(settings)))
        return shots_still(list, &(studio_shot){.clip = settings->clip, .seconds = settings->time},
                           error);
    if (named)
        return shots_played(list, named, settings->clip, error);
    const bool still = !render_is_animated(settings) || settings->has_frame ||
                       (settings->turntable > 0 && !settings->has_frames);
    const bool other = still ? settings->has_frame : settings->has_frames;
    const lm_clip *rest = other ? NULL : lm_scene_rest(scene);
    if (still) {
        studio_shot shot = {.clip = rest ? rest->name : NULL};
        lm_pose_at(model, settings->frame, &shot.pose);
        return shots_still(list, &shot, error);
    }
    if (rest && rest->count > 1)
        return shots_played(list, rest, rest->name, error);
    const lm_clip clip = plan_frames(settings, model);
    return shots_played(list, &clip, NULL, error);
}

bool shots_plan(tool_job *job, const render_settings *settings, const lm_scene *scene,
                shot_list *list) {
    const lm_clip *named = NULL;
    lm_error error;
    *list = (shot_list){.rate = settings->rate, .turntable = settings->turntable};
    if (!check_frames(job, settings, scene->parts[0].model) ||
        (settings->clip && !(named = find_clip(job, settings->clip, scene))))
        return false;
    return plan(settings, scene, named, list, &error) || tool_fail(job, "%s", error.message);
}
