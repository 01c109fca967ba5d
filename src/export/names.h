/* Names for other programs: UTF-8, and each one once. */
#ifndef LM_EXPORT_NAMES_H
#define LM_EXPORT_NAMES_H

#include "core/heap.h"

/* A set of names that were given out. Start from {.heap = heap}. */
typedef struct lm_name_entry lm_name_entry;
typedef struct lm_names {
    lm_heap *heap;
    lm_name_entry *entries; /* open addressing, a power of two */
    size_t capacity, count;
} lm_names;

/* The name `wanted` as UTF-8 (Latin-1 if it is not UTF-8 already), with "_2", "_3" ... behind it if
 * it was given out before. NULL if memory ran out. Lives until lm_names_free. */
const char *lm_names_add(lm_names *names, const char *wanted);
void lm_names_free(lm_names *names);

size_t lm_name_hash(const char *text);

/* Writes `text` as UTF-8 and returns how many bytes that takes, without a NUL. `out` may be NULL to
 * count only; 2 * strlen(text) always suffices. */
size_t lm_name_utf8(const char *text, char *out);

#endif
