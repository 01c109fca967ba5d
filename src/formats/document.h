/* Documents: lm_NAME_read and lm_NAME_free of every format, and the memory of a document. */
#ifndef LM_FORMATS_DOCUMENT_H
#define LM_FORMATS_DOCUMENT_H

#include "formats/describe.h"
#include "formats/format.h"

/* ---- What a document owns ------------------------------------------------------------------ */

/* Blocks that go together, whatever points to them by then. */
typedef struct lm_owned {
    lm_allocator allocator;
    struct lm_owned_block *last;
} lm_owned;

/* A block for `count` elements. `heap` bounds it; NULL: nothing does. NULL if there is no memory.
 */
void *lm_own(lm_owned *owned, lm_heap *heap, uint64_t count, size_t element);
/* Releases all blocks. */
void lm_disown(lm_owned *owned);
/* A lump of at least `size` bytes that is the document's own; NULL if it is not. The last ones are
 * found first. */
uint8_t *lm_owned_lump(const lm_owned *owned, const uint8_t *lump, size_t size);
/* ---- Reading ------------------------------------------------------------------------------- */

typedef struct lm_document_kind {
    const lm_format *format;
    const char *title; /* "MD3" */
    const lm_header *header;
    /* Finds everything in a file and checks it. What it makes for the document, which is its
     * struct, is owned by `owned`. False after having reported why, or after the heap failed. */
    bool (*read)(lm_reading *reading, lm_owned *owned, void *document);
} lm_document_kind;

void *lm_read_document(const lm_document_kind *kind, const void *data, size_t size,
                       const lm_memory *memory, lm_error *error);
/* Frees what `owned`, a member of a document, has: the document too. NULL is allowed. */
void lm_free_document(lm_owned *owned);
/* The owner of a document's memory. */
lm_owned *lm_owned_by(const lm_header *header, const void *document);

/* Defines lm_NAME_read and lm_NAME_free. */
#define LM_DOCUMENT_READ(name, kind)                                                    \
    lm_##name *lm_##name##_read(const void *data, size_t size, const lm_memory *memory, \
                                lm_error *error) {                                      \
        return lm_read_document(&(kind), data, size, memory, error);                    \
    }                                                                                   \
    void lm_##name##_free(lm_##name *document) {                                        \
        lm_free_document(document ? document->owned : NULL);                            \
    }

#endif
