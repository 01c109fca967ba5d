/* Fuzzes images of one kind: the decoded image agrees with its header, and can be written as PNG.
 * FUZZ_KIND is the kind; each has its own program. */
#include "fuzz.h"
#include "image/decoded_image.h"

#include <string.h>

#define MAX_PIXELS (1 << 10)

static void examine(const lm_image *image, const fuzz_input *input) {
    uint32_t width, height;
    lm_buffer png = {0};
    lm_error error = {0};
    PROMISE(strcmp(image->format, FUZZ_KIND) == 0);
    PROMISE(image->width >= 1 && image->height >= 1);
    PROMISE((uint64_t)image->width * image->height <= MAX_PIXELS);
    PROMISE(!image->indices || image->palette);
    if (lm_image_size(input->data, input->size, &width, &height))
        PROMISE(width == image->width && height == image->height);
    const bool written = lm_image_write_png(image, &png, &error);
    PROMISE(written);
    lm_buffer_free(&png);
}

static void read_image(fuzz_input *input) {
    static const lm_palette reds = {.num_colors = 2, .rgb = {{255, 0, 0}, {127, 0, 0}}};
    lm_error error = {0};
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_open(data, size);
    const char *format = lm_image_format_of(input.data, input.size);
    if (!format || strcmp(format, FUZZ_KIND) == 0)
        read_image(&input);
    fuzz_close(&input);
    return 0;
}
