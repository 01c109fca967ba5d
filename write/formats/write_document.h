/* Documents: lm_NAME_equal and lm_NAME_write of every format, and writing a document over the file
 * that it was read from. */
#ifndef LM_FORMATS_WRITE_DOCUMENT_H
#define LM_FORMATS_WRITE_DOCUMENT_H

#include "formats/document.h"
#include "formats/parts.h"

/* ---- Comparing and writing ----------------------------------------------------------------- */

static inline bool lm_equal_bytes(const uint8_t *a, const uint8_t *b, size_t size) {
    return size == 0 || a == b || (a && b && memcmp(a, b, size) == 0);
}
bool lm_equal_documents(const lm_document_kind *kind, const void *a, const void *b);
bool lm_write_document(const lm_document_kind *kind, const void *document, lm_buffer *out,
                       lm_error *error);

/* Appends a document without reading it back, for callers that read it themselves. */
bool lm_put_document(const lm_document_kind *kind, const void *document, lm_buffer *out,
                     lm_error *error);

/* Defines lm_NAME_equal and lm_NAME_write, where the description knows all of the file. */
#define LM_DOCUMENT_WRITE(name, kind)                                                    \
    bool lm_##name##_equal(const lm_##name *a, const lm_##name *b) {                     \
        return lm_equal_documents(&(kind), a, b);                                        \
    }                                                                                    \
    bool lm_##name##_write(const lm_##name *document, lm_buffer *out, lm_error *error) { \
        return lm_write_document(&(kind), document, out, error);                         \
    }

/* For formats that write their sections themselves: the header's bytes, and, when all is in `out`
 * from `start` on, whether it can be read again. If not, `out` is as it was. */
void lm_put_header(const lm_header *header, const void *owner, lm_buffer *out);
bool lm_end_document(const lm_document_kind *kind, size_t start, lm_buffer *out, lm_error *error);

/* ---- Over a file --------------------------------------------------------------------------- */

/* Appends a document over the file that it was read from: where nothing has another size only what
 * differs is written over a copy, else lumps keep their order and the bytes between them. `old` is
 * the document as it was read. `origins` has the number of each surface in the file; NULL: all are
 * there, as they were. The result is read back and compared once. */
bool lm_patch_document(const lm_document_kind *kind, lm_bytes file, const void *old,
                       const void *document, const uint32_t *origins, lm_buffer *out,
                       lm_error *error);

/* A part as it was in the file and as it is now; `start` and `end` are where it was. */
typedef struct lm_rewritten {
    lm_part old, now;
    size_t start, end;
} lm_rewritten;

typedef struct lm_rewriting {
    lm_bytes file;           /* no data: the document is written plainly */
    const uint32_t *origins; /* of the surfaces; NULL: they are in the file's order */
    const size_t *starts;    /* of the file's surfaces, and where the last one ends */
} lm_rewriting;

/* The surface that now is at `index`. */
lm_rewritten lm_rewritten_surface(const lm_rewriting *rewriting, const lm_rewritten *file,
                                  uint32_t index);
/* Appends the document and the bytes that the file has between its lumps. */
void lm_rewrite_document(const lm_rewriting *rewriting, const lm_rewritten *file, lm_buffer *out);
/* Returns whether a document has all lumps that its counts promise. */
bool lm_document_sound(const lm_document_kind *kind, const void *document, lm_error *error);

#endif
