#include "core/heap.h"

#include "core/options.h"
#include "core/report.h"
#include "core/text.h"
#include "core/writing.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FIRST_CAPACITY 256u /* small: many small files may each have a buffer */

/* Makes room for `size` more bytes, plus `spare` bytes that do not count. Returns false and sets
 * `failed` if there is none. */
static bool make_room(lm_buffer *buffer, size_t size, size_t spare) {
    size_t limit = buffer->max_size ? buffer->max_size : SIZE_MAX / 4;
    buffer->failed = buffer->failed || !lmi_buffer_valid(buffer, NULL, NULL);
    if (!buffer->failed)
        buffer->failed = buffer->full = buffer->size > limit || size > limit - buffer->size;
    if (buffer->failed)
        return false;
    size_t need = buffer->size + size + spare;
    if (need <= buffer->capacity && buffer->data)
        return true;
    /* The first size requested is often the final one. */
    size_t capacity = buffer->capacity        ? buffer->capacity
                      : need > FIRST_CAPACITY ? need
                                              : FIRST_CAPACITY;
    while (capacity < need)
        capacity *= 2;
    lm_allocator allocator = lmi_allocator_or_default(&buffer->allocator);
    void *grown = buffer->data
                      ? allocator.realloc(allocator.user, buffer->data, buffer->capacity, capacity)
                      : allocator.alloc(allocator.user, capacity);
    buffer->failed = !grown;
    if (!grown)
        return false;
    buffer->data = grown;
    buffer->capacity = capacity;
    return true;
}

uint8_t *lm_buffer_reserve(lm_buffer *buffer, size_t size) {
    if (!make_room(buffer, size, 0))
        return NULL;
    uint8_t *start = buffer->data + buffer->size;
    memset(start, 0, size);
    buffer->size += size;
    return start;
}

void lm_buffer_append(lm_buffer *buffer, const void *bytes, size_t size) {
    if (size == 0 || !make_room(buffer, size, 0))
        return;
    memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
}

void lm_buffer_text(lm_buffer *buffer, const char *text) {
    lm_buffer_append(buffer, text, strlen(text));
}

void lm_buffer_printf(lm_buffer *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && make_room(buffer, (size_t)length, 1)) {
        vsnprintf((char *)buffer->data + buffer->size, (size_t)length + 1, format, again);
        buffer->size += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void lm_buffer_free(lm_buffer *buffer) {
    if (!buffer)
        return;
    lm_allocator allocator = lmi_allocator_or_default(&buffer->allocator);
    if (buffer->capacity > 0) /* 0: the bytes are borrowed */
        allocator.free(allocator.user, buffer->data, buffer->capacity);
    buffer->data = NULL;
    buffer->size = buffer->capacity = 0;
}

/* ---- Writers ------------------------------------------------------------------------------ */

lm_buffer_mark lmi_buffer_begin(const lm_buffer *buffer) {
    return (lm_buffer_mark){buffer->size, buffer->failed, buffer->full};
}

bool lmi_buffer_end(lm_buffer *buffer, lm_buffer_mark mark, bool ok, const char *name,
                    lm_error *error) {
    if (ok && !buffer->failed)
        return true;
    if (buffer->failed && buffer->full) {
        lm_fail_plain(error, LM_CODE_LIMIT, "the %s would be larger than %zu bytes", name,
                      buffer->max_size ? buffer->max_size : SIZE_MAX / 4);
        lmi_fail_in(error, LM_SECTION_OUTPUT);
    } else if (buffer->failed)
        lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory while writing %s", name);
    buffer->size = mark.size;
    buffer->failed = mark.failed;
    buffer->full = mark.full;
    return false;
}
