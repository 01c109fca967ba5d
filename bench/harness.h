/* Measures, judges and prints comparisons.
 *
 * Contenders of one comparison are timed in one process, in batches, in turn. Each round runs each
 * contender once untimed and times one batch of it; every round starts with another one. So
 * disturbances of the machine affect all of them, and ratios are taken per round between batches
 * that ran next to each other. Every figure is a median with its quartiles. */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include "core/json.h"

/* A ratio whose quartiles differ by more than this fraction of it is meaningless and is not
 * printed. */
#define BENCH_MAX_SPREAD 0.15
/* A growth exponent over four decades tolerates more: if the time at one end is wrong by half, it
 * changes by 0.05. */
#define BENCH_MAX_GROWTH_SPREAD 0.5

typedef struct bench {
    unsigned rounds;
    double batch_ns; /* minimum duration of a batch */
    bool failed;     /* contenders disagreed or were missing */
    lm_buffer text;  /* the JSON */
    lm_json json;
} bench;

typedef struct bench_contender {
    const char *name;
    void (*run)(void *context); /* runs the timed work once */
    void *context;
} bench_contender;

typedef enum bench_claim_kind {
    BENCH_FASTER, /* time of `other` / time of `ours`: at least `bound` */
    BENCH_COST,   /* time of `ours` / time of `other`: at most `bound` */
    BENCH_BELOW   /* time of `ours` in the comparison's unit: at most `bound`; `other` unused */
} bench_claim_kind;

/* A claim about two contenders, by their index in the list. Its bound is the figure explained in
 * docs/internals/performance.md, less the variation between machines and models: a broken bound is
 * worth investigating. */
typedef struct bench_claim {
    bench_claim_kind kind;
    unsigned ours, other;
    double bound; /* 0: none, only the number is of interest */
} bench_claim;

typedef struct bench_comparison {
    const char *section; /* "load", "sample": as in --only */
    const char *subject; /* the model or set of models */
    const char *unit;    /* "us a load", "ns a vertex" */
    double units;        /* nanoseconds of one run, divided by this, are in `unit` */
    bool wall;           /* wall-clock time, for work outside of this thread; otherwise the thread's
                          * CPU time, kernel included, which excludes other processes */
    const bench_contender *contenders;
    unsigned num_contenders;
    const bench_claim *claims;
    unsigned num_claims;
} bench_comparison;

typedef struct bench_spread {
    double low, median, high; /* quartiles */
} bench_spread;

/* Times a comparison, prints it and appends it to the JSON. Stores the times in the unit at `times`
 * [num_contenders], which may be NULL. */
void bench_compare(bench *b, const bench_comparison *comparison, bench_spread *times);

/* Compares two arrays of floats. Unless they agree to within `tolerance`, prints that and marks the
 * benchmark as failed: only contenders with the same result may be compared. */
bool bench_agree(bench *b, const char *what, const float *x, const float *y, size_t count,
                 double tolerance);
/* Does the same for a condition. */
bool bench_require(bench *b, bool holds, const char *what);

/* Returns "held", "BROKEN", or "undecided" if the bound lies between the quartiles; "" without a
 * bound. */
const char *bench_verdict(bench_spread value, double bound, bool at_least);

/* Returns the distance of the quartiles, as a fraction of the median. */
double bench_share_of(bench_spread spread);

/* Sorts the samples and returns their quartiles. */
bench_spread bench_quartiles(double *samples, unsigned count);

/* Exits if there is no memory. The memory is written once, so that no page is first touched during
 * a measurement. */
void *bench_alloc(size_t size);

/* Makes the allocator keep freed memory, whatever was allocated before. Otherwise, depending on its
 * history, glibc returns large blocks to the system and fetches them again page by page. */
void bench_keep_heap(void);
/* Returns all free memory to the system. Returns false if the allocator does not support it. */
bool bench_give_back_heap(void);

/* Pins the process to one CPU. Returns -1 if that is not possible. */
int bench_pin(void);
/* Allows all CPUs again, for processes that it starts. */
void bench_unpin(void);
/* Prints the machine's properties that affect the numbers and appends them to the JSON. */
void bench_describe_machine(bench *b, int cpu);

#endif
