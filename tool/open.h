/* Opens models as the options request, and reports the diagnostics. */
#ifndef TOOL_OPEN_H
#define TOOL_OPEN_H

#include "job.h"

/* Reads how models are opened, except `images`. Reports mistakes and returns false. */
bool tool_open_options_read(const tool_args *args, lm_assets_options *options);

/* Opens the job's input, and reports the warnings about models and clips. NULL: the job failed. */
lm_assets *tool_open(tool_job *job, const lm_assets_options *options);
/* Reports what tool_open reports. Returns whether there is a scene; if not, the job failed. */
bool tool_opened(tool_job *job, const lm_assets *assets);
void tool_report(tool_job *job, const lm_diagnostic *diagnostic);
/* Returns whether a part of the scene has a clip, or clips joined with '+', whose name is the first
 * `length` bytes of `name`. Else fails the job and suggests the most similar name. */
bool tool_check_clip(tool_job *job, const lm_scene *scene, const char *name, size_t length);
/* Reports the diagnostics of textures: with LM_NOTE those that were not found, else all that are at
 * least as severe. */
void tool_report_textures(tool_job *job, const lm_assets *assets, lm_severity severity);
/* With --verbose, reports all paths that were tried for textures that were not found. */
void tool_report_tried(tool_job *job, const lm_assets *assets);

#endif
