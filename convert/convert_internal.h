/* The state of one conversion, and the functions of its steps. Functions that return false or NULL
 * have failed it and reported the reason. */
#ifndef LM_CONVERT_INTERNAL_H
#define LM_CONVERT_INTERNAL_H

#include "convert_options.h"

#include "clips/clip_names.h"
#include "core/arena.h"
#include "core/report.h"
#include "core/text.h"
#include "files/file.h"
#include "scene/check.h"
#include "scene/join.h"
#include "vfs_path.h"

#ifndef LM_CONVERT_HAVE_IMPORT
#define lm_import_free(import) ((void)(import)) /* there are none */
#endif

/* Marks the name of an option in a sentence: OPTION "clip" becomes "--clip" in the command. */
#define OPTION "\1"

/* What an output format is. */
typedef struct convert_kind {
    const lm_format_info *model; /* NULL: glTF or OBJ; of IQM, whose materials it shares: MD3 */
    bool obj, apart, iqm;        /* OBJ; glTF with its data in a .bin; IQM */
    bool embeds;                 /* skins in the model */
    bool lacks_clips;            /* games read the clips of this model from animation.cfg */
    const char *extension;       /* without a dot */
} convert_kind;

/* Returns whether there is a format of this name. */
bool lmi_cv_kind(const char *format, convert_kind *kind);
/* Returns whether the extension of a path (NULL: none) is that of the format, or of none. */
bool lmi_cv_fits(lm_vfs *vfs, const convert_kind *to, const char *path);

/* Settings with what they keep. */
typedef struct lm_convert_given {
    lm_convert_settings settings; /* first: the caller has its address */
    lm_vfs *vfs;
    bool given[LM_NUM_OPTIONS];
} lm_convert_given;

static inline lm_vfs *lmi_cv_vfs(const lm_convert_settings *settings) {
    return ((const lm_convert_given *)settings)->vfs;
}

/* Returns whether frames are added between those of the source. `model` NULL: glTF or OBJ. */
static inline bool lmi_cv_resamples(const lm_convert_options *options,
                                    const lm_format_info *model) {
    return options->fps > 0 && (model || options->vat);
}

/* Returns whether a model has one skin for all surfaces. */
static inline bool lmi_cv_has_one_skin(const lm_format_info *format) {
    return (format->features & LM_FEATURE_SURFACES) == 0;
}

/* An imported mesh with its images. */
typedef struct convert_imported {
    lm_import *import;
    lm_clips *clips;                    /* of the option; NULL: the mesh's */
    const lm_mesh *mesh;                /* NULL: a scene was opened */
    bool sampled;                       /* it has the rate of the options */
    bool named;                         /* its materials name the images, as an IQM's */
    const struct lm_settings *settings; /* the options' skins and games */
    uint32_t num_images;
    lm_image **images; /* [num_images] of the import, then of the options */
    uint32_t *surface_images;
    lm_scene_texture *textures;
    lm_material_set *skins;
    lm_scene_material *materials;
} convert_imported;

typedef struct conversion {
    lm_conversion made; /* first: the caller has its address */
    lm_gltf_result gltf;
    lm_vat_result vat;
    lm_vfs *vfs;
    const lm_convert_source *given; /* NULL: only a path */
    const char *source;             /* its path */
    const char *subject;            /* of messages: the source, or one of its files */
    const lm_convert_options *options;
    const lm_convert_calls *calls;
    lm_arena *arena;
    lm_error *error;
    const lm_format_info *format; /* NULL: glTF or OBJ; as of convert_kind */
    bool obj, iqm;
    const lm_palette *palette; /* of PCX images to write; NULL: PNG or TGA */
    lm_encode_options encode;  /* of the options; writes the clips of a player apart */
    const char *extension;     /* of the output, with its dot */
    const char *stem;          /* the name of the output without extension; NULL: it has no files */
    lm_buffer file;            /* if the source is a file and could be read */
    bool is_player;            /* the source opens as one, or as a weapon: see vfs_path.h */
    const char *path_skin;     /* the player's skin that the source names; NULL: none */
    lm_assets *assets;
    bool borrows;              /* `assets` belongs to the caller */
    convert_imported imported; /* used instead of `file` and `assets` */
    lm_buffer inputs;          /* lm_path_identity of the files that an import read */
    struct lm_shared *shared;  /* memory of imports in other processes */
    /* The part of the source to write: the parts with the requested clips. An imported mesh is one
     * part of an empty model. */
    lm_scene scene;
    lm_scene_part *parts;
    lm_export_options plan;
    lm_buffer out;           /* the main file */
    const char *out_name;    /* if its folder spells it otherwise than its path; else NULL */
    lm_buffer buffer;        /* .bin or .mtl */
    const char *buffer_name; /* NULL: there is none */
    struct convert_side *sides;
    uint32_t num_sides;
    lm_encode_report *report;
    lm_error times_lost;     /* if the clips' file is not written; LM_CODE_OK: none */
    bool joined;             /* models have frames of clips that the options join */
    lm_skeleton **skeletons; /* [scene.num_parts] those that were found here; NULL: none */
    const char *refused; /* for IQM: why the only part has no skeleton; NULL: it was not asked */
    const lm_skeleton *skeleton; /* of the composition */
} conversion;

/* A file next to the output. */
typedef struct convert_side {
    lm_convert_file file;
    struct convert_side *next;
} convert_side;

#define CONVERT_TEXT_SIZE 8192 /* of a sentence with two paths */

/* ---- Messages (conversion.c) ---- */
/* Formats a sentence, with the client's prefix in place of OPTION. */
void lmi_cv_format(const char *prefix, char text[CONVERT_TEXT_SIZE], const char *sentence,
                   va_list arguments);
/* Fills an error about options, whose names get the prefix. Returns false. */
bool lmi_cv_option_fail(const char *prefix, lm_error *error, const char *sentence, ...)
    LM_PRINTF(3, 4);
/* Formats a sentence and reports it. A failure also becomes the error. Returns false. */
bool lmi_cv_say(conversion *c, lm_convert_kind kind, lm_code code, const char *sentence, ...)
    LM_PRINTF(4, 5);
#define lm_cv_fail_code(c, ...) lmi_cv_say(c, LM_CONVERT_KIND_FAILURE, __VA_ARGS__)
#define lm_cv_fail(c, ...) lm_cv_fail_code(c, LM_CODE_OK, __VA_ARGS__)
#define lm_cv_fail_memory(c) lm_cv_fail(c, "out of memory")
#define lm_cv_warn(c, ...) lmi_cv_say(c, LM_CONVERT_KIND_WARNING, LM_CODE_OK, __VA_ARGS__)
#define lm_cv_note(c, ...) lmi_cv_say(c, LM_CONVERT_KIND_NOTE, LM_CODE_OK, __VA_ARGS__)
bool lmi_cv_fail_error(conversion *c, const lm_error *error);
/* Reports a note of a composition. */
void lmi_cv_tell(conversion *c, const lm_diagnostic *note);
void lmi_cv_problem(conversion *c, lm_convert_kind kind, const char *mark,
                    const lm_diagnostic *problem);
void lmi_cv_model_done(conversion *c, const char *file, const lm_encode_report *report);
/* The shares of lm_convert_calls.progress at which the steps begin. */
#define LM_CV_OPEN 0.0
#define LM_CV_SKELETONS 0.2
#define LM_CV_COMPOSE 0.5
#define LM_CV_IMAGES 0.6
#define LM_CV_ENCODE 0.7
#define LM_CV_LODS 0.9
/* Reports a step that follows; returns false if the caller stops the conversion. */
bool lmi_cv_step(conversion *c, double share, const char *what);
/* Returns a buffer's text, and frees the buffer; NULL: memory ran out. */
const char *lmi_cv_take_text(conversion *c, lm_buffer *text);
/* Adds a file named STEM and SUFFIX. NULL: memory ran out. */
convert_side *lmi_cv_add(conversion *c, lm_convert_role role, const char *stem, const char *suffix);
/* Rejects options of opening that do not apply to imports, or to what the caller has opened. */
bool lmi_cv_check_open(conversion *c);
/* Returns how the images of the source are needed. */
lm_image_mode lmi_cv_images(const conversion *c);
/* Opens the source; frees everything that it opened. */
bool lmi_cv_open(conversion *c);
void lmi_cv_close(conversion *c);

/* ---- Steps ---- */

/* Applies the options to a scene: checks the frames and selects the clips of its parts. */
bool lmi_cv_plan(conversion *c, const lm_scene *scene, uint32_t num_frames);

/* Returns the memory that an import, or all numbered files together, may take. */
static inline uint64_t lmi_cv_import_memory(const conversion *c) {
    return c->options->import_memory > 0 ? c->options->import_memory : LM_MAX_IMPORT_BYTES;
}

/* Returns the frames to write as one mesh, which points into the source. */
lm_composition *lmi_cv_compose(conversion *c);
/* Finds a skeleton for each part of a glTF or IQM, and reports it: its own, or the one that the
 * options or IQM ask for. NULL for those that have no good one, and if no part may have one. */
bool lmi_cv_find_skeletons(conversion *c, const lm_skeleton *const **found);
/* Warns if a compressed glTF lacks the skeleton that the source has. */
void lmi_cv_warn_of_morphing(conversion *c);
/* Encodes the composed mesh as IQM, with the skeleton of the composition, or one that is found. */
bool lmi_cv_encode_iqm(conversion *c, const lm_mesh *mesh, lm_buffer *out,
                       lm_encode_report **report, lm_error *error);

/* Makes a static mesh, its textures and remap_info.json. */
bool lmi_cv_make_vat(conversion *c);
/* Makes a model with the files next to it. */
bool lmi_cv_make_model(conversion *c);
/* Encodes a mesh, simplified as requested, and adds its levels of detail. `stem`: of its file. */
bool lmi_cv_encode(conversion *c, const lm_encode_options *encode, const lm_mesh *mesh,
                   const char *stem, lm_buffer *out, lm_encode_report **report);
/* Returns whether the output names images of a player's .skin files, but has none itself. */
bool lmi_cv_names_skins(const conversion *c);
/* Returns whether the option skin chooses what the output shows. */
bool lmi_cv_takes_skin(const conversion *c);
/* Returns the mesh with the materials of the player's skin that the options or the source name, for
 * IQM also of its default skin; NULL: memory ran out. */
const lm_mesh *lmi_cv_player_skin(conversion *c, const lm_composition *composition);
/* Adds animation.cfg and MODEL_default.skin. */
bool lmi_cv_player_make(conversion *c, const lm_composition *composition);
/* Makes the models of a whole player, its animation.cfg and its skins. */
bool lmi_cv_player_models(conversion *c, const lm_composition *composition);
/* Returns the folder of a weapon in the game; NULL: memory ran out. */
const char *lmi_weapon_folder(conversion *c);
/* Makes the models of a weapon and its weapon.cfg. Those in the output's folder that do not change
 * keep their bytes. */
bool lmi_cv_weapon_models(conversion *c, const lm_composition *composition);
/* Replaces the output by an archive of all files. */
bool lmi_cv_player_pack(conversion *c);

/* Meshes that share the quantisation grid with the output. */
typedef struct convert_grid {
    uint32_t count;
    conversion *others;
    lm_composition **compositions;
    const lm_mesh **meshes;
} convert_grid;

/* Opens the models of shared_grids except the source itself, which has `num_frames` frames. Close
 * it in any case. */
bool lmi_cv_grid_open(conversion *c, uint32_t num_frames, convert_grid *grid);
void lmi_cv_grid_close(convert_grid *grid);

/* Returns whether the source is imported: by its bytes, or by its name if they are no model's. */
bool lmi_cv_is_import(conversion *c, const lm_buffer *file);
/* Imports one file, with or without the images of its surfaces. Reports its warnings. */
lm_import *lmi_cv_read_import(conversion *c, const lm_buffer *file, bool images);
/* Imports the source again, a weapon that lerpmesh exported, sampled at its keys. NULL: it is none,
 * or the conversion has clips of its own. */
lm_import *lmi_cv_import_keys(conversion *c);
/* The same through Assimp, in a process of its own; the results live as long as the conversion.
 * `options` has everything but the memory. */
lm_import *lmi_cv_read_assimp(conversion *c, const lm_buffer *file,
                              const lm_import_options *options);
bool lmi_cv_assimp_reads(conversion *c);
/* Returns whether the source is a pattern of numbered files: walk_{frame}.obj. */
bool lmi_cv_is_sequence(const conversion *c);
/* Reads numbered files as one mesh, which points into `first`, the import of the first file. */
const lm_mesh *lmi_cv_sequence(conversion *c, lm_import **first);
/* Returns a model with the frames, surfaces, tags and clips of a mesh, but without its vertices.
 * NULL: memory ran out. */
const lm_model *lmi_cv_host(conversion *c, const lm_mesh *mesh);
/* Imports a mesh from one file or a sequence, and applies the options to it. */
bool lmi_cv_import(conversion *c);
void lmi_cv_imported_free(convert_imported *m);

#endif
