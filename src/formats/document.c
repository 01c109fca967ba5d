#include "formats/document.h"

lm_arena *lm_document_arena(const lm_header *header, const void *document) {
    lm_arena *arena;
    memcpy(&arena, (const char *)document + header->owned, sizeof(void *));
    return arena;
}

void lm_free_document(const lm_header *header, const void *document) {
    if (document)
        lm_arena_delete(lm_document_arena(header, document));
}

static void *read_file(const lm_document_kind *kind, lm_bytes file, const lm_load_options *options,
                       lm_load_reporter *reporter, lm_error *error) {
    lm_heap heap;
    lm_heap_begin(&heap, &options->memory, file.size, kind->format->info.name, error);
    lm_load_reporter_init(reporter, &heap.call, options->repair && !options->strict);
    reporter->base.errors = options->strict ? LM_HARMLESS_DAMAGE : 0;
    void *document = lm_object(&heap, kind->header->struct_size);
    if (!document)
        return lm_heap_diagnose(&heap);
    lm_arena *arena = lm_arena_of(document);
    lm_reading reading = {file, arena, &reporter->base, 0};
    arena->apart = true;
    memcpy((char *)document + kind->header->owned, &arena, sizeof(void *));
    if (!lm_object_end(document, kind->read(&reading, document)))
        return lm_heap_diagnose(&heap);
    lm_object_unbind(document);
    return document;
}

void *lm_read_document_as(const lm_document_kind *kind, lm_bytes file,
                          const lm_load_options *options, lm_load_reporter *reporter,
                          lm_error *error) {
    if (lm_find_format(file) == kind->format)
        return read_file(kind, file, options, reporter, error);
    lm_fail(error, LM_CODE_UNKNOWN_FORMAT, kind->format->info.name, "header", 0,
            "not a file of the format %s", kind->title);
    return NULL;
}

void *lm_read_document(const lm_document_kind *kind, const void *data, size_t size,
                       const lm_memory *memory, lm_error *error) {
    lm_load_options options = {.repair = false};
    lm_load_reporter reporter;
    if (memory)
        options.memory = *memory;
    return lm_read_document_as(kind, (lm_bytes){data, size}, &options, &reporter, error);
}
