/* Reads an image of any format: detects the format, decodes, and makes the result. */
#include "lerpmesh/image.h"

#include "core/options.h"
#include "core/report.h"
#include "image/decoded_image.h"

#include <string.h>

/* Functions that all image decoders share. */

uint64_t lmi_image_max_pixels(uint64_t given, size_t file_size) {
    const uint64_t packed = (uint64_t)file_size * LM_IMAGE_PIXELS_PER_BYTE;
    if (given)
        return given;
    return packed < LM_MAX_IMAGE_PIXELS - LM_IMAGE_PLAIN_PIXELS ? LM_IMAGE_PLAIN_PIXELS + packed
                                                                : LM_MAX_IMAGE_PIXELS;
}

lm_image *lmi_image_read_within(lm_image_total *total, const void *data, size_t size,
                                lm_image_options *options, lm_error *error) {
    const uint64_t own = lmi_image_max_pixels(options->max_pixels, size);
    const uint64_t all = LM_MAX_IMAGE_PIXELS + LM_IMAGE_PIXELS_PER_BYTE * total->bytes;
    const uint64_t left = total->pixels < all ? all - total->pixels : 1;
    options->max_pixels = own < left ? own : left;
    lm_image *image = lm_image_read(data, size, options, error);
    if (image)
        total->pixels += (uint64_t)image->width * image->height;
    else if (error->code == LM_CODE_LIMIT && left < own)
        lm_fail_plain(error, LM_CODE_LIMIT,
                      "the images of the model exceed the limit of %llu pixels together",
                      (unsigned long long)all);
    return image;
}

bool lmi_decoded_image_size(const lm_image_job *job, uint64_t width, uint64_t height, size_t offset,
                            lm_decoded_image *image) {
    const uint64_t limit = lmi_image_max_pixels(job->options->max_pixels, job->file.size);
    if (width == 0 || height == 0)
        return lmi_report_fatal(job->reporter, LM_CODE_BAD_IMAGE,
                                lmi_location_at("header", 0, offset),
                                "the image has no pixels (%llu x %llu)", (unsigned long long)width,
                                (unsigned long long)height);
    if (width > limit / height || width * height > UINT32_MAX)
        return lmi_report_fatal(job->reporter, LM_CODE_LIMIT, lmi_location_at("header", 0, offset),
                                "%llu x %llu pixels exceed the limit of %llu",
                                (unsigned long long)width, (unsigned long long)height,
                                (unsigned long long)limit);
    uint64_t bound = width * height * LM_IMAGE_BYTES_PER_PIXEL + LM_MEMORY_EXTRA;
    bound += (uint64_t)job->file.size * 2;
    if (job->options->memory.max_bytes == 0)
        job->heap->max_bytes = bound > SIZE_MAX ? SIZE_MAX : (size_t)bound;
    image->width = (uint32_t)width;
    image->height = (uint32_t)height;
    return true;
}

bool lmi_decoded_image_alloc(const lm_image_job *job, bool indexed, lm_decoded_image *image) {
    const uint64_t count = (uint64_t)image->width * image->height;
    image->pixels = lmi_heap_alloc(job->heap, count, indexed ? 5 : 4);
    if (!image->pixels)
        return false;
    image->size = (size_t)count * (indexed ? 5 : 4);
    image->indices = indexed ? image->pixels + 4 * (size_t)count : NULL;
    return true;
}

void lmi_decoded_image_colour(lm_decoded_image *image, bool transparent_255) {
    const size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count; i++) {
        const uint8_t index = image->indices[i];
        memcpy(image->pixels + 4 * i, image->palette.rgb[index], 3);
        image->pixels[4 * i + 3] = transparent_255 && index == 255 ? 0 : 255;
    }
}

void lmi_palette_from_rgb(const uint8_t *rgb, uint32_t count, lm_palette *palette) {
    *palette = (lm_palette){.num_colors = count};
    memcpy(palette->rgb, rgb, 3 * (size_t)count);
}

static bool begins(lm_bytes file, const char *bytes, size_t size) {
    return file.size >= size && memcmp(file.data, bytes, size) == 0;
}

const char *lmi_image_format_of(const void *data, size_t size) {
    lm_bytes file = {data, size};
    if (begins(file, "\x89PNG\r\n\x1a\n", 8))
        return "png";
    if (begins(file, "\xff\xd8\xff", 3))
        return "jpeg";
    if (begins(file, "BM", 2))
        return "bmp";
    if (lmi_pcx_plausible(file))
        return "pcx";
    return lmi_tga_plausible(file) ? "tga" : NULL;
}

static void fail_unknown(lm_bytes file, lm_error *error) {
    static const struct {
        char ident[5];
        const char *name;
    } others[] = {{"RIFF", "perhaps WebP"}, {"DDS ", "a DDS texture"},    {"GIF8", "a GIF"},
                  {"IBSP", "a Quake map"},  {"\xabKTX", "a KTX texture"}, {"RIFX", "a RIFF file"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins(file, others[i].ident, 4)) {
            lmi_fail(error, LM_CODE_UNKNOWN_FORMAT, "image", "header", 0,
                     "this is %s, which lerpmesh does not read", others[i].name);
            return;
        }
    lmi_fail(error, LM_CODE_UNKNOWN_FORMAT, "image", "header", 0,
             file.size ? "not an image that lerpmesh reads (PCX, PNG, JPEG, TGA, BMP)"
                       : "the file is empty");
}

lm_alpha lmi_pixels_alpha(const uint8_t *pixels, size_t count) {
    lm_alpha found = LM_ALPHA_OPAQUE;
    for (size_t i = 0; i < count; i++) {
        const uint8_t alpha = pixels[4 * i + 3];
        if (alpha != 0 && alpha != UINT8_MAX)
            return LM_ALPHA_BLEND;
        found = alpha == 0 ? LM_ALPHA_MASK : found;
    }
    return found;
}

static bool fill_image(const char *format, const lm_decoded_image *decoded,
                       lm_load_reporter *reporter, lm_image *image) {
    lm_arena *arena = lmi_arena_of(image);
    const size_t count = (size_t)decoded->width * decoded->height;
    *image = (lm_image){.format = format,
                        .width = decoded->width,
                        .height = decoded->height,
                        .pixels = decoded->pixels,
                        .indices = decoded->indices,
                        .had_alpha = decoded->had_alpha,
                        .opaque = lmi_pixels_alpha(decoded->pixels, count) == LM_ALPHA_OPAQUE};
    image->num_warnings = lmi_warnings_copy(arena, reporter, &image->warnings);
    if (decoded->indices)
        image->palette =
            (const void *)lmi_arena_bytes(arena, &decoded->palette, 1, sizeof decoded->palette);
    return image->palette || !decoded->indices;
}

static lm_image *finish(bool done, const char *format, const lm_decoded_image *decoded,
                        const lm_image_job *job, lm_load_reporter *reporter) {
    lm_image *image = done ? lmi_object(job->heap, sizeof *image) : NULL;
    image = lmi_object_end(image, image && fill_image(format, decoded, reporter, image));
    if (image) {
        lmi_object_keep(image, decoded->pixels, decoded->size);
        return image;
    }
    lmi_heap_free(job->heap, decoded->pixels, decoded->size);
    return lmi_heap_diagnose(job->heap);
}

static bool palette_sound(const lm_palette *palette, lm_error *error) {
    return !palette || (palette->num_colors >= 1 && palette->num_colors <= 256) ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                         "image: the palette has %lu colors, but must have 1 to 256",
                         (unsigned long)palette->num_colors);
}

static bool options_sound(const lm_image_options **options, lm_error *error) {
    static const lm_image_options defaults;
    static const lm_option_member table[] = {LM_MEMBER(lm_image_options, memory, MEMORY, 0),
                                             LM_MEMBER(lm_image_options, reserved, RESERVED, 0)};
    *options = *options ? *options : &defaults;
    return lmi_options_valid(*options, "image", table, sizeof table / sizeof *table, error) &&
           palette_sound((*options)->palette, error) && palette_sound((*options)->fallback, error);
}

lm_image *lm_image_read(const void *data, size_t size, const lm_image_options *options,
                        lm_error *error) {
    if (!lmi_bytes_valid(data, size, __func__, error))
        return NULL;
    lm_bytes file = {data, size};
    lm_heap heap;
    lm_load_reporter reporter;
    lm_decoded_image decoded = {0};
    const char *format = lmi_image_format_of(data, size);
    if (!options_sound(&options, error))
        return NULL;
    if (!format) {
        fail_unknown(file, error);
        return NULL;
    }
    lmi_heap_begin(&heap, &options->memory, size, format, error);
    lmi_load_reporter_init(&reporter, &heap.call, options->repair);
    lm_image_job job = {file, options, &heap, &reporter.base};
    bool done = strcmp(format, "pcx") == 0   ? lmi_pcx_decode(&job, &decoded)
                : strcmp(format, "bmp") == 0 ? lmi_bmp_decode(&job, &decoded)
                                             : lmi_stb_decode(&job, format, &decoded);
    return finish(done, format, &decoded, &job, &reporter);
}

/* Allocates the pixels and fills them with their colours. */
static bool colour(const lm_image_job *job, const uint8_t *rgb, lm_decoded_image *decoded) {
    const lm_image_options *options = job->options;
    const size_t count = (size_t)decoded->width * decoded->height;
    if (!lmi_decoded_image_alloc(job, true, decoded))
        return false;
    memcpy(decoded->indices, job->file.data, count);
    lmi_palette_from_rgb(rgb, 256, &decoded->palette);
    if (options->palette)
        decoded->palette = *options->palette;
    lmi_decoded_image_colour(decoded, options->transparent_255);
    return true;
}

lm_image *lmi_image_of_indices(uint32_t width, uint32_t height, const uint8_t *indices,
                               const uint8_t *rgb, const lm_image_options *options,
                               lm_error *error) {
    static const char format[] = "indices";
    lm_heap heap;
    lm_load_reporter reporter;
    lm_decoded_image image = {0};
    if (!options_sound(&options, error))
        return NULL;
    lmi_heap_begin(&heap, &options->memory, 0, format, error);
    lmi_load_reporter_init(&reporter, &heap.call, false);
    lm_image_job job = {{indices, 0}, options, &heap, &reporter.base};
    bool done = lmi_decoded_image_size(&job, width, height, 0, &image) && colour(&job, rgb, &image);
    return finish(done, format, &image, &job, &reporter);
}

void lm_image_free(lm_image *image) {
    lmi_object_free(image);
}

/* ---- Sizes -------------------------------------------------------------------------------- */

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

bool lmi_image_size(const void *data, size_t size, uint32_t *width, uint32_t *height) {
    const lm_bytes file = {data, size};
    const char *format = lmi_image_format_of(data, size);
    bool found = false;
    *width = *height = 0;
    if (format && format[0] == 'j') {
        found = jpeg_size(file, width, height);
    } else if (format && strcmp(format, "png") == 0) {
        found = file.size >= PNG_HEADER_SIZE;
        *width = found ? big_32(file.data + PNG_AT_WIDTH) : 0;
        *height = found ? big_32(file.data + PNG_AT_HEIGHT) : 0;
    } else if (format && strcmp(format, "pcx") == 0) {
        found = lmi_pcx_size(file, width, height);
    } else if (format && strcmp(format, "bmp") == 0) {
        found = lmi_bmp_size(file, width, height);
    } else if (format) {
        *width = lmi_get_u16(file.data + TGA_AT_WIDTH);
        *height = lmi_get_u16(file.data + TGA_AT_HEIGHT);
        found = true;
    }
    return found && *width > 0 && *height > 0;
}
