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

/* Whether a call's arguments are sound. */
bool lm_sound_sample(const lm_model *model, uint32_t surface, const lm_pose *poses,
                     size_t num_poses, const lm_sample_target *target);
/* Fills a job with what is the same for all poses, then with a pose; then with its outputs, so many
 * bytes after where the target begins. */
void lm_begin_job(lm_sample_job *job, const lm_model *model, const lm_sample_target *target);
void lm_set_pose(lm_sample_job *job, const lm_model *model, const lm_surface *surface,
                 lm_pose pose);
void lm_move_job(lm_sample_job *job, const lm_sample_target *target, size_t offset);

#endif
