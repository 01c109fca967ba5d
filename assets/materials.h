/* The last stage of opening: materials and skins of the scene's parts, and what is to be said of
 * all that was met. */
#ifndef LM_ASSETS_MATERIALS_H
#define LM_ASSETS_MATERIALS_H

#include "images.h"

/* A part between the stages. */
typedef struct lm_dressing {
    lm_naming naming;
    lm_found_list found;
    uint32_t num_noted; /* textures whose findings were noted */
} lm_dressing;

/* What lm_assets_open makes: the results of all stages. */
typedef struct lm_opening {
    lm_assets assets; /* first: what the caller has */
    lm_context context;
    lm_settings settings;
    lm_parts parts;
    lm_dressing *dressings; /* one a part; NULL: nothing was looked for */
    lm_images images;
} lm_opening;

/* Gives the part of that number its materials, in each skin, and chooses the skin that it has: the
 * one that was asked for, or the first of which a picture was read; one that has none stays plain.
 * False for want of memory. */
bool lm_materials_make(lm_parts *parts, uint32_t part, lm_dressing *dressings,
                       const lm_images *images);
/* Notes each skin that was asked for and that no part has. */
void lm_note_unused_skins(const lm_parts *parts, const lm_dressing *dressings);
/* Notes what no texture was found for, and what is there instead. */
void lm_note_missing_textures(const lm_parts *parts, const lm_dressing *dressings);

#endif
