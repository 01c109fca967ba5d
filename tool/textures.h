/* Pictures for models: what --game, --skin, --palette and --transparent-255 say, and where each
 * texture is found. */
#ifndef TOOL_TEXTURES_H
#define TOOL_TEXTURES_H

#include "archives.h"
#include "lerpmesh/image.h"
#include "lerpmesh/skin.h"
#include "lerpmesh/texture.h"
#include "scene.h"

/* What the options say, read once for all inputs. */
typedef struct tool_texture_settings {
    const tool_args *args;
    lm_palette palette;
    bool has_palette, transparent_255;
    bool as_pixels;       /* what is loaded stays decoded: it is for the screen, not for a file */
    lm_skin_file **skins; /* of each --skin that names a .skin file, in their order */
    size_t num_skins;
    char **games; /* where --game leads, in the order in which it is looked at */
    size_t num_games;
    const char *skin_name; /* --skin NAME, no file: MODEL_NAME.skin beside each model */
} tool_texture_settings;

/* On a mistake says so and returns false. Free in any case. */
bool tool_texture_settings_read(const tool_args *args, tool_texture_settings *settings);
void tool_texture_settings_free(tool_texture_settings *settings);

/* Reads --game: each folder, then the archives in it, of which the last in the order of names comes
 * first, as in the engines. On a mistake says so and returns false. Free in any case. */
bool tool_games_read(const tool_args *args, tool_texture_settings *settings);
void tool_games_free(tool_texture_settings *settings);

/* ---- Looking ------------------------------------------------------------------------------- */

/* Where the textures of one model are looked for: its own folder, then those of --game. */
typedef struct tool_lookup {
    const tool_texture_settings *settings;
    const char *path; /* of the model */
    bool attached;    /* to another, which is the one that --skin FILE is for */
    const tool_input *input;
    lm_skin_file *skin;  /* MODEL_default.skin beside the model, NULL: there is none */
    bool has_named_skin; /* it is MODEL_NAME.skin */
    tool_place *opened;  /* where the places come from */
    lm_texture_place *places;
    lm_texture_search search;
} tool_lookup;

bool tool_lookup_open(tool_job *job, const tool_texture_settings *settings, const char *path,
                      const tool_input *input, tool_lookup *lookup);
void tool_lookup_close(tool_lookup *lookup);

/* How many skins a model has to choose from: those that it lists and no option decides. */
uint32_t tool_lookup_skins(const tool_lookup *lookup);

/* The texture that a surface wears in a skin. */
typedef struct tool_texture {
    char name[LM_PATH_SIZE]; /* as the model, the .skin file or the option has it; "": none */
    const char *source;      /* where that name is from, for people */
    bool given;              /* `name` is a path of the user's: it is not searched for */
    lm_texture result;       /* if not given */
} tool_texture;

void tool_lookup_find(const tool_lookup *lookup, uint32_t surface, uint32_t skin,
                      tool_texture *out);

/* ---- Dressing a scene ---------------------------------------------------------------------- */

/* A picture that was loaded, as PNG or JPEG, or as pixels. */
typedef struct tool_picture {
    char *key; /* where it is */
    char *uri;
    lm_buffer bytes; /* empty with `as_pixels` */
    lm_image *image; /* NULL without */
} tool_picture;

typedef struct tool_wardrobe {
    uint32_t num_pictures, capacity;
    tool_picture *pictures;
    lm_scene_texture *textures; /* one a picture */
    lm_scene_skin **skins;      /* [parts] */
    uint32_t num_parts;
    bool has_named_skin; /* one of the models has the skin that --skin names */
    lm_buffer missing;   /* names that were not found, with commas */
    uint32_t num_missing;
} tool_wardrobe;

/* Loads what the models of a scene wear and dresses them. What is not found, or no picture, leaves
 * a plain material; that is said later (tool_wardrobe_tell). Fails only for want of memory. */
bool tool_wardrobe_fill(tool_job *job, const tool_texture_settings *settings, tool_scene *scene,
                        tool_wardrobe *wardrobe);
void tool_wardrobe_tell(tool_job *job, const tool_texture_settings *settings,
                        const tool_wardrobe *wardrobe);
/* Gives each picture the name of a file that begins with `stem`. */
bool tool_wardrobe_name_files(tool_wardrobe *wardrobe, const char *stem);
void tool_wardrobe_close(tool_wardrobe *wardrobe);

#endif
