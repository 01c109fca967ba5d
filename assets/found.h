/* The fourth stage of opening: the files that names of textures lead to, by shader scripts too. */
#ifndef LM_ASSETS_FOUND_H
#define LM_ASSETS_FOUND_H

#include "naming.h"
#include "scripts.h"

/* A picture that is looked for; the next stage reads it. */
typedef struct lm_sought {
    const char *name;
    const lm_model *model; /* whose embedded skin it is, NULL: none's */
    uint32_t skin;
    bool given;
    bool is_guess;      /* the name is a path that was met in the model's own root */
    bool is_texture;    /* not only a stage of a script: a material's texture */
    const char *path;   /* NULL: it is nowhere */
    const char *shown;  /* that in sentences */
    uint32_t root;      /* of the places, if it was looked for and found there */
    const char *inside; /* its path in that */
    bool unsafe;
    uint32_t num_tried;
    uint32_t picture;    /* of the scene's textures; LM_NO_TEXTURE: it was not read */
    const char *problem; /* why it is not used; NULL: nothing is wrong */
    lm_code code;        /* of the problem */
} lm_sought;

#define LM_OWN_PICTURE UINT32_MAX

/* A texture, and what was found for it. */
typedef struct lm_found {
    lm_asset_texture texture; /* its path, shader and so on are set by the last stage */
    lm_sought own;            /* the picture of its name */
    lm_script_shader script;  /* of its name, if one defines it */
    lm_sought *pictures;      /* [script.num_pictures] */
    uint32_t shown;           /* the picture that stands for all of them; LM_OWN_PICTURE */
    bool is_reflected;        /* what is shown is no texture, but what a surface reflects */
    bool opened_scripts;      /* the part's scripts were opened for it */
} lm_found;

/* Of a part, by the numbers of its names. */
typedef struct lm_found_list {
    lm_found *textures;
    uint32_t count;
    size_t capacity;
    const lm_scripts **scripts; /* of the places that have some, the best first; NULL: not opened */
    uint32_t num_scripts;
} lm_found_list;

/* Looks for the names that were not looked for yet. False for want of memory. */
bool lm_found_fill(lm_context *c, const lm_naming *naming, lm_found_list *list);
/* Whether any of it was found. */
bool lm_found_any(const lm_found_list *list);

/* The picture that a texture shows. */
const lm_sought *lm_found_shown(const lm_found *found);

#endif
