/* The fourth stage of opening: finds the files of texture names, also through shader scripts. */
#ifndef LM_ASSETS_FOUND_H
#define LM_ASSETS_FOUND_H

#include "naming.h"
#include "scripts.h"

/* An image that is searched for; the next stage reads it. */
typedef struct lm_sought {
    const char *name;
    const lm_model *model; /* the owner, if it is an embedded skin; else NULL */
    uint32_t skin;
    bool given;
    bool is_guess;      /* the name is a path found in the model's own root */
    bool is_texture;    /* a material's texture, not only a stage of a script */
    const char *path;   /* NULL: not found */
    const char *shown;  /* the path for messages */
    uint32_t root;      /* index of the place, if it was searched for and found */
    const char *inside; /* its path in that place */
    bool unsafe;
    uint32_t num_tried;
    uint32_t image;      /* index of the scene's textures; LM_NO_TEXTURE: not read */
    const char *problem; /* why it is not used; NULL: no problem */
    lm_code code;        /* of the problem */
} lm_sought;

#define LM_OWN_IMAGE UINT32_MAX

/* A texture, with the search's results. */
typedef struct lm_found {
    lm_asset_texture texture; /* the last stage sets its path, shader and other fields */
    lm_sought own;            /* the image of the texture's name */
    lm_script_shader script;  /* the shader of the name, if a script defines it */
    lm_sought *images;        /* [script.num_images] */
    uint32_t shown;           /* the image that represents the texture: LM_OWN_IMAGE or its index */
    bool is_reflected;        /* the image shown is no texture, but a reflection */
    bool opened_scripts;      /* the part's scripts were opened for this texture */
} lm_found;

/* The textures of a part, indexed like its names. */
typedef struct lm_found_list {
    lm_found *textures;
    uint32_t count;
    size_t capacity;
    const lm_scripts **scripts; /* of the places that have some, the best first; NULL: not opened */
    uint32_t num_scripts;
} lm_found_list;

/* Searches for the names that were not searched for yet. Fails if there is no memory. */
bool lm_found_fill(lm_context *c, const lm_naming *naming, lm_found_list *list);
/* Returns whether any texture was found. */
bool lm_found_any(const lm_found_list *list);

/* Returns the image that represents a texture. */
const lm_sought *lm_found_shown(const lm_found *found);

#endif
