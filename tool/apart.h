/* Drawing in a process of its own, so that a graphics driver that crashes or ends the process, for
 * example because it has no memory, fails one job and not the command. On systems without such
 * processes (isolate.h) everything happens in this one. */
#ifndef TOOL_APART_H
#define TOOL_APART_H

#include "job.h"

/* Jobs to do. */
typedef struct tool_apart {
    tool_job *jobs;
    size_t num_jobs;
    /* Called in the other process: first, for each job, and last, even if the first failed. */
    bool (*begin)(void *user, lm_error *error);
    void (*work)(void *user, tool_job *job);
    void (*end)(void *user);
    /* Gets each job with its results when it is done, in order, in this process. Returns whether to
     * continue. */
    bool (*ended)(void *user, tool_job *job);
    void *user;
} tool_apart;

/* Does all jobs one after the other in one other process. If that ends early, fails the job in work
 * and starts another process for the rest. Returns false with `error` filled if the first process
 * cannot begin. */
bool tool_apart_run(const tool_apart *apart, lm_error *error);

#endif
