/* BMP, as programs for Windows write it (Microsoft's BITMAPFILEHEADER, BITMAPINFOHEADER with its
 * later versions, and BITMAPCOREHEADER): 8 bits plain or run-length encoded, 24 and 32 bits. */
#include "image/decoded_image.h"

#include <string.h>

enum {
    BMP_AT_PIXELS = 10,
    BMP_AT_HEADER_SIZE = 14, /* of the header that begins here */
    BMP_AT_WIDTH = 18,
    BMP_AT_HEIGHT = 22, /* negative: the first row is the top one */
    BMP_SIZES_END = 26, /* the core header's width and height have 16 bits each */
    BMP_AT_CORE_BITS = 24,
    BMP_CORE_SIZE = 12,
    BMP_AT_BITS = 28,
    BMP_AT_COMPRESSION = 30,
    BMP_AT_COLOURS = 46,
    BMP_INFO_SIZE = 40,
    BMP_AT_MASKS = 54, /* red, green, blue, alpha; inside longer headers, else after the header */
    BMP_PLAIN = 0,
    BMP_RUNS = 1, /* RLE8 */
    BMP_MASKS = 3,
    BMP_MASKS_WITH_ALPHA = 6
};

typedef struct lm_bmp {
    unsigned bits, compression;
    uint32_t num_colours;
    unsigned colour_size; /* bytes of a colour in the palette */
    bool is_upwards;
    size_t palette, pixels;
    uint64_t stride;
    unsigned shifts[4]; /* of red, green, blue, alpha in a pixel of 32 bits; 32: none */
} lm_bmp;

bool lmi_bmp_size(lm_bytes file, uint32_t *width, uint32_t *height) {
    const uint8_t *data = file.data;
    if (file.size < BMP_SIZES_END)
        return false;
    if (lmi_get_u32(data + BMP_AT_HEADER_SIZE) == BMP_CORE_SIZE) {
        *width = lmi_get_u16(data + BMP_AT_WIDTH);
        *height = lmi_get_u16(data + BMP_AT_WIDTH + 2);
    } else {
        const uint32_t down = lmi_get_u32(data + BMP_AT_HEIGHT);
        *width = lmi_get_u32(data + BMP_AT_WIDTH);
        *height = down & 0x80000000u ? 0u - down : down;
    }
    return true;
}

static bool fail(const lm_image_job *job, lm_code code, size_t offset, const char *sentence) {
    return lmi_report_fatal(job->reporter, code, lmi_location_at("header", 0, offset), "%s",
                            sentence);
}

/* Sets the shifts of the channels. Returns false if one of them is not a whole byte. */
static bool read_masks(const uint8_t *data, bool has_alpha, lm_bmp *bmp) {
    for (unsigned c = 0; c < (has_alpha ? 4u : 3u); c++) {
        const uint32_t mask = lmi_get_u32(data + BMP_AT_MASKS + 4 * (size_t)c);
        unsigned shift = 0;
        while (shift < 32 && mask != 0xFFu << shift)
            shift += 8;
        if (shift == 32 && (c < 3 || mask != 0))
            return false;
        bmp->shifts[c] = shift;
    }
    return true;
}

static bool read_header(const lm_image_job *job, lm_bmp *bmp, lm_decoded_image *image) {
    const uint8_t *data = job->file.data;
    const size_t size = job->file.size;
    const uint32_t header = size < BMP_SIZES_END ? 0 : lmi_get_u32(data + BMP_AT_HEADER_SIZE);
    const bool is_core = header == BMP_CORE_SIZE;
    uint32_t width, height;
    if (header > size - BMP_AT_HEADER_SIZE || !lmi_bmp_size(job->file, &width, &height))
        return fail(job, LM_CODE_TRUNCATED, 0, "the file ends inside its header");
    if (!is_core && header < BMP_INFO_SIZE)
        return fail(job, LM_CODE_BAD_VERSION, BMP_AT_HEADER_SIZE, "the header has an unknown size");
    *bmp = (lm_bmp){.bits = lmi_get_u16(data + (is_core ? BMP_AT_CORE_BITS : BMP_AT_BITS)),
                    .compression = is_core ? BMP_PLAIN : lmi_get_u32(data + BMP_AT_COMPRESSION),
                    .num_colours = is_core ? 0 : lmi_get_u32(data + BMP_AT_COLOURS),
                    .colour_size = is_core ? 3 : 4,
                    .is_upwards = is_core || !(data[BMP_AT_HEIGHT + 3] & 0x80),
                    .palette = BMP_AT_HEADER_SIZE + header,
                    .pixels = lmi_get_u32(data + BMP_AT_PIXELS),
                    .shifts = {16, 8, 0, 24}};
    const bool plain = bmp->compression == BMP_PLAIN;
    const bool masked = bmp->compression == BMP_MASKS || bmp->compression == BMP_MASKS_WITH_ALPHA;
    const bool has_alpha = header >= BMP_INFO_SIZE + 16 || bmp->compression == BMP_MASKS_WITH_ALPHA;
    const bool known = bmp->bits == 8    ? plain || bmp->compression == BMP_RUNS
                       : bmp->bits == 24 ? plain
                                         : bmp->bits == 32 && (plain || masked);
    if (!has_alpha && masked)
        bmp->shifts[3] = 32;
    if (bmp->pixels < bmp->palette)
        return fail(job, LM_CODE_BAD_IMAGE, BMP_AT_PIXELS, "the pixels begin inside the header");
    if (!is_core && data[BMP_AT_WIDTH + 3] & 0x80)
        return fail(job, LM_CODE_BAD_IMAGE, BMP_AT_WIDTH, "the width is negative");
    if (!known || (masked && (size < BMP_AT_MASKS + 16 || !read_masks(data, has_alpha, bmp))))
        return lmi_report_fatal(
            job->reporter, LM_CODE_BAD_IMAGE, lmi_location_at("header", 0, BMP_AT_BITS),
            "a BMP with %u bits and compression %u is not supported", bmp->bits, bmp->compression);
    if (bmp->num_colours == 0 || bmp->num_colours > 256)
        bmp->num_colours = 256;
    if (!lmi_decoded_image_size(job, width, height, BMP_AT_WIDTH, image))
        return false;
    bmp->stride = ((uint64_t)width * bmp->bits + 31) / 32 * 4;
    return true;
}

/* ---- Pixels ---------------------------------------------------------------------------------- */

/* Returns the row of the image that is number `row` in the file. */
static size_t start_of(const lm_bmp *bmp, const lm_decoded_image *image, uint32_t row) {
    return (size_t)(bmp->is_upwards ? image->height - 1 - row : row) * image->width;
}

/* Unpacks the runs into the indices (NULL: only counts). Returns the number of complete rows; sets
 * the position of the first run or move that leaves its row, 0: none. Pixels that no run names keep
 * their index. */
static uint32_t unpack(lm_bytes file, const lm_bmp *bmp, const lm_decoded_image *image,
                       size_t *outside) {
    uint32_t x = 0, y = 0;
    *outside = 0;
    size_t at = bmp->pixels < file.size ? bmp->pixels : file.size;
    while (y < image->height && file.size - at >= 2) {
        const uint8_t count = file.data[at], value = file.data[at + 1];
        at += 2;
        const size_t literal = count == 0 && value > 2 ? value : 0, length = literal + count;
        const uint32_t room = image->width - x, part = length < room ? (uint32_t)length : room;
        if (literal > file.size - at || (count == 0 && value == 2 && file.size - at < 2))
            break;
        const uint32_t move = count == 0 && value == 2 ? file.data[at] : 0;
        if (*outside == 0 && (length > room || move > room))
            *outside = at - 2;
        uint8_t *out = image->indices ? image->indices + start_of(bmp, image, y) + x : NULL;
        if (out && literal > 0)
            memcpy(out, file.data + at, part);
        else if (out)
            memset(out, value, part);
        x += part;
        at += literal;
        at += literal % 2 && at < file.size;
        if (count == 0 && value == 1) /* the end of the image */
            return image->height;
        if (count == 0 && value == 2) { /* a move to the right and to later rows */
            x += move < room ? move : room;
            y += file.data[at + 1];
            at += 2;
        } else if (count == 0 && value == 0) { /* the end of the row */
            x = 0;
            y++;
        }
    }
    return y < image->height ? y + (x == image->width) : image->height;
}

/* Returns the number of rows that are not packed. The last one's padding may be missing. */
static uint32_t count_rows(lm_bytes file, const lm_bmp *bmp, const lm_decoded_image *image) {
    const uint64_t row = (uint64_t)image->width * bmp->bits / 8;
    if (!lmi_fits(file.size, bmp->pixels, row, 1))
        return 0;
    const uint64_t rows = 1 + (file.size - bmp->pixels - row) / bmp->stride;
    return rows < image->height ? (uint32_t)rows : image->height;
}

static void copy_rows(lm_bytes file, const lm_bmp *bmp, uint32_t rows,
                      const lm_decoded_image *image) {
    const unsigned step = bmp->bits / 8;
    for (uint32_t y = 0; y < rows; y++) {
        const uint8_t *from = file.data + (size_t)(bmp->pixels + y * bmp->stride);
        const size_t start = start_of(bmp, image, y);
        if (image->indices)
            memcpy(image->indices + start, from, image->width);
        for (uint32_t x = 0; !image->indices && x < image->width; x++, from += step) {
            const uint32_t value = (uint32_t)from[0] | (uint32_t)from[1] << 8 |
                                   (uint32_t)from[2] << 16 |
                                   (step == 4 ? (uint32_t)from[3] << 24 : 0);
            for (unsigned c = 0; c < 4; c++)
                image->pixels[4 * (start + x) + c] =
                    (uint8_t)(bmp->shifts[c] < 32 ? value >> bmp->shifts[c] : UINT8_MAX);
        }
    }
}

/* Makes the pixels opaque if all their alpha is 0: most programs leave the byte unused. */
static void decide_alpha(const lm_bmp *bmp, lm_decoded_image *image) {
    const size_t count = (size_t)image->width * image->height;
    const bool has_alpha = bmp->bits == 32 && bmp->shifts[3] < 32;
    for (size_t i = 0; has_alpha && i < count; i++)
        image->had_alpha = image->had_alpha || image->pixels[4 * i + 3] != 0;
    for (size_t i = 0; !image->had_alpha && i < count; i++)
        image->pixels[4 * i + 3] = UINT8_MAX;
}

/* Reads the palette: blue, green, red, and a fourth byte in all but core headers. */
static bool read_palette(const lm_image_job *job, const lm_bmp *bmp, lm_palette *palette) {
    const lm_bytes file = job->file;
    palette->num_colors = 256;
    for (uint32_t i = 0; i < bmp->num_colours; i++) {
        const size_t at = bmp->palette + (size_t)i * bmp->colour_size;
        if (at + bmp->colour_size > file.size)
            return fail(job, LM_CODE_TRUNCATED, at, "the file ends inside its palette");
        for (unsigned c = 0; c < 3; c++)
            palette->rgb[i][c] = file.data[at + 2 - c];
    }
    if (job->options->palette)
        *palette = *job->options->palette;
    return true;
}

bool lmi_bmp_decode(const lm_image_job *job, lm_decoded_image *image) {
    static const char sentence[] = "the pixels are cut off: %u of %u rows are present";
    size_t outside = 0;
    const lm_location location = lmi_location_at("pixels", 0, job->file.size);
    lm_bmp bmp;
    if (!read_header(job, &bmp, image) ||
        (bmp.bits == 8 && !read_palette(job, &bmp, &image->palette)))
        return false;
    const bool packed = bmp.compression == BMP_RUNS;
    const unsigned height = image->height;
    const unsigned rows =
        packed ? unpack(job->file, &bmp, image, &outside) : count_rows(job->file, &bmp, image);
    if (rows < height / 2)
        return lmi_report_fatal(job->reporter, LM_CODE_BAD_IMAGE, location, sentence, rows, height);
    if (outside > 0 &&
        !lmi_report_damage(job->reporter, LM_CODE_BAD_IMAGE, lmi_location_at("pixels", 0, outside),
                           "a run of pixels leaves its row"))
        return false;
    if ((rows < height &&
         !lmi_report_damage(job->reporter, LM_CODE_BAD_IMAGE, location, sentence, rows, height)) ||
        !lmi_decoded_image_alloc(job, bmp.bits == 8, image))
        return false;
    memset(image->pixels, 0, image->size);
    if (packed)
        unpack(job->file, &bmp, image, &outside);
    else
        copy_rows(job->file, &bmp, rows, image);
    if (image->indices)
        lmi_decoded_image_colour(image, job->options->transparent_255);
    else
        decide_alpha(&bmp, image);
    return true;
}
