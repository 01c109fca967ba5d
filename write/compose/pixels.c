/* Resizes images, and converts them to a game's palette. */
#include "compose/composing.h"

#include <string.h>

/* Returns the perceived difference of two colours, weighted for the eye's sensitivity: highest for
 * green, lowest for blue. */
static uint32_t distance(const uint8_t *a, const uint8_t *b) {
    const int red = a[0] - b[0], green = a[1] - b[1], blue = a[2] - b[2];
    return (uint32_t)(3 * red * red + 6 * green * green + 2 * blue * blue);
}

static uint8_t nearest_colour(const uint8_t *pixel, const uint8_t *rgb, uint32_t num_colors) {
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < num_colors && least > 0; i++) {
        const uint32_t here = distance(pixel, rgb + 3 * (size_t)i);
        if (here < least) {
            least = here;
            best = i;
        }
    }
    return (uint8_t)best;
}

void lm_pixels_to_indices(const uint8_t *pixels, size_t count, const uint8_t *rgb,
                          uint32_t num_colors, uint8_t *indices) {
    for (size_t i = 0; i < count; i++, pixels += 4)
        indices[i] = i > 0 && memcmp(pixels, pixels - 4, 3) == 0
                         ? indices[i - 1]
                         : nearest_colour(pixels, rgb, num_colors);
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
