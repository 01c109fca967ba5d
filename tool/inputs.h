/* Which files the arguments stand for: folders, archives and patterns become what is in them. */
#ifndef TOOL_INPUTS_H
#define TOOL_INPUTS_H

#include "options.h"

/* Replaces args->inputs by the files that they stand for, each argument's sorted by path. What
 * stands for nothing stays, with the reason in args->problems. False if memory ran
 * out, which was said. */
bool tool_inputs_expand(tool_args *args);

#endif
