/* Shared by the fuzzers: inputs with choices, and memory that reveals uninitialised bytes.
 *
 * A fuzzer is a function that accepts any bytes, exercises one surface of the library with them,
 * and stops (promise_broken) if a guarantee of the headers is broken. The table in fuzz.c lists
 * them. libFuzzer, or fuzz/main.c, provides main(). */
#ifndef FUZZ_H
#define FUZZ_H

#include "lerpmesh/assets.h"
#include "lerpmesh/import.h"
#include "lerpmesh/lerpmesh.h"
#include "promises.h"

/* ---- Inputs -------------------------------------------------------------------------------- */

/* An input is a file. If its last byte is FUZZ_MARK, its last FUZZ_TAIL bytes are not part of
 * the file: they choose options. Otherwise each option has its default, so that any file is an
 * input. Some fuzzers take several files, with separators between them. */
#define FUZZ_MARK 0xA5
#define FUZZ_TAIL 5
#define FUZZ_SEPARATOR "\n%%%%\n"
#define FUZZ_SEPARATOR_SIZE (sizeof FUZZ_SEPARATOR - 1)
#define FUZZ_MAX_PARTS 12

typedef struct fuzz_part {
    uint8_t *data; /* a block of `size` bytes, so that the sanitizer detects reads past its end */
    size_t size;
} fuzz_part;

typedef struct fuzz_input {
    uint8_t *data; /* also a block of its own */
    size_t size;
    uint32_t choices;
    const char *kind; /* the only kind of file that the surface reads, or NULL */
    size_t num_parts; /* 0 before fuzz_split */
    fuzz_part parts[FUZZ_MAX_PARTS];
} fuzz_input;

/* Returns the number of bytes of an input that are the file. */
size_t fuzz_file_size(const uint8_t *data, size_t size);
fuzz_input fuzz_open(const uint8_t *data, size_t size);
/* Copies the files between separators; there is at least one. */
void fuzz_split(fuzz_input *input);
void fuzz_close(fuzz_input *input);

/* Returns the next choice, 0 .. limit - 1, from a total of 32 bits; 0 if the input has none. */
uint32_t fuzz_choose(fuzz_input *input, uint32_t limit);
/* Returns a random number, 0 .. limit - 1 (0 if limit is 0), and changes the state: for more
 * numbers than an input has choices. */
uint32_t fuzz_chance(uint32_t *state, size_t limit);
/* Returns a copy of a part with a NUL at its end, to free. */
char *fuzz_text(const fuzz_part *part);

/* Replaying runs every check of every input. */
extern bool fuzz_all_checks;
/* Returns true for one in `count` inputs, chosen by their bytes: for checks that take long. */
bool fuzz_one_in(const fuzz_input *input, uint32_t count);

/* ---- Surfaces -------------------------------------------------------------------------------- */

typedef void fuzz_surface(fuzz_input *input);

fuzz_surface fuzz_archive, fuzz_assets, fuzz_assimp, fuzz_check, fuzz_clips, fuzz_compare,
    fuzz_edit, fuzz_encode, fuzz_examine, fuzz_export, fuzz_image, fuzz_import, fuzz_load,
    fuzz_optimize, fuzz_palette, fuzz_rewrite, fuzz_sample, fuzz_scene, fuzz_shader, fuzz_sheet,
    fuzz_skeleton, fuzz_skin, fuzz_tool;

/* Chooses the surface that the program's name (fuzz_NAME) or the first argument names, and
 * removes that argument. If neither does, it prints the surfaces, one per line, and ends the
 * program. */
void fuzz_choose_surface(int *argc, char **argv);

/* Called by libFuzzer, and available to a custom mutator. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* ---- Memory -------------------------------------------------------------------------------- */

/* The output of a run: a file and, for a .gltf, its .bin. */
typedef struct fuzz_output {
    lm_buffer file, more; /* at most FUZZ_MAX_OUTPUT bytes */
    bool written;
    lm_error error; /* the reason, if writing was tried and failed */
    bool tried;
} fuzz_output;

#define FUZZ_MAX_OUTPUT (1 << 15)

/* Writes the output that `input` selects, with all memory from `memory`. */
typedef void fuzz_writer(fuzz_input input, const lm_allocator *memory, fuzz_output *out);

/* Writes; one in four inputs twice, with memory filled with different bytes: bytes that differ were
 * never initialised. A run whose writing fails has a reason, and leaves no output. */
void fuzz_write_twice(const fuzz_input *input, fuzz_writer *write);

/* Checks that writing again gave the same bytes. */
void fuzz_assert_same(const lm_buffer *a, const lm_buffer *b);

/* ---- Models -------------------------------------------------------------------------------- */

/* Loads the input as its choices select, with memory from `allocator` (NULL: malloc). Returns NULL,
 * or a model that keeps the guarantees; the options may borrow the bytes. */
lm_model *fuzz_load_model(fuzz_input *input, const lm_allocator *allocator);

/* Makes a random change of a file. Returns false if it is rejected. */
bool fuzz_edit_step(lm_edit *edit, uint32_t *state, lm_error *error);

/* ---- Meshes from any bytes, for encoders, comparisons and changes ---------------------------- */

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
