/* Text that people write, line by line: ends of LF, CR or both, and C's two kinds of comments. */
#ifndef LM_CORE_LINES_H
#define LM_CORE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of a text that somebody else owns. */
typedef struct lm_text_span {
    const uint8_t *at, *end;
} lm_text_span;

typedef struct lm_lines {
    lm_text_span rest;
    size_t number;   /* of the line that came last, from 1 */
    bool in_comment; /* within a comment of C's old kind, which may go on over lines */
} lm_lines;

/* `text` may be NULL if it has no bytes. */
lm_lines lm_lines_of(const void *text, size_t size);
/* The next line, without its end; false at the end of the text. */
bool lm_next_line(lm_lines *lines, lm_text_span *line);
/* Whether the rest of a line begins with these two characters. */
bool lm_stands(const lm_text_span *line, const char *two);
/* Passes over the rest of the comment that a line is in, and the beginning of one. */
void lm_pass_comment(lm_lines *lines, lm_text_span *line);

#endif
