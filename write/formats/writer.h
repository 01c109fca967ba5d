/* The interface of a format's writer. Only write/writers.c lists the writers. */
#ifndef LM_FORMATS_WRITER_H
#define LM_FORMATS_WRITER_H

#include "formats/format.h"

typedef struct lm_encoding lm_encoding;
typedef struct lm_editor lm_editor;
typedef struct lm_optimizing lm_optimizing;

/* Functions are NULL if the format does not support them. */
typedef struct lm_writer {
    const lm_format *format;
    /* Appends a mesh as a file, and records the vertex of the file for each of the mesh's
     * (encode/encoding.h). Returns false if the call ended. */
    bool (*encode)(lm_encoding *encoding, lm_buffer *out);
    /* The format's editor (edit/editing.h). */
    const lm_editor *edit;
    /* Makes a document smaller without changing what it shows, in the arena, and records the new
     * indices of its triangles and vertices (optimize/optimizing.h). Returns false if the call
     * ended. */
    bool (*optimize)(lm_optimizing *optimizing, void *document);
    /* Replaces a document's vertices and frames by those of another, which was encoded from the
     * same model. Returns false if they do not fit. NULL: loss does not make the format smaller. */
    bool (*adopt)(void *document, const void *other);
} lm_writer;

/* Returns the writer of a format; NULL if the format is read-only. */
const lm_writer *lmi_find_writer(const char *format);

#endif
