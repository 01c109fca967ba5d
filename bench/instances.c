/* Instances: 100,000 in one call, compared with filling the same memory, and two threads compared
 * with one. */
#include "instances.h"

#include "models.h"
#include "sections.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define INSTANCES_SIZE (BENCH_NUM_INSTANCES * BENCH_INSTANCE_STRIDE)
#define INSTANCE_FRAMES 198u
/* A run takes tenths of a second. */
#define INSTANCE_ROUNDS 9u

/* Returns the kernel's estimate of the memory available without swapping, in bytes; 0: unknown. */
static unsigned long long memory_available(void) {
    char line[256];
    unsigned long long kilobytes = 0;
    FILE *info = fopen("/proc/meminfo", "r");
    while (info && fgets(line, sizeof line, info))
        if (strncmp(line, "MemAvailable:", 13) == 0)
            kilobytes = strtoull(line + 13, NULL, 10);
    if (info)
        fclose(info);
    return kilobytes << 10;
}

static bool make_model(bench *b, bench_instances *instances) {
    bench_make_md2(BENCH_INSTANCE_VERTICES, INSTANCE_FRAMES, &instances->file);
    instances->model = lm_load_memory(instances->file.data, instances->file.size, NULL, NULL);
    const bool right =
        instances->model && instances->model->surfaces->num_vertices == BENCH_INSTANCE_VERTICES;
    return bench_require(b, right, "a made MD2");
}

bool bench_instances_make(bench *b, bench_instances *instances) {
    *instances = (bench_instances){.count = BENCH_NUM_INSTANCES};
    const unsigned long long available = memory_available();
    /* Requires twice the size, so that nothing else is swapped out. */
    if (available < 2 * INSTANCES_SIZE || !(instances->out = aligned_alloc(64, INSTANCES_SIZE))) {
        printf("\ncrowd: left out, because %.1f GB are to be free and %.1f are\n",
               2e-9 * (double)INSTANCES_SIZE, 1e-9 * (double)available);
        return false;
    }
    memset(instances->out, 1, INSTANCES_SIZE);
    instances->poses = bench_alloc(BENCH_NUM_INSTANCES * sizeof *instances->poses);
    for (uint32_t i = 0; i < BENCH_NUM_INSTANCES; i++) {
        /* Neighbours are at different positions in the animation. */
        const uint32_t frame = (uint32_t)(i * (uint64_t)7919 % (INSTANCE_FRAMES - 1));
        instances->poses[i] = (lm_pose){frame, frame + 1, 0.05f + 0.1f * (float)(i % 10)};
    }
    return make_model(b, instances);
}

void bench_instances_free(bench_instances *instances) {
    lm_model_free(instances->model);
    lm_buffer_free(&instances->file);
    free(instances->poses);
    free(instances->out);
    *instances = (bench_instances){0};
}

static void sample_part(const bench_instances *instances, size_t first, size_t count) {
    float *out = instances->out + first * (BENCH_INSTANCE_STRIDE / sizeof *out);
    lm_sample(instances->model, 0, instances->poses + first, count,
              &(lm_sample_target){
                  .positions = out, .normals = out + 3, .stride = 32, .zero_padding = true});
}

void bench_run_instances(void *context) {
    const bench_instances *instances = context;
    sample_part(instances, 0, instances->count);
}

/* No call is large enough for the library to write past the caches. */
static void run_one_by_one(void *context) {
    const bench_instances *instances = context;
    for (size_t i = 0; i < instances->count; i++)
        sample_part(instances, i, 1);
}

static void run_fill(void *context) {
    const bench_instances *instances = context;
    const size_t size = instances->count * BENCH_INSTANCE_STRIDE;
#ifdef __SSE2__
    const __m128 value = _mm_set1_ps(1);
    for (float *at = instances->out, *end = at + size / sizeof *at; at < end; at += 16) {
        _mm_stream_ps(at, value);
        _mm_stream_ps(at + 4, value);
        _mm_stream_ps(at + 8, value);
        _mm_stream_ps(at + 12, value);
    }
    _mm_sfence();
#else
    memset(instances->out, 1, size);
#endif
    __asm__ volatile("" : : "r"(instances->out) : "memory");
}

static void run_memset(void *context) {
    const bench_instances *instances = context;
    memset(instances->out, 1, instances->count * BENCH_INSTANCE_STRIDE);
    __asm__ volatile("" : : "r"(instances->out) : "memory");
}

static void *sample_second_half(void *context) {
    const bench_instances *instances = context;
    sample_part(instances, instances->count / 2, instances->count - instances->count / 2);
    return NULL;
}

static void run_two_threads(void *context) {
    const bench_instances *instances = context;
    pthread_t thread;
    if (pthread_create(&thread, NULL, sample_second_half, context) != 0) {
        fprintf(stderr, "lerpmesh-bench: no thread can be started\n");
        exit(1);
    }
    sample_part(instances, 0, instances->count / 2);
    pthread_join(thread, NULL);
}

/* Checks that all ways to fill the buffer give the same in a sample of the instances. */
static bool check_instances(bench *b, bench_instances *instances) {
    const size_t floats = BENCH_INSTANCE_STRIDE / sizeof *instances->out;
    float *alone = bench_alloc(3 * BENCH_INSTANCE_STRIDE);
    const size_t places[3] = {0, instances->count / 2 + 1, instances->count - 1};
    bool same = true;
    run_one_by_one(instances);
    for (size_t i = 0; i < 3; i++)
        memcpy(alone + i * floats, instances->out + places[i] * floats, BENCH_INSTANCE_STRIDE);
    for (int way = 0; way < 2; way++) {
        run_fill(instances);
        if (way == 0)
            bench_run_instances(instances);
        else
            run_two_threads(instances);
        for (size_t i = 0; i < 3 && same; i++)
            same = bench_agree(b, "crowd", alone + i * floats, instances->out + places[i] * floats,
                               floats, 0);
    }
    free(alone);
    return same;
}

static void compare_fill(bench *b, bench_instances *instances) {
    const bench_contender contenders[] = {
        {"non-temporal fill of the same bytes", run_fill, instances},
        {"memset of the same bytes", run_memset, instances},
        {"lm_sample, one call for all", bench_run_instances, instances},
        {"lm_sample, one call an instance", run_one_by_one, instances}};
    const bench_claim claims[] = {
        {BENCH_COST, 2, 0, 1.6}, {BENCH_FASTER, 2, 3, 0}, {BENCH_FASTER, 2, 1, 0}};
    bench_compare(b,
                  &(bench_comparison){.section = "crowd",
                                      .subject = "crowd of 100000, 342 vertices, stride 32, 1.1 GB",
                                      .unit = "ns a vertex",
                                      .units = (double)instances->count * BENCH_INSTANCE_VERTICES,
                                      .contenders = contenders,
                                      .num_contenders = 4,
                                      .claims = claims,
                                      .num_claims = 3},
                  NULL);
}

/* Uses wall-clock time, which other processes affect. */
static void compare_threads(bench *b, bench_instances *instances) {
    const bench_contender contenders[] = {{"one thread", bench_run_instances, instances},
                                          {"two threads, a half each", run_two_threads, instances}};
    const bench_claim claims[] = {{BENCH_FASTER, 1, 0, 1.75}};
    bench_unpin();
    bench_compare(b,
                  &(bench_comparison){.section = "crowd",
                                      .subject = "crowd of 100000, threads (wall time)",
                                      .unit = "ns a vertex",
                                      .units = (double)instances->count * BENCH_INSTANCE_VERTICES,
                                      .wall = true,
                                      .contenders = contenders,
                                      .num_contenders = 2,
                                      .claims = claims,
                                      .num_claims = 1},
                  NULL);
    bench_pin();
}

void bench_all_instances(bench *b) {
    bench_instances instances;
    const unsigned rounds = b->rounds;
    b->rounds = rounds < INSTANCE_ROUNDS ? rounds : INSTANCE_ROUNDS;
    if (bench_instances_make(b, &instances) && check_instances(b, &instances)) {
        compare_fill(b, &instances);
        compare_threads(b, &instances);
    }
    bench_instances_free(&instances);
    b->rounds = rounds;
}
