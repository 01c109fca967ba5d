/* Where results go: one file, standard output, or a folder with a file an input; or, of commands
 * that have --in-place, over the inputs. */
#ifndef TOOL_OUTPUT_H
#define TOOL_OUTPUT_H

#include "job.h"

typedef enum tool_output_kind {
    TOOL_TO_STDOUT,
    TOOL_TO_FILE,
    TOOL_TO_FOLDER,
    TOOL_OVER_ITSELF, /* --in-place */
    TOOL_TO_NOTHING   /* --dry-run */
} tool_output_kind;

typedef struct tool_output {
    const tool_args *args;
    tool_output_kind kind;
    const char *path;      /* what -o says */
    const char *extension; /* of the files in a folder, with its dot; set by the command */
    const char *companion; /* extension of a second file beside each, or NULL */
    bool force, skip_existing;
    bool whole_names; /* in a folder files are called as the inputs are, extension and all */
    struct tool_claims *claims; /* of files in a folder or in place; NULL: all differ */
} tool_output;

/* Reads -o ("-" if absent) and -f. On a mistake says so and returns false. */
bool tool_output_read(const tool_args *args, tool_output *output);
/* Makes the folder, and finds the inputs of which outputs would have the same name, or that are the
 * same file. Returns an exit code. */
int tool_output_prepare(tool_output *output);

/* Says that bytes which are no text would go to a terminal, and returns true, if they would. */
bool tool_output_floods(const tool_output *output);

/* Whether the job is to be skipped because its file is there already; then it is marked so. */
bool tool_output_skips(tool_job *job, const tool_output *output);

/* Makes the path of the job's file, and that of its companion (if the output has one), in its
 * memory; NULL for standard output, or if nothing is written. False, and the job failed with a
 * sentence, if the file must not be written: it is an input, is there already, or is another
 * input's. */
bool tool_output_path(tool_job *job, const tool_output *output, const char **path,
                      const char **companion);

/* The path alone, whether or not it may be written; NULL, and the job failed, if it is another
 * input's. For who writes files beside it. */
char *tool_output_name(tool_job *job, const tool_output *output);

/* Returns the path of one more file beside `path`, as tool_output_path does; NULL: the job failed.
 * Then tool_output_write_all writes the job's files when those of earlier inputs are done, so that
 * of two that would write different files of one name the second fails. */
const char *tool_output_beside(tool_job *job, const tool_output *output, const char *path,
                               const char *name);

/* Writes files that belong together, the one that names the others last, or fails the job with a
 * sentence. */
bool tool_output_write_all(tool_job *job, const lm_file_output *files, size_t count);
bool tool_output_write(tool_job *job, const char *path, const void *data, size_t size);
/* Writes what tool_output_path gave the path of; standard output takes it over. */
bool tool_output_put(tool_job *job, const char *path, lm_buffer *made);

/* Whether two paths lead to one file. */
static inline bool tool_is_same(const lm_path_about *a, const lm_path_about *b) {
    return a->kind != LM_PATH_NOTHING && b->kind != LM_PATH_NOTHING && a->disk == b->disk &&
           a->number == b->number;
}

#endif
