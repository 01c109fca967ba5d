/* Sources: the folders and archives to search for files, and what is found in them. */
#ifndef LM_ASSETS_SOURCES_H
#define LM_ASSETS_SOURCES_H

#include "core/names.h"
#include "model/weapon.h"
#include "vfs.h"

/* A folder or an archive to search. The file system owns everything except `folder`. */
typedef struct lm_source {
    const lm_files *files;
    const lm_archive *archive; /* NULL: a folder */
    const char *folder;        /* of the file it was opened for; "": the root; NULL: none */
} lm_source;

/* Opens the folder or archive that contains the file at a path, which is `inside` there. Fails with
 * `error` filled. */
bool lmi_source_of(lm_vfs *vfs, const char *path, lm_arena *arena, lm_source *source,
                   const char **inside, lm_error *error);
/* Returns the path of a source's file, as for lm_vfs_read. */
char *lmi_source_path(const lm_source *source, const char *path, lm_arena *arena);
/* Returns the path of NAME in the same folder as `path`, in its real spelling; NULL: there is no
 * such file. */
const char *lmi_source_sibling(lm_vfs *vfs, const lm_source *source, const char *path,
                               const char *name, lm_arena *arena);

#define LM_NO_SOURCE UINT32_MAX

/* The search path of a model's files, in the engines' order: the games' sources, and the model's
 * own. The own source comes first, or last if one of the games' sources contains the model.
 * lm_source.folder is the model's folder in each source. */
typedef struct lm_search_path {
    lm_source *sources;
    uint32_t count;
    uint32_t own;     /* LM_NO_SOURCE: it cannot be opened, or there is none */
    lm_error problem; /* the reason why it cannot be opened; LM_CODE_OK: none */
    bool has_above;   /* sources[count] is the folder above the model's, in the system's files */
} lm_search_path;

/* Returns the first source with a file of that name in the model's folder, case-insensitive, and
 * sets the file's path there. NULL: none. */
const lm_source *lmi_search_path_find(const lm_search_path *search, const char *name,
                                      lm_arena *arena, char actual[LM_PATH_SIZE]);

/* ---- Names of models ------------------------------------------------------------------------- */

/* The extensions of models with tags, in the order in which Return to Castle Wolfenstein and Enemy
 * Territory try them (R_RegisterModel), whichever of them a name has. */
#define LM_NUM_MODEL_EXTENSIONS 2
extern const char *const lmi_model_extensions[LM_NUM_MODEL_EXTENSIONS];

/* ---- Players and weapons ----------------------------------------------------------------------
 *
 * Finds the models that a game shows as one, by its conventions: a player of Quake II, Quake III or
 * Return to Castle Wolfenstein, and a first-person weapon of the last. */

/* A model of a player or a weapon. */
typedef struct lm_piece {
    const char *path; /* NULL: there is no such file */
    const char *name; /* of the file that is needed; NULL: the piece is optional */
    uint32_t parent;  /* index of the piece that holds it, an earlier one */
    const char *tag;  /* of the parent; NULL: the piece shows the frames of the first one */
    const char *idle; /* its clip while others move; NULL: none */
    uint32_t barrel;  /* the number of a weapon's barrel, from 1; 0: none */
    bool after_gap;   /* a barrel that the game does not show, because one before it is missing */
} lm_piece;

#define LM_MAX_PIECES (3 + LM_MAX_BARRELS)

typedef struct lm_pieces {
    uint32_t count; /* 0: there is no player or weapon */
    lm_piece list[LM_MAX_PIECES];
    const char *path;   /* which opens all of them: the folder of a player, FOLDER/v_NAME */
    const char *others; /* the other weapons of the folder that was opened; NULL: none */
    bool is_complete;   /* see lmi_vfs_is_player_folder */
    bool is_weapon;
    bool is_dressed; /* .skin files name more models: a head, a helmet, a backpack */
} lm_pieces;

/* Finds a player or a weapon, case-insensitive: by its folder, which may be in an archive, or the
 * weapon that FOLDER/v_NAME names. Of several weapons in a folder, that with its name comes first,
 * then the first in byte order. */
void lmi_pieces_find(lm_vfs *vfs, const char *path, lm_arena *arena, lm_pieces *pieces);
/* Returns the names of the weapons in a folder that have a hand, except one: "v_a, v_b". NULL:
 * there are none. */
const char *lmi_other_weapons(lm_vfs *vfs, const char *folder, const char *weapon, lm_arena *arena);
/* Returns FOLDER/v_NAME for the path of a model of such a weapon: see lmi_vfs_is_weapon. NULL: it
 * is none, or there is no memory. */
const char *lmi_weapon_of(lm_vfs *vfs, const char *path, bool hand_only, lm_arena *arena);
/* ---- Textures -------------------------------------------------------------------------------- */

/* Finds a model's textures. Names in a model are untrusted: only files in the search path are
 * found. */

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
 * with .tga .jpg .jpeg .png .pcx .webp .bmp, as in ioquake3; a name without an extension only with
 * these. If the name is unsafe, only the part after its last separator is tried, by rule 3.
 *
 * A name that begins with a dot, as in UFO: Alien Invasion, is beside the model: without the dot,
 * it replaces the model's file name in its path. It is tried in the model's folder in each source,
 * with .png .jpg .jpeg .tga .pcx .webp .bmp instead of its extension. */
bool lmi_texture_find(const lm_search_path *search, const char *name, lm_texture *result);
/* Continues the search of a result after the file that it found. */
bool lmi_texture_find_next(const lm_search_path *search, const char *name, lm_texture *result);

/* The order of extensions there. */
#define LM_NUM_EXTENSIONS 7
extern const char *const lmi_extensions_beside[LM_NUM_EXTENSIONS];

/* Returns whether a texture name is beside the model: ".red", but not "./red" or "..". */
bool lmi_texture_is_beside(const char *name);

/* Returns candidate number `index` of the search for a name. False after the last. */
bool lmi_texture_candidate(const lm_search_path *search, const char *name, uint32_t index,
                           uint32_t *source, char path[LM_PATH_SIZE]);

/* ---- The images in a folder ------------------------------------------------------------------ */

/* The images in a folder with their sizes, read from their headers once for all models in it. */

typedef struct lm_folder_image {
    const char *name;
    size_t stem;   /* length of the name without its extension */
    unsigned rank; /* of the extension; the smallest is tried first */
    uint32_t width, height;
    bool has_icon, is_icon; /* X_i is the icon of X */
    bool is_duplicate;      /* an image of the same name and size has a better extension */
    bool is_map;            /* it belongs to another image: NAME_nm to NAME */
    bool has_model;         /* a model in the folder has the same name */
} lm_folder_image;

typedef struct lm_folder_images {
    uint32_t count;
    size_t capacity;
    lm_folder_image *images; /* in the order of their names */
    uint32_t num_models;
} lm_folder_images;

/* Returns the length of a path without the extension of an image, and sets the rank of that. */
size_t lmi_image_stem(const char *path, unsigned *rank);

/* Returns the images in the folder of a source, read once; only some of a large folder's. NULL if
 * there is no memory. */
const lm_folder_images *lmi_folder_images_of(lm_vfs *vfs, const lm_source *source);

/* ---- Scripts of UFO: Alien Invasion ---------------------------------------------------------- */

/* The compositions in the scripts of UFO: Alien Invasion (.ufo): models that the game shows
 * together. A script is a folder of compositions: SCRIPT.ufo/NAME. */

#define LM_UFO_EXTENSION ".ufo"

/* An entry of a script. */
typedef struct lm_ufo_entry {
    /* A clean path (files/path.h): "alien_ortnok" for menu_model alien_ortnok; "phalanx/male3" for
     * the third male member of team phalanx. */
    const char *name;
    const char *folder; /* of a team's member, below models/; NULL: of a menu_model */
    const char *model;  /* in that folder, or below models/; "": none */
    uint32_t skin;      /* its number in the model's list, from 0 */
    const char *head;   /* of a member; it is in the folder too */
    uint32_t head_skin;
    const char *tag, *parent, *clip; /* of a menu_model: the tag of its parent, and the clip at
                                        rest; NULL: none. A member has "stand0", as unarmed */
    uint32_t first_need, num_needs;  /* other entries that are shown with a menu_model */
} lm_ufo_entry;

/* All entries of a script (core/arena.h). */
typedef struct lm_ufo_script {
    lm_ufo_entry *entries; /* in the script's order; of equal names, only the first */
    size_t num_entries, entry_capacity;
    const char **needs; /* names of entries */
    size_t num_needs, need_capacity;
    lm_names by_name; /* case-insensitive; to the entry's index + 1 */
} lm_ufo_script;

/* Returns the length of the part of a path that names a script; the end or a '/' follows. 0: there
 * is no such file. The functions below require such a length. */
size_t lmi_ufo_length(lm_vfs *vfs, const char *path);
/* Returns the entries of a script. The file system owns them. NULL with `error` filled. */
const lm_ufo_script *lmi_ufo_script_of(lm_vfs *vfs, const char *path, size_t length,
                                       lm_error *error);
/* Returns an entry by its name; NULL: there is none. */
const lm_ufo_entry *lmi_ufo_find(const lm_ufo_script *all, const char *name);
/* Returns the number of models that an entry names, with those that it needs. */
uint32_t lmi_ufo_count(const lm_ufo_script *all, const lm_ufo_entry *entry);

/* ---- Maps: images that belong to another image by their names, as NAME_nm to NAME ------------ */

/* Returns whether an image is a map of another one, if both are in one folder. The lengths are
 * those of the names without extensions. */
bool lmi_is_map_of(const char *name, size_t length, const char *image, size_t image_length);

/* Finds a map of the image at a path in a source, in the same folder. LM_FIND_FILE: `actual` is its
 * path in the source. */
lm_find lmi_map_find(const lm_source *source, const char *path, lm_map map,
                     char actual[LM_PATH_SIZE]);

#endif
