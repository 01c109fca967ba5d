/* Small images for the tests, and an allocator that counts and fails on demand. */
#ifndef TESTS_IMAGE_MAKER_H
#define TESTS_IMAGE_MAKER_H

#include "lerpmesh/image.h"

/* Describes a PCX file. Pixels follow a pattern that `pcx_index` and `pcx_channel` repeat. */
typedef struct pcx_kind {
    unsigned version, bits, planes;
    uint32_t width, height, padding; /* padding: bytes per line beyond the needed ones */
    uint32_t xmin, ymin;
    bool raw, no_palette, no_marker;
    uint32_t trailing; /* bytes after the end */
} pcx_kind;

uint8_t pcx_index(uint32_t x, uint32_t y, unsigned bits);
uint8_t pcx_channel(uint32_t x, uint32_t y, unsigned channel);
lm_buffer make_pcx(const pcx_kind *kind);
lm_buffer make_tga(uint32_t width, uint32_t height, unsigned type, unsigned bits);
lm_buffer make_png(uint32_t width, uint32_t height);
/* Makes 16 x 8 grey pixels: 64 on the left, 192 on the right. */
lm_buffer make_jpeg(void);

/* Reads from a copy of exactly `size` bytes, so that a sanitizer detects reads past the end. */
lm_image *read_copy(const uint8_t *data, size_t size, const lm_image_options *options,
                    lm_error *error);

#endif
