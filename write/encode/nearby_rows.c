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
static void compare_rows(const lm_nearby *reach, uint32_t a, uint32_t b, bool *there, bool *back) {
    const size_t size = reach->num_blocks * LM_REACH_BLOCK;
    const int16_t *p = reach->values + a * size, *q = reach->values + b * size;
    spans s = {{0}, {0}};
    *there = *back = true;
    for (size_t i = 0, step = LM_REACH_BLOCK; i < size && (*there || *back); i += step) {
        step = i > 0 && i < size - i ? i : i > 0 ? size - i : LM_REACH_BLOCK;
        int low = 0, high = 0;
        widen(&s, p + i, q + i, step);
        for (int k = 0; k < LANES; k++) {
            low = s.low[k] < low ? s.low[k] : low;
            high = s.high[k] > high ? s.high[k] : high;
        }
        *there = low >= reach->least && high <= reach->most;
        *back = high <= -reach->least && low >= -reach->most;
    }
}

void lm_find_nearby(const lm_nearby *reach, size_t words, uint64_t *out) {
    memset(out, 0, reach->num_rows * words * sizeof *out);
    for (uint32_t a = 0; a < reach->num_rows; a++) {
        lm_set_bit(out + a * words, a);
        for (uint32_t b = a + 1; b < reach->num_rows; b++) {
            bool there, back;
            compare_rows(reach, a, b, &there, &back);
            if (there)
                lm_set_bit(out + a * words, b);
            if (back)
                lm_set_bit(out + b * words, a);
        }
    }
}
