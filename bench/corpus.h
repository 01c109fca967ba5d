/* The real models that are measured. */
#ifndef BENCH_CORPUS_H
#define BENCH_CORPUS_H

#include "lerpmesh/model.h"

typedef struct bench_file {
    char *path;
    const char *name; /* the last part of the path */
    uint8_t *data;
    size_t size;
    lm_model *model;
} bench_file;

typedef struct bench_corpus {
    bench_file *files; /* by name; no two with the same content */
    size_t count;
    size_t refused; /* damaged ones, which are left out */
} bench_corpus;

/* Adds a file, or every file below a folder whose name ends in a format's; folders named "attack"
 * are left out. What is not there, or begins like no format, adds nothing. */
void bench_corpus_add(bench_corpus *corpus, const char *path);
void bench_corpus_sort(bench_corpus *corpus);
void bench_corpus_free(bench_corpus *corpus);

#endif
