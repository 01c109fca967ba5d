/* Finds a model's textures. Names in a model are untrusted: only files in the search path are
 * found. */
#ifndef LM_TEXTURE_H
#define LM_TEXTURE_H

#include "sources.h"

typedef struct lm_texture {
    bool found;
    bool is_named;           /* at the place that the name says, not elsewhere */
    bool unsafe;             /* reason for a warning (LM_CODE_UNSAFE_PATH): the name, or a link */
    bool out_of_memory;      /* the search is incomplete */
    uint32_t source;         /* index in the search path, if found */
    char path[LM_PATH_SIZE]; /* in that source, in its real spelling */
    uint32_t num_tried;      /* candidates 0 .. num_tried - 1 were tried */
} lm_texture;

/* Searches for a texture by its name in a model; returns result->found. In each source it tries
 *     1. the name below the source's root,
 *     2. the name below the model's folder,
 *     3. the name without its folders in the model's folder
 * (2 and 3 only in the model's own source). Each is tried with its own extension first, and then
 * with .tga .jpg .jpeg .png .pcx .webp, as in ioquake3; a name without an extension only with
 * these. If the name is unsafe, only the part after its last separator is tried, by rule 3.
 *
 * A name that begins with a dot, as in UFO: Alien Invasion, is beside the model: without the dot,
 * it replaces the model's file name in its path. It is tried in the model's folder in each source,
 * with .png .jpg .jpeg .tga .pcx .webp instead of its extension. */
bool lm_texture_find(const lm_search_path *search, const char *name, lm_texture *result);

/* The order of extensions there. */
#define LM_NUM_EXTENSIONS 6
extern const char *const lm_extensions_beside[LM_NUM_EXTENSIONS];

/* Returns whether a texture name is beside the model: ".red", but not "./red" or "..". */
bool lm_texture_is_beside(const char *name);

/* Returns candidate number `index` of the search for a name. False after the last. */
bool lm_texture_candidate(const lm_search_path *search, const char *name, uint32_t index,
                          uint32_t *source, char path[LM_PATH_SIZE]);

#endif
