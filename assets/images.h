/* The fifth stage of opening: reads the pixels, or the bytes, of the images that were found. */
#ifndef LM_ASSETS_IMAGES_H
#define LM_ASSETS_IMAGES_H

#include "find_textures.h"

/* An image that was read. */
typedef struct lm_asset_image {
    const char *path;
    lm_buffer bytes;
    lm_image *image; /* NULL: freed after conversion to a portable format */
} lm_asset_image;

/* The images of all parts, each once. */
typedef struct lm_images {
    lm_asset_image *images;
    lm_scene_texture *textures; /* one per image */
    uint32_t count;
    size_t image_capacity, texture_capacity;
    lm_names by_path;
    uint64_t num_pixels, num_bytes; /* of the files whose pixels stay in memory */
} lm_images;

/* Reads the images of the textures from number `first` on, as far as the options want them. Sets
 * the problem of each that cannot be read. Fails if there is no memory. */
bool lm_images_read(lm_context *c, const lm_texture_names *names, lm_found_textures *list,
                    uint32_t first, lm_images *images);
void lm_images_close(lm_images *images);
/* Converts an image's bytes to a format that glTF supports. */
bool lm_images_make_portable(lm_images *images, uint32_t image, lm_error *error);

#endif
