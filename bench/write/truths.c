#include "truths.h"

#include "corpus.h"
#include "harness.h"
#include "lerpmesh/files.h"
#include "lerpmesh/load.h"
#include "stability.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const void *data, size_t size) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001B3);
    return hash;
}

/* Returns whether bytes were seen before, and marks them as seen. */
static bool is_known(uint64_t hash) {
    static uint64_t *hashes;
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (hashes[i] == hash)
            return true;
    hashes = realloc(hashes, (count + 1) * sizeof *hashes);
    if (!hashes)
        exit(1);
    hashes[count++] = hash;
    return false;
}

static void add(truths *all, const char *name, const void *data, size_t size, bool openarena) {
    if (!lm_format_of(data, size) || is_known(hash_of(data, size)))
        return;
    lm_model *model = lm_load_memory(data, size, NULL, NULL);
    lm_mesh *mesh = model ? lm_mesh_from_model(model, NULL, NULL) : NULL;
    if (!mesh) {
        lm_model_free(model);
        return;
    }
    bench_truth *list = realloc(all->list, (all->count + 1) * sizeof *list);
    char *copy = strdup(name);
    if (!list || !copy)
        exit(1);
    all->list = list;
    list[all->count++] = (bench_truth){copy, model, mesh, NULL, openarena, false};
}

/* Adds clips that the frames' names do not contain. */
static void add_clips(bench_truth *t, const lm_archive *archive) {
    char path[4096];
    lm_buffer text = {0};
    const char *slash = strrchr(t->name, '/');
    snprintf(path, sizeof path, "%.*sanimation.cfg", slash ? (int)(slash - t->name) + 1 : 0,
             t->name);
    if (t->model->num_frames > 1 && lm_archive_read(archive, path, 0, &text, NULL))
        t->clips = lm_clips_read(text.data, text.size, t->model->num_frames, NULL, NULL);
    if (t->clips) {
        t->mesh->num_clips = t->clips->num_clips;
        t->mesh->clips = t->clips->clips;
    }
    lm_buffer_free(&text);
}

void truths_add_files(truths *all, const char *path) {
    bench_corpus corpus = {0};
    bench_corpus_add(&corpus, path);
    bench_corpus_sort(&corpus);
    for (size_t i = 0; i < corpus.count; i++)
        add(all, corpus.files[i].name, corpus.files[i].data, corpus.files[i].size, false);
    bench_corpus_free(&corpus);
}

static bool is_mature(const char *path) {
    return strstr(path, "mature") != NULL;
}

static void add_archive(truths *all, const char *path, bool (*wanted)(const char *path)) {
    lm_archive *archive = lm_archive_open(path, NULL, NULL);
    for (size_t i = 0; archive && i < lm_archive_num_members(archive); i++) {
        const lm_member *member = lm_archive_member(archive, i);
        const size_t before = all->count;
        lm_buffer bytes = {0};
        if (lm_format_by_extension(member->path) && (!wanted || wanted(member->path)) &&
            lm_archive_read(archive, member->path, 0, &bytes, NULL))
            add(all, member->path, bytes.data, bytes.size, true);
        if (all->count > before) {
            add_clips(&all->list[before], archive);
            all->list[before].mature = is_mature(path);
        }
        lm_buffer_free(&bytes);
    }
    lm_archive_free(archive);
}

/* Models that may be missing come last. */
static int by_bytes(const void *a, const void *b) {
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    return is_mature(x) != is_mature(y) ? is_mature(x) - is_mature(y) : strcmp(x, y);
}

void truths_add_archives(truths *all, const char *folder, bool (*wanted)(const char *path)) {
    char *paths[64];
    size_t count = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && count < 64 && (entry = readdir(entries)) != NULL;) {
        const size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        paths[count] = bench_alloc(size);
        snprintf(paths[count], size, "%s/%s", folder, entry->d_name);
        if (strstr(entry->d_name, ".pk3"))
            count++;
        else
            free(paths[count]);
    }
    if (entries)
        closedir(entries);
    qsort(paths, count, sizeof *paths, by_bytes);
    for (size_t i = 0; i < count; i++) {
        add_archive(all, paths[i], wanted);
        free(paths[i]);
    }
}

void truths_steady(truths *all) {
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].model->format, "md2") == 0)
            stable_mesh(all->list[i].model, all->list[i].mesh);
}

void truths_free(truths *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->list[i].name);
        lm_mesh_free(all->list[i].mesh);
        lm_clips_free(all->list[i].clips);
        lm_model_free(all->list[i].model);
    }
    free(all->list);
}
