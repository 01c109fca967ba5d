/* Players in folders: which files make one, by the conventions of the games. */
#ifndef TOOL_PLAYER_H
#define TOOL_PLAYER_H

#include "lerpmesh/base.h"

typedef enum tool_player_kind {
    TOOL_PLAYER_NONE,
    TOOL_PLAYER_QUAKE2, /* tris.md2, and weapon.md2 in its hands */
    TOOL_PLAYER_QUAKE3  /* lower, upper and head, .md3 or .mdc, with animation.cfg */
} tool_player_kind;

/* Paths that were found, to be freed; NULL: there is no such file. */
typedef struct tool_player {
    tool_player_kind kind;
    char *body; /* tris or lower */
    char *upper, *head, *weapon;
} tool_player;

/* Looks for a player in a folder, of an archive too, letters in either case. */
void tool_player_find(const char *folder, tool_player *player);
void tool_player_free(tool_player *player);

bool tool_is_folder(const char *path);
/* Whether a path is to be opened as a player: any folder, and one in an archive that has one. */
bool tool_is_player(const char *path);

#endif
