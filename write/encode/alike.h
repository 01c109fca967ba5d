/* Things that are alike: all of them become the first. */
#ifndef LM_ENCODE_ALIKE_H
#define LM_ENCODE_ALIKE_H

#include "core/heap.h"

/* A step of a hash of `bits` into a key. */
static inline uint64_t lm_mix(uint64_t key, uint64_t bits) {
    key = (key ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    return key ^ key >> 29;
}

/* Of bytes, whatever the machine's order of them. */
uint64_t lm_mix_bytes(uint64_t key, const uint8_t *bytes, size_t size);

typedef bool lm_same(const void *context, uint32_t a, uint32_t b);

/* firsts[i] becomes the first that is the same as i, which has the same key; i itself if none is.
 * Different ones may have one key: then only those that are like the first of them are found.
 * Linear. False if memory ran out. */
bool lm_find_alike(uint32_t count, const uint64_t *keys, lm_same *same, const void *context,
                   uint32_t *firsts, lm_heap *heap);

#endif
