/* Checks for documents of all formats. Every failure fails the running test. */
#ifndef TESTS_DOCUMENTS_H
#define TESTS_DOCUMENTS_H

#include "support.h"

enum {
    MD2,
    MD3,
    MDC,
    MDL,
    NUM_EDITABLE, /* formats whose vertices can be edited */
    MDS = NUM_EDITABLE,
    NUM_FORMATS
};

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

extern const document_kind md2_documents, mdc_documents, md3_documents, mdl_documents,
    mds_documents;
extern const document_kind *const documents[]; /* [NUM_FORMATS] */

void *read_document(const document_kind *kind, const blob *file);
blob write_document(const document_kind *kind, const void *document);

/* Checks that the document is written back to the same bytes; `what` names the file. */
void assert_round_trip(const document_kind *kind, const char *what, const blob *file);
/* Checks that the documents are equal as read, and again after the second is written and read. */
void assert_equal_documents(const document_kind *kind, const blob *a, const blob *b);

/* Returns the same file with its lumps in another of 14 orders, and `gap` unused bytes around each.
 * MDL supports neither. */
blob rearrange(int format, const blob *file, size_t order, size_t gap);
/* Returns true if a byte is part of an offset of a lump or of the end. */
bool is_layout(int format, const blob *file, size_t at);

#endif
