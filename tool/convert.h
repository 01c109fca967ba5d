/* What `lerpmesh convert` was asked for. */
#ifndef TOOL_CONVERT_H
#define TOOL_CONVERT_H

#include "input.h"
#include "lerpmesh/export.h"
#include "output.h"
#include "scene.h"
#include "textures.h"

typedef enum convert_format {
    CONVERT_GLB,
    CONVERT_GLTF,
    CONVERT_OBJ
} convert_format;

typedef struct convert_settings {
    const tool_args *args;
    tool_load_settings load;
    tool_texture_settings textures;
    tool_output output;
    convert_format format;
    lm_axes axes;
    float scale, fps; /* 0: not given */
    bool has_frames;  /* --frames */
    uint32_t first_frame, last_frame;
    bool has_frame; /* --frame */
    double frame;
    bool quantize;
    uint64_t max_output;
    bool quiet, verbose;
} convert_settings;

/* On a mistake says so and returns false. Free in any case. */
bool convert_settings_read(const tool_args *args, convert_settings *settings);
void convert_settings_free(convert_settings *settings);

/* Fits the settings to a scene: checks the frames, picks the clips of its parts. On a mistake the
 * job fails with a sentence. */
bool convert_plan(tool_job *job, const convert_settings *settings, tool_scene *scene,
                  lm_export_options *plan);

#endif
