/* Memory for one call: the caller's allocator with its bounds, and blocks carved from one
 * allocation. */
#ifndef LM_CORE_HEAP_H
#define LM_CORE_HEAP_H

#include "core/exact.h"
#include "core/status.h"

#define LM_ALIGNMENT 16u /* enough for any type */

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

/* Carving: run the same code twice, first with base NULL to add up the size, then with the block
 * allocated. lm_carve returns NULL while measuring. */
typedef struct lm_block {
    uint8_t *base;
    uint64_t size; /* so far */
    bool borrow;   /* as the heap's */
} lm_block;

void *lm_carve(lm_block *block, uint64_t count, size_t element); /* aligned for any type */
/* Bytes of the input: a copy of them, or where they are if the block may borrow. `data` may be NULL
 * if they take no bytes. */
const uint8_t *lm_carve_bytes(lm_block *block, const uint8_t *data, uint64_t count, size_t element);
/* Room for a name of at most `length` bytes and its NUL, filled from a raw field (cut at its
 * NUL). */
char *lm_carve_name(lm_block *block, const uint8_t *field, size_t length);

/* Objects that callers are given and give back: made in one allocation, which knows who made it.
 * The carver carves the object before all else, then what it points to, and returns it. */
typedef void *lm_carver(lm_block *block, void *context);
void *lm_make(lm_heap *heap, lm_carver *carve, void *context); /* NULL if there is no memory */
/* Makes other memory from the same heap go with an object: LM_MAX_KEPT pieces at most. */
#define LM_MAX_KEPT 2
void lm_keep(void *object, void *memory, size_t size);
void lm_release(void *object); /* NULL: nothing */

#endif
