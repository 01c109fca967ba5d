/* What users type: numbers read strictly, words compared. And texts that are made, with the memory
 * that they lie in. */
#ifndef TOOL_TEXT_H
#define TOOL_TEXT_H

#include "lerpmesh/base.h"

/* The whole text is a decimal number ("-1.5", "2e3") and finite. */
bool tool_parse_double(const char *text, double *value);
/* The whole text is so many of them, with commas between them. */
bool tool_parse_doubles(const char *text, unsigned count, double *values);
/* The whole text is digits, and at most `max`. */
bool tool_parse_uint(const char *text, uint64_t max, uint64_t *value);
/* The whole text is two of these, `max` at most INT32_MAX, with a character between them. */
bool tool_parse_pair(const char *text, char between, uint64_t max, uint32_t *a, uint32_t *b);
/* Bytes: digits, with K, M or G for powers of 1024. */
bool tool_parse_size(const char *text, uint64_t max, uint64_t *value);
/* ASCII letters compare without case. */
bool tool_same_text(const char *a, const char *b);
/* Whether the first `length` bytes are the word. */
bool tool_is_word(const char *text, size_t length, const char *word);

/* ---- Memory -------------------------------------------------------------------------------- */

/* Memory that is freed at once. Start from {0}. */
typedef struct tool_memory {
    struct tool_block *last;
    bool failed; /* something was not there, and NULL was returned */
} tool_memory;

/* Returns zeros: `count` elements. */
void *tool_alloc(tool_memory *memory, size_t count, size_t size);
/* Returns a list with room for one more than its `count` elements: itself or a copy. */
void *tool_grow(tool_memory *memory, void *list, size_t count, size_t *capacity, size_t size);
/* Returns the first `length` bytes as a string. */
char *tool_copy(tool_memory *memory, const char *text, size_t length);
char *tool_format(tool_memory *memory, const char *format, ...) LM_PRINTF(2, 3);
/* Returns a buffer's text, and frees the buffer. */
char *tool_take_text(tool_memory *memory, lm_buffer *text);
void tool_memory_free(tool_memory *memory);

#endif
