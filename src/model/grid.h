/* The grid of positions that all frames of a model share. */
#ifndef LM_MODEL_GRID_H
#define LM_MODEL_GRID_H

#include "lerpmesh/load.h"
#include "math/vectors.h"

/* Gets the scale and translate that all frames of an MDL or MD2 share. Returns false, and 0, if
 * there are none. */
static inline bool lmi_model_grid(const lm_model *model, lm_vec3 grid[2]) {
    const lm_frame *frame = model->frames;
    bool shared = !(model->features & LM_FEATURE_SURFACES);
    for (uint32_t f = 1; shared && f < model->num_frames; f++)
        shared = lmi_same_vec3(frame[f].scale, frame->scale) &&
                 lmi_same_vec3(frame[f].translate, frame->translate);
    grid[0] = shared ? frame->scale : (lm_vec3){0, 0, 0};
    grid[1] = shared ? frame->translate : (lm_vec3){0, 0, 0};
    return shared;
}

#endif
