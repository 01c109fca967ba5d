#include "export/gltf.h"

#include "core/bytes.h"
#include "math/vectors.h"

#include <float.h>
#include <stdlib.h>

/* KHR_mesh_quantization: targets are signed, so the base must fit 15 bits. */
#define LM_MAX_STEP INT16_MAX

/* The step of compressed files in units, and the fewest steps in the size of a model. Coarser steps
 * need fewer bytes; finer ones show no difference. */
#define LM_UNIT_STEP 0.003
#define LM_FEWEST_STEPS 4096.0

/* ---- The grid ------------------------------------------------------------------------------- */

static bool is_whole(double value) {
    return fabs(value - round(value)) < 1e-4;
}

static bool has_deltas(const lm_model *model) {
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        if (model->surfaces[i].num_deltas > 0)
            return true;
    return false;
}

/* Returns true if all coordinates of the exported frames differ by multiples of `step`. */
static bool is_common_step(const lm_export *job, double step) {
    const lm_frame *frames = job->model->frames + job->first;
    if (job->still || (has_deltas(job->model) && !is_whole((double)job->model->delta_scale / step)))
        return false;
    for (uint32_t i = 0; i < job->count; i++) {
        const lm_vec3 *scale = &frames[i].scale, *move = &frames[i].translate;
        const lm_vec3 *first = &frames[0].translate;
        const double parts[] = {scale->x,
                                scale->y,
                                scale->z,
                                (double)move->x - first->x,
                                (double)move->y - first->y,
                                (double)move->z - first->z};
        for (unsigned k = 0; k < 6; k++)
            if (!is_whole(parts[k] / step))
                return false;
    }
    return true;
}

/* Returns the largest step of which all coordinates are multiples, or 0. It is the file's own; for
 * MDC, it is 1/320, of which both 1/64 and 0.05 are multiples. */
static double own_step(const lm_export *job, double extent) {
    double scale = (double)job->model->frames[job->first].scale.x;
    for (unsigned divisor = 1; scale > 0 && divisor <= 16; divisor++) {
        double step = scale / divisor;
        if (extent / step > LM_MAX_STEP)
            return 0;
        if (is_common_step(job, step))
            return step;
    }
    return 0;
}

/* Finds the bounds of some frames. Returns false if there are none. */
static bool find_bounds(const lm_export *job, uint32_t first, uint32_t count, lm_vec3 *min,
                        lm_vec3 *max) {
    lm_box box = LM_EMPTY_BOX;
    if (!job->surfaces)
        return lm_model_bounds(job->model, first, count, min, max) == LM_CODE_OK;
    for (uint32_t i = 0; i < job->model->num_surfaces; i++) {
        const size_t each = job->surfaces[i].num_vertices;
        for (size_t v = first * each; v < (first + (size_t)count) * each; v++)
            lmi_box_add(&box, lmi_vec3_at(job->surfaces[i].positions, v));
    }
    *min = lmi_vec3_at(box.low, 0);
    *max = lmi_vec3_at(box.high, 0);
    return true;
}

void lmi_gltf_choose_grid(lm_gltf_body *body) {
    const lm_export *job = &body->job;
    lm_vec3 min, max;
    uint32_t first = job->still ? job->pose.frame_a : job->first;
    uint32_t count = job->still ? job->pose.frame_b - job->pose.frame_a + 1 : job->count;
    const bool packed = body->g->options->packer != NULL;
    if ((!body->g->options->quantize && !packed) || body->plan.num_meshes == 0 ||
        !find_bounds(job, first, count, &min, &max))
        return;
    double extent = fmax(fmax((double)max.x - min.x, (double)max.y - min.y), (double)max.z - min.z);
    double step = packed ? fmin(LM_UNIT_STEP, extent / LM_FEWEST_STEPS) : own_step(job, extent);
    if (packed && body->g->options->max_error > 0) /* the diagonal of half a step on each axis */
        step = body->g->options->max_error * 2 / sqrt(3);
    if (packed)
        step = fmax(step, extent / UINT16_MAX);
    if (step == 0)
        step = extent > 0 ? extent / LM_MAX_STEP : 1;
    body->grid.offset = lmi_export_point(job, min);
    body->grid.step = (float)(step * (double)job->scale);
    body->quantized = body->grid.step >= FLT_MIN && isfinite(body->grid.step);
}

static int32_t to_step(float value, float offset, float step, int32_t most) {
    double steps = round(((double)value - (double)offset) / (double)step);
    return (int32_t)fmin(fmax(steps, 0), most);
}

/* Returns the integer of a coordinate. */
static int32_t step_of(const lm_gltf_grid *grid, lm_vec3 position, unsigned axis) {
    return to_step((&position.x)[axis], (&grid->offset.x)[axis], grid->step, UINT16_MAX);
}

void lmi_gltf_quantize(const lm_gltf_grid *grid, lm_vec3 *positions, lm_vec3 *normals,
                       uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const lm_vec3 p = positions[i], n = normals[i];
        positions[i] = (lm_vec3){(float)to_step(p.x, grid->offset.x, grid->step, LM_MAX_STEP),
                                 (float)to_step(p.y, grid->offset.y, grid->step, LM_MAX_STEP),
                                 (float)to_step(p.z, grid->offset.z, grid->step, LM_MAX_STEP)};
        normals[i] =
            (lm_vec3){(float)lrintf(n.x * LM_NORMAL_STEPS), (float)lrintf(n.y * LM_NORMAL_STEPS),
                      (float)lrintf(n.z * LM_NORMAL_STEPS)};
    }
}

/* A normal plus its difference may have other lengths than 1, because viewers normalise. Of these
 * lengths, the one with the least error is chosen. */
#define LM_LENGTH_TRIALS 5 /* on either side of 1; a step of a component apart */

/* From these errors of vertices on [units], normals have a step of 1/128, 1/64 and 1/32. */
static const double coarse_errors[] = {0.01, 0.04, 0.1};

/* ---- Rounding ------------------------------------------------------------------------------- */

/* Rounds the difference between two normals. The base is rounded already. */
static void round_normal(const double normal[3], const double base[3], int exponent,
                         double out[3]) {
    const double steps = ldexp(1, -exponent), trial = ldexp(1, exponent);
    double best = -1;
    for (int i = 0; i <= 2 * LM_LENGTH_TRIALS; i++) {
        const int trials = (i + 1) / 2; /* 0, -1, 1, -2, 2 .. */
        const double length = 1 + (i % 2 ? -trials : trials) * trial;
        double difference[3], dot = 0, square = 0;
        for (unsigned k = 0; k < 3; k++) {
            difference[k] = round((length * normal[k] - base[k]) * steps);
            const double sum = base[k] + difference[k] / steps;
            dot += sum * normal[k];
            square += sum * sum;
        }
        const double cosine = dot > 0 ? dot * dot / square : 0;
        if (cosine <= best)
            continue;
        best = cosine;
        memcpy(out, difference, sizeof difference);
    }
}

/* ---- Poses ----------------------------------------------------------------------------------- */

/* A pose of the file's vertices. */
typedef struct lm_sampled {
    lm_vec3 *positions, *normals;
} lm_sampled;

static void fill_base(const lm_gltf_grid *grid, const lm_sampled *pose, const lm_welded *weld,
                      lm_gltf_steps *steps) {
    const size_t count = steps->count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t vertex = weld->vertices[i];
        for (unsigned k = 0; k < 3; k++) {
            const float normal = (&pose->normals[vertex].x)[k];
            steps->base[k * count + i] = step_of(grid, pose->positions[vertex], k);
            steps->base[(k + 3) * count + i] =
                (int32_t)round(ldexp((double)normal, -LM_BASE_NORMAL_EXPONENT));
        }
    }
}

/* Sets a normal's difference from the base. */
static void put_normal(lm_vec3 normal, lm_vec3 base, lm_gltf_steps *steps, uint32_t vertex,
                       int16_t *row) {
    const size_t count = steps->count;
    const double wanted[] = {(double)normal.x, (double)normal.y, (double)normal.z};
    double rounded[3], difference[3] = {0, 0, 0};
    for (unsigned k = 0; k < 3; k++)
        rounded[k] = ldexp(steps->base[(k + 3) * count + vertex], LM_BASE_NORMAL_EXPONENT);
    if (!lmi_same_vec3(normal, base))
        round_normal(wanted, rounded, steps->normal_exponent, difference);
    for (unsigned k = 0; k < 3; k++) {
        row[(k + 3) * count + vertex] = (int16_t)difference[k];
        steps->normals_move = steps->normals_move || difference[k] != 0;
    }
}

static bool alloc_steps(lm_gltf_body *body, const uint32_t *poses, lm_gltf_steps *steps) {
    lm_arena *arena = &body->g->arena;
    const uint32_t num_frames = body->plan.num_frames;
    steps->rows_of = lmi_arena_alloc(arena, num_frames, sizeof *steps->rows_of);
    for (uint32_t frame = 0; steps->rows_of && frame < num_frames; frame++)
        steps->rows_of[frame] =
            poses[frame] == frame ? steps->num_rows++ : steps->rows_of[poses[frame]];
    steps->base = lmi_arena_alloc(arena, steps->count, 6 * sizeof *steps->base);
    steps->rows =
        lmi_arena_alloc(arena, (uint64_t)steps->num_rows * steps->count, 6 * sizeof *steps->rows);
    return !lmi_arena_failed(arena);
}

static bool sample_poses(lm_gltf_body *body, uint32_t mesh, const lm_sampled *base,
                         const lm_sampled *pose) {
    const lm_gltf_plan *plan = &body->plan;
    const uint32_t *poses = lmi_gltf_poses(plan, mesh), surface = plan->surfaces[mesh];
    lm_gltf_steps *steps = &plan->steps[mesh];
    if (!lmi_export_sample(&body->job, surface, plan->base, base->positions, base->normals))
        return false;
    fill_base(&body->grid, base, &plan->welds[mesh], steps);
    for (uint32_t frame = 0; frame < plan->num_frames; frame++) {
        if (poses[frame] != frame)
            continue;
        if (!lmi_export_sample(&body->job, surface, frame, pose->positions, pose->normals))
            return false;
        int16_t *row = lmi_gltf_row(steps, steps->rows_of[frame]);
        for (uint32_t i = 0; i < steps->count; i++) {
            const uint32_t vertex = plan->welds[mesh].vertices[i];
            /* Set a position's difference from the base. */
            const size_t count = steps->count;
            for (unsigned k = 0; k < 3; k++) {
                const int32_t difference =
                    step_of(&body->grid, pose->positions[vertex], k) - steps->base[k * count + i];
                steps->too_wide = steps->too_wide || abs(difference) > INT16_MAX;
                row[k * count + i] = (int16_t)difference;
            }
            put_normal(pose->normals[vertex], base->normals[vertex], steps, i, row);
        }
    }
    return true;
}

static int normal_exponent(const lm_gltf_options *options) {
    int exponent = LM_FINEST_NORMAL;
    for (size_t i = 0; i < sizeof coarse_errors / sizeof *coarse_errors; i++)
        exponent += options->max_error >= coarse_errors[i];
    return exponent;
}

static bool make_mesh_steps(lm_gltf_body *body, uint32_t mesh, lm_arena *scratch) {
    const lm_gltf_plan *plan = &body->plan;
    const size_t room = body->job.model->surfaces[plan->surfaces[mesh]].num_vertices;
    lm_gltf_steps *steps = &plan->steps[mesh];
    lm_vec3 *vectors = lmi_arena_alloc(scratch, room, 4 * sizeof *vectors);
    *steps = (lm_gltf_steps){.count = plan->welds[mesh].count,
                             .normal_exponent = normal_exponent(body->g->options)};
    if (!vectors || !alloc_steps(body, lmi_gltf_poses(plan, mesh), steps))
        return false;
    const lm_sampled base = {vectors, vectors + room};
    const lm_sampled pose = {vectors + 2 * room, vectors + 3 * room};
    return sample_poses(body, mesh, &base, &pose);
}

bool lmi_gltf_make_steps(lm_gltf_body *body) {
    lm_gltf_plan *plan = &body->plan;
    plan->steps = lmi_arena_alloc(&body->g->arena, plan->num_meshes, sizeof *plan->steps);
    bool ok = plan->steps != NULL;
    for (uint32_t mesh = 0; ok && mesh < plan->num_meshes;) {
        lm_arena scratch = {.heap = &body->g->heap};
        ok = make_mesh_steps(body, mesh, &scratch);
        lmi_arena_free(&scratch);
        const bool again = ok && plan->steps[mesh].too_wide; /* all meshes, on a wider grid */
        body->grid.step *= again ? 2 : 1;
        mesh = again ? 0 : mesh + 1;
    }
    for (uint32_t mesh = 0; ok && mesh < plan->num_meshes; mesh++) {
        ok = lmi_gltf_order(body, mesh);
        if (lmi_gltf_index_size(plan->welds[mesh].count) > body->g->index_size)
            body->g->index_size = 4;
    }
    return ok && lmi_gltf_find_references(body);
}

/* ---- Accessors ------------------------------------------------------------------------------- */

uint32_t lmi_gltf_add_positions(lm_gltf *g, const int32_t *planes, uint32_t count,
                                bool differences) {
    lm_accessor entry = {.stream = LM_STREAM_8,
                         .component = differences ? LM_GLTF_SHORT : LM_GLTF_UNSIGNED_SHORT,
                         .count = count,
                         .type = "VEC3",
                         .num_bounds = 3};
    uint8_t *out = lmi_gltf_reserve_elements(g, &entry, 8);
    for (unsigned k = 0; out && k < 3; k++) {
        const int32_t *plane = planes + (size_t)k * count;
        int32_t low = plane[0], high = plane[0];
        for (uint32_t i = 0; i < count; i++) {
            low = plane[i] < low ? plane[i] : low;
            high = plane[i] > high ? plane[i] : high;
            lmi_put_u16(out + 8 * (size_t)i + 2 * (size_t)k, (uint16_t)plane[i]);
        }
        entry.min[k] = (float)low;
        entry.max[k] = (float)high;
    }
    return lmi_gltf_add_accessor(g, &entry);
}

/* EXPONENTIAL filter: a float is an exponent in the highest byte, and a signed integer of 24 bits.
 * The integer is moved up by 8 or 16 bits, so that its sign needs no byte of its own. */
uint32_t lmi_gltf_add_normals(lm_gltf *g, const int32_t *planes, uint32_t count, int exponent) {
    lm_accessor entry = {
        .stream = LM_STREAM_NORMALS, .component = LM_GLTF_FLOAT, .count = count, .type = "VEC3"};
    uint8_t *out = lmi_gltf_reserve_elements(g, &entry, 12);
    int shift = 16;
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        if (planes[i] != (int8_t)planes[i])
            shift = 8;
    for (uint32_t i = 0; out && i < count; i++)
        for (unsigned k = 0; k < 3; k++, out += 4)
            lmi_put_u32(out, ((uint32_t)planes[(size_t)k * count + i] << shift & 0xFFFFFF) |
                                 (uint32_t)(exponent - shift) << 24);
    return lmi_gltf_add_accessor(g, &entry);
}
