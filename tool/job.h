/* One file's work, and what there is to say about it. */
#ifndef TOOL_JOB_H
#define TOOL_JOB_H

#include "options.h"
#include "paths.h"

typedef enum tool_code_mark {
    TOOL_CODE_NONE,
    TOOL_CODE_WARNED,
    TOOL_CODE_FAILED
} tool_code_mark;

/* One file's work. Whatever it has to say goes into its two buffers, never straight out, so that
 * the output is the same with any number of threads. */
typedef struct tool_job {
    size_t index;
    const char *path;
    lm_disk *disk;
    struct tool_pool *pool;           /* the batch that it is of, or NULL */
    const struct tool_output *output; /* beside whose file it has others, or NULL */
    const char *tree;                 /* as in tool_args */
    const lm_error *problem;          /* why there is nothing to work on, or NULL */
    size_t max_input;                 /* bytes, 0: not given */
    lm_buffer out;                    /* for standard output */
    lm_buffer log;                    /* for standard error */
    lm_buffer beside; /* lm_path_about of files that its own named, and that were read */
    int status;       /* an exit code */
    bool done;
    bool sync;            /* outputs are on the disk before the job is done */
    bool json;            /* failures are lines of the results too */
    bool brief;           /* one of many: what is not a failure goes unsaid */
    bool skipped;         /* what it would make is there already */
    bool same;            /* what it made is what it read */
    uint32_t num_missing; /* textures that were not found */
    bool misfit; /* what an option asks for is not for this model, which was found, not named */
    bool passed_over;            /* and so nothing was made of it */
    uint8_t codes[LM_NUM_CODES]; /* tool_code_mark: what the summary counts */
} tool_job;

/* Notes "lerpmesh: FILE: SENTENCE" in the job's log: what made it fail; what is wrong all the same;
 * and what is merely worth knowing, which a brief job keeps to itself. */
void tool_fail(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);
/* A failure that has a code: it is counted, and if job->json says so it is in the results too. */
void tool_fail_code(tool_job *job, lm_code code, const char *sentence, ...) LM_PRINTF(3, 4);
void tool_complain(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);
void tool_say(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);
/* The same: "KIND [CODE] SENTENCE (3 times)"; `kind` NULL: the sentence alone. */
void tool_tell_warning(tool_job *job, const char *kind, const lm_diagnostic *warning);
/* Reads the job's file whole. Failing, fails the job, in the results too with `json`. */
bool tool_read(tool_job *job, lm_file *file, bool json);
/* Fails with what the library said. With `json` the error is also a line in the results. */
void tool_fail_error(tool_job *job, const lm_error *error, bool json);
/* That line alone. */
void tool_write_failure(tool_job *job, const lm_error *error);

/* What an option asks for is not for this model: it fails if it was named. Of those that a folder,
 * an archive or a pattern stands for the batch fails if it is for none. Returns whether to go on.
 */
bool tool_misfit(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);

/* Remembers a code for the summary. */
void tool_mark(tool_job *job, lm_code code, tool_code_mark mark);

/* What a file is called in sentences. */
const char *tool_shown_path(const char *path);

#endif
