/* What all writers do with the caller's buffer. */
#ifndef LM_CORE_WRITING_H
#define LM_CORE_WRITING_H

#include "lerpmesh/base.h"

/* How a buffer was when a writer began. */
typedef struct lm_buffer_mark {
    size_t size;
    bool failed, full;
} lm_buffer_mark;

lm_buffer_mark lm_buffer_begin(const lm_buffer *buffer);
/* Ends a writer: returns whether it and the buffer have done well. If not, the buffer is as it was
 * again; if it was the buffer, `error` says why not ("out of memory while writing NAME"). */
bool lm_buffer_end(lm_buffer *buffer, lm_buffer_mark mark, bool ok, const char *name,
                   lm_error *error);

#endif
