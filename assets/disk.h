/* The inside of a disk: folders and archives that are open, and what options name, read once. */
#ifndef LM_ASSETS_DISK_H
#define LM_ASSETS_DISK_H

#include "lerpmesh/assets.h"

#include "core/names.h"
#include "lerpmesh/script.h"
#include "pool.h"

/* ---- What options name --------------------------------------------------------------------- */

typedef enum lm_kept_kind {
    LM_KEPT_CLIPS,
    LM_KEPT_GAME,
    LM_KEPT_PALETTE,
    LM_KEPT_SKIN
} lm_kept_kind;

#define LM_KEPT_KINDS (LM_KEPT_SKIN + 1)

/* A folder or an archive of a game. */
typedef struct lm_game_place {
    const char *path;
    bool is_archive;
} lm_game_place;

/* What one option named, for as long as the disk remembers. */
typedef struct lm_kept {
    const char *path;
    lm_file file;         /* LM_KEPT_CLIPS */
    lm_game_place *games; /* LM_KEPT_GAME: the folder or archive, then the archives in it */
    uint32_t num_games;
    lm_palette palette; /* LM_KEPT_PALETTE */
    lm_skin_file *skin; /* LM_KEPT_SKIN */
    lm_pool pool;
} lm_kept;

/* Reads it, or gives what was read before. NULL with `error` filled: it cannot be had. */
const lm_kept *lm_disk_keep(lm_disk *disk, lm_kept_kind kind, const char *path, lm_error *error);

/* Fills what a game's path stands for (games.c). */
bool lm_games_list(lm_kept *kept, lm_error *error);

/* Whether a path leads to a file that can be opened; if not, why not. */
bool lm_disk_can_open(lm_disk *disk, const char *path, lm_error *error);

/* ---- Files beside files -------------------------------------------------------------------- */

/* A folder, which stays the disk's. NULL with `error` filled. */
lm_folder *lm_disk_folder(lm_disk *disk, const char *path, lm_error *error);

/* A folder or an archive in which files are looked for. Both are the disk's. */
typedef struct lm_shelf {
    const lm_files *files;
    const lm_archive *archive; /* NULL: a folder */
    const char *folder; /* of the file that it was opened for, "" is the root; NULL: for none */
} lm_shelf;

/* The folder or the archive that a file is in. False with `error` filled. */
bool lm_shelf_of_file(lm_disk *disk, const char *path, lm_pool *pool, lm_shelf *shelf,
                      lm_error *error);
bool lm_shelf_of_game(lm_disk *disk, const lm_game_place *place, lm_shelf *shelf, lm_error *error);
/* The path of a file of a shelf, as lm_disk_read takes it. */
char *lm_shelf_path(const lm_shelf *shelf, const char *path, lm_pool *pool);

/* A picture in a folder. */
typedef struct lm_hung {
    const char *name;
    size_t stem;   /* bytes of the name without its extension */
    unsigned rank; /* of the extension: smaller is looked for first */
    uint32_t width, height;
    bool has_icon, is_icon; /* X_i is X's */
    bool is_double;         /* the same name and size are there with a better extension */
    bool has_model;         /* a model there is called like it */
} lm_hung;

typedef struct lm_gallery {
    lm_pool pool;
    uint32_t num_pictures;
    lm_hung *pictures; /* by their names */
} lm_gallery;

/* The pictures in the folder of a shelf, read once; of a large one only some. NULL: no memory. */
const lm_gallery *lm_disk_gallery(lm_disk *disk, const lm_shelf *shelf);
lm_gallery *lm_gallery_open(const lm_shelf *shelf);
void lm_gallery_close(lm_gallery *gallery); /* NULL is allowed */

/* The file NAME beside the one at `path`, in the spelling of the shelf; NULL: there is none. */
const char *lm_shelf_beside(lm_disk *disk, const lm_shelf *shelf, const char *path,
                            const char *name, lm_pool *pool);

/* ---- Shader scripts ------------------------------------------------------------------------ */

/* A script of a shelf. */
typedef struct lm_scripts_file {
    const char *path; /* as lm_disk_read takes it */
    const char *name; /* below the shelf's root */
    uint32_t order;
    lm_buffer text;
    lm_script *script;
} lm_scripts_file;

/* A label; of equal ones in a file the first only. */
typedef struct lm_scripts_label {
    uint32_t file, label;
    uint32_t next; /* of that name, in a file that counts less; LM_NO_LABEL: none */
    uint32_t last; /* of that name; of the first only */
} lm_scripts_label;

#define LM_NO_LABEL UINT32_MAX

/* The shader scripts of a folder or an archive. */
typedef struct lm_scripts {
    lm_pool pool;
    lm_scripts_file *files; /* as the archive lists them, a folder's by their names */
    uint32_t num_files, capacity;
    uint32_t num_damaged; /* of them */
    lm_scripts_label *labels;
    lm_name *names, *paths; /* memory of the trees below */
    lm_names by_name, by_path;
    const char *problem; /* of a script that cannot be read; NULL */
    const char *problem_path;
    lm_code problem_code;
} lm_scripts;

/* Those of a shelf, read when they are first asked for. NULL if there is no memory. */
const lm_scripts *lm_disk_scripts(lm_disk *disk, const lm_shelf *shelf);
lm_scripts *lm_scripts_read(const lm_shelf *shelf);
void lm_scripts_free(lm_scripts *scripts); /* NULL is allowed */

/* The definition of a name that counts where there are several places, the best of them first: NULL
 * if there is none. `label` is its number there. */
const lm_scripts_file *lm_scripts_find(const lm_scripts *const *places, uint32_t count,
                                       const char *name, uint32_t *label);

/* ---- Players ------------------------------------------------------------------------------- */

/* Which files make a player, by the conventions of the games; NULL: there is no such file. */
typedef struct lm_player {
    const char *body; /* tris or lower; NULL: there is no player */
    bool has_halves;  /* lower, upper and head, .md3 or .mdc, with animation.cfg */
    const char *upper, *head;
    const char *weapon; /* in the hands of tris.md2 */
} lm_player;

/* Looks for what can be opened as a player in a folder, of an archive too, letters in either case.
 */
void lm_player_find(lm_disk *disk, const char *folder, lm_pool *pool, lm_player *player);
/* Whether that is one, as lm_disk_is_players says. */
bool lm_player_is_whole(const lm_player *player, const char *folder);

#endif
