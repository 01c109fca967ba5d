/* The steps of `lerpmesh edit`: options in the order in which they stand, done to one file. */
#ifndef TOOL_EDIT_H
#define TOOL_EDIT_H

#include "job.h"
#include "lerpmesh/edit.h"

typedef struct edit_step edit_step;
struct edit_step {
    bool (*run)(tool_job *job, lm_edit *edit, const edit_step *step);
    tool_option option;
    lm_edit_list list;
    const char *text; /* the value, behind WHAT: if it has one */
    lm_edit_place place;
    bool exact;    /* `place` can say it */
    bool reencode; /* what cannot be otherwise is encoded anew, as `recast` says */
    lm_edit_recast recast;
    lm_vec3 vector;
};

typedef struct edit_steps {
    size_t count;
    edit_step *list;
} edit_steps;

/* Reads the options that are steps. On a mistake says so and returns false. Free in any case. */
bool edit_steps_read(const tool_args *args, edit_steps *steps);
void edit_steps_free(edit_steps *steps);

/* Does them. What is not there in a file that was found, not named, is passed over; false if the
 * job failed, with a sentence. */
bool edit_steps_run(tool_job *job, const edit_steps *steps, lm_edit *edit);

#endif
