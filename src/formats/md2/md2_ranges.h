/* Passes over a file's tables as a whole: the smallest and largest of what they hold, for bounds
 * and checks. */
#ifndef LM_MD2_RANGES_H
#define LM_MD2_RANGES_H

#include "lerpmesh/model.h"

typedef struct lm_range_u8 {
    uint8_t min[4], max[4];
} lm_range_u8;

/* Rows of packed vertices of 4 bytes: x, y, z, normal. */
typedef struct lm_packed_rows {
    const uint8_t *first;
    size_t stride;   /* bytes from one row to the next */
    size_t num_rows; /* >= 1 */
    size_t count;    /* vertices in a row, >= 1 */
} lm_packed_rows;

/* The largest normal in all rows; and, unless `ranges` is NULL, the range of each row, each of the
 * four bytes by itself, into ranges[num_rows]. The second gives the same, a vertex at a time. */
uint8_t lm_measure_rows(const lm_packed_rows *rows, lm_range_u8 *ranges);
uint8_t lm_measure_rows_scalar(const lm_packed_rows *rows, lm_range_u8 *ranges);

/* Whether no row of six 16-bit words holds a word that is limits[c] or more in its column c. */
bool lm_words_below(const uint8_t *rows, size_t count, const uint32_t limits[6]);

/* Whether the six 32-bit numbers at the start of each row, `stride` bytes apart, are all 0 or have
 * a size, which is all but the highest bit, of at least `low` and below `high`; both are below
 * 2^31. */
bool lm_sizes_within(const uint8_t *rows, size_t stride, size_t count, uint32_t low, uint32_t high);

/* A frame's box and sphere from the range of its packed positions, whatever the signs of the scale:
 * scale and translate are set. */
void lm_range_bounds(const lm_range_u8 *range, lm_frame *frame);

#endif
