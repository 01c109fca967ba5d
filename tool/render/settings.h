/* The settings of `lerpmesh render`. */
#ifndef RENDER_SETTINGS_H
#define RENDER_SETTINGS_H

#include "image/studio.h"
#include "open.h"
#include "output.h"

typedef enum render_format {
    RENDER_PNG,
    RENDER_WEBP,
    RENDER_RAW
} render_format;

typedef struct render_settings {
    lm_assets_options options;
    tool_output output;
    render_format format;
    /* If OUT contains {frame:04}: the text before and after it, and the digits. NULL: it does
     * not. */
    const char *before, *after;
    unsigned digits;

    studio_options drawing;
    bool skeleton;      /* --skeleton */
    uint32_t max_bones; /* 0: the default */

    bool has_frame; /* --frame */
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

#endif
