/* Takes that convert makes itself, with the memory of all they point to. */
#ifndef TOOL_CONVERT_TAKE_H
#define TOOL_CONVERT_TAKE_H

#include "convert.h"
#include "lerpmesh/image.h"

typedef struct convert_piece convert_piece;

struct convert_take {
    lm_take take;
    lm_import *import; /* of which it may have parts; NULL */
    lm_image **images; /* that were read of its pictures */
    uint32_t num_images;
    convert_piece *pieces;
};

convert_take *convert_take_new(tool_job *job);
/* Cleared; NULL, and the job failed, if there is no memory. */
void *convert_take_alloc(convert_take *made, tool_job *job, uint64_t count, size_t element);
/* A text, "A" or "A_B". */
const char *convert_take_text(convert_take *made, tool_job *job, const char *a, const char *b);

/* Fits --clip, --frames and --frame to a take, which must live as long as the subject. */
bool convert_plan_take(tool_job *job, const convert_settings *settings, const lm_take *take,
                       convert_subject *subject);

/* One file as a take, with the pictures that it wears or without; what it says of itself is told.
 * NULL, and the job failed. */
lm_import *convert_read_import(tool_job *job, const convert_settings *settings, const lm_file *file,
                               bool pictures);

#endif
