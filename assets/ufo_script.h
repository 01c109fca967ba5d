/* The compositions in the scripts of UFO: Alien Invasion (.ufo): models that the game shows
 * together. A script is a folder of compositions: SCRIPT.ufo/NAME. */
#ifndef LM_ASSETS_UFO_SCRIPT_H
#define LM_ASSETS_UFO_SCRIPT_H

#include "core/names.h"
#include "vfs.h"

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
size_t lm_ufo_length(lm_vfs *vfs, const char *path);
/* Returns the entries of a script. The file system owns them. NULL with `error` filled. */
const lm_ufo_script *lm_ufo_script_of(lm_vfs *vfs, const char *path, size_t length,
                                      lm_error *error);
/* Returns an entry by its name; NULL: there is none. */
const lm_ufo_entry *lm_ufo_find(const lm_ufo_script *all, const char *name);

#endif
