/* Rewriting files in their own format, to another path or in place. */
#ifndef TOOL_TARGET_H
#define TOOL_TARGET_H

#include "output.h"

/* Reads -o, --in-place, --backup, --dry-run and -f. Reports mistakes and returns false. */
bool tool_target_read(const tool_args *args, tool_output *output);

/* The rewriting of one file. Start from {0}. */
typedef struct tool_rewriting {
    lm_file file;
    lm_buffer result;
    const char *path; /* NULL: standard output, or nothing is written */
    bool same;        /* the output equals the input */
} tool_rewriting;

/* Finds the output path, and reads the file. False: the job failed. */
bool tool_target_open(tool_job *job, const tool_output *output, tool_rewriting *r);
/* Writes the result, unless it equals the file to overwrite. False: the job failed. */
bool tool_target_write(tool_job *job, const tool_output *output, tool_rewriting *r);
/* Returns the output for messages: a path, "standard output", or NULL for nothing. */
const char *tool_target_written(const tool_output *output, const tool_rewriting *r);
void tool_target_close(tool_rewriting *r);

/* ---- Archives -------------------------------------------------------------------------------- */

/* Returns whether -o names an archive: a .pk3, .pak or .zip. */
bool tool_repack_is_named(const tool_args *args);

/* Prepares `output`, whose kind becomes TOOL_TO_ARCHIVE. All inputs must be in one archive. Reports
 * mistakes and returns false. */
bool tool_repack_read(const tool_args *args, tool_output *output);

/* Takes over the new content of the job's member. May be called from several threads. */
void tool_repack_put(tool_job *job, const tool_output *output, lm_buffer *content, bool same);

/* Writes the archive after the jobs are done, unless all failed, and frees its contents. `status`
 * is the batch's; returns it, or TOOL_FAILED. For outputs of another kind, does nothing. */
int tool_repack_write(const tool_output *output, int status);

#endif
