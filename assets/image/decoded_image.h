/* The interface of the image decoders. */
#ifndef LM_IMAGE_IMAGE_H
#define LM_IMAGE_IMAGE_H

#include "core/bytes.h"
#include "core/report.h"
#include "lerpmesh/image.h"
#include "lerpmesh/scene.h"

typedef struct lm_decoded_image {
    uint32_t width, height;
    uint8_t *pixels;  /* 4 bytes each, from the heap */
    uint8_t *indices; /* one byte each, after the pixels; NULL if the file has no indices */
    size_t size;      /* of both, in bytes */
    lm_palette palette;
    bool had_alpha;
} lm_decoded_image;

/* The context of one call. */
typedef struct lm_image_job {
    lm_bytes file;
    const lm_image_options *options;
    lm_heap *heap;
    lm_reporter *reporter;
} lm_image_job;

/* Returns the largest number of pixels to decode: the given limit, or 0: the default. */
uint64_t lmi_image_max_pixels(uint64_t given, size_t file_size);
/* The images of a model whose pixels stay in memory. */
typedef struct lm_image_total {
    uint64_t bytes; /* of their files */
    uint64_t pixels;
} lm_image_total;

/* Reads an image within the limit of all of them: LM_MAX_IMAGE_PIXELS, plus
 * LM_IMAGE_PIXELS_PER_BYTE for each byte. Adds its pixels; the caller has added its bytes. */
lm_image *lmi_image_read_within(lm_image_total *total, const void *data, size_t size,
                                lm_image_options *options, lm_error *error);
/* Checks the size against the options, stores it, and sets the heap's limit accordingly. */
bool lmi_decoded_image_size(const lm_image_job *job, uint64_t width, uint64_t height, size_t offset,
                            lm_decoded_image *image);
/* Allocates the pixels and, if `indexed`, the indices. Fails if there is no memory. */
bool lmi_decoded_image_alloc(const lm_image_job *job, bool indexed, lm_decoded_image *image);

/* Fills the pixels with the colours of their indices. `transparent_255`: index 255 is
 * transparent. */
void lmi_decoded_image_colour(lm_decoded_image *image, bool transparent_255);

/* Decoders. They fail with a report, or without one if there is no memory. The caller frees the
 * image's memory, also after a failure. */
bool lmi_pcx_decode(const lm_image_job *job, lm_decoded_image *image);
bool lmi_bmp_decode(const lm_image_job *job, lm_decoded_image *image);
bool lmi_stb_decode(const lm_image_job *job, const char *format, lm_decoded_image *image);

bool lmi_pcx_plausible(lm_bytes file);
/* Reads the size of a PCX from its header. Returns false if the header is cut off. */
bool lmi_pcx_size(lm_bytes file, uint32_t *width, uint32_t *height);
/* The same of a BMP. */
bool lmi_bmp_size(lm_bytes file, uint32_t *width, uint32_t *height);
/* Appends a PCX as lm_pixels_write does. Width and height are at most 65535. */
bool lmi_pcx_write(const uint8_t *pixels, uint32_t width, uint32_t height,
                   const lm_palette *palette, lm_buffer *out, lm_error *error);
bool lmi_tga_plausible(lm_bytes file);
/* Returns whether stb can safely decode a JPEG or TGA. Reports damage. */
bool lmi_stb_guard(const lm_image_job *job, const char *format);

void lmi_palette_from_rgb(const uint8_t *rgb, uint32_t count, lm_palette *palette);

/* Returns the alpha mode that games would use for pixels of 4 bytes: a test if alpha is only 0 or
 * 255, else blending. */
lm_alpha lmi_pixels_alpha(const uint8_t *pixels, size_t count);

/* lm_image_read for pixels: `indices` into the 256 colours of `rgb`, as in an embedded skin. */
lm_image *lmi_image_of_indices(uint32_t width, uint32_t height, const uint8_t *indices,
                               const uint8_t *rgb, const lm_image_options *options,
                               lm_error *error);

/* Reads the size of an image from the beginning of its file: 128 bytes are enough, except for JPEG,
 * which may have some kilobytes before its header. */
bool lmi_image_size(const void *data, size_t size, uint32_t *width, uint32_t *height);

/* Appends an image as PNG: with its palette if it has indices, else as lm_pixels_write does. */
bool lmi_image_write_png(const lm_image *image, lm_buffer *out, lm_error *error);

/* Returns the short name of the image format that the bytes begin with; NULL: none. TGA has no
 * identifier, so its header is checked for plausibility. */
const char *lmi_image_format_of(const void *data, size_t size);

#endif
