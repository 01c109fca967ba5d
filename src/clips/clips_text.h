/* Splits the text of a clips file into lines, words, numbers and comments. */
#ifndef LM_CLIPS_TEXT_H
#define LM_CLIPS_TEXT_H

#include "core/text.h"
#include "lerpmesh/clips.h"

typedef struct lm_word {
    const uint8_t *text;
    size_t length;
} lm_word;

/* Words kept per line. A row has five, or six if it begins with the name. */
#define LM_LINE_WORDS 6

typedef struct lm_text_line {
    size_t number;    /* from 1 */
    size_t num_words; /* at most LM_LINE_WORDS; further words are skipped */
    lm_word words[LM_LINE_WORDS];
    lm_word comment;    /* the text after "//", without surrounding spaces */
    const uint8_t *end; /* of the line's text, without spaces after it */
} lm_text_line;

lm_lines lm_text_start(const void *text, size_t size);
/* Reads the next line. Returns false at the end. Any byte up to a space separates words, including
 * NUL. */
bool lm_text_next(lm_lines *lines, lm_text_line *line);

/* Parse whole words as numbers, in the C locale. Return false if the word is not a number. Integers
 * are clamped to +-10^15. Decimals may be zero, infinite or NaN. */
bool lm_word_integer(lm_word word, int64_t *value);
bool lm_word_decimal(lm_word word, double *value);

/* Return true if the word is `text`, or begins with it; case-insensitive. */
bool lm_word_is(lm_word word, const char *text);
bool lm_word_begins(lm_word word, const char *text);

/* Finds the row of a clips file that a clip was read from. */

/* A row as written, before it is checked against the model. */
typedef struct lm_clips_row {
    int64_t first, count;
    int64_t loop; /* frames that repeat; negative: all */
    double fps;
    lm_word name; /* in full; length 0: the row has no name */
} lm_clips_row;

/* A row in its file. The words are views of the text. */
typedef struct lm_clips_place {
    lm_clips_format format;
    lm_clips_row row;
    lm_text_line line;
    int64_t legs_offset; /* which was subtracted from `first` if the name begins with LEGS_ */
} lm_clips_place;

/* Does the same as lm_clips_read and fills `place` with the row of a clip. `place` stays as it was
 * if there is no such clip. */
lm_clips *lm_clips_read_place(const void *text, size_t size, uint32_t num_frames,
                              const lm_clips_options *options, uint32_t clip, lm_clips_place *place,
                              lm_error *error);

#endif
