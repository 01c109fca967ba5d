#include "export/gltf.h"

#include "core/bytes.h"

uint32_t lm_gltf_add_sampler(lm_gltf *g, uint32_t input, uint32_t output, bool step) {
    lm_json *json = &g->samplers.json;
    lm_json_open(json, NULL, '{');
    lm_json_integer(json, "input", input);
    if (step) /* linear is the default */
        lm_json_string(json, "interpolation", "STEP");
    lm_json_integer(json, "output", output);
    lm_json_close(json);
    return g->samplers.count++;
}

void lm_gltf_add_channel(lm_gltf *g, uint32_t sampler, uint32_t node, const char *path) {
    lm_json *json = &g->channels.json;
    lm_json_open(json, NULL, '{');
    lm_json_integer(json, "sampler", sampler);
    lm_json_open(json, "target", '{');
    lm_json_integer(json, "node", node);
    lm_json_string(json, "path", path);
    lm_json_close(json);
    lm_json_close(json);
    g->channels.count++;
}

bool lm_gltf_put_times(lm_gltf *g, const lm_gltf_track *track, const lm_gltf_segment *segments,
                       uint32_t first, uint32_t count, uint32_t *accessor) {
    lm_accessor entry = lm_gltf_keys(count, "SCALAR");
    uint8_t *out = lm_gltf_reserve_elements(g, &entry, 4);
    if (!out)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const float time = lm_gltf_key_time(track, segments ? segments[i].first_key : first + i);
        lm_put_f32(out + 4 * (size_t)i, time);
        entry.min[0] = i == 0 ? time : entry.min[0];
        entry.max[0] = time;
    }
    entry.num_bounds = 1;
    *accessor = lm_gltf_add_accessor(g, &entry);
    return true;
}

bool lm_gltf_add_times(lm_gltf *g, const lm_gltf_track *track, uint32_t first, uint32_t count,
                       uint32_t *accessor) {
    const float fps = track->clip.fps, last = lm_gltf_key_time(track, first + count - 1);
    const size_t num_kept = sizeof g->times / sizeof *g->times;
    for (size_t i = 0; i < num_kept; i++) {
        const lm_gltf_times *times = &g->times[i];
        *accessor = times->accessor;
        if (times->first == first && times->count == count && times->fps == fps &&
            times->own == track->clip.times && times->last == last)
            return true;
    }
    if (!lm_gltf_put_times(g, track, NULL, first, count, accessor))
        return false;
    g->times[g->num_times++ % num_kept] =
        (lm_gltf_times){first, count, fps, last, track->clip.times, *accessor};
    return true;
}
