/* The second stage of opening: loads the models that make the scene, with their clips. */
#ifndef LM_ASSETS_PARTS_H
#define LM_ASSETS_PARTS_H

#include "settings.h"

/* All models of a scene. */
typedef struct lm_parts {
    lm_context *context;
    const lm_settings *settings;
    lm_scene scene;       /* its parts have no materials yet */
    lm_scene_part *parts; /* [LM_MAX_PARTS], the scene's; the next four are as long */
    lm_asset *files;
    lm_buffer *bytes; /* of the files; without capacity: the caller's */
    lm_search_path *search;
    uint32_t *listed; /* the number of the part's skin in its model's list, from 1; 0: any */
    /* [LM_MAX_PARTS] the part's .skin file, in the folder of the first part; NULL: that of its
     * name. */
    const char **skins;
    const char *skin_name; /* that a player of Return to Castle Wolfenstein wears; NULL: none */
} lm_parts;

/* Opens the model or player that the context's path names, the attachments of the settings and, if
 * `related`, the related models in the same folder. Close the result in any case. */
bool lmi_parts_open(lm_context *c, const lm_settings *settings, bool related, lm_parts *all);
void lmi_parts_close(lm_parts *all);

/* Loads a model as one more part, with its clips. On failure, the reason is already reported. */
bool lmi_part_add(lm_parts *all, const char *path);

/* Loads a piece of a player or a weapon, which part `held_by` holds. It is left out if its file or
 * its parent is missing, and if it is optional also without a tag: `part` is then LM_NO_PART. */
bool lmi_part_add_piece(lm_parts *all, const lm_piece *piece, uint32_t held_by, uint32_t *part);

/* Returns the name of the skin that the player of the first part wears: the requested one if there
 * is such a file; NULL: none. */
const char *lmi_player_skin(const lm_parts *all);
/* Loads what the .skin files of a player, whose body is the first part, name. */
bool lmi_parts_dress(lm_parts *all);

/* Loads the models of the composition that the context's path names, in the script whose path is
 * the first `script` bytes. On failure, the reason is already reported. */
bool lmi_parts_compose(lm_parts *all, size_t script);

/* Reads a file, or takes the bytes that the caller gave for its path. Free the result with
 * lm_buffer_free, which leaves those of the caller. */
bool lmi_part_read(const lm_parts *all, const char *path, size_t max_size, lm_buffer *file,
                   lm_error *error);

/* Returns the folder of the player that a file belongs to, or `path` itself if there is none. NULL
 * if there is no memory. */
const char *lmi_player_folder(lm_vfs *vfs, const char *path, lm_arena *arena);
/* Returns the folder of the player whose skin a path names, body_NAME.skin or head_NAME.skin beside
 * a body.mds, and sets the name; otherwise the path itself. NULL if there is no memory. */
const char *lmi_player_of_skin(lm_vfs *vfs, const char *path, lm_arena *arena, const char **name);

/* Reads a .skin file from the first source that has it, and sets its path. NULL: there is none, or
 * it cannot be read, which is reported. */
lm_skin_file *lmi_skin_read(lm_context *c, const lm_search_path *search, const char *name,
                            const char **path);

/* Completes the model of a part, which nothing else uses yet, by the files next to it. A file that
 * is damaged or does not fit the model is left out with a warning. Fails only if there is no
 * memory. */
bool lmi_part_read_sidecars(lm_parts *all, uint32_t part);

/* Chooses the clips of a part: from the requested file, or from one in the model's folder. */
bool lmi_part_choose_clips(lm_parts *all, uint32_t part, lm_error *error);

/* ---- Sidecars: files next to a model that complete it, with tags and smoothing --------------- */

#define LM_TAGS_HEADER 32
#define LM_NORMALS_HEADER 18

/* A sidecar with the model that it is for. The file has a whole header of version 1. */
typedef struct lm_sidecar {
    const lm_buffer *file;
    lm_model *model;
    lm_arena *scratch; /* memory until the call ends */
    lm_arena *result;  /* memory for the model, which it receives if the call succeeds */
} lm_sidecar;

/* Gives a model the normals of an .mdx file of UFO: Alien Invasion. Safe for any bytes; takes
 * linear time. On failure, the model is unchanged; `error` stays as it is if memory ran out. */
bool lmi_sidecar_normals(const lm_sidecar *sidecar, lm_error *error);

/* Appends the clips that a MODELDEF defines for a part, as the text of a .framegroups file. Returns
 * the path of the MODELDEF; NULL: there are no clips. */
const char *lmi_project_clips(const lm_parts *all, uint32_t part, lm_buffer *text);

#endif
