/* Documents: lm_NAME_equal and lm_NAME_write of every format, and writing a document over the file
 * from which it was read. */
#ifndef LM_FORMATS_WRITE_DOCUMENT_H
#define LM_FORMATS_WRITE_DOCUMENT_H

#include "formats/describe.h"
#include "formats/parts.h"

/* ---- Comparing and writing ----------------------------------------------------------------- */

static inline bool lm_equal_bytes(const uint8_t *a, const uint8_t *b, size_t size) {
    return size == 0 || a == b || (a && b && memcmp(a, b, size) == 0);
}
bool lm_equal_documents(const lm_document_kind *kind, const void *a, const void *b);
bool lm_write_document(const lm_document_kind *kind, const void *document, lm_buffer *out,
                       lm_error *error);

/* Appends a document without reading it back, for callers that do so themselves. */
bool lm_put_document(const lm_document_kind *kind, const void *document, lm_buffer *out,
                     lm_error *error);

/* Defines lm_NAME_equal and lm_NAME_write for a format whose description covers the whole file. */
#define LM_DOCUMENT_WRITE(name, kind)                                                    \
    bool lm_##name##_equal(const lm_##name *a, const lm_##name *b) {                     \
        return lm_equal_documents(&(kind), a, b);                                        \
    }                                                                                    \
    bool lm_##name##_write(const lm_##name *document, lm_buffer *out, lm_error *error) { \
        return lm_write_document(&(kind), document, out, error);                         \
    }

/* For formats that write their sections themselves. lm_put_header appends the header.
 * lm_end_document reads the file in `out` from `start` on back. If that fails, it restores
 * `out`. */
void lm_put_header(const lm_header *header, const void *owner, lm_buffer *out);
bool lm_end_document(const lm_document_kind *kind, size_t start, lm_buffer *out, lm_error *error);

/* ---- Over a file --------------------------------------------------------------------------- */

/* Appends a document over the file from which it was read. If no size changed, writes only the
 * differences into a copy. Otherwise lumps keep their order and the bytes between them. `old` is
 * the document as it was read. `origins` has the original index of each surface; NULL: none moved.
 * The result is read back and compared once. */
bool lm_patch_document(const lm_document_kind *kind, lm_bytes file, const void *old,
                       const void *document, const uint32_t *origins, lm_buffer *out,
                       lm_error *error);

/* A part before and after; `start` and `end` are its range in the file. */
typedef struct lm_rewritten {
    lm_part old, now;
    size_t start, end;
} lm_rewritten;

typedef struct lm_rewriting {
    lm_bytes file;           /* no data: the document is new */
    const uint32_t *origins; /* original indices of the surfaces; NULL: in the file's order */
    const size_t *starts;    /* of the file's surfaces, and the end of the last one */
} lm_rewriting;

/* Returns the surface that is now at `index`. */
lm_rewritten lm_rewritten_surface(const lm_rewriting *rewriting, const lm_rewritten *file,
                                  uint32_t index);
/* Appends the document, and the bytes that the file has between its lumps. */
void lm_rewrite_document(const lm_rewriting *rewriting, const lm_rewritten *file, lm_buffer *out);
/* Returns true if a document has all lumps that its counts require, and fits into a file. */
bool lm_document_sound(const lm_document_kind *kind, const void *document, lm_error *error);

#endif
