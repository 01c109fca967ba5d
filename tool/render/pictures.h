/* Pictures into files. */
#ifndef RENDER_PICTURES_H
#define RENDER_PICTURES_H

#include "batch.h"
#include "settings.h"

/* Where the pictures of one input go. */
typedef struct picture_sink {
    tool_job *job;
    const render_settings *settings;
    uint32_t width, height;
    uint32_t count; /* so far */
    lm_buffer path; /* NUL-terminated; empty for standard output and numbered pictures */
    lm_buffer raw;
    struct webp_film *film;
} picture_sink;

bool sink_open(picture_sink *sink, tool_job *job, const render_settings *settings, double rate);
bool sink_add(picture_sink *sink, const uint8_t *pixels);
/* Writes what is not written yet. */
bool sink_finish(picture_sink *sink);
void sink_close(picture_sink *sink);

/* Animated WebP; in a build without libwebp, webp_film_new fails with a sentence. */
typedef struct webp_film webp_film;
webp_film *webp_film_new(uint32_t width, uint32_t height, double rate, lm_error *error);
bool webp_film_add(webp_film *film, const uint8_t *pixels, lm_error *error);
bool webp_film_finish(webp_film *film, lm_buffer *out, lm_error *error);
void webp_film_free(webp_film *film);

#endif
