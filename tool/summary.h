/* The summary of a batch: the number of files read, and the failures. */
#ifndef TOOL_SUMMARY_H
#define TOOL_SUMMARY_H

#include "job.h"

/* Prints a line on standard error, and for --summary one on standard output. `done` and `writes`
 * are tool_batch's. Returns false if the line could not be written, or if an option applied to no
 * model. */
bool tool_summary_print(const tool_args *args, const tool_job *jobs, size_t num_jobs,
                        const char *done, bool writes, double seconds);

#endif
