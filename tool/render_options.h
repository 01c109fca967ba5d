/* The options that only `lerpmesh render` has; options.h has the others. */
#ifndef TOOL_RENDER_OPTIONS_H
#define TOOL_RENDER_OPTIONS_H

/* Name, letter (0: none), long name, name of its value (NULL: none), help. */
#define TOOL_RENDER_OPTION_LIST(X)                                                               \
    X(IMAGE_FORMAT, 0, "format", "NAME", "png, webp or raw, where the name of OUT does not say") \
    X(SIZE, 0, "size", "WxH", "pixels of a picture (512x512; on a sheet 128x128)")               \
    X(PLAYED, 0, "clip", "NAME", "this clip, or LEGS_RUN+TORSO_ATTACK; in a .png at --time")     \
    X(TIME, 0, "time", "T", "seconds from the start of the clip")                                \
    X(RATE, 0, "rate", "N", "pictures a second, mixed between frames (the clip's own)")          \
    X(TURNTABLE, 0, "turntable", "N", "N pictures from all around")                              \
    X(SHEET, 0, "sheet", NULL, "all clips, or all models, on one page with their names")         \
    X(VIEW, 0, "view", "FROM", "iso, front, left, right, back, top, or AZIMUTH,ELEVATION")       \
    X(ZOOM, 0, "zoom", "Z", "2: twice as large as fits")                                         \
    X(SHADING, 0, "shading", "HOW", "studio, engine, texture (no light), normals, wire or uv")   \
    X(SHOW, 0, "show", "WHAT", "also box, grid, axes, tags, normals, commands")                  \
    X(BACKGROUND, 0, "background", "C", "studio, none, white, black, grey or RRGGBB")            \
    X(SAMPLES, 0, "samples", "N", "a pixel, for smooth edges (8); 1: none")

#endif
