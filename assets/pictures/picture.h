/* What a decoder of pictures makes, and what each must look like. */
#ifndef LM_IMAGE_PICTURE_H
#define LM_IMAGE_PICTURE_H

#include "core/bytes.h"
#include "core/report.h"
#include "lerpmesh/image.h"

typedef struct lm_picture {
    uint32_t width, height;
    uint8_t *pixels;  /* 4 bytes each, from the heap */
    uint8_t *indices; /* a byte each, behind them; NULL where pixels are colours */
    size_t size;      /* of both together */
    lm_palette palette;
    bool had_alpha;
} lm_picture;

/* One call's surroundings. */
typedef struct lm_image_job {
    lm_bytes file;
    const lm_image_options *options;
    lm_heap *heap;
    lm_reporter *reporter;
} lm_image_job;

/* Checks the size against the options, notes it, and sets the heap's bound by it. */
bool lm_picture_size(const lm_image_job *job, uint64_t width, uint64_t height, size_t offset,
                     lm_picture *picture);
/* Memory for the pixels and, if asked for, the indices; false if there is none. */
bool lm_picture_alloc(const lm_image_job *job, bool indexed, lm_picture *picture);

/* Gives pixels the colours of their indices; `keyed`: index 255 is transparent. */
void lm_picture_colour(lm_picture *picture, bool keyed);

/* Decoders: false with a report, or for want of memory without one. What they left in the picture
 * is the caller's to free. */
bool lm_pcx_decode(const lm_image_job *job, lm_picture *picture);
bool lm_stb_decode(const lm_image_job *job, const char *format, lm_picture *picture);

bool lm_pcx_plausible(lm_bytes file);
bool lm_tga_plausible(lm_bytes file);
/* Whether a JPEG or a TGA is such that stb may be let at it; damage is reported. */
bool lm_stb_armour(const lm_image_job *job, const char *format);

void lm_palette_from_rgb(const uint8_t *rgb, uint32_t count, lm_palette *palette);

bool lm_pixels_opaque(const uint8_t *pixels, size_t count); /* 4 bytes each */

/* The short name of the picture format that these bytes begin with, NULL if none. TGA has no
 * identifier: it is what its header makes plausible. */
const char *lm_image_format_of(const void *data, size_t size);

#endif
