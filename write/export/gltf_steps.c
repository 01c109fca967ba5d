#include "export/gltf.h"

#include "core/bytes.h"

#include <math.h>
#include <string.h>

/* The step of positions in units, and the fewest and the most steps in the size of a model. */
#define LM_UNIT_STEP 0.003
#define LM_FEWEST_STEPS 4096.0
#define LM_MOST_STEPS 32766.0
#define LM_LARGEST_STEP 4194304.0 /* of a coordinate: 2^22 */
#define LM_LEAST_EXPONENT (-100)

/* A normal plus its difference may have other lengths than 1, because viewers normalise. Of these
 * lengths, the one with the least error is chosen. */
#define LM_LENGTH_TRIALS 5 /* on either side of 1 */
#define LM_LENGTH_STEP 0.004

/* ---- Rounding ------------------------------------------------------------------------------- */

static int32_t choose_exponent(const lm_export *job) {
    const uint32_t first = job->still ? job->pose.frame_a : job->first;
    const uint32_t count = job->still ? job->pose.frame_b - first + 1 : job->count;
    lm_vec3 min, max;
    if (!lm_bounds(job->model, first, count, &min, &max))
        return LM_LEAST_EXPONENT;
    const double low[] = {min.x, min.y, min.z}, high[] = {max.x, max.y, max.z};
    const double scale = fabs((double)job->scale);
    double extent = 0, largest = 0;
    for (unsigned k = 0; k < 3; k++) {
        extent = fmax(extent, high[k] - low[k]);
        largest = fmax(largest, fmax(fabs(low[k]), fabs(high[k])));
    }
    int exponent;
    frexp(scale * (extent > 0 ? fmin(LM_UNIT_STEP, extent / LM_FEWEST_STEPS) : LM_UNIT_STEP),
          &exponent);
    exponent = exponent - 1 > LM_LEAST_EXPONENT ? exponent - 1 : LM_LEAST_EXPONENT;
    while (scale * extent > ldexp(LM_MOST_STEPS, exponent) ||
           scale * largest > ldexp(LM_LARGEST_STEP, exponent))
        exponent++;
    return exponent;
}

static int32_t to_steps(float value, int exponent) {
    return (int32_t)round(ldexp((double)value, -exponent));
}

static int16_t to_row(double steps) {
    return (int16_t)fmin(fmax(steps, -INT16_MAX), INT16_MAX);
}

/* Rounds the difference between two normals. The base is rounded already. */
static void round_normal(const double normal[3], const double base[3], double out[3]) {
    const double steps = ldexp(1, -LM_NORMAL_EXPONENT);
    double best = -1;
    for (int i = 0; i <= 2 * LM_LENGTH_TRIALS; i++) {
        const double length = 1 + (i % 2 ? -1 : 1) * ((i + 1) / 2) * LM_LENGTH_STEP;
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

static void fill_base(const lm_sampled *pose, const lm_welded *weld, lm_gltf_steps *steps) {
    for (uint32_t i = 0; i < steps->count; i++) {
        const float *p = &pose->positions[weld->vertices[i]].x;
        const float *n = &pose->normals[weld->vertices[i]].x;
        for (unsigned k = 0; k < 3; k++) {
            steps->base[k * (size_t)steps->count + i] = to_steps(p[k], steps->exponent);
            steps->base[(k + 3) * (size_t)steps->count + i] =
                to_steps(n[k], LM_BASE_NORMAL_EXPONENT);
        }
    }
}

/* Fills a row with the differences from the base. */
static void fill_row(const lm_sampled *base, const lm_sampled *pose, const lm_welded *weld,
                     lm_gltf_steps *steps, int16_t *row) {
    for (uint32_t i = 0; i < steps->count; i++) {
        const uint32_t vertex = weld->vertices[i];
        const float *p = &pose->positions[vertex].x, *n = &pose->normals[vertex].x;
        const double normal[] = {n[0], n[1], n[2]};
        double rounded[3], difference[3] = {0, 0, 0};
        for (unsigned k = 0; k < 3; k++) {
            const int32_t *at = steps->base + k * (size_t)steps->count + i;
            row[k * (size_t)steps->count + i] = to_row(to_steps(p[k], steps->exponent) - *at);
            rounded[k] = ldexp(at[3 * (size_t)steps->count], LM_BASE_NORMAL_EXPONENT);
        }
        if (memcmp(n, &base->normals[vertex], sizeof *base->normals) != 0)
            round_normal(normal, rounded, difference);
        for (unsigned k = 0; k < 3; k++) {
            row[(k + 3) * (size_t)steps->count + i] = to_row(difference[k]);
            steps->normals_move = steps->normals_move || difference[k] != 0;
        }
    }
}

static bool alloc_steps(lm_gltf_body *body, const uint32_t *poses, lm_gltf_steps *steps) {
    lm_arena *arena = &body->g->arena;
    const uint32_t num_frames = body->plan.num_frames;
    steps->rows_of = lm_arena_alloc(arena, num_frames, sizeof *steps->rows_of);
    for (uint32_t frame = 0; steps->rows_of && frame < num_frames; frame++)
        steps->rows_of[frame] =
            poses[frame] == frame ? steps->num_rows++ : steps->rows_of[poses[frame]];
    steps->base = lm_arena_alloc(arena, steps->count, 6 * sizeof *steps->base);
    steps->rows = lm_arena_alloc(arena, (uint64_t)steps->num_rows * steps->count,
                                 6 * sizeof *steps->rows);
    return !lm_arena_failed(arena);
}

static bool sample_poses(lm_gltf_body *body, uint32_t mesh, const lm_sampled *base,
                         const lm_sampled *pose) {
    const lm_gltf_plan *plan = &body->plan;
    const uint32_t *poses = lm_gltf_poses(plan, mesh), surface = plan->surfaces[mesh];
    lm_gltf_steps *steps = &plan->steps[mesh];
    if (!lm_export_sample(&body->job, surface, plan->base, base->positions, base->normals))
        return false;
    fill_base(base, &plan->welds[mesh], steps);
    for (uint32_t frame = 0; frame < plan->num_frames; frame++) {
        if (poses[frame] != frame)
            continue;
        if (!lm_export_sample(&body->job, surface, frame, pose->positions, pose->normals))
            return false;
        fill_row(base, pose, &plan->welds[mesh], steps, lm_gltf_row(steps, steps->rows_of[frame]));
    }
    return true;
}

static bool make_mesh_steps(lm_gltf_body *body, uint32_t mesh, int32_t exponent,
                            lm_arena *scratch) {
    const lm_gltf_plan *plan = &body->plan;
    const size_t room = body->job.model->surfaces[plan->surfaces[mesh]].num_vertices;
    lm_gltf_steps *steps = &plan->steps[mesh];
    lm_vec3 *vectors = lm_arena_alloc(scratch, room, 4 * sizeof *vectors);
    *steps = (lm_gltf_steps){.count = plan->welds[mesh].count, .exponent = exponent};
    if (!vectors || !alloc_steps(body, lm_gltf_poses(plan, mesh), steps))
        return false;
    const lm_sampled base = {vectors, vectors + room};
    const lm_sampled pose = {vectors + 2 * room, vectors + 3 * room};
    return sample_poses(body, mesh, &base, &pose) && lm_gltf_order(body, mesh);
}

bool lm_gltf_make_steps(lm_gltf_body *body) {
    lm_gltf_plan *plan = &body->plan;
    const int32_t exponent = choose_exponent(&body->job);
    plan->steps = lm_arena_alloc(&body->g->arena, plan->num_meshes, sizeof *plan->steps);
    bool ok = plan->steps != NULL;
    for (uint32_t mesh = 0; ok && mesh < plan->num_meshes; mesh++) {
        lm_arena scratch = {.heap = &body->g->heap};
        ok = make_mesh_steps(body, mesh, exponent, &scratch);
        lm_arena_free(&scratch);
        body->g->index_size = plan->welds[mesh].count > UINT16_MAX ? 4 : body->g->index_size;
    }
    return ok && lm_gltf_find_references(body);
}

/* ---- Accessors ------------------------------------------------------------------------------- */

/* EXPONENTIAL filter: a float is an exponent in the highest byte, and a signed integer of 24 bits.
 * Integers of 16 bits are moved up by 8, so that their sign needs no byte of its own. */
bool lm_gltf_add_steps(lm_gltf *g, lm_gltf_stream stream, const int32_t *planes, uint32_t count,
                       int exponent, uint32_t *accessor) {
    const unsigned width = stream == LM_STREAM_8 ? 2 : 3;
    lm_accessor entry = {.stream = stream,
                         .component = LM_GLTF_FLOAT,
                         .count = count,
                         .type = width == 2 ? "VEC2" : "VEC3"};
    uint8_t *out = lm_gltf_reserve_elements(g, &entry, 4 * (size_t)width);
    int32_t low[3], high[3], most = 0;
    if (!out)
        return false;
    for (unsigned k = 0; k < width; k++) {
        const int32_t *plane = planes + (size_t)k * count;
        low[k] = high[k] = plane[0];
        for (uint32_t i = 1; i < count; i++) {
            low[k] = plane[i] < low[k] ? plane[i] : low[k];
            high[k] = plane[i] > high[k] ? plane[i] : high[k];
        }
        most = high[k] > most ? high[k] : -low[k] > most ? -low[k] : most;
        entry.min[k] = (float)ldexp(low[k], exponent);
        entry.max[k] = (float)ldexp(high[k], exponent);
    }
    const unsigned shift = most <= INT16_MAX ? 8 : 0;
    for (uint32_t i = 0; i < count; i++)
        for (unsigned k = 0; k < width; k++, out += 4)
            lm_put_u32(out, ((uint32_t)planes[(size_t)k * count + i] << shift & 0xFFFFFF) |
                                (uint32_t)(exponent - (int)shift) << 24);
    entry.num_bounds = stream == LM_STREAM_12 ? 3 : 0;
    *accessor = lm_gltf_add_accessor(g, &entry);
    return true;
}
