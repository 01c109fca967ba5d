/* Fuzzes palettes: bytes as a palette, and as the indices of an image in its colours. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lm_error error = {0};
    lm_palette palette;
    fuzz_input input = fuzz_open(data, size);
    if (!lm_palette_read(input.data, input.size, &palette, &error)) {
        assert_error_valid(&error);
    } else {
        PROMISE(palette.num_colors >= 1 && palette.num_colors <= 256);
        const uint32_t width = 1 + fuzz_choose(&input, 8);
        const uint32_t height =
            (uint32_t)input.size / width < 16 ? (uint32_t)input.size / width : 16;
        lm_image *image =
            height ? lm_image_of_indices(width, height, input.data, palette.rgb[0], NULL, &error)
                   : NULL;
        PROMISE(!height || (image && image->width == width && image->height == height));
        lm_image_free(image);
    }
    fuzz_close(&input);
    return 0;
}
