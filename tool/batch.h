/* The same work on each of many files: by several threads, told in the order of the files. */
#ifndef TOOL_BATCH_H
#define TOOL_BATCH_H

#include "output.h"

typedef struct tool_batch {
    const tool_args *args;
    /* Called from several threads at once, each with its own job. */
    void (*work)(tool_job *job, const void *context);
    const void *context;
    const char *done;    /* what happened to a file: "converted" */
    tool_output *output; /* where files are written: of several, only failures and the sum are told;
                            NULL: none are */
    bool one_thread;     /* whatever -j says: the caller's */
    bool first_only;     /* one job, for the first input; it knows what the others are */
    bool blank_lines;    /* between the results of one file and the next */
} tool_batch;

/* Works on every input, but for those that --skip-existing leaves out. Returns the exit code. */
int tool_batch_run(const tool_batch *batch);

#endif
