/* What all exporters share: the options with their defaults filled in, the change of axes. */
#ifndef LM_EXPORT_COMMON_H
#define LM_EXPORT_COMMON_H

#include "lerpmesh/export.h"

#include <math.h>

/* What is exported, resolved and in range. Frames are counted from `first` here. */
typedef struct lm_export {
    const lm_model *model;
    const char *name; /* never NULL or "" */
    lm_axes axes;
    float scale;
    bool still;
    lm_pose pose;          /* if still */
    uint32_t first, count; /* frames; count is 1 if still */
    const lm_clip *clips;  /* of the model's frames, not yet cut; none if still */
    uint32_t num_clips;
    float fps;                 /* 0: each clip's own */
    const lm_transform *place; /* where the model stands, NULL: at the origin */
} lm_export;

/* `defaults` has the axes and scale that 0 stands for. */
bool lm_export_resolve(const lm_model *model, const lm_export_options *options,
                       const lm_export *defaults, lm_export *out, lm_error *error);

/* A clip, cut to the exported frames and counted from the first of them; false if nothing of
 * it is exported. */
bool lm_export_clip(const lm_export *job, const lm_clip *clip, lm_clip *out);

lm_pose lm_export_pose(const lm_export *job, uint32_t frame);
/* A direction or position in the target's axes, not scaled. */
lm_vec3 lm_export_axes(const lm_export *job, lm_vec3 v);
/* Samples a surface in the target's axes and scale: num_vertices packed vectors each. Fails if
 * scaling made a number infinite. */
bool lm_export_sample(const lm_export *job, uint32_t surface, uint32_t frame, lm_vec3 *positions,
                      lm_vec3 *normals, lm_error *error);

static inline bool lm_is_finite(lm_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* Whether a triangle of a surface uses a vertex twice. */
static inline bool lm_is_degenerate(const uint32_t *corners) {
    return corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
}

#endif
