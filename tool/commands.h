/* The commands, one file each. */
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

/* All commands, in the order of the help, terminated by NULL. */
extern const tool_command *const tool_commands[];

/* Runs `lerpmesh render`. In a build without the renderer, reports what is missing. */
int render_run(const tool_args *args);

#define TOOL_COUNT_OF(array) (sizeof(array) / sizeof *(array))

#endif
