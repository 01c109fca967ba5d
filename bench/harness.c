#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Each contender runs at least this long before it is timed, so that caches, branch predictors, the
 * allocator and the CPU's clock settle. */
#define WARM_UP_NS 5e6

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

void *bench_alloc(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (!memory) {
        fprintf(stderr, "lerpmesh-bench: out of memory\n");
        exit(1);
    }
    return memset(memory, 1, size);
}

static double time_batch(const bench_contender *contender, unsigned long calls, clockid_t clock) {
    double start = now(clock);
    for (unsigned long i = 0; i < calls; i++)
        contender->run(contender->context);
    return (now(clock) - start) / (double)calls;
}

/* Warms a contender up and returns the number of calls per batch. */
static unsigned long calibrate(const bench *b, const bench_contender *contender, clockid_t clock) {
    double start = now(clock), best = INFINITY;
    do {
        double once = time_batch(contender, 1, clock);
        best = once < best ? once : best;
    } while (now(clock) - start < WARM_UP_NS);
    return (unsigned long)ceil(b->batch_ns / (best > 1 ? best : 1));
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, unsigned count, double share) {
    double at = share * (count - 1);
    unsigned below = (unsigned)at;
    unsigned above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

bench_spread bench_quartiles(double *samples, unsigned count) {
    qsort(samples, count, sizeof *samples, compare_doubles);
    return (bench_spread){quantile(samples, count, 0.25), quantile(samples, count, 0.5),
                          quantile(samples, count, 0.75)};
}

double bench_share_of(bench_spread spread) {
    return (spread.high - spread.low) / spread.median;
}

/* samples[c * rounds + r]: contender c in round r, in the comparison's unit. */
static void measure(const bench *b, const bench_comparison *comparison, double *samples) {
    const unsigned count = comparison->num_contenders;
    const clockid_t clock = comparison->wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    unsigned long *calls = bench_alloc(count * sizeof *calls);
    for (unsigned c = 0; c < count; c++)
        calls[c] = calibrate(b, &comparison->contenders[c], clock);
    for (unsigned r = 0; r < b->rounds; r++)
        for (unsigned i = 0; i < count; i++) {
            unsigned c = (i + r) % count;
            const bench_contender *contender = &comparison->contenders[c];
            contender->run(contender->context); /* clears the effects of the one before */
            samples[c * b->rounds + r] = time_batch(contender, calls[c], clock) / comparison->units;
        }
    free(calls);
}

static bench_spread claimed(const bench *b, const bench_claim *claim, const double *samples) {
    double *values = bench_alloc(b->rounds * sizeof *values);
    const double *ours = samples + (size_t)claim->ours * b->rounds;
    const double *other = samples + (size_t)claim->other * b->rounds;
    for (unsigned r = 0; r < b->rounds; r++)
        values[r] = claim->kind == BENCH_FASTER ? other[r] / ours[r]
                    : claim->kind == BENCH_COST ? ours[r] / other[r]
                                                : ours[r];
    bench_spread spread = bench_quartiles(values, b->rounds);
    free(values);
    return spread;
}

const char *bench_verdict(bench_spread value, double bound, bool at_least) {
    if (bound <= 0)
        return "";
    if (at_least ? value.low >= bound : value.high <= bound)
        return "held";
    return (at_least ? value.high < bound : value.low > bound) ? "BROKEN" : "undecided";
}

static void print_claim(const bench_comparison *comparison, const bench_claim *claim,
                        bench_spread value, bool meaningless) {
    const char *ours = comparison->contenders[claim->ours].name;
    const char *other = comparison->contenders[claim->other].name;
    char number[32] = "no ratio", range[48];
    if (!meaningless)
        snprintf(number, sizeof number, "%.2f%s", value.median,
                 claim->kind == BENCH_BELOW ? "" : " x");
    snprintf(range, sizeof range, "(%.2f..%.2f)", value.low, value.high);
    printf("  > %8s %-15s", number, range);
    if (claim->kind == BENCH_BELOW)
        printf(" %s, %s", comparison->unit, ours);
    else
        printf(" %s %s: %s", claim->kind == BENCH_FASTER ? "as fast as" : "the time of", other,
               ours);
    if (claim->bound > 0)
        printf("; bound %s %.2f%s%s", claim->kind == BENCH_FASTER ? ">=" : "<=", claim->bound,
               meaningless ? "" : ": ",
               meaningless ? "" : bench_verdict(value, claim->bound, claim->kind == BENCH_FASTER));
    putchar('\n');
}

static void write_spread(lm_json *json, bench_spread spread) {
    lm_json_double(json, "low", spread.low);
    lm_json_double(json, "median", spread.median);
    lm_json_double(json, "high", spread.high);
}

static void write_claim(lm_json *json, const bench_comparison *comparison, const bench_claim *claim,
                        bench_spread value, bool meaningless) {
    static const char *const kinds[] = {"times-as-fast", "times-the-time", "time"};
    lm_json_open(json, NULL, '{');
    lm_json_string(json, "kind", kinds[claim->kind]);
    lm_json_string(json, "ours", comparison->contenders[claim->ours].name);
    if (claim->kind != BENCH_BELOW)
        lm_json_string(json, "other", comparison->contenders[claim->other].name);
    lm_json_bool(json, "meaningless", meaningless);
    if (!meaningless)
        write_spread(json, value);
    if (claim->bound > 0) {
        lm_json_double(json, "bound", claim->bound);
        if (!meaningless)
            lm_json_string(json, "verdict",
                           bench_verdict(value, claim->bound, claim->kind == BENCH_FASTER));
    }
    lm_json_close(json);
}

static void report_claims(bench *b, const bench_comparison *comparison, const double *samples) {
    lm_json_open(&b->json, "claims", '[');
    for (unsigned i = 0; i < comparison->num_claims; i++) {
        const bench_claim *claim = &comparison->claims[i];
        bench_spread value = claimed(b, claim, samples);
        bool meaningless = claim->kind != BENCH_BELOW && bench_share_of(value) > BENCH_MAX_SPREAD;
        print_claim(comparison, claim, value, meaningless);
        write_claim(&b->json, comparison, claim, value, meaningless);
    }
    lm_json_close(&b->json);
}

static void report_time(bench *b, const bench_contender *contender, bench_spread time) {
    printf("  %-52s %11.2f %7.0f %%\n", contender->name, time.median, 100 * bench_share_of(time));
    lm_json_open(&b->json, NULL, '{');
    lm_json_string(&b->json, "name", contender->name);
    write_spread(&b->json, time);
    lm_json_close(&b->json);
}

void bench_compare(bench *b, const bench_comparison *comparison, bench_spread *times) {
    const unsigned count = comparison->num_contenders;
    double *samples = bench_alloc((size_t)count * b->rounds * sizeof *samples);
    double *sorted = bench_alloc(b->rounds * sizeof *sorted);
    measure(b, comparison, samples);
    printf("\n%-54s %11s %9s\n", comparison->subject, comparison->unit, "spread");
    lm_json_open(&b->json, NULL, '{');
    lm_json_string(&b->json, "section", comparison->section);
    lm_json_string(&b->json, "subject", comparison->subject);
    lm_json_string(&b->json, "unit", comparison->unit);
    lm_json_string(&b->json, "clock", comparison->wall ? "wall" : "cpu");
    lm_json_open(&b->json, "times", '[');
    for (unsigned c = 0; c < count; c++) {
        memcpy(sorted, samples + (size_t)c * b->rounds, b->rounds * sizeof *sorted);
        bench_spread time = bench_quartiles(sorted, b->rounds);
        report_time(b, &comparison->contenders[c], time);
        if (times)
            times[c] = time;
    }
    lm_json_close(&b->json);
    report_claims(b, comparison, samples);
    lm_json_close(&b->json);
    fflush(stdout);
    free(samples);
    free(sorted);
}

bool bench_require(bench *b, bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "lerpmesh-bench: %s: the results differ; nothing is compared\n", what);
        b->failed = true;
    }
    return holds;
}

bool bench_agree(bench *b, const char *what, const float *x, const float *y, size_t count,
                 double tolerance) {
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        double difference = fabs((double)x[i] - (double)y[i]);
        /* The second condition catches NaN. */
        if (difference > worst || difference != difference)
            worst = difference == difference ? difference : INFINITY;
    }
    if (worst <= tolerance)
        return true;
    fprintf(stderr, "lerpmesh-bench: %s: largest difference %g, allowed %g\n", what, worst,
            tolerance);
    return bench_require(b, false, what);
}
