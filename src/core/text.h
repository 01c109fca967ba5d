/* Case-insensitive comparison of names (ASCII only, independent of the locale), counted words, and
 * sentences of limited length. */
#ifndef LM_CORE_TEXT_H
#define LM_CORE_TEXT_H

#include "lerpmesh/base.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns the lower-case letter of an ASCII capital; any other byte unchanged. */
static inline int lm_lower(int byte) {
    return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte;
}

/* Returns true if `length` bytes are equal; case-insensitive. */
bool lm_same_letters(const void *a, const void *b, size_t length);
/* Orders two strings by unsigned bytes; case-insensitive. Returns a value below 0, 0, or above
 * 0. */
int lm_compare_letters(const char *a, const char *b);
/* Orders a string and one of `length` bytes in the same way. */
int lm_compare_part(const char *a, const char *b, size_t length);
/* Returns the index of the item whose name equals `length` bytes. An exact match wins over one in
 * another case; of equal names, the first wins. Returns LM_NO_NAME if there is none. Items have
 * `size` bytes each and begin with a pointer to their name. */
#define LM_NO_NAME UINT32_MAX
uint32_t lm_find_name(const void *items, uint32_t count, size_t size, const char *name,
                      size_t length);
bool lm_ends_in(const char *text, const char *end);

/* Returns the length of a surface's name as engines look it up in a .skin file: without a final '_'
 * and the byte after it. */
static inline size_t lm_skin_name_length(const char *name) {
    const size_t length = strlen(name);
    return length > 2 && name[length - 2] == '_' ? length - 2 : length;
}

/* A number with the words that agree with it: "1 tag has axes", "2 tags have axes". `words` is
 * "{tag has|tags have} axes". For an argument of printf. */
typedef struct lm_counted {
    char text[128];
} lm_counted;
lm_counted lm_count_words(uint64_t count, const char *words);
/* Returns "1 base vertex" or "8 base vertices" for "base vertices". */
lm_counted lm_count_nouns(uint64_t count, const char *nouns);

/* Appends a count and a noun: "1 frame", "2 frames", "2 vertices", "2 meshes". */
void lm_text_count(lm_buffer *out, uint64_t count, const char *noun);

/* Formats a sentence into `size` bytes (at least 16), including the NUL. If it is too long,
 * replaces the middle of its longest word, usually a path, with "…". The beginning and the end of
 * the sentence stay. */
void lm_text_fit(char *out, size_t size, const char *sentence, va_list arguments);

#endif
