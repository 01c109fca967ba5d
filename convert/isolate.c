#define _DEFAULT_SOURCE /* memory without a file */ // NOLINT(bugprone-reserved-identifier)
#include "isolate.h"

#if LM_ISOLATES

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* Sanitizers reserve more addresses than any limit. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

/* ---- Shared memory --------------------------------------------------------------------------- */

#define ALIGNMENT ((size_t)16)
#define MIN_SHARED ((size_t)1 << 24)

struct lm_shared {
    lm_shared *before;
    size_t size, used; /* with this header */
    void *request;     /* of lmi_isolate_call */
    int socket;        /* of the new process */
    bool returned;
};

static size_t aligned(size_t size) {
    return (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

static void *shared_alloc(void *user, size_t size) {
    lm_shared *shared = user;
    if (size > SIZE_MAX / 2 || aligned(size) > shared->size - shared->used)
        return NULL;
    void *memory = (uint8_t *)shared + shared->used;
    shared->used += aligned(size);
    return memory;
}

/* Reuses the memory of the last allocation only. */
static void shared_free(void *user, void *pointer, size_t size) {
    lm_shared *shared = user;
    if (pointer && (uint8_t *)pointer + aligned(size) == (uint8_t *)shared + shared->used)
        shared->used -= aligned(size);
}

static void *shared_realloc(void *user, void *pointer, size_t old_size, size_t new_size) {
    lm_shared *shared = user;
    const size_t used = shared->used;
    shared_free(user, pointer, old_size);
    void *memory = shared_alloc(user, new_size);
    if (!memory)
        shared->used = used;
    else if (pointer && memory != pointer)
        memcpy(memory, pointer, old_size < new_size ? old_size : new_size);
    return memory;
}

lm_shared *lmi_shared_new(size_t size, lm_shared *before) {
    lm_shared *shared;
    while ((shared = mmap(NULL, size, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) == MAP_FAILED) {
        if (size < 2 * MIN_SHARED)
            return NULL;
        size /= 2;
    }
    *shared = (lm_shared){.before = before, .size = size, .used = aligned(sizeof *shared)};
    return shared;
}

lm_allocator lmi_shared_allocator(lm_shared *shared) {
    return (lm_allocator){shared_alloc, shared_realloc, shared_free, shared};
}

size_t lmi_shared_left(const lm_shared *shared) {
    return shared->size - shared->used;
}

size_t lmi_shared_size(const lm_shared *shared) {
    return shared->size;
}

void lmi_shared_free(lm_shared *shared) {
    while (shared) {
        lm_shared *before = shared->before;
        munmap(shared, shared->size);
        shared = before;
    }
}

/* ---- The new process ------------------------------------------------------------------------- */

static void limit(int resource, size_t value) {
    struct rlimit given;
    if (getrlimit(resource, &given) != 0)
        return;
    if (given.rlim_max == RLIM_INFINITY || value < given.rlim_max)
        given.rlim_cur = (rlim_t)value;
    else
        given.rlim_cur = given.rlim_max;
    setrlimit(resource, &given);
}

/* Limits the memory to what the process has and `max_bytes` more. */
static void limit_memory(const lm_isolation *isolation) {
#ifdef SANITIZED
    (void)isolation;
#else
    char text[32] = "";
    size_t has = isolation->shared->size;
    const int file = open("/proc/self/statm", O_RDONLY);
    if (file >= 0 && read(file, text, sizeof text - 1) > 0) /* its first number counts pages */
        has = (size_t)strtoull(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
    close(file);
    limit(RLIMIT_AS, isolation->max_bytes < SIZE_MAX - has ? has + isolation->max_bytes : SIZE_MAX);
#endif
}

/* Keeps no descriptor but the socket, so that nothing of the other process is written to, and its
 * pipes and sockets close when it ends. */
static void close_others(lm_shared *shared) {
    const int nowhere = open("/dev/null", O_RDWR);
    for (int stream = 0; stream <= 2; stream++)
        if (nowhere < 0 || dup2(nowhere, stream) < 0)
            close(stream);
    shared->socket = dup2(shared->socket, 3); /* after `nowhere`, which may be 3 */
#if defined __linux__ && defined SYS_close_range
    syscall(SYS_close_range, 4U, ~0U, 0U);
#endif
}

static void restrict_process(const lm_isolation *isolation) {
    close_others(isolation->shared);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, isolation->max_seconds);
    limit_memory(isolation);
}

/* Leaves out what libraries do at the end: one that failed halfway may wait for its own lock. */
#ifdef __GLIBC__
static void leave(int status, void *user) {
    (void)user;
    _exit(status);
}
#define AT_EXIT() on_exit(leave, NULL)
#else
static void leave(void) {
    _exit(1);
}
#define AT_EXIT() atexit(leave)
#endif

_Noreturn static void run(const lm_isolation *isolation, pid_t parent) {
    lm_shared *shared = isolation->shared;
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() == parent) { /* it did not end before that */
        if (!isolation->keeps)
            restrict_process(isolation);
        AT_EXIT();
        isolation->work(isolation->user);
        shared->returned = true;
    }
    _exit(0);
}

void lmi_isolate_call(const lm_isolation *isolation, void *request) {
    lm_shared *shared = isolation->shared;
    char answer = 1;
    shared->request = request;
    if (write(shared->socket, &answer, 1) != 1 || read(shared->socket, &answer, 1) != 1)
        _exit(0);
}

/* ---- This process ---------------------------------------------------------------------------- */

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

/* Starts the process. Returns its number and this end of the socket; -1 if it fails. Under the
 * lock, so that no other new process keeps the other end open. */
static pid_t start(const lm_isolation *isolation, int *socket) {
    int ends[2];
    const pid_t self = getpid();
    pid_t child = -1;
    pthread_mutex_lock(&starting);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
        isolation->shared->socket = ends[1];
        child = fork();
        if (child == 0) {
            close(ends[0]);
            run(isolation, self);
        }
        const int reason = errno;
        close(ends[1]);
        if (child < 0)
            close(ends[0]);
        errno = reason;
        *socket = ends[0];
    }
    pthread_mutex_unlock(&starting);
    return child;
}

/* Handles requests until the process ends. Returns false if it waits for too long. */
static bool serve(const lm_isolation *isolation, int socket) {
    const uint64_t patience = (uint64_t)isolation->max_seconds * LM_WAITING * 1000;
    char byte;
    for (;;) {
        struct pollfd wait = {.fd = socket, .events = POLLIN};
        const int ready = poll(&wait, 1,
                               isolation->keeps       ? -1
                               : patience < INT32_MAX ? (int)patience
                                                      : INT32_MAX);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        if (read(socket, &byte, 1) != 1)
            return true;
        isolation->serve(isolation->user, isolation->shared->request);
        if (write(socket, &byte, 1) != 1)
            return true;
    }
}

static lm_ending ending_of(int status, int *number) {
    if (!WIFSIGNALED(status)) {
        *number = WEXITSTATUS(status);
        return LM_EXITED;
    }
    *number = WTERMSIG(status);
    return *number == SIGXCPU ? LM_TIMED_OUT : *number == SIGKILL ? LM_KILLED : LM_CRASHED;
}

lm_ending lmi_isolate(const lm_isolation *isolation, int *number) {
    int socket, status = 0;
    isolation->shared->returned = false;
    const pid_t child = start(isolation, &socket);
    *number = errno;
    if (child < 0)
        return LM_NOT_STARTED;
    const bool ended = serve(isolation, socket);
    /* It may have closed the socket and go on. If it ended itself, this has no effect. */
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    close(socket);
    const lm_ending ending = ending_of(status, number);
    return isolation->shared->returned ? LM_RETURNED : ended ? ending : LM_TIMED_OUT;
}

#endif
