#include "import_skins.h"

lm_scene_texture lm_import_texture(const lm_import_image *image, const lm_image *decoded) {
    lm_scene_texture texture = {.name = image->name};
    if (decoded) {
        texture.width = decoded->width;
        texture.height = decoded->height;
        texture.pixels = decoded->pixels;
        texture.alpha = image->transparent && !decoded->opaque ? LM_ALPHA_MASK : LM_ALPHA_OPAQUE;
    }
    return texture;
}

uint32_t lm_import_skins(const lm_import *import, const lm_scene_texture *textures,
                         lm_scene_material *materials, lm_material_set *skins) {
    const uint32_t surfaces = import->mesh->num_surfaces;
    for (size_t i = 0; i < (size_t)import->num_variants * surfaces; i++) {
        const uint32_t image = import->surface_images[i];
        const bool has_pixels = image != LM_IMPORT_NO_IMAGE && textures[image].pixels;
        materials[i] =
            (lm_scene_material){.name = "",
                                .texture = has_pixels ? image : LM_NO_TEXTURE,
                                .alpha = has_pixels ? textures[image].alpha : LM_ALPHA_OPAQUE};
        skins[i / surfaces] = (lm_material_set){"", materials + i / surfaces * surfaces};
    }
    return surfaces > 0 ? import->num_variants : 0;
}
