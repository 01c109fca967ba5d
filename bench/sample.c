/* The sampler against the plain loops, frames and output in the first levels of cache. */
#include "models.h"
#include "poses.h"
#include "sections.h"

#include <stdio.h>
#include <string.h>

static void compare(bench *b, bench_poses *poses, const char *subject) {
    const bool md2 = poses->seed != NULL;
    const bench_contender contenders[] = {
        {md2 ? "seed loop" : "plain engine-style loop", bench_run_plain, poses},
        {md2 ? "lm_sample, stride 24" : "lm_sample, stride 32", bench_run_sample, poses}};
    /* What the scalar reference should reach over the seed loop. */
    const bench_claim claims[] = {{BENCH_FASTER, 1, 0, md2 ? 1.25 : 0}};
    if (!bench_poses_agree(b, poses, subject))
        return;
    bench_compare(b,
                  &(bench_comparison){.section = "sample",
                                      .subject = subject,
                                      .unit = "ns a vertex",
                                      .units = (double)poses->num_vertices * poses->num_poses,
                                      .contenders = contenders,
                                      .num_contenders = 2,
                                      .claims = claims,
                                      .num_claims = 1},
                  NULL);
}

static void sample_md2(bench *b, const lm_model *model, const char *name) {
    char subject[256];
    bench_poses poses;
    snprintf(subject, sizeof subject, "animate %s, %u vertices as drawn", name,
             model->surfaces->num_vertices);
    if (bench_poses_md2(model, BENCH_MAX_POSES, &poses))
        compare(b, &poses, subject);
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
        if (there)
            compare(b, &poses, subject);
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
    bench_make_md2(20, BENCH_MAX_POSES + 1, &buffer);
    sample_made(b, &buffer, "a made MD2");
    bench_make_mdc(342, BENCH_MAX_POSES + 3, &buffer);
    sample_made(b, &buffer, "a made MDC");
}
