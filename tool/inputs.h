/* Expands the arguments to files: folders, archives and patterns become their contents. */
#ifndef TOOL_INPUTS_H
#define TOOL_INPUTS_H

#include "options.h"

/* Replaces args->inputs by their files, sorted by path per argument. An argument without any files
 * is kept, with the reason. Fails if there is no memory. */
bool tool_inputs_expand(tool_args *args);
/* Returns whether the output is a page of HTML, which shows each model. */
bool tool_inputs_gallery(const tool_args *args);

/* Reports standard input if it is given twice, and returns false: it can be read only once. */
bool tool_inputs_check(const tool_args *args);

/* Returns whether a pattern matches a path. The name of a folder matches everything in it. */
bool tool_inputs_match(const char *pattern, const char *path);
/* Returns whether one of the inputs after the first, which are patterns, matches; true if there are
 * none. */
bool tool_inputs_select(const tool_args *args, const char *path);

#endif
