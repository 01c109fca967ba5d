/* Shared by the fuzzers: inputs with choices, and memory that reveals uninitialised bytes.
 *
 * A fuzzer is fuzz_NAME.c with LLVMFuzzerTestOneInput(). It accepts any bytes, exercises one
 * surface of the library with them, and stops (promise_broken) if a guarantee of the headers is
 * broken. libFuzzer, or fuzz/main.c, provides main(). */
#ifndef FUZZ_H
#define FUZZ_H

#include "lerpmesh/assets.h"
#include "lerpmesh/lerpmesh.h"
#include "promises.h"

/* Called by libFuzzer, and available to a custom mutator. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* ---- Inputs -------------------------------------------------------------------------------- */

/* An input is a file. If its last byte is FUZZ_MARK, its last FUZZ_TAIL bytes are not part of the
 * file: they choose options. Otherwise each option has its default, so that any file is an
 * input. */
#define FUZZ_MARK 0xA5
#define FUZZ_TAIL 5

/* Returns the number of bytes of an input that are the file. */
size_t fuzz_file_size(const uint8_t *data, size_t size);

typedef struct fuzz_input {
    uint8_t *data; /* a block of `size` bytes, so that the sanitizer detects reads past its end */
    size_t size;
    uint32_t choices;
} fuzz_input;

fuzz_input fuzz_open(const uint8_t *data, size_t size);
void fuzz_close(fuzz_input *input);
/* Returns the next choice, 0 .. limit - 1, from a total of 32 bits; 0 if the input has none. */
uint32_t fuzz_choose(fuzz_input *input, uint32_t limit);

/* Replaying runs every check of every input. */
extern bool fuzz_all_checks;
/* Returns true for one in `count` inputs, chosen by their bytes: for checks that take long. */
bool fuzz_one_in(const fuzz_input *input, uint32_t count);

/* ---- Inputs of several files --------------------------------------------------------------- */

#define FUZZ_SEPARATOR "\n%%%%\n"
#define FUZZ_SEPARATOR_SIZE (sizeof FUZZ_SEPARATOR - 1)
#define FUZZ_MAX_PARTS 12

/* A file between separators, in its own block. */
typedef struct fuzz_parts {
    size_t count;
    struct {
        uint8_t *data;
        size_t size;
    } parts[FUZZ_MAX_PARTS];
} fuzz_parts;

void fuzz_split(const fuzz_input *input, fuzz_parts *parts);
void fuzz_parts_free(fuzz_parts *parts);
/* Returns a copy of a part with a NUL at its end, to free. */
char *fuzz_text(const fuzz_parts *parts, size_t index);

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

/* ---- Models -------------------------------------------------------------------------------- */

/* Loads the input as its choices select, with memory from `allocator` (NULL: malloc). Returns NULL,
 * or a model that keeps the guarantees; `borrow` may be among the options. */
lm_model *fuzz_load(fuzz_input *input, const lm_allocator *allocator);

/* Checks that loading without `repair` keeps everything in the file. */
void fuzz_assert_faithful(const fuzz_input *input);

#endif
