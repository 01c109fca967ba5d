/* Threads for the command as WebAssembly, which has only one: pthread_create fails, and batches
 * then work on the calling thread, as on any system. */
#ifndef WEB_COMMAND_PTHREAD_H
#define WEB_COMMAND_PTHREAD_H

typedef char pthread_t, pthread_mutex_t, pthread_cond_t;
#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_COND_INITIALIZER 0

static inline int pthread_create(pthread_t *thread, const void *attributes, void *(*run)(void *),
                                 void *user) {
    (void)thread, (void)attributes, (void)run, (void)user;
    return 6; /* EAGAIN */
}

static inline int pthread_join(pthread_t thread, void **result) {
    (void)thread, (void)result;
    return 0;
}

static inline int pthread_mutex_init(pthread_mutex_t *lock, const void *attributes) {
    (void)attributes;
    return *lock = 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *lock) {
    return *lock = 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *lock) {
    (void)lock;
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *lock) {
    (void)lock;
    return 0;
}

static inline int pthread_cond_init(pthread_cond_t *condition, const void *attributes) {
    (void)attributes;
    return *condition = 0;
}

static inline int pthread_cond_destroy(pthread_cond_t *condition) {
    return *condition = 0;
}

static inline int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
    (void)condition, (void)lock;
    return 0;
}

static inline int pthread_cond_broadcast(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

#endif
