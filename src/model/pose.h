#ifndef LM_MODEL_POSE_H
#define LM_MODEL_POSE_H

#include "lerpmesh/model.h"

#include <math.h>

/* Returns whether a pose is between two frames of a model, or, if it may extrapolate, anywhere on
 * the line through them. */
static inline bool lmi_pose_sound(const lm_pose *pose, uint32_t num_frames, bool extrapolates) {
    const float t = pose->t;
    return (extrapolates ? isfinite(t) : t >= 0 && t <= 1) && pose->frame_a < num_frames &&
           pose->frame_b < num_frames;
}

#endif
