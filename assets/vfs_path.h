/* Paths in the virtual file system, and their parts. Programs get this through
 * common/internals.h. */
#ifndef LM_VFS_PATH_H
#define LM_VFS_PATH_H

#include "core/arena.h"
#include "lerpmesh/assets.h"
#include "lerpmesh/check.h"

/* Returns the number of bytes of a path that name the archive it leads into; a ':' follows them. 0:
 * the path leads into none. */
size_t lmi_vfs_archive_length(lm_vfs *vfs, const char *path);
/* Returns the archive whose path is the first `length` bytes. The file system owns it. NULL with
 * `error` filled. */
lm_archive *lmi_vfs_archive(lm_vfs *vfs, const char *path, size_t length, lm_error *error);

/* Returns whether a member cannot be read because another one has its name, which the games read
 * instead. */
bool lmi_member_is_hidden(const lm_archive *archive, const lm_member *member);

/* Appends a file's path in its game: its path in an archive, as the archive spells it, or from the
 * last models/, players/ or models/players/ on; a relative path may continue that of the working
 * directory. Returns false if it has none of these, or if memory ran out, which `out` tells. */
bool lmi_vfs_path_in_game(lm_vfs *vfs, const char *path, lm_buffer *out);

/* These return whether a path leads to a readable file, or to a folder (never one in an
 * archive). */
bool lmi_vfs_is_file(lm_vfs *vfs, const char *path);
bool lmi_vfs_is_folder(lm_vfs *vfs, const char *path);
/* Returns whether a folder that lm_vfs_find_player can open is a player's. A folder with lower
 * needs upper too. A folder with tris.md2, which most of Quake II's monsters have as well, needs
 * weapon.md2 or must be in a folder of players/. */
bool lmi_vfs_is_player_folder(lm_vfs *vfs, const char *folder);
/* Returns whether a path opens as a player or a weapon, and not as a model or a composition: any
 * folder, but in an archive only one with a player or a weapon; FOLDER/v_NAME; a skin of a player
 * of Return to Castle Wolfenstein, whose name `skin` becomes, else NULL. If memory runs out,
 * returns false and marks the arena. */
bool lmi_vfs_opens_player(lm_vfs *vfs, const char *path, lm_arena *arena, const char **skin);
/* Returns the path of the model that a game opens for a name, which may be another file: NAME.mdc
 * instead of NAME.md3. NULL: there is none, or the name is of another format. */
const char *lmi_vfs_game_model(lm_vfs *vfs, const char *path, lm_arena *arena);
/* Returns whether a path leads to the hand of a first-person weapon of Return to Castle
 * Wolfenstein, v_NAME_hand, or unless `hand_only` to its model v_NAME. With
 * lm_assets_options.related, it opens the complete weapon. If memory runs out, returns false and
 * marks the arena, which may be NULL. */
bool lmi_vfs_is_weapon(lm_vfs *vfs, const char *path, bool hand_only, lm_arena *arena);
/* Returns whether a path has the name of a hand. */
bool lmi_is_hand(lm_vfs *vfs, const char *path);
/* Lists the models of the player whose skin a path names, in memory of the arena: all those in its
 * folder if the player does not open. Returns their number; 0 for any other path. */
uint32_t lmi_skin_files(lm_vfs *vfs, const char *path, size_t max_input, lm_arena *arena,
                        const char ***files);
/* Lists the files of the weapon that FOLDER/v_NAME names, in memory of the arena. Returns their
 * number; 0 for any other path. */
uint32_t lmi_weapon_files(lm_vfs *vfs, const char *path, lm_arena *arena, const char ***files);
/* Returns whether a path has the name of a model of such a weapon other than its hand, in the
 * folder and of the weapon of `body` unless that is NULL, and writes the tag that holds it:
 * "v_NAME_hand:tag_barrel2" for v_NAME_barrel2. */
bool lmi_weapon_tag(lm_vfs *vfs, const char *path, const char *body, char *out, size_t size);
/* Returns whether a path leads to a script of UFO: Alien Invasion or to a composition in it. */
bool lmi_vfs_is_script(lm_vfs *vfs, const char *path);

/* These return pointers into the path. This one: its last part, or the last part of the member's
 * path for a file in an archive. */
const char *lmi_vfs_base_name(lm_vfs *vfs, const char *path);
/* Returns the extension with its dot; "" if the name has no dot, or only one at its beginning. */
const char *lmi_vfs_extension(lm_vfs *vfs, const char *path);
/* Returns the last part without the extension, with its length in bytes. Ignores slashes at the
 * end; a path that ends in one is a folder's, and has no extension. */
const char *lmi_vfs_stem(lm_vfs *vfs, const char *path, size_t *length);

/* Finds the images of a model that is not read from the file at the path, by the same rules. The
 * model must live as long as the result. NULL: memory ran out. */
lm_assets *lmi_assets_of_model(lm_vfs *vfs, const char *path, const lm_model *model,
                               const lm_assets_options *options);
/* Checks options without reading the files that they name. Fails with LM_CODE_BAD_ARGUMENT. */
bool lmi_assets_options_valid(const lm_assets_options *options, lm_error *error);

/* ---- Results of opening ---------------------------------------------------------------------- */

/* Returns the reason why assets have no scene, as lm_assets_open gave it. */
const lm_error *lmi_assets_reason(const lm_assets *assets);
/* Adds the problems of the files around the first model to the report on its own file, in memory of
 * the arena: first what an engine demands of them, last the warnings about the clips of a hand
 * or a model with bones. */
void lmi_assets_add_problems(const lm_assets *assets, lm_arena *arena, lm_report *report);
/* Adds the warnings about models that a player's skin names, but that are missing. */
void lmi_assets_add_missing(const lm_assets *player, lm_arena *arena, lm_report *report);
/* The diagnostic of a palette that changed no image. */
#define LM_PALETTE_UNUSED "palette has no effect: no image has indices into a palette"
/* Gives textures file names, as lm_assets_make_portable does. Fails only if memory runs out. */
bool lmi_name_textures(lm_vfs *vfs, lm_arena *arena, lm_scene_texture *textures, uint32_t count,
                       const char *stem);
/* Adds the other images of embedded skins that are groups to the scene's textures. They
 * and the first image get a number: skin0_0, skin0_1. Call it before lm_assets_make_portable. */
bool lmi_assets_read_groups(lm_assets *assets, lm_error *error);
/* Writes to `out` (cut to its size) one of the paths that were tried for a texture, in the form of
 * lm_vfs_read. Returns false after the last. */
bool lmi_assets_tried(const lm_assets *assets, uint32_t part, uint32_t texture, uint32_t index,
                      char *out, size_t size);

#endif
