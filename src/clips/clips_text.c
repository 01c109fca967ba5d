#include "clips/clips_text.h"

#include "core/exact.h"
#include "core/text.h"

#include <string.h>

#define LARGEST_INTEGER INT64_C(1000000000000000)

lm_lines lm_text_start(const void *text, size_t size) {
    static const uint8_t mark[] = {0xef, 0xbb, 0xbf}; /* the byte order mark of UTF-8 */
    lm_lines lines = lm_lines_of(text, size);
    if (size >= sizeof mark && memcmp(text, mark, sizeof mark) == 0)
        lines.rest.at += sizeof mark;
    return lines;
}

/* ---- Lines --------------------------------------------------------------------------------- */

static lm_word trimmed(lm_text_span span) {
    while (span.at < span.end && *span.at <= ' ')
        span.at++;
    while (span.at < span.end && span.end[-1] <= ' ')
        span.end--;
    return (lm_word){span.at, (size_t)(span.end - span.at)};
}

static void take_word(lm_text_span *rest, lm_text_line *line) {
    const uint8_t *start = rest->at;
    while (rest->at < rest->end && *rest->at > ' ' && !lm_begins_with(rest, "//") &&
           !lm_begins_with(rest, "/*"))
        rest->at++;
    if (line->num_words < LM_LINE_WORDS)
        line->words[line->num_words++] = (lm_word){start, (size_t)(rest->at - start)};
}

bool lm_text_next(lm_lines *lines, lm_text_line *line) {
    lm_text_span rest;
    if (!lm_next_line(lines, &rest))
        return false;
    const lm_word text = trimmed(rest);
    *line = (lm_text_line){.number = lines->number, .end = text.text + text.length};
    while (rest.at < rest.end) {
        if (lines->in_comment || lm_begins_with(&rest, "/*")) {
            lm_pass_comment(lines, &rest);
        } else if (lm_begins_with(&rest, "//")) {
            line->comment = trimmed((lm_text_span){rest.at + 2, rest.end});
            rest.at = rest.end;
        } else if (*rest.at <= ' ') {
            rest.at++;
        } else {
            take_word(&rest, line);
        }
    }
    return true;
}

/* ---- Numbers ------------------------------------------------------------------------------- */

bool lm_word_decimal(lm_word word, double *value) {
    return word.length > 0 && lm_read_decimal(word.text, word.length, value) == word.length;
}

bool lm_word_integer(lm_word word, int64_t *value) {
    double number = 0;
    for (size_t i = 0; i < word.length; i++)
        if (strchr(".eE", word.text[i]))
            return false;
    if (!lm_word_decimal(word, &number))
        return false;
    *value = number < -LARGEST_INTEGER  ? -LARGEST_INTEGER
             : number > LARGEST_INTEGER ? LARGEST_INTEGER
                                        : (int64_t)number;
    return true;
}

/* ---- Words --------------------------------------------------------------------------------- */

bool lm_word_begins(lm_word word, const char *text) {
    size_t length = strlen(text);
    return word.length >= length && lm_same_letters(word.text, text, length);
}

bool lm_word_is(lm_word word, const char *text) {
    return word.length == strlen(text) && lm_word_begins(word, text);
}
