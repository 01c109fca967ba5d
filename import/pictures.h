/* The pictures that parts wear, as the files that they are. */
#ifndef IMPORT_PICTURES_H
#define IMPORT_PICTURES_H

#include "gltf.h"

/* The image of a texture that a material names; IM_NONE if there is none that is read. */
uint32_t lm_im_image_of(const lm_im_gltf *gltf, lm_im_ref texture);
/* What it is called: its file, else its name; "" if nothing. NULL if there is no memory. */
const char *lm_im_image_name(importing *im, const lm_im_gltf *gltf, uint32_t image);

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

#endif
