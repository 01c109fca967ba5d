/* Any bytes as a picture, as a palette and as a .skin file; what is read as a picture is written as
 * PNG. */
#include "lerpmesh/image.h"
#include "lerpmesh/skin.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_png(const lm_image *image) {
    lm_buffer png = {0};
    if (!lm_image_write_png(image, &png, NULL))
        abort();
    lm_buffer_free(&png);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lm_palette palette;
    lm_error error;
    for (int repair = 0; repair < 2; repair++) {
        lm_image_options options = {.max_pixels = 1 << 16, .repair = repair};
        lm_image *image = lm_image_read(data, size, &options, &error);
        if (image)
            write_png(image);
        lm_image_free(image);
    }
    lm_palette_read(data, size, &palette, &error);
    lm_skin_file *skin = lm_skin_read(data, size, NULL, &error);
    if (skin && skin->num_entries && !lm_skin_path(skin, "h_head_1"))
        (void)lm_skin_path(skin, skin->entries[0].surface);
    lm_skin_free(skin);
    return 0;
}
