/* The last stage of opening: makes the materials and skins of the scene's parts, and adds the
 * diagnostics about them. */
#ifndef LM_ASSETS_MATERIALS_H
#define LM_ASSETS_MATERIALS_H

#include "find_textures.h"

/* The textures of a part. */
typedef struct lm_part_textures {
    lm_texture_names names;
    lm_found_textures found;
    uint32_t num_reported; /* number of textures whose diagnostics were added */
} lm_part_textures;

/* The result of lm_assets_open, with the results of all stages. */
typedef struct lm_opening {
    lm_assets assets; /* first: the caller's view of this struct */
    lm_context context;
    lm_settings settings;
    lm_parts parts;
    lm_part_textures *textures; /* one per part; NULL: no textures were searched for */
    lm_images images;
} lm_opening;

/* Makes the materials of a part for each skin, and selects its skin: the requested one, or the
 * first with an image. A part without any image gets no skins. Fails if there is no memory. */
bool lmi_materials_make(lm_parts *parts, uint32_t part, lm_part_textures *textures,
                        const lm_images *images);
/* Reports each requested skin that no part has. */
void lmi_report_unused_skins(const lm_parts *parts, const lm_part_textures *textures);
/* Reports the first part's skins for which the engine of the options finds no image. */
void lmi_report_engine_skins(const lm_parts *parts, const lm_part_textures *textures);
/* Reports the textures that were not found, and their substitutes. */
void lmi_report_missing_textures(const lm_parts *parts, const lm_part_textures *textures);

#endif
