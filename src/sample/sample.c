#include "lerpmesh/sample.h"

#include "model/build.h"
#include "sample/kernels.h"

#include <math.h>
#include <string.h>

/* Output from here on is written past the caches, in bytes: several times what they hold. */
#define STREAM_FROM ((size_t)64 << 20)

/* ---- Arguments ----------------------------------------------------------------------------- */

static bool sound_poses(const lm_model *model, const lm_pose *poses, size_t count, bool any_t) {
    for (size_t p = 0; p < count; p++) {
        float t = poses[p].t;
        bool sound_t = any_t ? isfinite(t) : t >= 0 && t <= 1;
        if (!sound_t || poses[p].frame_a >= model->num_frames ||
            poses[p].frame_b >= model->num_frames)
            return false;
    }
    return true;
}

/* Bytes that a vertex needs where x, y and z are side by side, or in planes. */
static size_t vertex_size(const lm_sample_target *target) {
    return target->plane_stride || !(target->positions || target->normals) ? 4 : 12;
}

static size_t stride_of(const lm_sample_target *target) {
    return target->stride ? target->stride : vertex_size(target);
}

static bool sound_target(const lm_sample_target *target) {
    if (target->stride % 4 || target->pose_stride % 4 || target->plane_stride % 4)
        return false;
    if (target->zero_gaps && (!target->positions || target->plane_stride))
        return false;
    return stride_of(target) >= vertex_size(target);
}

/* ---- Jobs ---------------------------------------------------------------------------------- */

static lm_sample_layout layout_of(const lm_sample_target *target) {
    const char *positions = (const char *)target->positions;
    const char *normals = (const char *)target->normals;
    const char *packed = (const char *)target->packed_normals;
    size_t stride = stride_of(target);
    if (stride == 4)
        return LM_LAYOUT_PLANES;
    if (target->plane_stride)
        return LM_LAYOUT_SCATTERED;
    if (stride == 12 && !packed)
        return LM_LAYOUT_TRIPLES;
    if (!positions)
        return LM_LAYOUT_SCATTERED;
    if (normals && !packed && normals == positions + 12 && stride >= 24)
        return LM_LAYOUT_INTERLEAVED;
    if (packed && !normals && packed == positions + 12 && stride >= 16)
        return LM_LAYOUT_GPU;
    return LM_LAYOUT_SCATTERED;
}

/* What is the same for all poses. A job is written member by member, in place: copying one waits
 * until what was just written to it has reached the cache. */
static void begin_job(lm_sample_job *job, const lm_model *model, const lm_sample_target *target) {
    job->layout = layout_of(target);
    job->add_normals = model->delta_normals_add;
    job->stride = stride_of(target);
    job->component = target->plane_stride ? target->plane_stride : 4;
    job->zero_gaps = target->zero_gaps && job->layout == LM_LAYOUT_INTERLEAVED && job->stride == 32;
}

/* Scales that are too small to see would make products that are slow to compute. */
static float without_tiny(float x) {
    return lm_tiny(x) ? 0 : x;
}

static void set_scale(lm_sample_side *side, const lm_vec3 *scale, float share) {
    side->scale[0] = without_tiny(scale->x * share);
    side->scale[1] = without_tiny(scale->y * share);
    side->scale[2] = without_tiny(scale->z * share);
}

static void set_side(lm_sample_side *side, const lm_model *model, const lm_surface *surface,
                     uint32_t frame, float share) {
    uint32_t key = surface->frame_keys ? surface->frame_keys[frame] : frame;
    uint32_t delta = surface->frame_deltas ? surface->frame_deltas[frame] : LM_NO_DELTA;
    side->key = surface->keys + key * surface->key_stride;
    side->delta = delta == LM_NO_DELTA ? NULL : surface->deltas + delta * surface->delta_stride;
    side->delta_scale = without_tiny(model->delta_scale * share);
    set_scale(side, &model->frames[frame].scale, share);
}

static lm_sample_input input_of(const lm_surface *surface, const lm_sample_side sides[2]) {
    if (surface->encoding == LM_VERTEX_U8)
        return LM_INPUT_U8;
    if (sides[0].delta && sides[1].delta)
        return LM_INPUT_S16_DELTAS;
    if (sides[0].delta)
        return LM_INPUT_S16_DELTA_FIRST;
    return sides[1].delta ? LM_INPUT_S16_DELTA_SECOND : LM_INPUT_S16;
}

/* Adding 0 makes -0 a 0, so that no sum that starts with this can be -0, whatever 0 it is with. */
static float mixed(float a, float share_a, float b, float share_b) {
    return without_tiny(a * share_a + b * share_b) + 0.0f;
}

static void set_pose(lm_sample_job *job, const lm_model *model, const lm_surface *surface,
                     lm_pose pose) {
    float t = fabsf(pose.t) < 1e-12f ? 0 : pose.t;
    bool b_first = t > 0.5f;
    float first = b_first ? t : 1 - t, second = b_first ? 1 - t : t;
    uint32_t frame = b_first ? pose.frame_b : pose.frame_a;
    uint32_t other = second == 0 ? frame : b_first ? pose.frame_a : pose.frame_b;
    const lm_vec3 *a = &model->frames[frame].translate, *b = &model->frames[other].translate;
    set_side(&job->sides[0], model, surface, frame, first);
    set_side(&job->sides[1], model, surface, other, second);
    job->translate[0] = mixed(a->x, first, b->x, second);
    job->translate[1] = mixed(a->y, first, b->y, second);
    job->translate[2] = mixed(a->z, first, b->z, second);
    job->mix = second / first;
    job->input = input_of(surface, job->sides);
    const lm_vec3 *scale = &model->frames[frame].scale, *scale_b = &model->frames[other].scale;
    if (job->input == LM_INPUT_S16_DELTAS && job->sides[0].key == job->sides[1].key &&
        scale->x == scale_b->x && scale->y == scale_b->y && scale->z == scale_b->z) {
        job->input = LM_INPUT_S16_DELTAS_ON_ONE;
        set_scale(&job->sides[0], scale, 1);
    }
}

/* ---- Running them -------------------------------------------------------------------------- */

/* Moves the outputs by so many vertices. */
static void skip_outputs(lm_sample_job *job, size_t vertices) {
    job->positions = job->positions ? job->positions + vertices * job->stride : NULL;
    job->normals = job->normals ? job->normals + vertices * job->stride : NULL;
    job->packed = job->packed ? job->packed + vertices * job->stride : NULL;
}

/* A layout that the kernels know. */
static void run_plain(const lm_sample_kernels *kernels, const lm_sample_job *job) {
    for (size_t i = 0; i < LM_SAMPLE_WIDTHS && kernels->wide[i].run; i++)
        if (job->count >= kernels->wide[i].width) {
            kernels->wide[i].run(job);
            return;
        }
    lm_sample_scalar(job);
}

#define BLOCK ((size_t)64) /* vertices that go through planes of our own */

typedef struct planes {
    float positions[3][BLOCK], normals[3][BLOCK];
    uint32_t packed[BLOCK];
} planes;

static void scatter(char *out, const lm_sample_job *job, size_t v, size_t count,
                    const float from[3][BLOCK]) {
    out += v * job->stride;
    for (size_t i = 0; i < count; i++, out += job->stride) {
        memcpy(out, &from[0][i], 4);
        memcpy(out + job->component, &from[1][i], 4);
        memcpy(out + 2 * job->component, &from[2][i], 4);
    }
}

/* Any other layout: planes of a few vertices, which are then put where they belong. */
static void run_scattered(const lm_sample_kernels *kernels, const lm_sample_job *job) {
    planes local;
    lm_sample_job part = *job;
    part.layout = LM_LAYOUT_PLANES;
    part.positions = job->positions ? (char *)local.positions : NULL;
    part.normals = job->normals ? (char *)local.normals : NULL;
    part.packed = job->packed ? (char *)local.packed : NULL;
    part.stride = 4;
    part.component = sizeof *local.positions;
    for (size_t v = 0; v < job->count; v += BLOCK) {
        size_t count = job->count - v < BLOCK ? job->count - v : BLOCK;
        part.count = count;
        run_plain(kernels, &part);
        if (job->positions)
            scatter(job->positions, job, v, count, local.positions);
        if (job->normals)
            scatter(job->normals, job, v, count, local.normals);
        for (size_t i = 0; i < count && job->packed; i++)
            memcpy(job->packed + (v + i) * job->stride, &local.packed[i], 4);
        for (int i = 0; i < 2; i++) {
            part.sides[i].key += count * lm_input_key_size(job->input);
            part.sides[i].delta = part.sides[i].delta ? part.sides[i].delta + 4 * count : NULL;
        }
    }
}

static void run(const lm_sample_kernels *kernels, const lm_sample_job *job) {
    /* Added normals are for one quirk, and kernels do not know them; nor do a few vertices that lie
     * anywhere gain from a detour. */
    bool scattered = job->layout == LM_LAYOUT_SCATTERED;
    if (job->add_normals || !kernels->wide[0].run || (scattered && job->count < 4))
        lm_sample_scalar(job);
    else if (scattered)
        run_scattered(kernels, job);
    else
        run_plain(kernels, job);
}

#define COPIES ((size_t)256) /* that are gathered at a time */

/* The packed vertices of a side that copies are made of. */
typedef struct gathered {
    uint8_t key[8 * COPIES], delta[4 * COPIES];
} gathered;

LM_ALWAYS_INLINE void gather(uint8_t *out, const uint8_t *from, size_t size,
                             const uint32_t *vertices, size_t count) {
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * size, from + vertices[i] * size, size);
}

static void gather_side(lm_sample_side *side, const lm_sample_side *from, gathered *out,
                        lm_sample_input input, const uint32_t *vertices, size_t count) {
    if (input == LM_INPUT_U8)
        gather(out->key, from->key, 4, vertices, count);
    else
        gather(out->key, from->key, 8, vertices, count);
    side->key = out->key;
    if (!from->delta)
        return;
    gather(out->delta, from->delta, 4, vertices, count);
    side->delta = out->delta;
}

/* The copies that seams need, `count` behind the file's own vertices. Uses the job's outputs
 * up. */
static void run_copies(const lm_sample_kernels *kernels, lm_sample_job *job,
                       const lm_surface *surface, size_t count) {
    gathered local[2];
    const lm_sample_side a = job->sides[0], b = job->sides[1];
    const uint32_t *vertices = surface->file_vertices + surface->num_file_vertices;
    for (; count > 0; count -= job->count, vertices += job->count) {
        skip_outputs(job, job->count);
        job->count = count < COPIES ? count : COPIES;
        gather_side(&job->sides[0], &a, &local[0], job->input, vertices, job->count);
        gather_side(&job->sides[1], &b, &local[1], job->input, vertices, job->count);
        run(kernels, job);
    }
    job->sides[0] = a;
    job->sides[1] = b;
}

/* ---- Copies of what was computed ----------------------------------------------------------- */

#define TABLES_SIZE ((size_t)16 << 10) /* within the first level of any cache */
#define MOST_TABLES 7

/* An output as tables of one row a vertex: whole vertices, triples, or single coordinates. */
typedef struct tables {
    size_t row; /* bytes, in the output and in `local` */
    unsigned count;
    char *out[MOST_TABLES];
    _Alignas(64) char local[TABLES_SIZE]; /* one table after the other */
} tables;

/* Bytes of all rows of a vertex; 0 where the layout has no such tables. */
static size_t table_bytes(const lm_sample_job *job) {
    size_t both = (job->positions ? 12u : 0u) + (job->normals ? 12u : 0u);
    switch (job->layout) {
    case LM_LAYOUT_PLANES:
        return both + (job->packed ? 4u : 0u);
    case LM_LAYOUT_TRIPLES:
        return both;
    case LM_LAYOUT_INTERLEAVED:
        return job->stride == 24 || job->zero_gaps ? job->stride : 0;
    case LM_LAYOUT_GPU:
        return job->stride == 16 ? 16 : 0;
    default:
        return 0;
    }
}

/* Coordinates one by one are worth copying only where computing them is slow. */
static bool fits_tables(const lm_sample_kernels *kernels, const lm_sample_job *job) {
    size_t bytes = table_bytes(job);
    bool worth = job->layout != LM_LAYOUT_PLANES || !kernels->wide[0].run;
    return worth && bytes > 0 && job->count * bytes <= TABLES_SIZE;
}

/* Makes `count` tables of an output, `apart` bytes from each other, and lets it begin in the first
 * of them. */
static void redirect(tables *t, char **output, unsigned count, size_t apart, size_t vertices) {
    char *out = *output;
    if (!out)
        return;
    *output = t->local + t->count * t->row * vertices;
    for (unsigned i = 0; i < count; i++)
        t->out[t->count++] = out + i * apart;
}

/* Lets a job write to tables of our own. */
static void redirect_all(tables *t, lm_sample_job *job) {
    t->count = 0;
    if (job->layout == LM_LAYOUT_PLANES || job->layout == LM_LAYOUT_TRIPLES) {
        bool apart = job->layout == LM_LAYOUT_PLANES;
        t->row = apart ? 4 : 12;
        redirect(t, &job->positions, apart ? 3 : 1, job->component, job->count);
        redirect(t, &job->normals, apart ? 3 : 1, job->component, job->count);
        redirect(t, &job->packed, 1, 0, job->count);
        job->component = apart ? 4 * job->count : 4;
        return;
    }
    t->row = job->stride;
    redirect(t, &job->positions, 1, 0, job->count);
    job->normals = job->normals ? t->local + 12 : NULL;
    job->packed = job->packed ? t->local + 12 : NULL;
}

LM_ALWAYS_INLINE void copy_rows(char *out, const char *rows, size_t size, const uint32_t *vertices,
                                size_t count) {
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * size, rows + vertices[i] * size, size);
}

/* A table: the rows of the file's `own` vertices, then copies of some of them. */
static void write_table(char *out, const char *rows, size_t size, size_t own,
                        const uint32_t *vertices, size_t count) {
    memcpy(out, rows, own * size);
    out += own * size;
    switch (size) {
    case 4:
        copy_rows(out, rows, 4, vertices, count);
        break;
    case 12:
        copy_rows(out, rows, 12, vertices, count);
        break;
    case 16:
        copy_rows(out, rows, 16, vertices, count);
        break;
    case 24:
        copy_rows(out, rows, 24, vertices, count);
        break;
    default:
        copy_rows(out, rows, 32, vertices, count);
    }
}

/* The file's own vertices into tables of our own, from which each is copied as often as it is
 * drawn: that is less work than to compute it again, and the output, which may be memory that is
 * slow to read, is only written. */
static void run_tables(const lm_sample_kernels *kernels, lm_sample_job *job,
                       const lm_surface *surface) {
    tables t;
    const size_t own = job->count, component = job->component;
    redirect_all(&t, job);
    run(kernels, job);
    job->component = component;
    for (unsigned i = 0; i < t.count; i++)
        write_table(t.out[i], t.local + i * t.row * own, t.row, own, surface->file_vertices + own,
                    surface->num_vertices - own);
}

/* The file's own vertices where they are, then the copies. */
static void run_pose(const lm_sample_kernels *kernels, lm_sample_job *job,
                     const lm_surface *surface) {
    job->count = surface->num_file_vertices;
    if (surface->num_vertices == surface->num_file_vertices) {
        run(kernels, job);
    } else if (fits_tables(kernels, job)) {
        run_tables(kernels, job, surface);
    } else {
        run(kernels, job);
        run_copies(kernels, job, surface, surface->num_vertices - surface->num_file_vertices);
    }
}

static void move_to(lm_sample_job *job, const lm_sample_target *target, size_t offset) {
    job->positions = target->positions ? (char *)target->positions + offset : NULL;
    job->normals = target->normals ? (char *)target->normals + offset : NULL;
    job->packed = target->packed_normals ? (char *)target->packed_normals + offset : NULL;
}

/* Past the caches only what is much larger, in whole lines: to write parts of a line past them is
 * slow. */
static bool streams(const lm_sample_job *job, const lm_sample_target *target, size_t pose_size,
                    size_t pose_stride, size_t num_poses, size_t from) {
    uintptr_t start = (uintptr_t)target->positions;
    return LM_STREAMS && job->zero_gaps && start % 32 == 0 && pose_stride == pose_size &&
           num_poses * pose_size >= from;
}

/* ---- The calls ----------------------------------------------------------------------------- */

lm_code lm_sample_with(const lm_sample_kernels *kernels, size_t stream_from, const lm_model *model,
                       uint32_t surface, const lm_pose *poses, size_t num_poses,
                       const lm_sample_target *target) {
    if (surface >= model->num_surfaces || !sound_target(target) ||
        !sound_poses(model, poses, num_poses, target->extrapolate))
        return LM_CODE_BAD_ARGUMENT;
    const lm_surface *s = &model->surfaces[surface];
    lm_sample_job job;
    begin_job(&job, model, target);
    size_t pose_size = s->num_vertices * job.stride;
    size_t pose_stride = target->pose_stride ? target->pose_stride : pose_size;
    if (streams(&job, target, pose_size, pose_stride, num_poses, stream_from))
        job.layout = LM_LAYOUT_STREAMED;
    for (size_t p = 0; p < num_poses; p++) {
        move_to(&job, target, p * pose_stride);
        if (target->zero_gaps && job.positions && !job.zero_gaps)
            memset(job.positions, 0, pose_size);
        set_pose(&job, model, s, poses[p]);
        run_pose(kernels, &job, s);
    }
    if (job.layout == LM_LAYOUT_STREAMED)
        lm_stream_end();
    return LM_CODE_OK;
}

lm_code lm_sample(const lm_model *model, uint32_t surface, const lm_pose *poses, size_t num_poses,
                  const lm_sample_target *target) {
    return lm_sample_with(lm_sample_choice(0), STREAM_FROM, model, surface, poses, num_poses,
                          target);
}

lm_pose lm_pose_at(const lm_model *model, double frame) {
    uint32_t last = model->num_frames - 1;
    if (!(frame > 0))
        return (lm_pose){0, 0, 0};
    if (frame >= last)
        return (lm_pose){last, last, 0};
    uint32_t whole = (uint32_t)frame;
    return (lm_pose){whole, whole + 1, (float)(frame - whole)};
}
