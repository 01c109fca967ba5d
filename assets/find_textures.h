/* The fourth stage of opening: finds the files of texture names, also through shader scripts, and
 * reads their pixels or bytes. A file that cannot be read is reported and does not count as found:
 * the search goes on. */
#ifndef LM_ASSETS_FIND_TEXTURES_H
#define LM_ASSETS_FIND_TEXTURES_H

#include "core/names.h"
#include "image/decoded_image.h"
#include "lerpmesh/assets.h"
#include "shaders/script.h"
#include "sources.h"
#include "texture_names.h"

/* The shader scripts of a folder or an archive. */

typedef struct lm_scripts_file {
    const char *path; /* as for lm_vfs_read */
    const char *name; /* below the source's root */
    uint32_t order;
    lm_buffer text;
    lm_script *script;
} lm_scripts_file;

/* A definition that a file has of a name. */
typedef struct lm_scripts_label {
    uint32_t file, label;
    uint32_t next; /* the next definition that the name has in another file; LM_NO_LABEL: none */
    uint32_t last; /* of a name's first definition: its last one so far */
} lm_scripts_label;

#define LM_NO_LABEL UINT32_MAX

typedef struct lm_scripts {
    lm_arena *arena;
    lm_scripts_file *files; /* in the archive's order, or sorted by name for a folder */
    uint32_t num_files;
    size_t capacity;
    lm_scripts_label *labels; /* of a name, from the last file to the first */
    lm_names by_name;         /* to the first of the name's labels + 1 */
    lm_names by_path;         /* of the files */
    lm_error problem;         /* of the first script that cannot be read */
    const char *problem_path; /* of that script; NULL: all can be read */
} lm_scripts;

/* A reference to an image by its name, with the result of the search. */
typedef struct lm_image_ref {
    const char *name;
    const lm_model *model; /* the owner, if this is an embedded skin; else NULL */
    uint32_t skin;
    bool given;
    bool is_guess;      /* the name is a path in the source of guesses */
    unsigned map;       /* its lm_map + 1; 0: it is none */
    bool is_texture;    /* a material's texture, not only a stage of a script */
    const char *path;   /* NULL: not found, or what was found cannot be used */
    const char *shown;  /* the last path that was found, for messages */
    bool is_named;      /* it is where the name says */
    uint32_t source;    /* index in the search path, if it was searched for and found */
    const char *inside; /* its path in that source */
    bool unsafe;
    uint32_t num_tried;
    uint32_t image;      /* index of the scene's textures; LM_NO_TEXTURE: not read */
    const char *problem; /* the reason why `shown` is not used; NULL: none */
    lm_code code;        /* of the problem */
} lm_image_ref;

#define LM_OWN_IMAGE UINT32_MAX

/* A texture, with the results of the search. */
typedef struct lm_found_texture {
    lm_asset_texture texture;    /* the last stage sets its path, shader and other fields */
    lm_image_ref own;            /* the image of the texture's name */
    lm_image_ref *maps;          /* [LM_NUM_MAPS] of that image; NULL: none */
    lm_script_shader script;     /* the shader of the name, if a script defines it */
    const lm_scripts_file *file; /* the script */
    lm_image_ref *images;        /* [script.num_images] */
    uint32_t shown;      /* the image that represents the texture: LM_OWN_IMAGE or its index */
    bool is_reflected;   /* the image shown is no texture, but a reflection */
    bool opened_scripts; /* the part's scripts were opened for this texture */
} lm_found_texture;

/* The textures of a part, indexed like its names. */
typedef struct lm_found_textures {
    lm_found_texture *textures;
    uint32_t count;
    size_t capacity;
    const lm_scripts *
        *scripts; /* of the sources that have some, in search order; NULL: not opened */
    uint32_t num_scripts;
} lm_found_textures;

typedef struct lm_images lm_images;

/* Searches for the files of names that are new in the list, and reads them as far as the options
 * want them. Fails if there is no memory. */
bool lmi_find_textures(lm_context *c, const lm_texture_names *names, lm_found_textures *list,
                       lm_images *images);
/* Returns whether a guessed image can be used; reports the reason if not. `images` are the
 * lm_images. */
bool lmi_guess_is_usable(lm_context *c, const lm_texture_names *names, const char *path,
                         void *images);
/* Returns whether any texture was found. */
bool lmi_any_texture_found(const lm_found_textures *list);

/* Returns the image that represents a texture. */
const lm_image_ref *lmi_shown_image(const lm_found_texture *found);

/* ---- The images that were found -------------------------------------------------------------- */

/* An image that was read. */
typedef struct lm_asset_image {
    const char *path;
    lm_buffer bytes;
    lm_image *image; /* NULL: freed after conversion to a portable format */
} lm_asset_image;

/* The images of all parts, each once. */
struct lm_images {
    lm_asset_image *images;
    lm_scene_texture *textures; /* one per image */
    uint32_t count;
    size_t image_capacity, texture_capacity;
    lm_names by_path;
    const lm_palette *palette; /* of the game, for embedded skins; NULL: that of the model */
    bool looked_for_palette;
    bool any_indexed; /* an image has indices into a palette */
    lm_image_total in_memory;
};

/* Reads an image that was found, as far as the options want it, once for all textures that show it.
 * Returns false, with its problem set, if it cannot be used. If memory runs out, the arena tells.
 */
bool lmi_image_use(lm_context *c, const lm_texture_names *names, lm_image_ref *ref,
                   lm_images *images);
void lmi_images_close(lm_images *images);
/* Adds the images of a group from the second on, and numbers all of them, if the first was read. */
bool lmi_images_read_group(lm_context *c, const lm_model *model, uint32_t skin, const char *path,
                           const lm_palette *palette, lm_images *images, lm_error *error);
/* Converts an image's bytes to a format that glTF supports. */
bool lmi_images_make_portable(lm_images *images, uint32_t image, lm_error *error);

#endif
