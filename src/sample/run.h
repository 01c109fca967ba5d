/* Running a pose's job: by the widest kernel that fits, through planes where the output lies
 * otherwise than kernels write, and with the copies that seams need. */
#ifndef LM_SAMPLE_RUN_H
#define LM_SAMPLE_RUN_H

#include "sample/kernels.h"

/* Samples a surface in the job's pose. The job has no `count` yet; its outputs and count are used
 * up. */
void lm_run_pose(const lm_sample_kernels *kernels, lm_sample_job *job, const lm_surface *surface);

#endif
