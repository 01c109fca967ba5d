/* Clips of the legs and the torso of one model. Parts of a scene play different clips at once; a
 * model with bones is one part, and gets frames that mix two of its poses. */
#include "scene/join.h"

#include "lerpmesh/clips.h"
#include "sample/bones.h"
#include "scene/check.h"

#include <math.h>
#include <string.h>

#define MAX_FRAMES 65536 /* of a clip */
#define POSE_SIZE 12     /* of a bone in a frame */

/* Finds the first two clips of a part that the names mean. */
static bool find_pair(const lm_scene *scene, uint32_t part, const char *names, lm_arena *arena,
                      const lm_clip *found[2]) {
    int count = 0;
    for (const char *name = names; name && count < 2;) {
        const size_t length = strcspn(name, "+");
        const char *one = lmi_arena_text(arena, name, length);
        const lm_clip *clip = one ? lm_scene_find_clip(scene, part, one) : NULL;
        if (clip && (count == 0 || clip != found[0]))
            found[count++] = clip;
        name = name[length] ? name + length + 1 : NULL;
    }
    return count == 2;
}

/* Returns a clip as long as the longer of both, at the higher rate. It repeats if both do. */
static lm_clip plan_clip(const lm_clip *const clips[2], const char *name, uint32_t first) {
    const bool loops = clips[0]->loop_frames > 0 && clips[1]->loop_frames > 0;
    const double seconds = fmax(lm_clip_duration(clips[0], LM_PLAY_AS_CLIP),
                                lm_clip_duration(clips[1], LM_PLAY_AS_CLIP));
    const float fps = fmaxf(clips[0]->fps, clips[1]->fps);
    const double frames = fmin(round(seconds * (double)fps) + !loops, MAX_FRAMES);
    lm_clip clip = {.name = name, .first = first, .fps = fps};
    clip.count = frames > 1 ? (uint32_t)frames : 1;
    clip.loop_frames = loops ? clip.count : 0;
    return clip;
}

/* Adds the frames of a clip to a copy of the model. */
static lm_model *add_frames(const lm_model *model, const lm_clip *const clips[2],
                            const lm_clip *made, lm_arena *arena) {
    const lm_bones *bones = model->bones;
    const size_t row = (size_t)bones->num_bones * POSE_SIZE;
    const uint64_t count = (uint64_t)model->num_frames + made->count;
    lm_model *copy = lmi_arena_alloc(arena, 1, sizeof *copy);
    lm_bones *mixed = lmi_arena_alloc(arena, 1, sizeof *mixed);
    lm_frame *frames = lmi_arena_alloc(arena, count, sizeof *frames);
    uint8_t *poses = lmi_arena_alloc(arena, count, row);
    if (!copy || !mixed || !frames || !poses)
        return NULL;
    memcpy(frames, model->frames, model->num_frames * sizeof *frames);
    for (uint32_t f = 0; f < model->num_frames; f++)
        memcpy(poses + f * row, bones->poses + f * bones->pose_stride, row);
    for (uint32_t i = 0; i < made->count; i++) {
        lm_pose pose[2];
        for (int k = 0; k < 2; k++)
            lm_clip_pose(clips[k], i / (double)made->fps, LM_PLAY_AS_CLIP, false, &pose[k]);
        frames[made->first + i] = model->frames[pose[0].frame_a];
        frames[made->first + i].translate =
            lmi_mix_bones(model, &pose[0], &pose[1], poses + (made->first + i) * row);
    }
    *mixed = *bones;
    mixed->poses = poses;
    mixed->pose_stride = row;
    *copy = *model;
    copy->num_frames = (uint32_t)count;
    copy->frames = frames;
    copy->bones = mixed;
    return copy;
}

static bool join_part(lm_scene_part *part, const lm_clip *const clips[2], const char *name,
                      lm_arena *arena) {
    uint32_t count;
    const lm_clip *own = lmi_scene_clips(part, &count);
    lm_clip *all = lmi_arena_alloc(arena, count + (uint64_t)1, sizeof *all);
    if (!all)
        return false;
    memcpy(all, own, count * sizeof *all);
    all[count] = plan_clip(clips, name, part->model->num_frames);
    part->model = add_frames(part->model, clips, &all[count], arena);
    part->clips = all;
    part->num_clips = count + 1;
    return part->model;
}

const lm_scene *lmi_scene_join(const lm_scene *scene, const char *names, size_t length,
                               lm_arena *arena) {
    if (length == 0 || !memchr(names, '+', length))
        return scene;
    const char *name = lmi_arena_text(arena, names, length);
    lm_scene_part *parts = lmi_arena_alloc(arena, scene->num_parts, sizeof *parts);
    lm_scene *joined = lmi_arena_alloc(arena, 1, sizeof *joined);
    if (!name || !parts || !joined)
        return NULL;
    memcpy(parts, scene->parts, scene->num_parts * sizeof *parts);
    *joined = *scene;
    joined->parts = parts;
    bool any = false;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_clip *clips[2], *whole = lm_scene_find_clip(scene, i, name);
        if (!lmi_has_bones(scene->parts[i].model) || !whole || strlen(whole->name) == length ||
            !find_pair(scene, i, name, arena, clips))
            continue;
        any = true;
        if (!join_part(&parts[i], clips, name, arena))
            return NULL;
    }
    return lmi_arena_failed(arena) ? NULL : any ? joined : scene;
}
