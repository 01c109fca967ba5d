/* Describes a file by its format's description. The file may be damaged in any way. */
#include "formats/describe.h"

#include <stddef.h>

#define MAX_STRUCT 256 /* bytes of a document or surface */

/* Room for the struct of any header. */
typedef union room {
    max_align_t align;
    char bytes[MAX_STRUCT];
} room;

void lm_layout_fields(const lm_header *header, const char *name, size_t start,
                      lm_layout_builder *builder) {
    for (size_t i = 0; i < header->fields.count; i++) {
        const lm_header_field *field = &header->fields.list[i];
        lm_cell_type type = LM_CELL_S32;
        if (field->kind == LM_HEADER_TEXT || field->kind == LM_HEADER_MARK)
            type = LM_CELL_TEXT;
        else if (field->kind == LM_HEADER_REAL)
            type = LM_CELL_F32;
        lm_layout_field(builder, start + field->at, type, field->size, field->name, field->meaning);
    }
    lm_layout_header(builder, name, start, header->size);
}

/* Returns true if a lump that may be absent lies within its surface. */
static bool inside(const lm_header *header, const lm_header_lump *lump, lm_extent extent,
                   const void *owner) {
    const int32_t offset = lm_number(owner, lump->ofs);
    return offset >= header->size &&
           (int64_t)offset + (int64_t)lm_extent_size(extent) <= lm_number(owner, header->end);
}

/* Returns true if any lump that may be absent is needed. All of them are then shown. */
static bool any_needed(const lm_header *header, const void *owner) {
    bool needed = false;
    for (size_t i = 0; i < header->lumps.count; i++)
        needed = needed || (header->lumps.list[i].needed && header->lumps.list[i].needed(owner));
    return needed;
}

static void describe_lumps(const lm_header *header, const void *document, const void *owner,
                           size_t start, lm_layout_builder *builder) {
    const bool needed = any_needed(header, owner);
    for (size_t i = 0; i < header->lumps.count; i++) {
        const lm_header_lump *lump = &header->lumps.list[i];
        if (lump->chain)
            continue;
        lm_extent extent = lm_lump_extent(lump, document, owner);
        if (lump->needed && !needed && !inside(header, lump, extent, owner))
            extent.count = 0;
        const uint64_t groups = lm_lump_groups(lump, document, owner);
        lm_layout_lump(builder, &lump->shape,
                       (uint64_t)start + (uint32_t)lm_number(owner, lump->ofs), groups,
                       groups ? extent.count / groups : 0, extent.element);
    }
}

/* Describes the chain of surfaces as far as it can be followed, with at most as many surfaces as
 * the file has room for. */
static void describe_chain(const lm_header_lump *lump, lm_bytes file, const void *document,
                           lm_layout_builder *builder) {
    const lm_header *header = lump->chain;
    const uint64_t stated = lm_count(lm_number(document, lump->count.member));
    const uint64_t max_surfaces = file.size / header->size;
    uint64_t start = (uint32_t)lm_number(document, lump->ofs);
    room surface;
    for (uint32_t i = 0;
         i < stated && i < max_surfaces && lm_fits(file.size, start, 1, header->size); i++) {
        lm_get_header(header, file.data + start, &surface);
        lm_layout_part(builder, "surface", i);
        lm_layout_fields(header, "", (size_t)start, builder);
        describe_lumps(header, document, &surface, (size_t)start, builder);
        const int32_t end = lm_number(&surface, header->end);
        if (end <= 0)
            break;
        start += (uint32_t)end;
    }
    lm_layout_part(builder, NULL, 0);
}

void lm_layout_described(const lm_header *header, lm_bytes file, lm_layout_builder *builder) {
    room document;
    if (file.size < header->size)
        return;
    lm_get_header(header, file.data, &document);
    lm_layout_fields(header, "header", 0, builder);
    describe_lumps(header, &document, &document, 0, builder);
    lm_layout_end(builder, lm_number(&document, header->end));
    for (size_t i = 0; i < header->lumps.count; i++)
        if (header->lumps.list[i].chain)
            describe_chain(&header->lumps.list[i], file, &document, builder);
}
