/* Compares the sampler with the plain loops; frames and output are in the fastest caches. */
#include "models.h"
#include "poses.h"
#include "sections.h"

#include <stdio.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const layout_names[BENCH_NUM_LAYOUTS] = {
    [BENCH_STRIDE_24] = "stride 24",
    [BENCH_STRIDE_32] = "stride 32, gaps zeroed",
    [BENCH_PLANES] = "six planes",
    [BENCH_GPU] = "16 bytes for the GPU (packed normals)",
    [BENCH_DEFAULT] = "two arrays (stride 0)"};

/* A measured layout, with the kernels that lm_sample chooses (NULL) or with others. */
typedef struct subject {
    bench_layout layout;
    const char *kernels;
    double bound; /* compared with the plain loop, of the worst model; 0: none */
} subject;

#define MOST_SUBJECTS 16

static const subject md2_subjects[] = {
    {BENCH_STRIDE_24, NULL, 3.2},   {BENCH_STRIDE_32, NULL, 0}, {BENCH_PLANES, NULL, 3.7},
    {BENCH_GPU, NULL, 3.4},         {BENCH_DEFAULT, NULL, 0},   {BENCH_STRIDE_24, "avx2", 3.3},
    {BENCH_PLANES, "avx2", 3.4},    {BENCH_GPU, "avx2", 3.0},   {BENCH_STRIDE_24, "sse2", 2.2},
    {BENCH_PLANES, "sse2", 2.5},    {BENCH_GPU, "sse2", 0},     {BENCH_STRIDE_24, "scalar", 1.15},
    {BENCH_PLANES, "scalar", 1.15}, {BENCH_GPU, "scalar", 0}};
static const subject small_subjects[] = {
    {BENCH_STRIDE_24, NULL, 1}, {BENCH_PLANES, NULL, 1}, {BENCH_STRIDE_24, "scalar", 0}};
static const subject mdc_subjects[][3] = {
    [BENCH_PAIR_COMPRESSED] = {{BENCH_STRIDE_32, NULL, 3.0},
                               {BENCH_PLANES, NULL, 3.5},
                               {BENCH_STRIDE_32, "scalar", 0}},
    [BENCH_PAIR_MIXED] = {{BENCH_STRIDE_32, NULL, 2.3},
                          {BENCH_PLANES, NULL, 2.8},
                          {BENCH_STRIDE_32, "scalar", 0}},
    [BENCH_PAIR_BASE] = {
        {BENCH_STRIDE_32, NULL, 2.7}, {BENCH_PLANES, NULL, 3.0}, {BENCH_STRIDE_32, "scalar", 0}}};

/* Returns NULL if this processor or build has none of that name, or if lm_sample would choose
 * them. */
static const lm_sample_kernels *kernels_called(const char *name) {
    const lm_sample_kernels *kernels;
    for (size_t i = 1; (kernels = lm_sample_choice(i)); i++)
        if (strcmp(kernels->name, name) == 0)
            return kernels;
    return NULL;
}

/* Adds a subject to the comparison with contender 0, if it is available here. */
static bool add_subject(bench *b, bench_comparison *comparison, bench_run *run, char name[64],
                        bench_contender *contender, bench_claim *claim, const subject *s) {
    run->layout = s->layout;
    run->kernels = s->kernels ? kernels_called(s->kernels) : NULL;
    if (s->kernels && !run->kernels)
        return true;
    if (!bench_poses_agree(b, run, comparison->subject))
        return false;
    snprintf(name, 64, "%s, %s", s->kernels ? s->kernels : "lm_sample", layout_names[s->layout]);
    *contender = (bench_contender){name, bench_run_sample, run};
    *claim = (bench_claim){BENCH_FASTER, comparison->num_contenders, 0, s->bound};
    comparison->num_contenders++;
    comparison->num_claims++;
    return true;
}

static void compare(bench *b, const bench_poses *poses, const char *what, const subject *subjects,
                    size_t count) {
    bench_run runs[MOST_SUBJECTS];
    char names[MOST_SUBJECTS][64];
    bench_claim claims[MOST_SUBJECTS];
    bench_contender contenders[1 + MOST_SUBJECTS] = {
        {poses->seed ? "seed loop" : "plain engine-style loop", bench_run_plain, (void *)poses}};
    bench_comparison comparison = {.section = "sample",
                                   .subject = what,
                                   .unit = "ns a vertex",
                                   .units = (double)poses->num_vertices * poses->num_poses,
                                   .contenders = contenders,
                                   .num_contenders = 1,
                                   .claims = claims};
    for (size_t i = 0; i < count; i++) {
        unsigned at = comparison.num_claims;
        runs[at].poses = poses;
        if (!add_subject(b, &comparison, &runs[at], names[at], &contenders[1 + at], &claims[at],
                         &subjects[i]))
            return;
    }
    bench_compare(b, &comparison, NULL);
}

/* Up to this number, the cost of the call dominates that of its loop. */
#define SMALL 20u

static void sample_bytes(bench *b, const lm_model *model, const char *name) {
    char what[256];
    bench_poses poses;
    bool small = model->surfaces->num_vertices <= SMALL;
    snprintf(what, sizeof what, "animate %s, %u vertices as drawn", name,
             model->surfaces->num_vertices);
    if (bench_poses_md2(model, BENCH_MAX_POSES, &poses))
        compare(b, &poses, what, small ? small_subjects : md2_subjects,
                small ? LENGTH(small_subjects) : LENGTH(md2_subjects));
    bench_poses_free(&poses);
}

static void sample_words(bench *b, const lm_model *model, const char *name) {
    static const char *const pairs[] = {"both frames compressed", "base + compressed",
                                        "both base frames"};
    for (int pair = BENCH_PAIR_COMPRESSED; pair <= BENCH_PAIR_BASE; pair++) {
        char what[256];
        bench_poses poses;
        bool there = bench_poses_mdc(model, (bench_pair)pair, &poses);
        snprintf(what, sizeof what, "animate %s, %u vertices, %s", name, poses.num_vertices,
                 pairs[pair]);
        if (there)
            compare(b, &poses, what, mdc_subjects[pair], LENGTH(mdc_subjects[pair]));
        bench_poses_free(&poses);
    }
}

/* Models of few vertices are not representative for a loop; the synthetic ones below cover them. */
static bool worth_showing(const bench_file *file) {
    return file->size > 100000 && file->model->num_frames > 1;
}

static void sample(bench *b, const lm_model *model, const char *name) {
    if (model->num_surfaces == 0)
        return;
    if (model->surfaces->encoding == LM_VERTEX_U8)
        sample_bytes(b, model, name);
    else
        sample_words(b, model, name);
}

static void sample_synthetic(bench *b, lm_buffer *buffer, const char *name) {
    lm_error error;
    lm_model *model = lm_load_memory(buffer->data, buffer->size, NULL, &error);
    if (!model)
        bench_require(b, false, error.message);
    else
        sample(b, model, name);
    lm_model_free(model);
    lm_buffer_free(buffer);
}

void bench_sample(bench *b, const bench_corpus *corpus) {
    engine_init();
    for (size_t i = 0; i < corpus->count; i++) {
        const bench_file *file = &corpus->files[i];
        if (worth_showing(file))
            sample(b, file->model, file->name);
    }
    lm_buffer buffer = {0};
    bench_make_md2(SMALL, BENCH_MAX_POSES + 1, &buffer);
    sample_synthetic(b, &buffer, "a made MD2");
    bench_make_md2(342, BENCH_MAX_POSES + 1, &buffer);
    sample_synthetic(b, &buffer, "a made MD2");
    bench_make_mdc(342, BENCH_MAX_POSES + 3, &buffer);
    sample_synthetic(b, &buffer, "a made MDC");
}
