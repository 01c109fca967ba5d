/* The same work on each of many files: by several threads, told in the order of the files. */
#ifndef TOOL_BATCH_H
#define TOOL_BATCH_H

#include "options.h"

/* One file's work. Whatever it has to say goes into its two buffers, never straight out, so that
 * the output is the same with any number of threads. */
typedef struct tool_job {
    size_t index;
    const char *path;
    lm_buffer out; /* for standard output */
    lm_buffer log; /* for standard error */
    int status;    /* an exit code */
    bool done;
} tool_job;

typedef struct tool_batch {
    const tool_args *args;
    /* Called from several threads at once, each with its own job. */
    void (*work)(tool_job *job, const void *context);
    const void *context;
    bool one_thread;  /* whatever -j says: the caller's */
    bool blank_lines; /* between the results of one file and the next */
} tool_batch;

/* Works on every input. Returns the exit code. */
int tool_batch_run(const tool_batch *batch);

/* Notes "lerpmesh: FILE: SENTENCE" in the job's log. tool_fail also makes it fail. */
void tool_fail(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);
void tool_say(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);
/* Fails with what the library said. With `json` the error is also a line in the results. */
void tool_fail_error(tool_job *job, const lm_error *error, bool json);

/* What a file is called in sentences. */
const char *tool_shown_path(const char *path);

#endif
