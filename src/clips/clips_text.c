#include "clips/clips_text.h"

#include "core/exact.h"
#include "core/text.h"

#include <string.h>

#define LARGEST_INTEGER INT64_C(1000000000000000)

lm_lines lm_text_start(const void *text, size_t size) {
    static const uint8_t mark[] = {0xef, 0xbb, 0xbf}; /* of UTF-8, as some editors write it */
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
    while (rest->at<rest->end && * rest->at> ' ' && !lm_stands(rest, "//") &&
           !lm_stands(rest, "/*"))
        rest->at++;
    if (line->num_words < LM_LINE_WORDS)
        line->words[line->num_words++] = (lm_word){start, (size_t)(rest->at - start)};
}

bool lm_text_next(lm_lines *lines, lm_text_line *line) {
    lm_text_span rest;
    if (!lm_next_line(lines, &rest))
        return false;
    *line = (lm_text_line){.number = lines->number};
    while (rest.at < rest.end) {
        if (lines->in_comment || lm_stands(&rest, "/*")) {
            lm_pass_comment(lines, &rest);
        } else if (lm_stands(&rest, "//")) {
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

static bool is_digit(lm_word word, size_t at) {
    return at < word.length && word.text[at] >= '0' && word.text[at] <= '9';
}

/* Reads a sign, if there is one; returns whether it was a minus. */
static bool take_sign(lm_word word, size_t *at) {
    bool minus = *at < word.length && word.text[*at] == '-';
    if (minus || (*at < word.length && word.text[*at] == '+'))
        ++*at;
    return minus;
}

/* Reads digits as an integer that stops growing at the largest. Returns how many there were. */
static size_t take_digits(lm_word word, size_t *at, int64_t *value) {
    size_t start = *at;
    for (*value = 0; is_digit(word, *at); ++*at)
        *value =
            *value < LARGEST_INTEGER / 10 ? *value * 10 + (word.text[*at] - '0') : LARGEST_INTEGER;
    return *at - start;
}

bool lm_word_integer(lm_word word, int64_t *value) {
    size_t at = 0;
    bool minus = take_sign(word, &at);
    if (take_digits(word, &at, value) == 0 || at != word.length)
        return false;
    *value = minus ? -*value : *value;
    return true;
}

/* Adds digits to a mantissa: returns how many were read, and counts those that shift its point. */
static size_t take_mantissa(lm_word word, size_t *at, double *mantissa, int64_t *shift,
                            bool fraction) {
    size_t start = *at;
    for (; is_digit(word, *at); ++*at) {
        bool room = *mantissa < 1e15;
        if (room)
            *mantissa = *mantissa * 10 + (word.text[*at] - '0');
        *shift += fraction ? (room ? -1 : 0) : (room ? 0 : 1);
    }
    return *at - start;
}

bool lm_word_decimal(lm_word word, double *value) {
    size_t at = 0;
    double mantissa = 0;
    int64_t shift = 0, exponent = 0;
    bool minus = take_sign(word, &at);
    size_t digits = take_mantissa(word, &at, &mantissa, &shift, false);
    if (at < word.length && word.text[at] == '.') {
        at++;
        digits += take_mantissa(word, &at, &mantissa, &shift, true);
    }
    if (digits && at < word.length && (word.text[at] == 'e' || word.text[at] == 'E')) {
        at++;
        bool below = take_sign(word, &at);
        if (take_digits(word, &at, &exponent) == 0)
            return false;
        exponent = below ? -exponent : exponent;
    }
    if (digits == 0 || at != word.length)
        return false;
    mantissa = lm_shift_decimal(mantissa, shift + exponent);
    *value = minus ? -mantissa : mantissa;
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
