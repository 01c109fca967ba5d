/* What `lerpmesh convert` was asked for. */
#ifndef TOOL_CONVERT_H
#define TOOL_CONVERT_H

#include "lerpmesh/compose.h"
#include "lerpmesh/encode.h"
#include "lerpmesh/export.h"
#include "lerpmesh/image.h"
#include "lerpmesh/import.h"
#include "open.h"
#include "output.h"

typedef enum convert_format {
    CONVERT_GLB,
    CONVERT_GLTF,
    CONVERT_OBJ,
    CONVERT_MODEL /* a format that is read, too */
} convert_format;

typedef struct convert_settings {
    const tool_args *args;
    tool_wishes wishes;
    tool_output output;
    convert_format format;
    const lm_format_info *model; /* of CONVERT_MODEL */
    char extension[16];          /* of what is written, with its dot */
    lm_encode_options encoding;
    lm_axes axes;
    float scale, fps;  /* 0: not given */
    uint32_t decimate; /* triangles, or percent of them; 0: not given */
    bool decimate_share;
    uint32_t lods;
    bool player;           /* --player */
    const char *skin_path; /* NULL: not given */
    bool has_frames;       /* --frames */
    uint32_t first_frame, last_frame;
    bool has_frame; /* --frame */
    double frame;
    bool quantize, unlit;
    uint64_t max_output;
    bool quiet, verbose;
} convert_settings;

/* On a mistake says so and returns false. Free in any case. */
bool convert_settings_read(const tool_args *args, convert_settings *settings);
void convert_settings_free(convert_settings *settings);

/* The part of it that says what is written, from -o and --format. */
bool convert_format_read(const tool_args *args, convert_settings *settings);

/* Whether pictures go into the file, as a model's skins. */
static inline bool convert_embeds(const convert_settings *settings) {
    return settings->format == CONVERT_MODEL &&
           (settings->model->abilities & LM_ABILITY_EMBEDDED_SKINS);
}

/* Whether files can go beside the model. */
static inline bool convert_has_beside(const convert_settings *settings) {
    return settings->format == CONVERT_MODEL && settings->output.kind != TOOL_TO_STDOUT;
}

/* What of a scene is written: its parts with the clips that are wanted. */
typedef struct convert_subject {
    lm_scene scene;      /* of an imported mesh one part without a model */
    const lm_take *mesh; /* NULL: the scene's models */
    lm_scene_part *parts;
    lm_clip *clips; /* of all parts, one after the other */
    char *names;    /* of those that are called like several */
    lm_export_options plan;
} convert_subject;

/* Fits the settings to a scene, which must live until convert_subject_free: checks the frames,
 * picks the clips of its parts. On a mistake the job fails with a sentence. Free in any case. */
bool convert_plan(tool_job *job, const convert_settings *settings, const lm_scene *scene,
                  uint32_t num_frames, convert_subject *subject);
void convert_subject_free(convert_subject *subject);
/* A file that goes beside the model. */
typedef struct convert_beside {
    char *name;
    bool picture;
    bool there; /* as it would be written, or with the same pixels: it may be what was read */
    lm_buffer path, data; /* path: NUL-terminated, filled in when all is made */
    struct convert_beside *next;
} convert_beside;

/* What becomes of a model. */
typedef struct convert_made {
    const char *stem; /* the name of its file without extension; NULL: standard output */
    const char *path; /* and its path */
    lm_buffer *out;
    lm_encode_report **report;
    const lm_asset *asset;  /* [the scene's parts] where they are from; NULL: imported */
    convert_beside *beside; /* in the order in which they were added */
} convert_made;

/* Adds a file called STEM and SUFFIX. NULL, and the job failed, without memory. */
convert_beside *convert_beside_add(tool_job *job, convert_made *made, const char *stem,
                                   const char *suffix);
void convert_beside_free(convert_beside *list);
/* Leaves a picture as it is whose pixels are there already; false, and the job failed, if another
 * would take the place of one that the model was made with. Its path is filled in. */
bool convert_beside_settle(tool_job *job, const lm_assets *assets, convert_beside *beside);

/* --decimate and --lods. */
#define CONVERT_MOST_LODS 2
bool convert_lods_read(const tool_args *args, convert_settings *settings);

/* --player: animation.cfg and MODEL_default.skin. */
bool convert_player_read(const tool_args *args, convert_settings *settings);
bool convert_player_make(tool_job *job, const convert_settings *settings, const lm_scene *scene,
                         const lm_take *take, convert_made *made);

/* Appends a take, made as simple as was asked for, and what stands for it from afar. */
bool convert_write_take(tool_job *job, const convert_settings *settings, const lm_take *take,
                        convert_made *made);

/* An imported mesh with its images. */
typedef struct convert_imported {
    lm_import *import;
    lm_take *joined; /* of several files */
    const lm_take *mesh;
    lm_image **images; /* [import->num_pictures] */
    lm_scene_texture *textures;
    lm_scene_skin *skins;
    lm_scene_material *materials;
} convert_imported;

/* An input with what of it is written. */
typedef struct convert_opened {
    lm_file file; /* where it is one and could be read */
    lm_assets *assets;
    convert_imported imported; /* instead of those */
    convert_subject subject;
} convert_opened;

/* Appends what was opened as a model in another format, and adds what goes beside it. On a mistake
 * the job fails with a sentence. */
bool convert_encode(tool_job *job, const convert_settings *settings, const convert_opened *opened,
                    convert_made *made);

/* Opens the job's input, whatever it is, and fits the settings to it; false, and the job failed.
 * Close in any case; start from {0}. */
bool convert_open(tool_job *job, const convert_settings *settings, convert_opened *opened);
void convert_close(convert_opened *opened);

/* The frames of it that are written, as one mesh; NULL, and the job failed. It points into what was
 * opened. */
lm_composition *convert_compose(tool_job *job, const convert_settings *settings,
                                const convert_opened *opened);

/* Gives it the images that its surfaces show, as the format has them. `path` is of its file, NULL
 * for standard output. False, and the job failed. */
bool convert_dress(tool_job *job, const convert_settings *settings, const convert_opened *opened,
                   const char *path, lm_composition *made);

/* --grid-with: what else has the same grid. */
typedef struct convert_fellow {
    convert_opened opened;
    lm_composition *made;
} convert_fellow;

typedef struct convert_grid {
    uint32_t count;
    convert_fellow *fellows;
    const lm_take **meshes;
} convert_grid;

bool convert_grid_read(const tool_args *args, const convert_settings *settings);
/* Those of the files that are not the input itself, which has so many frames. False, and the job
 * failed, with a sentence. Close in any case. */
bool convert_grid_open(tool_job *job, const convert_settings *settings, uint32_t num_frames,
                       convert_grid *grid);
void convert_grid_close(convert_grid *grid);

/* Whether a file is one that is imported: by its bytes, or, where it has others than a model, by
 * its name. */
bool convert_is_import(const tool_job *job, const lm_file *file);
void convert_import_free(lm_import *import);

/* One file as a mesh, with the images of its surfaces or without; what is odd about it is told.
 * NULL, and the job failed. */
lm_import *convert_read_import(tool_job *job, const convert_settings *settings, const lm_file *file,
                               bool pictures);
/* Opens a mesh that is no model's, and fits the settings to it. On a mistake the job fails with a
 * sentence. Free in any case. */
bool convert_import(tool_job *job, const convert_settings *settings, const lm_file *file,
                    convert_opened *opened);
/* Whether the job is a pattern of numbered files: walk_{frame}.obj. */
bool convert_is_sequence(const tool_job *job);
bool convert_sequence(tool_job *job, const convert_settings *settings, convert_opened *opened);
/* Fits the settings to the mesh that was imported, and reads its images. */
bool convert_plan_import(tool_job *job, const convert_settings *settings, convert_opened *opened);
void convert_imported_free(convert_imported *m);

#endif
