/* A small JSON reader for tests, independent of the writer. Paths name members and elements:
 * "meshes/0/primitives/0/attributes/POSITION". */
#ifndef JSON_READER_H
#define JSON_READER_H

#include "lerpmesh/base.h"

/* Returns true if the whole text is exactly one JSON value (RFC 8259). */
bool json_is_valid(const char *text);
/* Returns the start of the value of `path`, or NULL if there is none. */
const char *json_at(const char *text, const char *path, ...) LM_PRINTF(2, 3);
/* Returns the number of elements or members of the value at `path`; 0 if there is none. */
size_t json_count(const char *text, const char *path);
/* Returns the number at `value`, or `otherwise` if `value` is NULL. */
double json_number(const char *value, double otherwise);
/* Returns true if `value` is the string `wanted`, written without escapes. */
bool json_is(const char *value, const char *wanted);

#endif
