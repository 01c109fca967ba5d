/* Documents: lm_NAME_read and lm_NAME_free of every format. */
#ifndef LM_FORMATS_DOCUMENT_H
#define LM_FORMATS_DOCUMENT_H

#include "formats/describe.h"
#include "formats/format.h"

typedef struct lm_document_kind {
    const lm_format *format;
    const char *title; /* "MD3" */
    const lm_header *header;
    /* Finds and checks everything in a file. `document` is the format's struct; its memory is from
     * the reading's arena. Returns false after reporting an error or if memory ran out. */
    bool (*read)(lm_reading *reading, void *document);
} lm_document_kind;

void *lm_read_document(const lm_document_kind *kind, const void *data, size_t size,
                       const lm_memory *memory, lm_error *error);
/* Reads with the memory and the tolerance of the options. The reporter gets the warnings. With
 * `repair`, lumps are cut to what is inside the file, and their elements may be damaged. */
void *lm_read_document_as(const lm_document_kind *kind, lm_bytes file,
                          const lm_load_options *options, lm_load_reporter *reporter,
                          lm_error *error);
/* Returns the arena of a document that was read. Each piece is an allocation of its own, so that
 * lumps made by edits can be found. */
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
