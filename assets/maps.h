/* Maps: images that belong to another image by their names, as NAME_nm to NAME. */
#ifndef LM_ASSETS_MAPS_H
#define LM_ASSETS_MAPS_H

#include "sources.h"

/* Returns whether an image is a map of another one, if both are in one folder. The lengths are
 * those of the names without extensions. */
bool lm_is_map_of(const char *name, size_t length, const char *image, size_t image_length);

/* Finds a map of the image at a path in a source, in the same folder. LM_FIND_FILE: `actual` is its
 * path in the source. */
lm_find lm_map_find(const lm_source *source, const char *path, lm_map map,
                    char actual[LM_PATH_SIZE]);

/* Returns whether the pixels of such a map mean something else than lm_map's. */
bool lm_map_differs(lm_map map, bool opaque);
/* Converts `count` pixels of 4 bytes to the meaning of lm_map. */
void lm_map_convert(lm_map map, uint8_t *pixels, size_t count);

#endif
