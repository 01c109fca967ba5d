/* Models that the user attaches to tags, and those at hand. */
#ifndef VIEWER_ATTACHMENTS_H
#define VIEWER_ATTACHMENTS_H

#include "document.h"

/* A list of attached models is a tag and a path in turn, terminated by NULL. The tag "" stands for
 * none: the model shows the same frames as the first part. */

/* Returns the list with a model added, or without a model. A tag holds one model, which takes the
 * place of another one. A weapon brings its barrel if that is among the paths, and takes it along.
 * Free the list with g_strfreev. `list` and `paths` may be NULL; `paths` is terminated by NULL. */
char **attachments_with(char **list, const char *tag, const char *path, char **paths);
char **attachments_without(char **list, const char *path);

/* Sorts the paths of models, those of weapons first. Returns a list to free with g_strfreev,
 * without `body`, the first part's file. Weapons are in folders of weapons, or begin with weapon or
 * w_ in the folder of `body`. */
char **attachments_at_hand(char **paths, const char *body);

/* Finds the weapons of the game that `body` belongs to: in all archives of its archive's folder, or
 * in the folders models/weapons and models/weapons2 above it. Returns their paths; free them with
 * g_strfreev. Reads files: call it in a thread. */
char **attachments_weapons(lm_vfs *vfs, const char *body);

/* Returns the names of the tags of a scene, each once, those of weapons first; free the list with
 * g_strfreev. */
char **attachments_tags(const lm_scene *scene);

#endif
