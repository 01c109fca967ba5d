/* Bounds and the figures that were reached: a row each, printed at the end. */
#ifndef BENCH_WRITE_BOUNDS_H
#define BENCH_WRITE_BOUNDS_H

#include <stddef.h>

/* Records a figure that is at most `most`. `corpus`: the models that it was measured with. */
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
    double ours, other; /* sums, for the ratio of all together */
    int root;           /* they are squares */
} ratios;

void ratios_put(ratios *r, double ours, double other);
/* Sorts; `share` 0.5 is the median. */
double ratios_at(ratios *r, double share);
double ratios_pooled(const ratios *r);
/* A line of a table: how many, median, p90, most, pooled. Nothing if there are none. */
void ratios_print(ratios *r);
void ratios_heading(const char *title);

/* CPU time of this thread. */
double now_ms(void);

#endif
