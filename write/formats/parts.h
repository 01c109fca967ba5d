/* A document by its description. The document and each of its surfaces are parts, with a header and
 * lumps. Comparing, writing and editing iterate over parts. */
#ifndef LM_FORMATS_PARTS_H
#define LM_FORMATS_PARTS_H

#include "formats/describe.h"

typedef struct lm_part {
    const lm_header *header;
    const void *document, *owner; /* equal for the document; the owner may be a surface */
} lm_part;

static inline lm_part lm_document_part(const lm_header *header, const void *document) {
    return (lm_part){header, document, document};
}

/* Returns the lump of surfaces, which is the last one; NULL if the format has none. */
static inline const lm_header_lump *lm_chain_of(const lm_header *header) {
    const size_t count = header->lumps.count;
    return count > 0 && header->lumps.list[count - 1].chain ? &header->lumps.list[count - 1] : NULL;
}

static inline uint32_t lm_num_surfaces(const lm_header *header, const void *document) {
    const lm_header_lump *chain = lm_chain_of(header);
    return chain ? (uint32_t)lm_lump_extent(chain, document, document).count : 0;
}

static inline lm_part lm_surface_part(const lm_part *file, size_t index) {
    const lm_header_lump *chain = lm_chain_of(file->header);
    const uint8_t *surfaces = lm_lump_data(chain, file->document);
    return (lm_part){chain->chain, file->document, surfaces + index * chain->chain->struct_size};
}

/* The same surface in a document that may be changed. */
static inline void *lm_surface_of(const lm_header *header, void *document, size_t index) {
    const lm_header_lump *chain = lm_chain_of(header);
    uint8_t *surfaces;
    memcpy(&surfaces, (char *)document + chain->data, sizeof surfaces);
    return surfaces + index * chain->chain->struct_size;
}

/* Clears the lumps' offsets, so that they are written in the order of the description. */
static inline void lm_forget_offsets(const lm_header *header, void *owner) {
    for (size_t i = 0; i < header->lumps.count; i++)
        lm_set_number(owner, header->lumps.list[i].ofs, 0);
    if (header->lumps.count > 0)
        lm_set_number(owner, header->end, 0);
}

static inline lm_extent lm_part_extent(const lm_part *part, const lm_header_lump *lump) {
    return lm_lump_extent(lump, part->document, part->owner);
}

static inline size_t lm_part_size(const lm_part *part, const lm_header_lump *lump) {
    return (size_t)lm_extent_size(lm_part_extent(part, lump));
}

static inline lm_trailing lm_trailing_of(const lm_header *header, const void *document) {
    lm_trailing trailing;
    memcpy(&trailing, (const char *)document + header->trailing, sizeof trailing);
    return trailing;
}

/* Returns true if a field holds content of the file: neither a constant nor an offset. */
static inline bool lm_field_is_content(const lm_header_field *field) {
    return field->member != LM_NOT_SHOWN && field->kind != LM_HEADER_OFFSET;
}

#endif
