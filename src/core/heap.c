#include "core/heap.h"

#include <stdlib.h>

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

lm_allocator lmi_allocator_or_default(const lm_allocator *allocator) {
    static const lm_allocator standard = {default_alloc, default_realloc, default_free, NULL};
    const bool complete = allocator && allocator->alloc && allocator->realloc && allocator->free;
    return complete ? *allocator : standard;
}

bool lmi_allocator_valid(const lm_allocator *allocator, const char *owner, const char *caller,
                         lm_error *error) {
    const lm_allocator *a = allocator;
    return !a || (a->alloc && a->realloc && a->free) || !(a->alloc || a->realloc || a->free) ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                         "%s%s%s must set all functions of the allocator, or none",
                         caller ? caller : "", caller ? ": " : "", owner);
}

void lmi_heap_init(lm_heap *heap, const lm_memory *memory, size_t input_size) {
    *heap = (lm_heap){.allocator = lmi_allocator_or_default(memory ? &memory->allocator : NULL)};
    heap->max_bytes = memory ? memory->max_bytes : 0;
    heap->max_allocations = memory ? memory->max_allocations : 0;
    if (heap->max_bytes == 0)
        heap->max_bytes = input_size > (SIZE_MAX - LM_MEMORY_EXTRA) / LM_MEMORY_MULTIPLE
                              ? SIZE_MAX
                              : input_size * LM_MEMORY_MULTIPLE + LM_MEMORY_EXTRA;
}

void lmi_heap_begin(lm_heap *heap, const lm_memory *memory, size_t input_size, const char *name,
                    lm_error *error) {
    lmi_heap_init(heap, memory, input_size);
    heap->call = (lm_call){.name = name, .error = error};
    if (!lmi_allocator_valid(memory ? &memory->allocator : NULL, "memory", name, error)) {
        heap->call.status = LM_FAILED;
        heap->max_allocations = heap->allocations = 1;
    }
}

/* Checks an allocation against the limits. The message reports the first allocation that a limit
 * refused. */
static bool within_bounds(lm_heap *heap, uint64_t count, size_t size) {
    const bool too_large = size && count > (heap->max_bytes - heap->used) / size;
    const bool too_many =
        !too_large && heap->max_allocations > 0 && heap->allocations >= heap->max_allocations;
    if ((too_large || too_many) && !heap->over_limit) {
        heap->over_limit = true;
        heap->too_many = too_many;
        heap->failed_size = size && count > SIZE_MAX / size ? SIZE_MAX : (size_t)count * size;
    }
    if (too_large || too_many)
        lmi_call_end(&heap->call, LM_NO_MEMORY);
    return !too_large && !too_many;
}

void *lmi_heap_alloc(lm_heap *heap, uint64_t count, size_t element) {
    if (!within_bounds(heap, count, element))
        return NULL;
    size_t size = (size_t)count * element;
    size = size ? size : 1;
    void *pointer = heap->allocator.alloc(heap->allocator.user, size);
    if (!pointer) {
        heap->failed_size = heap->over_limit ? heap->failed_size : size;
        lmi_call_end(&heap->call, LM_NO_MEMORY);
        return NULL;
    }
    heap->used += size;
    heap->allocations++;
    return pointer;
}

void lmi_heap_free(lm_heap *heap, void *pointer, size_t size) {
    if (!pointer)
        return;
    size = size ? size : 1;
    heap->allocator.free(heap->allocator.user, pointer, size);
    heap->used -= size;
}

void lmi_heap_forget_limit(lm_heap *heap) {
    heap->over_limit = heap->too_many = false;
    heap->failed_size = 0;
    if (heap->call.status == LM_NO_MEMORY)
        heap->call.status = LM_DONE;
}

void *lmi_heap_diagnose(const lm_heap *heap) {
    const lm_call *call = &heap->call;
    if (call->status == LM_FAILED)
        return NULL;
    if (call->status != LM_NO_MEMORY)
        lm_fail_plain(call->error, LM_CODE_BAD_ARGUMENT, "%s: failed for an unknown reason",
                      call->name);
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
                      heap->failed_size > 0 ? "%s: out of memory (%zu bytes)" : "%s: out of memory",
                      call->name, heap->failed_size);
    return NULL;
}
