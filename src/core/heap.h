/* Memory of one call: the caller's allocator with its limits. */
#ifndef LM_CORE_HEAP_H
#define LM_CORE_HEAP_H

#include "core/exact.h"
#include "lerpmesh/base.h"

/* The status of a call, shared by all functions that take part in it. */

/* A function that sound files do not call, or only once. Compilers make it small, not fast. */
#if defined(__GNUC__)
#define LM_COLD __attribute__((cold))
#else
#define LM_COLD
#endif

typedef enum lm_status {
    LM_DONE,     /* nothing has ended the call */
    LM_FAILED,   /* the error or the report gives the reason */
    LM_STOPPED,  /* the listener wants no more diagnostics */
    LM_NO_MEMORY /* the heap has the size or the limit */
} lm_status;

/* One call of the library. Each function that takes part in it returns true if the call continues.
 * The function that ends the call sets the status at that moment, through lmi_call_end,
 * lmi_call_fail, lmi_call_join or a failed allocation. All of its callers return false and set
 * nothing, so the status is always the reason. At the end, lmi_heap_diagnose alone turns
 * LM_NO_MEMORY into an error. */
typedef struct lm_call {
    const char *name; /* the first word of its messages: "md2"; NULL: no such word */
    lm_error *error;  /* may be NULL */
    lm_status status;
} lm_call;

/* Sets the status of a call that has not ended yet. Returns false. */
static inline bool lmi_call_end(lm_call *call, lm_status status) {
    if (call->status == LM_DONE)
        call->status = status;
    return false;
}

/* Ends the call with an error: "NAME: SENTENCE", shortened if it is too long. Replaces the status
 * of a failed allocation. Returns false. */
bool lmi_call_fail(lm_call *call, lm_code code, const char *sentence, ...) LM_PRINTF(3, 4);
/* Takes over the result of an inner call with the same error. If it failed, this call fails too.
 * Returns `done`. */
static inline bool lmi_call_join(lm_call *call, bool done) {
    call->status = done ? call->status : LM_FAILED;
    return done;
}

typedef struct lm_heap {
    lm_call call;
    bool borrow;            /* results may point into the input instead of copying it */
    lm_allocator allocator; /* complete: defaults are filled in */
    size_t used, max_bytes;
    size_t allocations, max_allocations;
    size_t failed_size; /* the size that failed, for the message; 0: none failed */
    bool over_limit;    /* a limit caused the failure; see lmi_heap_forget_limit */
    bool too_many;      /* that limit was the number of allocations */
} lm_heap;

/* Begins a call. Its messages start with `name`, and `error` gets the reason if it fails.
 * `input_size` sets the default limit: LM_MEMORY_MULTIPLE times the size plus LM_MEMORY_EXTRA. If
 * the allocator lacks functions, the call has failed already: no allocation succeeds. */
void lmi_heap_begin(lm_heap *heap, const lm_memory *memory, size_t input_size, const char *name,
                    lm_error *error);
/* Initialises the heap of a part of another call, which has the name and the error. */
void lmi_heap_init(lm_heap *heap, const lm_memory *memory, size_t input_size);
/* Returns uninitialised memory aligned for any type; NULL if memory ran out or a limit is
 * reached. */
void *lmi_heap_alloc(lm_heap *heap, uint64_t count, size_t element);
void lmi_heap_free(lm_heap *heap, void *pointer, size_t size);
/* Lets a call continue without the memory that a limit refused. */
void lmi_heap_forget_limit(lm_heap *heap);

/* Fills the call's error if lack of memory ended it. Always returns NULL, for callers to return. */
void *lmi_heap_diagnose(const lm_heap *heap);

/* Returns false and fills `error` with LM_CODE_BAD_ARGUMENT if an allocator has only some of its
 * functions. `owner` is the struct that has the allocator, and `caller` the first word of the
 * message; NULL: no such word. */
bool lmi_allocator_valid(const lm_allocator *allocator, const char *owner, const char *caller,
                         lm_error *error);
/* Returns malloc and free for NULL, and for an allocator that lacks functions. */
lm_allocator lmi_allocator_or_default(const lm_allocator *allocator);

#endif
