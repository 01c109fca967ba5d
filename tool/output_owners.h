/* The owners of output files: which input writes which file, independent of the order of
 * completion. */
#ifndef TOOL_OWNERS_H
#define TOOL_OWNERS_H

#include "text.h"

typedef struct tool_owners tool_owners;

/* Creates an empty list. Nothing else may use `memory` as long as the list is in use. NULL if there
 * is no memory. */
tool_owners *tool_owners_make(tool_memory *memory, size_t num_inputs);

/* Adds the output name of the next input. Fails if there is no memory. */
bool tool_owners_add_name(tool_owners *owners, const char *name);
/* Returns the first input that has the same output name as this one. */
size_t tool_owners_first(const tool_owners *owners, size_t input);
/* Finds the first input with an output name. Returns false if there is none. */
bool tool_owners_find_name(const tool_owners *owners, const char *name, size_t length,
                           size_t *input);

/* Makes an input the owner of a file that has no owner yet. Fails if there is no memory. This and
 * tool_owners_find may be called from several threads. */
bool tool_owners_add(tool_owners *owners, const char *path, size_t input);
/* Finds a file's owner. Returns false if it has none. */
bool tool_owners_find(tool_owners *owners, const char *path, size_t *input);

#endif
