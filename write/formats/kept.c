/* A document written over the file that it was read from: what it does not know of stays. */
#include "core/writing.h"
#include "formats/write_document.h"

#include <string.h>

/* A document, or one of its surfaces, as it was in the file and as it is now. */
typedef struct kept_part {
    const lm_header *header;
    const void *old_document, *old; /* the owners */
    const void *new_document, *now;
    size_t start, end; /* in the file: from its header to where it says that it ends */
} kept_part;

typedef struct keeping {
    const lm_document_kind *kind;
    lm_bytes file;
    const uint32_t *origins; /* of the surfaces; NULL: those of the file, in their order */
} keeping;

static size_t old_size(const kept_part *p, const lm_header_lump *lump) {
    return (size_t)lm_extent_size(lm_lump_extent(lump, p->old_document, p->old));
}

static size_t new_size(const kept_part *p, const lm_header_lump *lump) {
    return (size_t)lm_extent_size(lm_lump_extent(lump, p->new_document, p->now));
}

static const lm_header_lump *chain_of(const lm_header *header) {
    const lm_header_lump *last = &header->lumps.list[header->lumps.count - 1];
    return last->chain ? last : NULL;
}

static const char *surface_at(const lm_header_lump *chain, const void *document, size_t index) {
    return (const char *)lm_lump_data(chain, document) + index * chain->chain->struct_size;
}

static uint32_t count_of(const lm_header_lump *chain, const void *document) {
    return (uint32_t)lm_lump_extent(chain, document, document).count;
}

/* Where a surface of the old document starts: each says how long it is. */
static size_t surface_start(const kept_part *file, const lm_header_lump *chain, uint32_t index) {
    size_t start = (size_t)lm_number(file->old, chain->ofs);
    for (uint32_t i = 0; i < index; i++)
        start += (size_t)lm_number(surface_at(chain, file->old, i), chain->chain->end);
    return start;
}

/* The surface that now is at `index`, of which the file's `start` is known. */
static kept_part surface_part(const keeping *k, const kept_part *file, uint32_t index,
                              size_t start) {
    const lm_header_lump *chain = chain_of(file->header);
    const uint32_t origin = k->origins ? k->origins[index] : index;
    const char *old = surface_at(chain, file->old, origin);
    const int32_t length = lm_number(old, chain->chain->end);
    return (kept_part){chain->chain,
                       file->old_document,
                       old,
                       file->new_document,
                       surface_at(chain, file->now, index),
                       start,
                       start + (size_t)(length > 0 ? length : 0)};
}

static lm_trailing trailing_of(const kept_part *file, const void *document) {
    lm_trailing trailing;
    memcpy(&trailing, (const char *)document + file->header->trailing, sizeof trailing);
    return trailing;
}

/* ---- In place ------------------------------------------------------------------------------ */

/* What is absent has no bytes, whatever its size would be. */
static bool same_sizes(const kept_part *p) {
    for (size_t i = 0; i < p->header->lumps.count; i++) {
        const lm_header_lump *lump = &p->header->lumps.list[i];
        const bool absent = !lm_lump_data(lump, p->old) != !lm_lump_data(lump, p->now);
        if (!lump->chain &&
            (old_size(p, lump) != new_size(p, lump) || (absent && new_size(p, lump) > 0)))
            return false;
    }
    return true;
}

/* Writes the fields and lumps that differ over those of the file. `header` is the part's, as it is
 * written now. */
static void patch(const kept_part *p, const uint8_t *header, uint8_t *out) {
    for (size_t i = 0; i < p->header->fields.count; i++) {
        const lm_header_field *field = &p->header->fields.list[i];
        if (field->member != LM_NOT_SHOWN && field->kind != LM_HEADER_OFFSET &&
            memcmp((const char *)p->old + field->member, (const char *)p->now + field->member,
                   field->size) != 0)
            memcpy(out + p->start + field->at, header + field->at, field->size);
    }
    for (size_t i = 0; i < p->header->lumps.count; i++) {
        const lm_header_lump *lump = &p->header->lumps.list[i];
        const uint8_t *old = lm_lump_data(lump, p->old), *now = lm_lump_data(lump, p->now);
        const size_t size = lump->chain || !now ? 0 : new_size(p, lump);
        if (!lm_equal_bytes(old, now, size))
            memcpy(out + p->start + (size_t)lm_number(p->old, lump->ofs), now, size);
    }
}

static bool patch_part(const kept_part *p, uint8_t *file, lm_buffer *scratch) {
    scratch->size = 0;
    lm_put_header(p->header, p->now, scratch);
    if (!scratch->failed)
        patch(p, scratch->data, file);
    return !scratch->failed;
}

/* Whether the document was written over a copy of the file: where nothing has another size. */
static bool write_in_place(const keeping *k, const kept_part *file, lm_buffer *out) {
    const lm_header_lump *chain = chain_of(file->header);
    const uint32_t count = chain ? count_of(chain, file->now) : 0;
    const lm_trailing trailing = trailing_of(file, file->now);
    bool same = same_sizes(file) && (!chain || count == count_of(chain, file->old)) &&
                trailing.size == trailing_of(file, file->old).size;
    size_t start = chain ? surface_start(file, chain, 0) : 0;
    for (uint32_t i = 0; same && i < count; i++) {
        const kept_part surface = surface_part(k, file, i, start);
        same = (!k->origins || k->origins[i] == i) && same_sizes(&surface);
    }
    if (!same)
        return false;
    lm_buffer scratch = {.allocator = out->allocator};
    lm_buffer_append(out, k->file.data, k->file.size);
    same = !out->failed && patch_part(file, out->data, &scratch);
    for (uint32_t i = 0; same && i < count; i++) {
        const kept_part surface = surface_part(k, file, i, start);
        same = patch_part(&surface, out->data, &scratch);
        start = surface.end;
    }
    if (same && trailing.size > 0)
        memcpy(out->data + out->size - trailing.size, trailing.data, trailing.size);
    lm_buffer_free(&scratch);
    return same;
}

/* ---- Lumps of other sizes ------------------------------------------------------------------ */

/* Appends the bytes of the file that come before a byte of a part and behind those that were
 * written or belong to something; `cursor` is how far these reach. */
static void put_gap(const keeping *k, const kept_part *p, size_t *cursor, size_t at,
                    lm_buffer *out) {
    const size_t end = p->start + at < k->file.size ? p->start + at : k->file.size;
    if (end > p->start + *cursor)
        lm_buffer_append(out, k->file.data + p->start + *cursor, end - p->start - *cursor);
    *cursor = *cursor > at ? *cursor : at;
}

static void put_number(const kept_part *p, size_t member, size_t start, size_t number,
                       lm_buffer *out) {
    if (!out->failed)
        lm_put_s32(out->data + start + lm_field_at(p->header, member), (int32_t)number);
}

/* Lumps come in the order of the file; of those at one byte the empty ones first. */
static int64_t rank_of(const kept_part *p, const lm_header_lump *lump) {
    const int64_t offset = lm_number(p->old, lump->ofs);
    const bool empty = lump->chain ? count_of(lump, p->old) == 0 : old_size(p, lump) == 0;
    return offset * 2 + !empty;
}

static void order_lumps(const kept_part *p, size_t *order) {
    const lm_header_lump *lumps = p->header->lumps.list;
    for (size_t i = 0; i < p->header->lumps.count; i++) {
        size_t at = i;
        for (; at > 0 && rank_of(p, &lumps[order[at - 1]]) > rank_of(p, &lumps[i]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* A lump that was not there, and said so, still is not. */
static bool stays_absent(const kept_part *p, const lm_header_lump *lump) {
    return lump->needed && !lump->needed(p->now) && !lm_lump_data(lump, p->now) &&
           lm_number(p->old, lump->ofs) == 0;
}

static void put_lump(const kept_part *p, const lm_header_lump *lump, lm_buffer *out) {
    const uint8_t *data = lm_lump_data(lump, p->now);
    const size_t size = new_size(p, lump);
    uint8_t *absent = data ? NULL : lm_buffer_reserve(out, size);
    lm_buffer_append(out, data, data ? size : 0);
    if (absent)
        memset(absent, lump->absent, size);
}

/* Appends a part's header and lumps, and the bytes between them. `put` appends what is a chain, and
 * returns where in the part it ended. */
static void put_part(const keeping *k, const kept_part *p,
                     size_t (*put)(const keeping *, const kept_part *, lm_buffer *),
                     lm_buffer *out) {
    const size_t start = out->size;
    size_t order[LM_MOST_LUMPS], cursor = p->header->size;
    order_lumps(p, order);
    lm_put_header(p->header, p->now, out);
    for (size_t i = 0; i < p->header->lumps.count; i++) {
        const lm_header_lump *lump = &p->header->lumps.list[order[i]];
        const size_t size = lump->chain ? count_of(lump, p->old) : old_size(p, lump);
        const size_t at = (size_t)lm_number(p->old, lump->ofs);
        const bool there = size > 0 && (lump->chain || lm_lump_data(lump, p->old));
        if (stays_absent(p, lump)) {
            put_number(p, lump->ofs, start, 0, out);
            continue;
        }
        if (there)
            put_gap(k, p, &cursor, at, out);
        put_number(p, lump->ofs, start, out->size - start, out);
        if (!lump->chain)
            put_lump(p, lump, out);
        const size_t end = !there ? 0 : lump->chain ? put(k, p, out) : at + size;
        cursor = cursor > end ? cursor : end;
    }
    put_gap(k, p, &cursor, p->end > p->start ? p->end - p->start : 0, out);
    put_number(p, p->header->end, start, out->size - start, out);
}

static size_t put_surfaces(const keeping *k, const kept_part *file, lm_buffer *out) {
    const lm_header_lump *chain = chain_of(file->header);
    const uint32_t count = count_of(chain, file->now);
    for (uint32_t i = 0; i < count; i++) {
        const size_t start = surface_start(file, chain, k->origins ? k->origins[i] : i);
        const kept_part surface = surface_part(k, file, i, start);
        put_part(k, &surface, NULL, out);
    }
    return surface_start(file, chain, count_of(chain, file->old)) - file->start;
}

/* ---- Both ---------------------------------------------------------------------------------- */

typedef enum kept_state {
    KEPT_GOOD,
    KEPT_OTHER,    /* it does not read as the document */
    KEPT_NO_MEMORY /* and nobody knows */
} kept_state;

static kept_state state_of(const lm_document_kind *kind, const lm_buffer *made,
                           const void *document) {
    const lm_memory memory = {.allocator = made->allocator};
    lm_error error = {0};
    if (made->failed)
        return KEPT_NO_MEMORY;
    if (made->size > INT32_MAX)
        return KEPT_OTHER;
    void *again = lm_read_document(kind, made->data, made->size, &memory, &error);
    const bool same = again && lm_equal_documents(kind, again, document);
    if (again)
        lm_free_document(lm_owned_by(kind->header, again));
    return same ? KEPT_GOOD : error.code == LM_CODE_OUT_OF_MEMORY ? KEPT_NO_MEMORY : KEPT_OTHER;
}

/* Whether nobody can say which surface was which. */
static bool surfaces_unknown(const keeping *k, const void *old, const void *document) {
    const lm_header_lump *chain = chain_of(k->kind->header);
    return chain && !k->origins && count_of(chain, document) != count_of(chain, old);
}

static kept_state keep(const keeping *k, const void *old, const void *document, lm_buffer *made) {
    const lm_header *header = k->kind->header;
    kept_part file = {header, old, old, document, document, 0, k->file.size};
    const lm_trailing trailing = trailing_of(&file, document);
    kept_state state = KEPT_OTHER;
    file.end -= trailing_of(&file, old).size;
    if (surfaces_unknown(k, old, document))
        return KEPT_OTHER;
    if (write_in_place(k, &file, made))
        state = state_of(k->kind, made, document);
    else if (made->failed)
        state = KEPT_NO_MEMORY;
    if (state != KEPT_OTHER)
        return state;
    made->size = 0;
    put_part(k, &file, put_surfaces, made);
    lm_buffer_append(made, trailing.data, trailing.size);
    return state_of(k->kind, made, document);
}

static bool write_over(const keeping *k, const void *old, const void *document,
                       const lm_buffer *plain, lm_buffer *out) {
    lm_buffer kept = {.allocator = out->allocator};
    const kept_state state = keep(k, old, document, &kept);
    if (state != KEPT_NO_MEMORY)
        lm_buffer_append(out, state == KEPT_GOOD ? kept.data : plain->data,
                         state == KEPT_GOOD ? kept.size : plain->size);
    else
        out->failed = true;
    lm_buffer_free(&kept);
    return state != KEPT_NO_MEMORY;
}

bool lm_write_kept(const lm_document_kind *kind, lm_bytes file, const void *document,
                   const uint32_t *origins, lm_buffer *out, lm_error *error) {
    const keeping k = {kind, file, origins};
    const lm_memory memory = {.allocator = out->allocator};
    const lm_buffer_mark mark = lm_buffer_begin(out);
    /* What cannot be written at all is said; and what is written plainly is there where all else
     * fails: because parts of the file overlap, or its surfaces cannot be told apart. */
    lm_buffer plain = {.allocator = out->allocator};
    void *old = NULL;
    bool done = lm_write_document(kind, document, &plain, error) &&
                (old = lm_read_document(kind, file.data, file.size, &memory, error)) != NULL &&
                write_over(&k, old, document, &plain, out);
    if (old)
        lm_free_document(lm_owned_by(kind->header, old));
    lm_buffer_free(&plain);
    return lm_buffer_end(out, mark, done, kind->format->info.name, error);
}
