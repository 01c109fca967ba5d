/* JSON as a flat array of values. jsmn parses it; our checks then reject the malformed JSON that
 * jsmn accepts. */
#ifndef IMPORT_JSON_H
#define IMPORT_JSON_H

#include "core/index.h"
#include "importing.h"

typedef enum lm_im_kind {
    IM_OBJECT,
    IM_ARRAY,
    IM_STRING,
    IM_OTHER /* number, true, false, null */
} lm_im_kind;

/* A value. The contents of an object or array follow it directly, and `next` is the index after
 * them. In an object, names and values alternate. */
typedef struct lm_im_value {
    lm_im_kind kind;
    uint32_t start, end; /* its text; a string's without quotes */
    uint32_t next;
    uint32_t size;   /* of an object: its members; of an array: its elements */
    uint32_t object; /* of a member's name: the object */
} lm_im_value;

typedef struct lm_im_json {
    const char *text;
    uint32_t num_values;
    const lm_im_value *values; /* the first is the whole, an object */
    lm_index names;            /* the members' names of large objects */
} lm_im_json;

/* The index of a value. 0 is a missing value, because no member has index 0. */
typedef uint32_t lm_im_ref;
#define IM_ROOT UINT32_MAX /* the whole document, for lm_im_member */

/* An array of the file, with its elements by index. */
typedef struct lm_im_list {
    uint32_t count;
    const lm_im_ref *refs;
} lm_im_list;

bool lm_im_json_read(importing *im, const char *text, size_t size, lm_im_json *json);

/* Returns the member of that name; 0 if there is none, or if `object` is not an object. Takes a
 * bounded number of steps. */
lm_im_ref lm_im_member(const lm_im_json *json, lm_im_ref object, const char *name);
/* Return the first element of an array, and the one after `element`; 0 after the last, or if
 * `array` is not an array. */
lm_im_ref lm_im_first(const lm_im_json *json, lm_im_ref array);
lm_im_ref lm_im_next(const lm_im_json *json, lm_im_ref array, lm_im_ref element);
uint32_t lm_im_count(const lm_im_json *json, lm_im_ref array);

/* Reads a number. Returns false if it is not a number, or not finite. */
bool lm_im_number(const lm_im_json *json, lm_im_ref value, double *out);
/* Reads a whole number from 0 to 2^53 - 1. */
bool lm_im_integer(const lm_im_json *json, lm_im_ref value, uint64_t *out);
bool lm_im_is_string(const lm_im_json *json, lm_im_ref value, const char *text);
/* Returns a copy of a string with its escapes decoded, NUL-terminated; "" if the value is not a
 * string, NULL if out of memory. Control characters become '_'. */
char *lm_im_string(importing *im, const lm_im_json *json, lm_im_ref value);
int lm_im_hex_digit(char c); /* -1: it is none */

/* ---- Members --------------------------------------------------------------------------------- */

/* Reads a member that is one of the file's arrays. */
bool lm_im_list_of(importing *im, const lm_im_json *json, lm_im_ref object, const char *name,
                   lm_im_list *list);
/* Reads a member that is a whole number below `limit`; gives `otherwise` if the member is missing.
 * `location` is the object's location. */
bool lm_im_index_of(importing *im, const lm_im_json *json, lm_im_ref object, const char *location,
                    const char *name, uint64_t limit, uint32_t otherwise, uint32_t *out);
/* Reads a member that is an array of `count` numbers. If the member is missing, `out` is
 * unchanged. */
bool lm_im_floats_of(importing *im, const lm_im_json *json, lm_im_ref object, const char *location,
                     const char *name, uint32_t count, float *out);

#endif
