#include "formats/write_document.h"

#include "core/writing.h"

#include <stdio.h>

/* ---- Parts --------------------------------------------------------------------------------- */

/* A document, or one of its surfaces. */
typedef struct part {
    const lm_header *header;
    const void *document, *owner;
} part;

static lm_extent extent_of(const part *p, const lm_header_lump *lump) {
    return lm_lump_extent(lump, p->document, p->owner);
}

static part surface_of(const part *file, const lm_header_lump *chain, uint64_t index) {
    const uint8_t *surfaces = lm_lump_data(chain, file->owner);
    return (part){chain->chain, file->document, surfaces + index * chain->chain->struct_size};
}

static lm_trailing trailing_of(const lm_header *header, const void *document) {
    lm_trailing trailing;
    memcpy(&trailing, (const char *)document + header->trailing, sizeof trailing);
    return trailing;
}

/* ---- Comparing ----------------------------------------------------------------------------- */

static bool all_are(const uint8_t *bytes, uint8_t byte, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != byte)
            return false;
    return true;
}

/* An absent lump equals one that says what its absence says. */
static bool equal_lumps(const part *a, const part *b, const lm_header_lump *lump) {
    const uint8_t *of_a = lm_lump_data(lump, a->owner), *of_b = lm_lump_data(lump, b->owner);
    const size_t size = (size_t)lm_extent_size(extent_of(a, lump));
    if (lump->needed && !of_a != !of_b)
        return all_are(of_a ? of_a : of_b, lump->absent, size);
    return lm_equal_bytes(of_a, of_b, size);
}

static bool equal_parts(const part *a, const part *b) {
    const lm_header *header = a->header;
    for (size_t i = 0; i < header->fields.count; i++) {
        const lm_header_field *field = &header->fields.list[i];
        if (field->member != LM_NOT_SHOWN && field->kind != LM_HEADER_OFFSET &&
            memcmp((const char *)a->owner + field->member, (const char *)b->owner + field->member,
                   field->size) != 0)
            return false;
    }
    for (size_t i = 0; i < header->lumps.count; i++)
        if (!header->lumps.list[i].chain && !equal_lumps(a, b, &header->lumps.list[i]))
            return false;
    return true;
}

static bool equal_surfaces(const part *a, const part *b, const lm_header_lump *chain) {
    for (uint64_t s = 0; s < extent_of(a, chain).count; s++) {
        const part one = surface_of(a, chain, s), other = surface_of(b, chain, s);
        if (!equal_parts(&one, &other))
            return false;
    }
    return true;
}

bool lm_equal_documents(const lm_document_kind *kind, const void *a, const void *b) {
    const lm_header *header = kind->header;
    const part left = {header, a, a}, right = {header, b, b};
    const lm_trailing ends[2] = {trailing_of(header, a), trailing_of(header, b)};
    if (ends[0].size != ends[1].size || !equal_parts(&left, &right))
        return false;
    for (size_t i = 0; i < header->lumps.count; i++)
        if (header->lumps.list[i].chain && !equal_surfaces(&left, &right, &header->lumps.list[i]))
            return false;
    return lm_equal_bytes(ends[0].data, ends[1].data, ends[0].size);
}

/* ---- Whether a document can be written ----------------------------------------------------- */

/* What is written, counted while it is looked at. */
typedef struct sizing {
    const char *format;
    uint64_t size;
    lm_error *error;
} sizing;

static bool fail_missing(const sizing *s, const char *where, const char *lump, uint64_t count) {
    return lm_fail_plain(s->error, LM_CODE_BAD_ARGUMENT,
                         "%s: %s%s: there should be %llu, but the "
                         "pointer is NULL",
                         s->format, where, lump, (unsigned long long)count);
}

static bool part_sound(sizing *s, const part *p, const char *name) {
    if (!lm_counts_sound(p->header, p->owner))
        return lm_fail_plain(s->error, LM_CODE_BAD_COUNT, "%s: %sa count is negative", s->format,
                             name);
    s->size += p->header->size;
    for (size_t i = 0; i < p->header->lumps.count; i++) {
        const lm_header_lump *lump = &p->header->lumps.list[i];
        const lm_extent extent = extent_of(p, lump);
        const bool wanted = !lump->needed || lump->needed(p->owner);
        if (extent.count > 0 && wanted && !lm_lump_data(lump, p->owner))
            return fail_missing(s, name, lump->shape.name, extent.count);
        if (!lm_fits(INT32_MAX, s->size, extent.count, extent.element))
            return lm_fail_plain(s->error, LM_CODE_LIMIT, "%s: the file would be larger than 2 GB",
                                 s->format);
        s->size += lm_extent_size(extent);
    }
    return true;
}

static bool document_sound(const lm_document_kind *kind, const part *file, lm_error *error) {
    sizing s = {kind->format->info.name, 0, error};
    const lm_trailing trailing = trailing_of(file->header, file->document);
    if (!part_sound(&s, file, ""))
        return false;
    for (size_t i = 0; i < file->header->lumps.count; i++) {
        const lm_header_lump *chain = &file->header->lumps.list[i];
        for (uint64_t k = 0; chain->chain && k < extent_of(file, chain).count; k++) {
            const part surface = surface_of(file, chain, k);
            char name[32];
            snprintf(name, sizeof name, "surface %llu ", (unsigned long long)k);
            if (!part_sound(&s, &surface, name))
                return false;
        }
    }
    if (trailing.size > 0 && !trailing.data)
        return fail_missing(&s, "", "trailing bytes", trailing.size);
    return true;
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* Lumps are written in the order in which they stood in the file that the document was read from.
 * Where two stood at the same byte the first was empty; without offsets (a document made from
 * nothing) they stand as they are listed. */
static int64_t rank_of(const part *p, const lm_header_lump *lump) {
    const int64_t offset = lm_number(p->owner, lump->ofs);
    const bool empty = extent_of(p, lump).count == 0;
    return offset * 2 + !(empty && offset > 0);
}

static void order_lumps(const part *p, size_t *order) {
    const lm_header_lump *lumps = p->header->lumps.list;
    for (size_t i = 0; i < p->header->lumps.count; i++) {
        const int64_t rank = rank_of(p, &lumps[i]);
        size_t at = i;
        for (; at > 0 && rank_of(p, &lumps[order[at - 1]]) > rank; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

void lm_put_header(const lm_header *header, const void *owner, lm_buffer *out) {
    uint8_t *bytes = lm_buffer_reserve(out, header->size);
    for (size_t i = 0; bytes && i < header->fields.count; i++) {
        const lm_header_field *field = &header->fields.list[i];
        if (field->kind == LM_HEADER_TEXT)
            memcpy(bytes + field->at, (const char *)owner + field->member, field->size);
        else if (field->member != LM_NOT_SHOWN)
            lm_put_s32(bytes + field->at, lm_number(owner, field->member));
    }
    if (bytes && header->version) {
        lm_put_u32(bytes + LM_HEADER_AT_IDENT, header->ident);
        lm_put_s32(bytes + LM_HEADER_AT_VERSION, header->version);
    }
}

/* Says in the header that starts at `start` that what is written next is there. */
static void put_offset(const lm_header *header, size_t member, size_t start, lm_buffer *out) {
    if (!out->failed)
        lm_put_s32(out->data + start + lm_field_at(header, member), (int32_t)(out->size - start));
}

static void put_lump(const part *p, const lm_header_lump *lump, lm_buffer *out) {
    const uint8_t *data = lm_lump_data(lump, p->owner);
    const size_t size = (size_t)lm_extent_size(extent_of(p, lump));
    uint8_t *absent = data ? NULL : lm_buffer_reserve(out, size);
    lm_buffer_append(out, data, data ? size : 0);
    if (absent)
        memset(absent, lump->absent, size);
}

static void put_part(const part *p, void (*put)(const part *, const lm_header_lump *, lm_buffer *),
                     lm_buffer *out) {
    const size_t start = out->size;
    size_t order[LM_MOST_LUMPS];
    order_lumps(p, order);
    lm_put_header(p->header, p->owner, out);
    for (size_t i = 0; i < p->header->lumps.count; i++) {
        const lm_header_lump *lump = &p->header->lumps.list[order[i]];
        put_offset(p->header, lump->ofs, start, out);
        put(p, lump, out);
    }
    put_offset(p->header, p->header->end, start, out);
}

static void put_lump_or_chain(const part *file, const lm_header_lump *lump, lm_buffer *out) {
    if (!lump->chain)
        put_lump(file, lump, out);
    for (uint64_t i = 0; lump->chain && i < extent_of(file, lump).count; i++) {
        const part surface = surface_of(file, lump, i);
        put_part(&surface, put_lump, out);
    }
}

/* Whether what was written can be read: the last word on a document that somebody made. */
static bool reads_back(const lm_document_kind *kind, lm_bytes written, const lm_buffer *out,
                       lm_error *error) {
    const lm_memory memory = {.allocator = out->allocator};
    void *document = lm_read_document(kind, written.data, written.size, &memory, error);
    if (!document)
        return false;
    lm_disown(lm_owned_by(kind->header, document));
    return true;
}

bool lm_end_document(const lm_document_kind *kind, size_t start, lm_buffer *out, lm_error *error) {
    const lm_buffer_mark mark = {.size = start};
    bool ok = !out->failed &&
              reads_back(kind, (lm_bytes){out->data + start, out->size - start}, out, error);
    return lm_buffer_end(out, mark, ok, kind->format->info.name, error);
}

bool lm_write_document(const lm_document_kind *kind, const void *document, lm_buffer *out,
                       lm_error *error) {
    const part file = {kind->header, document, document};
    const lm_trailing trailing = trailing_of(kind->header, document);
    const size_t start = out->size;
    if (out->failed) /* before: it stays so */
        return lm_buffer_end(out, lm_buffer_begin(out), false, kind->format->info.name, error);
    if (!document_sound(kind, &file, error))
        return false;
    put_part(&file, put_lump_or_chain, out);
    lm_buffer_append(out, trailing.data, trailing.size);
    return lm_end_document(kind, start, out, error);
}

/* ---- Editing ------------------------------------------------------------------------------- */

uint8_t *lm_own_lump(lm_owned *owned, const uint8_t *lump, size_t size) {
    uint8_t *own = lm_owned_lump(owned, lump, size);
    if (own)
        return own;
    uint8_t *copy = lm_own(owned, NULL, size, 1);
    if (copy && size > 0)
        memcpy(copy, lump, size);
    return copy;
}

uint8_t *lm_pick_in_groups(lm_owned *owned, const uint8_t *lump, size_t element, uint32_t groups,
                           uint32_t of, const uint32_t *indices, uint32_t count) {
    uint8_t *picked = lm_own(owned, NULL, (uint64_t)groups * count, element);
    for (size_t g = 0; picked && g < groups; g++)
        for (size_t i = 0; i < count && element > 0; i++)
            memcpy(picked + (g * count + i) * element, lump + (g * of + indices[i]) * element,
                   element);
    return picked;
}

uint8_t *lm_pick(lm_owned *owned, const uint8_t *lump, size_t element, const uint32_t *indices,
                 uint32_t count) {
    return lm_pick_in_groups(owned, lump, element, 1, 0, indices, count);
}

uint8_t *lm_join_lumps(lm_owned *owned, const uint8_t *a, size_t size_a, const uint8_t *b,
                       size_t size_b) {
    uint8_t *joined = lm_own(owned, NULL, (uint64_t)size_a + size_b, 1);
    if (joined && size_a > 0)
        memcpy(joined, a, size_a);
    if (joined && size_b > 0)
        memcpy(joined + size_a, b, size_b);
    return joined;
}

uint8_t *lm_lengthen(lm_owned *owned, const uint8_t *lump, size_t element, uint32_t count) {
    uint8_t *longer = lm_own(owned, NULL, (uint64_t)count + 1, element);
    if (longer && count > 0)
        memcpy(longer, lump, count * element);
    if (longer)
        memset(longer + count * element, 0, element);
    return longer;
}

bool lm_put_name_field(lm_owned *owned, const lm_name_array *names, uint32_t index,
                       const uint8_t *field) {
    const size_t times = names->times > 0 ? (size_t)names->times : 1;
    const size_t group = (size_t)names->count * names->stride;
    uint8_t *lump = lm_own_lump(owned, *names->lump, times * group);
    if (!lump)
        return false;
    *names->lump = lump;
    for (size_t i = 0; i < times; i++)
        memcpy(lump + names->at + index * names->stride + i * group, field, names->room);
    return true;
}

bool lm_set_name(const lm_document_kind *kind, lm_owned *owned, const lm_name_array *names,
                 int32_t index, const char *name, lm_error *error) {
    const char *format = kind->format->info.name;
    const size_t length = strlen(name);
    if (index < 0 || index >= names->count || !*names->lump)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: no %s %d: there are %d", format,
                             names->what, (int)index, (int)names->count);
    if (length >= names->room)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "%s: the name of a %s takes at most %zu bytes, but this has %zu",
                             format, names->what, names->room - 1, length);
    if (!owned)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "%s: the document was not read from a file: its memory is yours",
                             format);
    uint8_t field[LM_MOST_NAME] = {0};
    memcpy(field, name, length + 1);
    return lm_put_name_field(owned, names, (uint32_t)index, field) ||
           lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "%s: out of memory while changing a %s",
                         format, names->what);
}
