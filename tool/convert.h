/* What `lerpmesh convert` was asked for, and what becomes of one input. */
#ifndef TOOL_CONVERT_H
#define TOOL_CONVERT_H

#include "lerpmesh/compose.h"
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
    lm_assets_options options;
    tool_output output;
    convert_format format;
    const lm_format_info *model; /* of CONVERT_MODEL */
    const char *extension;       /* of what is written, with its dot */
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
    uint64_t max_output;
} convert_settings;

/* On a mistake says so and returns false. */
bool convert_settings_read(const tool_args *args, convert_settings *settings);

/* The part of it that says what is written, from -o and --format. */
bool convert_format_read(const tool_args *args, convert_settings *settings);
/* --decimate and --lods; --player; --grid-with. */
#define CONVERT_MOST_LODS 2
bool convert_lods_read(const tool_args *args, convert_settings *settings);
bool convert_player_read(const tool_args *args, convert_settings *settings);
bool convert_grid_read(const tool_args *args, const convert_settings *settings);

/* Whether pictures go into the file, as a model's skins. */
static inline bool convert_embeds(const convert_settings *settings) {
    return settings->format == CONVERT_MODEL &&
           (settings->model->abilities & LM_ABILITY_EMBEDDED_SKINS);
}

/* Whether files can go beside the model. */
static inline bool convert_has_beside(const convert_settings *settings) {
    return settings->format == CONVERT_MODEL && settings->output.kind != TOOL_TO_STDOUT;
}

/* A file that goes beside the one that is written. */
typedef struct convert_beside {
    const char *name;
    bool picture; /* of a model */
    lm_buffer data;
    lm_file_output file; /* its path is NULL until all is made, and stays so if it is there: as it
                            would be written, or with the same pixels; it may be what was read */
    struct convert_beside *next;
} convert_beside;

/* An imported mesh with its images. */
typedef struct convert_imported {
    lm_import *import;
    lm_take *joined;     /* of several files */
    const lm_take *mesh; /* NULL: a scene was opened */
    lm_image **images;   /* [import->num_pictures] */
    lm_scene_texture *textures;
    lm_scene_skin *skins;
    lm_scene_material *materials;
} convert_imported;

/* One input. Start with the first two and {0}; close in any case. Functions that return false or
 * NULL have failed the job, with a sentence. */
typedef struct conversion {
    tool_job *job;
    const convert_settings *settings;
    lm_file file; /* where it is one and could be read */
    lm_assets *assets;
    convert_imported imported; /* instead of those */
    /* What of it is written: the parts with the clips that are wanted. Of an imported mesh one part
     * without a model. */
    lm_scene scene;
    lm_scene_part *parts;
    lm_export_options plan;
    /* What is made of it. The paths are NULL for standard output. */
    const char *path, *companion; /* the latter of a .bin or .mtl */
    const char *stem;             /* the name of its file without extension; NULL: none */
    lm_buffer out, bin;
    convert_beside *beside; /* in the order in which they were added */
    lm_gltf_result result;
    lm_encode_report *report; /* of a model */
} conversion;

/* Opens the job's input, whatever it is, and fits the settings to it. */
bool convert_open(conversion *c);
void convert_close(conversion *c);

/* Fits the settings to a scene: checks the frames, picks the clips of its parts. */
bool convert_plan(conversion *c, const lm_scene *scene, uint32_t num_frames);

/* The frames of it that are written, as one mesh; it points into what was opened. */
lm_composition *convert_compose(conversion *c);

/* Appends what was opened as a model in another format, and adds what goes beside it. */
bool convert_encode(conversion *c);
/* Appends a mesh, made as simple as was asked for, and adds what stands for it from afar. */
bool convert_write_mesh(conversion *c, const lm_encode_options *encoding, const lm_take *mesh);
/* Adds animation.cfg and MODEL_default.skin. */
bool convert_player_make(conversion *c, const lm_take *mesh);

/* Adds a file called STEM and SUFFIX. */
convert_beside *convert_beside_add(conversion *c, const char *stem, const char *suffix);
/* Gives it its path, but leaves a picture as it is whose pixels are there already. Fails if another
 * would take the place of one that the model was made with. */
bool convert_beside_settle(conversion *c, convert_beside *beside);

/* --grid-with: what else has the same grid. */
typedef struct convert_fellow {
    tool_job job;
    conversion opened;
    lm_composition *made;
} convert_fellow;

typedef struct convert_grid {
    convert_settings settings;
    uint32_t count;
    convert_fellow *fellows;
    const lm_take **meshes;
} convert_grid;

/* Those of the files that are not the input itself, which has so many frames. Close in any case. */
bool convert_grid_open(const conversion *c, uint32_t num_frames, convert_grid *grid);
void convert_grid_close(convert_grid *grid);

/* Whether a file is one that is imported: by its bytes, or, where it has others than a model, by
 * its name. */
bool convert_is_import(const tool_job *job, const lm_file *file);
/* One file as a mesh, with the images of its surfaces or without; what is odd about it is told. */
lm_import *convert_read_import(tool_job *job, const convert_settings *settings, const lm_file *file,
                               bool pictures);
void convert_import_free(lm_import *import);
/* Whether the job is a pattern of numbered files: walk_{frame}.obj. */
bool convert_is_sequence(const tool_job *job);
/* Reads them as one mesh: `first` is the first's import, of the file. */
lm_take *convert_sequence(conversion *c, lm_import **first);
/* Opens a mesh that is no model's, one file's or a sequence, and fits the settings to it. */
bool convert_import(conversion *c);
void convert_imported_free(convert_imported *m);

#endif
