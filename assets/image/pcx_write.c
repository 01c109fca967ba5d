/* Writes PCX in the form that Quake II reads: version 5, run-length encoded, lines of exactly the
 * image's width, and runs that end with their line. */
#include "core/report.h"
#include "core/writing.h"
#include "image/pcx.h"
#include "lerpmesh/image.h"
#include "math/colours.h"

#include <string.h>

#define VERSION 5
#define COLOURED 1 /* the kind of palette */
#define AT_PALETTE_KIND 68
#define RUN 0xC0 /* added to the length of a run */
#define MAX_RUN 63
#define MAX_SIDE 65535 /* bytes of a line */

static void put_word(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static void put_header(uint32_t width, uint32_t height, lm_buffer *out) {
    uint8_t header[LM_PCX_HEADER_SIZE] = {[LM_PCX_AT_MANUFACTURER] = LM_PCX_MANUFACTURER,
                                          [LM_PCX_AT_VERSION] = VERSION,
                                          [LM_PCX_AT_ENCODING] = 1,
                                          [LM_PCX_AT_BITS] = 8,
                                          [LM_PCX_AT_PLANES] = 1,
                                          [AT_PALETTE_KIND] = COLOURED};
    put_word(header + LM_PCX_AT_XMAX, width - 1);
    put_word(header + LM_PCX_AT_YMAX, height - 1);
    put_word(header + LM_PCX_AT_BYTES_PER_LINE, width);
    lm_buffer_append(out, header, sizeof header);
}

static void put_run(uint8_t index, uint32_t count, lm_buffer *out) {
    const uint8_t bytes[2] = {(uint8_t)(RUN + count), index};
    const bool plain = count == 1 && index < RUN;
    lm_buffer_append(out, plain ? bytes + 1 : bytes, plain ? 1 : 2);
}

static void put_line(const uint8_t *pixels, uint32_t width, const lm_palette *palette,
                     lm_buffer *out) {
    const uint32_t num_colors = palette->num_colors < UINT8_MAX ? palette->num_colors : UINT8_MAX;
    uint32_t run = 0;
    uint8_t last = 0;
    for (uint32_t x = 0; x < width; x++, pixels += 4) {
        const bool same = x > 0 && memcmp(pixels, pixels - 4, 3) == 0;
        const uint8_t index = same ? last : lm_nearest_colour(pixels, palette->rgb[0], num_colors);
        if (run > 0 && (index != last || run == MAX_RUN)) {
            put_run(last, run, out);
            run = 0;
        }
        last = index;
        run++;
    }
    put_run(last, run, out);
}

bool lm_pixels_write_pcx(const uint8_t *pixels, uint32_t width, uint32_t height,
                         const lm_palette *palette, lm_buffer *out, lm_error *error) {
    static const uint8_t marker = LM_PCX_MARKER;
    if (width > MAX_SIDE || height > MAX_SIDE)
        return lm_fail_plain(error, LM_CODE_LIMIT,
                             "a PCX has at most %u x %u pixels, but the image has %u x %u",
                             MAX_SIDE, MAX_SIDE, (unsigned)width, (unsigned)height);
    const lm_buffer_mark mark = lm_buffer_begin(out);
    put_header(width, height, out);
    for (uint32_t y = 0; y < height; y++)
        put_line(pixels + 4 * (size_t)width * y, width, palette, out);
    lm_buffer_append(out, &marker, 1);
    lm_buffer_append(out, palette->rgb, sizeof palette->rgb);
    return lm_buffer_end(out, mark, true, "PCX", error);
}
