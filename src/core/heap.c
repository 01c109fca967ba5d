#include "core/heap.h"

#include "core/utf8.h"

#include <stdlib.h>
#include <string.h>

static void *default_alloc(void *user, size_t size) {
    (void)user;
    return malloc(size);
}

static void *default_realloc(void *user, void *pointer, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    return realloc(pointer, new_size);
}

static void default_free(void *user, void *pointer, size_t size) {
    (void)user;
    (void)size;
    free(pointer);
}

lm_allocator lm_allocator_or_default(const lm_allocator *allocator) {
    static const lm_allocator standard = {default_alloc, default_realloc, default_free, NULL};
    return allocator && allocator->alloc ? *allocator : standard;
}

void lm_heap_init(lm_heap *heap, const lm_memory *memory, size_t input_size) {
    *heap = (lm_heap){.allocator = lm_allocator_or_default(memory ? &memory->allocator : NULL)};
    heap->max_bytes = memory ? memory->max_bytes : 0;
    heap->max_allocations = memory ? memory->max_allocations : 0;
    if (heap->max_bytes == 0)
        heap->max_bytes = input_size > (SIZE_MAX - LM_MEMORY_EXTRA) / LM_MEMORY_MULTIPLE
                              ? SIZE_MAX
                              : input_size * LM_MEMORY_MULTIPLE + LM_MEMORY_EXTRA;
}

void lm_heap_begin(lm_heap *heap, const lm_memory *memory, size_t input_size, const char *name,
                   lm_error *error) {
    lm_heap_init(heap, memory, input_size);
    heap->call = (lm_call){.name = name, .error = error};
}

/* What a bound refused once is told of, whatever is asked for after that. */
static bool within_bounds(lm_heap *heap, uint64_t count, size_t element) {
    uint64_t left = heap->max_bytes - heap->used;
    const bool too_large = element && count > left / element;
    const bool too_many =
        !too_large && heap->max_allocations > 0 && heap->allocations >= heap->max_allocations;
    if ((too_large || too_many) && !heap->over_limit) {
        heap->over_limit = true;
        heap->too_many = too_many;
        heap->refused = element && count > SIZE_MAX / element ? SIZE_MAX : (size_t)count * element;
    }
    if (too_large || too_many)
        lm_call_end(&heap->call, LM_NO_MEMORY);
    return !too_large && !too_many;
}

void *lm_heap_alloc(lm_heap *heap, uint64_t count, size_t element) {
    if (!within_bounds(heap, count, element))
        return NULL;
    size_t size = (size_t)count * element;
    size = size ? size : 1;
    void *pointer = heap->allocator.alloc(heap->allocator.user, size);
    if (!pointer) {
        heap->refused = heap->over_limit ? heap->refused : size;
        lm_call_end(&heap->call, LM_NO_MEMORY);
        return NULL;
    }
    heap->used += size;
    heap->allocations++;
    return pointer;
}

void lm_heap_free(lm_heap *heap, void *pointer, size_t size) {
    if (!pointer)
        return;
    size = size ? size : 1;
    heap->allocator.free(heap->allocator.user, pointer, size);
    heap->used -= size;
}

void lm_heap_forget_limit(lm_heap *heap) {
    heap->over_limit = heap->too_many = false;
    heap->refused = 0;
    if (heap->call.status == LM_NO_MEMORY)
        heap->call.status = LM_DONE;
}

void *lm_heap_diagnose(const lm_heap *heap) {
    const lm_call *call = &heap->call;
    if (call->status == LM_FAILED)
        return NULL;
    if (call->status != LM_NO_MEMORY)
        lm_fail_plain(call->error, LM_CODE_BAD_ARGUMENT, "%s: failed without a reason", call->name);
    else if (heap->too_many)
        lm_fail_plain(call->error, LM_CODE_LIMIT,
                      "%s: loading needs more than the limit of %zu allocations", call->name,
                      heap->max_allocations);
    else if (heap->over_limit)
        lm_fail_plain(call->error, LM_CODE_LIMIT,
                      "%s: loading needs more memory than the limit of %zu bytes", call->name,
                      heap->max_bytes);
    else
        lm_fail_plain(call->error, LM_CODE_OUT_OF_MEMORY,
                      heap->refused > 0 ? "%s: out of memory (%zu bytes)" : "%s: out of memory",
                      call->name, heap->refused);
    return NULL;
}

void *lm_carve(lm_block *block, uint64_t count, size_t element) {
    uint64_t start = (block->size + LM_ALIGNMENT - 1) & ~(uint64_t)(LM_ALIGNMENT - 1);
    block->size = start + count * element;
    return block->base ? block->base + start : NULL;
}

const uint8_t *lm_carve_bytes(lm_block *block, const uint8_t *data, uint64_t count,
                              size_t element) {
    if (block->borrow)
        return data;
    uint8_t *copy = lm_carve(block, count, element);
    if (copy && data)
        memcpy(copy, data, (size_t)count * element);
    return copy;
}

char *lm_carve_name(lm_block *block, const uint8_t *field, size_t length) {
    size_t used = lm_field_length(field, length);
    uint64_t start = block->size;
    block->size += used + 1;
    if (!block->base)
        return NULL;
    char *name = (char *)block->base + start;
    memcpy(name, field, used);
    name[used] = '\0';
    return name;
}

/* ---- Objects with an owner ----------------------------------------------------------------- */

/* What stands in front of an object. */
typedef struct lm_owner {
    lm_allocator allocator;
    size_t size; /* of all */
    unsigned num_kept;
    struct {
        void *memory;
        size_t size;
    } kept[LM_MAX_KEPT];
} lm_owner;

#define OWNER_SIZE ((sizeof(lm_owner) + LM_ALIGNMENT - 1) / LM_ALIGNMENT * LM_ALIGNMENT)

void *lm_make(lm_heap *heap, lm_carver *carve, void *context) {
    lm_block block = {.size = OWNER_SIZE, .borrow = heap->borrow};
    carve(&block, context);
    uint64_t size = block.size;
    lm_owner *owner = lm_heap_alloc(heap, size, 1);
    if (!owner)
        return NULL;
    *owner = (lm_owner){.allocator = heap->allocator, .size = (size_t)size};
    block = (lm_block){.base = (uint8_t *)owner, .size = OWNER_SIZE, .borrow = heap->borrow};
    return carve(&block, context);
}

static lm_owner *owner_of(void *object) {
    return (lm_owner *)(void *)((uint8_t *)object - OWNER_SIZE);
}

void lm_keep(void *object, void *memory, size_t size) {
    lm_owner *owner = owner_of(object);
    owner->kept[owner->num_kept].memory = memory;
    owner->kept[owner->num_kept++].size = size;
}

void lm_release(void *object) {
    if (!object)
        return;
    lm_owner *owner = owner_of(object);
    lm_allocator allocator = owner->allocator;
    for (unsigned i = 0; i < owner->num_kept; i++)
        if (owner->kept[i].memory)
            allocator.free(allocator.user, owner->kept[i].memory, owner->kept[i].size);
    allocator.free(allocator.user, owner, owner->size);
}
