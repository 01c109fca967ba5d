/* Counts the allocations of a load with an allocator. */
#include "baseline.h"
#include "sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The maximum memory of a load at one time, as a multiple of the files. */
#define BOUND 3.0

typedef struct tally {
    size_t now, peak, calls;
} tally;

static void count_more(tally *count, size_t size) {
    count->calls++;
    count->now += size;
    count->peak = count->now > count->peak ? count->now : count->peak;
}

static void *counted_alloc(void *user, size_t size) {
    void *memory = malloc(size);
    if (memory)
        count_more(user, size);
    return memory;
}

static void *counted_realloc(void *user, void *pointer, size_t old_size, size_t new_size) {
    void *memory = realloc(pointer, new_size);
    tally *count = user;
    if (memory) {
        count->now -= old_size;
        count_more(count, new_size);
    }
    return memory;
}

static void counted_free(void *user, void *pointer, size_t size) {
    tally *count = user;
    count->now -= size;
    free(pointer);
}

typedef struct footprint {
    size_t file, kept, peak, calls;
    size_t plain, plain_calls; /* 0: no plain reader for this format */
} footprint;

static bool measure_footprint(const bench_file *file, footprint *out) {
    tally count = {0};
    lm_load_options options = {
        .memory.allocator = {counted_alloc, counted_realloc, counted_free, &count}};
    lm_model *model = lm_load_memory(file->data, file->size, &options, NULL);
    *out = (footprint){
        .file = file->size, .kept = count.now, .peak = count.peak, .calls = count.calls};
    lm_model_free(model);
    if (strcmp(file->model->format, "md2") == 0) {
        seed_model plain;
        seed_read_memory(file->data, &plain);
        out->plain = seed_bytes(&plain, &out->plain_calls);
        seed_free(&plain);
    }
    return model != NULL && count.now == 0;
}

static void report(bench *b, const char *name, const footprint *f) {
    double file = (double)f->file;
    printf("  %-28s %9zu %8.2f %8.2f %6zu", name, f->file, (double)f->kept / file,
           (double)f->peak / file, f->calls);
    if (f->plain)
        printf(" %8.2f %6zu", (double)f->plain / file, f->plain_calls);
    putchar('\n');
    lm_json_open(&b->json, NULL, '{');
    lm_json_string(&b->json, "section", "memory");
    lm_json_string(&b->json, "subject", name);
    lm_json_integer(&b->json, "file_bytes", (int64_t)f->file);
    lm_json_integer(&b->json, "kept_bytes", (int64_t)f->kept);
    lm_json_integer(&b->json, "peak_bytes", (int64_t)f->peak);
    lm_json_integer(&b->json, "allocations", (int64_t)f->calls);
    lm_json_integer(&b->json, "plain_reader_bytes", (int64_t)f->plain);
    lm_json_close(&b->json);
}

void bench_memory(bench *b, const bench_corpus *corpus) {
    footprint all = {0};
    double worst = 0;
    const char *worst_name = "";
    printf("\n%-30s %9s %8s %8s %6s %15s\n", "memory of a load, as multiples of the file", "bytes",
           "kept", "peak", "calls", "plain reader");
    for (size_t i = 0; i < corpus->count; i++) {
        footprint one;
        if (!bench_require(b, measure_footprint(&corpus->files[i], &one), "memory"))
            return;
        report(b, corpus->files[i].name, &one);
        all.file += one.file;
        all.kept += one.kept;
        all.peak += one.peak;
        all.calls += one.calls;
        if ((double)one.peak / (double)one.file > worst) {
            worst = (double)one.peak / (double)one.file;
            worst_name = corpus->files[i].name;
        }
    }
    report(b, "all files together", &all);
    double multiple = (double)all.peak / (double)all.file;
    printf("  > peak over all files: %.2f x their bytes, bound <= %.2f: %s; worst: %s, %.2f\n",
           multiple, BOUND, multiple <= BOUND ? "held" : "BROKEN", worst_name, worst);
}
