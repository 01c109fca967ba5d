/* The inside of a disk: folders and archives that are open, and what options name, read once. */
#ifndef LM_ASSETS_DISK_H
#define LM_ASSETS_DISK_H

#include "lerpmesh/assets.h"

#include "pool.h"

/* ---- What options name --------------------------------------------------------------------- */

typedef enum lm_kept_kind {
    LM_KEPT_CLIPS,
    LM_KEPT_GAME,
    LM_KEPT_PALETTE,
    LM_KEPT_SKIN
} lm_kept_kind;

/* What one option named, for as long as the disk remembers. */
typedef struct lm_kept {
    struct lm_kept *next;
    lm_kept_kind kind;
    lm_file file;       /* LM_KEPT_CLIPS */
    const char **games; /* LM_KEPT_GAME: the folder or archive, then the archives in it */
    uint32_t num_games;
    lm_palette palette; /* LM_KEPT_PALETTE */
    lm_skin_file *skin; /* LM_KEPT_SKIN */
    lm_pool pool;
    char path[];
} lm_kept;

/* Reads it, or gives what was read before. NULL with `error` filled: it cannot be had. */
const lm_kept *lm_disk_keep(lm_disk *disk, lm_kept_kind kind, const char *path, lm_error *error);

/* Fills what a game's path stands for (games.c). */
bool lm_games_list(lm_kept *kept, lm_error *error);

/* ---- Files beside files -------------------------------------------------------------------- */

/* A folder, which stays the disk's. NULL with `error` filled. */
lm_folder *lm_disk_folder(lm_disk *disk, const char *path, lm_error *error);

/* A folder or an archive in which files are looked for. Both are the disk's. */
typedef struct lm_shelf {
    const lm_files *files;
    bool in_archive;
    const char *folder; /* of the file that it was opened for, "" is the root; NULL: for none */
} lm_shelf;

/* The folder or the archive that a file is in. False with `error` filled. */
bool lm_shelf_of_file(lm_disk *disk, const char *path, lm_pool *pool, lm_shelf *shelf,
                      lm_error *error);
/* A folder or an archive, by its own path. */
bool lm_shelf_of_game(lm_disk *disk, const char *path, lm_shelf *shelf, lm_error *error);
/* The path of a file of a shelf, as lm_disk_read takes it. */
char *lm_shelf_path(const lm_shelf *shelf, const char *path, lm_pool *pool);

/* The file NAME beside the one at `path`, in the spelling of the shelf; NULL: there is none. */
const char *lm_shelf_beside(lm_disk *disk, const lm_shelf *shelf, const char *path,
                            const char *name, lm_pool *pool);

/* ---- Players ------------------------------------------------------------------------------- */

/* Which files make a player, by the conventions of the games; NULL: there is no such file. */
typedef struct lm_player {
    const char *body; /* tris or lower; NULL: there is no player */
    bool has_halves;  /* lower, upper and head, .md3 or .mdc, with animation.cfg */
    const char *upper, *head;
    const char *weapon; /* in the hands of tris.md2 */
} lm_player;

/* Looks for a player in a folder, of an archive too, letters in either case. */
void lm_player_find(lm_disk *disk, const char *folder, lm_pool *pool, lm_player *player);

#endif
