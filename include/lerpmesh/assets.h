/* lerpmesh/assets.h - what a person names, opened: a scene that wears its skins.
 *
 *     #include <lerpmesh/assets.h>
 *     #include <stdio.h>
 *
 *     // Opens what is named; says what was met on the way, and how many models stand there.
 *     void look(const char *path) {
 *         lm_disk *disk = lm_disk_new(NULL);
 *         lm_assets *assets = disk ? lm_assets_open(disk, path, NULL) : NULL;
 *         for (uint32_t i = 0; assets && i < assets->num_findings; i++)
 *             fprintf(stderr, "%s: %s\n", assets->findings[i].subject, assets->findings[i].text);
 *         // The scene has the models on their tags, with clips, skins and decoded pictures.
 *         if (assets && assets->scene)
 *             printf("%u models\n", (unsigned)assets->scene->num_parts);
 *         lm_assets_free(assets);
 *         lm_disk_free(disk);
 *     }
 *
 * A path names a file, a folder, an archive (PAK or PK3), what is in one ("pak0.pak:models/a.md2"),
 * a player's folder, or "-", standard input. A real file whose name has a ':' in it is that file.
 * This is the library lerpmesh-assets, which stands on lerpmesh; image.h, io.h, archive.h, skin.h,
 * script.h and texture.h are its parts, for programs that want to do one of these things
 * themselves.
 *
 * Threads: one lm_disk may be used by any number of threads at once. What lm_assets_open returns is
 * constant and may be read by all of them.
 */
#ifndef LERPMESH_ASSETS_H
#define LERPMESH_ASSETS_H

#include "lerpmesh/files.h"
#include "lerpmesh/image.h"
#include "lerpmesh/model.h"
#include "lerpmesh/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Paths --------------------------------------------------------------------------------- */

/* What paths lead to. Archives are opened and folders are read when they are first needed, and stay
 * so until lm_disk_free or lm_disk_forget. */
typedef struct lm_disk lm_disk;

/* All memory for what the disk knows and what is opened through it comes from an allocator (NULL:
 * malloc's), which is called from every thread that uses the disk; that of models too, unless their
 * options name another. What the system takes while it is asked is malloc's. NULL: there is no
 * memory. */
LM_ASSETS_API lm_disk *lm_disk_new(const lm_allocator *allocator);
/* Free what was opened through it first. */
LM_ASSETS_API void lm_disk_free(lm_disk *disk);
/* Forgets all archives and folders, so that changed ones are read again. Nothing that was opened
 * through it may be in use. */
LM_ASSETS_API void lm_disk_forget(lm_disk *disk);

/* Mounts a view of files (lerpmesh/files.h) at a path: all paths that begin with it and a '/'
 * lead into the view, whatever the system has there, so that a game with files of its own can open
 * them. Of views at one path the last counts. Archives in a view are files like others; the view of
 * an archive (lm_archive_files) can be mounted itself. The view must last as long as the disk, and
 * be mounted before other threads use that. Errors: LM_CODE_BAD_ARGUMENT (an empty path),
 * LM_CODE_OUT_OF_MEMORY. */
LM_ASSETS_API bool lm_disk_mount(lm_disk *disk, const char *path, const lm_files *files,
                                 lm_error *error);

/* lm_file_read of any path. `max_size` 0: 2 GiB less a byte, beyond which no format's offsets
 * reach; out of archives LM_ARCHIVE_MAX_MEMBER. */
LM_ASSETS_API bool lm_disk_read(lm_disk *disk, const char *path, size_t max_size, lm_file *file,
                                lm_error *error);
/* Whether a folder, or one in an archive, can be opened as a player: there is lower.md3, lower.mdc
 * or tris.md2, whose path goes into `body` (cut to its size), which may be NULL. False with `error`
 * filled: LM_CODE_BAD_ARGUMENT if there is none. */
LM_ASSETS_API bool lm_disk_player(lm_disk *disk, const char *folder, char *body, size_t size,
                                  lm_error *error);
/* ---- How to open --------------------------------------------------------------------------- */

/* A model that hangs on a tag. */
typedef struct lm_attachment {
    const char *tag;  /* letters in either case; of the model that was attached last and has it.
                         NULL: on none, it shows the frames that the first part shows */
    const char *path; /* looked for as it stands, then beside the first part's file */
    const char *clip; /* what it plays at rest; NULL: its first frame */
} lm_attachment;

/* What pictures become. */
typedef enum lm_pictures {
    LM_PICTURES_PIXELS,   /* decoded, for a screen; a PNG's and a JPEG's bytes are there too */
    LM_PICTURES_PORTABLE, /* PNG or JPEG bytes, for exporters; not kept as pixels; of a shader with
                             several stages the one that is a material's texture */
    LM_PICTURES_FOUND,    /* looked for, not read: see lm_asset.textures */
    LM_PICTURES_NONE      /* not looked for; all is plain */
} lm_pictures;

/* What materials' alpha is for. */
typedef enum lm_alpha_use {
    /* What a shader script says; without one, surfaces that scripts are for (those of MD3 and MDC)
     * are opaque, whatever their pictures have; others as their pictures are: masked where alpha is
     * all or nothing, blended where there is more between. */
    LM_ALPHA_AUTO,
    LM_ALPHA_ALL_OPAQUE, /* the same for all, and instead of what scripts' stages do */
    LM_ALPHA_ALL_MASK,
    LM_ALPHA_ALL_BLEND
} lm_alpha_use;

typedef struct lm_assets_options {
    lm_load_options load; /* of every model */
    size_t max_input;     /* bytes of a model's file; 0: as lm_disk_read */
    /* The bytes of the file that is opened, where they were read already, to see what it is; they
     * must live as long as what is opened. NULL: it is read. */
    const lm_file *file;

    /* A clips file for the first part and for the halves of a player; "none": only the models' own;
     * "quake2": the standard table's (lm_clips_quake2) for the first part and what follows it;
     * NULL: one beside each model, MODEL.md2.framegroups, MODEL.framegroups, animation.cfg, the
     * last also in the folder of the games that the model would be in. */
    const char *clips;

    uint32_t num_attachments;
    const lm_attachment *attachments; /* in the order in which they are attached */
    /* Takes what lies beside and belongs to it: of a player's part the whole player; tris.md2 gets
     * weapon.md2; an MD3 or MDC with the tags gets head and weapon. Where that does not fit, the
     * model is opened alone. */
    bool companions;

    /* Folders and archives in which textures, shader scripts, .skin files and animation.cfg are
     * looked for, in this order; of a folder, then in the archives in it, the last by name first.
     * Where none is named, the folder that the path of a model tells of, as the games' paths
     * do: the one that has the last models/, players/ or models/players/ in it. A relative path
     * that has none of these is taken from where the program runs. */
    uint32_t num_games;
    const char *const *games;

    /* What the models wear, instead of what they name. Each is PICTURE (of the first part, where it
     * has a texture as a whole), SURFACE=PICTURE, FILE.skin, or NAME: the file MODEL_NAME.skin
     * beside each model, or MODEL.md3_NAME.skin; else that of the model that MODEL_1 or MODEL_2
     * shows from afar. They are looked for in the model's folder, in the games too, in the engines'
     * order: where the model is in one of the games, their places count as they stand in `games`,
     * else its own folder comes first. Without a name, or where there is no such file, it is
     * "default", else "0" (a port's), "red", "blue". The last picture and the last name win, and of
     * .skin files the first that knows a surface. A NAME may also be a picture's beside the first
     * part, where that has a texture as a whole. "none" as the last of all: they are plain.
     * An MD2 of whose names no picture is there wears what lies beside it at its skin's exact size:
     * of those with an icon (X.pcx, X_i.pcx), if there are such, the one that is called like the
     * model or its folder, else the first; the others are further skins. A weapon takes a picture
     * that is called so. */
    uint32_t num_skins;
    const char *const *skins;
    /* Which of the skins that it lists the first part wears, counted from 1; 0: the first of which
     * a picture was found. */
    uint32_t listed_skin;
    const char *palette;  /* a file of colours for pictures that store indices, or NULL */
    bool transparent_255; /* index 255 of a PCX is transparent */
    lm_alpha_use alpha;
    lm_pictures pictures;
    uint64_t max_pixels;  /* larger pictures are not read, which is a finding; 0: as
                             lm_image_options has it */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_assets_options;

/* Reads what options name (clips, games, palette, .skin files), which the disk keeps until it
 * forgets, so that each is read once for any number of models, standard input too. Failing, `error`
 * says what is wrong with which value ("a.cfg: cannot open a.cfg: ..."), and `option` what it was
 * asked for: "clips", "game", "palette" or "skin"; "assets": the options have unknown values.
 * lm_assets_open does this by itself: it is for programs that want to know before they begin. */
LM_ASSETS_API bool lm_assets_read_options(lm_disk *disk, const lm_assets_options *options,
                                          const char **option, lm_error *error);

/* ---- What was opened ----------------------------------------------------------------------- */

/* A finding is something odd that was met, or why it failed: an lm_diagnostic whose subject is the
 * file that it is about, or what was to be opened (never NULL), and whose text names neither that
 * nor the code. The section of its location is one of these. */
#define LM_FINDING_MODEL "model" /* a model, or what it is attached to */
#define LM_FINDING_CLIPS "clips"
#define LM_FINDING_TEXTURE "texture"

/* Its severity is LM_ERROR if it failed, or if a folder or an archive in which textures were to be
 * looked for cannot be read, or if a skin that was asked for dresses nothing; LM_WARNING if
 * something was left out; LM_NOTE if something was not found. With LM_CODE_BAD_OPTION and
 * LM_CODE_NO_SUCH_SURFACE the text begins with the name of the option and its value: "skin gold: it
 * names none of the surfaces". */

/* Where the name of a texture comes from. */
typedef enum lm_texture_source {
    LM_TEXTURE_OF_MODEL,     /* the model names it */
    LM_TEXTURE_OF_FILE_NAME, /* nothing names it: a picture called like the model's file */
    LM_TEXTURE_OF_SKIN_FILE, /* a .skin file beside the model */
    LM_TEXTURE_OF_OPTION,    /* lm_assets_options.skins */
    LM_TEXTURE_EMBEDDED,     /* its pixels are in the model's file: `path` is that file's */
    LM_TEXTURE_GUESSED       /* nothing that is named is there: a picture beside the model, of the
                                size that the model was made for */
} lm_texture_source;

/* How a name led to a picture. */
typedef enum lm_texture_way {
    LM_FOUND_NOT,
    LM_FOUND_BY_NAME,     /* it is what the name says, with whatever extension */
    LM_FOUND_BY_SCRIPT,   /* a shader script defines the name, and says which pictures */
    LM_FOUND_BY_FALLBACK, /* it lies beside the model, not where the name says; or where the name
                             says, but not where the script of that name does */
    LM_FOUND_LEFT_OUT     /* a .skin file names what is nowhere, by which the games draw nothing: it
                             has a shader that is hidden, of no script */
} lm_texture_way;

/* A texture that a part names, once a name. */
typedef struct lm_asset_texture {
    const char *name; /* as the model, the .skin file or the option spells it; never empty */
    lm_texture_source source;
    lm_texture_way way;
    /* The script's definition of the name, with the path and the line where it is; NULL: none
     * does. Its pictures are among the scene's textures as far as they were read. */
    const lm_shader *shader;
    const char *path; /* where it was found, as lm_disk_read takes it, or what an option says; NULL:
                         nowhere, or a script needs none; of a script with several pictures that of
                         the stage `base` */
    bool unsafe;      /* the name leads out of where textures are looked up (LM_CODE_UNSAFE_PATH) */
    uint32_t num_tried; /* paths that were looked at: lm_assets_tried */
    uint32_t picture;   /* of scene->textures; LM_NO_TEXTURE: not found, not read, or no picture */
} lm_asset_texture;

/* The file behind a part of the scene. */
typedef struct lm_asset {
    const char *path; /* as lm_disk_read takes it */
    lm_file file;
    const lm_model *model;
    const lm_clips *clips;  /* of a clips file; NULL: the model's own */
    const char *clips_path; /* of that file; NULL */
    const char *skin_path;  /* of the .skin file that it wears; NULL: none, or an option's */
    uint32_t num_textures;
    const lm_asset_texture *textures;
} lm_asset;

/* Everything is constant, owned by it, and goes with lm_assets_free. */
typedef struct lm_assets {
    const lm_scene *scene; /* parts with their clips and skins, textures with their pixels; NULL: it
                              could not be opened, and the last finding says why */
    const lm_asset *assets; /* [scene->num_parts] */
    const char *game; /* the folder of the game that was guessed from the path; NULL: none was */
    uint32_t num_findings;
    const lm_diagnostic *findings; /* in the order in which they were met */
    const lm_error *error;         /* without a scene: why, with the byte to blame; else NULL */
} lm_assets;

/* Opens what a person names. A texture that is not found, no picture, or not to be trusted is a
 * finding and leaves its surface plain; so is a clips file beside the model that cannot be used.
 * What was asked for by name and is not there fails: then there is no scene, and the last finding
 * has severity LM_ERROR. NULL only if there is no memory even for that. */
LM_ASSETS_API lm_assets *lm_assets_open(lm_disk *disk, const char *path,
                                        const lm_assets_options *options);
LM_ASSETS_API void lm_assets_free(lm_assets *assets);

/* A path that was looked at for a texture, as lm_disk_read takes it, into `out` (cut to its size);
 * false beyond the last. */
LM_ASSETS_API bool lm_assets_tried(const lm_assets *assets, uint32_t part, uint32_t texture,
                                   uint32_t index, char *out, size_t size);

/* Makes PNG of those pictures that are neither PNG nor JPEG, so that the scene can be exported
 * (lm_gltf_write_scene), and gives each picture the name of a file, STEM_PICTURE.png, for a .gltf
 * beside which they lie (`stem` NULL: no names). Not while other threads read `assets`. */
LM_ASSETS_API bool lm_assets_make_portable(lm_assets *assets, const char *stem, lm_error *error);

/* ---- Skins to choose from ------------------------------------------------------------------ */

/* Something that the first part may wear. */
typedef struct lm_skin_choice {
    const char *name; /* for people: "grunt" for players/male/grunt.pcx, "blue" for lower_blue.skin;
                         no two are alike */
    const char
        *option;   /* for lm_assets_options.skins; NULL: one that the model has, number `skin` */
    uint32_t skin; /* of the scene's first part, if that has so many */
} lm_skin_choice;

typedef struct lm_skin_choices {
    uint32_t num_choices;
    const lm_skin_choice *choices;
    uint32_t worn; /* which of them the first part wears; num_choices: none */
} lm_skin_choices;

/* The skins that the first part's model lists ("Default" if there are none, nor .skin files of
 * those that are worn unless another is asked for); the .skin files that go with it, in the games
 * too; and the pictures beside it if it can wear one as a whole, without icons. Of one name the
 * first. NULL if there is no memory, or no scene. */
LM_ASSETS_API lm_skin_choices *lm_disk_skins(lm_disk *disk, const lm_assets *assets);
LM_ASSETS_API void lm_skin_choices_free(lm_skin_choices *choices);

/* ---- Many at once -------------------------------------------------------------------------- */

/* A file of a list. */
typedef struct lm_listed_path {
    const char *path;
    const char *tree; /* the end of `path` that lies below what was listed; NULL: none does */
    const lm_error *problem; /* why there is nothing to read at `path`; NULL: there is */
    /* In what a folder or an archive stands for. Of a player's body (as lm_disk_player finds it)
     * his folder, which opens as the whole of him; else NULL. */
    const char *player;
    bool of_player; /* another file of such a player: his other parts, and smaller ones of them for
                       the distance (head_1.md3) */
} lm_listed_path;

/* Paths in the order of their bytes; those with problems come first. */
typedef struct lm_path_list {
    uint32_t num_paths;
    const lm_listed_path *paths;
} lm_path_list;

/* The models below a folder, in an archive, or that fit a pattern behind an archive's path
 * ("pak0.pk3:*.md3"); of any other path, itself. Never empty: what holds no model is a path with a
 * problem. NULL if there is no memory. */
LM_ASSETS_API lm_path_list *lm_disk_models(lm_disk *disk, const char *path);
/* The same of files of any kind; nobody's player. Of a folder those whose names begin with a dot,
 * and what is behind links to folders, are left out. */
LM_ASSETS_API lm_path_list *lm_disk_files(lm_disk *disk, const char *path);
LM_ASSETS_API void lm_path_list_free(lm_path_list *list);

/* ---- Skin files ---------------------------------------------------------------------------- */

/* lerpmesh/assets.h - .skin files: which texture each surface of an MD3 or MDC wears.
 *
 *     #include <lerpmesh/assets.h>
 *     #include <stdio.h>
 *
 *     // Says what each surface of a model wears by a .skin file.
 *     void tell(const lm_model *model, const void *text, size_t size) {
 *         lm_skin_file *skin = lm_skin_read(text, size, NULL, NULL);
 *         for (uint32_t s = 0; skin && s < model->num_surfaces; s++) {
 *             const char *path = lm_skin_path(skin, model->surfaces[s].name);
 *             printf("%s: %s\n", model->surfaces[s].name, path ? path : "nothing");
 *         }
 *         lm_skin_free(skin);
 *     }
 *
 * A line is `surface,path`; it wins over the shader that the surface itself names. Lines of tags
 * (`tag_head,`) have no path.
 */

typedef struct lm_skin_entry {
    const char *surface; /* in lower case; never empty */
    const char *path;    /* as in the file; never empty */
    uint32_t line;       /* from 1 */
} lm_skin_entry;

/* Everything is constant, owned by it, and goes with lm_skin_free. */
typedef struct lm_skin_file {
    uint32_t num_entries;
    const lm_skin_entry *entries;           /* in the order of the file */
    const lm_skin_entry *const *by_surface; /* by their names; of equal ones the first first */
    uint32_t num_tags;
    const char *const *tags; /* names of the lines whose name begins with tag_, in lower case */
    uint32_t num_warnings;
    const lm_diagnostic *warnings;
} lm_skin_file;

/* Reads a .skin file: `//` and slash-star comments, quotes around either part, blank lines, spaces
 * around the parts and any kind of line end are understood. A line that is none of these is left
 * out and counted (LM_CODE_SKIN_LINE). Fails only for want of memory. The
 * text may go when the call returns. Safe on any bytes, linear in their number. */
LM_ASSETS_API lm_skin_file *lm_skin_read(const void *text, size_t size, const lm_memory *memory,
                                         lm_error *error);
LM_ASSETS_API void lm_skin_free(lm_skin_file *skin);

/* Appends a .skin file: the surfaces with their paths, then the tags. Names with spaces or commas
 * are quoted. The text is read back: if a surface had another path, fails with LM_CODE_NOT_HELD. */
LM_ASSETS_API bool lm_skin_write(const lm_skin_entry *entries, uint32_t num_entries,
                                 const char *const *tags, uint32_t num_tags, lm_buffer *out,
                                 lm_error *error);

/* The path for a surface as the engine finds it: the surface's name in lower case, if it is longer
 * than that without a trailing '_' and the byte behind it, the first entry of that name. NULL if
 * there is none. */
LM_ASSETS_API const char *lm_skin_path(const lm_skin_file *skin, const char *surface);

/* ---- Shader scripts ------------------------------------------------------------------------ */

/* Shader scripts: scripts/NAME.shader of Quake III, RtCW and ET.
 *
 *     #include <lerpmesh/assets.h>
 *     #include <stdio.h>
 *
 *     // Says which pictures the shaders of a script want.
 *     void tell(const void *text, size_t size) {
 *         lm_script *script = lm_script_read(text, size, NULL, NULL);
 *         for (uint32_t i = 0; script && i < script->num_labels; i++) {
 *             lm_script_shader *shader = lm_script_shader_read(script, i, NULL, NULL);
 *             for (uint32_t p = 0; shader && p < shader->num_pictures; p++)
 *                 printf("%s: %s\n", script->labels[i].name, shader->pictures[p]);
 *             lm_script_shader_free(shader);
 *         }
 *         lm_script_free(script);
 *     }
 *
 * A script is a row of NAME { ... }, each of which says how the surfaces of that name are drawn.
 * Reading a script finds the names, which is quick; reading a shader understands one of them. What
 * is not understood is left out and noted: the engines refuse a whole shader for one unknown word.
 *
 * Safe on any bytes, linear in their number. lm_assets_open does all of this by itself.
 */

/* ---- Scripts ------------------------------------------------------------------------------- */

#define LM_SCRIPT_NAME 1024 /* of a name or a word with its NUL; what is longer is cut */

typedef struct lm_script_label {
    const char *name;    /* as it is written; never empty. The engines compare without case */
    uint32_t line;       /* from 1 */
    uint32_t begin, end; /* its bytes in the text: from the name up to the closing brace */
} lm_script_label;

/* Everything is constant, owned by it but for the text, and goes with lm_script_free. */
typedef struct lm_script {
    const char *text; /* the caller's, which must last */
    uint32_t num_labels;
    const lm_script_label *labels; /* in the order of the file; of equal names the first counts */
    const char *damage; /* braces that do not match, after which nothing was read; NULL: none.
                           ioquake3 leaves such a file out as a whole */
    uint32_t damage_line;
} lm_script;

/* Finds the labels. Fails for want of memory and for texts of 4 GiB. */
LM_ASSETS_API lm_script *lm_script_read(const void *text, size_t size, const lm_memory *memory,
                                        lm_error *error);
LM_ASSETS_API void lm_script_free(lm_script *script);

/* ---- Shaders ------------------------------------------------------------------------------- */

/* Something in a shader that was not understood, or cannot be had here. */
typedef struct lm_script_note {
    uint32_t line;
    bool refused; /* the engines refuse the shader for it */
    const char *sentence;
} lm_script_note;

#define LM_MAX_SCRIPT_NOTES 16 /* of a shader; those beyond are not kept */

/* Everything is constant, owned by it, and goes with lm_script_shader_free. */
typedef struct lm_script_shader {
    lm_shader shader; /* its stages count pictures among those here; name and line are set. Without
                         stages (see there) nothing is drawn, or what the engines draw without a
                         picture */
    uint32_t num_pictures;
    const char *const *pictures; /* as they are written; "": called as the surface is */
    uint32_t num_notes;
    const lm_script_note *notes; /* in the order of their lines */
} lm_script_shader;

/* Reads the label of that number. Fails only for want of memory. */
LM_ASSETS_API lm_script_shader *lm_script_shader_read(const lm_script *script, uint32_t label,
                                                      const lm_allocator *allocator,
                                                      lm_error *error);
LM_ASSETS_API void lm_script_shader_free(lm_script_shader *shader);

#ifdef __cplusplus
}
#endif
#endif
