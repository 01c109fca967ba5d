/* Threads for the command as WebAssembly, which has only one: pthread_create fails, and batches
 * then work on the calling thread, as on any system. All other functions succeed. */
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

#define WEB_SUCCEED(name, type)         \
    static inline int name(type *one) { \
        (void)one;                      \
        return 0;                       \
    }
#define WEB_SUCCEED_WITH(name, type, other_type)          \
    static inline int name(type one, other_type *other) { \
        (void)one, (void)other;                           \
        return 0;                                         \
    }
WEB_SUCCEED_WITH(pthread_join, pthread_t, void *)
WEB_SUCCEED_WITH(pthread_mutex_init, pthread_mutex_t *, const void)
WEB_SUCCEED(pthread_mutex_destroy, pthread_mutex_t)
WEB_SUCCEED(pthread_mutex_lock, pthread_mutex_t)
WEB_SUCCEED(pthread_mutex_unlock, pthread_mutex_t)
WEB_SUCCEED_WITH(pthread_cond_init, pthread_cond_t *, const void)
WEB_SUCCEED(pthread_cond_destroy, pthread_cond_t)
WEB_SUCCEED_WITH(pthread_cond_wait, pthread_cond_t *, pthread_mutex_t)
WEB_SUCCEED(pthread_cond_broadcast, pthread_cond_t)

#endif
