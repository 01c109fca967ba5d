/* Measures the growth of time: the time per element with n, 2n and 4n elements. It grows linearly
 * if the larger ones are as fast as the first. */
#include "harness.h"
#include "lerpmesh/load.h"
#include "lerpmesh/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIZES = 3,
    FEW_ROUNDS = 15, /* of work that takes milliseconds */
    VERTICES = 342   /* of an instance */
};

typedef struct subject {
    lm_buffer file;
    lm_model *model;
    float *out; /* 32 bytes for each vertex of each pose */
    lm_pose *poses;
    size_t num_poses;
    char name[64];
} subject;

static void make(subject *s, uint32_t vertices, uint32_t frames, size_t num_poses) {
    *s = (subject){.file = bench_make_file("md2", vertices, frames), .num_poses = num_poses};
    s->model = lm_load_memory(s->file.data, s->file.size, NULL, NULL);
    if (!s->model || s->model->surfaces->num_vertices != vertices) {
        fprintf(stderr, "lerpmesh-bench: the made MD2 has other vertices\n");
        exit(1);
    }
    s->out = aligned_alloc(64, ((size_t)32 * vertices * num_poses + 63) / 64 * 64);
    s->poses = bench_alloc(num_poses * sizeof *s->poses);
    if (!s->out)
        exit(1);
    memset(s->out, 1, (size_t)32 * vertices * num_poses);
    /* Neighbours are at different places of the animation. */
    for (size_t i = 0; i < num_poses; i++) {
        const uint32_t frame = (uint32_t)(i * 7919 % (frames - 1));
        s->poses[i] = (lm_pose){frame, frame + 1, 0.05f + 0.1f * (float)(i % 10), false};
    }
}

static void unmake(subject *s) {
    lm_model_free(s->model);
    lm_buffer_free(&s->file);
    free(s->poses);
    free(s->out);
}

static void run_load(void *context) {
    const subject *s = context;
    lm_model_free(lm_load_memory(s->file.data, s->file.size, NULL, NULL));
}

static void sample(const subject *s, size_t first, size_t count) {
    float *out = s->out + first * s->model->surfaces->num_vertices * 8;
    lm_sample(s->model, 0, s->poses + first, (uint32_t)count,
              &(lm_sample_target){
                  .positions = out, .normals = out + 3, .stride = 32, .zero_padding = true});
}

static void run_sample(void *context) {
    const subject *s = context;
    sample(s, 0, s->num_poses);
}

/* No call is large enough for the library to write past the caches. */
static void run_one_by_one(void *context) {
    const subject *s = context;
    for (size_t i = 0; i < s->num_poses; i++)
        sample(s, i, 1);
}

static void run_memset(void *context) {
    const subject *s = context;
    memset(s->out, 1, (size_t)32 * s->model->surfaces->num_vertices * s->num_poses);
    __asm__ volatile("" : : "r"(s->out) : "memory"); /* the compiler must not leave it out */
}

typedef enum growth_of {
    OF_VERTICES,
    OF_FRAMES,
    OF_INSTANCES
} growth_of;

static void grow(const char *what, const char *unit, growth_of kind, uint32_t least,
                 void (*run)(void *)) {
    subject subjects[SIZES];
    bench_contender contenders[SIZES];
    for (uint32_t i = 0; i < SIZES; i++) {
        const uint32_t size = least << i;
        make(&subjects[i],
             kind == OF_VERTICES ? size
             : kind == OF_FRAMES ? 64
                                 : VERTICES,
             kind == OF_VERTICES ? 2
             : kind == OF_FRAMES ? size
                                 : 198,
             kind == OF_INSTANCES ? size : 1);
        snprintf(subjects[i].name, sizeof subjects[i].name, "%u", (unsigned)size);
        contenders[i] = (bench_contender){subjects[i].name, run, &subjects[i], size};
    }
    bench_compare(what, unit, CLOCK_THREAD_CPUTIME_ID, contenders, SIZES);
    for (int i = 0; i < SIZES; i++)
        unmake(&subjects[i]);
}

void bench_growth(const bench_corpus *corpus) {
    (void)corpus;
    const unsigned rounds = bench_rounds;
    subject s;
    bench_rounds = rounds < FEW_ROUNDS ? rounds : FEW_ROUNDS;
    grow("growth: loading, by vertices", "ns a vertex", OF_VERTICES, 5000, run_load);
    grow("growth: loading, by frames of 64 vertices", "ns a frame", OF_FRAMES, 500, run_load);
    grow("growth: sampling, by vertices", "ns a vertex", OF_VERTICES, 5000, run_sample);
    grow("growth: sampling, by instances", "ns an instance", OF_INSTANCES, 1000, run_sample);
    make(&s, VERTICES, 198, 10000);
    const double units = (double)s.num_poses * VERTICES;
    const bench_contender contenders[] = {
        {"memset of the same bytes", run_memset, &s, units},
        {"lm_sample, one call for all", run_sample, &s, units},
        {"lm_sample, one call an instance", run_one_by_one, &s, units}};
    bench_compare("10,000 instances of 342 vertices, stride 32", "ns a vertex",
                  CLOCK_THREAD_CPUTIME_ID, contenders, 3);
    unmake(&s);
    bench_rounds = rounds;
}
