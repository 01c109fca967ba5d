#include "export/gltf.h"

#include <float.h>
#include <math.h>

/* KHR_mesh_quantization: targets are signed, so the base must fit 15 bits. */
#define LM_MAX_STEP INT16_MAX

/* The step of compressed files in units, and the fewest steps in the size of a model. */
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

/* Returns the step of a compressed file. Coarser steps need fewer bytes; finer ones show no
 * difference. */
static double packed_step(const lm_gltf_options *options, double extent) {
    double step = fmin(LM_UNIT_STEP, extent / LM_FEWEST_STEPS);
    if (options->max_error > 0)
        step = options->max_error * 2 / sqrt(3); /* the diagonal of half a step on each axis */
    return fmax(step, extent / UINT16_MAX);
}

void lm_gltf_choose_grid(lm_gltf_body *body) {
    const lm_export *job = &body->job;
    lm_vec3 min, max;
    uint32_t first = job->still ? job->pose.frame_a : job->first;
    uint32_t count = job->still ? job->pose.frame_b - job->pose.frame_a + 1 : job->count;
    const bool packed = body->g->options->packer != NULL;
    if ((!body->g->options->quantize && !packed) || body->plan.num_meshes == 0 ||
        !lm_bounds(job->model, first, count, &min, &max))
        return;
    double extent = fmax(fmax((double)max.x - min.x, (double)max.y - min.y), (double)max.z - min.z);
    double step = packed ? packed_step(body->g->options, extent) : own_step(job, extent);
    if (step == 0)
        step = extent > 0 ? extent / LM_MAX_STEP : 1;
    body->grid.offset = lm_export_point(job, min);
    body->grid.step = (float)(step * (double)job->scale);
    body->quantized = body->grid.step >= FLT_MIN && isfinite(body->grid.step);
}

static int32_t to_step(float value, float offset, float step, int32_t most) {
    double steps = round(((double)value - (double)offset) / (double)step);
    return (int32_t)fmin(fmax(steps, 0), most);
}

int32_t lm_gltf_step_of(const lm_gltf_grid *grid, lm_vec3 position, unsigned axis) {
    return to_step((&position.x)[axis], (&grid->offset.x)[axis], grid->step, UINT16_MAX);
}

void lm_gltf_quantize(const lm_gltf_grid *grid, lm_vec3 *positions, lm_vec3 *normals,
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
