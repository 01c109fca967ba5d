/* The third stage of opening: the texture name of each surface of a part in each skin. */
#ifndef LM_ASSETS_TEXTURE_NAMES_H
#define LM_ASSETS_TEXTURE_NAMES_H

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

/* The texture names of a part, and their sources. */
typedef struct lm_texture_names {
    const lm_settings *settings;
    const char *path; /* of the model */
    bool attached;    /* to another model, to which the IMAGE options apply */
    const lm_model *model;
    const lm_search_path *search;
    lm_skin_file *skin;    /* in the model's folder; NULL: none */
    const char **defined;  /* [surfaces of the model] without one: the textures that an md2.cfg,
                              md3.cfg or MODELDEF gives them; NULL: none */
    const char *skin_path; /* the path of the one or the other, for lm_vfs_read */
    bool has_named_skin;   /* `skin` is the requested one */
    bool is_substitute;    /* `skin` is a team's, because there is no other */
    bool has_named_image;  /* an image has the requested name */
    const char **guesses;  /* paths in a source, if nothing else was found */
    uint32_t num_guesses, guess_source;
    const char *evidence; /* the reason for the first, as a clause: "has the model's name" */

    lm_texture_name *list; /* in the order in which surfaces use them */
    uint32_t count;
    size_t capacity;
    lm_names known;
    uint32_t num_skins;
    uint32_t *of_surfaces; /* [num_skins][surfaces of the model], into `list`; LM_NO_NAME: none */
} lm_texture_names;

/* Finds the sources of texture names: a .skin file, the options, the model. Fails if there is no
 * memory. Free its `skin` in any case. */
bool lmi_texture_names_open(const lm_parts *all, uint32_t part, lm_texture_names *names);
/* Appends the names of all surfaces to the list. Fails if there is no memory. */
bool lmi_texture_names_fill(lm_context *c, lm_texture_names *names);
/* Sets `defined`, and the path of its file, for a part without a .skin file. */
void lmi_texture_names_define(const lm_parts *all, uint32_t part, lm_texture_names *names);
/* Searches the projects of GZDoom for an image by its name alone. Sets `found`, `source` and
 * `path`. */
void lmi_texture_find_by_name(lm_context *c, const lm_search_path *search, const char *name,
                              lm_texture *texture);
/* Returns whether a guess, a path in the source of guesses, is an image that can be used. */
typedef bool (*lm_guess_usable)(lm_context *c, const lm_texture_names *names, const char *path,
                                void *user);
/* Searches the model's folder for images that fit the model and can be used, for another
 * lmi_texture_names_fill. Returns whether there are any. */
bool lmi_texture_names_guess(lm_context *c, lm_texture_names *names, lm_guess_usable usable,
                             void *user);

/* Returns whether a single texture covers the part, so that an IMAGE option applies to the
 * surface. */
bool lmi_has_single_texture(const lm_texture_names *names, const lm_surface *surface);
/* Returns a skin's name; NULL: it has none. */
const char *lmi_skin_name(const lm_texture_names *names, uint32_t skin);

/* Returns whether a skin of that name is tried if none is requested. */
bool lmi_is_default_skin(const char *name);
/* Returns the NAME of a .skin file in a model's folder; NULL for other files. */
const char *lmi_skin_name_of_file(lm_vfs *vfs, const char *path, const char *file, lm_arena *arena);
/* Lists the NAMEs of the .skin files of a model, the default first; some occur several times. */
void lmi_skin_names_list(lm_vfs *vfs, const lm_search_path *search, const char *path,
                         lm_listing *found);

#endif
