#include "model/build.h"

#include "lerpmesh/load.h"

#include <string.h>

/* The allocation that holds a model and everything it points to. */
typedef struct lm_model_block {
    lm_model model; /* first: lm_free gets here from its address */
    lm_allocator allocator;
    size_t size;
    void *kept; /* other memory that goes with it */
    size_t kept_size;
} lm_model_block;

uint32_t lm_carve_warnings(lm_block *block, const lm_load_reporter *reporter,
                           const lm_model_warning **out) {
    lm_model_warning *warnings = lm_carve(block, reporter->num_seen, sizeof *warnings);
    *out = warnings;
    for (unsigned i = 0; i < reporter->num_seen; i++) {
        unsigned code = reporter->seen[i];
        const char *message = reporter->messages[code];
        const char *copy = lm_carve_name(block, (const uint8_t *)message, strlen(message));
        if (warnings)
            warnings[i] = (lm_model_warning){(lm_code)code, reporter->counts[code], copy};
    }
    return reporter->num_seen;
}

static lm_model_block *carve_all(lm_block *block, const lm_load_reporter *reporter,
                                 lm_carve_model *carve, const void *context) {
    lm_model model = {.name = ""};
    lm_model_block *whole = lm_carve(block, 1, sizeof *whole);
    carve(block, context, &model);
    model.num_warnings = lm_carve_warnings(block, reporter, &model.warnings);
    if (whole)
        whole->model = model;
    return whole;
}

lm_model *lm_build_model(lm_heap *heap, const lm_load_reporter *reporter, lm_carve_model *carve,
                         const void *context) {
    lm_block block = {.borrow = heap->borrow};
    carve_all(&block, reporter, carve, context);
    uint64_t size = block.size;
    block = (lm_block){.base = lm_heap_alloc(heap, size, 1), .borrow = heap->borrow};
    if (!block.base)
        return NULL;
    lm_model_block *whole = carve_all(&block, reporter, carve, context);
    whole->allocator = heap->allocator;
    whole->size = (size_t)size;
    whole->kept = NULL;
    return &whole->model;
}

void lm_model_keep(lm_model *model, void *memory, size_t size) {
    lm_model_block *whole = (lm_model_block *)model;
    whole->kept = memory;
    whole->kept_size = size;
}

void lm_free(lm_model *model) {
    if (!model)
        return;
    lm_model_block *whole = (lm_model_block *)model;
    lm_allocator allocator = whole->allocator;
    if (whole->kept)
        allocator.free(allocator.user, whole->kept, whole->kept_size);
    allocator.free(allocator.user, whole, whole->size);
}
