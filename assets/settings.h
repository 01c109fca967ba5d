/* The context of opening, which every stage gets, and the first stage: reads the options and the
 * files that they name.
 *
 * The stages, each with a header for its input and output. No header includes that of a later
 * stage:
 *     settings.h       the options, the files that they name, and the games
 *     parts.h          the models that make the scene, with their clips
 *     texture_names.h  the texture name of each surface
 *     find_textures.h  the files of these names, and their pixels
 *     materials.h      the scene's materials and skins, and the diagnostics about them
 * sources.h and vfs.h are below all stages; materials.h combines them. */
#ifndef LM_ASSETS_SETTINGS_H
#define LM_ASSETS_SETTINGS_H

#include "core/text.h"
#include "sources.h"

/* ---- The context ----------------------------------------------------------------------------- */

typedef struct lm_context {
    lm_vfs *vfs;
    lm_arena *arena;   /* owns the whole result, which is freed at once */
    const char *path;  /* the path to open */
    const char *named; /* the model by which a player or a weapon was found; NULL: none */
    /* The caller's model instead of that of the path's file; NULL: none. */
    const lm_model *model;
    lm_diagnostics diagnostics;
    lm_error error; /* the reason why there is no scene */
} lm_context;

/* Adds a diagnostic about `path`, in a section (LM_SUBJECT_MODEL, ...). */
void lmi_context_add(lm_context *c, const char *section, lm_severity severity, lm_code code,
                     const char *path, const char *sentence, ...) LM_PRINTF(6, 7);
/* Make opening fail: add the error, and return false. The sentence does not repeat the path. */
bool lmi_context_fail(lm_context *c, const char *path, const lm_error *error);
bool lmi_context_reject(lm_context *c, lm_code code, const char *sentence, ...) LM_PRINTF(3, 4);

/* Returns "; did you mean "WORD"?", or "" if no word is similar. */
const char *lmi_suggestion(lm_arena *arena, const lm_guess *guess);

/* Copies an error's message to `out` without the path: "cannot open PATH: ..." becomes "cannot
 * open: ...". */
const char *lmi_without_path(const lm_error *error, const char *path, char out[LM_MESSAGE_SIZE]);

/* ---- The options ----------------------------------------------------------------------------- */

#define LM_MAX_TEXT_FILE ((size_t)1 << 20) /* of clips or skins: real ones have a few kilobytes */

typedef enum lm_skin_kind {
    LM_SKIN_IMAGE,      /* a path */
    LM_SKIN_OF_SURFACE, /* a path for one surface */
    LM_SKIN_FILE,       /* a .skin file */
    LM_SKIN_NONE,
    LM_SKIN_NAME /* MODEL_NAME.skin in the folder of each model */
} lm_skin_kind;

typedef struct lm_skin_option {
    lm_skin_kind kind;
    const char *text;         /* path or name */
    const char *surface;      /* LM_SKIN_OF_SURFACE */
    const lm_skin_file *file; /* LM_SKIN_FILE */
} lm_skin_option;

/* The folder or archive of a game, followed by the archives in it. Owns the paths
 * (core/arena.h). */
typedef struct lm_game {
    const char *path;
    struct lm_game_path {
        const char *path;
        size_t archive; /* length of the part that names an archive; 0: a folder */
    } *paths;
    size_t num_paths, capacity;
} lm_game;

typedef struct lm_settings {
    const lm_assets_options *options; /* owned by the caller; valid while opening */
    const lm_buffer *clips;           /* NULL: none requested */
    bool no_clip_files;
    bool clips_of_quake2; /* by Quake II's table, ignoring the names of frames */
    const lm_game **games;
    uint32_t num_games;
    lm_source *sources; /* the games' folders and archives that can be opened, in search order */
    uint32_t num_sources;
    const char *derived_game;   /* the game's folder, if it was derived from the path; else NULL */
    const char *current_folder; /* if it was needed to derive the game; else NULL */
    const lm_palette *palette;
    lm_skin_option *skins;
    uint32_t num_skins;
    const char *skin_name; /* the last LM_SKIN_NAME, or NULL */
    bool no_textures;      /* the last skin is LM_SKIN_NONE */
} lm_settings;

/* Reads the files that the options name, and lists the games' archives. On failure, fills `error`
 * with a sentence that begins with the option and its value. */
bool lmi_settings_read(lm_vfs *vfs, const lm_assets_options *options, lm_arena *arena,
                       lm_settings *settings, lm_error *error);
#define LM_ONE_SKIN_NAME "takes one NAME, not both \"%s\" and \"%s\""
/* Makes NAMEs of the skins that are body_NAME.skin or head_NAME.skin of the player whose folder the
 * context's path is. On failure, the reason is reported, unless there is no memory. */
bool lmi_settings_name_skins(lm_context *c, lm_settings *settings);
/* Opens the games that the options name, or else the game derived from the path. Reports one that
 * cannot be opened. Fails if there is no memory. */
bool lmi_settings_open_games(lm_context *c, lm_settings *settings);

/* Makes the search path of a model. Fails if there is no memory. */
bool lmi_search_path_open(lm_context *c, const lm_settings *settings, const char *path,
                          lm_search_path *search);

/* Opens the game at a path; the file system owns it. NULL with `error` filled. */
const lm_game *lmi_game_open(lm_vfs *vfs, const char *path, lm_error *error);
/* Reads a game's palette, from a folder or archive, or from the first one of a game that has one.
 * NULL: there is none, or memory ran out. */
const lm_palette *lmi_palette_in(lm_vfs *vfs, const lm_files *files, lm_arena *arena);
const lm_palette *lmi_game_palette(lm_vfs *vfs, const lm_game *game, lm_arena *arena);
/* Returns the folder of the game that a model's path belongs to: the one above the last models/ or
 * players/ in the path. If a relative path has neither, it uses the current folder's path, which it
 * stores in `current_folder`. NULL: no game. */
const char *lmi_game_of(lm_vfs *vfs, const char *path, const char **current_folder,
                        lm_arena *arena);

#endif
