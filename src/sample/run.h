/* Runs the job of a pose: uses the widest kernel that fits, goes through planes if kernels do not
 * support the layout, and adds the copies for seams. */
#ifndef LM_SAMPLE_RUN_H
#define LM_SAMPLE_RUN_H

#include "sample/kernels.h"

/* Samples a surface in the job's pose. The job's `count` need not be set. Modifies its outputs and
 * count. */
void lm_run_pose(const lm_sample_kernels *kernels, lm_sample_job *job, const lm_surface *surface);

/* Samples the `count` file vertices in the list. They follow the job's first `job->count` vertices
 * in the outputs. Modifies the job's outputs and count. */
void lm_run_vertices(const lm_sample_kernels *kernels, lm_sample_job *job, const uint32_t *vertices,
                     size_t count);

/* Samples a surface between two poses into `out`. Both jobs are to planes of stride 4, without
 * outputs of their own. `weight` is that of the second pose. */
void lm_run_blend(const lm_sample_kernels *kernels, const lm_sample_job jobs[2],
                  const lm_sample_job *out, float weight, const lm_surface *surface);

#endif
