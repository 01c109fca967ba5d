/* Models as the user wants them opened, and what there is to say about that. */
#ifndef TOOL_OPEN_H
#define TOOL_OPEN_H

#include "job.h"

/* Reads --attach and --with, into options that are all zero, and then the others. On a mistake they
 * say so and return false. */
bool tool_attachments_read(const tool_args *args, lm_assets_options *options);
bool tool_open_options_read(const tool_args *args, lm_assets_options *options);

/* Opens the job's input and says what is odd about models and clips. NULL: the job failed. */
lm_assets *tool_open(tool_job *job, const lm_assets_options *options);
/* Whether some part of a scene has the clip that is named by `length` bytes. */
bool tool_has_clip(const lm_scene *scene, const char *name, size_t length);
/* The same, or each of those that are named with + between them. If not, the job failed, with the
 * nearest right name. */
bool tool_check_clip(tool_job *job, const lm_scene *scene, const char *name, size_t length);
/* Says what is odd about textures: with LM_NOTE which were not found, else what is as severe. */
void tool_tell_textures(tool_job *job, const lm_assets *assets, lm_severity severity);
/* Says with --verbose where those that were not found were looked for. */
void tool_tell_tried(tool_job *job, const lm_assets *assets);

#endif
