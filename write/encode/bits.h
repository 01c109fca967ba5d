/* Rows of bits, 64 per word. */
#ifndef LM_ENCODE_BITS_H
#define LM_ENCODE_BITS_H

#include "lerpmesh/base.h"

/* Returns the number of 64-bit words in a row with one bit for each of `count` nodes. */
#define LM_COVER_WORDS(count) (((size_t)(count) + 63) / 64)

static inline bool lm_has_bit(const uint64_t *row, uint32_t bit) {
    return row[bit / 64] >> bit % 64 & 1;
}

static inline void lm_set_bit(uint64_t *row, uint32_t bit) {
    row[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline void lm_clear_bit(uint64_t *row, uint32_t bit) {
    row[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

static inline uint32_t lm_count_bits(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

#endif
