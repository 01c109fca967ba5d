/* JSON as a flat array of values, read by jsmn and checked to be what jsmn takes on trust. */
#ifndef IMPORT_JSON_H
#define IMPORT_JSON_H

#include "importing.h"

typedef enum lm_im_kind {
    IM_OBJECT,
    IM_ARRAY,
    IM_STRING,
    IM_OTHER /* a number, true, false, null */
} lm_im_kind;

/* The members of an object are in turn a name and a value. What is in a value stands right behind
 * it, and `next` is behind that. */
typedef struct lm_im_value {
    lm_im_kind kind;
    uint32_t start, end; /* its text; a string's without the quotes */
    uint32_t next;
} lm_im_value;

typedef struct lm_im_json {
    const char *text;
    uint32_t num_values;
    const lm_im_value *values; /* the first is all, an object */
} lm_im_json;

/* A value that is not there is 0, which no member can be. */
typedef uint32_t lm_im_ref;
#define IM_ROOT UINT32_MAX /* all of it, for lm_im_member */

bool lm_im_json_read(importing *im, const char *text, size_t size, lm_im_json *json);

/* The member of that name; 0 if there is none, or `object` is none. */
lm_im_ref lm_im_member(const lm_im_json *json, lm_im_ref object, const char *name);
/* The first element of an array and the next one; 0 behind the last, and where it is no array. */
lm_im_ref lm_im_first(const lm_im_json *json, lm_im_ref array);
lm_im_ref lm_im_next(const lm_im_json *json, lm_im_ref array, lm_im_ref element);
uint32_t lm_im_count(const lm_im_json *json, lm_im_ref array);

/* A number; false if it is none, or not finite. */
bool lm_im_number(const lm_im_json *json, lm_im_ref value, double *out);
/* A whole number of 0 or more that is exact in a double. */
bool lm_im_whole(const lm_im_json *json, lm_im_ref value, uint64_t *out);
bool lm_im_is_string(const lm_im_json *json, lm_im_ref value, const char *text);
/* A copy without escapes, NUL-terminated; "" if there is none; NULL if there is no memory. Control
 * characters become '_'. */
char *lm_im_string(importing *im, const lm_im_json *json, lm_im_ref value);

#endif
