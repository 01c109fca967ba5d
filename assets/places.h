/* Where files are looked for: a model's folder, and where the games have it. */
#ifndef LM_ASSETS_PLACES_H
#define LM_ASSETS_PLACES_H

#include "settings.h"
#include "texture.h"

/* The model's folder in all places, in the engines' order: in the games', and before these the one
 * that it is in itself, if that is none of them. */
typedef struct lm_places {
    lm_source *sources;
    uint32_t count;
    bool in_game; /* the model is in one of the games' places */
} lm_places;

/* The places of a model. False for want of memory. */
bool lm_places_open(lm_context *c, const lm_settings *settings, const char *path,
                    lm_places *places);
/* The first that has a file of that name, letters in either case, and its path there; NULL: none
 * has. */
const lm_source *lm_places_find(const lm_places *places, const char *name, lm_arena *arena,
                                char actual[LM_PATH_SIZE]);

#define LM_NO_ROOT UINT32_MAX

/* Where the textures of a model are looked for. */
typedef struct lm_search {
    lm_texture_search roots;
    lm_source *sources; /* [roots.num_roots] */
    uint32_t own;       /* the model's own root: the first, or, in a game, the last; LM_NO_ROOT */
} lm_search;

/* A folder that cannot be opened is a finding. False for want of memory. */
bool lm_search_open(lm_context *c, const lm_settings *settings, const char *path,
                    const lm_places *places, lm_search *search);

#endif
