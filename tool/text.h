/* Parses numbers and words that users type. Also the command's memory, and texts in it. */
#ifndef TOOL_TEXT_H
#define TOOL_TEXT_H

#include "lerpmesh/base.h"

/* Parses a text that is one finite decimal number ("-1.5", "2e3"). */
bool tool_parse_double(const char *text, double *value);
/* Parses a text that is `count` of them, separated by commas. */
bool tool_parse_doubles(const char *text, unsigned count, double *values);
/* Parses a text of digits, at most `max`. */
bool tool_parse_uint(const char *text, uint64_t max, uint64_t *value);
/* Parses two of these with `between` between them; `max` is at most INT32_MAX. */
bool tool_parse_pair(const char *text, char between, uint64_t max, uint32_t *a, uint32_t *b);
/* Parses a size in bytes: digits, with K, M or G for powers of 1024. */
bool tool_parse_size(const char *text, uint64_t max, uint64_t *value);
/* Compares case-insensitive (ASCII). */
bool tool_same_text(const char *a, const char *b);
/* Returns whether the first `length` bytes are the word. */
bool tool_is_word(const char *text, size_t length, const char *word);

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
