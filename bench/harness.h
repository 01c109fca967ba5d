/* Measures and prints comparisons.
 *
 * Contenders of one comparison are timed in one process, in batches, in turn. Each round runs each
 * contender once untimed and times one batch of it; every round starts with another one. So
 * disturbances of the machine affect all of them, and ratios are taken per round between batches
 * that ran next to each other. Every figure is a median with its quartiles. */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include "lerpmesh/mesh.h"

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
/* Pins the process to one CPU. */
void bench_pin(void);
/* Prints the conditions of the numbers: the processor, the compiler, the load. */
void bench_describe_machine(void);
/* Returns the CPU time of this thread in milliseconds. */
double bench_now_ms(void);

/* ---- Models: real ones, and a synthetic one of any size -------------------------------------- */

typedef struct bench_file {
    char *path;
    const char *name; /* the last part of the path */
    uint8_t *data;
    size_t size;
    lm_model *model;
} bench_file;

typedef struct bench_corpus {
    bench_file *files; /* by name; all contents differ */
    size_t count;
} bench_corpus;

/* Adds the bytes of a model. Ignores unknown formats, damaged models, and contents that are there
 * already. Returns whether it was added. */
bool bench_corpus_add(bench_corpus *corpus, const char *path, const void *data, size_t size);
/* Adds a file, or every file below a folder with a format's extension; folders named "attack" are
 * left out. */
void bench_corpus_add_path(bench_corpus *corpus, const char *path);
/* Adds the models of $LERPMESH_CORPUS, of $ASSIMP_MODELS or /usr/share/assimp/models, and samples.
 */
void bench_corpus_add_defaults(bench_corpus *corpus);
void bench_corpus_sort(bench_corpus *corpus);
void bench_corpus_free(bench_corpus *corpus);

/* Makes a tube that sways and turns, with two triangles per vertex and no seams. Free it with
 * lm_mesh_free. */
lm_mesh *bench_make_mesh(uint32_t vertices, uint32_t frames);
/* Encodes such a mesh. Exits on failure. */
lm_buffer bench_make_file(const char *format, uint32_t vertices, uint32_t frames);

/* The parts of the benchmark. */
typedef void bench_section(const bench_corpus *corpus);
bench_section bench_load, bench_sample, bench_growth;

#endif
