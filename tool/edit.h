/* The steps of `lerpmesh edit`: options in the order in which they stand, done to one file. */
#ifndef TOOL_EDIT_H
#define TOOL_EDIT_H

#include "job.h"
#include "lerpmesh/edit.h"

typedef struct edit_steps {
    size_t count;
    struct edit_step *list;
} edit_steps;

/* Reads the options that are steps. On a mistake says so and returns false. */
bool edit_steps_read(const tool_args *args, edit_steps *steps);

/* Does them. What is not there in a file that was found, not named, is passed over; false if the
 * job failed, with a sentence. */
bool edit_steps_run(tool_job *job, const edit_steps *steps, lm_edit *edit);

#endif
