/* Memory of one call: the caller's allocator with its limits. */
#ifndef LM_CORE_HEAP_H
#define LM_CORE_HEAP_H

#include "core/exact.h"
#include "core/status.h"

typedef struct lm_heap {
    lm_call call;
    bool borrow;            /* results may point into the input instead of copying it */
    lm_allocator allocator; /* complete: defaults are filled in */
    size_t used, max_bytes;
    size_t allocations, max_allocations;
    size_t failed_size; /* the size that failed, for the message; 0: none failed */
    bool over_limit;    /* a limit caused the failure; see lm_heap_forget_limit */
    bool too_many;      /* that limit was the number of allocations */
} lm_heap;

/* Begins a call. Its messages start with `name`, and `error` gets the reason if it fails.
 * `input_size` sets the default limit: LM_MEMORY_MULTIPLE times the size plus LM_MEMORY_EXTRA. */
void lm_heap_begin(lm_heap *heap, const lm_memory *memory, size_t input_size, const char *name,
                   lm_error *error);
/* Initialises the heap of a part of another call, which has the name and the error. */
void lm_heap_init(lm_heap *heap, const lm_memory *memory, size_t input_size);
/* Returns uninitialised memory aligned for any type; NULL if memory ran out or a limit is
 * reached. */
void *lm_heap_alloc(lm_heap *heap, uint64_t count, size_t element);
void lm_heap_free(lm_heap *heap, void *pointer, size_t size);
/* Lets a call continue without the memory that a limit refused. */
void lm_heap_forget_limit(lm_heap *heap);

/* Fills the call's error if lack of memory ended it. Always returns NULL, for callers to return. */
void *lm_heap_diagnose(const lm_heap *heap);

lm_allocator lm_allocator_or_default(const lm_allocator *allocator);

#endif
