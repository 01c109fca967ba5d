/* lerpmesh/image.h - reading and writing images: PCX and BMP with our own decoders, PNG, JPEG
 * and TGA through stb. Part of lerpmesh-assets.
 *
 *     #include <lerpmesh/image.h>
 *     #include <stdio.h>
 *
 *     // Converts an image to PNG. Returns false if that fails.
 *     bool to_png(const void *bytes, size_t size, lm_buffer *png) {
 *         lm_error error;
 *         lm_image *image = lm_image_read(bytes, size, NULL, &error);
 *         bool ok = image && lm_pixels_write(image->pixels, image->width, image->height,
 *                                            LM_PIXELS_PNG, NULL, png, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_image_free(image);
 *         return ok;
 *     }
 *
 * The format is detected from the first bytes, not from the file name. Any number of threads may
 * call these functions at once. C++ writes `= {}` for `= {0}`. */
#ifndef LERPMESH_IMAGE_H
#define LERPMESH_IMAGE_H

#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Palettes ------------------------------------------------------------------------------ */

/* A palette: the colours of indexed images. Entries from num_colors on are black. */
typedef struct lm_palette {
    uint32_t num_colors; /* 1 .. 256 */
    uint8_t rgb[256][3]; /* red, green, blue, 0 .. 255 */
} lm_palette;

/* Reads a palette: 768 bytes of red, green, blue (Quake's palette.lmp), a GIMP palette (.gpl), or
 * the palette of a PCX image (after its 0x0C byte, or the 16 colours of its header). */
LM_ASSETS_API bool lm_palette_read(const void *data, size_t size, lm_palette *palette,
                                   lm_error *error);

/* ---- Reading ------------------------------------------------------------------------------- */

/* The default limit of pixels: LM_IMAGE_PLAIN_PIXELS, plus LM_IMAGE_PIXELS_PER_BYTE per byte of the
 * file, but at most LM_MAX_IMAGE_PIXELS. Only an image that was made to exhaust memory compresses
 * better: a PNG of 8 kilobytes can hold 64 megapixels of one colour. */
#define LM_MAX_IMAGE_PIXELS ((uint64_t)64 << 20)
#define LM_IMAGE_PLAIN_PIXELS ((uint64_t)16 << 20) /* 4096 x 4096 */
#define LM_IMAGE_PIXELS_PER_BYTE 64                /* see LM_MAX_IMAGE_PIXELS */

/* Options for reading. Zeros are the defaults. */
typedef struct lm_image_options {
    /* max_bytes 0: LM_IMAGE_BYTES_PER_PIXEL for each pixel that the header names, twice the input,
     * and LM_MEMORY_EXTRA. */
    lm_memory memory;
    uint64_t max_pixels;        /* rejects larger images before decoding; 0: as above */
    const lm_palette *palette;  /* replaces the file's own, if that has 256 colours */
    const lm_palette *fallback; /* for files without a palette; NULL: a ramp of greys */
    bool transparent_255;       /* pixels with index 255 get alpha 0, as in Quake */
    /* If the end of an image is missing, fills the rest with index or colour 0 and adds a warning
     * instead of failing. */
    bool repair;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_image_options;

#define LM_IMAGE_BYTES_PER_PIXEL 32 /* see lm_image_options.memory */

/* An image. All members are constant, and freed by lm_image_free. */
typedef struct lm_image {
    const char *format;     /* "pcx", "bmp", "png", "jpeg", "tga", "indices" */
    uint32_t width, height; /* pixels, >= 1 */
    const uint8_t *pixels; /* [4 * width * height] red, green, blue, alpha (not premultiplied), rows
                              from the top, sRGB as in the file */
    const uint8_t *indices;    /* [width * height] into palette, for PCX and BMP with a palette */
    const lm_palette *palette; /* the palette in use; NULL without indices */
    bool had_alpha;            /* the file has an alpha channel, even if all its values are 255 */
    bool opaque;               /* every pixel's alpha is 255 */
    uint32_t num_warnings;
    const lm_diagnostic *warnings; /* repairs, and LM_CODE_NO_PALETTE */
} lm_image;

/* Decodes an image. Returns NULL with the reason on failure. `data` may be freed afterwards. Safe
 * on any bytes. Takes time linear in the input plus the pixels.
 *
 * PCX: versions 0 to 5, raw or run-length encoded. Pixels have 8 bits in one plane (256 colours),
 * in three (red, green, blue) or in four (alpha last); or 1, 2 or 4 bits in up to 4 planes, with at
 * most 16 colours. The 16 colours come from the header, or in versions 0 and 3 from the EGA's
 * palette. Runs may cross lines and planes, lines may be padded, and the corner (xmin, ymin) may be
 * anywhere. The 256 colours follow a 0x0C byte at the end of the file or directly after the pixels.
 * 768 bytes without the 0x0C are accepted with a warning (LM_CODE_NO_PALETTE), and so are files
 * without a palette, which become grey.
 *
 * BMP: 8, 24 and 32 bits, uncompressed or in whole-byte masks, rows from the bottom or the top; and
 * RLE8, whose skipped pixels get index 0. If all alpha of 32 bits is 0, the image is opaque.
 *
 * PNG, JPEG, TGA: as stb_image reads them; 16-bit samples are reduced to 8 bits. In a build without
 * stb (CMake's LERPMESH_STB) these formats fail with LM_CODE_NOT_BUILT_IN. */
LM_ASSETS_API lm_image *lm_image_read(const void *data, size_t size,
                                      const lm_image_options *options, lm_error *error);
/* Frees an image. */
LM_ASSETS_API void lm_image_free(lm_image *image);

/* ---- Writing ------------------------------------------------------------------------------- */

/* The format of an image file. */
typedef enum lm_pixels_format {
    LM_PIXELS_PNG, /* RGB if every pixel is opaque, else RGBA; the same bytes in every build */
    LM_PIXELS_TGA, /* in the form that old games read: rows from the bottom, uncompressed */
    /* In the form that Quake II reads: the nearest colours of a palette, without alpha. The
     * palette's entry 255 is not used, because that game takes it for transparent. The game itself
     * reads at most 640 x 480 pixels. */
    LM_PIXELS_PCX
} lm_pixels_format;

/* Appends pixels as an image file, in the layout of lm_image.pixels. Width and height are at least
 * 1, and at most 65535 for TGA and PCX (LM_CODE_LIMIT). Only LM_PIXELS_PCX uses the palette.
 * Errors: LM_CODE_BAD_ARGUMENT (NULL pixels, an unknown format, or a PCX without a palette). */
LM_ASSETS_API bool lm_pixels_write(const uint8_t *pixels, uint32_t width, uint32_t height,
                                   lm_pixels_format format, const lm_palette *palette,
                                   lm_buffer *out, lm_error *error);

/* The format of an image of floats. */
typedef enum lm_float_format {
    LM_FLOATS_PNG, /* PNG with 16 bits per channel: 0 .. 1 becomes 0 .. 65535, rounded and clamped
                    */
    LM_FLOATS_EXR  /* OpenEXR with 32-bit floats */
} lm_float_format;

/* Appends an image of floats, such as a vertex-animation texture. `rgb`: [3 * width * height] red,
 * green, blue, rows from the top. They are linear data, not sRGB. Width and height are at least 1.
 * Errors: LM_CODE_BAD_ARGUMENT (NULL, or an unknown format), LM_CODE_OUT_OF_MEMORY, LM_CODE_LIMIT
 * (2 GiB of pixels, or the buffer's max_size). */
LM_ASSETS_API bool lm_floats_write(const float *rgb, uint32_t width, uint32_t height,
                                   lm_float_format format, lm_buffer *out, lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
