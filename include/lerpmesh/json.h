/* lerpmesh/json.h - a small JSON writer into an lm_buffer: commas and escapes done for you.
 *
 *     #include <lerpmesh/json.h>
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         lm_buffer out = {0};
 *         lm_json json = {.out = &out};
 *         lm_json_open(&json, NULL, '{');
 *         lm_json_string(&json, "name", "stand01");
 *         lm_json_integer(&json, "first", 0);
 *         lm_json_close(&json);
 *         if (!out.failed)
 *             fwrite(out.data, 1, out.size, stdout);
 *         lm_buffer_free(&out);
 *         return 0;
 *     }
 *
 * `key` is NULL inside arrays. Strings that are not UTF-8 are read as Latin-1, byte by byte, so
 * that the output is always valid. Compact: no white space. Nesting is at most LM_JSON_DEPTH deep;
 * deeper, the buffer is marked as failed.
 */
#ifndef LERPMESH_JSON_H
#define LERPMESH_JSON_H

#include "lerpmesh/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_JSON_DEPTH 32

typedef struct lm_json {
    lm_buffer *out;
    unsigned depth;
    bool comma[LM_JSON_DEPTH];   /* something stands before at this depth */
    char closing[LM_JSON_DEPTH]; /* '}' or ']' */
} lm_json;

LM_API void lm_json_open(lm_json *json, const char *key, char bracket); /* '{' or '[' */
LM_API void lm_json_close(lm_json *json);
LM_API void lm_json_string(lm_json *json, const char *key, const char *value); /* NULL: null */
LM_API void lm_json_integer(lm_json *json, const char *key, int64_t value);
LM_API void lm_json_float(lm_json *json, const char *key, float value);
LM_API void lm_json_double(lm_json *json, const char *key, double value);
LM_API void lm_json_bool(lm_json *json, const char *key, bool value);
/* A value that is JSON already, as another lm_json wrote it. */
LM_API void lm_json_raw(lm_json *json, const char *key, const void *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
