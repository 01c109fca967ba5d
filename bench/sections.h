/* The parts of the benchmark. */
#ifndef BENCH_SECTIONS_H
#define BENCH_SECTIONS_H

#include "corpus.h"
#include "harness.h"
#include "lerpmesh/load.h"

/* Loading and checking against the plain reader, read() and memcpy. */
void bench_load(bench *b, const bench_corpus *corpus);
/* Loading and animating against Assimp, Irrlicht and three.js, as far as they are there. */
void bench_peers(bench *b, const bench_corpus *corpus);
/* What a load allocates, as a multiple of the file. */
void bench_memory(bench *b, const bench_corpus *corpus);
/* The command as a whole process; `tool` is its path. */
void bench_process(bench *b, const bench_corpus *corpus, const char *tool);
/* lm_sample against the plain loops. */
void bench_sample(bench *b, const bench_corpus *corpus);
/* Many instances in one call, and in two threads. */
void bench_crowds(bench *b);
/* How time grows with the size of a model. */
void bench_growth(bench *b);

#endif
