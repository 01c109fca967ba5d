/* How the benchmark measures, judges and prints.
 *
 * Contenders of one comparison are timed in one process, in batches, turn by turn: each round runs
 * each once untimed and times one batch of it, and every round another one begins. So what disturbs
 * the machine disturbs all of them, and a ratio is taken round by round between batches that ran
 * next to each other. Every figure is a median, with the quartiles on both sides of it.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include "core/json.h"

/* A ratio whose quartiles lie further apart than this share of it says nothing, and is not
 * printed. */
#define BENCH_MAX_SPREAD 0.15
/* A growth exponent over four decades bears more: if all the time of one end is wrong by half, it
 * moves by 0.05. */
#define BENCH_MAX_GROWTH_SPREAD 0.5

typedef struct bench {
    unsigned rounds;
    double batch_ns; /* a batch lasts at least this long */
    bool failed;     /* something that was to be compared did not agree, or was not there */
    lm_buffer text;  /* the JSON */
    lm_json json;
} bench;

typedef struct bench_contender {
    const char *name;
    void (*run)(void *context); /* the whole of what is timed, once */
    void *context;
} bench_contender;

typedef enum bench_claim_kind {
    BENCH_FASTER, /* time of `other` / time of `ours`: at least `bound` */
    BENCH_COST,   /* time of `ours` / time of `other`: at most `bound` */
    BENCH_BELOW   /* time of `ours` in the comparison's unit: at most `bound`; `other` unused */
} bench_claim_kind;

/* A claim about two contenders, by their place in the list. Its bound is the figure that
 * docs/performance.md explains, less what machines and models vary: a bound that is broken is news.
 */
typedef struct bench_claim {
    bench_claim_kind kind;
    unsigned ours, other;
    double bound; /* 0: none, the number alone is of interest */
} bench_claim;

typedef struct bench_comparison {
    const char *section; /* "load", "sample": what --only takes */
    const char *subject; /* what is worked on */
    const char *unit;    /* "us a load", "ns a vertex" */
    double units;        /* nanoseconds of one run, divided by this, are in `unit` */
    bool wall;           /* time by the clock on the wall, for what runs outside of this thread;
                            else the thread's CPU time, kernel included, which leaves out when
                            others run */
    const bench_contender *contenders;
    unsigned num_contenders;
    const bench_claim *claims;
    unsigned num_claims;
} bench_comparison;

typedef struct bench_spread {
    double low, median, high; /* quartiles */
} bench_spread;

/* Times a comparison, prints it and appends it to the JSON. Leaves the times in the unit at
 * `times` [num_contenders], which may be NULL. */
void bench_compare(bench *b, const bench_comparison *comparison, bench_spread *times);

/* Says whether two arrays of floats agree to within `tolerance`, and marks the benchmark as failed
 * if they do not: what does not give the same result may not be compared. */
bool bench_agree(bench *b, const char *what, const float *x, const float *y, size_t count,
                 double tolerance);
/* The same for a condition. */
bool bench_require(bench *b, bool holds, const char *what);

/* Returns "held", "BROKEN", or "undecided" where the bound lies between the quartiles; "" without
 * one. */
const char *bench_verdict(bench_spread value, double bound, bool at_least);

/* How far the quartiles are apart, as a share of the median. */
double bench_share_of(bench_spread spread);

/* Sorts the samples and takes their quartiles. */
bench_spread bench_quartiles(double *samples, unsigned count);

/* Exits if there is no memory; the result is written to once, so that no page is touched for the
 * first time while the clock runs. */
void *bench_alloc(size_t size);

/* Makes the allocator keep what is freed, whatever was allocated before: otherwise glibc gives
 * large blocks back and fetches them again, page by page, or does not, as its history has it. */
void bench_keep_heap(void);
/* Gives back everything that is free now. False if this allocator cannot be told to. */
bool bench_give_back_heap(void);

/* Keeps the process on one CPU; -1 if that is not possible. */
int bench_pin(void);
/* Lets it use all of them again, as processes that it starts should. */
void bench_unpin(void);
/* Prints what the numbers depend on and appends it to the JSON. */
void bench_describe_machine(bench *b, int cpu);

#endif
