/* Measures and prints comparisons.
 *
 * Contenders of one comparison are timed in one process, in batches, in turn. Each round runs each
 * contender once untimed and times one batch of it; every round starts with another one. So
 * disturbances of the machine affect all of them, and ratios are taken per round between batches
 * that ran next to each other. Every figure is a median with its quartiles. */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include "corpus.h"

#include <time.h>

extern unsigned bench_rounds;
extern double bench_batch_ns; /* minimum duration of a batch */
extern bool bench_failed;     /* contenders disagreed or could not run */

typedef struct bench_contender {
    const char *name;
    void (*run)(void *context); /* runs the timed work once */
    void *context;
    double units; /* nanoseconds of one run, divided by this, are in the comparison's unit */
} bench_contender;

/* Times contenders and prints their times, and how many times as fast as the first they are. Wall
 * time (CLOCK_MONOTONIC) is for work outside of this thread; the thread's CPU time
 * (CLOCK_THREAD_CPUTIME_ID) includes the kernel's share and excludes other processes. */
void bench_compare(const char *subject, const char *unit, clockid_t clock,
                   const bench_contender *contenders, unsigned count);

/* If a condition does not hold, prints that and marks the benchmark as failed: only contenders with
 * the same result may be compared. Returns the condition. */
bool bench_require(bool holds, const char *what);

/* Exits if there is no memory. The memory is written once, so that no page is first touched during
 * a measurement. */
void *bench_alloc(size_t size);

/* Makes the allocator keep freed memory. Otherwise, depending on its history, glibc returns large
 * blocks to the system and fetches them again page by page. */
void bench_keep_heap(void);
/* Pins the process to one CPU, or allows all again, for processes that it starts. */
void bench_pin(bool one);
/* Prints the conditions of the numbers: the processor, the compiler, the load. */
void bench_describe_machine(void);
/* Returns the CPU time of this thread in milliseconds. */
double bench_now_ms(void);

/* The parts of the benchmark; `tool` is the path of the command. */
typedef void bench_section(const bench_corpus *corpus, const char *tool);
bench_section bench_load, bench_memory, bench_process, bench_sample, bench_growth;

#endif
