/* Writes images. PNG: W3C "Portable Network Graphics Specification", second edition. OpenEXR:
 * "OpenEXR File Layout", version 2. The encoder is our own for deflate.c's reasons: the bytes are
 * the same everywhere, and lack of memory is an ordinary error. */
#include "core/bytes.h"
#include "core/crc.h"
#include "core/options.h"
#include "core/report.h"
#include "core/writing.h"
#include "image/decoded_image.h"
#include "lerpmesh/image.h"
#include "packing/deflate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- OpenEXR --------------------------------------------------------------------------------- */

#define EXR_MAGIC 20000630u
#define EXR_VERSION 2u /* without flags: scan lines */
#define EXR_FLOAT 2u   /* the type of a channel */
#define EXR_ZIP 3u     /* the compression */
#define LINES_PER_BLOCK 16u
#define NUM_CHANNELS 3u
#define MAX_RAW 0x7FFFFFFFu

static void put_u32(lm_buffer *out, uint32_t value) {
    uint8_t bytes[4];
    lmi_put_u32(bytes, value);
    lm_buffer_append(out, bytes, sizeof bytes);
}

static void put_f32(lm_buffer *out, float value) {
    uint8_t bytes[4];
    lmi_put_f32(bytes, value);
    lm_buffer_append(out, bytes, sizeof bytes);
}

/* Begins an attribute of `size` bytes. */
static void put_attribute(lm_buffer *out, const char *name, const char *type, uint32_t size) {
    lm_buffer_append(out, name, strlen(name) + 1);
    lm_buffer_append(out, type, strlen(type) + 1);
    put_u32(out, size);
}

static void put_window(lm_buffer *out, const char *name, uint32_t width, uint32_t height) {
    put_attribute(out, name, "box2i", 16);
    put_u32(out, 0);
    put_u32(out, 0);
    put_u32(out, width - 1);
    put_u32(out, height - 1);
}

static void put_header(lm_buffer *out, uint32_t width, uint32_t height) {
    put_u32(out, EXR_MAGIC);
    put_u32(out, EXR_VERSION);
    /* Write the channels by their names, in alphabetical order. */
    put_attribute(out, "channels", "chlist", NUM_CHANNELS * 18 + 1);
    for (const char *name = "BGR"; *name; name++) {
        lm_buffer_append(out, (const char[]){*name, 0}, 2);
        put_u32(out, EXR_FLOAT);
        put_u32(out, 0); /* not perceptually linear, and three reserved bytes */
        put_u32(out, 1); /* every pixel, horizontally and vertically */
        put_u32(out, 1);
    }
    lm_buffer_append(out, "", 1);
    put_attribute(out, "compression", "compression", 1);
    lm_buffer_append(out, (const uint8_t[]){EXR_ZIP}, 1);
    put_window(out, "dataWindow", width, height);
    put_window(out, "displayWindow", width, height);
    put_attribute(out, "lineOrder", "lineOrder", 1);
    lm_buffer_append(out, "", 1); /* increasing */
    put_attribute(out, "pixelAspectRatio", "float", 4);
    put_f32(out, 1);
    put_attribute(out, "screenWindowCenter", "v2f", 8);
    put_f32(out, 0);
    put_f32(out, 0);
    put_attribute(out, "screenWindowWidth", "float", 4);
    put_f32(out, 1);
    lm_buffer_append(out, "", 1); /* the end of the header */
}

/* Stores lines channel by channel: blue, green, red. */
static void copy_lines(const float *rgb, uint32_t width, uint32_t lines, uint8_t *out) {
    for (uint32_t y = 0; y < lines; y++, rgb += NUM_CHANNELS * (size_t)width)
        for (unsigned channel = NUM_CHANNELS; channel-- > 0;)
            for (size_t x = 0; x < width; x++, out += 4)
                lmi_put_f32(out, rgb[NUM_CHANNELS * x + channel]);
}

/* Appends a block: the number of its first line, its size, its bytes. A block that would not shrink
 * is stored as it is. */
static void put_block(lm_buffer *out, uint32_t y, const uint8_t *lines, uint8_t *filtered,
                      size_t size) {
    put_u32(out, y);
    const size_t start = out->size;
    put_u32(out, 0);
    /* Put the bytes at even places before those at odd ones, and replace each by its difference
     * from the one before, plus 128. */
    for (size_t i = 0; i < size; i++)
        filtered[i / 2 + (i % 2) * ((size + 1) / 2)] = lines[i];
    for (size_t i = size; i-- > 1;)
        filtered[i] = (uint8_t)(filtered[i] - filtered[i - 1] + 128);
    lmi_zlib_append(out, filtered, size);
    if (out->failed)
        return;
    if (out->size - start - 4 >= size) {
        out->size = start + 4;
        lm_buffer_append(out, lines, size);
    }
    lmi_put_u32(out->data + start, (uint32_t)(out->size - start - 4));
}

/* Appends the table of the blocks' offsets in the file, and the blocks. */
static void put_blocks(lm_buffer *out, size_t file, const float *rgb, uint32_t width,
                       uint32_t height) {
    const size_t line = (size_t)width * NUM_CHANNELS * sizeof *rgb;
    const uint32_t num_blocks = (height - 1) / LINES_PER_BLOCK + 1;
    const size_t table = out->size;
    lm_buffer memory = {.allocator = out->allocator};
    uint8_t *lines = lm_buffer_reserve(&memory, 2 * LINES_PER_BLOCK * line);
    lm_buffer_reserve(out, 8 * (size_t)num_blocks);
    for (uint32_t i = 0; lines && i < num_blocks && !out->failed; i++) {
        const uint32_t y = i * LINES_PER_BLOCK, left = height - y;
        const uint32_t count = left < LINES_PER_BLOCK ? left : LINES_PER_BLOCK;
        lmi_put_u32(out->data + table + 8 * (size_t)i, (uint32_t)(out->size - file));
        copy_lines(rgb + NUM_CHANNELS * (size_t)y * width, width, count, lines);
        put_block(out, y, lines, lines + LINES_PER_BLOCK * line, count * line);
    }
    out->failed = out->failed || memory.failed;
    lm_buffer_free(&memory);
}

/* As lm_floats_write with LM_FLOATS_EXR. Blocks of 16 lines, each compressed by zlib after its
 * bytes were divided into two halves and replaced by differences. */
static bool write_exr(const float *rgb, uint32_t width, uint32_t height, lm_buffer *out,
                      lm_error *error) {
    if (width > MAX_RAW / (NUM_CHANNELS * sizeof *rgb) / height)
        return lm_fail_plain(error, LM_CODE_LIMIT, "exr: %u x %u pixels are too many to write",
                             (unsigned)width, (unsigned)height);
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    put_header(out, width, height);
    put_blocks(out, mark.size, rgb, width, height);
    return lmi_buffer_end(out, mark, true, "EXR", error);
}

/* ---- PNG ------------------------------------------------------------------------------------- */

#define NUM_FILTERS 5

enum {
    COLOUR_RGB = 2,
    COLOUR_PALETTE = 3,
    COLOUR_RGBA = 6
};

static void put_big(uint8_t *p, uint32_t value) {
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* To write a chunk, open it, append its data and close it, which fills in its length and
 * checksum. */
static size_t open_chunk(lm_buffer *out, const char *type) {
    size_t start = out->size;
    lm_buffer_reserve(out, 4);
    lm_buffer_append(out, type, 4);
    return start;
}

static void close_chunk(lm_buffer *out, size_t start) {
    uint8_t crc[4];
    if (out->failed)
        return;
    put_big(out->data + start, (uint32_t)(out->size - start - 8));
    put_big(crc, lmi_crc32(0, out->data + start + 4, out->size - start - 4));
    lm_buffer_append(out, crc, sizeof crc);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static uint8_t paeth(int left, int up, int corner) {
    int guess = left + up - corner;
    int a = abs(guess - left), b = abs(guess - up), c = abs(guess - corner);
    return (uint8_t)(a <= b && a <= c ? left : b <= c ? up : corner);
}

static inline uint8_t predicted(int filter, uint8_t left, uint8_t up, uint8_t corner) {
    switch (filter) {
    case 1:
        return left;
    case 2:
        return up;
    case 3:
        return (uint8_t)((left + up) / 2);
    case 4:
        return paeth(left, up, corner);
    default:
        return 0;
    }
}

/* Every caller passes a constant `filter`, so that the compiler specialises the loop. */
static inline uint64_t filter_with(int filter, const uint8_t *row, const uint8_t *above,
                                   size_t size, size_t step, uint8_t *out) {
    const uint8_t *left = row - step, *corner = above - step;
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        uint8_t difference = (uint8_t)(row[i] - predicted(filter, left[i], above[i], corner[i]));
        sum += difference < 128 ? difference : 256u - difference;
        out[i] = difference;
    }
    return sum;
}

/* Filters a row into `out`. `step` zeros precede the row and the one above it. Returns the sum of
 * the absolute differences. */
static uint64_t filter_row(int filter, const uint8_t *row, const uint8_t *above, size_t size,
                           size_t step, uint8_t *out) {
    switch (filter) {
    case 1:
        return filter_with(1, row, above, size, step, out);
    case 2:
        return filter_with(2, row, above, size, step, out);
    case 3:
        return filter_with(3, row, above, size, step, out);
    case 4:
        return filter_with(4, row, above, size, step, out);
    default:
        return filter_with(0, row, above, size, step, out);
    }
}

/* Filters with the smallest differences, as the specification suggests (12.8). Returns the
 * filter. */
static int filter_best(const uint8_t *row, const uint8_t *above, size_t size, size_t step,
                       uint8_t *out) {
    int best = 0;
    uint64_t least = UINT64_MAX;
    for (int filter = 0; filter < NUM_FILTERS; filter++) {
        uint64_t sum = filter_row(filter, row, above, size, step, out);
        if (sum < least) {
            least = sum;
            best = filter;
        }
    }
    if (best != NUM_FILTERS - 1)
        filter_row(best, row, above, size, step, out);
    return best;
}

/* The pixels to write: of an image, or floats. */
typedef struct source {
    uint32_t width, height;
    size_t step;           /* bytes per pixel */
    const lm_image *image; /* NULL: `rgb`, as 16 bits per channel */
    const float *rgb;
} source;

static void copy_row(const source *from, uint32_t y, uint8_t *row) {
    const lm_image *image = from->image;
    const size_t start = (size_t)y * from->width;
    if (!image) {
        const float *rgb = from->rgb + 3 * start;
        const size_t count = 3 * (size_t)from->width;
        for (size_t i = 0; i < count; i++) {
            const float clamped = fminf(fmaxf(rgb[i], 0), 1);
            const unsigned value = (unsigned)lrintf(clamped * UINT16_MAX);
            row[2 * i] = (uint8_t)(value >> 8);
            row[2 * i + 1] = (uint8_t)value;
        }
    } else if (from->step == 1)
        memcpy(row, image->indices + start, image->width);
    else
        for (size_t x = 0; x < image->width; x++)
            memcpy(row + x * from->step, image->pixels + 4 * (start + x), from->step);
}

/* Appends all rows with their filters, ready for compression. `lines`: memory for two rows with one
 * pixel before each, all 0. */
static void put_rows(const source *from, uint8_t *lines, lm_buffer *raw) {
    const size_t step = from->step, size = from->width * step;
    for (uint32_t y = 0; y < from->height; y++) {
        uint8_t *row = lines + step + (y & 1) * (step + size);
        const uint8_t *above = lines + step + (~y & 1) * (step + size);
        copy_row(from, y, row);
        uint8_t *out = lm_buffer_reserve(raw, size + 1);
        if (!out)
            return;
        /* Neighbouring indices are unrelated. */
        out[0] = 0;
        if (step == 1)
            memcpy(out + 1, row, size);
        else
            out[0] = (uint8_t)filter_best(row, above, size, step, out + 1);
    }
}

/* ---- Chunks ---------------------------------------------------------------------------------- */

/* Writes the palette up to the last index in use. If an alpha is not 255, writes the alphas too. */
static void put_palette(const lm_image *image, lm_buffer *out) {
    uint8_t alpha[256];
    size_t count = (size_t)image->width * image->height, used = image->palette->num_colors;
    memset(alpha, 255, sizeof alpha);
    for (size_t i = 0; i < count; i++) {
        uint8_t index = image->indices[i];
        alpha[index] = image->pixels[4 * i + 3];
        used = index >= used ? index + (size_t)1 : used;
    }
    size_t chunk = open_chunk(out, "PLTE");
    lm_buffer_append(out, image->palette->rgb, 3 * used);
    close_chunk(out, chunk);
    if (image->opaque)
        return;
    chunk = open_chunk(out, "tRNS");
    lm_buffer_append(out, alpha, used);
    close_chunk(out, chunk);
}

static void put_pixels(const source *from, lm_buffer *out) {
    lm_buffer raw = {.allocator = out->allocator}, lines = {.allocator = out->allocator};
    const size_t size = 2 * from->step * ((size_t)from->width + 1);
    uint8_t *rows = lm_buffer_reserve(&lines, size);
    if (rows) {
        memset(rows, 0, size);
        put_rows(from, rows, &raw);
    }
    out->failed = out->failed || lines.failed || raw.failed;
    size_t chunk = open_chunk(out, "IDAT");
    if (!out->failed)
        lmi_zlib_append(out, raw.data, raw.size);
    close_chunk(out, chunk);
    lm_buffer_free(&raw);
    lm_buffer_free(&lines);
}

static bool write_png(const source *from, int colour, lm_buffer *out, lm_error *error) {
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    if (from->width > (MAX_RAW / from->height - 1) / from->step)
        return lm_fail_plain(error, LM_CODE_LIMIT, "png: %u x %u pixels are too many to write",
                             (unsigned)from->width, (unsigned)from->height);
    lm_buffer_mark mark = lmi_buffer_begin(out);
    lm_buffer_append(out, signature, sizeof signature);
    uint8_t header[13] = {0};
    put_big(header, from->width);
    put_big(header + 4, from->height);
    header[8] = from->image ? 8 : 16; /* bits per sample */
    header[9] = (uint8_t)colour;
    size_t chunk = open_chunk(out, "IHDR");
    lm_buffer_append(out, header, sizeof header);
    close_chunk(out, chunk);
    if (colour == COLOUR_PALETTE)
        put_palette(from->image, out);
    put_pixels(from, out);
    close_chunk(out, open_chunk(out, "IEND"));
    return lmi_buffer_end(out, mark, true, "PNG", error);
}

bool lmi_image_write_png(const lm_image *image, lm_buffer *out, lm_error *error) {
    int colour = image->indices ? COLOUR_PALETTE : image->opaque ? COLOUR_RGB : COLOUR_RGBA;
    const source from = {.width = image->width,
                         .height = image->height,
                         .step = colour == COLOUR_PALETTE ? 1
                                 : colour == COLOUR_RGB   ? 3
                                                          : 4,
                         .image = image};
    return write_png(&from, colour, out, error);
}

static bool size_valid(uint32_t width, uint32_t height, lm_error *error) {
    return (width > 0 && height > 0) ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "an image cannot have %u x %u pixels",
                         (unsigned)width, (unsigned)height);
}

bool lm_floats_write(const float *rgb, uint32_t width, uint32_t height, lm_float_format format,
                     lm_buffer *out, lm_error *error) {
    if (!LM_GIVEN(error, out) || !lmi_buffer_valid(out, __func__, error))
        return false;
    if (!rgb)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "the floats to write are NULL");
    if ((unsigned)format > LM_FLOATS_EXR)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "there is no format of floats %u",
                             (unsigned)format);
    if (!size_valid(width, height, error))
        return false;
    if (format == LM_FLOATS_EXR)
        return write_exr(rgb, width, height, out, error);
    const source from = {.width = width, .height = height, .step = 6, .rgb = rgb};
    return write_png(&from, COLOUR_RGB, out, error);
}

static bool write_plain_png(const uint8_t *pixels, uint32_t width, uint32_t height, lm_buffer *out,
                            lm_error *error) {
    const lm_image image = {.format = "",
                            .width = width,
                            .height = height,
                            .pixels = pixels,
                            .opaque = lmi_pixels_alpha(pixels, (size_t)width * height) ==
                                      LM_ALPHA_OPAQUE};
    return lmi_image_write_png(&image, out, error);
}

static bool write_tga(const uint8_t *pixels, uint32_t width, uint32_t height, lm_buffer *out,
                      lm_error *error) {
    const bool opaque = lmi_pixels_alpha(pixels, (size_t)width * height) == LM_ALPHA_OPAQUE;
    const uint8_t header[18] = {[2] = 2,
                                [12] = (uint8_t)width,
                                [13] = (uint8_t)(width >> 8),
                                [14] = (uint8_t)height,
                                [15] = (uint8_t)(height >> 8),
                                [16] = opaque ? 24 : 32,
                                [17] = opaque ? 0 : 8};
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    lm_buffer_append(out, header, sizeof header);
    for (uint32_t y = height; y > 0; y--)
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *p = pixels + 4 * ((size_t)(y - 1) * width + x);
            const uint8_t pixel[4] = {p[2], p[1], p[0], p[3]};
            lm_buffer_append(out, pixel, opaque ? 3 : 4);
        }
    return lmi_buffer_end(out, mark, true, "TGA", error);
}

bool lm_pixels_write(const uint8_t *pixels, uint32_t width, uint32_t height,
                     lm_pixels_format format, const lm_palette *palette, lm_buffer *out,
                     lm_error *error) {
    if (!LM_GIVEN(error, out) || !lmi_buffer_valid(out, __func__, error))
        return false;
    if (!pixels)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "the pixels to write are NULL");
    if ((unsigned)format > LM_PIXELS_PCX)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "there is no format of pixels %u",
                             (unsigned)format);
    if (format == LM_PIXELS_PCX && !palette)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "a PCX needs a palette");
    if (format == LM_PIXELS_PCX && (palette->num_colors < 1 || palette->num_colors > 256))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "a palette cannot have %u colours",
                             (unsigned)palette->num_colors);
    if (!size_valid(width, height, error))
        return false;
    if (format == LM_PIXELS_PNG)
        return write_plain_png(pixels, width, height, out, error);
    if (width > UINT16_MAX || height > UINT16_MAX)
        return lm_fail_plain(error, LM_CODE_LIMIT,
                             "a %s has at most 65535 x 65535 pixels, but the image has %u x %u",
                             format == LM_PIXELS_TGA ? "TGA" : "PCX", (unsigned)width,
                             (unsigned)height);
    return format == LM_PIXELS_TGA ? write_tga(pixels, width, height, out, error)
                                   : lmi_pcx_write(pixels, width, height, palette, out, error);
}
