/* The pictures in a folder, and how large they are: by their headers, once for all models in it. */
#ifndef LM_ASSETS_FOLDER_IMAGES_H
#define LM_ASSETS_FOLDER_IMAGES_H

#include "sources.h"

typedef struct lm_folder_image {
    const char *name;
    size_t stem;   /* bytes of the name without its extension */
    unsigned rank; /* of the extension: smaller is looked for first */
    uint32_t width, height;
    bool has_icon, is_icon; /* X_i is X's */
    bool is_double;         /* the same name and size are there with a better extension */
    bool has_model;         /* a model there is called like it */
} lm_folder_image;

typedef struct lm_folder_images {
    uint32_t count;
    size_t capacity;
    lm_folder_image *images; /* by their names */
} lm_folder_images;

/* Those in the folder of a source, read once; of a large one only some. NULL: no memory. */
const lm_folder_images *lm_folder_images_of(lm_disk *disk, const lm_source *source);

#endif
