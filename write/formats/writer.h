/* A format that is written: its functions. Only write/writers.c lists them. */
#ifndef LM_FORMATS_WRITER_H
#define LM_FORMATS_WRITER_H

#include "formats/format.h"

typedef struct lm_encoding lm_encoding;
typedef struct lm_editor lm_editor;
typedef struct lm_optimizing lm_optimizing;

/* Functions that are NULL the format does not have. */
typedef struct lm_writer {
    const lm_format *format;
    /* Appends a mesh as a file, and records where its vertices went (encode/encoding.h). Returns
     * false if that cannot be done or memory ran out. */
    bool (*encode)(lm_encoding *encoding, lm_buffer *out);
    /* How a file is changed (edit/editing.h). */
    const lm_editor *edit;
    /* Makes a document show the same in fewer bytes, in the arena, and records where its triangles
     * and vertices went (optimize/optimizing.h). Returns false if the call ended. */
    bool (*optimize)(lm_optimizing *optimizing, void *document);
    /* Gives a document the vertices and frames of another, which was encoded from what it shows;
     * false if they do not fit. NULL: the format gains nothing by loss. */
    bool (*adopt)(void *document, const void *other);
} lm_writer;

/* Returns the writer of a format, NULL if the format is only read. */
const lm_writer *lm_find_writer(const char *format);

#endif
