/* Which files make a player, by the conventions of the games. */
#ifndef LM_ASSETS_PLAYER_H
#define LM_ASSETS_PLAYER_H

#include "disk.h"

/* NULL: there is no such file. */
typedef struct lm_player {
    const char *body; /* tris or lower; NULL: there is no player */
    bool has_halves;  /* lower, upper and head, .md3 or .mdc, with animation.cfg */
    const char *upper, *head;
    const char *weapon; /* in the hands of tris.md2 */
} lm_player;

/* Looks for a player in a folder, of an archive too, letters in either case. */
void lm_player_find(lm_disk *disk, const char *folder, lm_arena *arena, lm_player *player);
/* Whether that is one, as lm_disk_is_players says. */
bool lm_player_is_whole(const lm_player *player, const char *folder);

#endif
