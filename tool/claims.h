/* The owners of output files: which input writes which file, independent of the order of
 * completion. */
#ifndef TOOL_CLAIMS_H
#define TOOL_CLAIMS_H

#include "text.h"

typedef struct tool_claims tool_claims;

/* Creates an empty list. Nothing else may use `memory` as long as the list is in use. NULL if there
 * is no memory. */
tool_claims *tool_claims_make(tool_memory *memory, size_t num_inputs);

/* Adds the output name of the next input. Fails if there is no memory. */
bool tool_claims_add_name(tool_claims *claims, const char *name);
/* Returns the first input that has the same output name as this one. */
size_t tool_claims_first(const tool_claims *claims, size_t input);
/* Finds the first input with an output name. Returns false if there is none. */
bool tool_claims_find_name(const tool_claims *claims, const char *name, size_t length,
                           size_t *input);

/* Makes an input the owner of a file that has no owner yet. Fails if there is no memory. This and
 * tool_claims_find may be called from several threads. */
bool tool_claims_add(tool_claims *claims, const char *path, size_t input);
/* Finds a file's owner. Returns false if it has none. */
bool tool_claims_find(tool_claims *claims, const char *path, size_t *input);

#endif
