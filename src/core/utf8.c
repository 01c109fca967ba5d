#include "core/utf8.h"

#include <string.h>

size_t lm_field_length(const void *field, size_t size) {
    const void *end = memchr(field, 0, size);
    return end ? (size_t)((const char *)end - (const char *)field) : size;
}

/* Returns the length of the UTF-8 sequence at `p`, with `left` bytes available. Returns 0 if it is
 * invalid (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). */
static size_t sequence_length(const uint8_t *p, size_t left) {
    if (p[0] < 0x80)
        return 1;
    size_t length = p[0] >= 0xC2 && p[0] <= 0xDF ? 2 : p[0] >> 4 == 0xE ? 3 : 0;
    if (p[0] >= 0xF0 && p[0] <= 0xF4)
        length = 4;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if (p[i] >> 6 != 2)
            return 0;
    bool overlong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90);
    bool beyond = (p[0] == 0xED && p[1] > 0x9F) || (p[0] == 0xF4 && p[1] > 0x8F);
    return overlong || beyond ? 0 : length;
}

bool lm_utf8_valid(const char *text, size_t size) {
    const uint8_t *p = (const uint8_t *)text;
    for (size_t i = 0, length; i < size; i += length) {
        length = sequence_length(p + i, size - i);
        if (length == 0)
            return false;
    }
    return true;
}

size_t lm_utf8_of_latin1(uint8_t byte, char out[2]) {
    const bool wide = byte >= 0x80;
    out[0] = (char)(wide ? 0xC0 | byte >> 6 : byte);
    out[1] = (char)(0x80 | (byte & 0x3F));
    return wide ? 2 : 1;
}

size_t lm_utf8_from(const char *text, char *out) {
    size_t length = strlen(text), written = 0;
    bool latin1 = !lm_utf8_valid(text, length);
    for (size_t i = 0; i < length; i++) {
        char piece[2] = {text[i]};
        size_t size = latin1 ? lm_utf8_of_latin1((uint8_t)text[i], piece) : 1;
        if (out)
            memcpy(out + written, piece, size);
        written += size;
    }
    return written;
}
