/* A small JSON writer into an lm_buffer. It writes commas and escapes.
 *
 * `key` is NULL inside arrays. A string that is not UTF-8 is read as Latin-1, byte by byte, so the
 * output is always valid. The output is compact, without white space. Nesting deeper than
 * LM_JSON_DEPTH marks the buffer as failed. */
#ifndef LM_CORE_JSON_H
#define LM_CORE_JSON_H

#include "lerpmesh/base.h"

#define LM_JSON_DEPTH 32

typedef struct lm_json {
    lm_buffer *out;
    unsigned depth;
    bool comma[LM_JSON_DEPTH];   /* the next value at this depth needs a comma */
    char closing[LM_JSON_DEPTH]; /* '}' or ']' */
} lm_json;

void lmi_json_open(lm_json *json, const char *key, char bracket); /* '{' or '[' */
void lmi_json_close(lm_json *json);
/* Text that is not UTF-8 is read as Latin-1, so that the JSON is UTF-8. NULL: null. */
void lmi_json_string(lm_json *json, const char *key, const char *value);
/* The same for the path of a file. If it is not UTF-8, KEY_bytes follows and has its bytes, with
 * %XX for the others than printable ASCII and for % " and \. */
void lmi_json_path(lm_json *json, const char *key, const char *path);
/* The same for an array of two paths: KEY_bytes is an array too. */
void lmi_json_two_paths(lm_json *json, const char *key, const char *const paths[2]);
void lmi_json_integer(lm_json *json, const char *key, int64_t value);
void lmi_json_float(lm_json *json, const char *key, float value);
void lmi_json_double(lm_json *json, const char *key, double value);
void lmi_json_bool(lm_json *json, const char *key, bool value);
/* Appends a value that is already JSON, from another lm_json. */
void lmi_json_raw(lm_json *json, const char *key, const void *text, size_t size);

#endif
