/* Runs a function in a process of its own, so that a crash, an endless loop or a lack of memory in
 * a library ends that process and not the command. Only POSIX has this: elsewhere LM_ISOLATES is
 * 0.
 *
 * The process is a copy of this one. It has one thread. Unless it keeps them, its standard streams
 * lead nowhere. Its changes to memory are lost, except for shared memory. It ends at the latest
 * with this process, on Linux at once, elsewhere at its time limit. This protects against errors.
 * It is no sandbox. */
#ifndef LM_CONVERT_ISOLATE_H
#define LM_CONVERT_ISOLATE_H

#include "lerpmesh/base.h"

/* Memory that both processes see, at the same address. Allocations may be made by one of them at a
 * time, and most of them are released with the whole only. */
typedef struct lm_shared lm_shared;

#ifndef LM_ISOLATES
#if defined _WIN32 || defined __wasm__
#define LM_ISOLATES 0
#else
#define LM_ISOLATES 1
#endif
#endif

#if !LM_ISOLATES

static inline void lmi_shared_free(const lm_shared *shared) {
    (void)shared;
}

#else

/* Reserves about `size` bytes of addresses, fewer if there are none. Memory is used as it is
 * allocated. Returns NULL if it fails. `before`: is released with it; may be NULL. */
lm_shared *lmi_shared_new(size_t size, lm_shared *before);
lm_allocator lmi_shared_allocator(lm_shared *shared);
/* Returns the number of bytes that are left, and the number there were. */
size_t lmi_shared_left(const lm_shared *shared);
size_t lmi_shared_size(const lm_shared *shared);
void lmi_shared_free(lm_shared *shared); /* may be NULL */

typedef enum lm_ending {
    LM_RETURNED,    /* the function returned */
    LM_CRASHED,     /* a signal ended the process; `number` is the signal */
    LM_EXITED,      /* the function ended the process; `number` is its exit status */
    LM_TIMED_OUT,   /* it reached a limit of time */
    LM_KILLED,      /* something killed it, such as a system without memory */
    LM_NOT_STARTED, /* there is no process; `number` is errno */
} lm_ending;

typedef struct lm_isolation {
    lm_shared *shared;
    size_t max_bytes;     /* of memory more than this process has, apart from shared memory; has no
                             effect under sanitizers */
    unsigned max_seconds; /* of processor time. Waiting may take LM_WAITING times as long. */
    bool keeps;           /* keeps the standard streams and all files, and has no limits */
    void (*work)(void *user);
    /* Handles the requests of lmi_isolate_call in this process. */
    void (*serve)(void *user, void *request);
    void *user;
} lm_isolation;

#define LM_WAITING 10

/* Runs `work` in a process of its own, and waits for its end. Any thread may call this. */
lm_ending lmi_isolate(const lm_isolation *isolation, int *number);

/* Called by `work`: lets the other process handle a request in shared memory, and waits. */
void lmi_isolate_call(const lm_isolation *isolation, void *request);

#endif
#endif
