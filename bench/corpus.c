#include "harness.h"
#include "lerpmesh/encode.h"
#include "lerpmesh/files.h"
#include "lerpmesh/load.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool bench_corpus_add(bench_corpus *corpus, const char *path, const void *data, size_t size) {
    for (size_t i = 0; i < corpus->count; i++)
        if (corpus->files[i].size == size && memcmp(corpus->files[i].data, data, size) == 0)
            return false;
    /* Other games have models with these extensions as well. */
    lm_model *model = lm_format_of(data, size) ? lm_load_memory(data, size, NULL, NULL) : NULL;
    if (!model)
        return false;
    bench_file *files = realloc(corpus->files, (corpus->count + 1) * sizeof *files);
    char *copy = strdup(path);
    if (!files || !copy)
        exit(1);
    const char *slash = strrchr(copy, '/');
    corpus->files = files;
    files[corpus->count++] = (bench_file){.path = copy,
                                          .name = slash ? slash + 1 : copy,
                                          .data = memcpy(bench_alloc(size), data, size),
                                          .size = size,
                                          .model = model};
    return true;
}

void bench_corpus_add_path(bench_corpus *corpus, const char *path) { // NOLINT(misc-no-recursion)
    char inner[4096];
    struct stat info;
    lm_buffer file = {0};
    DIR *folder = opendir(path);
    if (!folder && lm_file_read(path, 0, &file, NULL)) {
        bench_corpus_add(corpus, path, file.data, file.size);
        lm_buffer_free(&file);
    }
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        const int length = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] == '.' || length >= (int)sizeof inner || lstat(inner, &info) != 0)
            continue;
        /* Malicious models are not representative. */
        if (S_ISDIR(info.st_mode) ? strcmp(entry->d_name, "attack") != 0
                                  : lm_format_by_extension(entry->d_name) != NULL)
            bench_corpus_add_path(corpus, inner);
    }
    if (folder)
        closedir(folder);
}

void bench_corpus_add_defaults(bench_corpus *corpus) {
    const char *own = getenv("LERPMESH_CORPUS"), *assimp = getenv("ASSIMP_MODELS");
    if (own)
        bench_corpus_add_path(corpus, own);
    bench_corpus_add_path(corpus, assimp ? assimp : "/usr/share/assimp/models");
    bench_corpus_add_path(corpus, "samples");
}

static int by_name(const void *a, const void *b) {
    const bench_file *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
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

#define AROUND 6 /* vertices of a turn */

/* Vertices lie on a helix: each has the next one and those of the next turn as neighbours. */
lm_mesh *bench_make_mesh(uint32_t vertices, uint32_t frames) {
    const size_t count = (size_t)3 * vertices * frames;
    float *p = bench_alloc(count * sizeof *p), *n = bench_alloc(count * sizeof *n);
    float *st = bench_alloc((size_t)2 * vertices * sizeof *st);
    uint32_t *triangles = bench_alloc((size_t)6 * vertices * sizeof *triangles);
    lm_mesh_surface surface = {.name = "tube",
                               .num_vertices = vertices,
                               .positions = p,
                               .normals = n,
                               .num_st = vertices,
                               .st = st,
                               .triangles = triangles};
    const lm_mesh mesh = {.num_frames = frames, .num_surfaces = 1, .surfaces = &surface};
    for (uint32_t v = 0; v + AROUND + 1 < vertices; v++, surface.num_triangles += 2)
        memcpy(triangles + (size_t)6 * v,
               (uint32_t[]){v, v + AROUND, v + 1, v + 1, v + AROUND, v + AROUND + 1},
               6 * sizeof *triangles);
    for (uint32_t v = 0; v < vertices; v++) {
        st[2 * (size_t)v] = (float)(v % 251) / 251;
        st[2 * (size_t)v + 1] = (float)(v / 251 % 251) / 251;
    }
    for (uint32_t f = 0; f < frames; f++)
        for (uint32_t v = 0; v < vertices; v++, p += 3, n += 3) {
            const double angle = 6.283185307 * v / AROUND, up = 60.0 * v / vertices - 30;
            const double wide = 12 + 3 * sin(f * 0.07 + angle * 2);
            const double aside = sin(f * 0.11 + up * 0.1) * 6, turned = angle + 0.3 * sin(f * 0.03);
            p[0] = (float)(wide * cos(angle) + aside);
            p[1] = (float)(wide * sin(angle) + aside / 2);
            p[2] = (float)(up + cos(f * 0.05) * 4);
            n[0] = (float)(0.95 * cos(turned));
            n[1] = (float)(0.95 * sin(turned));
            n[2] = (float)(0.31 * cos(up + f * 0.02));
        }
    const lm_transform identity = LM_TRANSFORM_IDENTITY;
    lm_mesh *copy = lm_mesh_transform(&mesh, &identity, NULL, NULL);
    free((void *)surface.positions);
    free((void *)surface.normals);
    free(st);
    free(triangles);
    if (!copy)
        exit(1);
    return copy;
}

lm_buffer bench_make_file(const char *format, uint32_t vertices, uint32_t frames) {
    lm_buffer out = {0};
    lm_error error;
    lm_mesh *mesh = bench_make_mesh(vertices, frames);
    const lm_encode_options options = {.strips = LM_STRIPS_NONE};
    if (!lm_encode(mesh, lm_format_by_name(format), &options, &out, NULL, &error)) {
        fprintf(stderr, "lerpmesh-bench: cannot make a model: %s\n", error.message);
        exit(1);
    }
    lm_mesh_free(mesh);
    return out;
}
