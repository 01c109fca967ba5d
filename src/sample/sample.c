#include "lerpmesh/sample.h"

#include "core/bytes.h"
#include "core/options.h"
#include "math/vectors.h"
#include "model/pose.h"
#include "sample/bones.h"
#include "sample/kernels.h"

#include <math.h>
#include <string.h>

/* ---- Blending two poses ------------------------------------------------------------------- */

/* Blends two poses, each of which is between two frames. A block of vertices of each pose at a time
 * is sampled into local planes, and the planes are blended. All kernels fill the planes
 * identically, and the blend is the same scalar code for all. */

#define BLOCK ((size_t)64) /* vertices at a time */

typedef struct planes {
    float positions[3][BLOCK], normals[3][BLOCK];
} planes;

typedef struct blending {
    lm_sample_job jobs[2]; /* of the two poses, into planes */
    planes soa[2];
    float weight;      /* of the second pose */
    lm_sample_job out; /* the caller's outputs and strides */
} blending;

static lm_vec3 vector_at(const float component[3][BLOCK], size_t i) {
    return (lm_vec3){component[0][i], component[1][i], component[2][i]};
}

static lm_vec3 blend(lm_vec3 a, lm_vec3 b, float weight) {
    return lmi_sum_of(lmi_scaled(a, 1 - weight), b, weight);
}

/* Writes the normal of a vertex, whose outputs are at `at`. If it has cancelled out, writes
 * `nearer`. */
static void write_normal(const lm_sample_job *out, size_t at, lm_vec3 n, lm_vec3 nearer) {
    float scale = lmi_scale_for(&n, nearer, 1);
    if (out->normals)
        lmi_store_vec3(out->normals + at, out->component, lmi_scaled(n, scale));
    scale = lmi_scale_for(&n, nearer, 127);
    if (out->packed)
        lmi_put_u32((uint8_t *)out->packed + at, lmi_packed_of(lmi_scaled(n, scale)));
}

static void write_block(const blending *m, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t at = (first + i) * m->out.stride;
        if (m->out.positions)
            lmi_store_vec3(m->out.positions + at, m->out.component,
                           blend(vector_at(m->soa[0].positions, i),
                                 vector_at(m->soa[1].positions, i), m->weight));
        if (m->out.normals || m->out.packed) {
            lm_vec3 a = vector_at(m->soa[0].normals, i), b = vector_at(m->soa[1].normals, i);
            write_normal(&m->out, at, blend(a, b, m->weight), m->weight <= 0.5f ? a : b);
        }
    }
}

/* Samples a surface between two poses into `out`. Both jobs are to planes of stride 4, without
 * outputs of their own. `weight` is that of the second pose. */
static void run_blend(const lm_sample_kernels *kernels, const lm_sample_job jobs[2],
                      const lm_sample_job *out, float weight, const lm_surface *surface) {
    blending m = {.jobs = {jobs[0], jobs[1]}, .weight = weight, .out = *out};
    m.jobs[0].component = m.jobs[1].component = sizeof *m.soa->positions;
    for (size_t v = 0; v < surface->num_vertices; v += BLOCK) {
        size_t left = surface->num_vertices - v, count = left < BLOCK ? left : BLOCK;
        for (unsigned i = 0; i < 2; i++) {
            lm_sample_job *job = &m.jobs[i];
            planes *to = &m.soa[i];
            job->positions = m.out.positions ? (char *)to->positions : NULL;
            job->normals = m.out.normals || m.out.packed ? (char *)to->normals : NULL;
            job->packed = NULL;
            job->count = 0;
            lmi_run_vertices(kernels, job, surface->file_vertices + v, count);
        }
        write_block(&m, v, count);
    }
}

/* Output of at least this many bytes, several times the size of caches, bypasses the caches. */
#define STREAM_FROM ((size_t)64 << 20)

/* ---- Arguments ----------------------------------------------------------------------------- */

/* Returns the bytes that a vertex needs: in planes, or with x, y and z adjacent. */
static size_t vertex_size(const lm_sample_target *target) {
    return target->component_stride || !(target->positions || target->normals) ? 4 : 12;
}

static size_t stride_of(const lm_sample_target *target) {
    return target->stride ? target->stride : vertex_size(target);
}

static bool sound_target(const lm_sample_target *target) {
    if (target->stride % 4 || target->pose_stride % 4 || target->component_stride % 4)
        return false;
    if (target->zero_padding && (!target->positions || target->component_stride))
        return false;
    return stride_of(target) >= vertex_size(target) && LM_RESERVED_VALID(target, NULL, "target");
}

LM_ALWAYS_INLINE bool sound_sample(const lm_model *model, uint32_t surface, const lm_pose *poses,
                                   size_t num_poses, const lm_sample_target *target) {
    if (!(model && target && surface < model->num_surfaces && sound_target(target) &&
          (poses || num_poses == 0)))
        return false;
    for (size_t p = 0; p < num_poses; p++)
        if (!lmi_pose_sound(&poses[p], model->num_frames, target->extrapolate))
            return false;
    return true;
}

/* ---- Jobs ---------------------------------------------------------------------------------- */

static lm_sample_layout layout_of(const lm_sample_target *target) {
    const char *positions = (const char *)target->positions;
    const char *normals = (const char *)target->normals;
    const char *packed = (const char *)target->packed_normals;
    size_t stride = stride_of(target);
    if (stride == 4)
        return LM_LAYOUT_SOA;
    if (target->component_stride)
        return LM_LAYOUT_SCATTERED;
    if (stride == 12 && !packed)
        return LM_LAYOUT_TRIPLES;
    if (!positions)
        return LM_LAYOUT_SCATTERED;
    if (normals && !packed && normals == positions + 12 && stride >= 24)
        return stride == 24                           ? LM_LAYOUT_24
               : stride == 32 && target->zero_padding ? LM_LAYOUT_32
                                                      : LM_LAYOUT_ROWS;
    if (packed && !normals && packed == positions + 12 && stride >= 16)
        return stride == 16 ? LM_LAYOUT_16 : LM_LAYOUT_ROWS_OF_16;
    return LM_LAYOUT_SCATTERED;
}

/* Sets the members of a job that are the same for all poses. Jobs are written member by member, in
 * place: copying a struct that was just written stalls until its stores reach the cache. */
LM_ALWAYS_INLINE void begin_job(lm_sample_job *job, const lm_model *model,
                                const lm_sample_target *target) {
    job->layout = layout_of(target);
    job->add_normals = model->delta_normals_add;
    job->stride = stride_of(target);
    job->component = target->component_stride ? target->component_stride : 4;
}

/* Replaces invisibly small numbers by 0, because their products would be slow to compute. */
static float without_tiny(float x) {
    return lmi_tiny(x) ? 0 : x;
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

/* Blends two numbers. Adding 0 turns -0 into 0. No sum that starts with the result can then be
 * -0. */
static float weighted_sum(float a, float share_a, float b, float share_b) {
    return without_tiny(a * share_a + b * share_b) + 0.0f;
}

LM_ALWAYS_INLINE void set_pose(lm_sample_job *job, const lm_model *model, const lm_surface *surface,
                               lm_pose pose) {
    float t = fabsf(pose.t) < 1e-12f ? 0 : pose.t;
    bool b_first = t > 0.5f;
    float first = b_first ? t : 1 - t, second = b_first ? 1 - t : t;
    uint32_t frame = b_first ? pose.frame_b : pose.frame_a;
    uint32_t other = second == 0 ? frame : b_first ? pose.frame_a : pose.frame_b;
    const lm_vec3 *a = &model->frames[frame].translate, *b = &model->frames[other].translate;
    set_side(&job->sides[0], model, surface, frame, first);
    set_side(&job->sides[1], model, surface, other, second);
    job->translate[0] = weighted_sum(a->x, first, b->x, second);
    job->translate[1] = weighted_sum(a->y, first, b->y, second);
    job->translate[2] = weighted_sum(a->z, first, b->z, second);
    job->ratio = second / first;
    job->input = input_of(surface, job->sides);
    const lm_vec3 *scale = &model->frames[frame].scale, *scale_b = &model->frames[other].scale;
    if (job->input == LM_INPUT_S16_DELTAS && job->sides[0].key == job->sides[1].key &&
        scale->x == scale_b->x && scale->y == scale_b->y && scale->z == scale_b->z) {
        job->input = LM_INPUT_S16_DELTAS_ON_ONE;
        set_scale(&job->sides[0], scale, 1);
    }
}

/* ---- Bones ------------------------------------------------------------------------------------
 */

/* Samples a surface whose vertices follow bones in a pose, or between two; `weight` is that of the
 * second pose. */
static void follow(const lm_surface *s, const lm_transform *first, const lm_transform *second,
                   float weight, const lm_sample_job *out) {
    for (uint32_t v = 0; v < s->num_vertices; v++) {
        const size_t at = v * out->stride;
        lm_vec3 position, normal, to, to_normal;
        lmi_follow_bones(s, s->file_vertices[v], first, &position, &normal);
        lm_vec3 nearer = normal;
        if (weight > 0) {
            lmi_follow_bones(s, s->file_vertices[v], second, &to, &to_normal);
            nearer = weight <= 0.5f ? normal : to_normal;
            position = blend(position, to, weight);
            normal = blend(normal, to_normal, weight);
        }
        if (out->positions)
            lmi_store_vec3(out->positions + at, out->component, position);
        if (out->normals || out->packed)
            write_normal(out, at, normal, nearer);
    }
}

LM_NEVER_INLINE static void follow_pose(const lm_model *model, const lm_surface *s,
                                        const lm_pose *pose, const lm_sample_job *out) {
    lm_transform bones[LM_MAX_BONES];
    lmi_pose_bones(model, pose, pose, LM_ALL_BONES, bones);
    follow(s, bones, NULL, 0, out);
}

LM_NEVER_INLINE static void follow_blend(const lm_model *model, const lm_surface *s,
                                         const lm_pose *from, const lm_pose *to, float weight,
                                         const lm_sample_job *out) {
    lm_transform bones[2][LM_MAX_BONES];
    lmi_pose_bones(model, from, from, LM_ALL_BONES, bones[0]);
    lmi_pose_bones(model, to, to, LM_ALL_BONES, bones[1]);
    follow(s, bones[0], bones[1], weight, out);
}

/* ---- The calls ----------------------------------------------------------------------------- */

LM_ALWAYS_INLINE void move_job(lm_sample_job *job, const lm_sample_target *target, size_t offset) {
    job->positions = target->positions ? (char *)target->positions + offset : NULL;
    job->normals = target->normals ? (char *)target->normals + offset : NULL;
    job->packed = target->packed_normals ? (char *)target->packed_normals + offset : NULL;
}

/* Returns true if the output bypasses the caches: only large output in whole cache lines, as
 * writing parts of a line that way is slow. */
static bool streams(const lm_sample_job *job, const lm_sample_target *target, size_t pose_size,
                    size_t pose_stride, size_t num_poses, size_t from) {
    uintptr_t start = (uintptr_t)target->positions;
    return LM_STREAMS && job->layout == LM_LAYOUT_32 && start % 32 == 0 &&
           pose_stride == pose_size && num_poses * pose_size >= from;
}

lm_code lmi_sample_with(const lm_sample_kernels *kernels, size_t stream_from, const lm_model *model,
                        uint32_t surface, const lm_pose *poses, size_t num_poses,
                        const lm_sample_target *target) {
    if (!sound_sample(model, surface, poses, num_poses, target))
        return LM_CODE_BAD_ARGUMENT;
    const lm_surface *s = &model->surfaces[surface];
    if (s->num_vertices == 0) /* the surface may have no keys to read */
        return LM_CODE_OK;
    lm_sample_job job;
    begin_job(&job, model, target);
    size_t pose_size = s->num_vertices * job.stride;
    size_t pose_stride = target->pose_stride ? target->pose_stride : pose_size;
    const bool pads = job.layout == LM_LAYOUT_32 && !s->weights; /* the kernels do */
    char *zeros = target->zero_padding && !pads ? (char *)target->positions : NULL;
    if (streams(&job, target, pose_size, pose_stride, num_poses, stream_from))
        job.layout = LM_LAYOUT_STREAMED;
    for (size_t p = 0; p < num_poses; p++) {
        move_job(&job, target, p * pose_stride);
        if (zeros)
            memset(zeros + p * pose_stride, 0, pose_size);
        if (lmi_has_bones(model)) {
            follow_pose(model, s, &poses[p], &job);
            continue;
        }
        set_pose(&job, model, s, poses[p]);
        lmi_run_pose(kernels, &job, s);
    }
    if (job.layout == LM_LAYOUT_STREAMED)
        lmi_stream_end();
    return LM_CODE_OK;
}

lm_code lmi_sample_blend_with(const lm_sample_kernels *kernels, const lm_model *model,
                              uint32_t surface, const lm_pose *from, const lm_pose *to,
                              float weight, const lm_sample_target *target) {
    const lm_sample_target soa = {.stride = 4};
    if (!(weight >= 0 && weight <= 1) || !sound_sample(model, surface, from, 1, target) ||
        !sound_sample(model, surface, to, 1, target))
        return LM_CODE_BAD_ARGUMENT;
    if (weight == 0 || weight == 1) /* exactly one of the poses, bit for bit */
        return lmi_sample_with(kernels, SIZE_MAX, model, surface, weight == 0 ? from : to, 1,
                               target);
    const lm_surface *s = &model->surfaces[surface];
    if (s->num_vertices == 0) /* the surface may have no keys to read */
        return LM_CODE_OK;
    lm_sample_job out, jobs[2];
    begin_job(&out, model, target);
    move_job(&out, target, 0);
    if (target->zero_padding)
        memset(out.positions, 0, s->num_vertices * out.stride);
    if (lmi_has_bones(model)) {
        follow_blend(model, s, from, to, weight, &out);
        return LM_CODE_OK;
    }
    for (unsigned i = 0; i < 2; i++) {
        begin_job(&jobs[i], model, &soa);
        set_pose(&jobs[i], model, s, i ? *to : *from);
    }
    run_blend(kernels, jobs, &out, weight, s);
    return LM_CODE_OK;
}

lm_code lm_sample(const lm_model *model, uint32_t surface, const lm_pose *poses, uint32_t num_poses,
                  const lm_sample_target *target) {
    return lmi_sample_with(lmi_sample_choice(0), STREAM_FROM, model, surface, poses, num_poses,
                           target);
}

void lm_model_pose_at(const lm_model *model, double frame, lm_pose *out) {
    uint32_t last = model->num_frames - 1;
    uint32_t whole = frame > 0 ? frame < last ? (uint32_t)frame : last : 0; /* NaN is 0 */
    *out = (lm_pose){whole, whole, 0, false};
    if (frame > 0 && frame < last)
        *out = (lm_pose){whole, whole + 1, (float)(frame - whole), false};
}

lm_code lm_sample_blend(const lm_model *model, uint32_t surface, const lm_pose *from,
                        const lm_pose *to, float weight, const lm_sample_target *target) {
    return lmi_sample_blend_with(lmi_sample_choice(0), model, surface, from, to, weight, target);
}

lm_code lm_sample_bones(const lm_model *model, const lm_pose *legs, const lm_pose *torso,
                        const lm_vec3 *turn, lm_transform *out) {
    const lm_pose *const poses[] = {legs, torso};
    bool sound = model && model->bones && out;
    for (int i = 0; i < 2; i++)
        sound = sound && poses[i] && lmi_pose_sound(poses[i], model->num_frames, false);
    if (!sound || (turn && !(isfinite(turn->x) && isfinite(turn->y) && isfinite(turn->z))))
        return LM_CODE_BAD_ARGUMENT;
    lmi_pose_bones(model, legs, torso, LM_ALL_BONES, out);
    if (turn)
        lmi_turn_torso(model->bones, turn, out);
    return LM_CODE_OK;
}

lm_code lm_sample_weights(const lm_model *model, uint32_t surface, const lm_transform *bones,
                          const lm_sample_target *target) {
    lm_sample_job job;
    if (!sound_sample(model, surface, NULL, 0, target) || !model->bones || !bones)
        return LM_CODE_BAD_ARGUMENT;
    const lm_surface *s = &model->surfaces[surface];
    begin_job(&job, model, target);
    move_job(&job, target, 0);
    if (target->zero_padding)
        memset(job.positions, 0, s->num_vertices * job.stride);
    follow(s, bones, NULL, 0, &job);
    return LM_CODE_OK;
}

/* ---- Bounds -------------------------------------------------------------------------------- */

/* Vertices are sampled in chunks of this size, through a copy of the surface that shows only the
 * chunk. */
#define CHUNK 64u

/* Includes the surface's vertices of a frame. Copies for seams have the positions of their
 * originals, so only the file's own vertices matter. */
static void include_surface(const lm_model *model, const lm_surface *surface, uint32_t frame,
                            lm_box *out) {
    lm_box box = *out; /* a local copy, which nothing aliases */
    lm_vec3 positions[CHUNK];
    lm_surface chunk = *surface;
    lm_model one = *model;
    one.surfaces = &chunk;
    one.num_surfaces = 1;
    for (uint32_t start = 0; start < surface->num_file_vertices; start += CHUNK) {
        uint32_t left = surface->num_file_vertices - start;
        chunk.num_vertices = chunk.num_file_vertices = left < CHUNK ? left : CHUNK;
        chunk.keys = surface->keys + start * surface->key_size;
        chunk.deltas = surface->deltas ? surface->deltas + start * (size_t)4 : NULL;
        lm_sample(&one, 0, &(lm_pose){frame, frame, 0, false}, 1,
                  &(lm_sample_target){.positions = &positions->x});
        for (uint32_t v = 0; v < chunk.num_vertices; v++)
            lmi_box_add(&box, positions[v]);
    }
    *out = box;
}

/* Includes the vertices of a frame of a model with bones. */
LM_NEVER_INLINE static void include_weights(const lm_model *model, uint32_t frame, lm_box *box) {
    const lm_pose pose = {frame, frame, 0, false};
    lm_transform bones[LM_MAX_BONES];
    lmi_pose_bones(model, &pose, &pose, LM_ALL_BONES, bones);
    for (uint32_t s = 0; s < model->num_surfaces; s++)
        for (uint32_t v = 0; v < model->surfaces[s].num_file_vertices; v++) {
            lm_vec3 position, normal;
            lmi_follow_bones(&model->surfaces[s], v, bones, &position, &normal);
            lmi_box_add(box, position);
        }
}

lm_code lm_model_bounds(const lm_model *model, uint32_t first, uint32_t count, lm_vec3 *min,
                        lm_vec3 *max) {
    lm_box vertices = LM_EMPTY_BOX, lows = LM_EMPTY_BOX, highs = LM_EMPTY_BOX;
    if (!model || !min || !max || count == 0 || first >= model->num_frames ||
        count > model->num_frames - first)
        return LM_CODE_BAD_ARGUMENT;
    for (uint32_t f = first; f < first + count; f++) {
        if (lmi_has_bones(model))
            include_weights(model, f, &vertices);
        for (uint32_t s = 0; s < model->num_surfaces && !lmi_has_bones(model); s++)
            include_surface(model, &model->surfaces[s], f, &vertices);
        lmi_box_add(&lows, model->frames[f].min);
        lmi_box_add(&highs, model->frames[f].max);
    }
    const bool empty = vertices.low[0] > vertices.high[0];
    *min = lmi_vec3_at(empty ? lows.low : vertices.low, 0);
    *max = lmi_vec3_at(empty ? highs.high : vertices.high, 0);
    return LM_CODE_OK;
}
