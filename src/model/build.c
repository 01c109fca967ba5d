#include "model/build.h"

#include "lerpmesh/load.h"

#include <math.h>

#define LM_HUGE_SQUARE 1e36f

/* The allocation that holds a model and everything it points to. */
typedef struct lm_model_block {
    lm_model model; /* first: lm_free gets here from its address */
    lm_allocator allocator;
    size_t size;
    void *kept; /* other memory that goes with it */
    size_t kept_size;
} lm_model_block;

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

void lm_model_adopt(lm_model *model, void *memory, size_t size) {
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

void lm_box_sphere(lm_vec3 min, lm_vec3 max, lm_vec3 *origin, float *radius) {
    /* Halves first: no sum of two halves overflows. */
    float x = max.x / 2 - min.x / 2, y = max.y / 2 - min.y / 2, z = max.z / 2 - min.z / 2;
    float square = x * x + y * y + z * z;
    *origin = (lm_vec3){min.x + x, min.y + y, min.z + z};
    /* The square overflows long before the radius does. */
    *radius = square < LM_HUGE_SQUARE ? sqrtf(square)
                                      : (float)sqrt((double)x * x + (double)y * y + (double)z * z);
}
