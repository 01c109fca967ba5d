#include "harness.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Each contender runs at least this long before it is timed, so that caches, branch predictors, the
 * allocator and the CPU's clock settle. */
#define WARM_UP_NS 5e6
/* A ratio whose quartiles differ by more than this fraction of it is meaningless and is not
 * printed. */
#define MAX_SPREAD 0.15

unsigned bench_rounds = 101;
double bench_batch_ns = 0.5e6;
bool bench_failed;

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

double bench_now_ms(void) {
    return now(CLOCK_THREAD_CPUTIME_ID) / 1e6;
}

static double time_batch(const bench_contender *contender, unsigned long calls, clockid_t clock) {
    const double start = now(clock);
    for (unsigned long i = 0; i < calls; i++)
        contender->run(contender->context);
    return (now(clock) - start) / (double)calls;
}

/* Warms a contender up and returns the number of calls per batch. */
static unsigned long calibrate(const bench_contender *contender, clockid_t clock) {
    const double start = now(clock);
    double best = INFINITY;
    do
        best = fmin(best, time_batch(contender, 1, clock));
    while (now(clock) - start < WARM_UP_NS);
    return (unsigned long)ceil(bench_batch_ns / fmax(best, 1));
}

typedef struct spread {
    double low, median, high; /* quartiles */
} spread;

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the samples. */
static spread quartiles(double *samples, unsigned count) {
    double found[3];
    qsort(samples, count, sizeof *samples, by_size);
    for (int i = 0; i < 3; i++) {
        const double at = 0.25 * (i + 1) * (count - 1);
        const unsigned below = (unsigned)at, above = below + 1 < count ? below + 1 : below;
        found[i] = samples[below] + (at - below) * (samples[above] - samples[below]);
    }
    return (spread){found[0], found[1], found[2]};
}

/* Prints a contender's times, and their ratios to those of the first contender. */
static void print_row(const char *name, const double *times, const double *first, double *scratch) {
    memcpy(scratch, times, bench_rounds * sizeof *scratch);
    const spread time = quartiles(scratch, bench_rounds);
    printf("  %-52s %11.2f %7.0f %%", name, time.median,
           100 * (time.high - time.low) / time.median);
    for (unsigned r = 0; r < bench_rounds; r++)
        scratch[r] = first[r] / times[r];
    const spread ratio = quartiles(scratch, bench_rounds);
    if (times != first && ratio.high - ratio.low > MAX_SPREAD * ratio.median)
        printf("  no ratio");
    else if (times != first)
        printf("  %8.2f x (%.2f..%.2f)", ratio.median, ratio.low, ratio.high);
    putchar('\n');
}

void bench_compare(const char *subject, const char *unit, clockid_t clock,
                   const bench_contender *contenders, unsigned count) {
    unsigned long *calls = bench_alloc(count * sizeof *calls);
    double *times = bench_alloc((count + (size_t)1) * bench_rounds * sizeof *times);
    for (unsigned c = 0; c < count; c++)
        calls[c] = calibrate(&contenders[c], clock);
    for (unsigned r = 0; r < bench_rounds; r++)
        for (unsigned i = 0; i < count; i++) {
            const unsigned c = (i + r) % count;
            contenders[c].run(contenders[c].context); /* clears the effects of the one before */
            times[c * bench_rounds + r] =
                time_batch(&contenders[c], calls[c], clock) / contenders[c].units;
        }
    printf("\n%-54s %11s %9s  as fast as the first\n", subject, unit, "spread");
    for (unsigned c = 0; c < count; c++)
        print_row(contenders[c].name, times + (size_t)c * bench_rounds, times,
                  times + (size_t)count * bench_rounds);
    fflush(stdout);
    free(calls);
    free(times);
}

bool bench_require(bool holds, const char *what) {
    if (!holds)
        fprintf(stderr, "lerpmesh-bench: %s: failed, or the results differ\n", what);
    bench_failed = bench_failed || !holds;
    return holds;
}

void *bench_alloc(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (!memory) {
        fprintf(stderr, "lerpmesh-bench: out of memory\n");
        exit(1);
    }
    return memset(memory, 1, size);
}

void bench_keep_heap(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

void bench_pin(void) {
#ifdef __linux__
    cpu_set_t set;
    const int cpu = sched_getcpu();
    CPU_ZERO(&set);
    if (cpu >= 0)
        CPU_SET((unsigned)cpu, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
#endif
}

void bench_describe_machine(void) {
    char line[256], model[256] = "unknown\n";
    double load = -1;
    FILE *info = fopen("/proc/cpuinfo", "r");
    while (info && fgets(line, sizeof line, info))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':'))
            snprintf(model, sizeof model, "%s", strchr(line, ':') + 2);
    if (info)
        fclose(info);
    (void)getloadavg(&load, 1);
#ifndef __OPTIMIZE__
    fprintf(stderr, "lerpmesh-bench: built without optimisation: the numbers mean nothing\n");
#endif
    printf("lerpmesh %s, compiler %s, load average %.2f\n%s", lm_version(), __VERSION__, load,
           model);
}
