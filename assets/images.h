/* The fifth stage of opening: the pixels, or the bytes, of the pictures that were found. */
#ifndef LM_ASSETS_IMAGES_H
#define LM_ASSETS_IMAGES_H

#include "found.h"

/* A picture that was read. */
typedef struct lm_asset_picture {
    const char *path;
    lm_buffer bytes;
    lm_image *image; /* NULL: it went when it was portable */
} lm_asset_picture;

/* Of all parts, each picture once. */
typedef struct lm_images {
    lm_asset_picture *pictures;
    lm_scene_texture *textures; /* one a picture */
    uint32_t count;
    size_t picture_capacity, texture_capacity;
    lm_names by_path;
} lm_images;

/* Reads the pictures of the textures from the one of that number on, as far as the options want
 * them, and leaves in each why it cannot be read. False for want of memory. */
bool lm_images_read(lm_context *c, const lm_naming *naming, lm_found_list *list, uint32_t first,
                    lm_images *images);
void lm_images_close(lm_images *images);
/* Makes a picture's bytes those of a file that glTF knows. */
bool lm_images_make_portable(lm_images *images, uint32_t picture, lm_error *error);

#endif
