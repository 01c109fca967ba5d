/* Shared by the drawings of texture coordinates, SVG and pixels. */
#ifndef LM_EXPORT_UV_CANVAS_H
#define LM_EXPORT_UV_CANVAS_H

#include "core/arena.h"
#include "lerpmesh/export.h"

#define LM_UV_MARGIN 0.02 /* around the image, relative to its larger side */

/* The visible area, in pixels of the skin. */
typedef struct lm_uv_canvas {
    double width, height; /* of the skin */
    double left, top, right, bottom;
    const lm_vec2 **st; /* [model->num_surfaces][num_vertices] with islands moved onto the skin */
} lm_uv_canvas;

static inline bool lm_uv_shows(const lm_uv_options *options, uint32_t surface) {
    return !options->surfaces || options->surfaces[surface];
}

/* Checks the options (NULL: the defaults) and computes the canvas. The call fails if memory runs
 * out. */
bool lm_uv_canvas_of(const lm_model *model, const lm_uv_options **options, lm_arena *arena,
                     lm_uv_canvas *canvas);

/* Returns the texture coordinates of each surface, with islands on other tiles moved onto the skin;
 * NULL if memory ran out. Linear time. */
const lm_vec2 **lm_uv_islands(const lm_model *model, const lm_uv_options *options, lm_arena *arena);

/* Returns the hue of a surface, in degrees. Steps by the golden angle keep any number of hues
 * apart. */
unsigned lm_uv_hue(uint32_t surface);

#endif
