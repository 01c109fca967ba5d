/* Reads the file's animations. */
#include "gltf.h"

#include <stdio.h>

/* A sampler. Each is read once, even if several channels share it. */
typedef struct lm_im_sampler {
    lm_im_interpolation interpolation;
    uint32_t num_keys, num_values, width;
    const float *times, *values;
    lm_im_numbers *shared; /* of the times */
} lm_im_sampler;

static bool check_times(importing *im, const lm_im_gltf *gltf, uint32_t accessor) {
    lm_im_numbers *numbers = &gltf->numbers[accessor];
    const float *times = numbers->floats;
    for (uint32_t i = 1; i < gltf->accessors[accessor].count && !numbers->increase; i++)
        if (times[i] <= times[i - 1])
            return lm_im_fail(im, LM_CODE_BAD_GLTF,
                              lm_im_location(im, "accessors[%u]", (unsigned)accessor),
                              "the times of keys do not increase: key %u is at %g, the next at %g",
                              (unsigned)i - 1, (double)times[i - 1], (double)times[i]);
    return numbers->increase = true;
}

static bool read_sampler(importing *im, const lm_im_gltf *gltf, const char *location, lm_im_ref ref,
                         lm_im_sampler *out) {
    const lm_im_json *json = &gltf->json;
    const lm_im_ref kind = lm_im_member(json, ref, "interpolation");
    uint32_t input, output;
    if (!lm_im_index_of(im, json, ref, location, "input", gltf->num_accessors, IM_NONE, &input) ||
        !lm_im_index_of(im, json, ref, location, "output", gltf->num_accessors, IM_NONE, &output))
        return false;
    if (input == IM_NONE || output == IM_NONE || gltf->accessors[input].width != 1 ||
        gltf->accessors[input].count == 0)
        return lm_im_fail(im, LM_CODE_BAD_GLTF, location, "it has no keys");
    out->interpolation = lm_im_is_string(json, kind, "STEP")          ? IM_STEP
                         : lm_im_is_string(json, kind, "CUBICSPLINE") ? IM_CUBIC
                                                                      : IM_LINEAR;
    out->num_keys = gltf->accessors[input].count;
    out->num_values = gltf->accessors[output].count;
    out->width = gltf->accessors[output].width;
    out->times = lm_im_shared_floats(im, gltf, input);
    out->shared = &gltf->numbers[input];
    out->values =
        out->times && check_times(im, gltf, input) ? lm_im_shared_floats(im, gltf, output) : NULL;
    return out->values != NULL;
}

static bool find_path(const lm_im_json *json, lm_im_ref target, lm_im_path *path) {
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    for (unsigned i = 0; i < 4; i++)
        if (lm_im_is_string(json, lm_im_member(json, target, "path"), names[i])) {
            *path = (lm_im_path)i;
            return true;
        }
    return false;
}

typedef struct reading {
    importing *im;
    const lm_im_gltf *gltf;
    unsigned index; /* of the animation */
    uint32_t num_samplers;
    lm_im_sampler *samplers;
    lm_im_list refs;
} reading;

static lm_im_sampler *need_sampler(const reading *r, uint32_t index) {
    char location[48];
    lm_im_sampler *sampler = &r->samplers[index];
    snprintf(location, sizeof location, "animations[%u].samplers[%u]", r->index, (unsigned)index);
    return sampler->values || read_sampler(r->im, r->gltf, location, r->refs.refs[index], sampler)
               ? sampler
               : NULL;
}

/* Appends a channel, or reports it as skipped. */
static bool read_channel(const reading *r, unsigned index, lm_im_ref ref,
                         lm_im_animation *animation, lm_im_channel *out) {
    importing *im = r->im;
    const lm_im_gltf *gltf = r->gltf;
    const lm_im_json *json = &gltf->json;
    const lm_im_ref target = lm_im_member(json, ref, "target");
    char location[48];
    uint32_t sampler;
    snprintf(location, sizeof location, "animations[%u].channels[%u]", r->index, index);
    if (!lm_im_index_of(im, json, ref, location, "sampler", r->num_samplers, IM_NONE, &sampler) ||
        !lm_im_index_of(im, json, target, location, "node", gltf->num_nodes, IM_NONE, &out->node))
        return false;
    if (sampler == IM_NONE)
        return lm_im_fail(im, LM_CODE_BAD_GLTF, location, "it has no sampler");
    if (out->node == IM_NONE || !find_path(json, target, &out->path)) {
        lm_im_note(im, IM_CHANNEL, "an animation channel without a node is skipped");
        return true;
    }
    lm_im_sampler *s = need_sampler(r, sampler);
    if (!s)
        return false;
    const uint32_t mesh = gltf->nodes[out->node].mesh;
    const uint32_t targets = mesh == IM_NONE ? 0 : gltf->num_targets[mesh];
    out->width = out->path == IM_WEIGHTS ? targets : out->path == IM_ROTATION ? 4 : 3;
    if (out->width == 0)
        return true;
    const uint64_t keys = (uint64_t)s->num_keys * (s->interpolation == IM_CUBIC ? 3 : 1);
    if (s->width != (out->path == IM_WEIGHTS ? 1 : out->width) ||
        s->num_values != (out->path == IM_WEIGHTS ? keys * targets : keys))
        return lm_im_fail(im, LM_CODE_BAD_GLTF, location,
                          "%u keys do not match an output of %u elements with %u numbers each",
                          (unsigned)s->num_keys, (unsigned)s->num_values, (unsigned)s->width);
    out->interpolation = s->interpolation;
    out->num_keys = s->num_keys;
    out->times = s->times;
    out->values = s->values;
    out->shares_times = s->shared->used == r->index + 1;
    s->shared->used = r->index + 1;
    animation->num_channels++;
    return true;
}

static bool read_animation(importing *im, const lm_im_gltf *gltf, uint32_t index, lm_im_ref ref,
                           lm_im_animation *out) {
    const lm_im_json *json = &gltf->json;
    const lm_im_ref channels = lm_im_member(json, ref, "channels");
    reading r = {.im = im, .gltf = gltf, .index = (unsigned)index};
    if (!lm_im_list_of(im, json, ref, "samplers", &r.refs))
        return false;
    r.num_samplers = r.refs.count;
    r.samplers = lm_arena_zeros(im->arena, r.num_samplers, sizeof *r.samplers);
    lm_im_channel *made = lm_arena_zeros(im->arena, lm_im_count(json, channels), sizeof *made);
    out->name = lm_im_string(im, json, lm_im_member(json, ref, "name"));
    out->channels = made;
    if (!r.samplers || !made || !out->name)
        return false;
    unsigned i = 0;
    for (lm_im_ref e = lm_im_first(json, channels); e; e = lm_im_next(json, channels, e), i++)
        if (!read_channel(&r, i, e, out, &made[out->num_channels]))
            return false;
    return true;
}

bool lm_im_read_animations(importing *im, lm_im_gltf *gltf) {
    lm_im_list list;
    if (!lm_im_list_of(im, &gltf->json, IM_ROOT, "animations", &list))
        return false;
    lm_im_animation *animations = lm_arena_zeros(im->arena, list.count, sizeof *animations);
    if (!animations)
        return false;
    for (uint32_t i = 0; i < list.count; i++)
        if (!read_animation(im, gltf, i, list.refs[i], &animations[i]))
            return false;
    gltf->animations = animations;
    gltf->num_animations = list.count;
    return true;
}
