/* A small JSON reader for tests, which knows nothing of the writer. Paths name members and
 * elements: "meshes/0/primitives/0/attributes/POSITION". */
#ifndef JSON_READER_H
#define JSON_READER_H

#include "lerpmesh/base.h"

/* Whether the whole text is one JSON value (RFC 8259) and nothing else. */
bool json_is_valid(const char *text);
/* Where the value of `path` starts, NULL if there is none. */
const char *json_at(const char *text, const char *path, ...) LM_PRINTF(2, 3);
/* How many elements or members the value at `path` has; 0 if there is none. */
size_t json_count(const char *text, const char *path);
/* The number at `value`, or `otherwise` if that is NULL. */
double json_number(const char *value, double otherwise);
/* Whether `value` is the string `wanted`, written without escapes. */
bool json_is(const char *value, const char *wanted);

#endif
