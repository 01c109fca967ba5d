/* Running a pose's job: by the widest kernel that fits, through planes where the output lies
 * otherwise than kernels write, and with the copies that seams need. */
#ifndef LM_SAMPLE_RUN_H
#define LM_SAMPLE_RUN_H

#include "sample/kernels.h"

/* Samples a surface in the job's pose. The job has no `count` yet; its outputs and count are used
 * up. */
void lm_run_pose(const lm_sample_kernels *kernels, lm_sample_job *job, const lm_surface *surface);

/* Samples those of a surface's file vertices that a list of `count` names, to behind the job's
 * outputs of `job->count` vertices. Uses both up. */
void lm_run_vertices(const lm_sample_kernels *kernels, lm_sample_job *job, const uint32_t *vertices,
                     size_t count);

/* Samples a surface between two poses into `out`: jobs[2] are to planes of stride 4, without
 * outputs of their own. `weight` is the second's. */
void lm_run_mix(const lm_sample_kernels *kernels, const lm_sample_job jobs[2],
                const lm_sample_job *out, float weight, const lm_surface *surface);

#endif
