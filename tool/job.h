/* One file's work, and what there is to say about it. */
#ifndef TOOL_JOB_H
#define TOOL_JOB_H

#include "internals.h"
#include "options.h"

typedef enum tool_code_mark {
    TOOL_CODE_NONE,
    TOOL_CODE_WARNED,
    TOOL_CODE_FAILED
} tool_code_mark;

/* One file's work. Whatever it has to say goes into its two buffers, never straight out, so that
 * the output is the same with any number of threads. */
typedef struct tool_job tool_job;
struct tool_job {
    size_t index;
    const char *path;
    const tool_args *args;
    lm_disk *disk;
    struct tool_pool *pool; /* the batch that it is of, or NULL */
    /* Returns when the jobs of all earlier inputs of the batch are done. */
    void (*await_earlier)(const tool_job *job);
    const struct tool_output *output; /* beside whose file it has others, or NULL */
    const char *tree;                 /* as in tool_input */
    size_t max_input;                 /* bytes, 0: not given */
    tool_memory memory;               /* goes with the job */
    lm_buffer out;                    /* for standard output */
    lm_buffer log;                    /* for standard error */
    lm_buffer beside; /* lm_path_about of files that its own named, and that were read */
    int status;       /* an exit code */
    bool done;
    bool json;            /* failures are lines of the results too */
    bool brief;           /* one of many: what is not a failure goes unsaid */
    bool quiet;           /* so does it for who wants it quiet */
    bool skipped;         /* what it would make is there already */
    bool same;            /* what it made is what it read */
    uint32_t num_missing; /* textures that were not found */
    bool misfit; /* what an option asks for is not for this model, which was found, not named */
    bool passed_over;            /* and so nothing was made of it */
    uint8_t codes[LM_NUM_CODES]; /* tool_code_mark: what the summary counts */
};

/* Notes "lerpmesh: FILE: SENTENCE" in the job's log: what made it fail; what is wrong all the same;
 * and what is merely worth knowing, which a brief or quiet job keeps to itself. A job whose memory
 * failed need not be failed too. Those that fail it return false. */
bool tool_fail(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);
/* A failure that has a code: it is counted, and if job->json says so it is in the results too. */
bool tool_fail_code(tool_job *job, lm_code code, const char *sentence, ...) LM_PRINTF(3, 4);
/* The same, with what the library said, and the hint that the command adds to its code: the names
 * of options. */
bool tool_fail_error(tool_job *job, const lm_error *error);
/* An error or a diagnostic with that hint. */
lm_error tool_with_hint(const lm_error *error);
lm_error tool_error_of(const lm_diagnostic *diagnostic);
/* Its line in the results alone. */
void tool_write_failure(tool_job *job, const lm_error *error);
void tool_complain(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);
void tool_say(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);
/* The same: "KIND [CODE] SENTENCE (3 times)"; `kind` NULL: the sentence alone. */
void tool_tell_warning(tool_job *job, const char *kind, const lm_diagnostic *warning);
/* Reads the job's file whole, or fails the job. */
bool tool_read(tool_job *job, lm_file *file);

/* Begins a line of the results, a JSON object with the file's path, and ends it. */
lm_json tool_json_begin(tool_job *job);
void tool_json_end(lm_json *json);

/* What an option asks for is not for this model: it fails if it was named. Of those that a folder,
 * an archive or a pattern stands for the batch fails if it is for none. Returns whether to go on.
 */
bool tool_misfit(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);

/* Remembers a code for the summary. */
void tool_mark(tool_job *job, lm_code code, tool_code_mark mark);

/* What a file is called in sentences. */
const char *tool_shown_path(const char *path);

#endif
