/* The options that only `lerpmesh render` has; options.h has the others. */
#ifndef TOOL_RENDER_OPTIONS_H
#define TOOL_RENDER_OPTIONS_H

/* Name, letter (0: none), long name, name of its value (NULL: none), help. */
#define TOOL_RENDER_OPTION_LIST(X)                                                              \
    X(GROUP_DRAWING, 0, NULL, NULL, "Drawing")                                                  \
    X(SIZE, 0, "size", "WxH", "size of an image in pixels (512x512; .html 256x256; sheet 128)") \
    X(SHEET, 0, "sheet", NULL, "one page of all clips, or of all models, with names")           \
    X(TURNTABLE, 0, "turntable", "N", "N images from all around the model")                     \
    X(VIEW, 0, "view", "VIEW", "camera: iso front left right back top, or AZIMUTH,ELEVATION")   \
    X(ZOOM, 0, "zoom", "Z", "magnification: 2 is twice as large as fits")                       \
    X(SHADING, 0, "shading", "NAME", "shading: studio engine texture (unlit) normals wire uv")  \
    X(SHOW, 0, "show", "LIST", "also draw box, grid, axes, tags, normals or commands")          \
    X(DRAW_SKELETON, 0, "skeleton", "[N]", "also draw a skeleton of at most N joints (40)")     \
    X(BACKGROUND, 0, "background", "NAME",                                                      \
      "background: studio, none, white, black, grey or RRGGBB")                                 \
    X(SAMPLES, 0, "samples", "N", "samples per pixel, for smooth edges (8); 1: none")           \
    X(MAX_FILL, 0, "max-fill", "N", "draw coarsely if triangles fill an image N times (250)")

#endif
