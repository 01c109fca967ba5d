/* What the fuzzers share: inputs with choices, and memory that shows what nobody wrote.
 *
 * A fuzzer is fuzz_NAME.c with LLVMFuzzerTestOneInput(): it takes any bytes, goes every way through
 * one surface of the library that they can take, and stops (promise_broken) where something is not
 * as the headers promise. libFuzzer, or fuzz/main.c, brings main(). */
#ifndef FUZZ_H
#define FUZZ_H

#include "lerpmesh/assets.h"
#include "lerpmesh/lerpmesh.h"
#include "promises.h"

/* What libFuzzer calls, and what a custom mutator is given by it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* ---- Inputs -------------------------------------------------------------------------------- */

/* An input is a file. If its last byte is FUZZ_MARK, the FUZZ_TAIL bytes at its end are no part of
 * the file: they choose options. Else each option is its default, so that any file is an input. */
#define FUZZ_MARK 0xA5
#define FUZZ_TAIL 5

/* How many bytes of an input are the file. */
size_t fuzz_file_size(const uint8_t *data, size_t size);

typedef struct fuzz_input {
    uint8_t *data; /* a block of `size` bytes, so that the sanitizer sees its edge */
    size_t size;
    uint32_t choices;
} fuzz_input;

fuzz_input fuzz_open(const uint8_t *data, size_t size);
void fuzz_close(fuzz_input *input);
/* The next choice, 0 .. limit - 1, of 32 bits in all; 0 where the input makes none. */
uint32_t fuzz_choose(fuzz_input *input, uint32_t limit);

/* ---- Inputs of several files --------------------------------------------------------------- */

#define FUZZ_SEPARATOR "\n%%%%\n"
#define FUZZ_SEPARATOR_SIZE (sizeof FUZZ_SEPARATOR - 1)
#define FUZZ_MOST_PARTS 12

/* A file between separators, in a block of its own. */
typedef struct fuzz_parts {
    size_t count;
    struct {
        uint8_t *data;
        size_t size;
    } parts[FUZZ_MOST_PARTS];
} fuzz_parts;

void fuzz_split(const fuzz_input *input, fuzz_parts *parts);
void fuzz_parts_free(fuzz_parts *parts);

/* ---- Memory -------------------------------------------------------------------------------- */

/* What a run writes: a file and, of a .gltf, its .bin. */
typedef struct fuzz_output {
    lm_buffer file, more; /* FUZZ_MOST_OUTPUT bytes at most */
    bool written;
    lm_error error; /* why it was not, if there was anything to write */
    bool tried;
} fuzz_output;

#define FUZZ_MOST_OUTPUT (1 << 15)

/* Writes what `input` says, with `memory` for all that it takes. */
typedef void fuzz_writer(fuzz_input input, const lm_allocator *memory, fuzz_output *out);

/* Writes twice, in memory that is full of other bytes: what differs was never written. A run that
 * tried and did not write says why, and leaves nothing. */
void fuzz_write_twice(const fuzz_input *input, fuzz_writer *write);

/* ---- Models -------------------------------------------------------------------------------- */

/* Loads the input as its choices say, with memory from `allocator` (NULL: any). NULL, or a model
 * that keeps the promises; `borrow` may be among the options. */
lm_model *fuzz_load(fuzz_input *input, const lm_allocator *allocator);

/* What loads without `repair` has all that the file has. */
void fuzz_assert_faithful(const fuzz_input *input);

#endif
