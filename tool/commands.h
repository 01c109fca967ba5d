/* The verbs, one file each. */
#ifndef TOOL_COMMANDS_H
#define TOOL_COMMANDS_H

#include "options.h"

extern const tool_command tool_info;
extern const tool_command tool_examine;
extern const tool_command tool_uv;
extern const tool_command tool_check;
extern const tool_command tool_convert;
extern const tool_command tool_edit;
extern const tool_command tool_optimize;
extern const tool_command tool_compare;
extern const tool_command tool_render;
extern const tool_command tool_ls;
extern const tool_command tool_extract;
extern const tool_command tool_pack;
extern const tool_command tool_formats;
extern const tool_command tool_completions;

/* All of them, in the order of the help; NULL ends it. */
extern const tool_command *const tool_commands[];

/* What `lerpmesh render` does, in a build with the renderer; else it says what is missing. */
int render_run(const tool_args *args);

#define TOOL_COUNT_OF(array) (sizeof(array) / sizeof *(array))

#endif
