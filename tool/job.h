/* The job of one file, and its messages. */
#ifndef TOOL_JOB_H
#define TOOL_JOB_H

#include "internals.h"
#include "options.h"

typedef enum tool_code_mark {
    TOOL_CODE_NONE,
    TOOL_CODE_WARNED,
    TOOL_CODE_FAILED
} tool_code_mark;

/* A line of a job's output that other files of a batch may have too. They have the same key, the
 * bytes from `key` to `key_end`. */
typedef struct tool_warning {
    bool once;       /* it is about a file that several models use, such as a script */
    bool in_results; /* it is in job->out, else in job->log */
    size_t begin, key, key_end, end; /* bytes of that buffer */
} tool_warning;

/* The job of one file. All output goes to its two buffers, so that it is the same with any number
 * of threads. */
typedef struct tool_job tool_job;
struct tool_job {
    size_t index;
    const char *path;
    const tool_args *args;
    lm_vfs *vfs;
    struct tool_pool *pool; /* its batch, or NULL */
    /* Waits until the jobs of all earlier inputs of the batch are done. NULL: they are. */
    void (*await_earlier)(const tool_job *job);
    const struct tool_output *output; /* set by tool_output_path, else NULL */
    bool has_sidecars;                /* it writes more files next to its output */
    const char *tree;                 /* as in tool_input */
    size_t max_input;                 /* bytes, 0: not given */
    lm_arena *arena;                  /* freed with the job */
    lm_buffer out;                    /* for standard output */
    lm_buffer log;                    /* for standard error */
    lm_buffer warnings;               /* tool_warning of both, in their order */
    lm_buffer passed;                 /* for tool_batch.passed */
    int status;                       /* exit code */
    bool done;
    bool json;            /* failures are lines of the results too */
    bool brief;           /* one of many: print only failures */
    bool quiet;           /* --quiet: the same */
    bool skipped;         /* its output already exists */
    bool same;            /* its output equals its input */
    uint32_t num_missing; /* textures that were not found */
    bool guessed;         /* a texture was guessed */
    bool inapplicable;    /* an option does not apply to this model, which was not named itself */
    bool unwritten;       /* and therefore nothing was written */
    uint8_t codes[LM_NUM_CODES]; /* tool_code_mark: counted by the summary */
};

/* These add "lerpmesh: FILE: SENTENCE" to the job's log. tool_fail: an error that fails the job;
 * tool_warn: a warning; tool_note: information, omitted if the job is brief or quiet. Those that
 * fail the job return false. A job whose arena failed need not be failed too. */
bool tool_fail(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);
/* Fails with a code: it is counted, and with job->json the results contain it. */
bool tool_fail_code(tool_job *job, lm_code code, const char *sentence, ...) LM_PRINTF(3, 4);
bool tool_fail_memory(tool_job *job);
/* Fails with a library error, and adds the hint for its code: the name of an option. */
bool tool_fail_error(tool_job *job, const lm_error *error);
/* Return an error, or a diagnostic as an error, with that hint. */
lm_error tool_with_hint(const lm_error *error);
lm_error tool_error_of(const lm_diagnostic *diagnostic);
/* Returns the end of a message with this code: how to get a model from the job's file, if that is
 * another program's; else "". */
const char *tool_import_hint(const tool_job *job, lm_code code);
/* Adds the failure to the results only. */
void tool_write_failure(tool_job *job, const lm_error *error);
void tool_warn(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);
void tool_note(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);
/* Reports "KIND [CODE] SENTENCE (3 times)"; `kind` "": without it; NULL: only the sentence. */
void tool_note_warning(tool_job *job, const char *kind, const lm_diagnostic *warning);
/* Reads the whole file of the job, or fails the job. */
bool tool_read(tool_job *job, lm_buffer *file);

/* Records that the end of a buffer of the job, from `begin` on, is a line with a warning. */
void tool_add_warning(tool_job *job, const lm_buffer *text, size_t begin, size_t key,
                      size_t key_end);

/* Begin a line of the results, a JSON object with the file's path, and end it. */
lm_json tool_json_begin(tool_job *job);
void tool_json_end(lm_json *json);

/* Reports that an option does not apply to this model. If the file was named itself, the job fails.
 * For files from a folder, an archive or a pattern, the batch fails if the option applies to none.
 * Returns whether to continue. */
bool tool_inapplicable(tool_job *job, const char *sentence, ...) LM_PRINTF(2, 3);

/* Records a code for the summary. */
void tool_mark(tool_job *job, lm_code code, tool_code_mark mark);
/* Records the codes of a report's errors and warnings. */
void tool_mark_report(tool_job *job, const lm_report *report);

/* Returns a buffer's text in an arena, and frees the buffer. NULL if there is no memory. */
char *tool_take_text(lm_arena *arena, lm_buffer *text);
/* Begins a line of text: "FILE: ". */
void tool_begin_line(const tool_job *job, lm_buffer *out);
/* Returns a file's name for messages. */
const char *tool_shown_path(const char *path);

/* ---- Opening models -------------------------------------------------------------------------- */

/* Reads how models are opened, except `images`. Reports mistakes and returns false. */
bool tool_open_options_read(const tool_args *args, lm_assets_options *options);

/* Opens the job's input, and reports the warnings about models and clips. `weapon`: opens the
 * complete weapon, unless models are attached. NULL: the job failed. */
lm_assets *tool_open(tool_job *job, const lm_assets_options *options, bool weapon);
/* Reports what tool_open reports. Returns whether there is a scene; if not, the job failed. */
bool tool_opened(tool_job *job, const lm_assets *assets);
void tool_report(tool_job *job, const lm_diagnostic *diagnostic);
/* Returns whether a part of the scene has a clip, or clips joined with '+', whose name is the first
 * `length` bytes of `name`. Else fails the job and suggests the most similar name; if the file was
 * not named itself, nothing is written. */
bool tool_check_clip(tool_job *job, const lm_scene *scene, const char *name, size_t length);
/* Reports the diagnostics of textures: with LM_SEVERITY_NOTE those that were not found, else all
 * that are at least as severe. */
void tool_report_textures(tool_job *job, const lm_assets *assets, lm_severity severity);
/* With --verbose, reports all paths that were tried for textures that were not found. */
void tool_report_tried(tool_job *job, const lm_assets *assets);

#endif
