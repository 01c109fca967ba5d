/* Warnings that many files of a batch have in common: the first files show them, the others are
 * counted. */
#ifndef TOOL_REPEATS_H
#define TOOL_REPEATS_H

#include "job.h"

#define TOOL_REPEATS_SHOWN 3 /* files that show a warning */

typedef struct tool_repeats tool_repeats;

/* Returns a list without warnings; NULL if there is no memory. */
tool_repeats *tool_repeats_make(tool_memory *memory);
/* Counts the warnings of the next job, and removes those that enough files have shown. A job that
 * failed keeps all. */
void tool_repeats_cut(tool_repeats *repeats, tool_job *job);
/* Prints how many more files have each warning. Returns false if the results cannot be written. */
bool tool_repeats_print(const tool_repeats *repeats);

#endif
