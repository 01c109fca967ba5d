#include "image_maker.h"

#include <stdlib.h>
#include <string.h>

#include "core/crc.h"
#include "packing/deflate.h"

uint8_t pcx_index(uint32_t x, uint32_t y, unsigned bits) {
    /* Long runs on some lines, none on others; some values are above 0xC0. */
    uint32_t value = y % 3 == 0 ? 0xC5 + y : x * 7 + y * 31;
    return (uint8_t)(value & ((1u << bits) - 1));
}

uint8_t pcx_channel(uint32_t x, uint32_t y, unsigned channel) {
    return (uint8_t)(y % 4 == 1 ? 0xFF - channel : x * 5 + y * 3 + channel * 80);
}

static void put(lm_buffer *out, unsigned value) {
    uint8_t byte = (uint8_t)value;
    lm_buffer_append(out, &byte, 1);
}

static void put16(lm_buffer *out, unsigned value) {
    put(out, value);
    put(out, value >> 8);
}

static void put32(lm_buffer *out, uint32_t value) {
    put16(out, value);
    put16(out, value >> 16);
}

static void put_zeros(lm_buffer *out, size_t count) {
    lm_buffer_reserve(out, count);
}

static void put_pcx_header(const pcx_kind *kind, uint32_t line, lm_buffer *out) {
    put(out, 0x0A);
    put(out, kind->version);
    put(out, !kind->raw);
    put(out, kind->bits);
    put16(out, kind->xmin);
    put16(out, kind->ymin);
    put16(out, kind->xmin + kind->width - 1);
    put16(out, kind->ymin + kind->height - 1);
    put_zeros(out, 4);
    for (unsigned i = 0; i < 48; i++)
        put(out, 5 * i + 1);
    put(out, 0);
    put(out, kind->planes);
    put16(out, line);
    put_zeros(out, 60);
}

static void put_runs(const uint8_t *bytes, size_t size, lm_buffer *out) {
    for (size_t at = 0; at < size;) {
        size_t run = 1;
        while (run < 63 && at + run < size && bytes[at + run] == bytes[at])
            run++;
        if (run > 1 || bytes[at] >= 0xC0)
            put(out, 0xC0u + (unsigned)run);
        put(out, bytes[at]);
        at += run;
    }
}

/* Packs one line of one plane. */
static void pack_plane(const pcx_kind *kind, uint32_t y, unsigned plane, uint8_t *line) {
    for (uint32_t x = 0; x < kind->width; x++) {
        if (kind->bits == 8) {
            line[x] = kind->planes == 1 ? pcx_index(x, y, 8) : pcx_channel(x, y, plane);
            continue;
        }
        unsigned value = pcx_index(x, y, kind->bits * kind->planes);
        value = value >> (plane * kind->bits) & ((1u << kind->bits) - 1);
        line[x * kind->bits / 8] |= (uint8_t)(value << (8 - kind->bits - x * kind->bits % 8));
    }
}

lm_buffer make_pcx(const pcx_kind *kind) {
    lm_buffer out = {0}, pixels = {0};
    uint32_t line = (kind->width * kind->bits + 7) / 8 + kind->padding;
    put_pcx_header(kind, line, &out);
    for (uint32_t y = 0; y < kind->height; y++)
        for (unsigned plane = 0; plane < kind->planes; plane++)
            pack_plane(kind, y, plane, lm_buffer_reserve(&pixels, line));
    /* Packs all lines at once, so runs cross line ends. */
    if (kind->raw)
        lm_buffer_append(&out, pixels.data, pixels.size);
    else
        put_runs(pixels.data, pixels.size, &out);
    lm_buffer_free(&pixels);
    if (kind->bits * kind->planes == 8 && !kind->no_palette) {
        if (!kind->no_marker)
            put(&out, 0x0C);
        for (unsigned i = 0; i < 256; i++) {
            put(&out, i);
            put(&out, 255 - i);
            put(&out, i ^ 0x55);
        }
    }
    put_zeros(&out, kind->trailing);
    return out;
}

static void put_tga_pixel(uint32_t x, uint32_t y, unsigned bits, lm_buffer *out) {
    if (bits == 8) {
        put(out, (x + y) % 2);
        return;
    }
    for (unsigned i = 0; i < bits / 8; i++)
        put(out, pcx_channel(x / 4, y, i == 3 ? 3 : 2 - i));
}

lm_buffer make_tga(uint32_t width, uint32_t height, unsigned type, unsigned bits) {
    lm_buffer out = {0};
    bool mapped = (type & 7) == 1;
    put(&out, 3); /* bytes of the identifier */
    put(&out, mapped);
    put(&out, type);
    put16(&out, 0);
    put16(&out, mapped ? 2 : 0);
    put(&out, mapped ? 24 : 0);
    put16(&out, 0);
    put16(&out, 0);
    put16(&out, width);
    put16(&out, height);
    put(&out, bits);
    put(&out, 0x20); /* the first line is the top */
    lm_buffer_append(&out, "id!", 3);
    if (mapped)
        lm_buffer_append(&out, "\x01\x02\x03\xf1\xf2\xf3", 6);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            if (type & 8 && x % 4 == 0 && bits != 8)
                put(&out, 0x80 + 3); /* a run of four */
            else if (type & 8 && x % 4 == 0)
                put(&out, 3); /* four literal bytes */
            if (!(type & 8) || bits == 8 || x % 4 == 0)
                put_tga_pixel(x, y, bits, &out);
        }
    return out;
}

lm_buffer make_bmp(uint32_t width, uint32_t height, unsigned bits, bool packed) {
    lm_buffer out = {0};
    const uint32_t colours = bits == 8 ? 256 : 0;
    lm_buffer_append(&out, "BM", 2);
    put_zeros(&out, 8); /* the file's size, and two fields that nobody reads */
    put32(&out, 54 + 4 * colours);
    put32(&out, 40);
    put32(&out, width);
    put32(&out, height);
    put16(&out, 1);
    put16(&out, bits);
    put32(&out, packed);
    put_zeros(&out, 20);
    for (unsigned i = 0; i < colours; i++)
        put32(&out, i << 16 | (255 - i) << 8 | (i ^ 0x55));
    for (uint32_t y = height; y-- > 0;) {
        for (uint32_t x = 0; packed && x < width; x += 4) { /* runs and literals in turn */
            const unsigned part = width - x < 4 ? width - x : 4;
            const bool run = y % 3 == 0 || part < 3;
            for (unsigned i = 0; i < (run ? part : 1); i++) {
                put(&out, run);
                put(&out, run ? pcx_index(x + i, y, 8) : part);
            }
            for (unsigned i = 0; !run && i < part + part % 2; i++)
                put(&out, i < part ? pcx_index(x + i, y, 8) : 0);
        }
        for (uint32_t x = 0; !packed && x < width; x++)
            for (unsigned i = 0; i < bits / 8; i++)
                put(&out, bits == 8 ? pcx_index(x, y, 8) : pcx_channel(x, y, i == 3 ? 3 : 2 - i));
        if (packed)
            put16(&out, y > 0 ? 0 : 0x0100); /* the end of the row; of the image */
        else
            put_zeros(&out, 3 - (width * bits / 8 + 3) % 4);
    }
    return out;
}

static void put_big(lm_buffer *out, uint32_t value) {
    for (int i = 24; i >= 0; i -= 8)
        put(out, value >> i);
}

static void put_chunk(lm_buffer *out, const char *type, const lm_buffer *data) {
    put_big(out, (uint32_t)data->size);
    size_t start = out->size;
    lm_buffer_append(out, type, 4);
    lm_buffer_append(out, data->data, data->size);
    put_big(out, lmi_crc32(0, out->data + start, out->size - start));
}

/* Makes an RGBA image; every line has filter 0. */
lm_buffer make_png(uint32_t width, uint32_t height) {
    lm_buffer out = {0}, header = {0}, raw = {0}, packed = {0}, end = {0};
    lm_buffer_append(&out, "\x89PNG\r\n\x1a\n", 8);
    put_big(&header, width);
    put_big(&header, height);
    lm_buffer_append(&header, "\x08\x06\0\0", 5);
    for (uint32_t y = 0; y < height; y++) {
        put(&raw, 0);
        for (uint32_t x = 0; x < 4 * width; x++)
            put(&raw, pcx_channel(x / 4, y, x % 4));
    }
    lmi_zlib_append(&packed, raw.data, raw.size);
    put_chunk(&out, "IHDR", &header);
    put_chunk(&out, "IDAT", &packed);
    put_chunk(&out, "IEND", &end);
    lm_buffer_free(&header);
    lm_buffer_free(&raw);
    lm_buffer_free(&packed);
    return out;
}
