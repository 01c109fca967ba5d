/* The same work on each of many files: by several threads, told in the order of the files. */
#ifndef TOOL_BATCH_H
#define TOOL_BATCH_H

#include "job.h"

typedef struct tool_batch {
    const tool_args *args;
    /* Called from several threads at once, each with its own job. */
    void (*work)(tool_job *job, const void *context);
    const void *context;
    const char *done; /* what happened to a file: "converted" */
    bool writes;      /* files: of several, only failures and the sum are told */
    bool one_thread;  /* whatever -j says: the caller's */
    bool blank_lines; /* between the results of one file and the next */
} tool_batch;

/* Works on every input. Returns the exit code. */
int tool_batch_run(const tool_batch *batch);

/* Returns when the jobs of all earlier inputs are done. */
void tool_batch_await_earlier(const tool_job *job);

#endif
