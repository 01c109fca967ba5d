/* The settings of `lerpmesh convert`: the options of lm_convert, and the output. */
#ifndef TOOL_CONVERT_SETTINGS_H
#define TOOL_CONVERT_SETTINGS_H

#include "convert.h"
#include "output.h"

typedef struct convert_settings {
    const tool_args *args;
    tool_output output;
    lm_convert_options convert;
    const lm_format_info *model; /* NULL: glTF or OBJ */
    bool obj;
    const char *extension;       /* of the output, with its dot */
    const char *program, *about; /* --for: its name, and its settings in words; NULL: not given */
} convert_settings;

/* Reads all options. Reports mistakes and returns false. */
bool convert_settings_read(const tool_args *args, convert_settings *settings);
/* Reads the output format from -o and --format, and whether --player makes a model or a whole
 * player. */
bool convert_format_read(const tool_args *args, convert_settings *settings);
/* Reads --for, --quantize and --compress, and replaces the settings that --for decides. */
bool convert_program_read(const tool_args *args, convert_settings *settings);
/* Reads --player. */
bool convert_player_read(const tool_args *args, convert_settings *settings);

/* Returns whether images are embedded in the file, as a model's skins. */
static inline bool convert_embeds(const convert_settings *settings) {
    return settings->model && (settings->model->features & LM_FEATURE_EMBEDDED_SKINS);
}

/* Returns whether the model can have files next to it. */
static inline bool convert_has_sidecar(const convert_settings *settings) {
    return settings->model && settings->output.kind != TOOL_TO_STDOUT;
}

#endif
