/* Takes of any bytes: what encoders, comparing and changing take are given. */
#ifndef FUZZ_TAKE_H
#define FUZZ_TAKE_H

#include "fuzz.h"

#include "lerpmesh/mesh.h"

#define FUZZ_MOST_LISTS 128

/* A take, and what it is made of: lists in blocks of their own, so that the sanitizer sees their
 * edges. */
typedef struct fuzz_take {
    lm_take take;
    lm_take *made; /* of a model, if the bytes were one */
    void *lists[FUZZ_MOST_LISTS];
    size_t num_lists, missing; /* the list of that number (from 1) is left out */
} fuzz_take;

/* A model's bytes become what it shows; all others are read as fuzz/take.c says. Most are sound,
 * others are what lm_take_check is for: a list that is not there, an index or a number that is
 * none. False if the model does not load. */
bool fuzz_take_read(const uint8_t *data, size_t size, fuzz_take *out);
void fuzz_take_free(fuzz_take *take);

/* Appends everything that a sound take has, so that two can be compared by their bytes. */
void fuzz_take_print(const lm_take *take, lm_buffer *out);

#endif
