/* What all exporters share: the options with their defaults filled in, the change of axes, and how
 * their calls begin and end. */
#ifndef LM_EXPORT_COMMON_H
#define LM_EXPORT_COMMON_H

#include "core/arena.h"
#include "core/writing.h"
#include "lerpmesh/export.h"

#include <math.h>

/* A model to export, resolved and in range. Frames are counted from `first` here. */
typedef struct lm_export {
    lm_call *call;
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

/* Begins an exporter's call, whose temporary memory is without bounds and comes from the allocator
 * of its output. */
void lm_export_begin(lm_heap *heap, const lm_buffer *out, lm_error *error);
/* Ends one of its outputs: as lm_buffer_end, by the status of the call. */
bool lm_export_end(lm_heap *heap, lm_buffer *out, lm_buffer_mark mark, const char *name);

/* Checks and resolves the options, NULL being {0}. `out` has the axes and the scale that 0 stands
 * for, and the call. */
bool lm_export_resolve(const lm_model *model, const lm_export_options *options, lm_export *out);
/* Whether all textures have a name for the file of `what`. */
bool lm_export_check_uris(lm_call *call, const lm_scene *scene, const char *what);

/* A clip, cut to the exported frames and counted from the first of them; false if nothing of
 * it is exported. */
bool lm_export_clip(const lm_export *job, const lm_clip *clip, lm_clip *out);

lm_pose lm_export_pose(const lm_export *job, uint32_t frame);
/* A direction in the target's axes, and a position in its axes and scale. */
lm_vec3 lm_export_axes(const lm_export *job, lm_vec3 v);
lm_vec3 lm_export_point(const lm_export *job, lm_vec3 v);
/* Samples a surface in the target's axes and scale: num_vertices packed vectors each. Fails if
 * scaling made a number infinite. */
bool lm_export_sample(const lm_export *job, uint32_t surface, uint32_t frame, lm_vec3 *positions,
                      lm_vec3 *normals);

/* Copies a name as UTF-8 (from Latin-1 if it is not UTF-8), with room for lm_names_unique. NULL if
 * memory ran out. */
char *lm_export_name(lm_arena *arena, const char *name);

static inline bool lm_is_finite(lm_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

#endif
