/* The images in a folder with their sizes, read from their headers once for all models in it. */
#ifndef LM_ASSETS_FOLDER_IMAGES_H
#define LM_ASSETS_FOLDER_IMAGES_H

#include "sources.h"

typedef struct lm_folder_image {
    const char *name;
    size_t stem;   /* length of the name without its extension */
    unsigned rank; /* of the extension; the smallest is tried first */
    uint32_t width, height;
    bool has_icon, is_icon; /* X_i is the icon of X */
    bool is_duplicate;      /* an image of the same name and size has a better extension */
    bool is_map;            /* it belongs to another image: NAME_nm to NAME */
    bool has_model;         /* a model in the folder has the same name */
} lm_folder_image;

typedef struct lm_folder_images {
    uint32_t count;
    size_t capacity;
    lm_folder_image *images; /* in the order of their names */
    uint32_t num_models;
} lm_folder_images;

/* Returns the length of a path without the extension of an image, and sets the rank of that. */
size_t lm_image_stem(const char *path, unsigned *rank);

/* Returns the images in the folder of a source, read once; only some of a large folder's. NULL if
 * there is no memory. */
const lm_folder_images *lm_folder_images_of(lm_vfs *vfs, const lm_source *source);

#endif
