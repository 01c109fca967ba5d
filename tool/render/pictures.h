/* Writes images to files. */
#ifndef RENDER_PICTURES_H
#define RENDER_PICTURES_H

#include "batch.h"
#include "picture/webp.h"
#include "settings.h"

/* The output of one input's images. */
typedef struct picture_sink {
    tool_job *job;
    const render_settings *settings;
    uint32_t width, height;
    uint32_t count;   /* so far */
    const char *path; /* NULL for standard output and numbered pictures */
    lm_buffer raw;
    webp_film *film;
} picture_sink;

bool sink_open(picture_sink *sink, tool_job *job, const render_settings *settings, double rate);
bool sink_add(picture_sink *sink, const uint8_t *pixels);
/* Writes the rest. */
bool sink_finish(picture_sink *sink);
void sink_close(picture_sink *sink);

#endif
