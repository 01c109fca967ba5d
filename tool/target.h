/* Where a file goes that is made of one of the same format: elsewhere, or over itself. */
#ifndef TOOL_TARGET_H
#define TOOL_TARGET_H

#include "output.h"

typedef struct tool_target {
    const tool_args *args;
    tool_output output;       /* if -o says where */
    struct tool_claims *same; /* of files in place: which inputs are the same one */
    bool in_place, backup, dry_run, force;
} tool_target;

/* Reads -o, --in-place, --backup, --dry-run and -f. On a mistake says so and returns false. Free in
 * any case. */
bool tool_target_read(const tool_args *args, tool_target *target);
/* Makes the folder that -o names, if it does; in place, finds the inputs that are the same file, of
 * which only the first may be written. Returns an exit code. */
int tool_target_prepare(tool_target *target);
void tool_target_free(tool_target *target);

/* Whether the job is to be skipped because its output is there already; then it is marked so. */
bool tool_target_skips(tool_job *job, const tool_target *target);
/* Appends the path that will be written, NUL-terminated; nothing for standard output, or if none
 * will be. False, and the job failed, if it must not be. */
bool tool_target_path(tool_job *job, const tool_target *target, lm_buffer *path);

/* What becomes of one file. */
typedef struct tool_rewriting {
    lm_file file;
    lm_buffer path, made;
    bool same; /* not a byte differs */
} tool_rewriting;

/* Writes what was made, unless it is the file itself; standard output takes it over. False: the job
 * failed. */
bool tool_target_write(tool_job *job, const tool_target *target, tool_rewriting *r);

#endif
