#include "corpus.h"

#include "harness.h"
#include "lerpmesh/files.h"
#include "lerpmesh/load.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_known(const bench_corpus *corpus, const lm_file *file) {
    for (size_t i = 0; i < corpus->count; i++)
        if (corpus->files[i].size == file->size &&
            memcmp(corpus->files[i].data, file->data, file->size) == 0)
            return true;
    return false;
}

static char *copy_of(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(bench_alloc(size), text, size);
}

static void append(bench_corpus *corpus, const char *path, const lm_file *file, lm_model *model) {
    bench_file *files = bench_alloc((corpus->count + 1) * sizeof *files);
    if (corpus->count)
        memcpy(files, corpus->files, corpus->count * sizeof *files);
    free(corpus->files);
    corpus->files = files;
    bench_file *added = &files[corpus->count++];
    *added = (bench_file){.path = copy_of(path),
                          .data = memcpy(bench_alloc(file->size), file->data, file->size),
                          .size = file->size,
                          .model = model};
    const char *slash = strrchr(added->path, '/');
    added->name = slash ? slash + 1 : added->path;
}

static void add_file(bench_corpus *corpus, const char *path) {
    lm_file file;
    if (!lm_file_read(path, 0, &file, NULL))
        return;
    /* Other games have models with these extensions as well. */
    if (lm_format_of(file.data, file.size) && !is_known(corpus, &file)) {
        lm_model *model = lm_load_memory(file.data, file.size, NULL, NULL);
        if (model)
            append(corpus, path, &file, model);
        else
            corpus->refused++;
    }
    lm_file_free(&file);
}

/* Malicious models are not representative. */
static void add_folder(bench_corpus *corpus, const char *path) { // NOLINT(misc-no-recursion)
    char inner[4096];
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        struct stat info;
        int length = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] == '.' || length >= (int)sizeof inner || lstat(inner, &info) != 0)
            continue;
        if (!S_ISDIR(info.st_mode) && lm_format_by_extension(entry->d_name))
            add_file(corpus, inner);
        else if (S_ISDIR(info.st_mode) && strcmp(entry->d_name, "attack") != 0)
            add_folder(corpus, inner);
    }
    if (folder)
        closedir(folder);
}

void bench_corpus_add(bench_corpus *corpus, const char *path) {
    struct stat info;
    if (stat(path, &info) != 0)
        return;
    if (S_ISDIR(info.st_mode))
        add_folder(corpus, path);
    else
        add_file(corpus, path);
}

static int by_name(const void *a, const void *b) {
    const bench_file *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->path, y->path);
}

void bench_corpus_sort(bench_corpus *corpus) {
    if (corpus->count)
        qsort(corpus->files, corpus->count, sizeof *corpus->files, by_name);
}

void bench_corpus_free(bench_corpus *corpus) {
    for (size_t i = 0; i < corpus->count; i++) {
        free(corpus->files[i].path);
        free(corpus->files[i].data);
        lm_model_free(corpus->files[i].model);
    }
    free(corpus->files);
    *corpus = (bench_corpus){0};
}
