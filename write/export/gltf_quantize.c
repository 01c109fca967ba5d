#include "export/gltf.h"

#include <float.h>
#include <math.h>

/* KHR_mesh_quantization: targets are signed, so the base must fit 15 bits. */
#define LM_MAX_STEP INT16_MAX

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

void lm_gltf_choose_grid(lm_gltf_body *body) {
    const lm_export *job = &body->job;
    lm_vec3 min, max;
    uint32_t first = job->still ? job->pose.frame_a : job->first;
    uint32_t count = job->still ? job->pose.frame_b - job->pose.frame_a + 1 : job->count;
    if (!body->g->options->quantize || body->plan.num_meshes == 0 ||
        !lm_bounds(job->model, first, count, &min, &max))
        return;
    double extent = fmax(fmax((double)max.x - min.x, (double)max.y - min.y), (double)max.z - min.z);
    double step = own_step(job, extent);
    if (step == 0)
        step = extent > 0 ? extent / LM_MAX_STEP : 1;
    body->grid.offset = lm_export_point(job, min);
    body->grid.step = (float)(step * (double)job->scale);
    body->quantized = body->grid.step >= FLT_MIN && isfinite(body->grid.step);
}

static float to_step(float value, float offset, float step) {
    double steps = round(((double)value - (double)offset) / (double)step);
    return (float)(int32_t)fmin(fmax(steps, 0), LM_MAX_STEP);
}

void lm_gltf_quantize(const lm_gltf_grid *grid, lm_vec3 *positions, lm_vec3 *normals,
                      uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const lm_vec3 p = positions[i], n = normals[i];
        positions[i] = (lm_vec3){to_step(p.x, grid->offset.x, grid->step),
                                 to_step(p.y, grid->offset.y, grid->step),
                                 to_step(p.z, grid->offset.z, grid->step)};
        normals[i] =
            (lm_vec3){(float)lrintf(n.x * LM_NORMAL_STEPS), (float)lrintf(n.y * LM_NORMAL_STEPS),
                      (float)lrintf(n.z * LM_NORMAL_STEPS)};
    }
}
