/* Memory for one call: the caller's allocator with its bounds. */
#ifndef LM_CORE_HEAP_H
#define LM_CORE_HEAP_H

#include "core/exact.h"
#include "core/status.h"

typedef struct lm_heap {
    lm_call call;
    bool borrow;            /* what is made may point into the input instead of copying it */
    lm_allocator allocator; /* complete: defaults filled in */
    size_t used, max_bytes;
    size_t allocations, max_allocations;
    size_t refused;  /* the size that was refused, for the message; 0: none was */
    bool over_limit; /* a bound refused it; lm_heap_forget_limit */
    bool too_many;   /* which was that of allocations */
} lm_heap;

/* Begins a call: messages start with `name`, and `error` gets the reason if it fails. `input_size`
 * sets the default bound: LM_MEMORY_MULTIPLE times it plus LM_MEMORY_EXTRA. */
void lm_heap_begin(lm_heap *heap, const lm_memory *memory, size_t input_size, const char *name,
                   lm_error *error);
/* The same for a part of another call, which has the name and the error. */
void lm_heap_init(lm_heap *heap, const lm_memory *memory, size_t input_size);
/* Memory that is not cleared, aligned for any type; NULL if there is none or a bound is reached. */
void *lm_heap_alloc(lm_heap *heap, uint64_t count, size_t element);
void lm_heap_free(lm_heap *heap, void *pointer, size_t size);
/* Lets a call go on that can do without what a bound refused. */
void lm_heap_forget_limit(lm_heap *heap);

/* Fills the call's error if lack of memory ended it. Returns NULL for callers' convenience. */
void *lm_heap_diagnose(const lm_heap *heap);

lm_allocator lm_allocator_or_default(const lm_allocator *allocator);

#endif
