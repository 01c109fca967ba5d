#include "text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tool_parse_doubles(const char *text, unsigned count, double *values) {
    for (unsigned i = 0; i < count; i++) {
        /* strtod also accepts white space, hexadecimal numbers, "inf" and "nan". */
        const size_t length = strspn(text, "0123456789+-.eE");
        char *end;
        values[i] = strtod(text, &end);
        if (length == 0 || end != text + length || !isfinite(values[i]) ||
            *end != (i + 1 < count ? ',' : '\0'))
            return false;
        text = end + 1;
    }
    return true;
}

bool tool_parse_double(const char *text, double *value) {
    return tool_parse_doubles(text, 1, value);
}

static const char *parse_digits(const char *text, uint64_t max, uint64_t *value) {
    if (*text < '0' || *text > '9')
        return NULL;
    *value = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (digit > max || *value > (max - digit) / 10)
            return NULL;
        *value = *value * 10 + digit;
    }
    return text;
}

bool tool_parse_uint(const char *text, uint64_t max, uint64_t *value) {
    const char *end = parse_digits(text, max, value);
    return end && *end == '\0';
}

bool tool_parse_pair(const char *text, char between, uint64_t max, uint32_t *a, uint32_t *b) {
    uint64_t x, y;
    const char *end = parse_digits(text, max, &x);
    if (!end || *end != between || !tool_parse_uint(end + 1, max, &y))
        return false;
    *a = (uint32_t)x;
    *b = (uint32_t)y;
    return true;
}

bool tool_parse_size(const char *text, uint64_t max, uint64_t *value) {
    static const char units[] = "KMG";
    const char *end = parse_digits(text, max, value);
    if (!end)
        return false;
    const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
    if (unit) {
        unsigned shift = 10 * (unsigned)(unit - units + 1);
        if (*value > max >> shift)
            return false;
        *value <<= shift;
        end++;
    }
    return *end == '\0';
}

bool tool_same_text(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
    return *a == *b;
}

bool tool_is_word(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* ---- Memory -------------------------------------------------------------------------------- */

typedef struct tool_block {
    struct tool_block *before;
    max_align_t bytes[];
} tool_block;

void *tool_alloc(tool_memory *memory, size_t count, size_t size) {
    tool_block *block =
        count <= (SIZE_MAX - sizeof *block) / size ? calloc(1, sizeof *block + count * size) : NULL;
    memory->failed = memory->failed || !block;
    if (!block)
        return NULL;
    block->before = memory->last;
    memory->last = block;
    return block->bytes;
}

void *tool_grow(tool_memory *memory, void *list, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity)
        return list;
    void *grown = tool_alloc(memory, 2 * count + 64, size);
    if (grown && count > 0)
        memcpy(grown, list, count * size);
    *capacity = grown ? 2 * count + 64 : *capacity;
    return grown;
}

char *tool_copy(tool_memory *memory, const char *text, size_t length) {
    char *copy = tool_alloc(memory, length + 1, 1);
    return copy ? memcpy(copy, text, length) : NULL;
}

char *tool_format(tool_memory *memory, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = tool_alloc(memory, (size_t)length + 1, 1);
    va_start(arguments, format);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

char *tool_take_text(tool_memory *memory, lm_buffer *text) {
    const char *from = text->size > 0 ? (const char *)text->data : "";
    char *copy = text->failed ? NULL : tool_copy(memory, from, text->size);
    memory->failed = memory->failed || !copy;
    lm_buffer_free(text);
    return copy;
}

void tool_memory_free(tool_memory *memory) {
    while (memory->last) {
        tool_block *last = memory->last;
        memory->last = last->before;
        free(last);
    }
}
