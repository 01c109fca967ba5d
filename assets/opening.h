/* What lm_assets_open makes: the results of all stages. */
#ifndef LM_ASSETS_OPENING_H
#define LM_ASSETS_OPENING_H

#include "materials.h"

typedef struct lm_opening {
    lm_assets assets; /* first: what the caller has */
    lm_context context;
    lm_settings settings;
    lm_parts parts;
    lm_dressing *dressings; /* one a part; NULL: nothing was looked for */
    lm_images images;
    lm_scene scene;
} lm_opening;

#endif
