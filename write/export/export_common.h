/* Shared by all exporters: options with their defaults filled in, conversion of axes, and the begin
 * and end of a call. */
#ifndef LM_EXPORT_COMMON_H
#define LM_EXPORT_COMMON_H

#include "core/arena.h"
#include "core/index.h"
#include "core/writing.h"
#include "lerpmesh/export.h"
#include "math/vectors.h"

#include <math.h>

/* A model to export, with checked options. Frames are counted from `first`. */
typedef struct lm_export {
    lm_call *call;
    const lm_model *model;
    const lm_mesh_surface *surfaces; /* with the vertices and normals; NULL: the model's */
    const char *name;                /* never NULL or "" */
    lm_axes axes;
    float scale;
    bool still;
    lm_pose pose;          /* if still */
    uint32_t first, count; /* frames; count is 1 if `still` */
    const lm_clip *clips;  /* of the model's frames, not cut yet; none if `still` */
    uint32_t num_clips;
    const lm_transform *transform; /* of the model in the scene, NULL: identity */
} lm_export;

/* Begins an exporter's call. Its temporary memory is unbounded, and comes from the allocator of its
 * output. */
void lmi_export_begin(lm_heap *heap, const lm_buffer *out, lm_error *error);
/* Ends one output of the call: like lmi_buffer_end, by the status of the call. */
bool lmi_export_end(lm_heap *heap, lm_buffer *out, lm_buffer_mark mark, const char *name);

/* Checks the options and fills in their defaults. `out` already has the call, and the default axes
 * and scale. `arena` owns the normals that a mesh lacks. */
bool lmi_export_resolve(const lm_model *model, const lm_export_options *options, lm_arena *arena,
                        lm_export *out);
/* Fails unless every texture has a file name, which `what` needs. */
bool lmi_export_check_uris(lm_call *call, const lm_scene *scene, const char *what);

/* Cuts a clip to the exported frames, and counts its frames from the first of them. Returns false
 * if none of its frames is exported. */
bool lmi_export_clip(const lm_export *job, const lm_clip *clip, lm_clip *out);

lm_pose lmi_export_pose(const lm_export *job, uint32_t frame);
/* Convert a direction to the target's axes, and a position to its axes and scale. */
lm_vec3 lmi_export_axes(const lm_export *job, lm_vec3 v);
lm_vec3 lmi_export_point(const lm_export *job, lm_vec3 v);
/* Samples a surface in the axes and the scale of the model: num_vertices packed vectors each. NULL:
 * not wanted. */
void lmi_export_vertices(const lm_export *job, uint32_t surface, const lm_pose *pose,
                         lm_vec3 *positions, lm_vec3 *normals);
/* Samples a surface in the target's axes and scale: num_vertices packed vectors each. Fails if
 * scaling makes a number infinite. */
bool lmi_export_sample(const lm_export *job, uint32_t surface, uint32_t frame, lm_vec3 *positions,
                       lm_vec3 *normals);

/* Copies a name as UTF-8 (from Latin-1 if it is not UTF-8), with room for lmi_names_unique. Returns
 * NULL if memory ran out. */
char *lmi_export_name(lm_arena *arena, const char *name);

/* Returns true if all texture coordinates are in 0 .. 1. */
bool lmi_is_on_skin(const lm_surface *surface);

/* Returns true if importers read the numbers. */
static inline bool lmi_is_in_range(lm_vec3 v) {
    return fabsf(v.x) < LM_MAX_NUMBER && fabsf(v.y) < LM_MAX_NUMBER && fabsf(v.z) < LM_MAX_NUMBER;
}

/* Finds identical vertices, by comparing one value after the other. */

typedef struct lm_welding {
    uint32_t count, num_classes;
    uint32_t *classes, *divided; /* [count] the first vertex of each one's class; the next step's */
    lm_index index;
} lm_welding;

/* The result of welding. */
typedef struct lm_welded {
    uint32_t count;
    uint32_t *vertices; /* [count] the first vertex of each class, ascending */
    uint32_t *drawn;    /* [all] for each vertex, its index in `vertices` */
} lm_welded;

/* lmi_welding_alloc allocates memory for at most `most_vertices`. For each mesh, lmi_welding_start
 * begins with one class. lmi_welding_divide separates vertices that differ in either of two values,
 * whose sizes are multiples of 4 bytes (or 0). lmi_welding_end lists the result, and returns false
 * if memory ran out. Linear time in vertices and values. */
void lmi_welding_alloc(lm_welding *welding, lm_arena *arena, uint32_t most_vertices);
void lmi_welding_start(lm_welding *welding, uint32_t num_vertices);
void lmi_welding_divide(lm_welding *welding, const void *first, size_t first_size,
                        const void *second, size_t second_size);
bool lmi_welding_end(const lm_welding *welding, lm_arena *arena, lm_welded *welded);

#endif
