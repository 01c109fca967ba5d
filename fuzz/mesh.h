/* Meshes from any bytes, as input for encoders, comparisons and changes. */
#ifndef FUZZ_MESH_H
#define FUZZ_MESH_H

#include "fuzz.h"

#include "lerpmesh/import.h"
#include "lerpmesh/mesh.h"

#define FUZZ_MAX_LISTS 128

/* A mesh and its memory: lists in separate blocks, so that the sanitizer detects reads past their
 * ends. */
typedef struct fuzz_mesh {
    lm_mesh mesh;
    lm_mesh *made; /* a model's mesh, if the bytes were a model */
    void *lists[FUZZ_MAX_LISTS];
    size_t num_lists, missing; /* the list of that number (from 1) is missing */
} fuzz_mesh;

/* Turns a model's bytes into its mesh, and reads all others as described in fuzz/mesh.c. Most
 * meshes are valid; others have faults for lm_mesh_check: a missing list, or an invalid index or
 * number. Returns false if the model does not load. */
bool fuzz_mesh_read(const fuzz_part *part, fuzz_mesh *out);
void fuzz_mesh_free(fuzz_mesh *mesh);

/* Appends the whole contents of a valid mesh, so that two can be compared by their bytes. */
void fuzz_mesh_print(const lm_mesh *mesh, lm_buffer *out);

/* Returns the options of an import that the input chooses. */
lm_import_options fuzz_import_options(fuzz_input *input, const lm_allocator *memory);
/* Checks the result of an import, puts its whole contents into `out`, and frees it. */
void fuzz_import_put(lm_import *found, fuzz_output *out);

#endif
