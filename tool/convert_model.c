/* A model in another format: of the scene a take is made, of that a file. */
#include "convert_take.h"

#include "lerpmesh/clips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The frames that are written, and their clips. */
typedef struct picked {
    lm_pose *poses;
    uint32_t num_poses;
    lm_clip *clips;
    uint32_t num_clips;
    bool renamed; /* its clips say what frames are called */
} picked;

/* Every frame of a range, with the clips cut to it. */
static void pick_range(const lm_scene_part *part, uint32_t first, uint32_t count, picked *out) {
    for (uint32_t f = 0; f < count; f++)
        out->poses[out->num_poses++] = (lm_pose){first + f, first + f, 0};
    for (uint32_t i = 0; i < part->num_clips; i++) {
        lm_clip clip = part->clips[i];
        const uint32_t end =
            clip.first + clip.count < first + count ? clip.first + clip.count : first + count;
        const uint32_t start = clip.first > first ? clip.first : first;
        if (start >= end)
            continue;
        if (clip.count != end - start)
            clip.times = NULL;
        clip.first = start - first;
        clip.count = end - start;
        clip.loop_frames = clip.loop_frames < clip.count ? clip.loop_frames : clip.count;
        out->clips[out->num_clips++] = clip;
    }
}

/* The frames of each clip, one behind the other. */
static void pick_clips(const lm_scene_part *part, picked *out) {
    for (uint32_t i = 0; i < part->num_clips; i++) {
        lm_clip clip = part->clips[i];
        clip.first = out->num_poses;
        for (uint32_t f = part->clips[i].first; out->num_poses < clip.first + clip.count; f++)
            out->poses[out->num_poses++] = (lm_pose){f, f, 0};
        out->clips[out->num_clips++] = clip;
    }
}

/* An imported one was played at that rate. */
static double rate_of(const convert_settings *settings, const convert_subject *subject) {
    return subject->take ? 0 : (double)settings->fps;
}

static bool alloc_picked(tool_job *job, const convert_subject *subject, picked *out) {
    const lm_scene_part *part = &subject->parts[0];
    uint64_t count = part->model->num_frames;
    for (uint32_t i = 0; i < part->num_clips; i++)
        count += part->clips[i].count;
    if (count > LM_TAKE_MAX_POSES) {
        tool_fail(job, "that would make %llu frames; the most are %u", (unsigned long long)count,
                  LM_TAKE_MAX_POSES);
        return false;
    }
    out->poses = malloc((size_t)count * sizeof *out->poses);
    out->clips = malloc((part->num_clips + (size_t)1) * sizeof *out->clips);
    if (!out->poses || !out->clips)
        tool_fail(job, "out of memory");
    return out->poses && out->clips;
}

static bool pick(tool_job *job, const convert_settings *settings, const convert_subject *subject,
                 picked *out) {
    const lm_scene_part *part = &subject->parts[0];
    const lm_export_options *plan = &subject->plan;
    const lm_model *model = part->model;
    if (!alloc_picked(job, subject, out))
        return false;
    if (plan->still) {
        lm_pose_at(model, plan->frame, &out->poses[0]);
        out->num_poses = 1;
    } else if (tool_has(settings->args, TOOL_CLIP) && !settings->has_frames) {
        pick_clips(part, out);
    } else {
        pick_range(part, plan->first_frame,
                   plan->num_frames > 0 ? plan->num_frames : model->num_frames, out);
    }
    for (uint32_t i = 0; i < out->num_clips && !subject->take; i++)
        out->renamed = out->renamed || out->clips[i].source == LM_CLIP_FILE;
    return true;
}

/* A take scaled as was asked for, in the place of another; NULL, and why, if there is no memory. */
static lm_take *scale_take(const lm_take *take, float s, lm_error *error) {
    return lm_take_place(take, &(lm_transform){{0, 0, 0}, {{s, 0, 0}, {0, s, 0}, {0, 0, s}}}, NULL,
                         error);
}

/* The models of the scene as one. */
static lm_take *merge(tool_job *job, const convert_settings *settings,
                      const convert_subject *subject) {
    lm_error error;
    convert_take *merged = convert_merge(job, settings, &subject->scene);
    lm_take *take =
        merged ? scale_take(&merged->take, settings->scale > 0 ? settings->scale : 1, &error)
               : NULL;
    if (merged && !take)
        tool_fail_error(job, &error, false);
    convert_take_free(merged);
    return take;
}

/* The frames that are wanted of a take, at the rate that is. */
static lm_take *pick_frames(tool_job *job, const convert_settings *settings,
                            const convert_subject *subject, const lm_take *all, lm_error *error) {
    picked p = {0};
    lm_take named = *all, *take = NULL;
    const double fps = subject->plan.still ? 0 : rate_of(settings, subject);
    if (pick(job, settings, subject, &p)) {
        if (p.renamed)
            named.frame_names = NULL;
        take = lm_take_pick(&named, p.poses, p.num_poses, p.clips, p.num_clips, NULL, error);
        if (take && fps > 0) {
            lm_take *whole = take;
            take = lm_take_at_rate(whole, fps, NULL, error);
            lm_take_free(whole);
        }
        if (!take)
            tool_fail_error(job, error, false);
    }
    free(p.poses);
    free(p.clips);
    return take;
}

static lm_take *make_take(tool_job *job, const convert_settings *settings,
                          const convert_subject *subject) {
    lm_error error;
    const float s = settings->scale;
    lm_take *all = subject->take ? NULL : lm_take_from_model(subject->parts[0].model, NULL, &error);
    if (!all && !subject->take) {
        tool_fail_error(job, &error, false);
        return NULL;
    }
    lm_take *take = pick_frames(job, settings, subject, all ? all : subject->take, &error);
    lm_take_free(all);
    if (!take || s <= 0 || subject->take)
        return take;
    lm_take *scaled = scale_take(take, s, &error);
    lm_take_free(take);
    if (!scaled)
        tool_fail_error(job, &error, false);
    return scaled;
}

lm_take *convert_subject_take(tool_job *job, const convert_settings *settings,
                              const convert_subject *subject) {
    return subject->scene.num_parts > 1 ? merge(job, settings, subject)
                                        : make_take(job, settings, subject);
}

/* Encodes a take that wears what it is to wear. */
static bool write_dressed(tool_job *job, const convert_settings *settings, const lm_take *take,
                          convert_made *made) {
    convert_settings fitted = *settings;
    convert_grid grid;
    const bool ok = convert_grid_open(job, settings, take->num_frames, &grid);
    fitted.encoding.num_grid_with = grid.count;
    fitted.encoding.grid_with = (const lm_take *const *)grid.takes;
    const bool written = ok && convert_write_take(job, &fitted, take, made);
    convert_grid_close(&grid);
    return written;
}

bool convert_encode(tool_job *job, const convert_settings *settings, const convert_subject *subject,
                    convert_made *made) {
    lm_take *take = convert_subject_take(job, settings, subject);
    if (!take)
        return false;
    lm_take dressed = *take;
    convert_skins skins = {0};
    convert_atlas atlas = {0};
    convert_pictures pictures = {0};
    lm_take_surface *named;
    const bool ok = convert_player_name(job, settings, made->stem, &dressed, &named) &&
                    convert_pictures_make(job, settings, subject, &dressed, made, &pictures) &&
                    convert_atlas_make(job, settings, subject, &dressed, made, &atlas) &&
                    (!convert_embeds(settings) ||
                     convert_skins_make(job, &subject->scene, &atlas, &dressed, &skins)) &&
                    write_dressed(job, settings, &dressed, made) &&
                    convert_player_make(job, settings, &subject->scene, &dressed, made);
    free(named);
    convert_skins_free(&skins);
    convert_atlas_free(&atlas);
    convert_pictures_free(&pictures);
    lm_take_free(take);
    return ok;
}
