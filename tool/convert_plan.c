#include "convert.h"

#include <stdio.h>
#include <string.h>

static bool check_frames(tool_job *job, const convert_settings *settings, uint32_t num_frames) {
    const uint32_t last = num_frames - 1;
    char frames[48] = "1 frame, number 0";
    if (last > 0)
        snprintf(frames, sizeof frames, "%u frames, 0 to %u", num_frames, last);
    if (settings->has_frames && settings->last_frame > last)
        return tool_fail(job, "there are no frames %u-%u: the model has %s", settings->first_frame,
                         settings->last_frame, frames);
    return !settings->has_frame || settings->frame <= (double)last ||
           tool_fail(job, "there is no frame %g: the model has %s", settings->frame, frames);
}

/* Returns the length of the first name. A clip whose name contains commas must be the only one. */
static size_t name_length(const lm_scene *scene, const char *names) {
    size_t length = strlen(names);
    return tool_has_clip(scene, names, length) ? length : strcspn(names, ",");
}

static const char *next_name(const char *name, size_t length) {
    return name[length] == ',' ? name + length + 1 : name + length;
}

/* Returns whether a name means all clips. */
static bool is_all(const lm_scene *scene, const char *name, size_t length) {
    return tool_is_word(name, length, "all") && !tool_has_clip(scene, name, length);
}

static bool check_names(tool_job *job, const lm_scene *scene, const char *names) {
    if (*names == '\0')
        return tool_check_clip(job, scene, names, 0);
    while (*names) {
        size_t length = name_length(scene, names);
        if (!is_all(scene, names, length) && !tool_check_clip(job, scene, names, length))
            return false;
        names = next_name(names, length);
    }
    return true;
}

static bool is_among(const lm_scene *scene, const lm_clip *clip, const char *names) {
    while (*names) {
        size_t length = name_length(scene, names);
        if (tool_is_word(names, length, clip->name) || is_all(scene, names, length))
            return true;
        names = next_name(names, length);
    }
    return false;
}

/* Returns whether a --clip option names a clip; without --clip, all are wanted. */
static bool is_wanted(const tool_args *args, const lm_scene *scene, const lm_clip *clip) {
    const char *names;
    for (size_t at = 0; (names = tool_next_value(args, TOOL_CLIP, &at));)
        if (is_among(scene, clip, names))
            return true;
    return !tool_has(args, TOOL_CLIP);
}

/* Selects the frames to write: those requested, else those of the requested clips, else all. */
static void plan_frames(const convert_settings *settings, const lm_clip *clips, uint32_t num_clips,
                        lm_export_options *plan) {
    if (settings->has_frames) {
        plan->first_frame = settings->first_frame;
        plan->num_frames = settings->last_frame - settings->first_frame + 1;
    } else if (tool_has(settings->args, TOOL_CLIP)) {
        uint32_t first = num_clips > 0 ? clips[0].first : 0, end = first + 1;
        for (uint32_t i = 0; i < num_clips; i++) {
            if (clips[i].first < first)
                first = clips[i].first;
            if (clips[i].first + clips[i].count > end)
                end = clips[i].first + clips[i].count;
        }
        plan->first_frame = first;
        plan->num_frames = end - first;
    }
}

static bool check_overlap(tool_job *job, const lm_export_options *plan, const lm_clip *clip) {
    uint32_t end = plan->first_frame + plan->num_frames;
    if (clip->first < end && clip->first + clip->count > plan->first_frame)
        return true;
    return tool_fail(job, "the clip \"%s\" (frames %u-%u) lies outside --frames %u-%u", clip->name,
                     clip->first, clip->first + clip->count - 1, plan->first_frame, end - 1);
}

/* For clips that are joined with '+' in one --clip, gives each part's clip the joined name, so that
 * they become one animation. `names`: the value of one --clip. Returns the number added to
 * `picked`. */
static uint32_t pick_joined(tool_job *job, const lm_scene *scene, uint32_t part, const char *names,
                            lm_clip *picked) {
    uint32_t count = 0;
    for (size_t length; *names; names = next_name(names, length)) {
        length = name_length(scene, names);
        const char *name =
            tool_has_clip(scene, names, length) ? NULL : tool_copy(&job->memory, names, length);
        const lm_clip *clip = name ? lm_scene_find_clip(scene, part, name) : NULL;
        if (clip) {
            picked[count] = *clip;
            picked[count++].name = name;
        }
    }
    return count;
}

static bool is_picked(const lm_clip *picked, uint32_t count, const lm_clip *clip) {
    for (uint32_t i = 0; i < count; i++)
        if (picked[i].name == clip->name && picked[i].first == clip->first)
            return true;
    return false;
}

/* Selects the clips that the options name, in the order of the names. */
static uint32_t pick_in_order(const tool_job *job, const lm_scene *scene, const lm_scene_part *from,
                              lm_clip *picked) {
    const char *names;
    uint32_t count = 0;
    for (size_t at = 0; (names = tool_next_value(job->args, TOOL_CLIP, &at));)
        for (size_t length; *names; names = next_name(names, length)) {
            length = name_length(scene, names);
            const bool all = is_all(scene, names, length);
            for (uint32_t i = 0; i < from->num_clips; i++)
                if ((all || tool_is_word(names, length, from->clips[i].name)) &&
                    !is_picked(picked, count, &from->clips[i]))
                    picked[count++] = from->clips[i];
        }
    return count;
}

/* Selects the clips of one part into `picked`. Returns their number. A part that follows another
 * has none of its own. A model gets its frames in the order of the names. */
static uint32_t pick_clips(tool_job *job, const lm_scene *scene, uint32_t part, bool ordered,
                           lm_clip *picked) {
    const char *names;
    const lm_scene_part *from = &scene->parts[part];
    uint32_t count = ordered && !from->follows ? pick_in_order(job, scene, from, picked) : 0;
    for (uint32_t i = 0; i < from->num_clips && !from->follows && !ordered; i++)
        if (is_wanted(job->args, scene, &from->clips[i]))
            picked[count++] = from->clips[i];
    for (size_t at = 0; (names = tool_next_value(job->args, TOOL_CLIP, &at));)
        count += pick_joined(job, scene, part, names, picked + count);
    return count;
}

static bool plan_clips(conversion *c, const lm_scene *scene, lm_clip *end) {
    tool_job *job = c->job;
    const char *names;
    const bool composed = c->settings->format == CONVERT_MODEL || c->settings->vat;
    const bool ordered = composed && tool_has(job->args, TOOL_CLIP);
    for (size_t at = 0; (names = tool_next_value(job->args, TOOL_CLIP, &at));)
        if (!check_names(job, scene, names))
            return false;
    /* The body's idle clip follows its other clips. It is needed while other parts play clips that
     * the body does not have. */
    for (uint32_t part = 0; part < scene->num_parts; part++) {
        lm_scene_part *p = &c->parts[part];
        p->clips = end;
        p->num_clips = pick_clips(job, scene, part, ordered, end);
        end += p->num_clips;
        if (part == 0 && p->idle)
            *end++ = *p->idle;
    }
    const lm_scene_part *body = &c->parts[0];
    plan_frames(c->settings, body->clips, body->num_clips + (body->idle != NULL), &c->plan);
    for (uint32_t i = 0; i < body->num_clips && tool_has(job->args, TOOL_CLIP); i++)
        if (!check_overlap(job, &c->plan, &body->clips[i]))
            return false;
    return true;
}

/* Allocates the clips of all parts. */
static lm_clip *make_clips(tool_job *job, const lm_scene *scene) {
    const char *names;
    size_t count = 1, joined = 0;
    for (size_t at = 0; (names = tool_next_value(job->args, TOOL_CLIP, &at)); joined++)
        for (; *names; names++)
            joined += *names == ',';
    for (uint32_t i = 0; i < scene->num_parts; i++)
        count += scene->parts[i].num_clips + joined;
    return tool_alloc(&job->memory, count, sizeof(lm_clip));
}

bool convert_plan(conversion *c, const lm_scene *scene, uint32_t num_frames) {
    const convert_settings *settings = c->settings;
    lm_clip *clips = make_clips(c->job, scene);
    c->scene = *scene;
    c->scene.parts = c->parts =
        tool_alloc(&c->job->memory, scene->num_parts + (size_t)1, sizeof *c->parts);
    c->plan = (lm_export_options){
        .axes = settings->axes,
        .scale = settings->scale,
        .fps = settings->fps,
        .still = settings->has_frame || settings->format == CONVERT_OBJ,
        .frame = settings->frame,
    };
    if (!clips || !c->parts)
        return false;
    memcpy(c->parts, scene->parts, scene->num_parts * sizeof *c->parts);
    return check_frames(c->job, settings, num_frames) &&
           (c->plan.still || plan_clips(c, scene, clips));
}
