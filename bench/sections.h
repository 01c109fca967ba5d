/* The parts of the benchmark. */
#ifndef BENCH_SECTIONS_H
#define BENCH_SECTIONS_H

#include "corpus.h"
#include "harness.h"
#include "lerpmesh/load.h"

/* Compares loading and checking with the plain reader, read() and memcpy. */
void bench_load(bench *b, const bench_corpus *corpus);
/* Compares loading and animating with Assimp, Irrlicht and three.js, as far as installed. */
void bench_peers(bench *b, const bench_corpus *corpus);
/* Reports the allocations of a load, as a multiple of the file's size. */
void bench_memory(bench *b, const bench_corpus *corpus);
/* Measures the command as a whole process; `tool` is its path. */
void bench_process(bench *b, const bench_corpus *corpus, const char *tool);
/* Compares lm_sample with the plain loops. */
void bench_sample(bench *b, const bench_corpus *corpus);
/* Measures many instances in one call, and in two threads. */
void bench_all_instances(bench *b);
/* Measures the growth of time with a model's size. */
void bench_growth(bench *b);

#endif
