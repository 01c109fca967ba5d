/* Documents: lm_NAME_equal and lm_NAME_write of every format, and operations on lumps for those who
 * change documents. */
#ifndef LM_FORMATS_WRITE_DOCUMENT_H
#define LM_FORMATS_WRITE_DOCUMENT_H

#include "formats/document.h"

/* ---- Lumps --------------------------------------------------------------------------------- */

/* Returns a lump as memory of the document: the lump itself if the document owns it, else a copy.
 * NULL if there is no memory. */
uint8_t *lm_own_lump(lm_owned *owned, const uint8_t *lump, size_t size);

/* Elements of a lump as another, in this order; of each of `groups` groups of `of` elements alike.
 * NULL if there is no memory. */
uint8_t *lm_pick(lm_owned *owned, const uint8_t *lump, size_t element, const uint32_t *indices,
                 uint32_t count);
uint8_t *lm_pick_in_groups(lm_owned *owned, const uint8_t *lump, size_t element, uint32_t groups,
                           uint32_t of, const uint32_t *indices, uint32_t count);
/* A lump and another behind it. */
uint8_t *lm_join_lumps(lm_owned *owned, const uint8_t *a, size_t size_a, const uint8_t *b,
                       size_t size_b);
/* A lump with one more element, of zeros, at its end. */
uint8_t *lm_lengthen(lm_owned *owned, const uint8_t *lump, size_t element, uint32_t count);

/* ---- Comparing and writing ----------------------------------------------------------------- */

static inline bool lm_equal_bytes(const uint8_t *a, const uint8_t *b, size_t size) {
    return size == 0 || a == b || (a && b && memcmp(a, b, size) == 0);
}
bool lm_equal_documents(const lm_document_kind *kind, const void *a, const void *b);
bool lm_write_document(const lm_document_kind *kind, const void *document, lm_buffer *out,
                       lm_error *error);

/* Appends a document over the file that it was read from: where nothing has another size only what
 * differs is written over a copy, else lumps keep their order and the bytes between them. `origins`
 * says which of the file's each surface was; NULL: all are there, as they were. */
bool lm_write_kept(const lm_document_kind *kind, lm_bytes file, const void *document,
                   const uint32_t *origins, lm_buffer *out, lm_error *error);

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

/* ---- Editing ------------------------------------------------------------------------------- */

#define LM_MOST_NAME 64 /* bytes of any name's field */

/* An array of names within a lump, for lm_set_name. */
typedef struct lm_name_array {
    const char *what; /* "skin" */
    const uint8_t **lump;
    int32_t count;
    size_t stride; /* from one name to the next: an element of the lump */
    size_t at;     /* of the name in it */
    size_t room;   /* of the name's field */
    int32_t times; /* each name stands so often, `count` elements apart; 0: once */
} lm_name_array;

static inline const uint8_t *lm_name_field(const lm_name_array *names, uint32_t index) {
    return *names->lump + names->at + (size_t)index * names->stride;
}
/* Writes a field of `room` bytes. False if there is no memory for a lump of the document's own. */
bool lm_put_name_field(lm_owned *owned, const lm_name_array *names, uint32_t index,
                       const uint8_t *field);

/* Writes a name over another. The lump is the document's own from then on: a copy, made once. */
bool lm_set_name(const lm_document_kind *kind, lm_owned *owned, const lm_name_array *names,
                 int32_t index, const char *name, lm_error *error);

#endif
