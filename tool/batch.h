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
    /* Runs in one thread of another process (tool_apart_run). `begin` is called there first, and
     * `end` last, even if `begin` failed. `passed` gets job->passed in this process. Each may be
     * NULL. */
    bool apart;
    bool (*begin)(const void *context, lm_error *error);
    void (*end)(const void *context);
    void (*passed)(tool_job *job, const void *context);
    bool first_only;  /* one job, for the first input, which handles the others itself */
    bool blank_lines; /* between the results of one file and the next */
} tool_batch;

/* Works on every input, except those that --skip-existing omits. Returns the exit code. */
int tool_batch_run(const tool_batch *batch);

/* ---- Summaries ------------------------------------------------------------------------------- */

/* Prints a line on standard error, and for --summary one on standard output. `done` and `writes`
 * are tool_batch's. Returns false if the line could not be written, or if an option applied to no
 * model. */
bool tool_summary_print(const tool_args *args, const tool_job *jobs, size_t num_jobs,
                        const char *done, bool writes, double seconds);

/* ---- Repeated warnings ----------------------------------------------------------------------- */

#define TOOL_REPEATS_SHOWN 3 /* files that show a warning */

typedef struct tool_repeats tool_repeats;

/* Returns a list without warnings; NULL if there is no memory. `all`: only removes those about
 * files that several models share. */
tool_repeats *tool_repeats_make(lm_arena *arena, bool all);
/* Counts the warnings of the next job, and removes those that enough files have shown. A job that
 * failed keeps all. */
void tool_repeats_cut(tool_repeats *repeats, tool_job *job);
/* Prints how many more files have each warning. Returns false if the results cannot be written. */
bool tool_repeats_print(const tool_repeats *repeats);

/* ---- Another process ------------------------------------------------------------------------- */

/* Jobs to do. */
typedef struct tool_apart {
    const tool_batch *batch;
    tool_job *jobs;
    size_t num_jobs;
    void (*work)(const tool_batch *batch, tool_job *job); /* called in the other process */
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
