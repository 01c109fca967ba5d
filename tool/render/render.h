/* `lerpmesh render`: its settings, and the files that it writes. */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include "batch.h"
#include "image/studio.h"

typedef enum render_format {
    RENDER_PNG,
    RENDER_WEBP,
    RENDER_RAW
} render_format;

typedef struct render_settings {
    lm_assets_options options;
    tool_output output;
    render_format format;

    studio_options drawing;
    bool skeleton;      /* --skeleton */
    uint32_t max_bones; /* 0: the default */

    bool has_frame; /* --frames */
    double frame;
    const char *clip; /* --clip, or NULL */
    bool has_time;    /* --time */
    double time;
    bool has_frames; /* --frames */
    uint32_t first_frame, last_frame;
    double rate;        /* images per second; 0: the clip's rate */
    uint32_t turntable; /* number of images; 0: none */
    bool sheet;
    bool gallery;         /* a page of HTML */
    tool_output pictures; /* of the gallery */
} render_settings;

/* Reads all options. Reports mistakes and returns false. */
bool render_settings_read(const tool_args *args, render_settings *settings);

/* Returns whether the output holds several images. */
bool render_is_animated(const render_settings *settings);

/* ---- Files ----------------------------------------------------------------------------------- */

/* The output of one input's images. */
typedef struct image_sink {
    tool_job *job;
    const render_settings *settings;
    uint32_t width, height;
    uint32_t count;   /* so far */
    uint32_t kept;    /* of them: numbered files that exist and stay */
    const char *path; /* NULL for standard output and numbered images */
    lm_buffer raw;
    webp_film *film;
} image_sink;

bool sink_open(image_sink *sink, tool_job *job, const render_settings *settings, double rate);
bool sink_add(image_sink *sink, const uint8_t *pixels);
/* Writes the rest. */
bool sink_finish(image_sink *sink);
void sink_close(image_sink *sink);

/* Adds a job's line of JSON. `written`: NULL: no file of its own. */
void render_write_json(tool_job *job, const render_settings *settings, const char *written,
                       uint32_t count);

/* A page of all inputs: its job. */
tool_job page_begin(const render_settings *settings);
/* Writes the page. Returns whether it is in a file. */
bool page_put(tool_job *job, const render_settings *settings, lm_buffer *page);
/* Returns an exit code. */
int page_end(tool_job *job);

/* ---- Galleries: a page NAME.html, and a folder of pictures next to it ------------------------ */

/* A part of the page. */
typedef struct gallery_entry {
    const char *folder; /* may be empty */
    const char *html;
    size_t index; /* its place in the folder */
} gallery_entry;

/* The entries of the models that were drawn. */
typedef struct render_gallery {
    const render_settings *settings;
    gallery_entry *entries;
    size_t count, capacity;
    size_t num_players, num_weapons; /* of `count`; each is one entry */
    lm_buffer messages;              /* of the models that were not */
} render_gallery;

/* Lets the pictures replace those of an earlier gallery. Fails, with a message, if the page is an
 * input, or if the folder of the pictures has other files and --force is not given. */
bool render_gallery_begin(render_settings *settings);
/* Draws a model, writes its picture, and passes its entry on. Reports mistakes and fails the job.
 */
void render_gallery_add(tool_job *job, const render_settings *settings, studio *s,
                        const studio_subject *subject, const lm_assets *assets);
/* Takes the entry of a job in this process. */
void render_gallery_take(render_gallery *gallery, tool_job *job);
/* Writes the page. Returns an exit code. */
int render_gallery_write(render_gallery *gallery);
void render_gallery_free(render_gallery *gallery);

#endif
