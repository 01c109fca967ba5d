/* The pictures that parts wear, as the files that they are. */
#ifndef IMPORT_PICTURES_H
#define IMPORT_PICTURES_H

#include "gltf.h"

/* The image of a texture that a material names; IM_NONE if there is none that is read. */
uint32_t lm_im_image_of(const lm_im_gltf *gltf, lm_im_ref texture);
/* What it is called: its file, else its name; "" if nothing. NULL if there is no memory. */
const char *lm_im_image_name(importing *im, const lm_im_gltf *gltf, uint32_t image);

/* The variants of which pictures are read. */
uint32_t lm_im_count_variants(const importing *im, const lm_im_gltf *gltf);
/* In how many ways the file is dressed: a variant each, one without. */
uint32_t lm_im_dresses(const lm_im_gltf *gltf);
/* The image of a primitive in each of them; stays NULL where pictures are not asked for. */
bool lm_im_read_dress(importing *im, const lm_im_gltf *gltf, lm_im_ref primitive, uint32_t material,
                      const uint32_t **dress);
/* Notes what the take's surfaces wear: of each its dress, or NULL. */
bool lm_im_wear(importing *im, uint32_t num_dresses, uint32_t num_surfaces,
                const uint32_t *const *dresses);
/* Reads what is worn. */
bool lm_im_read_pictures(importing *im, const lm_im_gltf *gltf);

/* What a picture is called and, if it is worn, its bytes; without these where it is not there.
 * False only for want of memory. */
typedef bool lm_im_picture_filler(importing *im, const void *user, uint32_t index, bool worn,
                                  lm_import_picture *out);
/* Notes so many pictures, and says which of those that are worn are missing. */
bool lm_im_fill_pictures(importing *im, uint32_t count, lm_im_picture_filler *fill,
                         const void *user);
/* The bytes of a file beside, or of a data: URI; none where it is not there. False only for want of
 * memory. */
bool lm_im_read_picture(importing *im, const char *place, const char *uri, lm_import_picture *out);

#endif
