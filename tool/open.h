/* Models as the user wants them opened, and what there is to say about that. */
#ifndef TOOL_OPEN_H
#define TOOL_OPEN_H

#include "job.h"
#include "lerpmesh/assets.h"

/* What the options say, for lm_assets_open. */
typedef struct tool_wishes {
    lm_assets_options options;
    lm_attachment *attachments; /* of --attach and --with */
    char **texts;               /* what they point into */
    size_t num_texts;
    const char **games, **skins;
    bool quiet, verbose;
} tool_wishes;

/* Reads --attach and --with, into wishes that are all zero, and then the others. On a mistake they
 * say so and return false. Free in any case. */
bool tool_attachments_read(const tool_args *args, tool_wishes *wishes);
bool tool_wishes_read(const tool_args *args, tool_wishes *wishes);
void tool_wishes_free(tool_wishes *wishes);
/* Of these only --normals, --quirk, --repair and --topology. */
bool tool_load_options_read(const tool_args *args, lm_load_options *load);

/* Opens the job's input and says what is odd about models and clips. NULL: the job failed, and why
 * was said, with `json` in the results too. */
lm_assets *tool_open(tool_job *job, const tool_wishes *wishes, bool json);
/* Returns an error with the hint that the command adds to its code: the names of options. */
lm_error tool_with_hint(const lm_error *error);
/* Returns the same for a diagnostic. */
lm_error tool_error_of(const lm_diagnostic *finding);
/* Whether some part of a scene has the clip that is named by `length` bytes. */
bool tool_has_clip(const lm_scene *scene, const char *name, size_t length);
/* The same, or each of those that
 * are named with + between them. If not, the job failed, with the nearest right name. */
bool tool_check_clip(tool_job *job, const lm_scene *scene, const char *name, size_t length);
/* Says what is odd about textures (warnings), or which were not found (notes) and, for those who
 * want to know more, where they were looked for. Errors are said with the warnings, even if the
 * user wants it quiet. */
void tool_tell_textures(tool_job *job, const lm_assets *assets, const tool_wishes *wishes,
                        lm_severity severity);
/* Remembers a model's warnings for the summary. */
void tool_mark_warnings(tool_job *job, const lm_model *model);

#endif
