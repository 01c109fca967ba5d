#include "formats/write_document.h"

#include "core/writing.h"

#include <stdio.h>

/* ---- Comparing ----------------------------------------------------------------------------- */

/* Compares two lumps. An absent lump equals one with the default content. */
static bool equal_lumps(const lm_part *a, const lm_part *b, const lm_header_lump *lump) {
    const uint8_t *of_a = lmi_lump_data(lump, a->owner), *of_b = lmi_lump_data(lump, b->owner);
    const size_t size = lmi_part_size(a, lump);
    if (lump->needed && !of_a != !of_b) {
        const uint8_t *bytes = of_a ? of_a : of_b;
        for (size_t i = 0; i < size; i++)
            if (bytes[i] != lump->absent)
                return false;
        return true;
    }
    return lmi_equal_bytes(of_a, of_b, size);
}

/* Returns true if a field holds content of the file: neither a constant nor an offset. */
static bool is_content(const lm_header_field *field) {
    return field->member != LM_NOT_SHOWN && field->kind != LM_HEADER_OFFSET;
}

static bool equal_parts(const lm_part *a, const lm_part *b) {
    const lm_header *header = a->header;
    for (size_t i = 0; i < header->fields.count; i++) {
        const lm_header_field *field = &header->fields.list[i];
        if (is_content(field) && memcmp((const char *)a->owner + field->member,
                                        (const char *)b->owner + field->member, field->size) != 0)
            return false;
    }
    for (size_t i = 0; i < header->lumps.count; i++)
        if (!header->lumps.list[i].chain && !equal_lumps(a, b, &header->lumps.list[i]))
            return false;
    return true;
}

bool lmi_equal_documents(const lm_document_kind *kind, const void *a, const void *b) {
    const lm_header *header = kind->header;
    const lm_part left = lmi_document_part(header, a), right = lmi_document_part(header, b);
    const lm_trailing ends[2] = {lmi_trailing_of(header, a), lmi_trailing_of(header, b)};
    if (ends[0].size != ends[1].size || !equal_parts(&left, &right))
        return false;
    for (uint32_t s = 0; s < lmi_num_surfaces(header, a); s++) {
        const lm_part one = lmi_surface_part(&left, s), other = lmi_surface_part(&right, s);
        if (!equal_parts(&one, &other))
            return false;
    }
    return lmi_equal_bytes(ends[0].data, ends[1].data, ends[0].size);
}

/* ---- Validation ----------------------------------------------------------------------------- */

/* The size of the output, measured during validation. */
typedef struct sizing {
    const char *format;
    uint64_t size;
    lm_error *error;
} sizing;

static bool fail_missing(const sizing *s, const char *where, const char *lump, uint64_t count) {
    return lm_fail_plain(s->error, LM_CODE_BAD_ARGUMENT,
                         "%s: %s%s: the count is %llu, but the pointer is NULL", s->format, where,
                         lump, (unsigned long long)count);
}

static bool part_sound(sizing *s, const lm_part *p, const char *name) {
    if (!lmi_counts_valid(p->header, p->owner))
        return lm_fail_plain(s->error, LM_CODE_BAD_COUNT, "%s: %sa count is negative", s->format,
                             name);
    s->size += p->header->size;
    for (size_t i = 0; i < p->header->lumps.count; i++) {
        const lm_header_lump *lump = &p->header->lumps.list[i];
        const lm_extent extent = lmi_part_extent(p, lump);
        const bool wanted = !lump->needed || lump->needed(p->owner);
        if (extent.count > 0 && wanted && !lmi_lump_data(lump, p->owner))
            return fail_missing(s, name, lump->shape.name, extent.count);
        if (!lmi_extent_fits(INT32_MAX, s->size, extent))
            return lm_fail_plain(s->error, LM_CODE_LIMIT, "%s: the file would be larger than 2 GB",
                                 s->format);
        s->size += lmi_extent_size(extent);
    }
    return true;
}

static bool document_sound(const lm_document_kind *kind, const void *document, lm_error *error) {
    sizing s = {kind->format->info.name, 0, error};
    const lm_part file = lmi_document_part(kind->header, document);
    const lm_trailing trailing = lmi_trailing_of(kind->header, document);
    if (!part_sound(&s, &file, ""))
        return false;
    for (uint32_t i = 0; i < lmi_num_surfaces(kind->header, document); i++) {
        const lm_part surface = lmi_surface_part(&file, i);
        char name[32];
        snprintf(name, sizeof name, "surface %u ", (unsigned)i);
        if (!part_sound(&s, &surface, name))
            return false;
    }
    return trailing.size == 0 || trailing.data ||
           fail_missing(&s, "", "trailing bytes", trailing.size);
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* A part before and after; `start` and `end` are its range in the file. */
typedef struct rewritten {
    lm_part old, now;
    size_t start, end;
} rewritten;

typedef struct rewriting {
    lm_bytes file;           /* no data: the document is new */
    const uint32_t *origins; /* original indices of the surfaces; NULL: in the file's order */
    const size_t *starts;    /* of the file's surfaces, and the end of the last one */
    size_t made;             /* where the new file starts in the output */
} rewriting;

void lmi_put_header(const lm_header *header, const void *owner, lm_buffer *out) {
    uint8_t *bytes = lm_buffer_reserve(out, header->size);
    for (size_t i = 0; bytes && i < header->fields.count; i++) {
        const lm_header_field *field = &header->fields.list[i];
        if (field->kind == LM_HEADER_TEXT)
            memcpy(bytes + field->at, (const char *)owner + field->member, field->size);
        else if (field->member != LM_NOT_SHOWN)
            lmi_put_s32(bytes + field->at, lmi_number(owner, field->member));
    }
    if (bytes && header->version) {
        lmi_put_u32(bytes + LM_HEADER_AT_IDENT, header->ident);
        lmi_put_s32(bytes + LM_HEADER_AT_VERSION, header->version);
    }
}

/* Returns the sort key of a lump: lumps keep their order in the original file. If two have the same
 * offset, the empty one comes first. Without offsets (a new document), they are in the order of the
 * description. */
static int64_t rank_of(const lm_part *p, const lm_header_lump *lump) {
    const int64_t offset = lmi_number(p->owner, lump->ofs);
    const bool empty = lmi_part_extent(p, lump).count == 0;
    return offset * 2 + !(empty && offset > 0);
}

static void order_lumps(const lm_part *p, size_t *order) {
    const lm_header_lump *lumps = p->header->lumps.list;
    for (size_t i = 0; i < p->header->lumps.count; i++) {
        const int64_t rank = rank_of(p, &lumps[i]);
        size_t at = i;
        for (; at > 0 && rank_of(p, &lumps[order[at - 1]]) > rank; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Appends the bytes that the file has between `cursor` and `at` of a part, because they belong to
 * no lump. Advances `cursor`. */
static void put_padding(lm_bytes file, const rewritten *p, size_t *cursor, size_t at,
                        lm_buffer *out) {
    const size_t end = p->start + at < file.size ? p->start + at : file.size;
    if (end > p->start + *cursor)
        lm_buffer_append(out, file.data + p->start + *cursor, end - p->start - *cursor);
    *cursor = *cursor > at ? *cursor : at;
}

static void put_number(const lm_header *header, size_t member, size_t start, size_t number,
                       lm_buffer *out) {
    if (!out->failed)
        lmi_put_s32(out->data + start + lmi_field_at(header, member), (int32_t)number);
}

typedef size_t put_chain(const rewriting *r, const rewritten *file, lm_buffer *out);

/* Appends a part's header and lumps, and the bytes that the file has between them. `put` appends
 * the chain of surfaces, and returns its end in the original part. */
static void put_part(const rewriting *r, const rewritten *p, put_chain *put, lm_buffer *out) {
    const lm_header *header = p->now.header;
    const size_t start = out->size;
    size_t order[LM_MAX_LUMPS], cursor = header->size;
    order_lumps(&p->old, order);
    lmi_put_header(header, p->now.owner, out);
    for (size_t i = 0; i < header->lumps.count; i++) {
        const lm_header_lump *lump = &header->lumps.list[order[i]];
        const size_t at = (size_t)lmi_number(p->old.owner, lump->ofs);
        const bool there =
            lmi_part_extent(&p->old, lump).count > 0 && lmi_lump_data(lump, p->old.owner);
        const uint8_t *now = lmi_lump_data(lump, p->now.owner);
        /* An optional lump was absent in the file, and still is. */
        if (r->file.data && lump->needed && !lump->needed(p->now.owner) && !now && at == 0) {
            put_number(header, lump->ofs, start, 0, out);
            continue;
        }
        if (there)
            put_padding(r->file, p, &cursor, at, out);
        put_number(header, lump->ofs, start, out->size - start, out);
        const size_t size = lump->chain ? 0 : lmi_part_size(&p->now, lump);
        uint8_t *absent = now ? NULL : lm_buffer_reserve(out, size);
        lm_buffer_append(out, now, now ? size : 0);
        if (absent)
            memset(absent, lump->absent, size);
        const size_t chain_end = lump->chain && put ? put(r, p, out) : 0;
        const size_t end = lump->chain ? chain_end : at + lmi_part_size(&p->old, lump);
        cursor = there && end > cursor ? end : cursor;
    }
    put_padding(r->file, p, &cursor, p->end > p->start ? p->end - p->start : 0, out);
    put_number(header, header->end, start, out->size - start, out);
    if (header->back)
        put_number(header, header->back, start, r->made - start, out);
}

/* Returns the surface that is now at `index`. */
static rewritten rewritten_surface(const rewriting *r, const rewritten *file, uint32_t index) {
    const uint32_t origin = r->origins ? r->origins[index] : index;
    rewritten surface = {lmi_surface_part(&file->old, origin), lmi_surface_part(&file->now, index),
                         0, 0};
    if (r->starts) {
        surface.start = r->starts[origin];
        surface.end = r->starts[origin + 1];
    }
    return surface;
}

static size_t put_surfaces(const rewriting *r, const rewritten *file, lm_buffer *out) {
    const lm_header *header = file->now.header;
    for (uint32_t i = 0; i < lmi_num_surfaces(header, file->now.document); i++) {
        const rewritten surface = rewritten_surface(r, file, i);
        put_part(r, &surface, NULL, out);
    }
    return r->starts ? r->starts[lmi_num_surfaces(header, file->old.document)] - file->start : 0;
}

/* Appends the document, and the bytes that the file has between its lumps. */
static void rewrite_document(const rewriting *r, const rewritten *file, lm_buffer *out) {
    const lm_trailing trailing = lmi_trailing_of(file->now.header, file->now.document);
    const rewriting all = {r->file, r->origins, r->starts, out->size};
    put_part(&all, file, put_surfaces, out);
    lm_buffer_append(out, trailing.data, trailing.size);
}

bool lmi_put_document(const lm_document_kind *kind, const void *document, lm_buffer *out,
                      lm_error *error) {
    const lm_part part = lmi_document_part(kind->header, document);
    const rewritten file = {part, part, 0, 0};
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    const bool sound = document_sound(kind, document, error);
    if (sound)
        rewrite_document(&(rewriting){.starts = NULL}, &file, out);
    return lmi_buffer_end(out, mark, sound, kind->format->info.name, error);
}

bool lmi_end_document(const lm_document_kind *kind, size_t start, lm_buffer *out, lm_error *error) {
    const lm_buffer_mark mark = {.size = start};
    const lm_memory memory = {.allocator = out->allocator};
    void *document = NULL; /* read back: the final check of a document that a caller made */
    if (!out->failed)
        document = lmi_read_document(kind, out->data + start, out->size - start, &memory, error);
    lmi_object_free(document);
    return lmi_buffer_end(out, mark, document, kind->format->info.name, error);
}

bool lmi_write_document(const lm_document_kind *kind, const void *document, lm_buffer *out,
                        lm_error *error) {
    const size_t start = out->size;
    return lmi_put_document(kind, document, out, error) &&
           lmi_end_document(kind, start, out, error);
}

/* ---- In place ------------------------------------------------------------------------------ */

/* An absent lump has no bytes, whatever its size would be. */
static bool same_sizes(const rewritten *p) {
    for (size_t i = 0; i < p->now.header->lumps.count; i++) {
        const lm_header_lump *lump = &p->now.header->lumps.list[i];
        const size_t size = lmi_part_size(&p->now, lump);
        const bool absent =
            !lmi_lump_data(lump, p->old.owner) != !lmi_lump_data(lump, p->now.owner);
        if (!lump->chain && (lmi_part_size(&p->old, lump) != size || (absent && size > 0)))
            return false;
    }
    return true;
}

/* Writes the fields and lumps that differ over those of the file. `header` is the part's new
 * header. */
static void patch(const rewritten *p, const uint8_t *header, uint8_t *out) {
    const lm_header *described = p->now.header;
    const char *old_owner = p->old.owner, *owner = p->now.owner;
    for (size_t i = 0; i < described->fields.count; i++) {
        const lm_header_field *field = &described->fields.list[i];
        if (is_content(field) &&
            memcmp(old_owner + field->member, owner + field->member, field->size) != 0)
            memcpy(out + p->start + field->at, header + field->at, field->size);
    }
    for (size_t i = 0; i < described->lumps.count; i++) {
        const lm_header_lump *lump = &described->lumps.list[i];
        const uint8_t *old = lmi_lump_data(lump, old_owner), *now = lmi_lump_data(lump, owner);
        const size_t size = lump->chain || !now ? 0 : lmi_part_size(&p->now, lump);
        if (!lmi_equal_bytes(old, now, size))
            memcpy(out + p->start + (size_t)lmi_number(old_owner, lump->ofs), now, size);
    }
}

static bool patch_part(const rewritten *p, uint8_t *file, lm_buffer *scratch) {
    scratch->size = 0;
    lmi_put_header(p->now.header, p->now.owner, scratch);
    if (!scratch->failed)
        patch(p, scratch->data, file);
    return !scratch->failed;
}

/* Writes the document over a copy of the file, if no size changed. Returns true on success. */
static bool write_in_place(const rewriting *r, const rewritten *file, lm_buffer *out) {
    const lm_header *header = file->now.header;
    const void *old = file->old.document, *document = file->now.document;
    const uint32_t count = lmi_num_surfaces(header, document);
    const lm_trailing trailing = lmi_trailing_of(header, document);
    bool same = same_sizes(file) && count == lmi_num_surfaces(header, old) &&
                trailing.size == lmi_trailing_of(header, old).size;
    for (uint32_t i = 0; same && i < count; i++) {
        const rewritten surface = rewritten_surface(r, file, i);
        same = (!r->origins || r->origins[i] == i) && same_sizes(&surface);
    }
    if (!same)
        return false;
    lm_buffer scratch = {.allocator = out->allocator};
    lm_buffer_append(out, r->file.data, r->file.size);
    same = !out->failed && patch_part(file, out->data, &scratch);
    for (uint32_t i = 0; same && i < count; i++) {
        const rewritten surface = rewritten_surface(r, file, i);
        same = patch_part(&surface, out->data, &scratch);
    }
    if (same && trailing.size > 0)
        memcpy(out->data + out->size - trailing.size, trailing.data, trailing.size);
    out->failed = out->failed || scratch.failed;
    lm_buffer_free(&scratch);
    return same;
}

/* ---- In place, else in order, else plain ---------------------------------------------------- */

/* Reads the result back. Returns LM_FAILED if it differs from the document. */
static lm_status status_of(const lm_document_kind *kind, const lm_buffer *made,
                           const void *document) {
    const lm_memory memory = {.allocator = made->allocator};
    lm_error error = {0};
    if (made->failed)
        return LM_NO_MEMORY;
    if (made->size > INT32_MAX)
        return LM_FAILED;
    void *again = lmi_read_document(kind, made->data, made->size, &memory, &error);
    const bool same = again && lmi_equal_documents(kind, again, document);
    lmi_object_free(again);
    return same ? LM_DONE : error.code == LM_CODE_OUT_OF_MEMORY ? LM_NO_MEMORY : LM_FAILED;
}

static lm_status rewrite(const lm_document_kind *kind, const rewriting *r, const void *old,
                         const void *document, lm_buffer *made) {
    const lm_header *header = kind->header;
    const size_t end = r->file.size - lmi_trailing_of(header, old).size;
    const rewritten file = {lmi_document_part(header, old), lmi_document_part(header, document), 0,
                            end};
    lm_status status = LM_FAILED;
    if (write_in_place(r, &file, made))
        status = status_of(kind, made, document);
    else if (made->failed)
        status = LM_NO_MEMORY;
    if (status != LM_FAILED)
        return status;
    made->size = 0;
    rewrite_document(r, &file, made);
    return status_of(kind, made, document);
}

/* Finds the starts of the file's surfaces from their stored lengths. */
static void find_starts(const lm_part *file, size_t *starts) {
    const lm_header_lump *chain = lmi_chain_of(file->header);
    const uint32_t count = lmi_num_surfaces(file->header, file->document);
    starts[0] = chain ? (size_t)lmi_number(file->document, chain->ofs) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t length = lmi_number(lmi_surface_part(file, i).owner, chain->chain->end);
        starts[i + 1] = starts[i] + (size_t)(length > 0 ? length : 0);
    }
}

bool lmi_patch_document(const lm_document_kind *kind, lm_bytes file, const void *old,
                        const void *document, const uint32_t *origins, lm_buffer *out,
                        lm_error *error) {
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    const lm_part part = lmi_document_part(kind->header, old);
    const size_t count = lmi_num_surfaces(kind->header, old);
    const lm_memory memory = {.allocator = out->allocator};
    lm_buffer made = {.allocator = out->allocator};
    lm_heap heap;
    if (!document_sound(kind, document, error))
        return false;
    /* Without origins, surfaces cannot be matched if their number changed. */
    if (!origins && lmi_num_surfaces(kind->header, document) != count)
        return lmi_write_document(kind, document, out, error);
    lmi_heap_init(&heap, &memory, file.size);
    size_t *starts = lmi_heap_alloc(&heap, count + 1, sizeof *starts);
    lm_status status = LM_NO_MEMORY;
    if (starts) {
        find_starts(&part, starts);
        status = rewrite(kind, &(rewriting){file, origins, starts, 0}, old, document, &made);
    }
    if (status == LM_DONE)
        lm_buffer_append(out, made.data, made.size);
    lmi_heap_free(&heap, starts, (count + 1) * sizeof *starts);
    lm_buffer_free(&made);
    if (status == LM_FAILED) /* lumps overlap */
        return lmi_write_document(kind, document, out, error);
    out->failed = out->failed || status == LM_NO_MEMORY;
    return lmi_buffer_end(out, mark, status == LM_DONE, kind->format->info.name, error);
}
