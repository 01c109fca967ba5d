/* The status of a call, shared by all functions that take part in it. */
#ifndef LM_CORE_STATUS_H
#define LM_CORE_STATUS_H

#include "lerpmesh/base.h"

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
 * The function that ends the call sets the status at that moment, through lm_call_end,
 * lm_call_fail, lm_call_join or a failed allocation. All of its callers return false and set
 * nothing, so the status is always the reason. At the end, lm_heap_diagnose alone turns
 * LM_NO_MEMORY into an error. */
typedef struct lm_call {
    const char *name; /* the first word of its messages: "md2"; NULL: no such word */
    lm_error *error;  /* may be NULL */
    lm_status status;
} lm_call;

/* Sets the status of a call that has not ended yet. Returns false. */
static inline bool lm_call_end(lm_call *call, lm_status status) {
    if (call->status == LM_DONE)
        call->status = status;
    return false;
}

/* Ends the call with an error: "NAME: SENTENCE", shortened if it is too long. Replaces the status
 * of a failed allocation. Returns false. */
bool lm_call_fail(lm_call *call, lm_code code, const char *sentence, ...) LM_PRINTF(3, 4);
/* Takes over the result of an inner call with the same error. If it failed, this call fails too.
 * Returns `done`. */
static inline bool lm_call_join(lm_call *call, bool done) {
    call->status = done ? call->status : LM_FAILED;
    return done;
}

#endif
