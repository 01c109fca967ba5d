/* Comparing names as people and the games do: ASCII letters without their case, whatever the
 * locale; sentences that must fit. */
#ifndef LM_CORE_TEXT_H
#define LM_CORE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The small letter of a capital, every other byte as it is. */
static inline int lm_lower(int byte) {
    return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte;
}

/* Whether `length` bytes are the same text. */
bool lm_same_letters(const void *a, const void *b, size_t length);
/* The order of two strings, by unsigned bytes: below 0, 0, or above 0. */
int lm_compare_letters(const char *a, const char *b);
/* The same of a string and one of `length` bytes. */
int lm_compare_part(const char *a, const char *b, size_t length);
/* Returns the index of the item with a name of `length` bytes: of the exact spelling, else with
 * letters in another case, of equal names the first; LM_NO_NAME if there is none. Items are `size`
 * bytes each and begin with a pointer to their name. */
#define LM_NO_NAME UINT32_MAX
uint32_t lm_find_name(const void *items, uint32_t count, size_t size, const char *name,
                      size_t length);
bool lm_ends_in(const char *text, const char *end);

/* "1 tag has axes", "2 tags have axes": a number with the words that agree with it, which `words`
 * has as "{tag has|tags have} axes". For an argument of printf. */
typedef struct lm_counted {
    char text[128];
} lm_counted;
lm_counted lm_count_words(uint64_t count, const char *words);
/* "1 base vertex", "8 base vertices" of "base vertices". */
lm_counted lm_count_nouns(uint64_t count, const char *nouns);

/* A sentence in `size` bytes with its NUL, at least 16. Of one that is too long, what is in the
 * middle of its longest word, which is a path, becomes "…": how it begins and ends is kept. */
void lm_text_fit(char *out, size_t size, const char *sentence, va_list arguments);

#endif
