/* The images of parts, as encoded files. */
#ifndef IMPORT_IMAGES_H
#define IMPORT_IMAGES_H

#include "gltf.h"

/* Returns an image's file name, else its name, else "". NULL if out of memory. */
const char *lm_im_image_name(importing *im, const lm_im_gltf *gltf, uint32_t image);

/* Reads the images of the materials, and the number of variants. */
bool lm_im_read_materials(importing *im, lm_im_gltf *gltf);
/* Returns the number of images per surface: one for each variant, or one if there are no
 * variants. */
uint32_t lm_im_num_variants(const lm_im_gltf *gltf);
/* Reads a primitive's images: [lm_im_num_variants()] indices, or IM_NONE. `images` stays NULL if
 * the options request no images, or the file has none. */
bool lm_im_read_variants(importing *im, const lm_im_gltf *gltf, lm_im_ref primitive,
                         uint32_t material, const uint32_t **images);
/* Records the images of the mesh's surfaces. images[s]: those of surface s, or NULL. */
bool lm_im_bind_images(importing *im, uint32_t num_variants, uint32_t num_surfaces,
                       const uint32_t *const *images);
/* Reads the images that surfaces use. */
bool lm_im_read_images(importing *im, const lm_im_gltf *gltf);

/* Fills in an image's name and, if a surface uses it (`surface_images`), its bytes; no bytes if the
 * image is missing. Returns false only if out of memory. */
typedef bool lm_im_image_filler(importing *im, const void *user, uint32_t index,
                                bool surface_images, lm_import_image *out);
/* Records `count` images, and reports a diagnostic for each used image that is missing. */
bool lm_im_fill_images(importing *im, uint32_t count, lm_im_image_filler *fill, const void *user);
/* Reads the bytes of a file that the model refers to, or of a data: URI; no bytes if it is missing.
 * Returns false only if out of memory. */
bool lm_im_read_image(importing *im, const char *location, const char *uri, lm_import_image *out);

#endif
