/* The real models to measure. */
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
    bench_file *files; /* by name; all contents differ */
    size_t count;
    size_t refused; /* damaged ones, left out */
} bench_corpus;

/* Adds a file, or every file below a folder with a format's extension; folders named "attack" are
 * left out. Missing files and files of unknown formats are ignored. */
void bench_corpus_add(bench_corpus *corpus, const char *path);
void bench_corpus_sort(bench_corpus *corpus);
void bench_corpus_free(bench_corpus *corpus);

#endif
