/* Where two models differ, as a picture. */
#ifndef PICTURE_DIFFERENCE_H
#define PICTURE_DIFFERENCE_H

#include "lerpmesh/mesh.h"

/* Two models, and how they compare. */
typedef struct difference_models {
    const char *names[2];
    const lm_model *models[2];
    const lm_take *meshes[2];
    const lm_comparison *found;
} difference_models;

/* Draws both next to each other, in the frame where they differ most, in colours of heat with a
 * legend, as PNG. False, and why; in a build without the renderer always. */
bool difference_draw(const difference_models *models, lm_buffer *png, lm_error *error);

#endif
