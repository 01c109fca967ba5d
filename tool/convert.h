/* What `lerpmesh convert` was asked for. */
#ifndef TOOL_CONVERT_H
#define TOOL_CONVERT_H

#include "lerpmesh/encode.h"
#include "lerpmesh/export.h"
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

typedef struct convert_take convert_take;

/* What of a scene is written: its parts with the clips that are wanted. */
typedef struct convert_subject {
    lm_scene scene;
    const lm_take *take; /* an imported model, of which the scene has frames and clips; or NULL */
    lm_model outline;    /* of that */
    bool ours;           /* it is our own export: names are those of the model that it was */
    lm_scene_part imported;
    lm_scene_part *parts;
    lm_clip *clips; /* of all parts, one after the other */
    char *names;    /* of those that are called like several */
    lm_export_options plan;
} convert_subject;

/* Fits the settings to a scene, which must live until convert_subject_free: checks the frames,
 * picks the clips of its parts. On a mistake the job fails with a sentence. Free in any case. */
bool convert_plan(tool_job *job, const convert_settings *settings, const lm_scene *scene,
                  convert_subject *subject);
void convert_subject_free(convert_subject *subject);
/* Of which part surface `index` of the scene's take is, and which of its surfaces: they are one
 * part after the other, of several parts without those that have no triangles. False behind the
 * last. */
bool convert_find_surface(const lm_scene *scene, uint32_t index, uint32_t *part, uint32_t *own);

/* One picture of all that a model with several textures wears, and surfaces that lie on it. */
typedef struct convert_atlas {
    char *name; /* the path that the model has */
    lm_material material;
    lm_take_surface *surfaces;
    float *st;
    uint32_t *corners;
    uint8_t *pixels; /* NULL: none was made */
    lm_scene_texture picture;
} convert_atlas;

/* Skins that are made of pictures, for formats that have them as pixels. */
typedef struct convert_skins {
    uint32_t count;
    const char **names; /* of the scene's textures */
    uint8_t **pixels;
    lm_embedded_skin *embedded;
} convert_skins;

/* Gives a take that has no pixels those of what the scene's first part wears, as far as it was
 * found. False if the job failed. Free in any case, after the take was used. */
bool convert_skins_make(tool_job *job, const lm_scene *scene, const convert_atlas *atlas,
                        lm_take *take, convert_skins *skins);
void convert_skins_free(convert_skins *skins);

/* A file that goes beside the model. */
typedef struct convert_beside {
    char *name;
    bool picture;
    bool there; /* as it would be written, or with the same pixels: it may be what was read */
    lm_buffer path, data; /* path: NUL-terminated, filled in when all is made */
    struct convert_beside *next;
} convert_beside;

/* Pictures that are in the model's own file, and what it calls them then. */
typedef struct convert_pictures {
    char **names; /* [the scene's textures] */
    struct convert_name *memory;
} convert_pictures;
void *convert_names_alloc(convert_pictures *pictures, size_t size); /* cleared; NULL: no memory */

/* What becomes of a model. */
typedef struct convert_made {
    const char *stem;   /* the name of its file without extension; NULL: standard output */
    const char *called; /* and as games have names: what its pictures are called after */
    const char *folder; /* of its pictures in the game, with its '/'; "": none */
    lm_buffer *out;
    lm_encode_report **report;
    const lm_asset *asset;  /* [the scene's parts] where they are from; NULL: imported */
    convert_beside *beside; /* in the order in which they were added */
    bool pictured;          /* its pictures are among them */
} convert_made;

/* Writes the pictures that an import or an MDL has in its own file beside one that has them not,
 * and names them in the take. Free in any case, after the take was used. */
bool convert_pictures_make(tool_job *job, const convert_settings *settings,
                           const convert_subject *subject, lm_take *take, convert_made *made,
                           convert_pictures *pictures);
void convert_pictures_free(convert_pictures *pictures);
/* Gives the subject of an import the pictures that it wears. */
bool convert_dress_import(tool_job *job, convert_take *made, convert_subject *subject);

/* Adds a file called STEM and SUFFIX. NULL, and the job failed, without memory. */
convert_beside *convert_beside_add(tool_job *job, convert_made *made, const char *stem,
                                   const char *suffix);
void convert_beside_free(convert_beside *list);
/* Leaves a picture as it is whose pixels are there already; false, and the job failed, if another
 * would take the place of one that the model was made with. Its path is filled in. */
bool convert_beside_settle(tool_job *job, const lm_assets *assets, convert_beside *beside);

/* --skin-path. */
bool convert_folder_read(const tool_args *args, convert_settings *settings);
#define CONVERT_MOST_CALLED 60
/* A name in small letters, of bytes that no path needs to be quoted for. */
void convert_folder_call(const char *stem, char called[CONVERT_MOST_CALLED]);
/* The folder in the game of the pictures beside a model that is written to a path: what was asked
 * for; from models/ or players/ on, where the path has one; models/CALLED/, of a long one models/.
 * "" if none fits. */
void convert_folder_make(const convert_settings *settings, const char *path, const char *called,
                         char *folder, size_t size);
/* Says that so many pictures are beside the model, of which it names the first so. */
void convert_folder_tell(tool_job *job, const convert_settings *settings, const char *path,
                         uint32_t count);

/* --decimate and --lods. */
#define CONVERT_MOST_LODS 2
bool convert_lods_read(const tool_args *args, convert_settings *settings);

/* --player: animation.cfg and MODEL_default.skin. */
bool convert_player_read(const tool_args *args, convert_settings *settings);
/* Names the only surface of a take that has no name after the model, so that a .skin file can name
 * it; `named` is the caller's, who frees it after the take was used. */
bool convert_player_name(tool_job *job, const convert_settings *settings, const char *stem,
                         lm_take *take, lm_take_surface **named);
bool convert_player_make(tool_job *job, const convert_settings *settings, const lm_scene *scene,
                         const lm_take *take, convert_made *made);

/* Whether pictures of several textures become one: into formats whose models wear one. */
bool convert_packs(const convert_settings *settings);
/* Packs them where the take's surfaces wear several, moves its texture coordinates and, unless they
 * go into the file, adds MODEL.png. What the take then points to is the atlas's. Free in any case.
 */
bool convert_atlas_make(tool_job *job, const convert_settings *settings,
                        const convert_subject *subject, lm_take *take, convert_made *made,
                        convert_atlas *atlas);
void convert_atlas_free(convert_atlas *atlas);

/* Appends a take, made as simple as was asked for, and what stands for it from afar. */
bool convert_write_take(tool_job *job, const convert_settings *settings, const lm_take *take,
                        convert_made *made);

/* Appends the scene's model in another format. On a mistake the job fails with a sentence. */
bool convert_encode(tool_job *job, const convert_settings *settings, const convert_subject *subject,
                    convert_made *made);

/* An input with what of it is written. */
typedef struct convert_opened {
    lm_file file; /* where it is one and could be read */
    lm_assets *assets;
    convert_take *take; /* instead of those */
    convert_subject subject;
} convert_opened;

/* Opens the job's input, whatever it is, and fits the settings to it; false, and the job failed.
 * Close in any case; start from {0}. */
bool convert_open(tool_job *job, const convert_settings *settings, convert_opened *opened);
void convert_close(convert_opened *opened);

/* The frames of it that are written, as one take; NULL, and the job failed. */
lm_take *convert_subject_take(tool_job *job, const convert_settings *settings,
                              const convert_subject *subject);

/* --grid-with: what else has the same grid. */
typedef struct convert_grid {
    uint32_t count;
    lm_take **takes;
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

/* A take that is no model's, and all its memory. Each of these fits the settings to it, as
 * convert_plan does; on a mistake the job fails with a sentence. */
convert_take *convert_import(tool_job *job, const convert_settings *settings, const lm_file *file,
                             convert_subject *subject);
/* Whether the job is a pattern of numbered files: walk_{frame}.obj. */
bool convert_is_sequence(const tool_job *job);
convert_take *convert_sequence(tool_job *job, const convert_settings *settings,
                               convert_subject *subject);
/* All models of a scene as one. It points into the scene. */
convert_take *convert_merge(tool_job *job, const convert_settings *settings, const lm_scene *scene);
void convert_take_free(convert_take *made);

#endif
