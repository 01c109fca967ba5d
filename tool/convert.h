/* The settings of `lerpmesh convert`, and the conversion of one input. */
#ifndef TOOL_CONVERT_H
#define TOOL_CONVERT_H

#include "lerpmesh/compose.h"
#include "lerpmesh/export.h"
#include "lerpmesh/image.h"
#include "lerpmesh/import.h"
#include "lerpmesh/skeleton.h"
#include "open.h"
#include "output.h"

typedef enum convert_format {
    CONVERT_GLB,
    CONVERT_GLTF,
    CONVERT_OBJ,
    CONVERT_MODEL /* one of the formats that are also read */
} convert_format;

/* Vertex-animation textures next to a .glb. */
typedef enum convert_vat {
    CONVERT_NO_VAT,
    CONVERT_VAT_PNG,
    CONVERT_VAT_EXR
} convert_vat;

#define CONVERT_IMPORT_TIME 60 /* seconds, if not given */

typedef struct convert_settings {
    const tool_args *args;
    lm_assets_options options;
    tool_output output;
    convert_format format;
    const lm_format_info *model; /* for CONVERT_MODEL */
    convert_vat vat;             /* --vat */
    bool vnrm;                   /* --vnrm */
    const char *extension;       /* of the output, with its dot */
    lm_encode_options encoding;
    lm_axes axes;
    float scale, fps;  /* 0: not given */
    uint32_t decimate; /* triangles, or a percentage of them; 0: not given */
    bool decimate_share;
    uint32_t lods;
    lm_player_kind player;       /* --player */
    const char *player_name;     /* for LM_PLAYER_QUAKE3: also that of its folder in the game */
    bool packs;                  /* the player goes into an archive */
    const char *skin_path;       /* NULL: not given */
    const lm_palette *palette;   /* of PCX images to write; NULL: PNG or TGA */
    const char *program, *about; /* --for: its name, and its settings in words; NULL: not given */
    bool quantize, compress;
    bool skeleton;                /* --skeleton */
    uint32_t max_bones;           /* of it; 0: not given */
    uint32_t max_correctives;     /* --correctives; 0: not given */
    const lm_gltf_packer *packer; /* of --compress; NULL: not loaded */
    const char *loop_suffix;      /* of looping animations; NULL: none */
    bool has_frames;              /* --frames */
    uint32_t first_frame, last_frame;
    bool has_frame; /* --frame */
    double frame;
    uint64_t max_output;
    size_t import_memory; /* 0: not given */
    unsigned import_time; /* seconds */
} convert_settings;

/* Reads all options. Reports mistakes and returns false. */
bool convert_settings_read(const tool_args *args, convert_settings *settings);

/* Reads the output format from -o and --format. */
bool convert_format_read(const tool_args *args, convert_settings *settings);
/* Read --decimate and --lods; --player; --shared-grid. */
#define CONVERT_MAX_LODS 2
bool convert_lods_read(const tool_args *args, convert_settings *settings);
bool convert_player_read(const tool_args *args, convert_settings *settings);
/* Finds out from -o whether --player makes a model or a whole player. */
bool convert_player_find(const tool_args *args, convert_settings *settings);
/* Reads --for, --quantize and --compress, and replaces the settings that --for decides. */
bool convert_program_read(const tool_args *args, convert_settings *settings);
/* Prints one line about the settings of --for. */
void convert_program_explain(const convert_settings *settings);
bool convert_grid_read(const tool_args *args, const convert_settings *settings);
/* Reads --skeleton and --correctives. */
bool convert_skeleton_read(const tool_args *args, convert_settings *settings);
/* Reads --vat and --vnrm. */
bool convert_vat_read(const tool_args *args, convert_settings *settings);

/* Returns whether images are embedded in the file, as a model's skins. */
static inline bool convert_embeds(const convert_settings *settings) {
    return settings->format == CONVERT_MODEL &&
           (settings->model->features & LM_FEATURE_EMBEDDED_SKINS);
}

/* Returns whether the model can have sidecar files. */
static inline bool convert_has_sidecar(const convert_settings *settings) {
    return settings->format == CONVERT_MODEL && settings->output.kind != TOOL_TO_STDOUT;
}

/* A sidecar file of the output. */
typedef struct convert_sidecar {
    const char *name;
    bool image; /* an image of a model */
    bool kept;  /* an existing file of other content stays, unless --force is given */
    lm_buffer data;
    /* The path is NULL until everything is made. It stays NULL for an image whose file already
     * exists with the same pixels; that file may be an input. */
    lm_file_output file;
    struct convert_sidecar *next;
} convert_sidecar;

/* An imported mesh with its images. */
typedef struct convert_imported {
    lm_import *import;
    lm_mesh *joined;     /* of several files */
    lm_clips *clips;     /* of --clips; NULL: the mesh's */
    const lm_mesh *mesh; /* NULL: a scene was opened */
    lm_image **images;   /* [import->num_images] */
    lm_scene_texture *textures;
    lm_material_set *skins;
    lm_scene_material *materials;
} convert_imported;

/* The conversion of one input. Start with the first two fields and zeros; close it in any case.
 * Functions that return false or NULL have failed the job and reported the reason. */
typedef struct conversion {
    tool_job *job;
    const convert_settings *settings;
    lm_file file; /* if the input is a file and could be read */
    lm_assets *assets;
    convert_imported imported; /* used instead of `file` and `assets` */
    /* The part of the input to write: the parts with the requested clips. An imported mesh is one
     * part without a model. */
    lm_scene scene;
    lm_scene_part *parts;
    lm_export_options plan;
    /* The output. The paths are NULL for standard output. */
    const char *path, *companion; /* the latter for a .bin or .mtl */
    const char *stem;             /* the file name without extension; NULL: none */
    lm_buffer out, bin;
    convert_sidecar *sidecars; /* in the order of addition */
    lm_gltf_result result;
    lm_vat_result vat;
    lm_encode_report *report; /* for a model */
} conversion;

/* Opens the job's input of any kind, and applies the settings to it. */
bool convert_open(conversion *c);
void convert_close(conversion *c);

/* Applies the settings to a scene: checks the frames and selects the clips of its parts. */
bool convert_plan(conversion *c, const lm_scene *scene, uint32_t num_frames);

/* Returns the frames to write as one mesh, which points into the input. */
lm_composition *convert_compose(conversion *c);

/* Finds a skeleton for each part, and reports it; NULL for those that have no good one. Free them
 * in any case. */
bool convert_find_skeletons(conversion *c, lm_skeleton ***found);
void convert_free_skeletons(const conversion *c, lm_skeleton **skeletons);

/* Appends the static mesh, and adds its textures and remap_info.json. */
bool convert_write_vat(conversion *c);
/* Appends the counts and the error of the textures. */
void convert_describe_vat(const conversion *c, lm_buffer *text);

/* Appends the input as a model in another format, and adds its sidecar files. */
bool convert_encode(conversion *c);
/* A model to write: its file's name without extension, and where its bytes and report go. */
typedef struct convert_target {
    const char *stem;
    lm_buffer *out;
    lm_encode_report **report;
} convert_target;

/* Appends a mesh, simplified as requested, and adds its levels of detail. */
bool convert_write_mesh(conversion *c, const lm_encode_options *encoding, const lm_mesh *mesh,
                        const convert_target *target);
/* Adds animation.cfg and MODEL_default.skin. */
bool convert_player_make(conversion *c, const lm_mesh *mesh);
/* Writes the models of a whole player, its animation.cfg and its skins. */
bool convert_player_models(conversion *c, const lm_composition *composition);
/* Returns the folder of the player's files in the game, without '/' at its end. */
const char *convert_player_folder(conversion *c);
/* Replaces the model by an archive of all files. */
bool convert_player_pack(conversion *c);
/* Prints a model's counts and errors, and then its problems. `file`: the model among several, or
 * "". */
void convert_report_model(tool_job *job, const char *subject, const char *file,
                          const lm_encode_report *report);

/* Adds a file named STEM and SUFFIX. */
convert_sidecar *convert_sidecar_add(conversion *c, const char *stem, const char *suffix);
/* Sets the file's path, unless it is an image whose pixels the existing file already has. Fails if
 * the file would replace an image that the model was made from. */
bool convert_sidecar_set_path(conversion *c, convert_sidecar *sidecar);

/* --shared-grid: a mesh that shares the quantisation grid. */
typedef struct convert_shared {
    tool_job job;
    conversion opened;
    lm_composition *composition;
} convert_shared;

typedef struct convert_grid {
    convert_settings settings;
    uint32_t count;
    convert_shared *others;
    const lm_mesh **meshes;
} convert_grid;

/* Opens the --shared-grid files except the input itself, which has `num_frames` frames. Close it in
 * any case. */
bool convert_grid_open(const conversion *c, uint32_t num_frames, convert_grid *grid);
void convert_grid_close(convert_grid *grid);

/* Returns whether a file is imported: by its bytes, or by its name if they are not a model's. */
bool convert_is_import(tool_job *job, const lm_file *file);
/* Reads one file as a mesh, with or without the images of its surfaces. Reports its warnings. */
lm_import *convert_read_import(tool_job *job, const convert_settings *settings, const lm_file *file,
                               bool images);
void convert_import_free(lm_import *import);
/* The same through Assimp, in a process of its own; the results live as long as the job. `options`
 * has everything but the memory. */
lm_import *convert_read_assimp(tool_job *job, const convert_settings *settings, const lm_file *file,
                               const lm_import_options *options);
bool convert_assimp_reads(tool_job *job);
/* Returns whether the job is a pattern of numbered files: walk_{frame}.obj. */
bool convert_is_sequence(const tool_job *job);
/* Reads numbered files as one mesh; `first` is the import of the first file. */
lm_mesh *convert_sequence(conversion *c, lm_import **first);
/* Imports a mesh from one file or a sequence, and applies the settings to it. */
bool convert_import(conversion *c);
void convert_imported_free(convert_imported *m);

#endif
