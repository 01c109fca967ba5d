/* Which input an output file is of, whichever is done first. */
#ifndef TOOL_CLAIMS_H
#define TOOL_CLAIMS_H

#include "text.h"

typedef struct tool_claims tool_claims;

/* In memory which nothing else uses meanwhile. NULL if there is none. */
tool_claims *tool_claims_make(tool_memory *memory, size_t num_inputs);

/* Adds the name of what the next input becomes. False if there is no memory. */
bool tool_claims_add_name(tool_claims *claims, const char *name);
/* The first input that has the name of this one's. */
size_t tool_claims_first(const tool_claims *claims, size_t input);
/* The first input that has this name; false if none has. */
bool tool_claims_find_name(const tool_claims *claims, const char *name, size_t length,
                           size_t *input);

/* Gives an input a file, which no other has. False if there is no memory. These two may be called
 * from several threads. */
bool tool_claims_add(tool_claims *claims, const char *path, size_t input);
/* Whose it is; false if it is nobody's. */
bool tool_claims_find(tool_claims *claims, const char *path, size_t *input);

#endif
