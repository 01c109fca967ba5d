/* Which rows of numbers are within reach of which: frames that can be told by small offsets. */
#ifndef LM_ENCODE_REACH_H
#define LM_ENCODE_REACH_H

#include "lerpmesh/base.h"

/* Rows are a whole number of blocks long; what is not needed is 0. */
#define LM_REACH_BLOCK 32

typedef struct lm_reach {
    uint32_t num_rows;
    size_t num_blocks;     /* of a row */
    const int16_t *values; /* [num_rows * num_blocks * LM_REACH_BLOCK] */
    /* Row b reaches row f if every value of f minus that of b is least .. most; least <= 0 <= most.
     * A difference of two values must not be within reach once it is cut to 16 bits if it was not
     * before. */
    int16_t least, most;
} lm_reach;

/* Sets bit f % 64 of word f / 64 of out[b * words ...] where row b reaches row f, and clears it
 * where it does not. Half the squared number of rows comparisons, each of which ends at the first
 * block that decides: put those values first that differ most. */
void lm_find_reach(const lm_reach *reach, size_t words, uint64_t *out);

#endif
