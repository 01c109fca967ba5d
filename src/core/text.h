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
static inline int lmi_lower(int byte) {
    return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte;
}

static inline bool lmi_is_control(int byte) {
    return (uint8_t)byte < 0x20 || byte == 0x7f;
}

/* The characters of a player's or a weapon's name, which is that of files in each system. */
#define LM_NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

/* Returns whether the first `length` bytes are the word. */
bool lmi_is_word(const char *text, size_t length, const char *word);
/* Returns what keeps games from finding the file that a path in a model names, as the rest of a
 * sentence: "has no folder". NULL: nothing. */
const char *lmi_path_fault(const char *path, size_t length);
/* Returns true if `length` bytes are equal; case-insensitive. */
bool lmi_same_letters(const void *a, const void *b, size_t length);
/* Orders two strings by unsigned bytes; case-insensitive. Returns a value below 0, 0, or above
 * 0. */
int lmi_compare_letters(const char *a, const char *b);
/* Orders a string and one of `length` bytes in the same way. */
int lmi_compare_part(const char *a, const char *b, size_t length);
/* Returns the index of the item whose name equals `length` bytes. An exact match wins over one in
 * another case; of equal names, the first wins. Returns LM_NO_NAME if there is none. Items have
 * `size` bytes each and begin with a pointer to their name. */
#define LM_NO_NAME UINT32_MAX
uint32_t lmi_find_name(const void *items, uint32_t count, size_t size, const char *name,
                       size_t length);
bool lmi_ends_in(const char *text, const char *end);

/* Returns the length of a surface's name as engines look it up in a .skin file: without a final '_'
 * and the byte after it. */
static inline size_t lmi_skin_name_length(const char *name) {
    const size_t length = strlen(name);
    return length > 2 && name[length - 2] == '_' ? length - 2 : length;
}

/* A number with the words that agree with it: "1 tag has axes", "2 tags have axes". `words` is
 * "{tag has|tags have} axes". For an argument of printf. */
typedef struct lm_counted {
    char text[128];
} lm_counted;
lm_counted lmi_count_words(uint64_t count, const char *words);
/* Returns "1 base vertex" or "8 base vertices" for "base vertices", and "1 mesh" for
 * "{mesh|meshes}". */
lm_counted lmi_count_nouns(uint64_t count, const char *nouns);

/* Formats a sentence into `size` bytes (at least 16), including the NUL. If it is too long,
 * replaces the middle of its longest word, usually a path, with "…". The beginning and the end of
 * the sentence stay. */
void lmi_text_fit(char *out, size_t size, const char *sentence, va_list arguments);

/* Does the same as lm_fail_plain with arguments that the caller received itself. */
bool lmi_fail_vplain(lm_error *error, lm_code code, const char *sentence, va_list arguments)
    LM_PRINTF(3, 0);

/* Appends the shortest decimal that reads back as the same number. The result is the same on every
 * machine and in every locale. A number that is not finite is written as 0. */
void lmi_buffer_float(lm_buffer *buffer, float value);
void lmi_buffer_double(lm_buffer *buffer, double value);

/* Reads text files line by line. Lines end in LF, CR or both; comments are those of C. */

/* A part of a text owned elsewhere. */
typedef struct lm_text_span {
    const uint8_t *at, *end;
} lm_text_span;

typedef struct lm_lines {
    lm_text_span rest;
    size_t number;   /* of the last line returned, from 1 */
    bool in_comment; /* inside a block comment, which may span lines */
} lm_lines;

/* `text` may be NULL if it has no bytes. */
lm_lines lmi_lines_of(const void *text, size_t size);
/* Reads the next line without its end. Returns false at the end of the text. */
bool lmi_next_line(lm_lines *lines, lm_text_span *line);
/* Returns true if the rest of a line begins with these two characters. */
bool lmi_begins_with(const lm_text_span *line, const char *two);
/* Skips a block comment that starts here or is already open, up to its end or the end of the
 * line. */
void lmi_pass_comment(lm_lines *lines, lm_text_span *line);

/* Text from files: names are bytes, not always UTF-8. */

/* Returns the length of the UTF-8 sequence at the start of a text, and its value. 0 if it is
 * invalid (RFC 3629: overlong forms, surrogates and values above U+10FFFF are). `size` > 0. */
size_t lmi_utf8_decode(const void *sequence, size_t size, uint32_t *value);
/* Returns true if `size` bytes are valid UTF-8. */
bool lmi_utf8_valid(const char *text, size_t size);
/* Writes a byte of Latin-1 as UTF-8. Returns the number of bytes written. */
size_t lmi_utf8_of_latin1(uint8_t byte, char out[2]);
/* Writes `text` as UTF-8; invalid text is read as Latin-1. Returns the number of bytes, without a
 * NUL. If `out` is NULL, only counts. 2 * strlen(text) bytes always suffice. */
size_t lmi_utf8_from(const char *text, char *out);
/* Returns the number of bytes of a field before its first NUL; `size` if it has none. */
size_t lmi_field_length(const void *field, size_t size);

/* Finds the word closest to a mistyped one, for "did you mean". */

/* A search for the candidate closest to a word. Start from {.word = ...} and try each candidate. */
typedef struct lm_guess {
    const char *word;
    const char *best; /* NULL: none is close */
    size_t distance;
} lm_guess;

void lmi_guess_try(lm_guess *guess, const char *candidate);

#endif
