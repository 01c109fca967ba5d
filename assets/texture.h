/* Where a model's textures are. A name in a model is untrusted: only files below the roots are
 * found. */
#ifndef LM_TEXTURE_H
#define LM_TEXTURE_H

#include "sources.h"

typedef struct lm_texture {
    bool found;
    bool unsafe;             /* worth a warning (LM_CODE_UNSAFE_PATH): the name, or a link met */
    bool starved;            /* there was no memory to look everywhere */
    uint32_t root;           /* where, if found */
    char path[LM_PATH_SIZE]; /* in that root, in its real spelling */
    uint32_t num_tried;      /* candidates 0 .. num_tried - 1 were looked for */
} lm_texture;

/* Looks for a texture by its name in a model; returns result->found. In each root it tries
 * 1. the name below the root,
 * 2. the name below the model's folder,
 * 3. the name without its folders in the model's folder
 * (2 and 3 only in the model's own root), each with the extension it names and then with
 * .tga .jpg .jpeg .png .pcx .webp (as ioquake3 does); a name without an extension gets these only.
 * Of an unsafe name only the part behind the last separator is looked for, by rule 3. */
bool lm_texture_find(const lm_places *places, const char *name, lm_texture *result);

/* What the search for a name tries, by number; false beyond the last. */
bool lm_texture_candidate(const lm_places *places, const char *name, uint32_t index, uint32_t *root,
                          char path[LM_PATH_SIZE]);

#endif
