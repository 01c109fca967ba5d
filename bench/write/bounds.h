/* Bounds and measured figures: one row each, printed at the end. */
#ifndef BENCH_WRITE_BOUNDS_H
#define BENCH_WRITE_BOUNDS_H

#include <stddef.h>

/* Records a figure and its maximum `most`. `corpus`: the models measured. */
void bound(const char *what, double most, double reached, const char *corpus);
/* Prints all of them. */
void bounds_print(void);

/* Ratios over many models. */
enum {
    MOST_MODELS = 2000
};
typedef struct ratios {
    const char *what;
    double values[MOST_MODELS];
    size_t count;
    double ours, other; /* sums, for the pooled ratio */
    int root;           /* squared values */
} ratios;

void ratios_put(ratios *r, double ours, double other);
/* Sorts the ratios and returns a quantile; `share` 0.5 is the median. */
double ratios_at(ratios *r, double share);
double ratios_pooled(const ratios *r);
/* Prints a line of a table: count, median, p90, maximum, pooled. Prints nothing if there are
 * none. */
void ratios_print(ratios *r);
void ratios_heading(const char *title);

/* Returns the CPU time of this thread. */
double now_ms(void);

#endif
