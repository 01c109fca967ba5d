/* Checks for documents of all formats. Every failure fails the running test. */
#ifndef TESTS_DOCUMENTS_H
#define TESTS_DOCUMENTS_H

#include "layouts.h"

/* A format's functions, with documents as void *. */
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

/* Checks that the document is written back to the same bytes; `what` names the file. */
void assert_round_trip(const document_kind *kind, const char *what, const blob *file);
/* Does so for every file of the corpus: all of them are canonical. */
void assert_corpus_round_trips(const document_kind *kind);
/* Checks that the documents are equal as read, and again after the second is written and read. */
void assert_equal_documents(const document_kind *kind, const blob *a, const blob *b);
void assert_trailing_bytes_are_kept(const document_kind *kind, const blob *file);
/* Checks that a document is appended to a buffer's contents and that the buffer's limit holds. */
void assert_write_appends_and_obeys_limits(const document_kind *kind, const blob *file);

/* Checks that lumps in any order and with gaps before them make the same document. */
void assert_layout_does_not_matter(const document_kind *kind, const blob *file);
/* Checks that every byte of content counts, even unused ones, and that offsets do not. */
void assert_equal_compares_every_byte(const document_kind *kind, const blob *file);

#endif
