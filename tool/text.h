/* The command's memory, and texts in it. */
#ifndef TOOL_TEXT_H
#define TOOL_TEXT_H

#include "lerpmesh/base.h"

/* Compares case-insensitive (ASCII). */
bool tool_same_text(const char *a, const char *b);

/* ---- Memory -------------------------------------------------------------------------------- */

/* Memory that is freed all at once. Start from {0}. */
typedef struct tool_memory {
    struct tool_block *last;
    bool failed; /* an allocation failed and returned NULL */
} tool_memory;

/* Returns `count` zeroed elements. */
void *tool_alloc(tool_memory *memory, size_t count, size_t size);
/* Returns a list with space for at least one more than its `count` elements: itself or a copy. */
void *tool_grow(tool_memory *memory, void *list, size_t count, size_t *capacity, size_t size);
/* Returns the first `length` bytes as a string. */
char *tool_copy(tool_memory *memory, const char *text, size_t length);
char *tool_format(tool_memory *memory, const char *format, ...) LM_PRINTF(2, 3);
/* Returns a buffer's text, and frees the buffer. */
char *tool_take_text(tool_memory *memory, lm_buffer *text);
void tool_memory_free(tool_memory *memory);

#endif
