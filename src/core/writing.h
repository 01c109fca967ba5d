/* Functions that begin and end every writer, with the caller's buffer. */
#ifndef LM_CORE_WRITING_H
#define LM_CORE_WRITING_H

#include "lerpmesh/base.h"

/* The state of a buffer when a writer began. */
typedef struct lm_buffer_mark {
    size_t size;
    bool failed, full;
} lm_buffer_mark;

lm_buffer_mark lmi_buffer_begin(const lm_buffer *buffer);
/* Ends a writer. Returns true if both the writer and the buffer succeeded; otherwise restores the
 * buffer. If the buffer failed, `error` gets the reason ("out of memory while writing NAME"). */
bool lmi_buffer_end(lm_buffer *buffer, lm_buffer_mark mark, bool ok, const char *name,
                    lm_error *error);

#endif
