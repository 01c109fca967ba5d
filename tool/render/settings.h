/* What `lerpmesh render` was asked for. */
#ifndef RENDER_SETTINGS_H
#define RENDER_SETTINGS_H

#include "open.h"
#include "output.h"
#include "picture/studio.h"

typedef enum render_format {
    RENDER_PNG,
    RENDER_WEBP,
    RENDER_RAW
} render_format;

typedef struct render_settings {
    lm_assets_options options;
    tool_output output;
    render_format format;
    /* Where OUT has {frame:04}: its parts before and behind, and the digits. NULL: it has not. */
    const char *before, *behind;
    unsigned digits;

    studio_look look;

    bool has_frame; /* --frame */
    double frame;
    const char *clip; /* --clip, or NULL */
    bool has_time;    /* --time */
    double time;
    bool has_frames; /* --frames */
    uint32_t first_frame, last_frame;
    double rate;        /* pictures a second; 0: as the clip */
    uint32_t turntable; /* pictures; 0: none */
    bool sheet;
} render_settings;

/* On a mistake says so and returns false. */
bool render_settings_read(const tool_args *args, render_settings *settings);

/* Whether the output holds several pictures. */
bool render_is_animated(const render_settings *settings);

#endif
