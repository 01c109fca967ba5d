#include "formats/document.h"

#include <stddef.h>

/* ---- What a document owns ------------------------------------------------------------------ */

typedef struct lm_owned_block {
    struct lm_owned_block *before;
    size_t size; /* all of it */
    max_align_t bytes[];
} lm_owned_block;

void *lm_own(lm_owned *owned, lm_heap *heap, uint64_t count, size_t element) {
    lm_heap unbounded = {.allocator = owned->allocator, .max_bytes = SIZE_MAX};
    heap = heap ? heap : &unbounded;
    if (element > 0 && count > (SIZE_MAX / 2) / element)
        return lm_heap_alloc(heap, count, element); /* which refuses it */
    const size_t size = sizeof(lm_owned_block) + (size_t)count * element;
    lm_owned_block *block = lm_heap_alloc(heap, size, 1);
    if (!block)
        return NULL;
    block->before = owned->last;
    block->size = size;
    owned->last = block;
    return block->bytes;
}

void lm_disown(lm_owned *owned) {
    const lm_allocator allocator = owned->allocator; /* `owned` may lie in a block */
    lm_owned_block *block = owned->last;
    while (block) {
        lm_owned_block *before = block->before;
        allocator.free(allocator.user, block, block->size);
        block = before;
    }
}

void lm_free_document(lm_owned *owned) {
    if (owned)
        lm_disown(owned);
}

uint8_t *lm_owned_lump(const lm_owned *owned, const uint8_t *lump, size_t size) {
    for (lm_owned_block *block = owned->last; block; block = block->before)
        if (lump == (const uint8_t *)block->bytes && size <= block->size - sizeof *block)
            return (uint8_t *)block->bytes;
    return NULL;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static size_t aligned(size_t size) {
    return (size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

/* The document and, behind it, what it owns: both in the first block. */
static void *new_document(const lm_header *header, lm_heap *heap) {
    lm_owned first = {.allocator = heap->allocator};
    const size_t struct_size = aligned(header->struct_size);
    char *document = lm_own(&first, heap, 1, struct_size + sizeof(lm_owned));
    if (!document)
        return NULL;
    memset(document, 0, struct_size);
    lm_owned *owned = (lm_owned *)(void *)(document + struct_size);
    *owned = first;
    memcpy(document + header->owned, &owned, sizeof(void *));
    return document;
}

lm_owned *lm_owned_by(const lm_header *header, const void *document) {
    lm_owned *owned;
    memcpy(&owned, (const char *)document + header->owned, sizeof(void *));
    return owned;
}

static void *read_file(const lm_document_kind *kind, lm_bytes file, const lm_memory *memory,
                       lm_error *error) {
    lm_heap heap;
    lm_load_reporter reporter;
    lm_heap_begin(&heap, memory, file.size, kind->format->info.name, error);
    lm_load_reporter_init(&reporter, &heap.call, false);
    lm_reading reading = {.file = file, .heap = &heap, .reporter = &reporter.base};
    void *document = new_document(kind->header, &heap);
    if (document && kind->read(&reading, lm_owned_by(kind->header, document), document))
        return document;
    lm_heap_diagnose(&heap);
    if (document)
        lm_disown(lm_owned_by(kind->header, document));
    return NULL;
}

void *lm_read_document(const lm_document_kind *kind, const void *data, size_t size,
                       const lm_memory *memory, lm_error *error) {
    const lm_bytes file = {data, size};
    if (lm_find_format(file) == kind->format)
        return read_file(kind, file, memory, error);
    lm_fail(error, LM_CODE_UNKNOWN_FORMAT, kind->format->info.name, "header", 0,
            "the file is no %s", kind->title);
    return NULL;
}
