/* Reads an image's size from its header. */
#include "lerpmesh/image.h"

#include "image/decoded_image.h"
#include "image/pcx.h"

enum {
    PNG_AT_WIDTH = 16, /* big-endian, like all of PNG; in the chunk IHDR, which is the first */
    PNG_AT_HEIGHT = 20,
    PNG_HEADER_SIZE = 24,
    TGA_AT_WIDTH = 12,
    TGA_AT_HEIGHT = 14
};

static uint32_t big_32(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t big_16(const uint8_t *p) {
    return (uint32_t)p[0] << 8 | p[1];
}

static bool pcx_size(lm_bytes file, uint32_t *width, uint32_t *height) {
    if (file.size < LM_PCX_HEADER_SIZE)
        return false;
    int across = lm_get_u16(file.data + LM_PCX_AT_XMAX) - lm_get_u16(file.data + LM_PCX_AT_XMIN);
    int down = lm_get_u16(file.data + LM_PCX_AT_YMAX) - lm_get_u16(file.data + LM_PCX_AT_YMIN);
    *width = across >= 0 ? (uint32_t)across + 1 : 0;
    *height = down >= 0 ? (uint32_t)down + 1 : 0;
    return true;
}

/* The frame header is the first segment SOF0 to SOF15. Numbers 4, 8 and 12 are DHT, JPG and DAC
 * (ITU-T T.81, B.2.2). */
static bool jpeg_size(lm_bytes file, uint32_t *width, uint32_t *height) {
    size_t at = 2;
    while (file.size - at >= 9) {
        const uint8_t *segment = file.data + at;
        unsigned marker = segment[1];
        if (segment[0] != 0xFF)
            return false;
        if (marker == 0xFF) { /* padding */
            at++;
            continue;
        }
        if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 &&
            marker != 0xCC) {
            *height = big_16(segment + 5);
            *width = big_16(segment + 7);
            return true;
        }
        size_t length = 2 + big_16(segment + 2);
        if (length < 4 || length > file.size - at)
            return false;
        at += length;
    }
    return false;
}

bool lm_image_size(const void *data, size_t size, uint32_t *width, uint32_t *height) {
    const lm_bytes file = {data, size};
    const char *format = lm_image_format_of(data, size);
    bool found = false;
    *width = *height = 0;
    if (format && format[0] == 'j') {
        found = jpeg_size(file, width, height);
    } else if (format && strcmp(format, "png") == 0) {
        found = file.size >= PNG_HEADER_SIZE;
        *width = found ? big_32(file.data + PNG_AT_WIDTH) : 0;
        *height = found ? big_32(file.data + PNG_AT_HEIGHT) : 0;
    } else if (format && strcmp(format, "pcx") == 0) {
        found = pcx_size(file, width, height);
    } else if (format) {
        *width = lm_get_u16(file.data + TGA_AT_WIDTH);
        *height = lm_get_u16(file.data + TGA_AT_HEIGHT);
        found = true;
    }
    return found && *width > 0 && *height > 0;
}
