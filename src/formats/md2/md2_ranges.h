/* Passes over whole tables of a file: minimums and maximums for bounds and checks. */
#ifndef LM_MD2_RANGES_H
#define LM_MD2_RANGES_H

#include "lerpmesh/model.h"

typedef struct lm_range_u8 {
    uint8_t min[4], max[4];
} lm_range_u8;

/* Rows of packed vertices of 4 bytes each: x, y, z, normal. */
typedef struct lm_packed_rows {
    const uint8_t *first;
    size_t stride;   /* bytes from one row to the next */
    size_t num_rows; /* >= 1 */
    size_t count;    /* vertices per row, >= 1 */
} lm_packed_rows;

/* Returns the largest normal of all rows. Unless `ranges` is NULL, ranges[num_rows] gets the range
 * of each row, separately for each of the four bytes. The scalar version gives the same results one
 * vertex at a time. */
uint8_t lm_measure_rows(const lm_packed_rows *rows, lm_range_u8 *ranges);
uint8_t lm_measure_rows_scalar(const lm_packed_rows *rows, lm_range_u8 *ranges);

/* Returns true if each row's six 16-bit words are below limits[0 .. 5]. */
bool lm_words_below(const uint8_t *rows, size_t count, const uint32_t limits[6]);

/* Checks the six 32-bit numbers at the start of each row; rows are `stride` bytes apart. Returns
 * true if the magnitude of each number (all but its highest bit) is 0 or in low .. high - 1. Both
 * limits are below 2^31. */
bool lm_sizes_within(const uint8_t *rows, size_t stride, size_t count, uint32_t low, uint32_t high);

/* Computes a frame's box and sphere from the range of its packed positions. The frame's scale, of
 * any sign, and translate must be set. */
void lm_range_bounds(const lm_range_u8 *range, lm_frame *frame);

#endif
