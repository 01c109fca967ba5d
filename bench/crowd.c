/* Instances: 100,000 in one call, compared with filling the same memory, and two threads compared
 * with one. */
#include "crowd.h"

#include "models.h"
#include "sections.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CROWD_SIZE (BENCH_CROWD_INSTANCES * BENCH_CROWD_STRIDE)
#define CROWD_FRAMES 198u
/* A run takes tenths of a second. */
#define CROWD_ROUNDS 9u

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

static bool make_model(bench *b, bench_crowd *crowd) {
    bench_make_md2(BENCH_CROWD_VERTICES, CROWD_FRAMES, &crowd->file);
    crowd->model = lm_load_memory(crowd->file.data, crowd->file.size, NULL, NULL);
    const bool right = crowd->model && crowd->model->surfaces->num_vertices == BENCH_CROWD_VERTICES;
    return bench_require(b, right, "a made MD2");
}

bool bench_crowd_make(bench *b, bench_crowd *crowd) {
    *crowd = (bench_crowd){.count = BENCH_CROWD_INSTANCES};
    const unsigned long long available = memory_available();
    /* Requires twice the size, so that nothing else is swapped out. */
    if (available < 2 * CROWD_SIZE || !(crowd->out = aligned_alloc(64, CROWD_SIZE))) {
        printf("\ncrowd: left out, because %.1f GB are to be free and %.1f are\n",
               2e-9 * (double)CROWD_SIZE, 1e-9 * (double)available);
        return false;
    }
    memset(crowd->out, 1, CROWD_SIZE);
    crowd->poses = bench_alloc(BENCH_CROWD_INSTANCES * sizeof *crowd->poses);
    for (uint32_t i = 0; i < BENCH_CROWD_INSTANCES; i++) {
        /* Neighbours are at different positions in the animation. */
        const uint32_t frame = (uint32_t)(i * (uint64_t)7919 % (CROWD_FRAMES - 1));
        crowd->poses[i] = (lm_pose){frame, frame + 1, 0.05f + 0.1f * (float)(i % 10)};
    }
    return make_model(b, crowd);
}

void bench_crowd_free(bench_crowd *crowd) {
    lm_model_free(crowd->model);
    lm_buffer_free(&crowd->file);
    free(crowd->poses);
    free(crowd->out);
    *crowd = (bench_crowd){0};
}

static void sample_part(const bench_crowd *crowd, size_t first, size_t count) {
    float *out = crowd->out + first * (BENCH_CROWD_STRIDE / sizeof *out);
    lm_sample(
        crowd->model, 0, crowd->poses + first, count,
        &(lm_sample_target){.positions = out, .normals = out + 3, .stride = 32, .zero_gaps = true});
}

void bench_run_crowd(void *context) {
    const bench_crowd *crowd = context;
    sample_part(crowd, 0, crowd->count);
}

/* No call is large enough for the library to write past the caches. */
static void run_one_by_one(void *context) {
    const bench_crowd *crowd = context;
    for (size_t i = 0; i < crowd->count; i++)
        sample_part(crowd, i, 1);
}

static void run_fill(void *context) {
    const bench_crowd *crowd = context;
    const size_t size = crowd->count * BENCH_CROWD_STRIDE;
#ifdef __SSE2__
    const __m128 value = _mm_set1_ps(1);
    for (float *at = crowd->out, *end = at + size / sizeof *at; at < end; at += 16) {
        _mm_stream_ps(at, value);
        _mm_stream_ps(at + 4, value);
        _mm_stream_ps(at + 8, value);
        _mm_stream_ps(at + 12, value);
    }
    _mm_sfence();
#else
    memset(crowd->out, 1, size);
#endif
    __asm__ volatile("" : : "r"(crowd->out) : "memory");
}

static void run_memset(void *context) {
    const bench_crowd *crowd = context;
    memset(crowd->out, 1, crowd->count * BENCH_CROWD_STRIDE);
    __asm__ volatile("" : : "r"(crowd->out) : "memory");
}

static void *sample_second_half(void *context) {
    const bench_crowd *crowd = context;
    sample_part(crowd, crowd->count / 2, crowd->count - crowd->count / 2);
    return NULL;
}

static void run_two_threads(void *context) {
    const bench_crowd *crowd = context;
    pthread_t thread;
    if (pthread_create(&thread, NULL, sample_second_half, context) != 0) {
        fprintf(stderr, "lerpmesh-bench: no thread can be started\n");
        exit(1);
    }
    sample_part(crowd, 0, crowd->count / 2);
    pthread_join(thread, NULL);
}

/* Checks that all ways to fill the buffer give the same in a sample of the instances. */
static bool check_crowd(bench *b, bench_crowd *crowd) {
    const size_t floats = BENCH_CROWD_STRIDE / sizeof *crowd->out;
    float *alone = bench_alloc(3 * BENCH_CROWD_STRIDE);
    const size_t places[3] = {0, crowd->count / 2 + 1, crowd->count - 1};
    bool same = true;
    run_one_by_one(crowd);
    for (size_t i = 0; i < 3; i++)
        memcpy(alone + i * floats, crowd->out + places[i] * floats, BENCH_CROWD_STRIDE);
    for (int way = 0; way < 2; way++) {
        run_fill(crowd);
        if (way == 0)
            bench_run_crowd(crowd);
        else
            run_two_threads(crowd);
        for (size_t i = 0; i < 3 && same; i++)
            same = bench_agree(b, "crowd", alone + i * floats, crowd->out + places[i] * floats,
                               floats, 0);
    }
    free(alone);
    return same;
}

static void compare_fill(bench *b, bench_crowd *crowd) {
    const bench_contender contenders[] = {
        {"non-temporal fill of the same bytes", run_fill, crowd},
        {"memset of the same bytes", run_memset, crowd},
        {"lm_sample, one call for all", bench_run_crowd, crowd},
        {"lm_sample, one call an instance", run_one_by_one, crowd}};
    const bench_claim claims[] = {
        {BENCH_COST, 2, 0, 1.6}, {BENCH_FASTER, 2, 3, 0}, {BENCH_FASTER, 2, 1, 0}};
    bench_compare(b,
                  &(bench_comparison){.section = "crowd",
                                      .subject = "crowd of 100000, 342 vertices, stride 32, 1.1 GB",
                                      .unit = "ns a vertex",
                                      .units = (double)crowd->count * BENCH_CROWD_VERTICES,
                                      .contenders = contenders,
                                      .num_contenders = 4,
                                      .claims = claims,
                                      .num_claims = 3},
                  NULL);
}

/* Uses wall-clock time, which other processes affect. */
static void compare_threads(bench *b, bench_crowd *crowd) {
    const bench_contender contenders[] = {{"one thread", bench_run_crowd, crowd},
                                          {"two threads, a half each", run_two_threads, crowd}};
    const bench_claim claims[] = {{BENCH_FASTER, 1, 0, 1.75}};
    bench_unpin();
    bench_compare(b,
                  &(bench_comparison){.section = "crowd",
                                      .subject = "crowd of 100000, threads (wall time)",
                                      .unit = "ns a vertex",
                                      .units = (double)crowd->count * BENCH_CROWD_VERTICES,
                                      .wall = true,
                                      .contenders = contenders,
                                      .num_contenders = 2,
                                      .claims = claims,
                                      .num_claims = 1},
                  NULL);
    bench_pin();
}

void bench_crowds(bench *b) {
    bench_crowd crowd;
    const unsigned rounds = b->rounds;
    b->rounds = rounds < CROWD_ROUNDS ? rounds : CROWD_ROUNDS;
    if (bench_crowd_make(b, &crowd) && check_crowd(b, &crowd)) {
        compare_fill(b, &crowd);
        compare_threads(b, &crowd);
    }
    bench_crowd_free(&crowd);
    b->rounds = rounds;
}
