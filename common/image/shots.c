#include "image/shots.h"

#include <math.h>
#include <stdlib.h>

#define MAX_SHOTS 100000
#define MAX_TRIANGLES ((uint64_t)1 << 28)

uint64_t shots_triangles(const lm_scene *scene) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < scene->num_parts; i++)
        for (uint32_t k = 0; k < scene->parts[i].model->num_surfaces; k++)
            count += scene->parts[i].model->surfaces[k].num_triangles;
    return count;
}

static bool make_room(shot_list *list, double count, lm_error *error) {
    if (count > MAX_SHOTS)
        return lm_fail_plain(error, LM_CODE_LIMIT, "%.0f images are too many; the maximum is %d",
                             count, MAX_SHOTS);
    if (count > 1 && count * (double)list->triangles > (double)MAX_TRIANGLES)
        return lm_fail_plain(error, LM_CODE_LIMIT,
                             "%.0f images of %llu triangles are too many; --frames, --clip and "
                             "--rate draw fewer",
                             count, (unsigned long long)list->triangles);
    list->num_shots = count < 1 ? 1 : (uint32_t)count;
    list->shots = calloc(list->num_shots, sizeof *list->shots);
    return list->shots || lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
}

static void turn(shot_list *list) {
    for (uint32_t i = 0; i < list->num_shots && list->turntable > 0; i++)
        list->shots[i].azimuth = 360.0f * (float)i / (float)list->num_shots;
}

bool shots_still(shot_list *list, const studio_shot *moment, lm_error *error) {
    if (!make_room(list, list->turntable, error))
        return false;
    for (uint32_t i = 0; i < list->num_shots; i++)
        list->shots[i] = *moment;
    list->rate = list->rate > 0 ? list->rate : (double)LM_DEFAULT_FPS;
    turn(list);
    return true;
}

bool shots_played(shot_list *list, const lm_clip *clip, const char *name, lm_error *error) {
    const double rate = list->rate > 0 ? list->rate : (double)clip->fps;
    const bool loops = clip->loop_frames > 0;
    const double duration = lm_clip_duration(clip, loops ? LM_PLAY_LOOP : LM_PLAY_ONCE);
    const double count = floor(duration * rate + 1e-3) + (loops ? 0 : 1);
    if (!make_room(list, list->turntable > 0 ? list->turntable : count, error))
        return false;
    for (uint32_t i = 0; i < list->num_shots; i++) {
        list->shots[i] = (studio_shot){.clip = name, .seconds = i / rate};
        lm_clip_pose(clip, i / rate, LM_PLAY_AS_CLIP, false, &list->shots[i].pose);
    }
    list->rate = rate;
    turn(list);
    return true;
}

void shots_free(shot_list *list) {
    free(list->shots);
}
