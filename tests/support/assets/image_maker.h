/* Small images for the tests. */
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
/* Rows from the bottom; `packed`: RLE8. The pixels are pcx_index or pcx_channel, of 4 channels. */
lm_buffer make_bmp(uint32_t width, uint32_t height, unsigned bits, bool packed);
lm_buffer make_png(uint32_t width, uint32_t height);

#endif
