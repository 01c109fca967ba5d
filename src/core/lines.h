/* Reads text files line by line. Lines end in LF, CR or both; comments are those of C. */
#ifndef LM_CORE_LINES_H
#define LM_CORE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
lm_lines lm_lines_of(const void *text, size_t size);
/* Reads the next line without its end. Returns false at the end of the text. */
bool lm_next_line(lm_lines *lines, lm_text_span *line);
/* Returns true if the rest of a line begins with these two characters. */
bool lm_begins_with(const lm_text_span *line, const char *two);
/* Skips a block comment that starts here or is already open, up to its end or the end of the
 * line. */
void lm_pass_comment(lm_lines *lines, lm_text_span *line);

#endif
