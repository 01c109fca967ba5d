/* Where results go: one file, standard output, or a folder with a file an input. */
#ifndef TOOL_OUTPUT_H
#define TOOL_OUTPUT_H

#include "job.h"

typedef enum tool_output_kind {
    TOOL_TO_STDOUT,
    TOOL_TO_FILE,
    TOOL_TO_FOLDER
} tool_output_kind;

typedef struct tool_output {
    const tool_args *args;
    tool_output_kind kind;
    const char *path;      /* what -o says */
    const char *extension; /* of the files in a folder, with its dot; set by the command */
    const char *companion; /* extension of a second file beside each, or NULL */
    bool force, skip_existing;
    bool whole_names; /* in a folder files are called as the inputs are, extension and all */
    struct tool_claims *claims; /* of files in a folder; NULL: all differ */
} tool_output;

/* Reads -o ("-" if absent) and -f. On a mistake says so and returns false. */
bool tool_output_read(const tool_args *args, tool_output *output);
/* Makes the folder, and finds the inputs of which outputs would have the same name. Returns an exit
 * code. */
int tool_output_prepare(tool_output *output);
void tool_output_free(tool_output *output);

/* Says that bytes which are no text would go to a terminal, and returns true, if they would. */
bool tool_output_floods(const tool_output *output);

/* Whether the job is to be skipped because its file is there already; then it is marked so. */
bool tool_output_skips(tool_job *job, const tool_output *output);

/* Appends the path of the job's file, NUL-terminated, to `path`, and that of its companion to
 * `companion` (if the output has one). False, and the job failed with a sentence, if the file must
 * not be written: it is an input, is there already, or is another input's. */
bool tool_output_path(tool_job *job, const tool_output *output, lm_buffer *path,
                      lm_buffer *companion);

/* The path alone, whether or not it may be written; false, and the job failed, if it is another
 * input's. For who writes files beside it. */
bool tool_output_name(tool_job *job, const tool_output *output, lm_buffer *path);

/* Appends the path of one more file beside `path`, as tool_output_path does. Then
 * tool_output_write_all writes the job's files when those of earlier inputs are done, so that of
 * two that would write different files of one name the second fails. */
bool tool_output_beside(tool_job *job, const tool_output *output, const char *path,
                        const char *name, lm_buffer *beside);

/* Writes files that belong together, the one that names the others last, or fails the job with a
 * sentence. */
bool tool_output_write_all(tool_job *job, const lm_file_output *files, size_t count);
bool tool_output_write(tool_job *job, const char *path, const void *data, size_t size);

#endif
