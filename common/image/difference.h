/* An image of the differences between two models. */
#ifndef IMAGE_DIFFERENCE_H
#define IMAGE_DIFFERENCE_H

#include "image/studio.h"
#include "lerpmesh/mesh.h"

/* Two models and their comparison. */
typedef struct difference_models {
    const char *names[2];
    const lm_model *models[2];
    const lm_mesh *meshes[2];
    const lm_comparison *found;
} difference_models;

/* Draws both models side by side as PNG, in the frame with the largest distance, coloured by
 * distance, with a legend. `coarse`: the coarser side. Fails with `error` filled; always in a build
 * without the renderer. */
bool difference_draw(const difference_models *models, lm_buffer *png, coarse_image *coarse,
                     lm_error *error);

#endif
