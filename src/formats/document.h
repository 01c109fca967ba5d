/* Documents: what lm_NAME_read, _free, _equal and _write do for every format, and what a document
 * owns. */
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
/* A lump as memory of the document's own: it itself if it is, else a copy. */
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

/* ---- Reading and writing ------------------------------------------------------------------- */

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
static inline bool lm_equal_bytes(const uint8_t *a, const uint8_t *b, size_t size) {
    return size == 0 || a == b || (a && b && memcmp(a, b, size) == 0);
}
lm_owned *lm_owned_by(const lm_header *header, const void *document);
bool lm_equal_documents(const lm_document_kind *kind, const void *a, const void *b);
bool lm_write_document(const lm_document_kind *kind, const void *document, lm_buffer *out,
                       lm_error *error);

/* Appends a document over the file that it was read from: where nothing has another size only what
 * differs is written over a copy, else lumps keep their order and the bytes between them. `origins`
 * says which of the file's each surface was; NULL: all are there, as they were. */
bool lm_write_kept(const lm_document_kind *kind, lm_bytes file, const void *document,
                   const uint32_t *origins, lm_buffer *out, lm_error *error);

/* The calls that are the same for every format: lm_NAME_read and lm_NAME_free, ... */
#define LM_DOCUMENT_READ(name, kind)                                                    \
    lm_##name *lm_##name##_read(const void *data, size_t size, const lm_memory *memory, \
                                lm_error *error) {                                      \
        return lm_read_document(&(kind), data, size, memory, error);                    \
    }                                                                                   \
    void lm_##name##_free(lm_##name *document) {                                        \
        lm_free_document(document ? document->owned : NULL);                            \
    }
/* ... and lm_NAME_equal and lm_NAME_write, where the description knows all of the file. */
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
