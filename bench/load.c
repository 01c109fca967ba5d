/* Compares loading with the plain reader of D. Henry's description, and with the lower bounds:
 * memcpy of the file, and read() into existing memory. */
#include "baseline.h"
#include "lerpmesh/files.h"
#include "lerpmesh/md2.h"
#include "sections.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Files that one run loads in sequence. */
typedef struct load_set {
    const bench_file **files;
    size_t count;
    size_t bytes;
    uint8_t *scratch; /* large enough for any one of them */
} load_set;

static void must(bool done, const char *path) {
    if (!done) {
        fprintf(stderr, "lerpmesh-bench: %s cannot be loaded any more\n", path);
        exit(1);
    }
}

static void run_plain_file(void *context) {
    const load_set *set = context;
    for (size_t i = 0; i < set->count; i++) {
        seed_model model;
        seed_read_file(set->files[i]->path, &model);
        seed_free(&model);
    }
}

static void run_plain_memory(void *context) {
    const load_set *set = context;
    for (size_t i = 0; i < set->count; i++) {
        seed_model model;
        seed_read_memory(set->files[i]->data, &model);
        seed_free(&model);
    }
}

static void run_load_memory(void *context) {
    const load_set *set = context;
    for (size_t i = 0; i < set->count; i++) {
        lm_model *model = lm_load_memory(set->files[i]->data, set->files[i]->size, NULL, NULL);
        must(model != NULL, set->files[i]->path);
        lm_model_free(model);
    }
}

static void run_load_file(void *context) {
    const load_set *set = context;
    for (size_t i = 0; i < set->count; i++) {
        lm_model *model = lm_load_file(set->files[i]->path, NULL, NULL);
        must(model != NULL, set->files[i]->path);
        lm_model_free(model);
    }
}

static void run_check(void *context) {
    const load_set *set = context;
    for (size_t i = 0; i < set->count; i++) {
        lm_md2 *md2 = lm_md2_read(set->files[i]->data, set->files[i]->size, NULL, NULL);
        must(md2 != NULL, set->files[i]->path);
        lm_md2_free(md2);
    }
}

static void run_read(void *context) {
    const load_set *set = context;
    for (size_t i = 0; i < set->count; i++) {
        int descriptor = open(set->files[i]->path, O_RDONLY);
        ssize_t got = read(descriptor, set->scratch, set->files[i]->size);
        must(got == (ssize_t)set->files[i]->size, set->files[i]->path);
        close(descriptor);
    }
}

static void run_memcpy(void *context) {
    const load_set *set = context;
    for (size_t i = 0; i < set->count; i++) {
        memcpy(set->scratch, set->files[i]->data, set->files[i]->size);
        /* Tells the compiler that the copy is read. */
        __asm__ volatile("" : : "r"(set->scratch) : "memory");
    }
}

/* Does the same with memory that the kernel must provide page by page, as in a program's first
 * load. */
static void run_plain_file_fresh(void *context) {
    run_plain_file(context);
    bench_give_back_heap();
}

static void run_load_file_fresh(void *context) {
    run_load_file(context);
    bench_give_back_heap();
}

/* Compares floats by their bytes as well. */
static bool same_bytes(const void *a, const void *b, size_t size) {
    return size == 0 || memcmp(a, b, size) == 0;
}

static bool same_frames(const seed_model *plain, const lm_md2 *md2, const lm_surface *surface) {
    for (int32_t f = 0; f < md2->num_frames; f++) {
        const seed_frame *frame = &plain->frames[f];
        const uint8_t *raw = md2->frames + (size_t)f * (size_t)md2->framesize;
        if (!same_bytes(frame->scale, raw, 12) || !same_bytes(frame->translate, raw + 12, 12) ||
            memcmp(frame->verts, raw + LM_MD2_FRAME_HEADER_SIZE, (size_t)md2->num_xyz * 4) != 0)
            return false;
        for (uint32_t v = 0; v < surface->num_vertices; v++)
            if (memcmp(&frame->verts[surface->file_vertices[v]],
                       surface->keys + (size_t)f * surface->key_stride +
                           surface->file_vertices[v] * surface->key_size,
                       4) != 0)
                return false;
    }
    return true;
}

/* Checks that the plain reader, the document and the model have equal contents. The plain reader
 * advances by the bytes that it reads, so it cannot read files with a larger framesize. */
static bool same_content(const bench_file *file) {
    seed_model plain;
    lm_md2 *md2 = lm_md2_read(file->data, file->size, NULL, NULL);
    if (!md2)
        return false;
    bool same = md2->framesize == LM_MD2_FRAME_HEADER_SIZE + 4 * md2->num_xyz;
    if (same) {
        seed_read_file(file->path, &plain);
        same = same_bytes(plain.st, md2->st, (size_t)md2->num_st * 4) &&
               same_bytes(plain.tris, md2->tris, (size_t)md2->num_tris * 12) &&
               same_bytes(plain.glcmds, md2->glcmds, (size_t)md2->num_glcmds * 4) &&
               same_frames(&plain, md2, file->model->surfaces);
        seed_free(&plain);
    }
    lm_md2_free(md2);
    return same;
}

static void compare_md2(bench *b, load_set *set, const char *subject) {
    enum {
        PLAIN_FILE,
        PLAIN_MEMORY,
        LOAD_MEMORY,
        LOAD_FILE,
        CHECK,
        READ,
        MEMCPY,
        PLAIN_FILE_FRESH,
        LOAD_FILE_FRESH,
        COUNT
    };
    const bench_contender contenders[COUNT] = {
        [PLAIN_FILE] = {"plain reader, file (fread)", run_plain_file, set},
        [PLAIN_MEMORY] = {"plain reader, memory (memcpy)", run_plain_memory, set},
        [LOAD_MEMORY] = {"lm_load_memory", run_load_memory, set},
        [LOAD_FILE] = {"lm_load_file", run_load_file, set},
        [CHECK] = {"lm_md2_read (checks, no model)", run_check, set},
        [READ] = {"open, read(), close alone", run_read, set},
        [MEMCPY] = {"memcpy of the file alone", run_memcpy, set},
        [PLAIN_FILE_FRESH] = {"plain reader, file, pages given back", run_plain_file_fresh, set},
        [LOAD_FILE_FRESH] = {"lm_load_file, pages given back", run_load_file_fresh, set},
    };
    const bench_claim claims[] = {
        {BENCH_FASTER, LOAD_MEMORY, PLAIN_FILE, 1.5},
        {BENCH_FASTER, LOAD_MEMORY, PLAIN_MEMORY, 0.48},
        {BENCH_FASTER, CHECK, PLAIN_MEMORY, 1.5},
        {BENCH_FASTER, LOAD_FILE, PLAIN_FILE, 1.4},
        {BENCH_COST, LOAD_FILE, READ, 3},
        {BENCH_COST, CHECK, MEMCPY, 1.2},
        {BENCH_FASTER, LOAD_FILE_FRESH, PLAIN_FILE_FRESH, 0},
    };
    for (size_t i = 0; i < set->count; i++)
        if (!bench_require(b, same_content(set->files[i]), set->files[i]->path))
            return;
    bench_compare(b,
                  &(bench_comparison){.section = "load",
                                      .subject = subject,
                                      .unit = "us a load",
                                      .units = 1e3,
                                      .contenders = contenders,
                                      .num_contenders = COUNT,
                                      .claims = claims,
                                      .num_claims = sizeof claims / sizeof *claims},
                  NULL);
}

/* Formats without a plain reader are compared with the lower bounds only. */
static void compare_others(bench *b, load_set *set, const char *subject) {
    const bench_contender contenders[] = {{"lm_load_memory", run_load_memory, set},
                                          {"lm_load_file", run_load_file, set},
                                          {"open, read(), close alone", run_read, set},
                                          {"memcpy of the file alone", run_memcpy, set}};
    const bench_claim claims[] = {{BENCH_COST, 1, 2, 3.7}, {BENCH_COST, 0, 3, 0}};
    bench_compare(b,
                  &(bench_comparison){.section = "load",
                                      .subject = subject,
                                      .unit = "us a load",
                                      .units = 1e3,
                                      .contenders = contenders,
                                      .num_contenders = 4,
                                      .claims = claims,
                                      .num_claims = 2},
                  NULL);
}

typedef void compare(bench *b, load_set *set, const char *subject);

/* Measures the largest files one by one, then all of them. */
static void load_format(bench *b, const bench_corpus *corpus, const char *format, compare *run) {
    char subject[256];
    load_set all = {.files = bench_alloc(corpus->count * sizeof(const bench_file *))};
    size_t largest = 0;
    for (size_t i = 0; i < corpus->count; i++) {
        if (strcmp(corpus->files[i].model->format, format) != 0)
            continue;
        all.files[all.count++] = &corpus->files[i];
        all.bytes += corpus->files[i].size;
        largest = corpus->files[i].size > largest ? corpus->files[i].size : largest;
    }
    all.scratch = bench_alloc(largest);
    for (size_t i = 0, shown = 0; i < all.count && shown < 3 && all.count > 1; i++) {
        load_set one = {&all.files[i], 1, all.files[i]->size, all.scratch};
        if (one.bytes < largest / 2)
            continue;
        snprintf(subject, sizeof subject, "load %s, %zu bytes", all.files[i]->name, one.bytes);
        run(b, &one, subject);
        shown++;
    }
    snprintf(subject, sizeof subject, "load all %zu %s files, %zu bytes", all.count, format,
             all.bytes);
    if (all.count)
        run(b, &all, subject);
    free(all.scratch);
    free(all.files);
}

void bench_load(bench *b, const bench_corpus *corpus) {
    for (uint32_t i = 0; i < lm_format_count(); i++) {
        const char *format = lm_format_at(i)->name;
        load_format(b, corpus, format, strcmp(format, "md2") == 0 ? compare_md2 : compare_others);
    }
}
