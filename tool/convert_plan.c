#include "convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool check_frames(tool_job *job, const convert_settings *settings, uint32_t num_frames) {
    const uint32_t last = num_frames - 1;
    char frames[48] = "1 frame, number 0";
    if (last > 0)
        snprintf(frames, sizeof frames, "%u frames, 0 to %u", num_frames, last);
    if (settings->has_frames && settings->last_frame > last)
        tool_fail(job, "there are no frames %u-%u: the model has %s", settings->first_frame,
                  settings->last_frame, frames);
    else if (settings->has_frame && settings->frame > (double)last)
        tool_fail(job, "there is no frame %g: the model has %s", settings->frame, frames);
    else
        return true;
    return false;
}

static bool is_name(const lm_clip *clip, const char *name, size_t length) {
    return strlen(clip->name) == length && memcmp(clip->name, name, length) == 0;
}

/* The clips of a part; one that follows another has none. */
static uint32_t clips_of(const lm_scene *scene, uint32_t part, const lm_clip **clips) {
    *clips = scene->parts[part].clips;
    return scene->parts[part].follows ? 0 : scene->parts[part].num_clips;
}

/* A name may itself have commas in it: then it stands alone. */
static size_t name_length(const lm_scene *scene, const char *names) {
    size_t whole = strlen(names);
    return tool_has_clip(scene, names, whole) ? whole : strcspn(names, ",");
}

static const char *next_name(const char *name, size_t length) {
    return name[length] == ',' ? name + length + 1 : name + length;
}

static bool check_names(tool_job *job, const lm_scene *scene, const char *names) {
    if (*names == '\0')
        return tool_check_clip(job, scene, names, 0);
    while (*names) {
        size_t length = name_length(scene, names);
        if (!tool_check_clip(job, scene, names, length))
            return false;
        names = next_name(names, length);
    }
    return true;
}

static bool is_among(const lm_scene *scene, const lm_clip *clip, const char *names) {
    while (*names) {
        size_t length = name_length(scene, names);
        if (is_name(clip, names, length))
            return true;
        names = next_name(names, length);
    }
    return false;
}

/* Whether one of the --clip options names it; without any, every clip is wanted. */
static bool is_wanted(const convert_settings *settings, const lm_scene *scene,
                      const lm_clip *clip) {
    const tool_args *args = settings->args;
    for (size_t i = 0; i < args->num_given; i++)
        if (args->given[i].option == TOOL_CLIP && is_among(scene, clip, args->given[i].value))
            return true;
    return !tool_has(args, TOOL_CLIP);
}

/* The frames that are needed: those asked for, else those of the clips asked for, else all. */
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
    tool_fail(job, "the clip \"%s\" (frames %u-%u) lies outside --frames %u-%u", clip->name,
              clip->first, clip->first + clip->count - 1, plan->first_frame, end - 1);
    return false;
}

/* Of several clips that are named with + between them, the one that a part has is called like all
 * of them, so that they become one animation. `names` are those of one --clip, and `text`, as long
 * as they, has each with an end of its own. Returns how many were added to `picked`. */
static uint32_t pick_joined(const lm_scene *scene, uint32_t part, const char *names, char *text,
                            lm_clip *picked) {
    uint32_t count = 0;
    while (*names) {
        size_t length = name_length(scene, names);
        memcpy(text, names, length);
        text[length] = '\0';
        const lm_clip *clip =
            tool_has_clip(scene, names, length) ? NULL : lm_scene_find_clip(scene, part, text);
        if (clip) {
            picked[count] = *clip;
            picked[count++].name = text;
        }
        text += length + 1;
        names = next_name(names, length);
    }
    return count;
}

/* Picks the clips of one part into `picked`; returns how many. */
static uint32_t pick_clips(const convert_settings *settings, const lm_scene *scene, uint32_t part,
                           char *text, lm_clip *picked) {
    const tool_args *args = settings->args;
    const lm_clip *clips;
    uint32_t count = 0, all = clips_of(scene, part, &clips);
    for (uint32_t i = 0; i < all; i++)
        if (is_wanted(settings, scene, &clips[i]))
            picked[count++] = clips[i];
    for (size_t i = 0; i < args->num_given; i++)
        if (args->given[i].option == TOOL_CLIP) {
            count += pick_joined(scene, part, args->given[i].value, text, picked + count);
            text += strlen(args->given[i].value) + 1;
        }
    return count;
}

static bool plan_clips(tool_job *job, const convert_settings *settings, const lm_scene *scene,
                       convert_subject *subject) {
    const tool_args *args = settings->args;
    for (size_t i = 0; i < args->num_given; i++)
        if (args->given[i].option == TOOL_CLIP && !check_names(job, scene, args->given[i].value))
            return false;
    /* The body's idle clip comes behind its others: it is needed where other parts have clips that
     * the body does not have. */
    lm_clip *end = subject->clips;
    for (uint32_t part = 0; part < scene->num_parts; part++) {
        lm_scene_part *p = &subject->parts[part];
        p->clips = end;
        p->num_clips = pick_clips(settings, scene, part, subject->names, end);
        end += p->num_clips;
        if (part == 0 && p->idle)
            *end++ = *p->idle;
    }
    const lm_scene_part *body = &subject->parts[0];
    plan_frames(settings, body->clips, body->num_clips + (body->idle != NULL), &subject->plan);
    for (uint32_t i = 0; i < body->num_clips && tool_has(args, TOOL_CLIP); i++)
        if (!check_overlap(job, &subject->plan, &body->clips[i]))
            return false;
    return true;
}

static bool copy_parts(const convert_settings *settings, const lm_scene *scene,
                       convert_subject *subject) {
    const tool_args *args = settings->args;
    size_t clips = 1, names = 1, joined = 0;
    for (size_t i = 0; i < args->num_given; i++)
        if (args->given[i].option == TOOL_CLIP)
            names += strlen(args->given[i].value) + 1;
    joined = names / 2; /* each has a + and an end at least */
    for (uint32_t i = 0; i < scene->num_parts; i++)
        clips += scene->parts[i].num_clips + joined;
    subject->clips = calloc(clips, sizeof *subject->clips);
    subject->names = calloc(names, 1);
    subject->parts = calloc(scene->num_parts + (size_t)1, sizeof *subject->parts);
    if (!subject->clips || !subject->names || !subject->parts)
        return false;
    memcpy(subject->parts, scene->parts, scene->num_parts * sizeof *subject->parts);
    subject->scene.parts = subject->parts;
    return true;
}

bool convert_plan(tool_job *job, const convert_settings *settings, const lm_scene *scene,
                  uint32_t num_frames, convert_subject *subject) {
    *subject =
        (convert_subject){.scene = *scene,
                          .mesh = subject->mesh,
                          .plan = {
                              .axes = settings->axes,
                              .scale = settings->scale,
                              .fps = settings->fps,
                              .still = settings->has_frame || settings->format == CONVERT_OBJ,
                              .frame = settings->frame,
                          }};
    if (!copy_parts(settings, scene, subject)) {
        tool_fail(job, "out of memory");
        return false;
    }
    return check_frames(job, settings, num_frames) &&
           (subject->plan.still || plan_clips(job, settings, scene, subject));
}

void convert_subject_free(convert_subject *subject) {
    free(subject->clips);
    free(subject->names);
    free(subject->parts);
}
