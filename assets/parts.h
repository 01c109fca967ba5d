/* The second stage of opening: the models that make the scene, with their clips. */
#ifndef LM_ASSETS_PARTS_H
#define LM_ASSETS_PARTS_H

#include "part.h"

/* Opens what the context's path names, with what the settings attach to it and, if that is wanted,
 * with what belongs to it. What is left after a failure is noted; close it in any case. */
bool lm_parts_open(lm_context *c, const lm_settings *settings, bool companions, lm_parts *parts);
void lm_parts_close(lm_parts *parts);

/* The folder of the player that a file belongs to; `path` itself if it belongs to none. NULL: no
 * memory. */
const char *lm_whole_player(lm_disk *disk, const char *path, lm_arena *arena);

#endif
