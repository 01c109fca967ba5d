/* An archive that is written with some of its members changed. */
#ifndef TOOL_REPACK_H
#define TOOL_REPACK_H

#include "output.h"

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
