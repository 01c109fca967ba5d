/* Documents: lm_NAME_read and lm_NAME_free of every format. */
#ifndef LM_FORMATS_DOCUMENT_H
#define LM_FORMATS_DOCUMENT_H

#include "formats/describe.h"
#include "formats/format.h"

typedef struct lm_document_kind {
    const lm_format *format;
    const char *title; /* "MD3" */
    const lm_header *header;
    /* Finds everything in a file and checks it. What it makes for the document, which is its
     * struct, is from the reading's arena. False after having reported why, or after the heap
     * failed. */
    bool (*read)(lm_reading *reading, void *document);
} lm_document_kind;

void *lm_read_document(const lm_document_kind *kind, const void *data, size_t size,
                       const lm_memory *memory, lm_error *error);
/* Returns the arena of a document that was read: its pieces lie apart, as lumps that its changes
 * made are found in it. */
lm_arena *lm_document_arena(const lm_header *header, const void *document);
/* Frees a document that was read. NULL is allowed. */
void lm_free_document(const lm_header *header, const void *document);

/* Defines lm_NAME_read and lm_NAME_free. */
#define LM_DOCUMENT_READ(name, kind)                                                    \
    lm_##name *lm_##name##_read(const void *data, size_t size, const lm_memory *memory, \
                                lm_error *error) {                                      \
        return lm_read_document(&(kind), data, size, memory, error);                    \
    }                                                                                   \
    void lm_##name##_free(lm_##name *document) {                                        \
        lm_free_document((kind).header, document);                                      \
    }

#endif
