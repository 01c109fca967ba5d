/* Runs the same work on many files in several threads, and prints the results in the order of the
 * files. */
#ifndef TOOL_BATCH_H
#define TOOL_BATCH_H

#include "output.h"

typedef struct tool_batch {
    const tool_args *args;
    /* Called from several threads at once, with a different job each. */
    void (*work)(tool_job *job, const void *context);
    const void *context;
    const char *done;    /* the past participle for the summary: "converted" */
    tool_output *output; /* the output files. If there are several inputs, prints only failures and
                            the summary. NULL: writes no files */
    /* If set, runs in one thread of another process (apart.h). `begin` is called there first, and
     * `end` last, even if `begin` failed. `passed` gets job->passed in this process. */
    bool (*begin)(const void *context, lm_error *error);
    void (*end)(const void *context);
    void (*passed)(tool_job *job, const void *context); /* NULL: nothing is passed */
    bool first_only;  /* one job, for the first input, which handles the others itself */
    bool blank_lines; /* between the results of one file and the next */
} tool_batch;

/* Works on every input, except those that --skip-existing omits. Returns the exit code. */
int tool_batch_run(const tool_batch *batch);

#endif
