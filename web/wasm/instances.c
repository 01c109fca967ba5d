/* Frames and timelines for instances that the GPU poses (web/lib/instances.js). The core's module
 * has this file too; of the complete one, the second. */
#include "web.h"

#include "lerpmesh/clips.h"
#include "lerpmesh/sample.h"

#include <inttypes.h>

/* Packs all frames of a surface as lm_model_pack_frames does, with their lm_packed_frame as second
 * result. */
bool WEB_EXPORT(web_pack_frames)(const web_scene *scene, uint32_t part, uint32_t surface) {
    const lm_model *model = web_model(scene, part);
    const lm_surface *packed = web_surface_of(scene, part, surface);
    if (!packed)
        return false;
    const uint32_t count = model->num_frames;
    const uint64_t size = (uint64_t)count * packed->num_vertices * 8;
    if (size > INT32_MAX)
        return lm_fail_plain(&web_error, LM_CODE_LIMIT, "the frames need %" PRIu64 " bytes", size);
    uint8_t *rows = lm_buffer_reserve(web_begin(), (size_t)size);
    uint8_t *frames = lm_buffer_reserve(web_begin_second(), count * sizeof(lm_packed_frame));
    const lm_packing packing = {.rows = rows, .frames = (lm_packed_frame *)(void *)frames};
    if (rows && frames)
        lm_model_pack_frames(model, surface, 0, count, &packing);
    return web_end();
}

#define TEXEL_SIZE 16

static void append_texel(lm_buffer *out, float x, float y, float z, float w) {
    const float texel[4] = {x, y, z, w};
    lm_buffer_append(out, texel, sizeof texel);
}

/* Appends the timeline of a clip, which describes lm_clip_pose. A time of the clip is in frames or,
 * if it has `times`, in seconds. Before `intro`, the clip plays once. Then it repeats `period`; 0:
 * it stops. `times`: the index of their texels in the result, -1: none. */
static void append_timeline(lm_buffer *out, const lm_clip *clip, lm_play_mode mode, float times) {
    const uint32_t count = clip->count;
    uint32_t loop = mode == LM_PLAY_LOOP ? count : mode == LM_PLAY_ONCE ? 0 : clip->loop_frames;
    loop = loop < count ? loop : count;
    const uint32_t intro = loop ? count - loop : count - 1;
    const float *t = clip->times;
    append_texel(out, (float)(clip->backwards ? clip->first + count - 1 : clip->first),
                 clip->backwards ? -1 : 1, (float)count, t ? 1 : clip->fps);
    append_texel(out, t ? t[intro] - t[0] : (float)intro,
                 !loop ? 0
                 : t   ? t[count] - t[intro]
                       : (float)loop,
                 (float)intro, times);
}

/* Returns the clip that a part plays under a name, as lm_scene_pose does. NULL: its first frame. */
static const lm_clip *find_clip(const lm_scene *scene, uint32_t part, const char *name) {
    while (scene->parts[part].follows)
        part = scene->parts[part].parent;
    const lm_clip *found = lm_scene_find_clip(scene, part, name);
    return found ? found : scene->parts[part].idle;
}

/* Poses all parts like web_pose, but plays their clips in a mode. Returns the timelines of their
 * clips: two texels each, then the texels of their times. */
bool WEB_EXPORT(web_pose_as)(web_scene *scene, const char *name, double seconds,
                             lm_play_mode mode) {
    static const lm_clip still = {.name = "", .count = 1, .fps = LM_DEFAULT_FPS};
    const lm_scene *opened = scene->scene;
    lm_buffer *out = web_begin(), *times = web_begin_second();
    for (uint32_t i = 0; i < opened->num_parts; i++) {
        const lm_clip *found = find_clip(opened, i, name), *clip = found ? found : &still;
        const size_t texels = 2 * opened->num_parts + times->size / TEXEL_SIZE;
        lm_clip_pose(clip, seconds, mode, false, &scene->poses[i]);
        append_timeline(out, clip, mode, clip->times ? (float)texels : -1);
        for (uint32_t k = 0; clip->times && k <= clip->count; k++)
            append_texel(times, clip->times[k] - clip->times[0], 0, 0, 0);
    }
    lm_buffer_append(out, times->data, times->size);
    lm_scene_follow(opened, scene->poses);
    return web_evaluate(scene) && web_end();
}
