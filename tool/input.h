/* Models as the user wants them loaded: with which quirks and repairs, and with which clips. */
#ifndef TOOL_INPUT_H
#define TOOL_INPUT_H

#include "batch.h"
#include "lerpmesh/clips.h"
#include "lerpmesh/io.h"
#include "lerpmesh/layout.h"

/* No format can describe a file larger than its 31-bit offsets reach. */
#define TOOL_LARGEST_INPUT ((size_t)INT32_MAX)

/* What --quirk, --repair, --topology and --clips say. */
typedef struct tool_load_settings {
    lm_load_options load;
    bool no_clip_files;     /* --clips none */
    const char *clips_path; /* --clips FILE, read once for all inputs; NULL: look beside each */
    lm_file clips_file;
    bool quiet;
} tool_load_settings;

/* On a mistake says so and returns false. Free in any case. */
bool tool_load_settings_read(const tool_args *args, tool_load_settings *settings);
void tool_load_settings_free(tool_load_settings *settings);

/* A file, its model, and the clips to use: the model's own or those of a clip file. */
typedef struct tool_input {
    lm_file file;
    lm_model *model;
    lm_clips *file_clips; /* NULL: the model's own */
    lm_buffer clips_path; /* where they come from, NUL-terminated; empty: the model */
    uint32_t num_clips;
    const lm_clip *clips;
} tool_input;

/* Loads the job's file. Failing, fills `error` and leaves nothing to close. A clip file beside the
 * model that cannot be used is a remark; one that was named is an error. */
bool tool_input_open(tool_job *job, const tool_load_settings *settings, tool_input *input,
                     lm_error *error);
void tool_input_close(tool_input *input);

/* How many of a layout's fields are the file's own header; what a surface's header has comes
 * behind them. */
uint32_t tool_header_fields(const lm_layout *layout);

/* The last part of a path; in an archive, of the member's. */
const char *tool_base_name(const char *path);

#endif
