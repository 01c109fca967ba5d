#include "poses.h"

#include <stdlib.h>
#include <string.h>

static void *copy_of(const void *bytes, size_t size) {
    return memcpy(bench_alloc(size), bytes, size);
}

static void start(const lm_model *model, size_t floats, bench_poses *out) {
    *out = (bench_poses){.model = model, .floats = floats};
    for (uint32_t s = 0; s < model->num_surfaces; s++)
        out->num_vertices += model->surfaces[s].num_vertices;
    out->plain = bench_alloc(out->num_vertices * floats * sizeof(float));
    out->ours = bench_alloc(out->num_vertices * 8 * sizeof(float));
}

static void add_pose(bench_poses *out, uint32_t a, uint32_t b) {
    float t = 0.15f + 0.1f * (float)out->num_poses;
    out->poses[out->num_poses++] = (lm_pose){a, b, t};
}

/* Returns a frame's vertices as drawn, one for each that lm_sample writes. */
static seed_vertex *drawn_vertices(const lm_surface *surface, uint32_t frame) {
    const uint8_t *row = surface->keys + frame * surface->key_stride;
    seed_vertex *vertices = bench_alloc(surface->num_vertices * sizeof *vertices);
    for (uint32_t v = 0; v < surface->num_vertices; v++)
        memcpy(&vertices[v], row + surface->file_vertices[v] * surface->key_size, 4);
    return vertices;
}

bool bench_poses_md2(const lm_model *model, unsigned num_poses, bench_poses *out) {
    const lm_surface *surface = model->surfaces;
    start(model, 6, out);
    out->seed = bench_alloc(model->num_frames * sizeof *out->seed);
    for (uint32_t f = 0; f < model->num_frames; f++) {
        const lm_frame *frame = &model->frames[f];
        out->seed[f] =
            (seed_frame){.scale = {frame->scale.x, frame->scale.y, frame->scale.z},
                         .translate = {frame->translate.x, frame->translate.y, frame->translate.z},
                         .verts = drawn_vertices(surface, f)};
    }
    for (uint32_t f = 0; f + 1 < model->num_frames && out->num_poses < num_poses; f++)
        add_pose(out, f, f + 1);
    return out->num_poses > 0;
}

static bool has_delta(const lm_surface *surface, uint32_t frame) {
    return surface->frame_deltas && surface->frame_deltas[frame] != LM_NO_DELTA;
}

/* Finds up to BENCH_MAX_POSES + 1 frames in which all surfaces have a compressed frame, or none
 * has. */
static unsigned find_frames(const lm_model *model, bool delta, uint32_t *frames) {
    unsigned count = 0;
    for (uint32_t f = 0; f < model->num_frames && count <= BENCH_MAX_POSES; f++) {
        bool all = true;
        for (uint32_t s = 0; s < model->num_surfaces; s++)
            all = all && has_delta(&model->surfaces[s], f) == delta;
        if (all)
            frames[count++] = f;
    }
    return count;
}

static void copy_engine_frames(const lm_surface *surface, uint32_t num_frames, engine_frame *out) {
    for (uint32_t f = 0; f < num_frames; f++) {
        uint32_t key = surface->frame_keys ? surface->frame_keys[f] : f;
        out[f].base =
            copy_of(surface->keys + key * surface->key_stride, surface->num_vertices * (size_t)8);
        if (has_delta(surface, f))
            out[f].comp =
                copy_of(surface->deltas + surface->frame_deltas[f] * surface->delta_stride,
                        surface->num_vertices * (size_t)4);
        else
            out[f].comp = NULL;
    }
}

bool bench_poses_mdc(const lm_model *model, bench_pair pair, bench_poses *out) {
    uint32_t base[BENCH_MAX_POSES + 1], comp[BENCH_MAX_POSES + 1];
    unsigned num_base = find_frames(model, false, base);
    unsigned num_comp = find_frames(model, true, comp);
    const uint32_t *as = pair == BENCH_PAIR_COMPRESSED ? comp : base;
    const uint32_t *bs = pair == BENCH_PAIR_BASE ? base : comp;
    unsigned num_a = pair == BENCH_PAIR_COMPRESSED ? num_comp : num_base;
    unsigned num_b = pair == BENCH_PAIR_BASE ? num_base : num_comp;
    start(model, 8, out);
    out->engine =
        bench_alloc((size_t)model->num_surfaces * model->num_frames * sizeof *out->engine);
    for (uint32_t s = 0; s < model->num_surfaces; s++)
        copy_engine_frames(&model->surfaces[s], model->num_frames,
                           out->engine + (size_t)s * model->num_frames);
    if (num_a == 0 || num_b == 0 || (as == bs && num_a < 2) || model->num_surfaces == 0)
        return false;
    for (unsigned i = 0; i < BENCH_MAX_POSES; i++)
        add_pose(out, as[i % num_a], bs[(i + 1) % num_b]);
    return true;
}

void bench_poses_free(bench_poses *poses) {
    const lm_model *model = poses->model;
    for (uint32_t f = 0; poses->seed && f < model->num_frames; f++)
        free(poses->seed[f].verts);
    for (size_t i = 0; poses->engine && i < (size_t)model->num_surfaces * model->num_frames; i++) {
        free((void *)poses->engine[i].base);
        free((void *)poses->engine[i].comp);
    }
    free(poses->seed);
    free(poses->engine);
    free(poses->plain);
    free(poses->ours);
    *poses = (bench_poses){0};
}

static void plain_pose(const bench_poses *poses, lm_pose pose) {
    if (poses->seed) {
        seed_animate(&poses->seed[pose.frame_a], &poses->seed[pose.frame_b], poses->num_vertices,
                     pose.t, poses->plain);
        return;
    }
    float *out = poses->plain;
    const engine_frame *frames = poses->engine;
    for (uint32_t s = 0; s < poses->model->num_surfaces; s++) {
        uint32_t count = poses->model->surfaces[s].num_vertices;
        engine_animate(&frames[pose.frame_a], &frames[pose.frame_b], count, pose.t, out);
        out += count * poses->floats;
        frames += poses->model->num_frames;
    }
}

/* Returns the target of a surface of `count` vertices whose output begins at `out`. */
static lm_sample_target target_of(bench_layout layout, float *out, size_t count) {
    lm_sample_target target = {.positions = out, .normals = out + 3};
    switch (layout) {
    case BENCH_STRIDE_32:
        target.stride = 32;
        target.zero_padding = true;
        break;
    case BENCH_PLANES:
        target.normals = out + 3 * count;
        target.component_stride = 4 * count;
        break;
    case BENCH_GPU:
        target.normals = NULL;
        target.packed_normals = (int8_t *)(out + 3);
        target.stride = 16;
        break;
    case BENCH_DEFAULT:
        target.normals = out + 3 * count;
        break;
    default:
        target.stride = 24;
    }
    return target;
}

/* Returns the number of floats between surfaces. */
static size_t floats_of(bench_layout layout) {
    return layout == BENCH_STRIDE_32 ? 8 : layout == BENCH_GPU ? 4 : 6;
}

static void sample_pose(const bench_run *run, lm_pose pose) {
    const lm_model *model = run->poses->model;
    float *out = run->poses->ours;
    for (uint32_t s = 0; s < model->num_surfaces; s++) {
        const uint32_t count = model->surfaces[s].num_vertices;
        lm_sample_target target = target_of(run->layout, out, count);
        if (run->kernels)
            lm_sample_with(run->kernels, SIZE_MAX, model, s, &pose, 1, &target);
        else
            lm_sample(model, s, &pose, 1, &target);
        out += count * floats_of(run->layout);
    }
}

/* Reads vertex v of a surface from a layout: position and normal. */
static void read_back(bench_layout layout, const float *out, size_t count, size_t v, float six[6]) {
    for (size_t c = 0; c < 3; c++) {
        const size_t at = layout == BENCH_PLANES    ? c * count + v
                          : layout == BENCH_DEFAULT ? 3 * v + c
                                                    : v * floats_of(layout) + c;
        six[c] = out[at];
        if (layout == BENCH_GPU)
            six[3 + c] = (float)((const int8_t *)(out + v * 4 + 3))[c] / 127;
        else
            six[3 + c] =
                out[at + (layout == BENCH_PLANES || layout == BENCH_DEFAULT ? 3 * count : 3)];
    }
}

/* Does the same for the plain loop. */
static void read_plain(const bench_poses *poses, size_t v, float six[6]) {
    const float *out = poses->plain + v * poses->floats;
    memcpy(six, out, 3 * sizeof *six);
    memcpy(six + 3, out + poses->floats / 2, 3 * sizeof *six);
}

/* Reads all surfaces' vertices, six floats each. */
static void read_all(const bench_run *run, float *plain, float *ours) {
    const lm_model *model = run->poses->model;
    const float *out = run->poses->ours;
    size_t at = 0;
    for (uint32_t s = 0; s < model->num_surfaces; s++) {
        const size_t count = model->surfaces[s].num_vertices;
        for (size_t v = 0; v < count; v++, at++) {
            read_plain(run->poses, at, plain + at * 6);
            read_back(run->layout, out, count, v, ours + at * 6);
        }
        out += count * floats_of(run->layout);
    }
}

void bench_run_plain(void *context) {
    const bench_poses *poses = context;
    for (unsigned i = 0; i < poses->num_poses; i++)
        plain_pose(poses, poses->poses[i]);
}

void bench_run_sample(void *context) {
    const bench_run *run = context;
    for (unsigned i = 0; i < run->poses->num_poses; i++)
        sample_pose(run, run->poses->poses[i]);
}

bool bench_poses_agree(bench *b, const bench_run *run, const char *what) {
    /* Models are some hundred units large, so floats differ by about 1e-5 from rounding alone. A
     * packed byte has an error of up to half its step. */
    const double tolerance = run->layout == BENCH_GPU ? 0.5 / 127 + 2e-4 : 2e-4;
    const bench_poses *poses = run->poses;
    const size_t count = (size_t)poses->num_vertices * 6;
    float *plain = bench_alloc(count * sizeof *plain), *ours = bench_alloc(count * sizeof *ours);
    bool same = true;
    for (unsigned i = 0; i < poses->num_poses && same; i++) {
        plain_pose(poses, poses->poses[i]);
        sample_pose(run, poses->poses[i]);
        read_all(run, plain, ours);
        same = bench_agree(b, what, plain, ours, count, tolerance);
    }
    free(plain);
    free(ours);
    return same;
}
