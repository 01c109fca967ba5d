/* Compares the sampler with the plain loops; frames and output are in the fastest caches. The
 * kernels that lm_sample chooses write every layout; each other kernel that this processor has
 * writes stride 24. */
#include "harness.h"
#include "lerpmesh/load.h"
#include "sample/kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_POSES = 8,
    MOST_RUNS = 12,
    SMALL = 20 /* vertices; with fewer, the cost of the call dominates that of its loop */
};

/* ---- The plain loops, for little-endian machines ------------------------------------------- */

static const lm_vec3 normals_162[] = {
#include "math/normals_162.inc"
};
static lm_vec3 normals_256[LM_NUM_NORMALS_256]; /* a copy, for the compiler to address directly */

/* A frame of an MD2, and one of an MD3 or MDC surface as engines store it. */
typedef struct plain_frame {
    float scale[3], translate[3];
    uint8_t (*vertices)[4];
} plain_frame;

typedef struct engine_frame {
    const int16_t (*base)[4];
    const uint8_t (*comp)[4]; /* NULL: the base frame alone */
} engine_frame;

/* Plain, but reasonably fast: values stay in registers. Values that are stored by parts and loaded
 * as a whole double the time of gcc's loop, which would flatter the library in comparison. */
static inline void store_normalised(float *out, float x, float y, float z) {
    const float length = sqrtf(x * x + y * y + z * z);
    const float inverse = length > 0 ? 1 / length : 0;
    out[0] = x * inverse;
    out[1] = y * inverse;
    out[2] = z * inverse;
}

static inline float mix(float a, float b, float t) {
    return a + t * (b - a);
}

/* Animates an MD2 as D. Henry's description does: decodes two frames, blends positions and table
 * normals, normalises. Six floats per vertex. */
static void plain_animate(const plain_frame *a, const plain_frame *b, uint32_t count, float t,
                          float *out) {
    const plain_frame fa = *a, fb = *b;
    for (uint32_t i = 0; i < count; i++, out += 6) {
        const uint8_t *va = fa.vertices[i], *vb = fb.vertices[i];
        const lm_vec3 na = normals_162[va[3]], nb = normals_162[vb[3]];
        out[0] =
            mix(fa.scale[0] * va[0] + fa.translate[0], fb.scale[0] * vb[0] + fb.translate[0], t);
        out[1] =
            mix(fa.scale[1] * va[1] + fa.translate[1], fb.scale[1] * vb[1] + fb.translate[1], t);
        out[2] =
            mix(fa.scale[2] * va[2] + fa.translate[2], fb.scale[2] * vb[2] + fb.translate[2], t);
        store_normalised(out + 3, mix(na.x, nb.x, t), mix(na.y, nb.y, t), mix(na.z, nb.z, t));
    }
}

static float sines[256];

static inline float engine_coordinate(const engine_frame *frame, uint32_t i, int c) {
    const float base = (float)frame->base[i][c] * (1.0f / 64);
    return frame->comp ? base + ((float)frame->comp[i][c] - 127.0f) * 0.05f : base;
}

static inline lm_vec3 engine_normal(const engine_frame *frame, uint32_t i) {
    if (frame->comp)
        return normals_256[frame->comp[i][3]];
    const unsigned angles = (uint16_t)frame->base[i][3];
    const unsigned rho = angles & 255, sigma = angles >> 8;
    return (lm_vec3){sines[(sigma + 64) & 255] * sines[rho], sines[sigma] * sines[rho],
                     sines[(rho + 64) & 255]};
}

/* Animates an MDC or MD3 as engines do, one vertex at a time: decodes the base and the compressed
 * frame, looks up normals in tables of sines and of 256 directions, blends and normalises. */
static void engine_animate(const engine_frame *a, const engine_frame *b, uint32_t count, float t,
                           float *out) {
    const engine_frame fa = *a, fb = *b;
    for (uint32_t i = 0; i < count; i++, out += 6) {
        const lm_vec3 na = engine_normal(&fa, i), nb = engine_normal(&fb, i);
        out[0] = mix(engine_coordinate(&fa, i, 0), engine_coordinate(&fb, i, 0), t);
        out[1] = mix(engine_coordinate(&fa, i, 1), engine_coordinate(&fb, i, 1), t);
        out[2] = mix(engine_coordinate(&fa, i, 2), engine_coordinate(&fb, i, 2), t);
        store_normalised(out + 3, mix(na.x, nb.x, t), mix(na.y, nb.y, t), mix(na.z, nb.z, t));
    }
}

/* ---- Poses --------------------------------------------------------------------------------- */

/* Poses of one model, prepared for the library and for the plain loops. */
typedef struct poses {
    const lm_model *model;
    uint32_t num_vertices; /* of all surfaces */
    lm_pose poses[MOST_POSES];
    unsigned num_poses;
    float *plain, *ours;  /* [num_vertices * 6], [num_vertices * 8] */
    plain_frame *bytes;   /* MD2 and MDL: [num_frames], the vertices as drawn; otherwise NULL */
    engine_frame *engine; /* MD3 and MDC: [num_surfaces * num_frames] */
} poses;

/* A layout of lm_sample's output. */
typedef enum layout {
    STRIDE_24,
    STRIDE_32,
    PLANES,
    GPU,
    ARRAYS,
    NUM_LAYOUTS
} layout;

static const struct {
    const char *name;
    size_t floats; /* per vertex */
} layouts[NUM_LAYOUTS] = {[STRIDE_24] = {"stride 24", 6},
                          [STRIDE_32] = {"stride 32, gaps zeroed", 8},
                          [PLANES] = {"six planes", 6},
                          [GPU] = {"16 bytes for the GPU (packed normals)", 4},
                          [ARRAYS] = {"two arrays (stride 0)", 6}};

/* The context of a contender: samples all poses of all surfaces in sequence into the same
 * memory. */
typedef struct run {
    const poses *poses;
    layout layout;
    const lm_sample_kernels *kernels; /* NULL: those that lm_sample chooses */
    char name[64];
} run;

/* Copies a frame's vertices as drawn, one for each that lm_sample writes. */
static void *drawn(const lm_surface *s, const uint8_t *row, size_t size) {
    uint8_t *vertices = bench_alloc(s->num_vertices * size);
    for (uint32_t v = 0; v < s->num_vertices; v++)
        memcpy(vertices + v * size, row + s->file_vertices[v] * size, size);
    return vertices;
}

static bool has_delta(const lm_surface *s, uint32_t frame) {
    return s->frame_deltas && s->frame_deltas[frame] != LM_NO_DELTA;
}

static void poses_new(const lm_model *model, poses *out) {
    *out = (poses){.model = model};
    const bool bytes = model->surfaces->encoding == LM_VERTEX_U8;
    out->bytes = bytes ? bench_alloc(model->num_frames * sizeof *out->bytes) : NULL;
    out->engine =
        bench_alloc((size_t)model->num_surfaces * model->num_frames * sizeof *out->engine);
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        const lm_surface *s = &model->surfaces[i];
        out->num_vertices += s->num_vertices;
        for (uint32_t f = 0; f < model->num_frames; f++) {
            const lm_frame *frame = &model->frames[f];
            const uint32_t key = s->frame_keys ? s->frame_keys[f] : f;
            const uint8_t *row = s->keys + key * s->key_stride;
            engine_frame *engine = &out->engine[i * model->num_frames + f];
            if (bytes)
                out->bytes[f] = (plain_frame){
                    .scale = {frame->scale.x, frame->scale.y, frame->scale.z},
                    .translate = {frame->translate.x, frame->translate.y, frame->translate.z},
                    .vertices = drawn(s, row, 4)};
            engine->base = bytes ? NULL : drawn(s, row, 8);
            engine->comp = has_delta(s, f)
                               ? drawn(s, s->deltas + s->frame_deltas[f] * s->delta_stride, 4)
                               : NULL;
        }
    }
    out->plain = bench_alloc((size_t)out->num_vertices * 6 * sizeof(float));
    out->ours = bench_alloc((size_t)out->num_vertices * 8 * sizeof(float));
}

static void poses_free(poses *p) {
    for (uint32_t f = 0; p->bytes && f < p->model->num_frames; f++)
        free(p->bytes[f].vertices);
    for (size_t i = 0; i < (size_t)p->model->num_surfaces * p->model->num_frames; i++) {
        free((void *)p->engine[i].base);
        free((void *)p->engine[i].comp);
    }
    free(p->bytes);
    free(p->engine);
    free(p->plain);
    free(p->ours);
}

/* Chooses pairs of a frame and a later one, of which each has a compressed frame or has none, as
 * far as the first surface tells. Returns false if the model has no such pair. */
static bool choose_poses(poses *p, bool delta_a, bool delta_b) {
    const lm_surface *s = p->model->surfaces;
    const uint32_t count = p->model->num_frames;
    p->num_poses = 0;
    for (uint32_t a = 0, b; a < count && p->num_poses < MOST_POSES; a++) {
        for (b = a + 1; b < count && has_delta(s, b) != delta_b; b++)
            ;
        if (has_delta(s, a) == delta_a && b < count) {
            p->poses[p->num_poses] = (lm_pose){a, b, 0.15f + 0.1f * (float)p->num_poses, false};
            p->num_poses++;
        }
    }
    return p->num_poses > 0;
}

/* ---- Contenders ---------------------------------------------------------------------------- */

static void plain_pose(const poses *p, lm_pose pose) {
    const engine_frame *frames = p->engine;
    float *out = p->plain;
    if (p->bytes) {
        plain_animate(&p->bytes[pose.frame_a], &p->bytes[pose.frame_b], p->num_vertices, pose.t,
                      out);
        return;
    }
    for (uint32_t s = 0; s < p->model->num_surfaces; s++, frames += p->model->num_frames) {
        const uint32_t count = p->model->surfaces[s].num_vertices;
        engine_animate(&frames[pose.frame_a], &frames[pose.frame_b], count, pose.t, out);
        out += (size_t)count * 6;
    }
}

static void sample_pose(const run *r, lm_pose pose) {
    const lm_model *model = r->poses->model;
    float *out = r->poses->ours;
    for (uint32_t s = 0; s < model->num_surfaces; s++) {
        const size_t count = model->surfaces[s].num_vertices;
        const bool apart = r->layout == PLANES || r->layout == ARRAYS;
        const lm_sample_target target = {
            .positions = out,
            .normals = r->layout == GPU ? NULL : out + (apart ? 3 * count : 3),
            .packed_normals = r->layout == GPU ? (int8_t *)(out + 3) : NULL,
            .stride = apart ? 0 : 4 * layouts[r->layout].floats,
            .component_stride = r->layout == PLANES ? 4 * count : 0,
            .zero_padding = r->layout == STRIDE_32};
        if (r->kernels)
            lmi_sample_with(r->kernels, SIZE_MAX, model, s, &pose, 1, &target);
        else
            lm_sample(model, s, &pose, 1, &target);
        out += count * layouts[r->layout].floats;
    }
}

static void run_plain(void *context) {
    const poses *p = context;
    for (unsigned i = 0; i < p->num_poses; i++)
        plain_pose(p, p->poses[i]);
}

static void run_sample(void *context) {
    const run *r = context;
    for (unsigned i = 0; i < r->poses->num_poses; i++)
        sample_pose(r, r->poses->poses[i]);
}

/* Returns whether the plain loop and the library give the same poses, but for rounding: models are
 * some hundred units large. The library's tests compare its layouts and kernels with each other. */
static bool agrees(const poses *p) {
    const run r = {.poses = p, .layout = STRIDE_24};
    for (unsigned i = 0; i < p->num_poses; i++) {
        plain_pose(p, p->poses[i]);
        sample_pose(&r, p->poses[i]);
        for (size_t k = 0; k < (size_t)6 * p->num_vertices; k++)
            if (!(fabsf(p->plain[k] - p->ours[k]) <= 2e-4f))
                return false;
    }
    return true;
}

static void compare(const poses *p, const char *subject) {
    run runs[MOST_RUNS];
    const double units = (double)p->num_vertices * p->num_poses;
    bench_contender contenders[1 + MOST_RUNS] = {
        {p->bytes ? "seed loop" : "plain engine-style loop", run_plain, (void *)p, units}};
    unsigned count = 0;
    for (int i = 0; i < NUM_LAYOUTS; i++)
        runs[count++] = (run){p, (layout)i, NULL, "lm_sample"};
    for (size_t i = 1; lmi_sample_choice(i) && count < MOST_RUNS; i++)
        runs[count++] = (run){p, STRIDE_24, lmi_sample_choice(i), ""};
    for (unsigned i = 0; i < count; i++) {
        snprintf(runs[i].name, sizeof runs[i].name, "%s, %s",
                 runs[i].kernels ? runs[i].kernels->name : "lm_sample",
                 layouts[runs[i].layout].name);
        contenders[1 + i] = (bench_contender){runs[i].name, run_sample, &runs[i], units};
    }
    if (bench_require(agrees(p), subject))
        bench_compare(subject, "ns a vertex", CLOCK_THREAD_CPUTIME_ID, contenders, 1 + count);
}

/* ---- Models -------------------------------------------------------------------------------- */

static void sample(const lm_model *model, const char *name) {
    static const struct {
        const char *name;
        bool a, b;
    } pairs[] = {{"both frames compressed", true, true},
                 {"base + compressed", false, true},
                 {"both base frames", false, false}};
    char subject[256];
    poses p;
    if (model->num_surfaces == 0)
        return;
    poses_new(model, &p);
    for (int i = 0; i < 3; i++) {
        if (!choose_poses(&p, pairs[i].a, pairs[i].b))
            continue;
        if (p.bytes)
            snprintf(subject, sizeof subject, "animate %s, %u vertices as drawn", name,
                     (unsigned)p.num_vertices);
        else
            snprintf(subject, sizeof subject, "animate %s, %u vertices, %s", name,
                     (unsigned)p.num_vertices, pairs[i].name);
        compare(&p, subject);
    }
    poses_free(&p);
}

static void sample_made(const char *format, uint32_t vertices, uint32_t frames, const char *name) {
    lm_buffer file = bench_make_file(format, vertices, frames);
    lm_model *model = lm_load_memory(file.data, file.size, NULL, NULL);
    if (model)
        sample(model, name);
    else
        bench_require(false, name);
    lm_model_free(model);
    lm_buffer_free(&file);
}

void bench_sample(const bench_corpus *corpus) {
    memcpy(normals_256, lm_normal_table(LM_NUM_NORMALS_256), sizeof normals_256);
    for (int i = 0; i < 256; i++)
        sines[i] = (float)sin(i * 3.14159265358979323846 / 128);
    for (size_t i = 0; i < corpus->count; i++) {
        const bench_file *file = &corpus->files[i];
        /* Models of few vertices are not representative for a loop; the synthetic ones cover
         * them. */
        if (file->size > 100000 && file->model->num_frames > 1)
            sample(file->model, file->name);
    }
    sample_made("md2", SMALL, MOST_POSES + 1, "a made MD2");
    sample_made("md2", 342, MOST_POSES + 1, "a made MD2");
    sample_made("mdc", 342, 60, "a made MDC");
}
