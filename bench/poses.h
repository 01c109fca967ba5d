/* Poses of one model, prepared for the library and for the plain loops. */
#ifndef BENCH_POSES_H
#define BENCH_POSES_H

#include "baseline.h"
#include "harness.h"
#include "sample/kernels.h"

#define BENCH_MAX_POSES 8

typedef struct bench_poses {
    const lm_model *model;
    uint32_t num_vertices; /* of all surfaces */
    lm_pose poses[BENCH_MAX_POSES];
    unsigned num_poses;
    size_t floats;        /* per vertex of the plain loop: 6, or 8 with two zeros */
    float *plain;         /* [num_vertices * floats] */
    float *ours;          /* [num_vertices * 8], for every layout */
    seed_frame *seed;     /* MD2: [num_frames], its vertices as drawn */
    engine_frame *engine; /* MDC: [num_surfaces * num_frames] */
} bench_poses;

/* The frames of an MDC's pairs. */
typedef enum bench_pair {
    BENCH_PAIR_COMPRESSED, /* both have a compressed frame */
    BENCH_PAIR_MIXED,      /* a has none, b has one */
    BENCH_PAIR_BASE        /* neither has */
} bench_pair;

/* Return false if the model has no such pair. Call bench_poses_free in either case. */
bool bench_poses_md2(const lm_model *model, unsigned num_poses, bench_poses *out);
bool bench_poses_mdc(const lm_model *model, bench_pair pair, bench_poses *out);
void bench_poses_free(bench_poses *poses);

/* The layout of lm_sample's output. */
typedef enum bench_layout {
    BENCH_STRIDE_24,
    BENCH_STRIDE_32, /* with zeros between, as in the plain loop for MDC */
    BENCH_PLANES,
    BENCH_GPU,     /* 16 bytes, normals packed */
    BENCH_DEFAULT, /* stride 0: two arrays of float3 */
    BENCH_NUM_LAYOUTS
} bench_layout;

typedef struct bench_run {
    const bench_poses *poses;
    bench_layout layout;
    const lm_sample_kernels *kernels; /* NULL: those that lm_sample chooses */
} bench_run;

/* Contenders; their context is a bench_poses and a bench_run. Each samples all poses of all
 * surfaces in sequence into the same memory. */
void bench_run_plain(void *context);
void bench_run_sample(void *context);
/* Checks that both write the same. */
bool bench_poses_agree(bench *b, const bench_run *run, const char *what);

#endif
