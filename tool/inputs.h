/* Which files the arguments stand for: folders, archives and patterns become what is in them. */
#ifndef TOOL_INPUTS_H
#define TOOL_INPUTS_H

#include "options.h"

/* Replaces args->inputs by the files that they stand for, each argument's sorted by path. What
 * stands for nothing stays, with the reason. False if memory ran out. */
bool tool_inputs_expand(tool_args *args);

/* Standard input can be read once: of a second says so and returns false. */
bool tool_inputs_check(const tool_args *args);

/* Whether a pattern stands for a path; a folder's name does for all that is in it. */
bool tool_inputs_fits(const char *pattern, const char *path);
/* Whether one of the inputs behind the first, which are patterns, does; true if there are none. */
bool tool_inputs_want(const tool_args *args, const char *path);

#endif
