/* Runs the same calls in several threads at once, and compares their results with those of one
 * thread. The thread sanitizer is the main check (`make test-hard`). */
#ifndef TESTS_RUN_THREADS_H
#define TESTS_RUN_THREADS_H

#include "support.h"

#include <pthread.h>

/* Makes call number `which`, and returns a sum of its results; 0: it failed. It makes no
 * assertions: cmocka's work only in its own thread. */
typedef uint64_t summed_call(const void *context, unsigned which);

/* FNV-1a */
#define SUM_START UINT64_C(0xcbf29ce484222325)
static inline uint64_t sum_bytes(uint64_t sum, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return sum;
}

enum {
    NUM_THREADS = 4,
    MAX_CALLS = 4
};

typedef struct thread_job {
    summed_call *call;
    const void *context;
    unsigned num_calls, rounds, first; /* `first`: the call that it starts with */
    pthread_mutex_t *start;
    uint64_t sums[MAX_CALLS]; /* 0: a failure, or another sum in another round */
} thread_job;

static inline void *work_of_thread(void *user) {
    thread_job *j = user;
    pthread_mutex_lock(j->start);
    pthread_mutex_unlock(j->start);
    for (unsigned i = 0; i < j->num_calls * j->rounds; i++) {
        const unsigned n = (i + j->first) % j->num_calls;
        const uint64_t sum = j->call(j->context, n);
        j->sums[n] = i < j->num_calls || j->sums[n] == sum ? sum : 0;
    }
    return NULL;
}

static inline void assert_threads_agree(summed_call *call, const void *context, unsigned num_calls,
                                        unsigned rounds) {
    /* Locked until all threads exist, so that they run at the same time. */
    pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;
    thread_job jobs[NUM_THREADS + 1];
    pthread_t threads[NUM_THREADS];
    assert_true(num_calls <= MAX_CALLS);
    pthread_mutex_lock(&start);
    for (unsigned t = 0; t <= NUM_THREADS; t++) {
        jobs[t] = (thread_job){call, context, num_calls, rounds, t % num_calls, &start, {0}};
        if (t < NUM_THREADS)
            assert_int_equal(pthread_create(&threads[t], NULL, work_of_thread, &jobs[t]), 0);
    }
    pthread_mutex_unlock(&start);
    for (unsigned t = 0; t < NUM_THREADS; t++)
        assert_int_equal(pthread_join(threads[t], NULL), 0);
    jobs[NUM_THREADS].rounds = 1;
    work_of_thread(&jobs[NUM_THREADS]);
    for (unsigned n = 0; n < num_calls; n++)
        for (unsigned t = 0; t <= NUM_THREADS; t++)
            assert_true(jobs[t].sums[n] != 0 && jobs[t].sums[n] == jobs[NUM_THREADS].sums[n]);
}

#endif
