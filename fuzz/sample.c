/* Fuzzes every kernel of the sampler with every layout of target: all kernels give the same bits
 * and write nothing else. It also covers tags, blends and bounds. */
#include "fuzz.h"

#include "sample/kernels.h"

#include <stdlib.h>
#include <string.h>

#define MAX_POSES 3
#define MAX_STRIDE 40
#define SLACK 64 /* bytes after the output, which must not change */

/* A choice of target, in bytes from the output's start; below 0: not written. */
typedef struct layout {
    int positions, normals, packed;
    size_t stride;
    bool zero_padding;
} layout;

static const layout layouts[] = {
    {0, -1, -1, 0, false},  {-1, 0, -1, 0, false}, {-1, -1, 0, 0, false},  {0, 12, -1, 24, false},
    {0, 12, -1, 32, false}, {0, 12, -1, 32, true}, {0, -1, 12, 16, false}, {0, -1, 12, 20, true},
    {8, 20, 32, 40, false}, {0, -1, -1, 4, false}, /* the last: structure of arrays */
};
#define NUM_LAYOUTS (sizeof layouts / sizeof *layouts)

static lm_sample_target target_of(const layout *l, uint8_t *out, uint32_t vertices) {
    lm_sample_target target = {.stride = l->stride, .zero_padding = l->zero_padding};
    target.positions = l->positions < 0 ? NULL : (float *)(void *)(out + l->positions);
    target.normals = l->normals < 0 ? NULL : (float *)(void *)(out + l->normals);
    target.packed_normals = l->packed < 0 ? NULL : (int8_t *)(out + l->packed);
    if (l->stride == 4) {
        target.component_stride = vertices ? (size_t)4 * vertices : 4;
        target.pose_stride = (size_t)24 * vertices;
        target.normals = (float *)(void *)(out + (size_t)12 * vertices);
    }
    return target;
}

static float choose_t(fuzz_input *input, bool *extrapolate) {
    static const float ts[] = {0.5f, 0, 1, 1e-13f, 0.25f, 0.9999999f, -1.5f, 3e20f};
    const uint32_t choice = fuzz_choose(input, 8);
    *extrapolate = choice >= 6;
    return ts[choice];
}

typedef struct sampling {
    const lm_model *model;
    uint32_t surface;
    lm_pose poses[MAX_POSES];
    size_t num_poses;
    float weight; /* below 0: poses; otherwise the weight of a blend of the first two */
    const layout *layout;
    size_t stream_from; /* bytes of output from which kernels write past the caches */
    bool extrapolate;
} sampling;

static void run(const sampling *s, const lm_sample_kernels *kernels, uint8_t *out, size_t size) {
    lm_sample_target target =
        target_of(s->layout, out, s->model->surfaces[s->surface].num_vertices);
    target.extrapolate = s->extrapolate;
    memset(out, 0xEE, size);
    const lm_code code = s->weight < 0
                             ? lmi_sample_with(kernels, s->stream_from, s->model, s->surface,
                                               s->poses, s->num_poses, &target)
                             : lmi_sample_blend_with(kernels, s->model, s->surface, &s->poses[0],
                                                     &s->poses[1], s->weight, &target);
    PROMISE(code == LM_CODE_OK);
    for (size_t i = size - SLACK; i < size; i++)
        PROMISE(out[i] == 0xEE);
}

static void compare_kernels(const sampling *s) {
    const size_t vertices = s->model->surfaces[s->surface].num_vertices;
    const size_t size = MAX_POSES * MAX_STRIDE * vertices / SLACK * SLACK + 2 * SLACK;
    uint8_t *expected = aligned_alloc(SLACK, size), *out = aligned_alloc(SLACK, size);
    if (!expected || !out)
        abort();
    run(s, lmi_sample_choice(0), expected, size);
    for (size_t k = 1; lmi_sample_choice(k); k++) {
        run(s, lmi_sample_choice(k), out, size);
        PROMISE(memcmp(expected, out, size) == 0);
    }
    free(expected);
    free(out);
}

static void sample_tags(const sampling *s) {
    for (uint32_t t = 0; t < s->model->num_tags; t++) {
        lm_transform tag;
        const float weight = s->weight < 0 ? 0.5f : s->weight;
        lm_pose inside = s->poses[0];
        inside.t = 0.5f;
        PROMISE(lm_sample_tag(s->model, t, &inside, &tag) == LM_CODE_OK);
        PROMISE(lm_sample_tag_blend(s->model, t, &inside, &inside, weight, &tag) == LM_CODE_OK);
    }
}

static void sample(const lm_model *model, fuzz_input *input) {
    sampling s = {.model = model, .num_poses = 1 + fuzz_choose(input, MAX_POSES), .weight = -1};
    s.layout = &layouts[fuzz_choose(input, NUM_LAYOUTS)];
    const float t = choose_t(input, &s.extrapolate);
    for (size_t p = 0; p < MAX_POSES; p++)
        s.poses[p] = (lm_pose){fuzz_choose(input, model->num_frames),
                               fuzz_choose(input, model->num_frames), t, false};
    s.stream_from = fuzz_choose(input, 2) ? 0 : SIZE_MAX;
    if (fuzz_choose(input, 3) == 1)
        s.weight = 0.25f * (float)fuzz_choose(input, 5);
    for (s.surface = 0; s.surface < model->num_surfaces; s.surface++)
        compare_kernels(&s);
    sample_tags(&s);
    lm_vec3 min, max;
    PROMISE(lm_model_bounds(model, 0, model->num_frames, &min, &max) == LM_CODE_OK);
}

void fuzz_sample(fuzz_input *input) {
    lm_model *model = fuzz_load_model(input, NULL);
    if (model)
        sample(model, input);
    lm_model_free(model);
}
