/* The sampler against the plain loops, frames and output in the first levels of cache. */
#include "models.h"
#include "poses.h"
#include "sections.h"

#include <stdio.h>
#include <string.h>

static const char *const layout_names[BENCH_NUM_LAYOUTS] = {
    [BENCH_STRIDE_24] = "lm_sample, stride 24",
    [BENCH_STRIDE_32] = "lm_sample, stride 32, gaps zeroed",
    [BENCH_PLANES] = "lm_sample, six planes",
    [BENCH_GPU] = "lm_sample, 16 bytes for the GPU (packed normals)",
    [BENCH_DEFAULT] = "lm_sample, two arrays (stride 0)"};

/* What lm_sample should reach over the plain loop: with AVX2, with SSE2 alone, and as it is without
 * vector instructions. 0: nothing was asked. */
typedef struct goals {
    double avx2, sse2, scalar;
} goals;

static const goals md2_goals[BENCH_NUM_LAYOUTS] = {
    [BENCH_STRIDE_24] = {4.5, 2.4, 1.25}, [BENCH_PLANES] = {5.5, 3, 0}, [BENCH_GPU] = {3.4, 0, 0}};
static const goals small_goals[BENCH_NUM_LAYOUTS] = {[BENCH_STRIDE_24] = {1, 1, 1}};
static const goals mdc_goals[] = {[BENCH_PAIR_COMPRESSED] = {6, 0, 0},
                                  [BENCH_PAIR_MIXED] = {3.5, 0, 0},
                                  [BENCH_PAIR_BASE] = {3.5, 0, 0}};

/* That of the kernel which the library takes by itself, as it and this program were built alike. */
static double goal_here(goals goal) {
#if defined(LM_NO_SIMD)
    return goal.scalar;
#elif defined(__x86_64__)
    return __builtin_cpu_supports("avx2") ? goal.avx2 : goal.sse2;
#else
    (void)goal;
    return 0;
#endif
}

/* The plain loop is contender 0, and each of the `count` layouts one after it. */
static void compare(bench *b, const bench_poses *poses, const char *subject,
                    const bench_layout *layouts, unsigned count, const goals *goal) {
    bench_run runs[BENCH_NUM_LAYOUTS];
    bench_contender contenders[1 + BENCH_NUM_LAYOUTS] = {
        {poses->seed ? "seed loop" : "plain engine-style loop", bench_run_plain, (void *)poses}};
    bench_claim claims[BENCH_NUM_LAYOUTS];
    for (unsigned i = 0; i < count; i++) {
        runs[i] = (bench_run){poses, layouts[i]};
        if (!bench_poses_agree(b, &runs[i], subject))
            return;
        contenders[1 + i] = (bench_contender){layout_names[layouts[i]], bench_run_sample, &runs[i]};
        claims[i] = (bench_claim){BENCH_FASTER, 1 + i, 0, goal_here(goal[i])};
    }
    bench_compare(b,
                  &(bench_comparison){.section = "sample",
                                      .subject = subject,
                                      .unit = "ns a vertex",
                                      .units = (double)poses->num_vertices * poses->num_poses,
                                      .contenders = contenders,
                                      .num_contenders = 1 + count,
                                      .claims = claims,
                                      .num_claims = count},
                  NULL);
}

/* Up to here what a call costs counts, not the loop in it. */
#define SMALL 20u

static void sample_md2(bench *b, const lm_model *model, const char *name) {
    char subject[256];
    bench_poses poses;
    snprintf(subject, sizeof subject, "animate %s, %u vertices as drawn", name,
             model->surfaces->num_vertices);
    static const bench_layout layouts[] = {BENCH_STRIDE_24, BENCH_STRIDE_32, BENCH_PLANES,
                                           BENCH_GPU, BENCH_DEFAULT};
    if (bench_poses_md2(model, BENCH_MAX_POSES, &poses))
        compare(b, &poses, subject, layouts, BENCH_NUM_LAYOUTS,
                poses.num_vertices <= SMALL ? small_goals : md2_goals);
    bench_poses_free(&poses);
}

static void sample_mdc(bench *b, const lm_model *model, const char *name) {
    static const char *const pairs[] = {"both frames compressed", "base + compressed",
                                        "both base frames"};
    for (int pair = BENCH_PAIR_COMPRESSED; pair <= BENCH_PAIR_BASE; pair++) {
        char subject[256];
        bench_poses poses;
        bool there = bench_poses_mdc(model, (bench_pair)pair, &poses);
        snprintf(subject, sizeof subject, "animate %s, %u vertices, %s", name, poses.num_vertices,
                 pairs[pair]);
        static const bench_layout layouts[] = {BENCH_STRIDE_32};
        if (there)
            compare(b, &poses, subject, layouts, 1, &mdc_goals[pair]);
        bench_poses_free(&poses);
    }
}

/* Models of fewer vertices say little about a loop; the made ones below are there for that. */
static bool worth_showing(const bench_file *file) {
    return file->size > 100000 && file->model->num_frames > 1;
}

static void sample_made(bench *b, lm_buffer *buffer, const char *name) {
    lm_error error;
    lm_model *model = lm_load_memory(buffer->data, buffer->size, NULL, &error);
    if (!model)
        bench_require(b, false, error.message);
    else if (strcmp(model->format, "md2") == 0)
        sample_md2(b, model, name);
    else
        sample_mdc(b, model, name);
    lm_free(model);
    lm_buffer_free(buffer);
}

void bench_sample(bench *b, const bench_corpus *corpus) {
    engine_init();
    for (size_t i = 0; i < corpus->count; i++) {
        const bench_file *file = &corpus->files[i];
        if (!worth_showing(file))
            continue;
        if (strcmp(file->model->format, "md2") == 0)
            sample_md2(b, file->model, file->name);
        else
            sample_mdc(b, file->model, file->name);
    }
    lm_buffer buffer = {0};
    bench_make_md2(SMALL, BENCH_MAX_POSES + 1, &buffer);
    sample_made(b, &buffer, "a made MD2");
    bench_make_md2(342, BENCH_MAX_POSES + 1, &buffer);
    sample_made(b, &buffer, "a made MD2");
    bench_make_mdc(342, BENCH_MAX_POSES + 3, &buffer);
    sample_made(b, &buffer, "a made MDC");
}
