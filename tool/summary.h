/* The end of a batch: how many files were read, and what was wrong with the others. */
#ifndef TOOL_SUMMARY_H
#define TOOL_SUMMARY_H

#include "job.h"

/* Sums up a batch in a line on standard error, and for --summary on standard output. `done`, and
 * whether it `writes`, are as in tool_batch. False if it failed: no model was what options ask for,
 * or the line could not be written. */
bool tool_summary_tell(const tool_args *args, const tool_job *jobs, size_t num_jobs,
                       const char *done, bool writes, double seconds);

#endif
