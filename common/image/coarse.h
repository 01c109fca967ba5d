/* An image that was drawn smaller and enlarged, because its triangles fill it too often. */
#ifndef IMAGE_COARSE_H
#define IMAGE_COARSE_H

#include <stdint.h>

typedef struct coarse_image {
    double fill, max_fill; /* how often triangles would fill the whole image, and the limit; fill 0:
                              no image was enlarged */
    uint32_t width, height; /* the size that was drawn */
} coarse_image;

#endif
