/* Reads an image of any format: detects the format, decodes, and makes the result. */
#include "lerpmesh/image.h"

#include "core/options.h"
#include "core/report.h"
#include "image/decoded_image.h"

#include <string.h>

static bool begins(lm_bytes file, const char *bytes, size_t size) {
    return file.size >= size && memcmp(file.data, bytes, size) == 0;
}

const char *lm_image_format_of(const void *data, size_t size) {
    lm_bytes file = {data, size};
    if (begins(file, "\x89PNG\r\n\x1a\n", 8))
        return "png";
    if (begins(file, "\xff\xd8\xff", 3))
        return "jpeg";
    if (lm_pcx_plausible(file))
        return "pcx";
    return lm_tga_plausible(file) ? "tga" : NULL;
}

static void fail_unknown(lm_bytes file, lm_error *error) {
    static const struct {
        char ident[5];
        const char *name;
    } others[] = {{"RIFF", "perhaps WebP"}, {"DDS ", "a DDS texture"},    {"GIF8", "a GIF"},
                  {"IBSP", "a Quake map"},  {"\xabKTX", "a KTX texture"}, {"RIFX", "a RIFF file"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins(file, others[i].ident, 4)) {
            lm_fail(error, LM_CODE_UNKNOWN_FORMAT, "image", "header", 0,
                    "this is %s, which lerpmesh does not read", others[i].name);
            return;
        }
    lm_fail(error, LM_CODE_UNKNOWN_FORMAT, "image", "header", 0,
            file.size ? "not an image that lerpmesh reads (PCX, PNG, JPEG, TGA)"
                      : "the file is empty");
}

bool lm_pixels_opaque(const uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (pixels[4 * i + 3] != 255)
            return false;
    return true;
}

static bool fill_image(const char *format, const lm_decoded_image *decoded,
                       lm_load_reporter *reporter, lm_image *image) {
    lm_arena *arena = lm_arena_of(image);
    *image = (lm_image){
        .format = format,
        .width = decoded->width,
        .height = decoded->height,
        .pixels = decoded->pixels,
        .indices = decoded->indices,
        .had_alpha = decoded->had_alpha,
        .opaque = lm_pixels_opaque(decoded->pixels, (size_t)decoded->width * decoded->height)};
    image->num_warnings = lm_warnings_copy(arena, reporter, &image->warnings);
    if (decoded->indices)
        image->palette =
            (const void *)lm_arena_bytes(arena, &decoded->palette, 1, sizeof decoded->palette);
    return image->palette || !decoded->indices;
}

static lm_image *finish(bool done, const char *format, const lm_decoded_image *decoded,
                        const lm_image_job *job, lm_load_reporter *reporter) {
    lm_image *image = done ? lm_object(job->heap, sizeof *image) : NULL;
    image = lm_object_end(image, image && fill_image(format, decoded, reporter, image));
    if (image) {
        lm_object_keep(image, decoded->pixels, decoded->size);
        return image;
    }
    lm_heap_free(job->heap, decoded->pixels, decoded->size);
    return lm_heap_diagnose(job->heap);
}

static bool palette_sound(const lm_palette *palette, lm_error *error) {
    return !palette || (palette->num_colors >= 1 && palette->num_colors <= 256) ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                         "image: the palette has %lu colors, but must have 1 to 256",
                         (unsigned long)palette->num_colors);
}

static bool options_sound(const lm_image_options **options, lm_error *error) {
    static const lm_image_options defaults;
    static const lm_option table[] = {LM_OPTION(lm_image_options, memory, MEMORY, 0),
                                      LM_OPTION(lm_image_options, reserved, RESERVED, 0)};
    *options = *options ? *options : &defaults;
    return lm_options_valid(*options, "image", table, sizeof table / sizeof *table, error) &&
           palette_sound((*options)->palette, error) && palette_sound((*options)->fallback, error);
}

lm_image *lm_image_read(const void *data, size_t size, const lm_image_options *options,
                        lm_error *error) {
    lm_bytes file = {data, size};
    lm_heap heap;
    lm_load_reporter reporter;
    lm_decoded_image decoded = {0};
    const char *format = lm_image_format_of(data, size);
    if (!options_sound(&options, error))
        return NULL;
    if (!format) {
        fail_unknown(file, error);
        return NULL;
    }
    lm_heap_begin(&heap, &options->memory, size, format, error);
    lm_load_reporter_init(&reporter, &heap.call, options->repair);
    lm_image_job job = {file, options, &heap, &reporter.base};
    bool done = strcmp(format, "pcx") == 0 ? lm_pcx_decode(&job, &decoded)
                                           : lm_stb_decode(&job, format, &decoded);
    return finish(done, format, &decoded, &job, &reporter);
}

/* Allocates the pixels and fills them with their colours. */
static bool colour(const lm_image_job *job, const uint8_t *rgb, lm_decoded_image *decoded) {
    const lm_image_options *options = job->options;
    const size_t count = (size_t)decoded->width * decoded->height;
    if (!lm_decoded_image_alloc(job, true, decoded))
        return false;
    memcpy(decoded->indices, job->file.data, count);
    lm_palette_from_rgb(rgb, 256, &decoded->palette);
    if (options->palette)
        decoded->palette = *options->palette;
    lm_decoded_image_colour(decoded, options->transparent_255);
    return true;
}

lm_image *lm_image_of_indices(uint32_t width, uint32_t height, const uint8_t *indices,
                              const uint8_t *rgb, const lm_image_options *options,
                              lm_error *error) {
    static const char format[] = "indices";
    lm_heap heap;
    lm_load_reporter reporter;
    lm_decoded_image image = {0};
    if (!options_sound(&options, error))
        return NULL;
    lm_heap_begin(&heap, &options->memory, 0, format, error);
    lm_load_reporter_init(&reporter, &heap.call, false);
    lm_image_job job = {{indices, 0}, options, &heap, &reporter.base};
    bool done = lm_decoded_image_size(&job, width, height, 0, &image) && colour(&job, rgb, &image);
    return finish(done, format, &image, &job, &reporter);
}

void lm_image_free(lm_image *image) {
    lm_object_free(image);
}
