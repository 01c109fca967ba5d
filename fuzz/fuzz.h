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

/* malloc whose memory is full of the byte that `fill` points to: what differs between two fills was
 * never written. */
lm_allocator fuzz_filled(uint8_t *fill);
/* Two buffers hold the same bytes. */
void fuzz_assert_same(const lm_buffer *a, const lm_buffer *b);

/* ---- Models -------------------------------------------------------------------------------- */

/* Loads the input as its choices say, with memory from `allocator` (NULL: any). NULL, or a model
 * that keeps the promises; `borrow` may be among the options. */
lm_model *fuzz_load(fuzz_input *input, const lm_allocator *allocator);

#endif
