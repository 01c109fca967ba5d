/* Functions that all image decoders share. */
#include "image/decoded_image.h"

uint64_t lm_image_max_pixels(uint64_t given, size_t file_size) {
    const uint64_t packed = (uint64_t)file_size * LM_IMAGE_PIXELS_PER_BYTE;
    if (given)
        return given;
    return packed < LM_MAX_IMAGE_PIXELS - LM_IMAGE_PLAIN_PIXELS ? LM_IMAGE_PLAIN_PIXELS + packed
                                                                : LM_MAX_IMAGE_PIXELS;
}

bool lm_decoded_image_size(const lm_image_job *job, uint64_t width, uint64_t height, size_t offset,
                           lm_decoded_image *image) {
    const uint64_t limit = lm_image_max_pixels(job->options->max_pixels, job->file.size);
    if (width == 0 || height == 0)
        return lm_report_fatal(job->reporter, LM_CODE_BAD_IMAGE,
                               lm_location_at("header", 0, offset),
                               "the image has no pixels (%llu x %llu)", (unsigned long long)width,
                               (unsigned long long)height);
    if (width > limit / height || width * height > UINT32_MAX)
        return lm_report_fatal(job->reporter, LM_CODE_LIMIT, lm_location_at("header", 0, offset),
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

bool lm_decoded_image_alloc(const lm_image_job *job, bool indexed, lm_decoded_image *image) {
    const uint64_t count = (uint64_t)image->width * image->height;
    image->pixels = lm_heap_alloc(job->heap, count, indexed ? 5 : 4);
    if (!image->pixels)
        return false;
    image->size = (size_t)count * (indexed ? 5 : 4);
    image->indices = indexed ? image->pixels + 4 * (size_t)count : NULL;
    return true;
}

void lm_decoded_image_colour(lm_decoded_image *image, bool transparent_255) {
    const size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count; i++) {
        const uint8_t index = image->indices[i];
        memcpy(image->pixels + 4 * i, image->palette.rgb[index], 3);
        image->pixels[4 * i + 3] = transparent_255 && index == 255 ? 0 : 255;
    }
}

void lm_palette_from_rgb(const uint8_t *rgb, uint32_t count, lm_palette *palette) {
    *palette = (lm_palette){.num_colors = count};
    memcpy(palette->rgb, rgb, 3 * (size_t)count);
}
