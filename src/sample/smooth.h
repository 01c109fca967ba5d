/* Replaces a file's stored normals by normals computed from the triangles. */
#ifndef LM_SAMPLE_SMOOTH_H
#define LM_SAMPLE_SMOOTH_H

#include "core/heap.h"
#include "lerpmesh/load.h"
#include "math/vectors.h"

/* The quality of a surface's stored normals. */
typedef struct lm_normals_quality {
    lm_code code;              /* LM_CODE_OK, LM_CODE_NORMALS_INWARD or LM_CODE_IDENTICAL_NORMALS */
    uint32_t inward, compared; /* triangles whose normals point inward, and triangles with an area,
                                  in all frames examined */
} lm_normals_quality;

/* Examines the normals in at most 16 frames. Returns false if memory ran out. */
bool lmi_inspect_normals(const lm_model *model, uint32_t surface, lm_heap *heap,
                         lm_normals_quality *quality);

/* Gives the surfaces of a new model, which nothing else uses yet, the requested normals, and adds
 * warnings about them. Linear in the vertices and triangles of all frames. Returns false if memory
 * ran out. */
bool lmi_smooth_model(lm_model *model, lm_normals request, lm_heap *heap);

/* Sample the file's own vertices of a surface in a frame, or in a pose. `normals` may be NULL. */
void lmi_sample_own(const lm_model *model, uint32_t surface, uint32_t frame, lm_vec3 *positions,
                    lm_vec3 *normals);
void lmi_sample_own_at(const lm_model *model, uint32_t surface, const lm_pose *pose,
                       lm_vec3 *positions, lm_vec3 *normals);

/* Returns whether each vertex of a surface is the same in all frames. False also if memory ran
 * out. */
bool lmi_surface_is_static(const lm_model *model, uint32_t surface, lm_heap *heap);
/* Returns whether there are several frames, and each vertex and tag is the same in all of them.
 * False also if memory ran out. */
bool lmi_model_is_static(const lm_model *model, lm_heap *heap);

/* Finds out whether the triangles of a closed model face inward in the first frame: all surfaces
 * together have a negative volume. A model is not judged if it is open or nearly flat. Returns
 * false if memory ran out. */
bool lmi_model_faces_inward(const lm_model *model, lm_heap *heap, bool *inward);

/* Computes smooth normals, one frame at a time, from triangles that share vertices and
 * positions. */

/* The weighted sum of the directions of the triangles at a vertex or position. */
typedef struct lm_normal_sum {
    lm_wide sum;
    double angles; /* the sum of the angles */
} lm_normal_sum;

/* The vertices of all surfaces that are smoothed together.
 *     lmi_smoothing_begin(&s, count, heap);
 *     for each frame: fill s.positions; lmi_smoothing_frame(&s);
 *         for each triangle: lmi_smoothing_triangle(&s, its vertices);
 *         for each vertex: lmi_smoothing_normal(&s, vertex);
 *     lmi_smoothing_end(&s); */
typedef struct lm_smoothing {
    lm_heap *heap;
    uint32_t count;
    lm_vec3 *positions;      /* [count] */
    lm_normal_sum *own;      /* [count] by vertex; the start of all following arrays */
    lm_normal_sum *shared;   /* [count] by the first vertex at the position */
    uint64_t *hashes;        /* [count] */
    uint32_t *same_position; /* [count] the first vertex at the same position */
} lm_smoothing;

/* Allocates memory for `count` vertices. Returns false if memory ran out. */
bool lmi_smoothing_begin(lm_smoothing *s, uint64_t count, lm_heap *heap);
void lmi_smoothing_end(lm_smoothing *s);
/* Finds the vertices with equal positions. Returns false if memory ran out. */
bool lmi_smoothing_frame(lm_smoothing *s);
void lmi_smoothing_triangle(const lm_smoothing *s, const uint32_t v[3]);
/* Returns a vertex's normal, which is not normalised; up, if the directions cancel. */
lm_vec3 lmi_smoothing_normal(const lm_smoothing *s, uint32_t v);

#endif
