/* Writes images and pages to files. */
#ifndef RENDER_IMAGES_H
#define RENDER_IMAGES_H

#include "batch.h"
#include "image/webp.h"
#include "settings.h"

/* The output of one input's images. */
typedef struct image_sink {
    tool_job *job;
    const render_settings *settings;
    uint32_t width, height;
    uint32_t count;   /* so far */
    const char *path; /* NULL for standard output and numbered images */
    lm_buffer raw;
    webp_film *film;
} image_sink;

bool sink_open(image_sink *sink, tool_job *job, const render_settings *settings, double rate);
bool sink_add(image_sink *sink, const uint8_t *pixels);
/* Writes the rest. */
bool sink_finish(image_sink *sink);
void sink_close(image_sink *sink);

/* A page of all inputs: its job. */
tool_job page_begin(const render_settings *settings);
/* Writes the page. Returns whether it is in a file. */
bool page_put(tool_job *job, const render_settings *settings, lm_buffer *page);
/* Returns an exit code. */
int page_end(tool_job *job);

#endif
