/* The text of a clips file, line by line: words, numbers and comments. */
#ifndef LM_CLIPS_TEXT_H
#define LM_CLIPS_TEXT_H

#include "core/lines.h"

typedef struct lm_word {
    const uint8_t *text;
    size_t length;
} lm_word;

/* Words that a line keeps; a row has five, or six with its name in front. */
#define LM_LINE_WORDS 6

typedef struct lm_text_line {
    size_t number;    /* from 1 */
    size_t num_words; /* at most LM_LINE_WORDS; the others are passed over */
    lm_word words[LM_LINE_WORDS];
    lm_word comment; /* what follows "//", without the spaces around it */
} lm_text_line;

lm_lines lm_text_start(const void *text, size_t size);
/* The next line; false at the end. Any byte up to a space separates words, NUL included. */
bool lm_text_next(lm_lines *lines, lm_text_line *line);

/* Whole words as numbers, in the C locale. False if the word is none. Integers beyond +-10^15 are
 * taken as that; decimals may come out zero, infinite or not a number. */
bool lm_word_integer(lm_word word, int64_t *value);
bool lm_word_decimal(lm_word word, double *value);

/* Whether the word is `text`, or begins with it, whatever its case. */
bool lm_word_is(lm_word word, const char *text);
bool lm_word_begins(lm_word word, const char *text);

#endif
