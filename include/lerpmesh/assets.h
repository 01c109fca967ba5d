/* lerpmesh/assets.h - opening a model, folder, archive or player folder by its path, as a scene
 * with clips, skins and decoded images.
 *
 *     #include <lerpmesh/assets.h>
 *     #include <stdio.h>
 *
 *     // Opens a path; prints the diagnostics and the number of models.
 *     void inspect(const char *path) {
 *         lm_vfs *vfs = lm_vfs_new(NULL, NULL);
 *         lm_assets *assets = vfs ? lm_assets_open(vfs, path, NULL, NULL) : NULL;
 *         for (uint32_t i = 0; assets && i < assets->num_diagnostics; i++)
 *             fprintf(stderr, "%s\n", assets->diagnostics[i].text);
 *         // The scene has the attached models, with clips, skins and decoded images.
 *         if (assets && assets->scene)
 *             printf("%u models\n", (unsigned)assets->scene->num_parts);
 *         lm_assets_free(assets);
 *         lm_vfs_free(vfs);
 *     }
 *
 * A path names a file, a member of an archive ("pak0.pak:models/a.md2"), the folder or archive of a
 * player or a first-person weapon of Return to Castle Wolfenstein (lm_vfs_list lists others),
 * FOLDER/v_NAME for one of several weapons in a folder, a composition in a script of UFO: Alien
 * Invasion
 * ("ufos/models.ufo/alien_ortnok"), or "-", standard input. If a file with a ':' in its
 * name exists, the path names that file.
 *
 * This is the library lerpmesh-assets, built on lerpmesh. Its lower layers, files.h and image.h,
 * can be used alone, and so can the reader of .skin files at the end of this header. C++ writes
 * `= {}` for `= {0}`.
 *
 * Threads: any number of threads may use one lm_vfs at once. The results of lm_assets_open are
 * constant, and any number of threads may read them. */
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

/* A virtual file system: resolves paths on disk, in archives and in mounted views. It opens
 * archives and lists folders when they are first needed, and caches them until lm_vfs_free. To see
 * changed archives and folders, make a new one. */
typedef struct lm_vfs lm_vfs;

/* Makes a virtual file system. The allocator of `memory` (NULL: malloc) provides the memory of its
 * cache and of everything opened through it, including models whose options name no other
 * allocator; the limits of `memory` do not apply. It is called from every thread that uses the file
 * system. The operating system's calls use malloc. Fails only if memory runs out, or the
 * allocator lacks functions (LM_CODE_BAD_ARGUMENT). */
LM_ASSETS_API lm_vfs *lm_vfs_new(const lm_memory *memory, lm_error *error);
/* Frees a virtual file system. Free everything that was opened through it first. */
LM_ASSETS_API void lm_vfs_free(lm_vfs *vfs);

/* Mounts a view of files (lerpmesh/files.h) at a path. All paths that begin with it and a '/' then
 * lead into the view, so a game can open files from its own storage. If several views are mounted
 * at one path, the last one applies. Archives in a view are plain files; mount an archive's own
 * view (lm_archive.files) to read its members. The view must live as long as the file system. Mount
 * it before other threads use the file system. Errors: LM_CODE_BAD_ARGUMENT (an empty path, a view
 * without `find` or `read`, or a `reserved` other than 0), LM_CODE_OUT_OF_MEMORY. */
LM_ASSETS_API bool lm_vfs_mount(lm_vfs *vfs, const char *path, const lm_files *files,
                                lm_error *error);

/* Reads the file at any path, like lm_file_read. `max_size` 0: LM_MAX_MODEL_FILE, and for members
 * of archives LM_MAX_ARCHIVE_MEMBER. */
LM_ASSETS_API bool lm_vfs_read(lm_vfs *vfs, const char *path, size_t max_size, lm_buffer *out,
                               lm_error *error);
/* Returns a folder as a view of files whose name is `path`. Names are case-insensitive: the exact
 * spelling is preferred, then the first in byte order. Symbolic links are followed if they end
 * inside the folder. Each folder is listed once, when it is first needed, so files added later are
 * not found. Any number of threads may use the view. It is valid until lm_vfs_free. Fails with
 * LM_CODE_IO if there is no such folder. */
LM_ASSETS_API const lm_files *lm_vfs_folder(lm_vfs *vfs, const char *path, lm_error *error);
/* Finds a player or a weapon in a folder, or in a folder of an archive: a lower.md3, lower.mdc or
 * tris.md2, a body.mds, or the hand of a weapon, v_NAME_hand. Of several weapons, the one with the
 * folder's name comes first; FOLDER/v_NAME names another. Writes its path to `body` (cut to its
 * size), which may be NULL. Returns false if there is none (LM_CODE_BAD_ARGUMENT) or memory runs
 * out. */
LM_ASSETS_API bool lm_vfs_find_player(lm_vfs *vfs, const char *folder, char *body, size_t size,
                                      lm_error *error);

/* ---- Options ------------------------------------------------------------------------------- */

/* A model to attach to a tag. */
typedef struct lm_attachment {
    /* Case-insensitive. If several models have it, the one attached last counts, with a warning;
     * but if the first part has only tags, as a hand, the first one. "PARENT:TAG" is the tag of the
     * model PARENT, its file's name without the extension. NULL: no tag; the model shows the same
     * frames as the first part. */
    const char *tag;
    const char *path;     /* as given, or in the folder of the first part's file */
    const char *clip;     /* its clip at rest; NULL: its first frame */
    uint64_t reserved[4]; /* zeros: room for later members */
} lm_attachment;

/* The form in which images are loaded. */
typedef enum lm_image_mode {
    LM_IMAGES_PIXELS,   /* decoded pixels, for drawing; PNG and JPEG bytes too */
    LM_IMAGES_PORTABLE, /* PNG or JPEG bytes without pixels, for exporters; of a shader with
                           several stages, only the material's texture */
    LM_IMAGES_FOUND,    /* only paths, of images that can be read: see lm_asset.textures */
    LM_IMAGES_NONE      /* none: models have no textures */
} lm_image_mode;

/* The use of images' alpha in materials. */
typedef enum lm_alpha_use {
    /* As in the shader script. Without a script, MD3 and MDC surfaces are opaque. Other surfaces
     * depend on their image: masked if alpha is only 0 or 255, blended if there are values
     * between. */
    LM_ALPHA_USE_AUTO,
    LM_ALPHA_USE_OPAQUE, /* opaque, for all materials; replaces the scripts' stages */
    LM_ALPHA_USE_MASK,   /* the same: drawn if alpha is at least one half */
    LM_ALPHA_USE_BLEND   /* the same: blended with the background */
} lm_alpha_use;

/* A file that the caller has in memory. */
typedef struct lm_given_file {
    const char *path;     /* as lm_asset.path or lm_asset.clips_path */
    const void *data;     /* [size] bytes */
    size_t size;          /* bytes */
    uint64_t reserved[4]; /* zeros: room for later members */
} lm_given_file;

/* Options for opening. Zeros are the defaults. */
typedef struct lm_assets_options {
    lm_load_options load; /* for every model */
    size_t max_input;     /* bytes of a model's file; 0: as for lm_vfs_read */

    /* The clips file of the first part and of a player's legs and torso. "none": only the models'
     * own clips. "quake2": the standard table (LM_CLIPS_QUAKE2) for the first part and for parts
     * that follow it. NULL: a file in the folder of each model: MODEL.md2.framegroups,
     * MODEL.framegroups, MODEL.anm or animation.cfg; animation.cfg also in the matching folder of
     * the games. */
    const char *clips;
    /* Files that the caller has in memory, which are not read at their paths: models and clips
     * files. A file MODEL.md2.framegroups applies even if there is none at its path. Their bytes
     * must live as long as the assets. */
    uint32_t num_files;
    const lm_given_file *files;

    uint32_t num_attachments;
    const lm_attachment *attachments; /* in the order of attaching */
    /* Also opens related models: for a part of a player, the complete player; for the hand of a
     * weapon or its v_NAME, the complete weapon; for tris.md2, its weapon.md2; for an MD3 or MDC
     * with tag_head or tag_weapon, the head or weapon in its folder. If that fails, the model is
     * opened alone. */
    bool related;

    /* The search path: folders and archives with textures, shader scripts, .skin files and
     * animation.cfg, searched in this order. In a folder, its files come first, then its archives
     * in reverse order of their names. If there are none, the game's folder is derived from the
     * model's path: the folder that contains the path's last models/, players/ or models/players/.
     * A relative path without these is made absolute first. */
    uint32_t num_games;
    const char *const *games;

    /* Requested skins, which replace those that the models name. Each is one of:
     *     IMAGE          a texture for the first part, if one texture covers all of it
     *     SURFACE=IMAGE  a texture for one surface
     *     FILE.skin      a .skin file
     *     NAME           each model's .skin file: MODEL_NAME.skin, else MODEL.md3_NAME.skin; or
     *                    an image in the first part's folder, if one texture covers all of it
     *     none           as the last one: models have no textures
     *
     * Several IMAGEs are several skins. Two NAMEs are an error. Of several FILE.skin, the first
     * that lists a surface applies to it.
     *
     * For a NAME, .skin files are searched in the model's folder and in the matching folder of the
     * games. If the model is in one of the games, the order of `games` applies, as in the engines;
     * otherwise its own folder comes first. If there is no NAME, or no such file, the names
     * "default", "0" (used by a port), "red" and "blue" are tried. Distant versions of a model,
     * such as MODEL_1 and MODEL_2, also use the .skin files of MODEL.
     *
     * Without a .skin file, md2.cfg or md3.cfg of Cube in the model's folder, or MODELDEF of GZDoom
     * in a game's root, names the textures; MODELDEF may also have the clips.
     *
     * If none of the named images exists, a model uses an image in its folder: one named "skin" (or
     * in the folder above), else one with the model's name. An MD2 also uses one that has exactly
     * the size of its skin, if something else shows that it is the model's: it has the name of its
     * folder, or an icon (X_i.pcx for X.pcx); or it is next to a tris.md2; or nothing else fits and
     * no other model is there. If some have an icon, only they count. Names that begin with
     * preview, icon or map come last. The other images become further skins, except of one named
     * "skin". Weapons only use an image of their own name, or "weapon". No image is used if the
     * names begin with a dot, because they lead to that folder already. */
    uint32_t num_skins;
    const char *const *skins;
    /* The number of the first part's skin in its model's list, from 1. 0: the first skin whose
     * image exists, as with a number that the list does not have, which is reported. */
    uint32_t listed_skin;
    const char *palette;  /* a palette file for indexed images; may be NULL */
    bool transparent_255; /* index 255 of a PCX is transparent */
    lm_alpha_use alpha;   /* of all materials */
    lm_image_mode images; /* the form in which images are loaded */
    uint64_t max_pixels;  /* larger images are rejected with a diagnostic; 0: the default of
                             lm_image_options. With LM_IMAGES_PIXELS, all image files together
                             may have LM_MAX_IMAGE_PIXELS, plus LM_IMAGE_PIXELS_PER_BYTE per byte */
    /* If LM_ENGINE_UFOAI is named, a .tag or .mdx file that does not fit the first part (the latter
     * with LM_NORMALS_AUTO), and a skin of it without an image that the engine reads, are errors
     * among the diagnostics; with LM_ENGINE_QUAKE2, a skin whose name or image is no .pcx. Other
     * engines demand nothing of these files. */
    lm_engine engine;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_assets_options;

/* Reads the files that options name (clips, games, palette, .skin files) before anything is opened.
 * They stay in the cache, so each is read once for any number of models, even standard input. On
 * failure, the code is LM_CODE_BAD_OPTION, and the message begins with the option and its value
 * ("clips a.cfg: cannot open: No such file or directory"). If the options have unknown values, a
 * `reserved` other than 0, or NULL for an array or one of its names or paths, the code is
 * LM_CODE_BAD_ARGUMENT, and the message names the member. lm_assets_open does the same; call this
 * to detect errors early. */
LM_ASSETS_API bool lm_assets_read_options(lm_vfs *vfs, const lm_assets_options *options,
                                          lm_error *error);

/* ---- Opening ------------------------------------------------------------------------------- */

/* Opening reports problems as diagnostics (lm_diagnostic). The subject of each is a file, or the
 * opened path (never NULL). Its text repeats neither the subject nor the code. The section of its
 * location is one of these. */
#define LM_SUBJECT_MODEL "model"     /* a model, or its attachment */
#define LM_SUBJECT_CLIPS "clips"     /* a clips file */
#define LM_SUBJECT_TEXTURE "texture" /* an image, skin or shader, or the search path */

/* The severity is LM_SEVERITY_ERROR if opening failed, if a folder or archive of the search path
 * cannot be read, if a requested skin applies to no surface or is no image, or if the engine of the
 * options rejects a file. It is LM_SEVERITY_WARNING if a part of the model cannot be shown as
 * intended, and LM_SEVERITY_NOTE if a file was not found. With LM_CODE_BAD_OPTION and
 * LM_CODE_NO_SUCH_SURFACE, the text begins with the option and its value: "skin gold.skin: the file
 * lists none of the model's surfaces". */

/* The origin of a texture's name. */
typedef enum lm_texture_source {
    LM_TEXTURE_OF_MODEL,     /* the model */
    LM_TEXTURE_OF_FILE_NAME, /* the model names none: an image with the name of the model's file */
    LM_TEXTURE_OF_SKIN_FILE, /* a .skin file, md2.cfg, md3.cfg or MODELDEF */
    LM_TEXTURE_OF_OPTION,    /* lm_assets_options.skins */
    LM_TEXTURE_EMBEDDED,     /* the pixels are in the model's file; `path` is that of the model */
    LM_TEXTURE_GUESSED       /* no named image exists: another one in the model's folder */
} lm_texture_source;

/* The match between a texture's name and an image. */
typedef enum lm_texture_match {
    LM_MATCH_NONE,   /* no image was found */
    LM_MATCH_NAME,   /* the image has this name, with any extension */
    LM_MATCH_SCRIPT, /* a shader script defines the name */
    /* The image is in the model's folder, although the name has another folder; or it has the name
     * itself, because the images of the name's shader do not exist. */
    LM_MATCH_FALLBACK,
    /* The surface is not drawn: a .skin file hides it by a name that does not exist. Its shader is
     * hidden, and in no script. */
    LM_MATCH_NOT_DRAWN
} lm_texture_match;

/* A texture name of a part; each name is listed once. */
typedef struct lm_asset_texture {
    const char *name; /* as the model, the .skin file or the option spells it; never empty */
    lm_texture_source source; /* origin of the name */
    lm_texture_match match;   /* how the name led to `path` */
    /* The script's definition of the name, with its path and line; NULL if there is none. Images
     * that it uses and that were read are among the scene's textures. */
    const lm_shader *shader;
    /* The image's path, for lm_vfs_read or as an option gives it. If a script has several images,
     * that of the stage `base`. NULL: not found, or the script uses none. */
    const char *path;
    bool unsafe;        /* the name leads outside the search path (LM_CODE_UNSAFE_PATH) */
    uint32_t num_tried; /* the number of paths that were tried */
    uint32_t image;     /* index into scene->textures; LM_NO_TEXTURE: not found or not read */
    /* [LM_NUM_MAPS] paths of the image's maps, in the same folder; NULL: no such map. Its name
     * shows that an image is a map: NAME_nm (normal), NAME_gm (emissive), NAME_sm (specular) and
     * NAME_rm (roughness) of NAME. A map is no skin. NULL: none. */
    const char *const *maps;
} lm_asset_texture;

/* The file of a part of the scene. */
typedef struct lm_asset {
    const char *path;         /* for lm_vfs_read */
    const uint8_t *data;      /* [size] the bytes of the file */
    size_t size;              /* bytes */
    const lm_model *model;    /* loaded from `data` */
    const lm_clips *clips;    /* from a clips file; NULL: the model's own */
    const char *clips_path;   /* of the clips file; may be NULL */
    const char *tags_path;    /* of the model's tags, if a .tag file has them; else NULL */
    const char *normals_path; /* of the .mdx file whose smoothing the normals have; else NULL */
    const char *skin_path;    /* of the part's .skin file or what replaces it; NULL: none, or an
                                 option's */
    uint32_t num_textures;
    const lm_asset_texture *textures; /* of its surfaces, each name once */
} lm_asset;

/* The opened assets. All members are constant, and freed by lm_assets_free. */
typedef struct lm_assets {
    /* Parts with clips and skins, textures with pixels. NULL if opening failed: see the last
     * diagnostic. */
    const lm_scene *scene;
    const lm_asset *assets; /* [scene->num_parts] */
    const char *game;       /* the game's folder, if it was derived from the path; else NULL */
    uint32_t num_diagnostics;
    const lm_diagnostic *diagnostics; /* in order of occurrence */
} lm_assets;

/* Opens a model, folder, archive or player folder. Optional files never make it fail: if a texture
 * is missing, damaged or unsafe, a diagnostic reports it and the surface has no texture. The same
 * applies to a damaged clips file in a model's folder. If a file that the caller names is missing,
 * opening fails: `error` has the reason with its byte, and the result has diagnostics, of which the
 * last has severity LM_SEVERITY_ERROR, but no scene. Returns NULL only if there is no memory for
 * the result itself, or an argument is NULL.
 *
 * A model of a format without tags is completed by the files of UFO: Alien Invasion in its folder
 * (docs/reference/formats/ufoai.md): MODEL.tag has its tags. With LM_NORMALS_AUTO, MODEL.mdx has
 * its smoothing: normals are computed as in the engine, and vertices with several normals are
 * split. Distant versions, MODEL-lod01 and so on, have the skins, clips and tags of MODEL. A file
 * that is damaged, or does not fit the model, is left out with a warning. */
LM_ASSETS_API lm_assets *lm_assets_open(lm_vfs *vfs, const char *path,
                                        const lm_assets_options *options, lm_error *error);
/* Frees the assets with everything that they contain. Models and images are then gone, too. */
LM_ASSETS_API void lm_assets_free(lm_assets *assets);

/* Converts all images other than PNG and JPEG to PNG, so that the scene can be exported
 * (lm_gltf_write). Gives each image a file name, STEM_IMAGE.png, for a .gltf in the same
 * folder (`stem` NULL: no names). If the stem is "", images with equal bytes and names share a file
 * for all models of the folder: IMAGE_CHECKSUM.png. Do not call it while other threads read
 * `assets`. */
LM_ASSETS_API bool lm_assets_make_portable(lm_assets *assets, const char *stem, lm_error *error);

/* ---- Skins --------------------------------------------------------------------------------- */

/* A skin that can be assigned to the first part. */
typedef struct lm_skin_choice {
    const char *name;   /* unique, for display: "grunt" for players/male/grunt.pcx, "blue" for
                           lower_blue.skin */
    const char *option; /* for lm_assets_options.skins; NULL: the model's own skin number `skin` */
    uint32_t skin;      /* index into the first part's skins, if it has that many */
} lm_skin_choice;

/* The skins for the first part, and the one in use. */
typedef struct lm_skin_choices {
    uint32_t num_choices;
    const lm_skin_choice *choices; /* in the order of display */
    uint32_t current;              /* index of the skin in use; num_choices: none */
} lm_skin_choices;

/* Lists the skins for the first part: those that its model lists; its .skin files, also those in
 * the games; and, if one texture covers all of it, the images in its folder except icons. If
 * several skins have one name, only the first is listed. If the model lists none, and no .skin file
 * or image is its default, "Default" comes first. Fails if there is no scene (LM_CODE_BAD_ARGUMENT)
 * or memory runs out. */
LM_ASSETS_API lm_skin_choices *lm_assets_list_skins(const lm_assets *assets, lm_error *error);
/* Frees a list of skins. */
LM_ASSETS_API void lm_skin_choices_free(lm_skin_choices *choices);

/* ---- Listing models and files -------------------------------------------------------------- */

/* A path of a list. */
typedef struct lm_listed_path {
    const char *path;        /* for lm_vfs_read or lm_assets_open */
    const char *tree;        /* the end of `path`, below the listed folder or archive; else NULL */
    const lm_error *problem; /* the reason if `path` cannot be read; else NULL */
    /* In listed folders and archives: for the body of a player (see lm_vfs_find_player), the
     * player's folder, which opens as the complete player; for the hand of a weapon, FOLDER/v_NAME,
     * which opens as the complete weapon; else NULL. */
    const char *player;
    bool of_player; /* another file of such a player: another part, a distant version (head_1.md3),
                       or a model below the folder of a body with bones, which wears it */
    bool skipped;   /* the problem is a warning: the path is a link to a folder, or a member of an
                       archive that another one of the same name hides, as in the games */
} lm_listed_path;

/* Paths in byte order; those with problems come first. */
typedef struct lm_path_list {
    uint32_t num_paths;
    const lm_listed_path *paths; /* [num_paths] */
} lm_path_list;

/* The most models that the compositions of a script in a list show together. */
#define LM_MAX_COMPOSED 4096

/* The kind of paths in a list. */
typedef enum lm_list_kind {
    LM_LIST_MODELS, /* if an archive has no models: the compositions of its scripts (UFO: Alien
                       Invasion); of a script, its compositions */
    LM_LIST_FILES   /* files of any kind, without the information about players */
} lm_list_kind;

/* Lists the models or files below a folder or in an archive, or those that match a pattern after an
 * archive's path ("pak0.pk3:*.md3"). In folders, names that begin with a dot are left out, and
 * links to folders are not followed. For any other path, the list consists of that path. Everything
 * else that is left out is a path with a problem: what cannot be read, links that lead nowhere, and
 * the compositions of a script that show more than LM_MAX_COMPOSED models together. The list
 * is never empty: if nothing is found, it has one path with a problem. Fails if memory runs out, or
 * for an unknown kind (LM_CODE_BAD_ARGUMENT). */
LM_ASSETS_API lm_path_list *lm_vfs_list(lm_vfs *vfs, const char *path, lm_list_kind kind,
                                        lm_error *error);
/* Frees a list of paths. */
LM_ASSETS_API void lm_path_list_free(lm_path_list *list);

/* ---- Skin files ---------------------------------------------------------------------------- */

/* .skin files name the texture of each surface of an MD3 or MDC.
 *
 *     #include <lerpmesh/assets.h>
 *     #include <stdio.h>
 *
 *     // Prints the texture that a .skin file gives each surface of a model.
 *     void print_skin(const lm_model *model, const void *data, size_t size) {
 *         lm_skin_file *skin = lm_skin_file_read(data, size, NULL, NULL);
 *         for (uint32_t s = 0; skin && s < model->num_surfaces; s++) {
 *             const char *path = lm_skin_file_find(skin, model->surfaces[s].name);
 *             printf("%s: %s\n", model->surfaces[s].name, path ? path : "none");
 *         }
 *         lm_skin_file_free(skin);
 *     }
 *
 * A line is `surface,path`. The path replaces the shader that the model gives the surface. Lines of
 * tags (`tag_head,`) have no path. */

/* A line of a .skin file: a surface and its texture. */
typedef struct lm_skin_entry {
    const char *surface; /* in lower case; never empty */
    const char *path;    /* as in the file; never empty */
    uint32_t line;       /* from 1 */
} lm_skin_entry;

/* A .skin file. All members are constant, and freed by lm_skin_file_free. */
typedef struct lm_skin_file {
    uint32_t num_entries;
    const lm_skin_entry *entries;           /* in the order of the file */
    const lm_skin_entry *const *by_surface; /* sorted by surface, then by line */
    uint32_t num_tags;
    const char *const *tags; /* names of the lines that begin with tag_, in lower case */
    uint32_t num_warnings;
    const lm_diagnostic *warnings; /* lines that were skipped */
} lm_skin_file;

/* Reads a .skin file. Accepts `//` and slash-star comments, quotes around each part, blank lines,
 * spaces around the parts, and all kinds of line ends. Other lines are skipped and counted
 * (LM_CODE_SKIN_LINE). Fails only if memory runs out, or the allocator of `memory`
 * lacks functions. `data` may be freed afterwards. Safe on any
 * bytes. Takes linear time. */
LM_ASSETS_API lm_skin_file *lm_skin_file_read(const void *data, size_t size,
                                              const lm_memory *memory, lm_error *error);
/* Frees a .skin file. */
LM_ASSETS_API void lm_skin_file_free(lm_skin_file *skin);

/* Appends a .skin file: the surfaces with their paths, then the tags. Names with spaces or commas
 * are quoted. Reads the text back, and fails with LM_CODE_NOT_HELD if a surface would get another
 * path. Fails with LM_CODE_BAD_ARGUMENT if an array, a name or a path is NULL. */
LM_ASSETS_API bool lm_skin_file_write(const lm_skin_entry *entries, uint32_t num_entries,
                                      const char *const *tags, uint32_t num_tags, lm_buffer *out,
                                      lm_error *error);

/* Returns the path of a surface, by the rule of the engine; NULL if there is none, and for NULL.
 * The engine converts the surface's name to lower case, removes a final '_' with the byte after it,
 * unless the name has no other bytes, and uses the first entry of that name. */
LM_ASSETS_API const char *lm_skin_file_find(const lm_skin_file *skin, const char *surface);

#ifdef __cplusplus
}
#endif
#endif
