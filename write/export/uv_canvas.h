/* What the drawings of texture coordinates share. */
#ifndef LM_EXPORT_UV_CANVAS_H
#define LM_EXPORT_UV_CANVAS_H

#include "lerpmesh/export.h"

#define LM_UV_MARGIN 0.02 /* around the picture, of its larger side */

/* What is seen, in pixels of the skin. */
typedef struct lm_uv_canvas {
    double width, height; /* of the skin */
    double left, top, right, bottom;
} lm_uv_canvas;

static inline bool lm_uv_shows(const lm_uv_options *options, uint32_t surface) {
    return !options->surfaces || options->surfaces[surface];
}

/* Checks the options, of which NULL is the defaults, and fills in the canvas. */
bool lm_uv_canvas_of(const lm_model *model, const lm_uv_options **options, lm_uv_canvas *canvas,
                     lm_error *error);

/* The hue of a surface, in degrees. Those a golden angle apart differ well however many there are.
 */
unsigned lm_uv_hue(uint32_t surface);

#endif
