/* Tests images: accepted and rejected files, and safety against any contents. */
#include "core/bytes.h"
#include "image/decoded_image.h"
#include "image_maker.h"
#include "packing/deflate.h"
#include "skipping.h"
#include "support.h"

#define NO_STB "built without stb, which reads PNG, JPEG and TGA"

static bool has_stb(void) {
    lm_buffer png = make_png(2, 2);
    lm_error error = {0};
    lm_image *image = lm_image_read(png.data, png.size, NULL, &error);
    if (!image)
        assert_int_equal(error.code, LM_CODE_NOT_BUILT_IN);
    lm_buffer_free(&png);
    lm_image_free(image);
    return image != NULL;
}

/* Reads from a copy of exactly `size` bytes, so that a sanitizer detects reads past the end. */
static lm_image *read_copy(const uint8_t *data, size_t size, const lm_image_options *options,
                           lm_error *error) {
    AT_END(blob_free) blob copy = blob_copy(data, size);
    return lm_image_read(copy.data, size, options, error);
}

static lm_image *read_or_fail(const lm_buffer *file, const lm_image_options *options) {
    lm_error error = {0};
    lm_image *image = read_copy(file->data, file->size, options, &error);
    assert_done(image, error);
    return image;
}

static void expect_call_rejected(const lm_buffer *file, const lm_image_options *options,
                                 lm_code code) {
    lm_error error = {0};
    assert_null(read_copy(file->data, file->size, options, &error));
    assert_string_equal(lm_code_name(error.code), lm_code_name(code));
    assert_true(strlen(error.message) > 10);
}

static const lm_diagnostic *warning_of(const lm_image *image, lm_code code) {
    for (uint32_t i = 0; i < image->num_warnings; i++)
        if (image->warnings[i].code == code)
            return &image->warnings[i];
    return NULL;
}

/* Reads every byte, so that a sanitizer checks it. */
static uint64_t sum_of(const lm_image *image) {
    uint64_t sum = 0;
    size_t count = (size_t)image->width * image->height;
    assert_true(count > 0);
    for (size_t i = 0; i < 4 * count; i++)
        sum += image->pixels[i];
    for (size_t i = 0; image->indices && i < count; i++)
        assert_memory_equal(image->palette->rgb[image->indices[i]], image->pixels + 4 * i, 3);
    for (uint32_t i = 0; i < image->num_warnings; i++)
        assert_true(strlen(image->warnings[i].text) > 5 && image->warnings[i].count > 0);
    return sum;
}

/* ---- PCX ------------------------------------------------------------------------------------- */

static const pcx_kind kinds[] = {
    {.version = 5, .bits = 8, .planes = 1, .width = 21, .height = 9},
    {.version = 5, .bits = 8, .planes = 1, .width = 21, .height = 9, .padding = 1},
    {.version = 5, .bits = 8, .planes = 1, .width = 4, .height = 40, .xmin = 7, .ymin = 300},
    {.version = 5, .bits = 8, .planes = 1, .width = 64, .height = 5, .padding = 100, .raw = true},
    {.version = 0, .bits = 8, .planes = 1, .width = 1, .height = 1},
    {.version = 5, .bits = 8, .planes = 3, .width = 19, .height = 6, .padding = 3},
    {.version = 5, .bits = 8, .planes = 4, .width = 8, .height = 4},
    {.version = 2, .bits = 1, .planes = 1, .width = 13, .height = 5},
    {.version = 2, .bits = 1, .planes = 3, .width = 13, .height = 5, .padding = 1},
    {.version = 5, .bits = 1, .planes = 4, .width = 13, .height = 5},
    {.version = 4, .bits = 2, .planes = 1, .width = 7, .height = 5},
    {.version = 4, .bits = 2, .planes = 2, .width = 7, .height = 5},
    {.version = 4, .bits = 4, .planes = 1, .width = 7, .height = 5},
};
#define NUM_KINDS (sizeof kinds / sizeof *kinds)

static void expect_pixel(const lm_image *image, const pcx_kind *kind, uint32_t x, uint32_t y) {
    const uint8_t *pixel = image->pixels + 4 * ((size_t)y * kind->width + x);
    unsigned bits = kind->bits * kind->planes;
    if (bits > 8) {
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(pixel[c], c < kind->planes ? pcx_channel(x, y, c) : 255);
        return;
    }
    unsigned index = pcx_index(x, y, bits);
    assert_int_equal(image->indices[(size_t)y * kind->width + x], index);
    assert_int_equal(pixel[0], bits == 8 ? index : (uint8_t)(15 * index + 1));
    assert_int_equal(pixel[1], bits == 8 ? 255 - index : (uint8_t)(15 * index + 6));
    assert_int_equal(pixel[2], bits == 8 ? (index ^ 0x55) : (uint8_t)(15 * index + 11));
    assert_int_equal(pixel[3], 255);
}

TEST(test_pcx_kinds) {
    for (size_t i = 0; i < NUM_KINDS; i++) {
        const pcx_kind *kind = &kinds[i];
        AT_END(lm_buffer_free) lm_buffer file = make_pcx(kind);
        OWNED(lm_image) *image = read_or_fail(&file, NULL);
        assert_string_equal(image->format, "pcx");
        assert_int_equal(image->width, kind->width);
        assert_int_equal(image->height, kind->height);
        assert_int_equal(image->num_warnings, 0);
        assert_true(image->had_alpha == (kind->planes == 4 && kind->bits == 8));
        for (uint32_t y = 0; y < kind->height; y++)
            for (uint32_t x = 0; x < kind->width; x++)
                expect_pixel(image, kind, x, y);
    }
}

static void expect_colours(const lm_buffer *file, const uint8_t *rgb, size_t count) {
    OWNED(lm_image) *image = read_or_fail(file, NULL);
    assert_memory_equal(image->palette->rgb, rgb, 3 * count);
}

TEST(test_pcx_standard_colours) {
    static const uint8_t ega[16][3] = {
        {0, 0, 0},          {0, 0, 0xAA},       {0, 0xAA, 0},       {0, 0xAA, 0xAA},
        {0xAA, 0, 0},       {0xAA, 0, 0xAA},    {0xAA, 0x55, 0},    {0xAA, 0xAA, 0xAA},
        {0x55, 0x55, 0x55}, {0x55, 0x55, 0xFF}, {0x55, 0xFF, 0x55}, {0x55, 0xFF, 0xFF},
        {0xFF, 0x55, 0x55}, {0xFF, 0x55, 0xFF}, {0xFF, 0xFF, 0x55}, {0xFF, 0xFF, 0xFF}};
    static const uint8_t mono[2][3] = {{0, 0, 0}, {255, 255, 255}};
    pcx_kind kind = {.version = 3, .bits = 1, .planes = 4, .width = 9, .height = 3};
    AT_END(lm_buffer_free) lm_buffer file = make_pcx(&kind);
    expect_colours(&file, ega[0], 16);
    lm_buffer_free(&file);
    kind.planes = 1;
    file = make_pcx(&kind);
    expect_colours(&file, mono[0], 2);
    /* A header without colours also means black and white. */
    file.data[1] = 5;
    memset(file.data + 16, 0, 48);
    expect_colours(&file, mono[0], 2);
}

static void expect_palette(const pcx_kind *kind, const lm_image_options *options, lm_code warning,
                           const uint8_t *first) {
    AT_END(lm_buffer_free) lm_buffer file = make_pcx(kind);
    OWNED(lm_image) *image = read_or_fail(&file, options);
    assert_memory_equal(image->palette->rgb[1], first, 3);
    assert_int_equal(image->num_warnings, warning != LM_CODE_OK);
    assert_true(warning == LM_CODE_OK || warning_of(image, warning));
}

TEST(test_pcx_palettes) {
    static const uint8_t own[] = {1, 254, 0x54}, grey[] = {1, 1, 1}, given[] = {9, 8, 7};
    lm_palette palette = {.num_colors = 2};
    memcpy(palette.rgb[1], given, 3);
    lm_image_options override = {.palette = &palette}, fallback = {.fallback = &palette};
    pcx_kind kind = kinds[0];
    expect_palette(&kind, &override, LM_CODE_OK, given);
    expect_palette(&kind, &fallback, LM_CODE_OK, own);
    kind.trailing = 5;
    expect_palette(&kind, NULL, LM_CODE_TRAILING_BYTES, own);
    kind.trailing = 0;
    kind.no_marker = true;
    expect_palette(&kind, NULL, LM_CODE_NO_PALETTE, own);
    kind.no_palette = true;
    expect_palette(&kind, NULL, LM_CODE_NO_PALETTE, grey);
    expect_palette(&kind, &fallback, LM_CODE_NO_PALETTE, given);
    expect_palette(&kind, &override, LM_CODE_OK, given);
}

TEST(test_pcx_transparent) {
    lm_image_options options = {.transparent_255 = true};
    pcx_kind kind = {.version = 5, .bits = 8, .planes = 1, .width = 200, .height = 60};
    AT_END(lm_buffer_free) lm_buffer file = make_pcx(&kind);
    OWNED(lm_image) *image = read_or_fail(&file, &options);
    size_t clear = 0;
    for (size_t i = 0; i < 200u * 60; i++) {
        assert_int_equal(image->pixels[4 * i + 3], image->indices[i] == 255 ? 0 : 255);
        clear += image->indices[i] == 255;
    }
    assert_true(clear > 0);
    assert_false(image->opaque);
    assert_false(image->had_alpha);
}

/* The last rows are missing, with or without the palette. */
TEST(test_truncated_pcx) {
    lm_image_options repair = {.repair = true};
    pcx_kind kind = {.version = 5, .bits = 8, .planes = 1, .width = 16, .height = 16, .raw = true};
    for (int with_palette = 0; with_palette < 2; with_palette++) {
        AT_END(lm_buffer_free) lm_buffer file = make_pcx(&kind);
        size_t cut = 40;
        memmove(file.data + 128 + 256 - cut, file.data + 128 + 256, 769);
        file.size = with_palette ? file.size - cut : 128 + 256 - cut;
        expect_call_rejected(&file, NULL, LM_CODE_BAD_IMAGE);
        lm_image *image = read_or_fail(&file, &repair);
        assert_non_null(warning_of(image, LM_CODE_BAD_IMAGE));
        for (uint32_t i = 0; i < 256; i++)
            assert_int_equal(image->indices[i], i < 256 - cut ? pcx_index(i % 16, i / 16, 8) : 0);
        assert_int_equal(image->palette->rgb[1][1], with_palette ? 254 : 1);
        lm_image_free(image);
        file.size = 128 + 100;
        expect_call_rejected(&file, &repair, LM_CODE_BAD_IMAGE);
    }
}

/* A run of no bytes has no effect. */
TEST(test_pcx_empty_run) {
    AT_END(lm_buffer_free) lm_buffer file = make_pcx(&kinds[0]), longer = {0};
    lm_buffer_append(&longer, file.data, 128);
    lm_buffer_append(&longer, "\xC0\x55", 2);
    lm_buffer_append(&longer, file.data + 128, file.size - 128);
    OWNED(lm_image) *image = read_or_fail(&longer, NULL);
    for (uint32_t x = 0; x < 21; x++)
        expect_pixel(image, &kinds[0], x, 0);
}

TEST(test_pcx_short_line) {
    lm_image_options repair = {.repair = true};
    AT_END(lm_buffer_free) lm_buffer file = make_pcx(&kinds[0]);
    file.data[66] = 20;
    expect_call_rejected(&file, NULL, LM_CODE_BAD_IMAGE);
    OWNED(lm_image) *image = read_or_fail(&file, &repair);
    for (uint32_t x = 0; x < 21; x++)
        expect_pixel(image, &kinds[0], x, 8);
}

/* ---- Others ---------------------------------------------------------------------------------- */

static void expect_channels(const lm_image *image, unsigned channels) {
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++)
            for (unsigned c = 0; c < 4; c++)
                assert_int_equal(image->pixels[4 * (y * image->width + x) + c],
                                 c < channels ? pcx_channel(x / 4, y, c) : 255);
}

/* Every kind, from the bottom and from the top, and with another palette. */
TEST(test_bmp) {
    static const struct {
        unsigned bits;
        bool packed;
    } bmps[] = {{8, false}, {8, true}, {24, false}, {32, false}};
    for (size_t i = 0; i < COUNT_OF(bmps); i++)
        for (int down = 0; down < 2; down++) {
            AT_END(lm_buffer_free) lm_buffer file = make_bmp(11, 7, bmps[i].bits, bmps[i].packed);
            const int32_t height = down ? -7 : 7;
            for (unsigned k = 0; k < 4; k++)
                file.data[22 + k] = (uint8_t)((uint32_t)height >> 8 * k);
            OWNED(lm_image) *image = read_or_fail(&file, NULL);
            assert_string_equal(image->format, "bmp");
            assert_true(image->width == 11 && image->height == 7);
            assert_true(image->had_alpha == (bmps[i].bits == 32));
            for (uint32_t at = 0; at < 11 * 7; at++) {
                const uint32_t x = at % 11, y = down ? 6 - at / 11 : at / 11;
                const uint8_t index = pcx_index(x, y, 8), *pixel = image->pixels + 4 * (size_t)at;
                for (unsigned c = 0; c < 3 && bmps[i].bits > 8; c++)
                    assert_int_equal(pixel[c], pcx_channel(x, y, c));
                const uint8_t colour[4] = {index, 255 - index, index ^ 0x55, 255};
                if (bmps[i].bits == 8)
                    assert_memory_equal(pixel, colour, 4);
                else
                    assert_int_equal(pixel[3], bmps[i].bits == 32 ? pcx_channel(x, y, 3) : 255);
                assert_true(!image->indices == (bmps[i].bits > 8));
            }
        }
}

/* Alpha that is 0 everywhere is no alpha. Masks put the channels into other bytes. */
TEST(test_bmp_alpha_and_masks) {
    AT_END(lm_buffer_free) lm_buffer plain = make_bmp(2, 1, 32, false), masked = {0};
    plain.data[54 + 3] = plain.data[58 + 3] = 0;
    OWNED(lm_image) *image = read_or_fail(&plain, NULL);
    assert_true(!image->had_alpha && image->opaque);
    static const uint8_t masks[16] = {255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255};
    static const uint8_t pixels[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    lm_buffer_append(&masked, plain.data, 54);
    lm_buffer_append(&masked, masks, sizeof masks);
    lm_buffer_append(&masked, pixels, sizeof pixels);
    masked.data[10] = 54 + 16;
    masked.data[14] = 56;
    masked.data[30] = 3;
    lm_image_free(image);
    image = read_or_fail(&masked, NULL);
    assert_memory_equal(image->pixels, pixels, sizeof pixels);
    masked.data[54] = 0x1F; /* 5 bits */
    expect_call_rejected(&masked, NULL, LM_CODE_BAD_IMAGE);
}

/* Missing rows; a size that the file cannot have; other depths; moves out of the image. */
TEST(test_damaged_bmp) {
    for (unsigned packed = 0; packed < 2; packed++) {
        AT_END(lm_buffer_free) lm_buffer file = make_bmp(11, 8, 8, packed);
        lm_image_options options = {.repair = true};
        file.size -= 20;
        expect_call_rejected(&file, NULL, LM_CODE_BAD_IMAGE);
        OWNED(lm_image) *image = read_or_fail(&file, &options);
        assert_non_null(warning_of(image, LM_CODE_BAD_IMAGE));
        assert_int_equal(image->indices[10], 0);
        file.size = 54 + 4 * 256 + 12;
        expect_call_rejected(&file, &options, LM_CODE_BAD_IMAGE);
        file.data[20] = file.data[24] = 0xFF; /* 16 million in both directions */
        expect_call_rejected(&file, &options, LM_CODE_LIMIT);
        file.data[28] = 4;
        expect_call_rejected(&file, &options, LM_CODE_BAD_IMAGE);
        file.size = 100;
        file.data[28] = 8;
        file.data[20] = file.data[24] = 0;
        expect_call_rejected(&file, &options, LM_CODE_TRUNCATED);
    }
    AT_END(lm_buffer_free) lm_buffer moves = make_bmp(3, 2, 8, true);
    static const uint8_t runs[] = {200, 7, 0, 2, 255, 1, 9, 8, 0, 2, 0, 255, 0, 1};
    moves.size = 54 + 4 * 256;
    lm_buffer_append(&moves, runs, sizeof runs);
    expect_call_rejected(&moves, NULL, LM_CODE_BAD_IMAGE);
    OWNED(lm_image) *image = read_or_fail(&moves, &(lm_image_options){.repair = true});
    static const uint8_t expected[6] = {0, 0, 0, 7, 7, 7};
    assert_memory_equal(image->indices, expected, 6);
    assert_non_null(warning_of(image, LM_CODE_BAD_IMAGE));
}

/* A run, a literal run and a move that exceed the row by one pixel, and those that fill it. */
TEST(test_bmp_runs_end_with_their_row) {
    static const uint8_t runs[][10] = {
        {3, 7, 0, 0, 3, 7, 0, 1},       {4, 7, 0, 0, 3, 7, 0, 1}, {0, 3, 1, 2, 3, 0, 0, 0, 3, 7},
        {0, 4, 1, 2, 3, 4, 0, 0, 3, 7}, {0, 2, 3, 1, 3, 7, 0, 1}, {0, 2, 4, 1, 0, 0, 0, 1}};
    for (size_t i = 0; i < COUNT_OF(runs); i++) {
        AT_END(lm_buffer_free) lm_buffer file = make_bmp(3, 2, 8, true);
        file.size = 54 + 4 * 256;
        lm_buffer_append(&file, runs[i], sizeof runs[i]);
        lm_image *image = lm_image_read(file.data, file.size, NULL, NULL);
        if (i == 4) /* the move ends at the row's end, and the run is outside */
            assert_null(image);
        else
            assert_int_equal(image != NULL, i % 2 == 0);
        lm_image_free(image);
    }
}

TEST(test_bmp_header_fields) {
    static const struct {
        size_t at;
        uint8_t value;
        lm_code code;
    } cases[] = {
        {10, 0, LM_CODE_BAD_IMAGE}, {10, 53, LM_CODE_BAD_IMAGE}, {21, 0x80, LM_CODE_BAD_IMAGE}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        AT_END(lm_buffer_free) lm_buffer file = make_bmp(11, 8, 24, false);
        file.data[cases[i].at] = cases[i].value;
        expect_call_rejected(&file, NULL, cases[i].code);
        expect_call_rejected(&file, &(lm_image_options){.repair = true}, cases[i].code);
    }
}

TEST(test_tga) {
    if (!has_stb())
        SKIP(NO_STB);
    for (unsigned type = 2; type <= 10; type += 8)
        for (unsigned bits = 24; bits <= 32; bits += 8) {
            AT_END(lm_buffer_free) lm_buffer file = make_tga(16, 7, type, bits);
            OWNED(lm_image) *image = read_or_fail(&file, NULL);
            assert_string_equal(image->format, "tga");
            assert_true(image->had_alpha == (bits == 32));
            expect_channels(image, bits / 8);
        }
    AT_END(lm_buffer_free) lm_buffer file = make_tga(8, 2, 1, 8);
    OWNED(lm_image) *image = read_or_fail(&file, NULL);
    static const uint8_t colours[2][4] = {{3, 2, 1, 255}, {0xf3, 0xf2, 0xf1, 255}};
    for (uint32_t i = 0; i < 16; i++)
        assert_memory_equal(image->pixels + 4 * (size_t)i, colours[(i % 8 + i / 8) % 2], 4);
}

/* Missing pixels are always the same: transparent black. */
TEST(test_truncated_tga) {
    if (!has_stb())
        SKIP(NO_STB);
    counted memory = {0};
    lm_image_options options = {.repair = true, .memory.allocator = counting_allocator(&memory)};
    for (unsigned type = 2; type <= 10; type += 8) {
        AT_END(lm_buffer_free) lm_buffer file = make_tga(16, 8, type, 32);
        file.size -= type == 2 ? 4 * 16 : 5 * 4;
        expect_call_rejected(&file, NULL, LM_CODE_BAD_IMAGE);
        OWNED(lm_image) *image = read_or_fail(&file, &options);
        assert_non_null(warning_of(image, LM_CODE_BAD_IMAGE));
        for (size_t i = 4 * 16 * 7; type == 2 && i < 4 * 16 * 8; i++)
            assert_int_equal(image->pixels[i], 0);
    }
}

/* Makes 16 x 8 grey pixels: 64 on the left, 192 on the right. ITU-T T.81: all quantisers are 1. The
 * DC codes are 00 for category 10 and 01 for 11; the only AC code is 0, the end of the block. The
 * blocks have the DC differences -512 (00, then 0111111111) and 1024 (01, then 10000000000). Each
 * ends with an end of block; the rest is filled with ones. */
static lm_buffer make_jpeg(void) {
    static const uint8_t head[] = {0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0};
    static const uint8_t rest[] = {0xFF, 0xC0, 0,    11,   8,    0,    8, 0, 16, 1,  1,
                                   0x11, 0, /* 16 x 8, one component */
                                   0xFF, 0xC4, 0,    21,   0x00, 0,    2, 0, 0,  0,  0,
                                   0,    0,    0,    0,    0,    0,    0, 0, 0,  0,  10,
                                   11,   0xFF, 0xC4, 0,    20,   0x10, 1, 0, 0,  0,  0,
                                   0,    0,    0,    0,    0,    0,    0, 0, 0,  0,  0,
                                   0,    0xFF, 0xDA, 0,    8,    1,    1, 0, 0,  63, 0,
                                   0x1F, 0xF3, 0x00, 0x1F, 0xFF, 0xD9};
    lm_buffer out = {0};
    lm_buffer_append(&out, head, sizeof head);
    for (int i = 0; i < 64; i++)
        lm_buffer_append(&out, "\1", 1);
    lm_buffer_append(&out, rest, sizeof rest);
    return out;
}

/* stb 2.27 itself writes past its tables for these. */
TEST(test_jpeg_tables) {
    if (!has_stb())
        SKIP(NO_STB);
    enum {
        CODES = 300
    };
    AT_END(lm_buffer_free) lm_buffer whole = make_jpeg(), file = {0};
    uint8_t head[21] = {0xFF, 0xC4, (19 + CODES) >> 8, (19 + CODES) & 255, 0};
    head[5 + 8] = 255;
    head[5 + 9] = CODES - 255;
    lm_buffer_append(&file, whole.data, 2);
    lm_buffer_append(&file, head, sizeof head);
    lm_buffer_reserve(&file, CODES);
    lm_buffer_append(&file, whole.data + 2, whole.size - 2);
    expect_call_rejected(&file, NULL, LM_CODE_BAD_IMAGE);
}

TEST(test_png_and_jpeg) {
    if (!has_stb())
        SKIP(NO_STB);
    AT_END(lm_buffer_free) lm_buffer file = make_png(11, 5);
    OWNED(lm_image) *image = read_or_fail(&file, NULL);
    assert_string_equal(image->format, "png");
    assert_true(image->had_alpha && !image->opaque);
    for (uint32_t i = 0; i < 11 * 5 * 4; i++)
        assert_int_equal(image->pixels[i], pcx_channel(i / 4 % 11, i / 44, i % 4));
    lm_image_free(image);
    lm_buffer_free(&file);
    file = make_jpeg();
    image = read_or_fail(&file, NULL);
    assert_string_equal(image->format, "jpeg");
    for (uint32_t i = 0; i < 16 * 8 * 4; i++)
        assert_int_equal(image->pixels[i], i % 4 == 3 ? 255 : i / 4 % 16 < 8 ? 64 : 192);
}

/* ---- Safety ---------------------------------------------------------------------------------- */

#define NUM_SMALL 12

static lm_buffer make_small(unsigned which) {
    switch (which) {
    case 0:
        return make_pcx(&kinds[0]);
    case 1:
        return make_pcx(&kinds[3]);
    case 2:
        return make_pcx(&kinds[5]);
    case 3:
        return make_pcx(&kinds[9]);
    case 4:
        return make_bmp(9, 5, 8, true);
    case 5:
        return make_bmp(9, 5, 8, false);
    case 6:
        return make_bmp(7, 5, 32, false);
    case 7:
        return make_tga(8, 5, 2, 32);
    case 8:
        return make_tga(8, 5, 10, 24);
    case 9:
        return make_tga(8, 5, 9, 8);
    case 10:
        return make_png(9, 4);
    default:
        return make_jpeg();
    }
}

/* Counts the formats that `test` can read: the first ones need no stb. */
static unsigned num_read(const char *test) {
    if (has_stb())
        return NUM_SMALL;
    REPORT_SKIPPED(test, NO_STB);
    return 7;
}

/* Expects either a complete image or an error. All memory is freed either way. */
static bool try_read(const uint8_t *data, size_t size, bool repair) {
    counted memory = {0};
    lm_image_options options = {.repair = repair, .max_pixels = 1 << 20};
    options.memory.allocator = counting_allocator(&memory);
    lm_error error = {0};
    lm_image *image = read_copy(data, size, &options, &error);
    bool read = image != NULL;
    if (image)
        sum_of(image);
    else
        assert_true(error.code != LM_CODE_OK && strlen(error.message) > 10);
    lm_image_free(image);
    assert_int_equal(memory.live_bytes, 0);
    return read;
}

/* Each prefix of an image that is read without repair gives the complete image. */
TEST(test_prefixes) {
    bool stb = has_stb();
    for (unsigned which = 0; which < NUM_SMALL; which++) {
        AT_END(lm_buffer_free) lm_buffer file = make_small(which);
        OWNED(lm_image) *whole = lm_image_read(file.data, file.size, NULL, NULL);
        const size_t count = whole ? (size_t)whole->width * whole->height : 0;
        size_t refused = 0;
        for (size_t size = 0; size <= file.size; size++) {
            const bool read = try_read(file.data, size, false);
            try_read(file.data, size, true);
            refused += !read;
            OWNED(lm_image) *image = read ? read_copy(file.data, size, NULL, NULL) : NULL;
            if (image && whole->indices)
                assert_memory_equal(image->indices, whole->indices, count);
            else if (image)
                assert_memory_equal(image->pixels, whole->pixels, 4 * count);
        }
        assert_true(refused > 60);
        assert_true(whole || (which > 6 && !stb));
    }
}

TEST(test_header_fields) {
    static const uint8_t values[] = {0, 1, 2, 3, 5, 8, 0x10, 0x7F, 0x80, 0xC0, 0xFE, 0xFF};
    for (unsigned which = 0; which < NUM_SMALL; which++) {
        AT_END(lm_buffer_free) lm_buffer file = make_small(which);
        for (size_t at = 0; at + 1 < file.size && at < 140; at++)
            for (size_t v = 0; v < sizeof values; v++)
                for (size_t wide = 0; wide < 2; wide++) {
                    uint8_t kept[2] = {file.data[at], file.data[at + wide]};
                    file.data[at] = file.data[at + wide] = values[v];
                    try_read(file.data, file.size, v % 2);
                    file.data[at + wide] = kept[1];
                    file.data[at] = kept[0];
                }
        assert_true(try_read(file.data, file.size, false) || (which > 6 && !has_stb()));
    }
}

/* Reading may succeed although an allocation failed: stb tries other formats first and continues if
 * memory for them fails. */
TEST(test_failing_allocations) {
    unsigned end = num_read(__func__);
    for (unsigned which = 0; which < end; which++) {
        AT_END(lm_buffer_free) lm_buffer file = make_small(which);
        bool failed = true;
        size_t at = 0;
        while (failed) {
            AT_END(assert_all_released) counted counts = {.fail_at = ++at};
            const lm_image_options options = {.memory.allocator = counting_allocator(&counts)};
            lm_error error = {0};
            OWNED(lm_image) *image = read_copy(file.data, file.size, &options, &error);
            if (!image)
                assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
            else
                sum_of(image);
            failed = counts.calls >= at;
        }
        assert_true(at > 2);
    }
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static void set_pcx_size(lm_buffer *file, unsigned width, unsigned height) {
    memset(file->data + 4, 0, 4);
    lmi_put_u16(file->data + 8, (uint16_t)(width - 1));
    lmi_put_u16(file->data + 10, (uint16_t)(height - 1));
    memset(file->data + 66, 0xFF, 2);
}

TEST(test_pcx_bombs) {
    counted memory = {0};
    lm_image_options options = {.repair = true, .memory.allocator = counting_allocator(&memory)};
    AT_END(lm_buffer_free) lm_buffer file = make_pcx(&kinds[0]);
    set_pcx_size(&file, 65536, 65536);
    expect_call_rejected(&file, &options, LM_CODE_LIMIT);
    /* Within the limit, but the file has fewer pixels. */
    set_pcx_size(&file, 4000, 4000);
    expect_call_rejected(&file, &options, LM_CODE_BAD_IMAGE);
    assert_int_equal(memory.calls, 0);
    lm_buffer_free(&file);
    file = make_pcx(&kinds[0]);
    options.max_pixels = 21 * 9 - 1;
    expect_call_rejected(&file, &options, LM_CODE_LIMIT);
    options.max_pixels++;
    lm_image_free(read_or_fail(&file, &options));
    options.memory.max_bytes = 21 * 9 * 5;
    expect_call_rejected(&file, &options, LM_CODE_LIMIT);
    assert_int_equal(memory.live_bytes, 0);
}

TEST(test_other_bombs) {
    if (!has_stb())
        SKIP(NO_STB);
    counted memory = {0};
    lm_image_options options = {.repair = true, .memory.allocator = counting_allocator(&memory)};
    AT_END(lm_buffer_free) lm_buffer file = make_tga(8, 5, 2, 32);
    memset(file.data + 12, 0xFF, 4);
    expect_call_rejected(&file, &options, LM_CODE_BAD_IMAGE);
    lm_buffer_free(&file);
    file = make_png(8, 5);
    memcpy(file.data + 16, "\0\0\x27\x10\0\0\x27\x10", 8);
    expect_call_rejected(&file, &options, LM_CODE_LIMIT);
    memcpy(file.data + 16, "\0\0\xff\xff\0\0\xff\xff", 8);
    expect_call_rejected(&file, &options, LM_CODE_BAD_IMAGE);
    assert_true(memory.most_bytes < 1 << 20);
}

/* An image so tightly packed that it can only have one colour is rejected before it is unpacked.
 * Larger files, or the options, allow reading it. */
TEST(test_plain_bombs) {
    if (!has_stb())
        SKIP(NO_STB);
    counted memory = {0};
    lm_image_options options = {.memory.allocator = counting_allocator(&memory)};
    AT_END(lm_buffer_free) lm_buffer file = make_png(8, 5);
    memcpy(file.data + 16, "\0\0\x10\x20\0\0\x10\0", 8); /* 4128 x 4096 */
    expect_call_rejected(&file, &options, LM_CODE_LIMIT);
    assert_true(memory.most_bytes < 1 << 20);
    options.max_pixels = LM_MAX_IMAGE_PIXELS;
    expect_call_rejected(&file, &options, LM_CODE_BAD_IMAGE);
    options.max_pixels = 0;
    const size_t enough = (4128 * 4096 - LM_IMAGE_PLAIN_PIXELS) / LM_IMAGE_PIXELS_PER_BYTE;
    lm_buffer_reserve(&file, enough - 1 - file.size);
    expect_call_rejected(&file, &options, LM_CODE_LIMIT);
    lm_buffer_append(&file, "", 1);
    expect_call_rejected(&file, &options, LM_CODE_BAD_IMAGE);
}

/* 64 MiB after a header with one pixel. */
TEST(test_unpacking_bomb) {
    if (!has_stb())
        SKIP(NO_STB);
    counted memory = {0};
    lm_image_options options = {.memory.allocator = counting_allocator(&memory)};
    AT_END(lm_buffer_free) lm_buffer zeros = {0}, packed = {0}, file = make_png(1, 1);
    lm_buffer_reserve(&zeros, (size_t)64 << 20);
    lmi_zlib_append(&packed, zeros.data, zeros.size);
    uint8_t length[] = {(uint8_t)(packed.size >> 24), (uint8_t)(packed.size >> 16),
                        (uint8_t)(packed.size >> 8), (uint8_t)packed.size};
    file.size = 33;
    lm_buffer_append(&file, length, 4);
    lm_buffer_append(&file, "IDAT", 4);
    lm_buffer_append(&file, packed.data, packed.size);
    lm_buffer_append(&file, "\0\0\0\0\0\0\0\0IEND\0\0\0\0", 16);
    expect_call_rejected(&file, &options, LM_CODE_LIMIT);
    assert_true(memory.most_bytes <= LM_MEMORY_EXTRA + 2 * file.size + LM_IMAGE_BYTES_PER_PIXEL);
    assert_int_equal(memory.live_bytes, 0);
}

TEST(test_unknown) {
    static const char *const texts[] = {"", "A", "RIFF....WEBPVP8 ", "GIF89a..............",
                                        "surface,models/players/skin.tga\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        lm_error error = {0};
        assert_null(lm_image_read(texts[i], strlen(texts[i]), NULL, &error));
        assert_int_equal(error.code, LM_CODE_UNKNOWN_FORMAT);
        assert_null(lmi_image_format_of(texts[i], strlen(texts[i])));
    }
}

/* ---- Palettes -------------------------------------------------------------------------------- */

TEST(test_palette_files) {
    static const char gimp[] = "GIMP Palette\r\nName: x\r\n#\r\n  1   2   3\tone\r\n255 0 7\r\n";
    uint8_t raw[768];
    lm_palette palette;
    for (size_t i = 0; i < sizeof raw; i++)
        raw[i] = (uint8_t)(i * 3);
    assert_true(lm_palette_read(raw, sizeof raw, &palette, NULL));
    assert_int_equal(palette.num_colors, 256);
    assert_memory_equal(palette.rgb, raw, sizeof raw);
    assert_true(lm_palette_read(gimp, sizeof gimp - 1, &palette, NULL));
    assert_int_equal(palette.num_colors, 2);
    assert_memory_equal(palette.rgb, "\1\2\3\xff\0\7\0\0", 8);
    AT_END(lm_buffer_free) lm_buffer pcx = make_pcx(&kinds[0]);
    assert_true(lm_palette_read(pcx.data, pcx.size, &palette, NULL));
    assert_memory_equal(palette.rgb, pcx.data + pcx.size - 768, 768);
}

TEST(test_palette_rejected) {
    static const char *const bad[] = {"", "GIMP Palette\n", "GIMP Palette\n1 2\n",
                                      "GIMP Palette\n1 2 256\n", "GIMP Palette\n1 2 99999999999\n"};
    lm_palette palette;
    lm_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(lm_palette_read(bad[i], strlen(bad[i]), &palette, &error));
    lm_buffer text = {0};
    lm_buffer_text(&text, "GIMP Palette\n");
    for (int i = 0; i < 257; i++)
        lm_buffer_text(&text, "1 2 3\n");
    assert_false(lm_palette_read(text.data, text.size, &palette, &error));
    assert_true(lm_palette_read(text.data, text.size - 6, &palette, &error));
    lm_buffer_free(&text);
    AT_END(lm_buffer_free) lm_buffer pcx = make_pcx(&kinds[5]);
    for (size_t size = 0; size < pcx.size; size++) {
        AT_END(drop_bytes) uint8_t *copy = malloc(size ? size : 1);
        memcpy(copy, pcx.data, size);
        lm_palette_read(copy, size, &palette, &error);
    }
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void expect_round_trip(const lm_buffer *file, const lm_image_options *options) {
    OWNED(lm_image) *image = read_or_fail(file, options);
    AT_END(lm_buffer_free) lm_buffer png = {0}, again = {0};
    assert_true(lmi_image_write_png(image, &png, NULL));
    assert_true(lmi_image_write_png(image, &again, NULL));
    assert_int_equal(png.size, again.size);
    assert_memory_equal(png.data, again.data, png.size);
    OWNED(lm_image) *back = read_or_fail(&png, NULL);
    assert_int_equal(back->width, image->width);
    assert_int_equal(back->height, image->height);
    assert_memory_equal(back->pixels, image->pixels, 4 * (size_t)image->width * image->height);
}

TEST(test_png_round_trip) {
    if (!has_stb())
        SKIP(NO_STB);
    lm_image_options clear = {.transparent_255 = true};
    lm_palette two = {.num_colors = 2, .rgb = {{1, 2, 3}, {4, 5, 6}}};
    lm_image_options few = {.palette = &two};
    pcx_kind large = {.version = 5, .bits = 8, .planes = 3, .width = 400, .height = 300};
    for (size_t i = 0; i <= NUM_KINDS; i++) {
        AT_END(lm_buffer_free) lm_buffer file = make_pcx(i < NUM_KINDS ? &kinds[i] : &large);
        expect_round_trip(&file, NULL);
        expect_round_trip(&file, &clear);
        expect_round_trip(&file, &few);
    }
}

TEST(test_png_failing_allocations) {
    AT_END(lm_buffer_free) lm_buffer file = make_pcx(&kinds[6]);
    OWNED(lm_image) *image = read_or_fail(&file, NULL);
    EACH_ALLOCATION_FAILS (f) {
        AT_END(lm_buffer_free) lm_buffer png = {.allocator = f.memory.allocator};
        f.done = lmi_image_write_png(image, &png, &f.error);
        assert_true(!f.done || f.at > 3);
    }
}

TEST(formats_of_pixels_have_limits) {
    static const uint8_t pixels[4];
    const lm_palette palette = {.num_colors = 1};
    const struct {
        lm_pixels_format format;
        uint32_t width;
        const lm_palette *palette;
        lm_code code;
    } cases[] = {{LM_PIXELS_TGA, 65536, NULL, LM_CODE_LIMIT},
                 {LM_PIXELS_PCX, 65536, &palette, LM_CODE_LIMIT},
                 {LM_PIXELS_PCX, 1, NULL, LM_CODE_BAD_ARGUMENT},
                 {(lm_pixels_format)9, 1, &palette, LM_CODE_BAD_ARGUMENT}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        lm_buffer out = {0};
        lm_error error;
        assert_false(lm_pixels_write(pixels, cases[i].width, 1, cases[i].format, cases[i].palette,
                                     &out, &error));
        assert_int_equal(error.code, cases[i].code);
        assert_int_equal(out.size, 0);
    }
}

/* ---- Pixels in memory ---------------------------------------------------------------------- */

TEST(indices_become_an_image) {
    static const uint8_t indices[] = {0, 255, 7, 7, 1, 2};
    uint8_t rgb[768];
    lm_error error = {0};
    for (size_t i = 0; i < sizeof rgb; i++)
        rgb[i] = (uint8_t)(255 - i % 251);
    lm_image *image = lmi_image_of_indices(3, 2, indices, rgb, NULL, &error);
    assert_non_null(image);
    assert_string_equal(image->format, "indices");
    assert_true(image->width == 3 && image->height == 2 && image->opaque && !image->had_alpha);
    assert_memory_equal(image->indices, indices, sizeof indices);
    for (size_t i = 0; i < 6; i++) {
        assert_memory_equal(image->pixels + 4 * i, rgb + 3 * (size_t)indices[i], 3);
        assert_int_equal(image->pixels[4 * i + 3], 255);
    }
    lm_image_free(image);
    const lm_palette own = {.num_colors = 256, .rgb = {[7] = {1, 2, 3}}};
    image = lmi_image_of_indices(
        3, 2, indices, rgb, &(lm_image_options){.palette = &own, .transparent_255 = true}, &error);
    assert_non_null(image);
    assert_memory_equal(image->pixels + 8, ((uint8_t[]){1, 2, 3, 255}), 4);
    assert_int_equal(image->pixels[7], 0);
    assert_false(image->opaque);
    lm_image_free(image);
    assert_null(lmi_image_of_indices(0, 2, indices, rgb, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_IMAGE);
    assert_null(
        lmi_image_of_indices(3, 2, indices, rgb, &(lm_image_options){.max_pixels = 5}, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
}

TEST(indices_survive_failing_allocations) {
    static const uint8_t indices[] = {1, 2, 3, 4}, rgb[768];
    EACH_ALLOCATION_FAILS (f) {
        const lm_image_options options = {.memory = f.memory};
        OWNED(lm_image) *image = lmi_image_of_indices(2, 2, indices, rgb, &options, &f.error);
        f.done = image != NULL;
    }
}

TEST(palettes_have_1_to_256_colors) {
    static const uint8_t indices[1], rgb[768];
    static const lm_palette none = {.num_colors = 0}, many = {.num_colors = 257};
    const lm_image_options bad[] = {{.palette = &none}, {.palette = &many}, {.fallback = &many}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        lm_error error = {0};
        assert_null(lmi_image_of_indices(1, 1, indices, rgb, &bad[i], &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "colors, but must have 1 to 256"));
    }
}

/* Tests the sizes of images from their headers. */

static const pcx_kind pcx = {
    .version = 5, .bits = 8, .planes = 1, .width = 21, .height = 300, .xmin = 7, .ymin = 9};

/* Reads from a copy of `size` bytes. */
static bool size_of(const lm_buffer *file, size_t size, uint32_t *width, uint32_t *height) {
    AT_END(blob_free) blob copy = blob_copy(file->data, size);
    return lmi_image_size(copy.data, copy.size, width, height);
}

/* Checks that the header is sufficient, that less is not, and that no prefix is read past its
 * end. */
static void expect(lm_buffer file, size_t header, uint32_t width, uint32_t height) {
    uint32_t w, h;
    for (size_t size = 0; size <= file.size; size++) {
        assert_int_equal(size_of(&file, size, &w, &h), size >= header);
        assert_int_equal(w, size >= header ? width : 0);
        assert_int_equal(h, size >= header ? height : 0);
    }
    lm_buffer_free(&file);
}

TEST(sizes_are_in_headers) {
    expect(make_pcx(&pcx), 128, 21, 300);
    expect(make_bmp(5, 7, 24, false), 26, 5, 7);
    expect(make_png(5, 7), 24, 5, 7);
    expect(make_tga(9, 4, 2, 24), 18, 9, 4);
    expect(make_tga(9, 4, 10, 32), 18, 9, 4);
}

/* After the segments before the frame header; equal to the decoded size. */
TEST(jpeg_size_may_follow_other_segments) {
    AT_END(lm_buffer_free) lm_buffer file = make_jpeg(), grown = {0};
    uint32_t w, h;
    uint8_t comment[300] = {0xFF, 0xFF, 0xFE, 0x01, 0x29};
    assert_true(size_of(&file, file.size, &w, &h));
    assert_int_equal(w, 16);
    assert_int_equal(h, 8);
    lm_buffer_append(&grown, file.data, 2);
    lm_buffer_append(&grown, comment, sizeof comment);
    lm_buffer_append(&grown, file.data + 2, file.size - 2);
    assert_false(size_of(&grown, 200, &w, &h));
    assert_true(size_of(&grown, grown.size, &w, &h));
    assert_int_equal(w, 16);
    for (size_t size = 0; size < grown.size; size++)
        size_of(&grown, size, &w, &h);
}

/* The marker of Huffman tables lies among those of frame headers. A segment contains at least its
 * length. */
TEST(a_jpeg_may_have_tables_first) {
    static const uint8_t table[] = {0xFF, 0xC4, 0, 9, 0, 0, 99, 0, 99, 0, 0};
    static const uint8_t broken[] = {0xFF, 0xFE, 0, 0};
    AT_END(lm_buffer_free) lm_buffer file = make_jpeg();
    uint32_t w, h;
    for (int is_broken = 0; is_broken < 2; is_broken++) {
        AT_END(lm_buffer_free) lm_buffer grown = {0};
        lm_buffer_append(&grown, file.data, 2);
        lm_buffer_append(&grown, is_broken ? broken : table,
                         is_broken ? sizeof broken : sizeof table);
        lm_buffer_append(&grown, file.data + 2, file.size - 2);
        assert_int_equal(size_of(&grown, grown.size, &w, &h), !is_broken);
        assert_int_equal(w, is_broken ? 0 : 16);
    }
}

TEST(other_formats_have_no_size) {
    uint32_t w = 1, h = 1;
    AT_END(lm_buffer_free) lm_buffer file = make_pcx(&pcx);
    assert_false(lmi_image_size("no picture at all", 17, &w, &h));
    assert_int_equal(w + h, 0);
    assert_false(lmi_image_size(NULL, 0, &w, &h));
    file.data[8] = 0; /* xmax before xmin */
    file.data[9] = 0;
    assert_false(lmi_image_size(file.data, file.size, &w, &h));
}
