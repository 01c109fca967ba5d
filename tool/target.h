/* Files that are made of others of the same format: elsewhere, or over themselves. */
#ifndef TOOL_TARGET_H
#define TOOL_TARGET_H

#include "output.h"

/* Reads -o, --in-place, --backup, --dry-run and -f. On a mistake says so and returns false. */
bool tool_target_read(const tool_args *args, tool_output *output);

/* What becomes of one file. Start from {0}. */
typedef struct tool_rewriting {
    lm_file file;
    lm_buffer made;
    const char *path; /* NULL: standard output, or nothing is written */
    bool same;        /* not a byte differs */
} tool_rewriting;

/* Finds where a file goes, and reads it. False: the job failed. */
bool tool_target_open(tool_job *job, const tool_output *output, tool_rewriting *r);
/* Writes what was made, unless it is the file itself. False: the job failed. */
bool tool_target_write(tool_job *job, const tool_output *output, tool_rewriting *r);
/* What was written: a path, "standard output", or NULL for nothing. */
const char *tool_target_written(const tool_output *output, const tool_rewriting *r);
void tool_target_close(tool_rewriting *r);

#endif
