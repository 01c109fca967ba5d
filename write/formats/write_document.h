/* A document by its description: comparing documents, writing one as a new file, and writing one
 * over the file from which it was read. The document and each of its surfaces are parts, with a
 * header and lumps. Comparing, writing and editing iterate over parts. */
#ifndef LM_FORMATS_WRITE_DOCUMENT_H
#define LM_FORMATS_WRITE_DOCUMENT_H

#include "formats/describe.h"

/* ---- Parts --------------------------------------------------------------------------------- */

typedef struct lm_part {
    const lm_header *header;
    const void *document, *owner; /* equal for the document; the owner may be a surface */
} lm_part;

static inline lm_part lmi_document_part(const lm_header *header, const void *document) {
    return (lm_part){header, document, document};
}

/* Returns the lump of surfaces, which is the last one; NULL if the format has none. */
static inline const lm_header_lump *lmi_chain_of(const lm_header *header) {
    const size_t count = header->lumps.count;
    return count > 0 && header->lumps.list[count - 1].chain ? &header->lumps.list[count - 1] : NULL;
}

static inline uint32_t lmi_num_surfaces(const lm_header *header, const void *document) {
    const lm_header_lump *chain = lmi_chain_of(header);
    return chain ? (uint32_t)lmi_lump_extent(chain, document, document).count : 0;
}

static inline lm_part lmi_surface_part(const lm_part *file, size_t index) {
    const lm_header_lump *chain = lmi_chain_of(file->header);
    const uint8_t *surfaces = lmi_lump_data(chain, file->document);
    return (lm_part){chain->chain, file->document, surfaces + index * chain->chain->struct_size};
}

/* The same surface in a document that may be changed. */
static inline void *lmi_surface_of(const lm_header *header, void *document, size_t index) {
    const lm_header_lump *chain = lmi_chain_of(header);
    uint8_t *surfaces;
    memcpy(&surfaces, (char *)document + chain->data, sizeof surfaces);
    return surfaces + index * chain->chain->struct_size;
}

/* Clears the lumps' offsets, so that they are written in the order of the description. */
static inline void lmi_forget_offsets(const lm_header *header, void *owner) {
    for (size_t i = 0; i < header->lumps.count; i++)
        lmi_set_number(owner, header->lumps.list[i].ofs, 0);
    if (header->lumps.count > 0)
        lmi_set_number(owner, header->end, 0);
}

static inline lm_extent lmi_part_extent(const lm_part *part, const lm_header_lump *lump) {
    return lmi_lump_extent(lump, part->document, part->owner);
}

static inline size_t lmi_part_size(const lm_part *part, const lm_header_lump *lump) {
    return (size_t)lmi_extent_size(lmi_part_extent(part, lump));
}

static inline lm_trailing lmi_trailing_of(const lm_header *header, const void *document) {
    lm_trailing trailing;
    memcpy(&trailing, (const char *)document + header->trailing, sizeof trailing);
    return trailing;
}

/* ---- Comparing and writing ----------------------------------------------------------------- */

static inline bool lmi_equal_bytes(const uint8_t *a, const uint8_t *b, size_t size) {
    return size == 0 || a == b || (a && b && memcmp(a, b, size) == 0);
}
/* Compares the contents. Offsets do not count. */
bool lmi_equal_documents(const lm_document_kind *kind, const void *a, const void *b);
/* Appends a document as a file, and reads it back. Fails for a document that would not be read, or
 * that has a count but no lump for it (LM_CODE_BAD_ARGUMENT). The buffer is then unchanged. */
bool lmi_write_document(const lm_document_kind *kind, const void *document, lm_buffer *out,
                        lm_error *error);

/* Appends a document without reading it back, for callers that do so themselves. */
bool lmi_put_document(const lm_document_kind *kind, const void *document, lm_buffer *out,
                      lm_error *error);

/* For formats that write their sections themselves. lmi_put_header appends the header.
 * lmi_end_document reads the file in `out` from `start` on back. If that fails, it restores
 * `out`. */
void lmi_put_header(const lm_header *header, const void *owner, lm_buffer *out);
bool lmi_end_document(const lm_document_kind *kind, size_t start, lm_buffer *out, lm_error *error);

/* ---- Over a file --------------------------------------------------------------------------- */

/* Appends a document over the file from which it was read. If no size changed, writes only the
 * differences into a copy. Otherwise lumps keep their order and the bytes between them. `old` is
 * the document as it was read. `origins` has the original index of each surface; NULL: none moved.
 * The result is read back and compared once. */
bool lmi_patch_document(const lm_document_kind *kind, lm_bytes file, const void *old,
                        const void *document, const uint32_t *origins, lm_buffer *out,
                        lm_error *error);

#endif
