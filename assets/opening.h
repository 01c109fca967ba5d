/* What lm_assets_open makes, while it is made and afterwards. */
#ifndef LM_ASSETS_OPENING_H
#define LM_ASSETS_OPENING_H

#include "disk.h"

/* ---- What was asked for -------------------------------------------------------------------- */

typedef enum lm_skin_kind {
    LM_SKIN_PICTURE,    /* a path */
    LM_SKIN_OF_SURFACE, /* the same, for a surface */
    LM_SKIN_LIST,       /* a .skin file */
    LM_SKIN_NONE,
    LM_SKIN_NAME /* MODEL_NAME.skin beside each model */
} lm_skin_kind;

typedef struct lm_skin_option {
    lm_skin_kind kind;
    const char *text;         /* path or name */
    const char *surface;      /* LM_SKIN_OF_SURFACE */
    const lm_skin_file *list; /* LM_SKIN_LIST */
} lm_skin_option;

/* The options, with what they name. */
typedef struct lm_settings {
    const lm_assets_options *options;
    const lm_kept *clips; /* NULL: none were named */
    bool no_clip_files;
    bool clips_of_quake2; /* by the table, whatever the names */
    const lm_kept **games;
    uint32_t num_games;
    lm_shelf *shelves; /* all places of the games, those that can be opened, the best first */
    uint32_t num_shelves;
    const char *here; /* what relative paths begin at, where that tells of the game; NULL */
    const lm_palette *palette;
    lm_skin_option *skins;
    uint32_t num_skins;
    const char *skin_name; /* the last that is LM_SKIN_NAME, or NULL */
    bool plain;            /* the last of all is LM_SKIN_NONE */
} lm_settings;

/* False with `error` filled, and with the name of the option in question. */
bool lm_settings_read(lm_disk *disk, const lm_assets_options *options, lm_pool *pool,
                      lm_settings *settings, const char **option, lm_error *error);

/* ---- Where textures are looked for --------------------------------------------------------- */

/* The model's folder in all places, in the engines' order: in the games', and before these the one
 * that it is in itself, if that is none of them. */
typedef struct lm_places {
    lm_shelf *shelves;
    uint32_t count;
    bool in_game; /* the model is in one of the games' places */
} lm_places;

#define LM_NO_ROOT UINT32_MAX

typedef struct lm_lookup {
    const lm_settings *settings;
    const char *path; /* of the model */
    bool attached;    /* to another, which is the one that a picture is for */
    const lm_model *model;
    lm_places places;
    lm_skin_file *skin;    /* beside the model, NULL: there is none */
    const char *skin_path; /* its path, as lm_disk_read takes it */
    bool has_named_skin;   /* it is the one that was asked for */
    bool is_substitute;    /* it is a team's, because there is no other */
    bool wears_named;      /* a picture of the name that was asked for */
    const char **guesses;  /* paths in the model's own root, where nothing else was found */
    uint32_t num_guesses;
    uint32_t own;      /* the model's own root: the first, or, in a game, the last; LM_NO_ROOT */
    lm_shelf *shelves; /* where the roots come from */
    lm_texture_root *roots;
    lm_texture_search search;
    const lm_scripts *
        *scripts; /* of the places that have some, the best first; NULL: nobody asked yet */
    uint32_t num_scripts;
} lm_lookup;

/* A name of a texture, and where it is from. */
typedef struct lm_texture_name {
    const char *text; /* NULL: none */
    size_t length;
    lm_texture_source source;
    bool given;  /* a path of the user's: it is not searched for */
    bool shaded; /* a surface's: scripts may define it */
} lm_texture_name;

/* ---- All of it ----------------------------------------------------------------------------- */

/* A picture that was read. */
typedef struct lm_asset_picture {
    const char *path;
    lm_buffer bytes;
    lm_image *image; /* NULL: it went when it was portable */
} lm_asset_picture;

/* A picture that is looked for. */
typedef struct lm_sought {
    const char *name;
    const lm_model *model; /* whose embedded skin it is, NULL: none's */
    uint32_t skin;
    bool given;
    bool is_guess;      /* the name is a path that was met in the model's own root */
    const char *path;   /* NULL: it is nowhere */
    const char *shown;  /* that in sentences */
    uint32_t root;      /* of the lookup's, if it was looked for and found there */
    const char *inside; /* its path in that */
    bool unsafe;
    uint32_t num_tried;
    uint32_t picture;    /* of the scene's textures; LM_NO_TEXTURE: it was not read */
    const char *problem; /* why it is not used; NULL: nothing is wrong */
    lm_code code;        /* of the problem */
} lm_sought;

/* A texture of a part, and its picture. */
typedef struct lm_worn {
    lm_asset_texture texture;
    lm_sought sought;
} lm_worn;

/* What is known of a part beyond what lm_asset says. */
typedef struct lm_part_state {
    lm_model *model;
    lm_clips *clips;
    lm_lookup lookup;
    lm_worn *worn;
    lm_asset_texture *textures;
    uint32_t num_worn, worn_capacity;
} lm_part_state;

typedef struct lm_opening {
    lm_assets assets; /* first: what the caller has */
    lm_pool pool;
    lm_disk *disk;
    lm_settings settings;
    const char *path; /* what was asked for */
    lm_error error;

    lm_scene scene;
    lm_scene_part *parts; /* [LM_MAX_PARTS], and so the next two */
    lm_asset *files;
    lm_part_state *states;

    lm_asset_picture *pictures;
    lm_scene_texture *textures; /* one a picture */
    uint32_t picture_capacity, texture_capacity;

    lm_finding *findings;
    uint32_t finding_capacity;
} lm_opening;

/* Notes a finding about `path`. */
void lm_note(lm_opening *o, lm_subject subject, lm_severity severity, lm_code code,
             const char *path, const char *sentence, ...) LM_PRINTF(6, 7);
/* Notes why there is no scene; returns false. The sentence does not say the path again. */
bool lm_note_failure(lm_opening *o, const char *path, const lm_error *error);
bool lm_note_refusal(lm_opening *o, const char *sentence, ...) LM_PRINTF(2, 3);

/* Loads a model as one more part, with its clips. NULL: why was noted. */
lm_scene_part *lm_add_part(lm_opening *o, const char *path);
/* Loads it and hangs it on the tag, of the model that was attached last and has it. */
lm_scene_part *lm_attach(lm_opening *o, const char *tag, const char *path);
/* Loads it to show the frames that the first part shows. */
lm_scene_part *lm_follow(lm_opening *o, const char *path);

/* The player that the opening's path names, or what else lies beside the model. */
bool lm_add_player(lm_opening *o);
bool lm_add_companions(lm_opening *o);
/* The folder of the player that a part belongs to; `path` itself if it belongs to none. NULL: no
 * memory. */
const char *lm_whole_player(lm_disk *disk, const char *path, lm_pool *pool);

/* Chooses the clips of a part: of the file that was named, or of one beside the model. */
bool lm_choose_clips(lm_opening *o, uint32_t part, lm_error *error);

/* The folder of the game that a model's path tells of: above the last models/ or players/ in it,
 * or, of a relative path without these, in that of the folder in which the program runs, which goes
 * into `here`. NULL: it tells of none. */
const char *lm_game_of(lm_disk *disk, const char *path, const char **here, lm_pool *pool);
/* Opens the games that the options name, or else the one that the path tells of; one that cannot be
 * opened is a finding. False for want of memory. */
bool lm_games_open(lm_opening *o);

/* The places of a model. False for want of memory. */
bool lm_places_open(lm_opening *o, const char *path, lm_places *places);
/* The first that has a file of that name, letters in either case, and its path there; NULL: none
 * has. */
const lm_shelf *lm_places_find(const lm_places *places, const char *name, lm_pool *pool,
                               char actual[LM_PATH_SIZE]);

/* Chooses the .skin file of a part, whose places are open. */
void lm_lookup_skin(lm_opening *o, lm_lookup *lookup);
/* Whether a skin of that name is worn where none is asked for. */
bool lm_skin_is_usual(const char *name);
/* NAME of a file in a model's folder that is called as its .skin files are; NULL: another file. */
const char *lm_skin_of_file(const lm_opening *o, const char *path, const char *file, lm_pool *pool);

/* Where the textures of a part are looked for; a folder that cannot be opened is a finding. False
 * for want of memory. */
bool lm_lookup_open(lm_opening *o, uint32_t part);
void lm_lookup_close(lm_lookup *lookup);
/* How many skins a model has to choose from: those that it lists and no option decides. */
uint32_t lm_lookup_skins(const lm_lookup *lookup);
/* Whether a picture that is given without a surface is for this one. */
bool lm_lookup_is_whole(const lm_lookup *lookup, const lm_surface *surface);
/* What a skin is called; NULL: it has no name. */
const char *lm_lookup_skin_name(const lm_lookup *lookup, uint32_t skin);
/* Looks for pictures that the model may have been made for; whether there are any. */
bool lm_lookup_guess(lm_opening *o, lm_lookup *lookup);
/* What a surface wears in a skin. */
lm_texture_name lm_lookup_name(lm_disk *disk, const lm_lookup *lookup, uint32_t surface,
                               uint32_t skin);

/* Finds a picture by its name; reads one that was found, once for all that wear it, and leaves in
 * `sought` why that cannot be. */
void lm_seek_picture(lm_opening *o, const lm_lookup *lookup, lm_sought *sought);
void lm_read_picture(lm_opening *o, const lm_lookup *lookup, lm_sought *sought);
/* Makes the picture's bytes those of a file that glTF knows. */
bool lm_make_portable(lm_asset_picture *picture, lm_scene_texture *texture, lm_error *error);

/* Whether a script defines the name of what is worn. Then its shader is there, with its pictures
 * sought and, where that is wanted, read. */
bool lm_shade(lm_opening *o, lm_lookup *lookup, lm_worn *worn);
/* Whether a .skin file leaves out what is worn, of whose name neither script nor picture was found.
 * Then its shader is there, and hidden. */
bool lm_leave_out(lm_opening *o, const lm_lookup *lookup, lm_worn *worn);
/* Notes each skin that was asked for and dresses nothing. */
void lm_note_demands(lm_opening *o);

/* Finds the textures of all parts, reads them and dresses the parts, as the options want it. False
 * for want of memory. */
bool lm_dress(lm_opening *o);
void lm_undress(lm_opening *o); /* releases all of that */

#endif
