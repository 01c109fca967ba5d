/* Poses of one model, ready to be sampled by the library and by the plain loops. */
#ifndef BENCH_POSES_H
#define BENCH_POSES_H

#include "baseline.h"
#include "harness.h"
#include "lerpmesh/sample.h"

#define BENCH_MAX_POSES 8

typedef struct bench_poses {
    const lm_model *model;
    uint32_t num_vertices; /* of all surfaces */
    lm_pose poses[BENCH_MAX_POSES];
    unsigned num_poses;
    size_t floats;        /* a vertex: 6 (stride 24) or 8 (stride 32) */
    float *plain, *ours;  /* [num_vertices * floats] where the two sides write */
    seed_frame *seed;     /* MD2: [num_frames], its vertices as drawn */
    engine_frame *engine; /* MDC: [num_surfaces * num_frames] */
} bench_poses;

/* Which frames an MDC's pairs are taken from. */
typedef enum bench_pair {
    BENCH_PAIR_COMPRESSED, /* both have a compressed frame */
    BENCH_PAIR_MIXED,      /* a has none, b has one */
    BENCH_PAIR_BASE        /* neither has */
} bench_pair;

/* False if the model has no such pair. Frees with bench_poses_free either way. */
bool bench_poses_md2(const lm_model *model, unsigned num_poses, bench_poses *out);
bool bench_poses_mdc(const lm_model *model, bench_pair pair, bench_poses *out);
void bench_poses_free(bench_poses *poses);

/* Contenders, whose context is a bench_poses: each samples all poses of all surfaces, one after the
 * other into the same memory. */
void bench_run_plain(void *context);
void bench_run_sample(void *context);
/* Whether both write the same. */
bool bench_poses_agree(bench *b, bench_poses *poses, const char *what);

#endif
