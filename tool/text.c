#include "text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tool_same_text(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
    return *a == *b;
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
