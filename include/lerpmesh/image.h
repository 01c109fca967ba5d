/* lerpmesh/image.h - pictures for models: PCX by our own decoder, PNG, JPEG and TGA through stb.
 *
 *     #include <lerpmesh/image.h>
 *     #include <stdio.h>
 *
 *     // Makes PNG of any picture; false, and why on the way out, if that fails.
 *     bool to_png(const void *bytes, size_t size, lm_buffer *png) {
 *         lm_error error;
 *         lm_image *image = lm_image_read(bytes, size, NULL, &error);
 *         bool ok = image && lm_image_write_png(image, png, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_image_free(image);
 *         return ok;
 *     }
 *
 * The format is found by the first bytes, never by a file name. All functions may be called from
 * several threads at once.
 */
#ifndef LERPMESH_IMAGE_H
#define LERPMESH_IMAGE_H

#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Palettes ------------------------------------------------------------------------------ */

/* Colours for pictures that store indices. Entries from num_colors on are black. */
typedef struct lm_palette {
    uint32_t num_colors; /* 1..256 */
    uint8_t rgb[256][3]; /* red, green, blue, 0..255 */
} lm_palette;

/* Reads a palette: 768 bytes of red, green, blue (Quake's palette.lmp), a GIMP palette (.gpl), or
 * the palette of a PCX picture (behind its 0x0C, or the 16 colours of its header). */
LM_ASSETS_API bool lm_palette_read(const void *data, size_t size, lm_palette *palette,
                                   lm_error *error);

/* ---- Reading ------------------------------------------------------------------------------- */

/* What is read unless more or less is asked for: at most LM_IMAGE_MAX_PIXELS, and of those beyond
 * LM_IMAGE_PLAIN_PIXELS no more than LM_IMAGE_PIXELS_PER_BYTE for a byte of the file. What is
 * packed tighter is of one colour, and made to explode: 8 kilobytes of PNG hold 64 megapixels of
 * it. */
#define LM_IMAGE_MAX_PIXELS ((uint64_t)64 << 20)
#define LM_IMAGE_PLAIN_PIXELS ((uint64_t)16 << 20) /* 4096 x 4096 */
#define LM_IMAGE_PIXELS_PER_BYTE 64

typedef struct lm_image_options {
    /* max_bytes 0: LM_IMAGE_BYTES_PER_PIXEL for each pixel the header names, twice the input, and
     * LM_MEMORY_EXTRA. */
    lm_memory memory;
    uint64_t max_pixels;        /* refuse larger pictures before decoding; 0: as said above */
    const lm_palette *palette;  /* instead of the file's own, where it has 256 indices */
    const lm_palette *fallback; /* where the file brings none; NULL: a ramp of greys */
    bool transparent_255;       /* pixels with index 255 get alpha 0, as Quake's do */
    /* Fill with index or colour 0 what is missing of a picture whose end is cut off, instead of
     * refusing it. Counted in the warnings. */
    bool repair;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_image_options;

#define LM_IMAGE_BYTES_PER_PIXEL 32

/* A picture. Everything is constant, owned by it, and goes with lm_image_free. */
typedef struct lm_image {
    const char *format;     /* "pcx", "png", "jpeg", "tga", "indices" */
    uint32_t width, height; /* pixels, >= 1 */
    const uint8_t *pixels;  /* [4 * width * height] red, green, blue, alpha (not premultiplied),
                               rows from the top, sRGB as in the file */
    const uint8_t *indices; /* [width * height] into palette, for PCX with a palette; else NULL */
    const lm_palette *palette; /* that was used, NULL without indices */
    bool had_alpha;            /* the file has an alpha channel (its values may all be 255) */
    bool opaque;               /* every pixel's alpha is 255 */
    uint32_t num_warnings;
    const lm_diagnostic *warnings;
} lm_image;

/* Decodes a picture, or returns NULL and the reason. `data` may go when the call returns. Safe on
 * any bytes; linear in the input plus the pixels.
 *
 * PCX: versions 0 to 5, raw or run-length encoded; 8 bits in one plane (256 colours), in three
 * (red, green, blue) or four (alpha last); 1, 2 or 4 bits in up to 4 planes with at most 16
 * colours, from the header or, for versions 0 and 3, the EGA's own. Runs may cross lines and
 * planes; lines may be padded; the corner (xmin, ymin) may be anywhere. The palette of 256 is the
 * one behind 0x0C at the end of the file, or right behind the pixels; 768 bytes without the 0x0C
 * are taken too (LM_CODE_NO_PALETTE, like greys for none).
 * PNG, JPEG, TGA: what stb_image reads; samples of 16 bits are cut to 8. In a build without stb
 * (CMake's LERPMESH_STB) they are refused with LM_CODE_NOT_BUILT_IN. */
LM_ASSETS_API lm_image *lm_image_read(const void *data, size_t size,
                                      const lm_image_options *options, lm_error *error);
LM_ASSETS_API void lm_image_free(lm_image *image);

/* The picture of pixels that are in memory already: `indices` into the 256 colours of `rgb`, rows
 * from the top, as a model's embedded skin has them. Options count as for a file; its `format` is
 * "indices". What is given may go when the call returns. */
LM_ASSETS_API lm_image *lm_image_of_indices(uint32_t width, uint32_t height, const uint8_t *indices,
                                            const uint8_t *rgb, const lm_image_options *options,
                                            lm_error *error);

/* How large a picture is, by its header alone: `size` may be that of a file's beginning, for which
 * 128 bytes are enough but for a JPEG, which may have some kilobytes in front of it. False if they
 * do not say. In every build. */
LM_ASSETS_API bool lm_image_size(const void *data, size_t size, uint32_t *width, uint32_t *height);

/* ---- Writing ------------------------------------------------------------------------------- */

/* Appends the picture as PNG: with its palette where it has indices, else RGB, or RGBA where not
 * every pixel is opaque. The same pixels give the same bytes, in every build. */
LM_ASSETS_API bool lm_image_write_png(const lm_image *image, lm_buffer *out, lm_error *error);

/* The same of pixels as lm_image has them, width and height at least 1. */
LM_ASSETS_API bool lm_pixels_write_png(const uint8_t *pixels, uint32_t width, uint32_t height,
                                       lm_buffer *out, lm_error *error);
/* The same as TGA, as old games read it: rows from the bottom, no compression. Width and height are
 * 65535 at most. */
LM_ASSETS_API bool lm_pixels_write_tga(const uint8_t *pixels, uint32_t width, uint32_t height,
                                       lm_buffer *out, lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
