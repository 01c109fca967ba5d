#include "core/writing.h"

#include "core/report.h"

lm_buffer_mark lm_buffer_begin(const lm_buffer *buffer) {
    return (lm_buffer_mark){buffer->size, buffer->failed, buffer->full};
}

bool lm_buffer_end(lm_buffer *buffer, lm_buffer_mark mark, bool ok, const char *name,
                   lm_error *error) {
    if (ok && !buffer->failed)
        return true;
    if (buffer->failed && buffer->full)
        lm_fail_plain(error, LM_CODE_LIMIT, "the %s would be larger than %zu bytes", name,
                      buffer->max_size ? buffer->max_size : SIZE_MAX / 4);
    else if (buffer->failed)
        lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory while writing %s", name);
    buffer->size = mark.size;
    buffer->failed = mark.failed;
    buffer->full = mark.full;
    return false;
}
