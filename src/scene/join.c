/* Clips of the legs and the torso of one model. Parts of a scene play different clips at once; a
 * model with bones is one part, and gets frames that mix two of its poses. */
#include "scene/join.h"

#include "lerpmesh/clips.h"
#include "sample/bones.h"
#include "scene/check.h"

#include <math.h>
#include <string.h>

#define MAX_FRAMES 65536 /* of a clip */
#define ROUNDED 1e-6     /* of a frame */

/* A clip that plays two of a part, and these: of the legs and of the torso. */
typedef struct joined_clip {
    lm_clip made;
    const lm_clip *clips[2];
} joined_clip;

/* Finds the two clips of a part that the names mean, unless they are the name of one. Three cannot
 * play at once. */
static bool find_pair(const lm_scene *scene, uint32_t part, const char *names, lm_arena *arena,
                      const lm_clip *found[2]) {
    const lm_clip *whole = strchr(names, '+') ? lm_scene_find_clip(scene, part, names) : NULL;
    int count = 0;
    if (!whole || strlen(whole->name) == strlen(names))
        return false;
    for (const char *name = names; name && count < 3;) {
        const size_t length = strcspn(name, "+");
        const char *one = lmi_arena_text(arena, name, length);
        const lm_clip *clip = one ? lm_scene_find_clip(scene, part, one) : NULL;
        if (clip && count == 2)
            count += clip != found[0] && clip != found[1];
        else if (clip && (count == 0 || clip != found[0]))
            found[count++] = clip;
        name = name[length] ? name + length + 1 : NULL;
    }
    return count == 2;
}

/* Returns a clip as long as the longer of both, at the higher rate. It repeats if both do.
 * Otherwise it has a last frame in which both have ended. */
static lm_clip plan_clip(const lm_clip *const clips[2], const char *name, uint32_t first) {
    const bool loops = clips[0]->loop_frames > 0 && clips[1]->loop_frames > 0;
    const double seconds = fmax(lm_clip_duration(clips[0], LM_PLAY_AS_CLIP),
                                lm_clip_duration(clips[1], LM_PLAY_AS_CLIP));
    const float fps = fmaxf(clips[0]->fps, clips[1]->fps);
    const double steps = seconds * (double)fps;
    const double frames = fmin(loops ? round(steps) : ceil(steps - ROUNDED) + 1, MAX_FRAMES);
    lm_clip clip = {.name = name, .first = first, .fps = fps, .source = clips[0]->source};
    clip.count = frames > 1 ? (uint32_t)frames : 1;
    clip.loop_frames = loops ? clip.count : 0;
    return clip;
}

/* Adds the frames of clips to a copy of the model. */
static lm_model *add_frames(const lm_model *model, const joined_clip *list, uint32_t num_clips,
                            lm_arena *arena) {
    const lm_bones *bones = model->bones;
    const size_t row = (size_t)bones->num_bones * LM_BONE_POSE_SIZE;
    const lm_clip *last = &list[num_clips - 1].made;
    const uint64_t count = (uint64_t)last->first + last->count;
    lm_model *copy = lmi_arena_alloc(arena, 1, sizeof *copy);
    lm_bones *mixed = lmi_arena_alloc(arena, 1, sizeof *mixed);
    lm_frame *frames = lmi_arena_alloc(arena, count, sizeof *frames);
    uint8_t *poses = lmi_arena_alloc(arena, count, row);
    if (!copy || !mixed || !frames || !poses)
        return NULL;
    memcpy(frames, model->frames, model->num_frames * sizeof *frames);
    for (uint32_t f = 0; f < model->num_frames; f++)
        memcpy(poses + f * row, bones->poses + f * bones->pose_stride, row);
    for (const joined_clip *j = list; j < list + num_clips; j++)
        for (uint32_t i = 0, f = j->made.first; i < j->made.count; i++, f++) {
            lm_pose pose[2];
            for (int k = 0; k < 2; k++)
                lm_clip_pose(j->clips[k], i / (double)j->made.fps, LM_PLAY_AS_CLIP, false,
                             &pose[k]);
            frames[f] = model->frames[pose[0].frame_a];
            frames[f].translate = lmi_mix_bones(model, &pose[0], &pose[1], poses + f * row);
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

static bool join_part(lm_scene_part *part, const joined_clip *list, uint32_t num_clips,
                      lm_arena *arena) {
    uint32_t count;
    const lm_clip *own = lmi_scene_clips(part, &count);
    lm_clip *all = lmi_arena_alloc(arena, count + (uint64_t)num_clips, sizeof *all);
    if (!all)
        return false;
    memcpy(all, own, count * sizeof *all);
    for (uint32_t i = 0; i < num_clips; i++)
        all[count + i] = list[i].made;
    part->model = add_frames(part->model, list, num_clips, arena);
    part->clips = all;
    part->num_clips = count + num_clips;
    return part->model;
}

const lm_scene *lmi_scene_join(const lm_scene *scene, const char *const *names, uint32_t num_names,
                               lm_arena *arena) {
    lm_scene_part *parts = lmi_arena_alloc(arena, scene->num_parts, sizeof *parts);
    lm_scene *joined = lmi_arena_alloc(arena, 1, sizeof *joined);
    joined_clip *list = lmi_arena_alloc(arena, num_names, sizeof *list);
    bool any = false;
    if (!parts || !joined || !list)
        return NULL;
    memcpy(parts, scene->parts, scene->num_parts * sizeof *parts);
    *joined = *scene;
    joined->parts = parts;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        uint32_t count = 0, end = parts[i].model->num_frames;
        for (uint32_t n = 0; lmi_has_bones(parts[i].model) && n < num_names; n++)
            if (find_pair(scene, i, names[n], arena, list[count].clips)) {
                list[count].made = plan_clip(list[count].clips, names[n], end);
                end += list[count++].made.count;
            }
        any = any || count > 0;
        if (count > 0 && !join_part(&parts[i], list, count, arena))
            return NULL;
    }
    return lmi_arena_failed(arena) ? NULL : any ? joined : scene;
}
