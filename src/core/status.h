/* How a call ends: one status for all functions that take part in it. */
#ifndef LM_CORE_STATUS_H
#define LM_CORE_STATUS_H

#include "lerpmesh/base.h"

typedef enum lm_status {
    LM_DONE,     /* nothing has ended the call */
    LM_FAILED,   /* the error or the report has the reason */
    LM_STOPPED,  /* the listener does not want more */
    LM_NO_MEMORY /* the heap knows the size or the limit */
} lm_status;

/* One call of the library. A function that takes part in it returns whether the call goes on. The
 * function that ends it sets the status at that moment, by lm_call_end, lm_call_fail, lm_call_join
 * or a failed allocation; all functions above return false and set nothing. So the status is the
 * reason, whatever function returned false. lm_heap_diagnose, at the end, is the only place that
 * turns LM_NO_MEMORY into an error. */
typedef struct lm_call {
    const char *name; /* the first word of its messages: "md2"; NULL: they begin without it */
    lm_error *error;  /* may be NULL */
    lm_status status;
} lm_call;

/* Sets the status of a call that nothing has ended yet. Returns false. */
static inline bool lm_call_end(lm_call *call, lm_status status) {
    if (call->status == LM_DONE)
        call->status = status;
    return false;
}

/* Ends the call with an error: "NAME: SENTENCE", shortened where it is too long. It also ends a
 * call that went on after an allocation had failed. Returns false. */
bool lm_call_fail(lm_call *call, lm_code code, const char *sentence, ...) LM_PRINTF(3, 4);
/* Takes the result of an inner call that got the same error. If it failed, so does the call, and
 * false is returned. */
static inline bool lm_call_join(lm_call *call, bool done) {
    call->status = done ? call->status : LM_FAILED;
    return done;
}

#endif
