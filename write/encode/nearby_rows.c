#include "encode/nearby_rows.h"

#include "encode/bits.h"

#include <string.h>

#define LANES 8

/* The minimum and maximum of each lane. */
typedef struct spans {
    int16_t low[LANES], high[LANES];
} spans;

/* Branch-free, so that compilers vectorise it. */
static void widen(spans *s, const int16_t *restrict a, const int16_t *restrict b, size_t count) {
    spans own = *s;
    for (size_t i = 0; i < count; i += LANES)
        for (int k = 0; k < LANES; k++) {
            const int16_t d = (int16_t)((uint16_t)b[i + (size_t)k] - (uint16_t)a[i + (size_t)k]);
            own.low[k] = d < own.low[k] ? d : own.low[k];
            own.high[k] = d > own.high[k] ? d : own.high[k];
        }
    *s = own;
}

/* Compares one block, then twice as many as before, because most rows are out of reach at once. */
static void compare_rows(const lm_nearby *rows, uint32_t a, uint32_t b, bool *forward,
                         bool *backward) {
    const size_t size = rows->num_blocks * LM_NEARBY_BLOCK;
    const int16_t *p = rows->values + a * size, *q = rows->values + b * size;
    spans s = {{0}, {0}};
    *forward = *backward = true;
    for (size_t i = 0, step = LM_NEARBY_BLOCK; i < size && (*forward || *backward); i += step) {
        step = i > 0 && i < size - i ? i : i > 0 ? size - i : LM_NEARBY_BLOCK;
        int low = 0, high = 0;
        widen(&s, p + i, q + i, step);
        for (int k = 0; k < LANES; k++) {
            low = s.low[k] < low ? s.low[k] : low;
            high = s.high[k] > high ? s.high[k] : high;
        }
        *forward = low >= rows->least && high <= rows->most;
        *backward = high <= -rows->least && low >= -rows->most;
    }
}

void lm_find_nearby(const lm_nearby *rows, size_t words, uint64_t *out) {
    memset(out, 0, rows->num_rows * words * sizeof *out);
    for (uint32_t a = 0; a < rows->num_rows; a++) {
        lm_set_bit(out + a * words, a);
        for (uint32_t b = a + 1; b < rows->num_rows; b++) {
            bool forward, backward;
            compare_rows(rows, a, b, &forward, &backward);
            if (forward)
                lm_set_bit(out + a * words, b);
            if (backward)
                lm_set_bit(out + b * words, a);
        }
    }
}
