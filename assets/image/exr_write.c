/* Writes OpenEXR: "OpenEXR File Layout", version 2. One part of scan lines, with ZIP compression:
 * blocks of 16 lines, each compressed by zlib after its bytes were divided into two halves and
 * replaced by differences. */
#include "core/bytes.h"
#include "core/report.h"
#include "core/writing.h"
#include "image/decoded_image.h"
#include "packing/deflate.h"

#include <string.h>

#define EXR_MAGIC 20000630u
#define EXR_VERSION 2u /* without flags: scan lines */
#define EXR_FLOAT 2u   /* the type of a channel */
#define EXR_ZIP 3u     /* the compression */
#define LINES_PER_BLOCK 16u
#define NUM_CHANNELS 3u
#define MAX_RAW 0x7FFFFFFFu

static void put_u32(lm_buffer *out, uint32_t value) {
    uint8_t bytes[4];
    lm_put_u32(bytes, value);
    lm_buffer_append(out, bytes, sizeof bytes);
}

static void put_f32(lm_buffer *out, float value) {
    uint8_t bytes[4];
    lm_put_f32(bytes, value);
    lm_buffer_append(out, bytes, sizeof bytes);
}

/* ---- The header ----------------------------------------------------------------------------- */

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

/* ---- Blocks --------------------------------------------------------------------------------- */

/* Stores lines channel by channel: blue, green, red. */
static void copy_lines(const float *rgb, uint32_t width, uint32_t lines, uint8_t *out) {
    for (uint32_t y = 0; y < lines; y++, rgb += NUM_CHANNELS * (size_t)width)
        for (unsigned channel = NUM_CHANNELS; channel-- > 0;)
            for (size_t x = 0; x < width; x++, out += 4)
                lm_put_f32(out, rgb[NUM_CHANNELS * x + channel]);
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
    lm_zlib_append(out, filtered, size);
    if (out->failed)
        return;
    if (out->size - start - 4 >= size) {
        out->size = start + 4;
        lm_buffer_append(out, lines, size);
    }
    lm_put_u32(out->data + start, (uint32_t)(out->size - start - 4));
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
        lm_put_u32(out->data + table + 8 * (size_t)i, (uint32_t)(out->size - file));
        copy_lines(rgb + NUM_CHANNELS * (size_t)y * width, width, count, lines);
        put_block(out, y, lines, lines + LINES_PER_BLOCK * line, count * line);
    }
    out->failed = out->failed || memory.failed;
    lm_buffer_free(&memory);
}

bool lm_exr_write(const float *rgb, uint32_t width, uint32_t height, lm_buffer *out,
                  lm_error *error) {
    if (width > MAX_RAW / (NUM_CHANNELS * sizeof *rgb) / height)
        return lm_fail_plain(error, LM_CODE_LIMIT, "exr: %u x %u pixels are too many to write",
                             (unsigned)width, (unsigned)height);
    const lm_buffer_mark mark = lm_buffer_begin(out);
    put_header(out, width, height);
    put_blocks(out, mark.size, rgb, width, height);
    return lm_buffer_end(out, mark, true, "EXR", error);
}
