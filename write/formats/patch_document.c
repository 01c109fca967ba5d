/* Writes a document over the file from which it was read. Unknown bytes stay. */
#include "core/writing.h"
#include "formats/write_document.h"

/* ---- In place ------------------------------------------------------------------------------ */

/* An absent lump has no bytes, whatever its size would be. */
static bool same_sizes(const lm_rewritten *p) {
    for (size_t i = 0; i < p->now.header->lumps.count; i++) {
        const lm_header_lump *lump = &p->now.header->lumps.list[i];
        const size_t size = lm_part_size(&p->now, lump);
        const bool absent = !lm_lump_data(lump, p->old.owner) != !lm_lump_data(lump, p->now.owner);
        if (!lump->chain && (lm_part_size(&p->old, lump) != size || (absent && size > 0)))
            return false;
    }
    return true;
}

/* Writes the fields and lumps that differ over those of the file. `header` is the part's new
 * header. */
static void patch(const lm_rewritten *p, const uint8_t *header, uint8_t *out) {
    const lm_header *described = p->now.header;
    const char *old_owner = p->old.owner, *owner = p->now.owner;
    for (size_t i = 0; i < described->fields.count; i++) {
        const lm_header_field *field = &described->fields.list[i];
        if (lm_field_is_content(field) &&
            memcmp(old_owner + field->member, owner + field->member, field->size) != 0)
            memcpy(out + p->start + field->at, header + field->at, field->size);
    }
    for (size_t i = 0; i < described->lumps.count; i++) {
        const lm_header_lump *lump = &described->lumps.list[i];
        const uint8_t *old = lm_lump_data(lump, old_owner), *now = lm_lump_data(lump, owner);
        const size_t size = lump->chain || !now ? 0 : lm_part_size(&p->now, lump);
        if (!lm_equal_bytes(old, now, size))
            memcpy(out + p->start + (size_t)lm_number(old_owner, lump->ofs), now, size);
    }
}

static bool patch_part(const lm_rewritten *p, uint8_t *file, lm_buffer *scratch) {
    scratch->size = 0;
    lm_put_header(p->now.header, p->now.owner, scratch);
    if (!scratch->failed)
        patch(p, scratch->data, file);
    return !scratch->failed;
}

/* Writes the document over a copy of the file, if no size changed. Returns true on success. */
static bool write_in_place(const lm_rewriting *r, const lm_rewritten *file, lm_buffer *out) {
    const lm_header *header = file->now.header;
    const void *old = file->old.document, *document = file->now.document;
    const uint32_t count = lm_num_surfaces(header, document);
    const lm_trailing trailing = lm_trailing_of(header, document);
    bool same = same_sizes(file) && count == lm_num_surfaces(header, old) &&
                trailing.size == lm_trailing_of(header, old).size;
    for (uint32_t i = 0; same && i < count; i++) {
        const lm_rewritten surface = lm_rewritten_surface(r, file, i);
        same = (!r->origins || r->origins[i] == i) && same_sizes(&surface);
    }
    if (!same)
        return false;
    lm_buffer scratch = {.allocator = out->allocator};
    lm_buffer_append(out, r->file.data, r->file.size);
    same = !out->failed && patch_part(file, out->data, &scratch);
    for (uint32_t i = 0; same && i < count; i++) {
        const lm_rewritten surface = lm_rewritten_surface(r, file, i);
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
    void *again = lm_read_document(kind, made->data, made->size, &memory, &error);
    const bool same = again && lm_equal_documents(kind, again, document);
    if (again)
        lm_free_document(kind->header, again);
    return same ? LM_DONE : error.code == LM_CODE_OUT_OF_MEMORY ? LM_NO_MEMORY : LM_FAILED;
}

static lm_status rewrite(const lm_document_kind *kind, const lm_rewriting *r, const void *old,
                         const void *document, lm_buffer *made) {
    const lm_header *header = kind->header;
    const size_t end = r->file.size - lm_trailing_of(header, old).size;
    const lm_rewritten file = {lm_document_part(header, old), lm_document_part(header, document), 0,
                               end};
    lm_status status = LM_FAILED;
    if (write_in_place(r, &file, made))
        status = status_of(kind, made, document);
    else if (made->failed)
        status = LM_NO_MEMORY;
    if (status != LM_FAILED)
        return status;
    made->size = 0;
    lm_rewrite_document(r, &file, made);
    return status_of(kind, made, document);
}

/* Finds the starts of the file's surfaces from their stored lengths. */
static void find_starts(const lm_part *file, size_t *starts) {
    const lm_header_lump *chain = lm_chain_of(file->header);
    const uint32_t count = lm_num_surfaces(file->header, file->document);
    starts[0] = chain ? (size_t)lm_number(file->document, chain->ofs) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t length = lm_number(lm_surface_part(file, i).owner, chain->chain->end);
        starts[i + 1] = starts[i] + (size_t)(length > 0 ? length : 0);
    }
}

/* Writes over the file into a temporary buffer, and appends that to `out`. */
static lm_status put_over(const lm_document_kind *kind, lm_rewriting r, const void *old,
                          const void *document, lm_buffer *out) {
    const lm_part file = lm_document_part(kind->header, old);
    const size_t count = lm_num_surfaces(kind->header, old);
    const lm_memory memory = {.allocator = out->allocator};
    lm_buffer made = {.allocator = out->allocator};
    lm_heap heap;
    lm_heap_init(&heap, &memory, r.file.size);
    size_t *starts = lm_heap_alloc(&heap, count + 1, sizeof *starts);
    lm_status status = LM_NO_MEMORY;
    if (starts) {
        find_starts(&file, starts);
        r.starts = starts;
        status = rewrite(kind, &r, old, document, &made);
    }
    if (status == LM_DONE)
        lm_buffer_append(out, made.data, made.size);
    lm_heap_free(&heap, starts, (count + 1) * sizeof *starts);
    lm_buffer_free(&made);
    return status;
}

bool lm_patch_document(const lm_document_kind *kind, lm_bytes file, const void *old,
                       const void *document, const uint32_t *origins, lm_buffer *out,
                       lm_error *error) {
    const lm_buffer_mark mark = lm_buffer_begin(out);
    const lm_rewriting r = {file, origins, NULL};
    if (!lm_document_sound(kind, document, error))
        return false;
    /* Without origins, surfaces cannot be matched if their number changed. */
    const bool known =
        origins || lm_num_surfaces(kind->header, document) == lm_num_surfaces(kind->header, old);
    const lm_status status = known ? put_over(kind, r, old, document, out) : LM_FAILED;
    if (status == LM_FAILED) /* lumps overlap, or the origin of surfaces is unknown */
        return lm_write_document(kind, document, out, error);
    out->failed = out->failed || status == LM_NO_MEMORY;
    return lm_buffer_end(out, mark, status == LM_DONE, kind->format->info.name, error);
}
