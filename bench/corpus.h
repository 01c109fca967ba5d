/* The models to measure: real ones, and a synthetic one of any size. */
#ifndef BENCH_CORPUS_H
#define BENCH_CORPUS_H

#include "lerpmesh/mesh.h"

typedef struct bench_file {
    char *path;
    const char *name; /* the last part of the path */
    uint8_t *data;
    size_t size;
    lm_model *model;
} bench_file;

typedef struct bench_corpus {
    bench_file *files; /* by name; all contents differ */
    size_t count;
} bench_corpus;

/* Adds the bytes of a model. Ignores unknown formats, damaged models, and contents that are there
 * already. Returns whether it was added. */
bool bench_corpus_add(bench_corpus *corpus, const char *path, const void *data, size_t size);
/* Adds a file, or every file below a folder with a format's extension; folders named "attack" are
 * left out. */
void bench_corpus_add_path(bench_corpus *corpus, const char *path);
/* Adds the models of $LERPMESH_CORPUS, of $ASSIMP_MODELS or /usr/share/assimp/models, and samples.
 */
void bench_corpus_add_defaults(bench_corpus *corpus);
void bench_corpus_sort(bench_corpus *corpus);
void bench_corpus_free(bench_corpus *corpus);

/* Makes a tube that sways and turns, with two triangles per vertex and no seams. Free it with
 * lm_mesh_free. */
lm_mesh *bench_make_mesh(uint32_t vertices, uint32_t frames);
/* Encodes such a mesh. Exits on failure. */
lm_buffer bench_make_file(const char *format, uint32_t vertices, uint32_t frames);

#endif
