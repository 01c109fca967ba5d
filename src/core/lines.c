#include "core/lines.h"

#include <string.h>

lm_lines lm_lines_of(const void *text, size_t size) {
    const uint8_t *start = text;
    return (lm_lines){.rest = {start, size ? start + size : start}};
}

bool lm_next_line(lm_lines *lines, lm_text_span *line) {
    lm_text_span *rest = &lines->rest;
    if (rest->at == rest->end)
        return false;
    *line = (lm_text_span){rest->at, rest->at};
    while (line->end < rest->end && *line->end != '\n' && *line->end != '\r')
        line->end++;
    rest->at = line->end;
    if (rest->at < rest->end)
        rest->at += lm_begins_with(rest, "\r\n") ? 2 : 1;
    lines->number++;
    return true;
}

bool lm_begins_with(const lm_text_span *line, const char *two) {
    return line->end - line->at >= 2 && memcmp(line->at, two, 2) == 0;
}

void lm_pass_comment(lm_lines *lines, lm_text_span *line) {
    if (!lines->in_comment && lm_begins_with(line, "/*")) {
        line->at += 2;
        lines->in_comment = true;
    }
    while (lines->in_comment && line->at < line->end) {
        lines->in_comment = !lm_begins_with(line, "*/");
        line->at += lines->in_comment ? 1 : 2;
    }
}
