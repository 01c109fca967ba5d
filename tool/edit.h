/* The steps of `lerpmesh edit`: the options in their order, applied to one file. */
#ifndef TOOL_EDIT_H
#define TOOL_EDIT_H

#include "job.h"
#include "lerpmesh/edit.h"

typedef struct edit_steps {
    size_t count;
    struct edit_step *list;
} edit_steps;

/* Reads the options that are steps. Reports mistakes and returns false. */
bool edit_steps_read(const tool_args *args, edit_steps *steps);

/* Runs the steps. In a file that was not named itself, missing elements are skipped. On failure the
 * job has failed, with a message. */
bool edit_steps_run(tool_job *job, const edit_steps *steps, lm_edit *edit);

#endif
