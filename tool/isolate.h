/* Runs a function in a process of its own, so that a crash, an endless loop or a lack of memory in
 * a library ends that process and not the command. Only POSIX has this: elsewhere TOOL_ISOLATES is
 * 0.
 *
 * The process is a copy of this one. It has one thread. Unless it keeps them, its standard streams
 * lead nowhere. Its changes to memory are lost, except for shared memory. It ends at the latest
 * with this process, on Linux at once, elsewhere at its time limit. This protects against errors.
 * It is no sandbox. */
#ifndef TOOL_ISOLATE_H
#define TOOL_ISOLATE_H

#include "lerpmesh/base.h"

/* Memory that both processes see, at the same address. Allocations may be made by one of them at a
 * time, and most of them are released with the whole only. */
typedef struct tool_shared tool_shared;

#ifndef TOOL_ISOLATES
#if defined _WIN32 || defined __wasm__
#define TOOL_ISOLATES 0
#else
#define TOOL_ISOLATES 1
#endif
#endif

#if !TOOL_ISOLATES

static inline void tool_shared_free(const tool_shared *shared) {
    (void)shared;
}

#else

/* Reserves about `size` bytes of addresses, fewer if there are none. Memory is used as it is
 * allocated. Returns NULL if it fails. `before`: is released with it; may be NULL. */
tool_shared *tool_shared_new(size_t size, tool_shared *before);
lm_allocator tool_shared_allocator(tool_shared *shared);
/* Returns the number of bytes that are left, and the number there were. */
size_t tool_shared_left(const tool_shared *shared);
size_t tool_shared_size(const tool_shared *shared);
void tool_shared_free(tool_shared *shared); /* may be NULL */

typedef enum tool_ending {
    TOOL_RETURNED,    /* the function returned */
    TOOL_CRASHED,     /* a signal ended the process; `number` is the signal */
    TOOL_EXITED,      /* the function ended the process; `number` is its exit status */
    TOOL_TIMED_OUT,   /* it reached a limit of time */
    TOOL_KILLED,      /* something killed it, such as a system without memory */
    TOOL_NOT_STARTED, /* there is no process; `number` is errno */
} tool_ending;

typedef struct tool_isolation {
    tool_shared *shared;
    size_t max_bytes;     /* of memory more than this process has, apart from shared memory; has no
                             effect under sanitizers */
    unsigned max_seconds; /* of processor time. Waiting may take TOOL_WAITING times as long. */
    bool keeps;           /* keeps the standard streams and all files, and has no limits */
    void (*work)(void *user);
    /* Handles the requests of tool_isolate_call in this process. */
    void (*serve)(void *user, void *request);
    void *user;
} tool_isolation;

#define TOOL_WAITING 10

/* Runs `work` in a process of its own, and waits for its end. Any thread may call this. */
tool_ending tool_isolate(const tool_isolation *isolation, int *number);

/* Called by `work`: lets the other process handle a request in shared memory, and waits. */
void tool_isolate_call(const tool_isolation *isolation, void *request);

#endif
#endif
