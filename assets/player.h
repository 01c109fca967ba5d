/* Finds the files of a player, by the conventions of the games. */
#ifndef LM_ASSETS_PLAYER_H
#define LM_ASSETS_PLAYER_H

#include "vfs.h"

/* The paths of a player's files; NULL: there is no such file. */
typedef struct lm_player {
    const char *body; /* tris or lower; NULL: there is no player */
    bool is_quake3;   /* lower, upper and head, .md3 or .mdc, with animation.cfg */
    const char *upper, *head;
    const char *weapon; /* for tris.md2 */
} lm_player;

/* Finds a player in a folder, also of an archive, case-insensitive. */
void lm_player_find(lm_vfs *vfs, const char *folder, lm_arena *arena, lm_player *player);
/* Returns whether the files are those of a player; see lm_vfs_is_player_folder. */
bool lm_player_is_complete(const lm_player *player, const char *folder);

#endif
