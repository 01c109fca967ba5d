#include "bounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    MOST_BOUNDS = 100
};

static struct {
    const char *what, *corpus;
    double most, reached;
} rows[MOST_BOUNDS];
static size_t num_rows;

void bound(const char *what, double most, double reached, const char *corpus) {
    if (num_rows == MOST_BOUNDS)
        return;
    rows[num_rows].what = what;
    rows[num_rows].corpus = corpus;
    rows[num_rows].most = most;
    rows[num_rows++].reached = reached;
}

void bounds_print(void) {
    printf("\n%-50s %8s %9s\n", "Bounds", "at most", "reached");
    for (size_t i = 0; i < num_rows; i++)
        printf("  %-48s %8.4g %9.4g  %-6s %s\n", rows[i].what, rows[i].most, rows[i].reached,
               rows[i].reached <= rows[i].most ? "" : "BROKEN", rows[i].corpus);
}

void ratios_put(ratios *r, double ours, double other) {
    if (!(other > 0) || r->count == MOST_MODELS)
        return;
    r->ours += ours;
    r->other += other;
    r->values[r->count++] = r->root ? sqrt(ours / other) : ours / other;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ratios_at(ratios *r, double share) {
    if (r->count == 0)
        return NAN;
    qsort(r->values, r->count, sizeof *r->values, by_size);
    const size_t at = (size_t)((double)r->count * share);
    return r->values[at < r->count ? at : r->count - 1];
}

double ratios_pooled(const ratios *r) {
    const double pooled = r->ours / r->other;
    return r->root ? sqrt(pooled) : pooled;
}

void ratios_print(ratios *r) {
    if (r->count == 0)
        return;
    printf("  %-48s %5zu  %6.3f %6.3f %6.3f  %6.3f\n", r->what, r->count, ratios_at(r, 0.5),
           ratios_at(r, 0.9), ratios_at(r, 1), ratios_pooled(r));
}

void ratios_heading(const char *title) {
    printf("\n%-50s models  median    p90   most  pooled\n", title);
}

double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
