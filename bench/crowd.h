/* Many poses of one model into one large buffer. */
#ifndef BENCH_CROWD_H
#define BENCH_CROWD_H

#include "harness.h"
#include "lerpmesh/sample.h"

#define BENCH_CROWD_INSTANCES 100000u
#define BENCH_CROWD_VERTICES 342u
/* Bytes of an instance: 32 a vertex. */
#define BENCH_CROWD_STRIDE ((size_t)BENCH_CROWD_VERTICES * 32)

typedef struct bench_crowd {
    lm_buffer file;
    lm_model *model;
    lm_pose *poses; /* [count] */
    size_t count;   /* instances to sample, at most what there is room for */
    float *out;     /* room for BENCH_CROWD_INSTANCES, touched */
} bench_crowd;

/* False where the machine has too little memory free, which is said, or nothing agrees. */
bool bench_crowd_make(bench *b, bench_crowd *crowd);
void bench_crowd_free(bench_crowd *crowd);
/* A contender: samples `count` instances. */
void bench_run_crowd(void *context);

#endif
