/* lerpmesh/convert.h - one call from a model of any kind to the files of another format: opens or
 * imports the source, composes it, encodes or exports it, and makes the images and other files next
 * to it. The library lerpmesh-convert, built on all libraries but lerpmesh-gl.
 *
 *     #include <lerpmesh/convert.h>
 *     #include <stdio.h>
 *
 *     // Converts a model to an MD3 with at most 0.01 units of error. Returns false if that fails.
 *     bool convert_to_md3(const char *from, const char *to) {
 *         lm_error error = {0};
 *         lm_vfs *vfs = lm_vfs_new(NULL, &error);
 *         lm_convert_settings *settings =
 *             vfs ? lm_convert_settings_new(vfs, NULL, &error) : NULL;
 *         lm_convert_source source = {0};
 *         source.vfs = vfs;
 *         source.path = from;
 *         lm_conversion *made = NULL;
 *         if (settings) {
 *             settings->options.format = "md3";
 *             settings->options.path = to;
 *             if (lm_convert_set(settings, "max-error", "0.01", &error) &&
 *                 lm_convert_settings_check(settings, &error))
 *                 made = lm_convert(&source, &settings->options, NULL, &error);
 *         }
 *         bool ok = made && lm_convert_write(made, NULL, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_conversion_free(made);
 *         lm_convert_settings_free(settings);
 *         lm_vfs_free(vfs);
 *         return ok;
 *     }
 *
 * The result has all files in memory; lm_convert_write writes them. Any number of threads may
 * convert at once. `= {0}` sets all members of a struct to zero; C++ writes `= {}`. */
#ifndef LERPMESH_CONVERT_H
#define LERPMESH_CONVERT_H

#include "lerpmesh/assets.h"
#include "lerpmesh/compose.h"
#include "lerpmesh/encode.h"
#include "lerpmesh/export.h"
#include "lerpmesh/import.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Sources ------------------------------------------------------------------------------- */

/* A model at a path: as lm_assets_open takes it, another program's model, or numbered files with
 * one pose each (walk_{frame}.obj). With one of the other members, it is in memory. Zeros are the
 * defaults. */
typedef struct lm_convert_source {
    lm_vfs *vfs; /* finds the files; required */
    /* Also the subject of messages, and the format of `data`. NULL, for a source in memory: "-",
     * and no file next to it is read. */
    const char *path;
    const char *name; /* of the model in a glTF or OBJ; NULL: the name of the file, or "model" */
    /* The bytes of the file at `path`; the files that it refers to are next to that path. */
    const void *data;
    size_t size; /* bytes of `data` */
    /* An open source. Its images are made portable for glTF and OBJ, so no other thread may use
     * them at the same time. */
    lm_assets *assets;
    /* A scene of the caller's, such as a part of an open one. Its images need `pixels` for models,
     * `data` and `uri` for glTF and OBJ. */
    const lm_scene *scene;
    /* [num_parts] skeletons that were found before, or NULL; NULL: none were. */
    const lm_skeleton *const *skeletons;
    const lm_mesh *mesh;              /* a mesh, which becomes a model */
    uint32_t num_textures;            /* of the mesh */
    const lm_scene_texture *textures; /* [num_textures] images of its surfaces */
    uint32_t num_skins;               /* of the mesh */
    const lm_material_set *skins;     /* [num_skins] materials with these images */
    bool from_game; /* the mesh's materials are paths of a game, which stay if there are images */
    uint64_t reserved[4]; /* zeros: room for later members */
} lm_convert_source;

/* ---- Options ------------------------------------------------------------------------------- */

/* Textures of vertex animation next to a static .glb. */
typedef enum lm_convert_vat {
    LM_CONVERT_VAT_NONE, /* morph targets instead */
    LM_CONVERT_VAT_PNG,  /* 16 bits per number */
    LM_CONVERT_VAT_EXR   /* floats */
} lm_convert_vat;

/* How a glTF is compressed. */
typedef enum lm_convert_compress {
    LM_CONVERT_COMPRESS_NONE,   /* not at all */
    LM_CONVERT_COMPRESS_MESHOPT /* EXT_meshopt_compression, with `packer` */
} lm_convert_compress;

/* The program that a glTF is for. It decides the names and the compression that suit it. */
typedef enum lm_convert_program {
    LM_CONVERT_PROGRAM_ANY,     /* none in particular */
    LM_CONVERT_PROGRAM_BLENDER, /* Blender */
    LM_CONVERT_PROGRAM_GODOT,   /* Godot */
    LM_CONVERT_PROGRAM_THREE,   /* three.js */
    LM_CONVERT_PROGRAM_UNREAL,  /* Unreal Engine */
    LM_CONVERT_PROGRAM_ASSIMP   /* programs that use Assimp */
} lm_convert_program;

#define LM_CONVERT_MAX_LODS 2u        /* levels of detail: Quake III's _1 and _2 */
#define LM_CONVERT_IMPORT_SECONDS 60u /* of processor time of Assimp, by default */
/* The longest name of a player. Quake III opens paths of up to 63 bytes, and
 * models/players/NAME/lower_default.skin is the longest one of a player. */
#define LM_CONVERT_MAX_PLAYER_NAME 28u

/* Zeros are the defaults, except for `format`. */
typedef struct lm_convert_options {
    /* "glb" (one file), "gltf" (with a .bin and its images), "obj", "iqm", or the name of a model
     * format: "md3" */
    const char *format;
    /* The path of the output. It names the other files, and decides the folder of the images in the
     * game. Its extension must not be that of another format. NULL: the output has no files next to
     * it. "gltf", `vat`, `lods`, encode.sidecar_clips, a `player` of Quake III, and a weapon need a
     * path. */
    const char *path;
    bool shares_folder; /* other models go into the same folder, and may use the same images */

    /* How the source is opened. `images`, and `files`, are set by lm_convert. Imports
     * use `max_input`, `clips`, `games`, `skins`, `alpha` and load.normals, and fail if `repair`,
     * `strict`, `quirks` or `topology` of `load`, `attachments`, `transparent_255`, or `palette`
     * without that of the images to write is set. A scene that is open uses `max_input` only, and a
     * mesh `clips`, too. */
    lm_assets_options open;
    uint64_t max_output; /* bytes of all files together; 0: no limit */

    /* Only frames first_frame .. first_frame + num_frames - 1; num_frames 0: all. */
    uint32_t first_frame, num_frames;
    bool still;   /* only one pose, that of `frame` */
    double frame; /* with `still`: between two frames if it has a fraction */
    /* The clips to write: each text has names between commas, or "all". Names joined with '+' play
     * at once. A name is case-insensitive unless a clip has exactly this spelling. 0: all. */
    uint32_t num_clips;
    const char *const *clips;
    float fps;   /* > 0: every clip is resampled to this rate, and lasts as long; 0: not at all */
    float speed; /* every clip plays so many times as fast; 0: 1 */
    float scale; /* of the model; 0: 1 */
    float unit;  /* glTF: metres in a unit of the model; 0: LM_METRES_PER_UNIT */

    /* For glTF and OBJ: the axes of the output. */
    lm_axes axes;
    bool unlit;                   /* glTF: materials without lights */
    bool quantize;                /* glTF: smaller numbers, by KHR_mesh_quantization */
    lm_convert_compress compress; /* glTF */
    const lm_gltf_packer *packer; /* for `compress` */
    lm_convert_program program;   /* that reads the glTF */
    const char *loop_suffix;      /* of looping animations; NULL: none */
    lm_convert_vat vat;           /* glTF: the kind of textures */
    bool vat_normals;             /* with `vat`: normals in a texture of their own */
    bool skeleton;      /* joints instead of morph targets; models: moves frames between others */
    uint32_t max_bones; /* of the skeleton; 0: the default */
    uint32_t max_correctives; /* of the skeleton; 0: the default */

    /* For models: how they are encoded, without shared_grid. encode.sidecar_clips: also writes the
     * clips of an MD3 or MDC to animation.cfg. */
    lm_encode_options encode;
    uint32_t num_shared_grids;
    const char *const *shared_grids; /* paths of models, see lm_encode_options */
    uint32_t decimate;               /* at most as many triangles; 0: all */
    bool decimate_percent;           /* `decimate` is a percentage, 1 to 100 */
    uint32_t lods;                   /* levels of detail: up to LM_CONVERT_MAX_LODS */
    /* Makes a player or a weapon of this game. lm_convert_settings_check decides which player, by
     * the format and the path: hero/ and hero.pk3 are a whole player of Quake III, whose first file
     * is lower.md3. That of a weapon is weapon.cfg. Models of a weapon, and its weapon.cfg, that
     * are in the folder of the path and do not change keep their bytes; those that change keep
     * their format. `format` is that of new ones. */
    lm_player_kind player;
    /* Of LM_PLAYER_QUAKE3 and LM_PLAYER_WEAPON: of the folder in the game; required. */
    const char *player_name;
    bool archive;              /* all files of the player go into one .pk3 */
    const char *skin_path;     /* folder of the images in the game; NULL: that of `path` */
    const lm_palette *palette; /* of PCX images to write; NULL: PNG or TGA */

    /* For imports: see lm_import_options. */
    uint32_t num_tags;
    const lm_import_tag *tags;
    uint32_t num_loops;
    const char *const *loops; /* [num_loops] */
    uint32_t num_onces;
    const char *const *onces; /* [num_onces] */
    size_t import_memory;     /* bytes; 0: the default */
    uint32_t import_seconds;  /* of processor time of Assimp; 0: LM_CONVERT_IMPORT_SECONDS */

    /* What precedes the name of an option in messages: "--" in a command; NULL: nothing. */
    const char *option_prefix;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_convert_options;

/* ---- Options by name ----------------------------------------------------------------------- */

/* Options of one conversion, or of several, as users write them. The caller may also set members of
 * `options`; `format` and `path` before lm_convert_settings_check. One thread at a time may use
 * one. */
typedef struct lm_convert_settings {
    lm_convert_options options; /* what was set */
} lm_convert_settings;

/* Makes settings without options. `option_prefix`: see lm_convert_options; not copied. The result
 * uses `vfs` as long as it lives. Fails only if memory runs out. */
LM_CONVERT_API lm_convert_settings *lm_convert_settings_new(lm_vfs *vfs, const char *option_prefix,
                                                            lm_error *error);
LM_CONVERT_API void lm_convert_settings_free(lm_convert_settings *settings); /* NULL is allowed */

/* Sets an option of `lerpmesh convert`, by its name without the hyphens, to a value, which is
 * copied. Fails for NULL and other names that no option has. A flag takes NULL or "". An option
 * that was given before is replaced, or the value is added if there may be several. */
LM_CONVERT_API bool lm_convert_set(lm_convert_settings *settings, const char *name,
                                   const char *value, lm_error *error);

/* Sets options that are written as for the command: `--decimate 50% --clip "long jump"`. Single and
 * double quotes keep spaces; a backslash is a character like any other. NULL sets none. If it
 * fails, the options before the wrong one are set. */
LM_CONVERT_API bool lm_convert_set_words(lm_convert_settings *settings, const char *words,
                                         lm_error *error);

/* Call it once, when all options are set. Fails if an option does not apply to the format, or
 * contradicts another; reads the files that options name, and finds what follows from options, such
 * as from `program`. Without a format, only the options of opening are checked. */
LM_CONVERT_API bool lm_convert_settings_check(lm_convert_settings *settings, lm_error *error);

/* Appends a JSON array of the options of a command, such as "convert". Each has "name",
 * "letter", "group", "type", "value" (the value's name), "words", "min", "max", "unit", "default",
 * "commands", "formats" and "help", with null for what it lacks. A command that does not exist, or
 * NULL, has none. `only_set`: only those that lm_convert_set sets. */
LM_CONVERT_API void lm_options_json(const char *command, bool only_set, lm_buffer *out);

/* ---- Messages ------------------------------------------------------------------------------ */

/* Kinds of messages. */
typedef enum lm_convert_kind {
    LM_CONVERT_KIND_NOTE,    /* information */
    LM_CONVERT_KIND_WARNING, /* the result differs from what one would expect */
    LM_CONVERT_KIND_PROBLEM, /* `problem`, such as damage that was repaired */
    LM_CONVERT_KIND_DETAIL,  /* `problem`: a texture that is missing, or what no engine minds */
    LM_CONVERT_KIND_FAILURE, /* the conversion ends; also the error of lm_convert */
    LM_CONVERT_KIND_MODEL /* one of several models is encoded: `text` is its file, and `report` */
} lm_convert_kind;

/* A message of a conversion. */
typedef struct lm_convert_message {
    const char *text;               /* one sentence */
    lm_convert_kind kind;           /* decides which of the other members are set */
    lm_code code;                   /* LM_CODE_OK: none of its own */
    const lm_error *error;          /* of a failure with a code */
    const char *subject;            /* the file that it is about */
    const char *mark;               /* of a problem or detail: "warning", "repaired" or NULL */
    const lm_diagnostic *problem;   /* of the source or of the result; NULL: none */
    const lm_encode_report *report; /* of LM_CONVERT_KIND_MODEL; else NULL */
} lm_convert_message;

/* Functions that a conversion calls, in its thread. Each may be NULL. */
typedef struct lm_convert_calls {
    void *user; /* passed to the functions */
    /* Reports a message, which lives until the call ends. */
    void (*report)(void *user, const lm_convert_message *message);
    /* The source is open, or could not be opened (assets->scene is NULL). Returns whether to
     * continue. If not, the conversion fails, without a report, with the reason in `assets` or
     * LM_CODE_STOPPED. NULL: continues if there is a scene. */
    bool (*opened)(void *user, const lm_assets *assets);
    /* Returns whether another conversion writes a file of that name next to the output. */
    bool (*is_taken)(void *user, const char *name);
    /* Tells what follows ("opening", "skeleton", "composing", "encoding", or the name of a file
     * that is made), and the finished share, from 0 to 1. Returns false to stop: the conversion
     * then fails with LM_CODE_STOPPED. */
    bool (*progress)(void *user, double share, const char *what);
    uint64_t reserved[4]; /* zeros: room for later members */
} lm_convert_calls;

/* ---- Results ------------------------------------------------------------------------------- */

/* What a file is. */
typedef enum lm_convert_role {
    LM_CONVERT_ROLE_SIDE,    /* a file next to the main one */
    LM_CONVERT_ROLE_IMAGE,   /* the same; an existing image with the same pixels replaces it */
    LM_CONVERT_ROLE_MAIN,    /* the file that was asked for */
    LM_CONVERT_ROLE_OPTIONAL /* next to it; an existing one stays: clips of a model, no player */
} lm_convert_role;

/* An output file. */
typedef struct lm_convert_file {
    const char *name;     /* without a folder; "" for the main file without a path */
    lm_convert_role role; /* LM_CONVERT_ROLE_MAIN: the file that was asked for */
    bool stays;           /* lm_convert_write left an existing file with other contents */
    lm_buffer data;       /* its bytes; lm_conversion_free frees them */
} lm_convert_file;

/* A conversion: its files and what is known of them. */
typedef struct lm_conversion {
    uint32_t num_files;
    lm_convert_file *files; /* the main file is last: it names the others */
    uint32_t num_written;   /* by lm_convert_write: without files that exist already */
    lm_assets *assets; /* the source, also for other conversions while this lives; NULL: imported */
    const lm_encode_report *report; /* of a model; NULL: none, or several models */
    const lm_gltf_result *gltf;     /* of a glTF; else NULL */
    const lm_vat_result *vat;       /* of textures of vertex animation; else NULL */
    uint32_t num_textures;          /* of the source */
    const char *player_folder;      /* in the game, of a whole player or a weapon */
    uint32_t num_frames;            /* of the source's first model */
} lm_conversion;

/* Converts a model. Returns NULL if it fails; reports the reason, too. The source and the options
 * must live as long as the result. Options that contradict each other, and NULL for an array or a
 * value that is required, fail with LM_CODE_BAD_ARGUMENT. */
LM_CONVERT_API lm_conversion *lm_convert(const lm_convert_source *source,
                                         const lm_convert_options *options,
                                         const lm_convert_calls *calls, lm_error *error);
LM_CONVERT_API void lm_conversion_free(lm_conversion *made); /* NULL is allowed */

/* Functions of lm_convert_write. Each may be NULL. */
typedef struct lm_convert_target {
    bool replaces; /* also replaces files that were not named, such as the clips of other models */
    void *user;    /* passed to the functions */
    /* Returns whether a file next to the output may be written. It is not called for a file that
     * exists with the same contents. NULL: if there is none, or `replaces`. */
    bool (*allows)(void *user, const char *path);
    /* Writes the files; `count` > 0, the last one is the main file. NULL: lm_file_write. */
    bool (*write)(void *user, lm_file_output *files, size_t count);
    /* Reports a warning or a failure. */
    void (*report)(void *user, const lm_convert_message *message);
    uint64_t reserved[4]; /* zeros: room for later members */
} lm_convert_target;

/* Writes the files of a conversion next to each other. Existing files with the same contents, and
 * images with the same pixels, stay. The main file is replaced, unless it is one of several in the
 * folder of a player or a weapon. Without `replaces`, an optional file that exists stays, with a
 * warning, and any other one stops the call before anything is written (LM_CODE_IO). An image that
 * the source was made from does so in any case. Fails with LM_CODE_BAD_ARGUMENT if the options had
 * no path, and with LM_CODE_STOPPED if a function of the target returns false. */
LM_CONVERT_API bool lm_convert_write(lm_conversion *made, const lm_convert_target *target,
                                     lm_error *error);

#ifdef __cplusplus
}
#endif

#endif
