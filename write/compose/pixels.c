/* Resizes images, and converts them to a game's palette. */
#include "compose/composing.h"
#include "math/colours.h"

#include <string.h>

void lm_pixels_to_indices(const uint8_t *pixels, size_t count, const uint8_t *rgb,
                          uint32_t num_colors, uint8_t *indices) {
    for (size_t i = 0; i < count; i++, pixels += 4)
        indices[i] = i > 0 && memcmp(pixels, pixels - 4, 3) == 0
                         ? indices[i - 1]
                         : lm_nearest_colour(pixels, rgb, num_colors);
}

/* The input pixels that output pixel `at` of a resized row or column covers: `count` from `first`
 * on. The k-th has weight(k); the weights sum to `from`. */
typedef struct span {
    uint32_t first, count;
    uint64_t start, end; /* in units of 1 / `to` of an input pixel */
} span;

static span span_at(uint32_t at, uint32_t from, uint32_t to) {
    const uint64_t start = (uint64_t)at * from, end = start + from;
    const uint32_t first = (uint32_t)(start / to), last = (uint32_t)((end - 1) / to);
    return (span){first, last - first + 1, start, end};
}

static uint64_t weight(const span *s, uint32_t k, uint32_t to) {
    const uint64_t low = (uint64_t)(s->first + k) * to, high = low + to;
    return (high < s->end ? high : s->end) - (low > s->start ? low : s->start);
}

void lm_pixels_resize(const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t *out,
                      uint32_t new_width, uint32_t new_height) {
    for (uint32_t y = 0; y < new_height; y++) {
        const span rows = span_at(y, height, new_height);
        for (uint32_t x = 0; x < new_width; x++, out += 4) {
            const span columns = span_at(x, width, new_width);
            const uint64_t all = (uint64_t)width * height;
            uint64_t sums[4] = {0, 0, 0, 0};
            for (uint32_t j = 0; j < rows.count; j++)
                for (uint32_t i = 0; i < columns.count; i++) {
                    const uint8_t *p =
                        pixels + 4 * ((size_t)(rows.first + j) * width + columns.first + i);
                    const uint64_t part =
                        weight(&rows, j, new_height) * weight(&columns, i, new_width);
                    for (int c = 0; c < 4; c++)
                        sums[c] += part * p[c];
                }
            for (int c = 0; c < 4; c++)
                out[c] = (uint8_t)((sums[c] + all / 2) / all);
        }
    }
}
