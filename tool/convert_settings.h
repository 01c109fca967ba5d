/* The settings of `lerpmesh convert`: the options of lm_convert, and the output. */
#ifndef TOOL_CONVERT_SETTINGS_H
#define TOOL_CONVERT_SETTINGS_H

#include "lerpmesh/convert.h"
#include "output.h"

typedef struct convert_settings {
    const tool_args *args;
    tool_output output;
    lm_convert_options *convert; /* of args->settings */
    const lm_format_info *model; /* NULL: glTF or OBJ */
    bool obj;
    const char *extension; /* of the output, with its dot */
} convert_settings;

/* Reads -o and --format, and checks all options. Reports mistakes and returns false. */
bool convert_settings_read(const tool_args *args, convert_settings *settings);

#endif
