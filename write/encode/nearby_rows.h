/* Finds pairs of rows within reach of each other: frames that small offsets can express. */
#ifndef LM_ENCODE_NEARBY_ROWS_H
#define LM_ENCODE_NEARBY_ROWS_H

#include "lerpmesh/base.h"

/* Rows are padded with zeros to a multiple of this. */
#define LM_NEARBY_BLOCK 32

typedef struct lm_nearby {
    uint32_t num_rows;
    size_t num_blocks;     /* per row */
    const int16_t *values; /* [num_rows * num_blocks * LM_NEARBY_BLOCK] */
    /* Row b reaches row f if every value of f minus that of b is in least .. most; least <= 0 <=
     * most. A difference that is out of reach must stay out of reach when it is truncated to 16
     * bits. */
    int16_t least, most;
} lm_nearby;

/* Sets bit f % 64 of word f / 64 of out[b * words ...] if row b reaches row f, and clears it
 * otherwise. Compares each pair of rows up to the first block that decides. So put the values first
 * that differ most. */
void lm_find_nearby(const lm_nearby *rows, size_t words, uint64_t *out);

#endif
