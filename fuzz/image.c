/* Fuzzes images and palettes. */
#include "fuzz.h"
#include "image/decoded_image.h"

#include <string.h>

#define MAX_PIXELS (1 << 10)

static void examine(const lm_image *image, const fuzz_input *input) {
    uint32_t width, height;
    lm_buffer png = {0};
    lm_error error = {0};
    PROMISE(strcmp(image->format, input->kind) == 0);
    PROMISE(image->width >= 1 && image->height >= 1);
    PROMISE((uint64_t)image->width * image->height <= MAX_PIXELS);
    PROMISE(!image->indices || image->palette);
    if (lm_image_size(input->data, input->size, &width, &height))
        PROMISE(width == image->width && height == image->height);
    const bool written = lm_image_write_png(image, &png, &error);
    PROMISE(written);
    lm_buffer_free(&png);
}

/* Decodes one kind of image. The result agrees with its header, and can be written as PNG. */
void fuzz_image(fuzz_input *input) {
    const char *format = lm_image_format_of(input->data, input->size);
    static const lm_palette reds = {.num_colors = 2, .rgb = {{255, 0, 0}, {127, 0, 0}}};
    lm_error error = {0};
    if (format && strcmp(format, input->kind) != 0)
        return;
    lm_image_options options = {.max_pixels = MAX_PIXELS, .repair = fuzz_choose(input, 2) != 0};
    options.palette = fuzz_choose(input, 3) == 1 ? &reds : NULL;
    options.fallback = fuzz_choose(input, 2) ? &reds : NULL;
    options.transparent_255 = fuzz_choose(input, 2) != 0;
    lm_image *image = lm_image_read(input->data, input->size, &options, &error);
    if (image)
        examine(image, input);
    else
        assert_error_valid(&error);
    lm_image_free(image);
}

/* Reads bytes as a palette, and as the indices of an image in its colours. */
void fuzz_palette(fuzz_input *input) {
    lm_error error = {0};
    lm_palette palette;
    if (!lm_palette_read(input->data, input->size, &palette, &error)) {
        assert_error_valid(&error);
        return;
    }
    PROMISE(palette.num_colors >= 1 && palette.num_colors <= 256);
    const uint32_t width = 1 + fuzz_choose(input, 8), most = (uint32_t)input->size / width;
    const uint32_t height = most < 16 ? most : 16;
    if (height == 0)
        return;
    lm_image *image = lm_image_of_indices(width, height, input->data, palette.rgb[0], NULL, &error);
    PROMISE(image && image->width == width && image->height == height);
    lm_image_free(image);
}
