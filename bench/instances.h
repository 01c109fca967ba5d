/* Many poses of one model into one large buffer. */
#ifndef BENCH_INSTANCES_H
#define BENCH_INSTANCES_H

#include "harness.h"
#include "lerpmesh/sample.h"

#define BENCH_NUM_INSTANCES 100000u
#define BENCH_INSTANCE_VERTICES 342u
/* Bytes per instance: 32 per vertex. */
#define BENCH_INSTANCE_STRIDE ((size_t)BENCH_INSTANCE_VERTICES * 32)

typedef struct bench_instances {
    lm_buffer file;
    lm_model *model;
    lm_pose *poses; /* [count] */
    size_t count;   /* instances to sample, at most the capacity */
    float *out;     /* memory for BENCH_NUM_INSTANCES, already touched */
} bench_instances;

/* Returns false if the machine has too little free memory, which it prints, or if results
 * differ. */
bool bench_instances_make(bench *b, bench_instances *instances);
void bench_instances_free(bench_instances *instances);
/* A contender: samples `count` instances. */
void bench_run_instances(void *context);

#endif
