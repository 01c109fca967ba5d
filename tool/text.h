/* What users type: numbers read strictly, words compared. */
#ifndef TOOL_TEXT_H
#define TOOL_TEXT_H

#include "lerpmesh/base.h"

/* The whole text is a decimal number ("-1.5", "2e3") and finite. */
bool tool_parse_double(const char *text, double *value);
/* The whole text is digits, and at most `max`. */
bool tool_parse_uint(const char *text, uint64_t max, uint64_t *value);
/* Bytes: digits, with K, M or G for powers of 1024. */
bool tool_parse_size(const char *text, uint64_t max, uint64_t *value);
/* ASCII letters compare without case. */
bool tool_same_text(const char *a, const char *b);
/* The first `length` bytes as a string, for the caller to free; NULL if there is no memory. */
char *tool_copy(const char *text, size_t length);

#endif
