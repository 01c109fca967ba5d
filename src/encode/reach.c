#include "encode/reach.h"

#include <string.h>

typedef struct span {
    int16_t low, high;
} span;

/* A whole block at a time, without a branch in it: compilers make vectors of that. */
static span block_span(const int16_t *a, const int16_t *b, span s) {
    for (int i = 0; i < LM_REACH_BLOCK; i++) {
        const int16_t d = (int16_t)((uint16_t)b[i] - (uint16_t)a[i]);
        s.low = d < s.low ? d : s.low;
        s.high = d > s.high ? d : s.high;
    }
    return s;
}

static void compare_rows(const lm_reach *reach, uint32_t a, uint32_t b, bool *there, bool *back) {
    const size_t size = reach->num_blocks * LM_REACH_BLOCK;
    const int16_t *p = reach->values + a * size, *q = reach->values + b * size;
    span s = {0, 0};
    *there = *back = true;
    for (size_t i = 0; i < size && (*there || *back); i += LM_REACH_BLOCK) {
        s = block_span(p + i, q + i, s);
        *there = s.low >= reach->least && s.high <= reach->most;
        *back = s.high <= -reach->least && s.low >= -reach->most;
    }
}

static void set_bit(uint64_t *row, uint32_t bit) {
    row[bit / 64] |= UINT64_C(1) << bit % 64;
}

void lm_find_reach(const lm_reach *reach, size_t words, uint64_t *out) {
    memset(out, 0, reach->num_rows * words * sizeof *out);
    for (uint32_t a = 0; a < reach->num_rows; a++) {
        set_bit(out + a * words, a);
        for (uint32_t b = a + 1; b < reach->num_rows; b++) {
            bool there, back;
            compare_rows(reach, a, b, &there, &back);
            if (there)
                set_bit(out + a * words, b);
            if (back)
                set_bit(out + b * words, a);
        }
    }
}
