/* The third stage of opening: the texture's name of each surface of a part in each skin. */
#ifndef LM_ASSETS_NAMING_H
#define LM_ASSETS_NAMING_H

#include "core/names.h"
#include "parts.h"

/* The name of a texture, once for all surfaces that have it. */
typedef struct lm_texture_name {
    const char *text;
    lm_texture_source source;
    bool given;    /* a path of the user's: it is not searched for */
    bool shaded;   /* a surface's: scripts may define it */
    uint32_t skin; /* the first that has it */
} lm_texture_name;

#define LM_NO_NAME UINT32_MAX

typedef struct lm_naming {
    const lm_settings *settings;
    const char *path; /* of the model */
    bool attached;    /* to another, which is the one that a picture is for */
    const lm_model *model;
    const lm_places *places;
    lm_skin_file *skin;     /* in the model's folder, NULL: there is none */
    const char *skin_path;  /* its path, as lm_disk_read takes it */
    bool has_named_skin;    /* it is the one that was asked for */
    bool is_substitute;     /* it is a team's, because there is no other */
    bool has_named_picture; /* a picture has the name that was asked for */
    const char **guesses;   /* paths in the model's own root, where nothing else was found */
    uint32_t num_guesses;

    lm_texture_name *names; /* in the order in which surfaces ask for them */
    uint32_t num_names;
    size_t capacity;
    lm_names known;
    uint32_t num_skins;
    uint32_t
        *of_surfaces; /* [num_skins][surfaces of the model]: of `names`; LM_NO_NAME: it has none */
} lm_naming;

/* Finds what names textures: a .skin file, the options, the model. False for want of memory.
 * Free its `skin` in any case. */
bool lm_naming_open(const lm_parts *all, uint32_t part, lm_naming *naming);
/* Fills the names, behind those that are there. False for want of memory. */
bool lm_naming_fill(lm_context *c, lm_naming *naming);
/* Looks for pictures that the model may have been made for, for another lm_naming_fill; whether
 * there are any. */
bool lm_naming_guess(lm_context *c, lm_naming *naming);

/* Whether a picture that is given without a surface is for this one. */
bool lm_naming_is_whole(const lm_naming *naming, const lm_surface *surface);
/* What a skin is called; NULL: it has no name. */
const char *lm_naming_skin_name(const lm_naming *naming, uint32_t skin);

/* Chooses the .skin file of a part, whose places are open. */
void lm_naming_find_skin(lm_context *c, lm_naming *naming);
/* Whether a skin of that name is worn where none is asked for. */
bool lm_skin_is_usual(const char *name);
/* NAME of a file in a model's folder that is called as its .skin files are; NULL: another file. */
const char *lm_skin_of_file(lm_disk *disk, const char *path, const char *file, lm_arena *arena);

#endif
