/* The images and skins of an import (lerpmesh/import.h), for a composition or a scene. */
#ifndef LM_CONVERT_IMPORT_SKINS_H
#define LM_CONVERT_IMPORT_SKINS_H

#include "lerpmesh/image.h"
#include "lerpmesh/import.h"
#include "lerpmesh/scene.h"

/* Returns an image of an import as a texture, with the pixels of `decoded`, which must outlive it.
 * NULL: it could not be read, and has no pixels. */
lm_scene_texture lm_import_texture(const lm_import_image *image, const lm_image *decoded);

/* Makes the skins of an import, one for each variant of its materials. `textures` are those of its
 * images; surfaces whose image has no pixels have none. `materials` has room for
 * num_variants * the mesh's num_surfaces, `skins` for num_variants. Returns the number of skins: 0
 * if there are no surfaces. */
uint32_t lm_import_skins(const lm_import *import, const lm_scene_texture *textures,
                         lm_scene_material *materials, lm_material_set *skins);

#endif
