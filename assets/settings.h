/* The first stage of opening: the options, with everything that they name read or opened. */
#ifndef LM_ASSETS_SETTINGS_H
#define LM_ASSETS_SETTINGS_H

#include "context.h"
#include "sources.h"

#define LM_MAX_TEXT_FILE ((size_t)1 << 20) /* of clips or skins: real ones have a few kilobytes */

typedef enum lm_skin_kind {
    LM_SKIN_PICTURE,    /* a path */
    LM_SKIN_OF_SURFACE, /* the same, for a surface */
    LM_SKIN_LIST,       /* a .skin file */
    LM_SKIN_NONE,
    LM_SKIN_NAME /* MODEL_NAME.skin in the folder of each model */
} lm_skin_kind;

typedef struct lm_skin_option {
    lm_skin_kind kind;
    const char *text;         /* path or name */
    const char *surface;      /* LM_SKIN_OF_SURFACE */
    const lm_skin_file *list; /* LM_SKIN_LIST */
} lm_skin_option;

/* The folder or archive of a game, then the archives in it; it owns them (core/arena.h). */
typedef struct lm_game {
    const char *path;
    struct lm_game_place {
        const char *path;
        size_t archive; /* bytes of it that name an archive; 0: a folder */
    } * places;
    size_t num_places, capacity;
} lm_game;

typedef struct lm_settings {
    const lm_assets_options *options; /* the caller's: while it is opened */
    const lm_file *clips;             /* NULL: none were named */
    bool no_clip_files;
    bool clips_of_quake2; /* by the table, whatever the names */
    const lm_game **games;
    uint32_t num_games;
    lm_source *sources; /* all places of the games, those that can be opened, the best first */
    uint32_t num_sources;
    const char *guessed; /* the game's folder, if the path tells of it; NULL */
    const char *here;    /* what relative paths begin at, where that tells of the game; NULL */
    const lm_palette *palette;
    lm_skin_option *skins;
    uint32_t num_skins;
    const char *skin_name; /* the last that is LM_SKIN_NAME, or NULL */
    bool plain;            /* the last of all is LM_SKIN_NONE */
} lm_settings;

/* Reads what the options name, but for the games' places. False with `error` filled, and with the
 * name of the option in question. */
bool lm_settings_read(lm_disk *disk, const lm_assets_options *options, lm_arena *arena,
                      lm_settings *settings, const char **option, lm_error *error);
/* Opens the games that the options name, or else the one that the path tells of; one that cannot be
 * opened is a finding. False for want of memory. */
bool lm_settings_open_games(lm_context *c, lm_settings *settings);

/* The places of a model. False for want of memory. */
bool lm_places_open(lm_context *c, const lm_settings *settings, const char *path,
                    lm_places *places);

/* What a game's path stands for; the disk's. NULL with `error` filled. */
const lm_game *lm_game_open(lm_disk *disk, const char *path, lm_error *error);
/* The folder of the game that a model's path tells of: above the last models/ or players/ in it,
 * or, of a relative path without these, in that of the folder in which the program runs, which goes
 * into `here`. NULL: it tells of none. */
const char *lm_game_of(lm_disk *disk, const char *path, const char **here, lm_arena *arena);

#endif
