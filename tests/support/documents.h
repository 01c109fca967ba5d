/* Documents of all formats. Everything here fails the running test. */
#ifndef TESTS_DOCUMENTS_H
#define TESTS_DOCUMENTS_H

#include "layouts.h"

/* A format's functions with documents as void *. */
typedef struct document_kind {
    const char *extension; /* ".md2" */
    int format;
    blob (*make)(void); /* a small model */
    void *(*read)(const void *data, size_t size, lm_error *error);
    void (*free)(void *document);
    bool (*write)(const void *document, lm_buffer *out, lm_error *error);
    bool (*equal)(const void *a, const void *b);
} document_kind;

extern const document_kind md2_documents, mdc_documents, md3_documents, mdl_documents;
extern const document_kind *const documents[]; /* [NUM_FORMATS] */

void *read_document(const document_kind *kind, const blob *file);
blob write_document(const document_kind *kind, const void *document);

/* Written as it was read, to the byte; `what` names the file. */
void assert_round_trip(const document_kind *kind, const char *what, const blob *file);
/* Every file of the corpus is canonical: none is left out. */
void assert_corpus_round_trips(const document_kind *kind);
/* Equal as read, and still when the second is written and read again. */
void assert_equal_documents(const document_kind *kind, const blob *a, const blob *b);
void assert_trailing_bytes_are_kept(const document_kind *kind, const blob *file);
/* A document may be appended to what is there already, and stops at the buffer's limit. */
void assert_write_appends_and_obeys_limits(const document_kind *kind, const blob *file);

/* Lumps in any order and with gaps before them make the same document. */
void assert_layout_does_not_matter(const document_kind *kind, const blob *file);
/* Every byte of content counts, also those that nobody uses; offsets are no content. */
void assert_equal_sees_every_byte(const document_kind *kind, const blob *file);

#endif
