#include "shots.h"

#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SHOTS 100000

static const lm_clip *find_clip(tool_job *job, const render_settings *settings,
                                const tool_input *input) {
    tool_guess guess = {.word = settings->clip};
    for (uint32_t i = 0; i < input->num_clips; i++) {
        if (strcmp(input->clips[i].name, settings->clip) == 0)
            return &input->clips[i];
        tool_guess_try(&guess, input->clips[i].name);
    }
    if (tool_guess_best(&guess))
        tool_fail(job, "there is no clip \"%s\"; did you mean \"%s\"?", settings->clip,
                  tool_guess_best(&guess));
    else
        tool_fail(job, "there is no clip \"%s\"; info lists the %u that there are", settings->clip,
                  input->num_clips);
    return NULL;
}

static bool check_frames(tool_job *job, const render_settings *settings, const lm_model *model) {
    uint32_t last = model->num_frames - 1;
    if (settings->has_frames && settings->last_frame > last)
        tool_fail(job, "--frames %u-%u is not there: the last frame is %u", settings->first_frame,
                  settings->last_frame, last);
    else if (settings->has_frame && settings->frame > (double)last)
        tool_fail(job, "--frame %g is not there: the last frame is %u", settings->frame, last);
    else
        return true;
    return false;
}

/* What is played, as a clip: the one of --clip, else the frames of --frames, else all. */
static lm_clip plan_clip(const render_settings *settings, const tool_input *input,
                         const lm_clip *named) {
    lm_clip clip = {.name = "", .count = input->model->num_frames, .fps = LM_DEFAULT_FPS};
    if (named)
        return *named;
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
        tool_fail(job, "there is not enough memory");
    return list->shots != NULL;
}

static void plan_turns(const render_settings *settings, shot_list *list) {
    for (uint32_t i = 0; i < list->num_shots && settings->turntable > 0; i++)
        list->shots[i].azimuth = 360.0f * (float)i / (float)list->num_shots;
}

/* One pose: alone, or from all sides. */
static bool plan_still(tool_job *job, const render_settings *settings, lm_pose pose,
                       shot_list *list) {
    if (!make_room(job, list, settings->turntable))
        return false;
    for (uint32_t i = 0; i < list->num_shots; i++)
        list->shots[i].pose = pose;
    list->first = pose.frame_a < pose.frame_b ? pose.frame_a : pose.frame_b;
    list->last = pose.frame_a < pose.frame_b ? pose.frame_b : pose.frame_a;
    list->rate = settings->rate > 0 ? settings->rate : (double)LM_DEFAULT_FPS;
    plan_turns(settings, list);
    return true;
}

/* A picture a frame, or at the rate of --rate; with a turntable, as many as that has. */
static bool plan_played(tool_job *job, const render_settings *settings, const lm_clip *clip,
                        shot_list *list) {
    double rate = settings->rate > 0 ? settings->rate : (double)clip->fps;
    bool loops = clip->loop_frames > 0;
    double duration = lm_clip_duration(clip, loops ? LM_PLAY_LOOP : LM_PLAY_ONCE);
    double count = floor(duration * rate + 1e-3) + (loops ? 0 : 1);
    if (!make_room(job, list, settings->turntable > 0 ? settings->turntable : count))
        return false;
    for (uint32_t i = 0; i < list->num_shots; i++)
        list->shots[i].pose =
            lm_clip_pose(clip, i / rate, loops ? LM_PLAY_LOOP : LM_PLAY_ONCE, false);
    list->first = clip->first;
    list->last = clip->first + clip->count - 1;
    list->rate = rate;
    plan_turns(settings, list);
    return true;
}

bool shots_plan(tool_job *job, const render_settings *settings, const tool_input *input,
                shot_list *list) {
    const lm_clip *named = NULL;
    *list = (shot_list){0};
    if (!check_frames(job, settings, input->model) ||
        (settings->clip && !(named = find_clip(job, settings, input))))
        return false;
    if (settings->has_time || (named && !render_is_animated(settings)))
        return plan_still(job, settings,
                          lm_clip_pose(named, settings->time, LM_PLAY_AS_CLIP, false), list);
    bool still = !render_is_animated(settings) || settings->has_frame ||
                 (settings->turntable > 0 && !named && !settings->has_frames);
    if (still)
        return plan_still(job, settings, lm_pose_at(input->model, settings->frame), list);
    lm_clip clip = plan_clip(settings, input, named);
    return plan_played(job, settings, &clip, list);
}

void shots_free(shot_list *list) {
    free(list->shots);
}
