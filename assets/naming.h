/* The third stage of opening: the texture name of each surface of a part in each skin. */
#ifndef LM_ASSETS_NAMING_H
#define LM_ASSETS_NAMING_H

#include "core/names.h"
#include "parts.h"

/* The name of a texture, once for all surfaces that use it. */
typedef struct lm_texture_name {
    const char *text;
    lm_texture_source source;
    bool given;    /* a path from the user: used without a search */
    bool shaded;   /* a surface's name: scripts may define it */
    uint32_t skin; /* the first that uses it */
} lm_texture_name;

#define LM_NO_NAME UINT32_MAX

typedef struct lm_naming {
    const lm_settings *settings;
    const char *path; /* of the model */
    bool attached;    /* to another model, to which the IMAGE options apply */
    const lm_model *model;
    const lm_search_paths *places;
    lm_skin_file *skin;    /* in the model's folder; NULL: none */
    const char *skin_path; /* its path, for lm_vfs_read */
    bool has_named_skin;   /* it is the requested one */
    bool is_substitute;    /* it is a team's, because there is no other */
    bool has_named_image;  /* an image has the requested name */
    const char **guesses;  /* paths in the model's own root, if nothing else was found */
    uint32_t num_guesses;

    lm_texture_name *names; /* in the order in which surfaces use them */
    uint32_t num_names;
    size_t capacity;
    lm_names known;
    uint32_t num_skins;
    uint32_t *of_surfaces; /* [num_skins][surfaces of the model], into `names`; LM_NO_NAME: none */
} lm_naming;

/* Finds the sources of texture names: a .skin file, the options, the model. Fails if there is no
 * memory. Free its `skin` in any case. */
bool lm_naming_open(const lm_parts *all, uint32_t part, lm_naming *naming);
/* Appends the names of all surfaces to `names`. Fails if there is no memory. */
bool lm_naming_fill(lm_context *c, lm_naming *naming);
/* Searches for images that the model may have been made for, for another lm_naming_fill. Returns
 * whether there are any. */
bool lm_naming_guess(lm_context *c, lm_naming *naming);

/* Returns whether an image that is given without a surface is meant for this one. */
bool lm_naming_is_full(const lm_naming *naming, const lm_surface *surface);
/* Returns a skin's name; NULL: it has none. */
const char *lm_naming_skin_name(const lm_naming *naming, uint32_t skin);

/* Chooses the .skin file of a part, whose places are open. */
void lm_naming_find_skin(lm_context *c, lm_naming *naming);
/* Returns whether a skin of that name is used if none is requested. */
bool lm_skin_is_usual(const char *name);
/* Returns NAME if a file in a model's folder is named like its .skin files; NULL for other
 * files. */
const char *lm_skin_of_file(lm_vfs *vfs, const char *path, const char *file, lm_arena *arena);

#endif
